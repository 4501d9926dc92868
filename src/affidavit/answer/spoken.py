"""Whether the user said something later that speaks against what an action would rest on, and no memory was made of it.

A memory that still stands is not enough where its user has since said "I'm not moving there after all", "that account
is closed", or "he is a scammer": then a person is asked.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from affidavit.answer.tracing import Sighting, Wanted, is_foreign
from affidavit.core.authority import Authority
from affidavit.core.forbidding import (
    acts,
    forbids,
    means,
    points_back,
    reopens,
    stays,
    takes_out,
    undoes,
    without_reminders,
)
from affidavit.core.memories import ItemRow
from affidavit.core.roles import questions, replaces, warns
from affidavit.core.values import EpisodeRow
from affidavit.store.protocol import Reads, Selection
from affidavit.text.evidence.endings import ends, turns
from affidavit.text.evidence.passages import plain, sentence_around
from affidavit.text.evidence.signs import has, language_of, takes_back
from affidavit.text.lang.whole import any_of
from affidavit.text.questions.sought import fold
from affidavit.text.sentences import asks, stretches

_MOST: Final = 500
"""How many episodes are looked at, the newest of those that came since."""
_POLITE: Final = re.compile(r"\s*(please\s+)?(can|could|would|will|puedes|podrías)\b", re.IGNORECASE)


def spoken_against(reads: Reads, by: Sighting, wanted: Wanted) -> bool:
    """Whether words of as much authority, said since, speak against what a version says."""
    word, (space_id, version) = by.word, by.place
    if word is None or word.source is None:
        return False
    source = reads.episodes(space_id, [word.source]).get(word.source)
    if source is None:
        return False
    about = _About(by.row, wanted, _is_planned(by.row, source.row))
    if _turned(source.row, word.quote or "", about):
        return True
    # Who says once more that his son is called Max lifts no prohibition to pay him; who says "pay Max" does.
    since = source.seq
    if not acts(_sentence(source.row, word.quote or "")):
        since = min(since, reads.items(space_id, [version])[version].seq)
    later = reads.select(space_id, Selection(after=since, newest=True, limit=_MOST))
    own = [one for one in later if one.seq != source.seq and Authority(one.row.authority) >= word.authority]
    following = min((one.seq for one in own if one.seq > source.seq), default=None)
    return any(
        _speaks_against(one.row, about, named=one.seq == following)
        if one.seq > source.seq and _at(one.row) >= _at(source.row)
        else _forbids(one.row, about)
        for one in own
    )


def forbidden_beside(reads: Reads, by: Sighting, wanted: Wanted) -> bool:
    """Whether the message that says a value forbids it behind that: "My son is called Max. Don't pay him."."""
    word = by.word
    if word is None or word.source is None or word.quote is None:
        return False
    source = reads.episodes(by.place.space_id, [word.source]).get(word.source)
    start = -1 if source is None else source.row.text.find(word.quote)
    if source is None or start < 0:
        return False
    _, last = sentence_around(source.row.text, start, start + len(word.quote))
    return _forbids(source.row, _About(by.row, wanted, False), behind=last, named=True)


class _About(NamedTuple):
    """What is acted upon: the version, the value in it; whether it was `planned` when it was said."""

    row: ItemRow
    wanted: Wanted
    planned: bool

    def names(self, part: str) -> bool:
        """Whether the value, or whose name it is ("son"), stands in a text."""
        whose = self.row.qualifier
        return self.wanted.sought.within(fold(part)) or (
            whose is not None and any_of([whose]).search(plain(part)) is not None
        )


def _is_planned(row: ItemRow, said: EpisodeRow) -> bool:
    return row.valid_start is not None and row.valid_start > _at(said)


def _stands_in(wanted: Wanted, part: str) -> bool:
    return wanted.sought.within(fold(part))


def _sentence(row: EpisodeRow, quote: str) -> str:
    start = row.text.find(quote)
    if not quote or start < 0:
        return quote
    first, last = sentence_around(row.text, start, start + len(quote))
    return row.text[first:last]


def _turned(row: EpisodeRow, quote: str, about: _About) -> bool:
    """Whether the sentence of a quote, or what stands behind it, takes it back."""
    start = row.text.find(quote)
    if not quote or start < 0:
        return False
    first, last = sentence_around(row.text, start, start + len(quote))
    if turns(row.text[start + len(quote) : last]) or takes_out(row.text[first:last], about.names):
        return True
    return _forbids(row, about, behind=last, named=True)


def _at(row: EpisodeRow) -> int:
    return row.recorded_at if row.occurred_start is None else row.occurred_start


def _forbids(row: EpisodeRow, about: _About, *, behind: int = 0, named: bool = False) -> bool:
    """Whether a sentence `behind` a place of an episode forbids the value.

    `named`: what was said just before names it, so that a pronoun may mean it: "… Don't pay him."
    """
    for start, end in stretches(row.text):
        sentence = row.text[start:end]
        if start < behind or is_foreign(row, start, end):
            continue
        names = partial(_names_or_means, about) if named else about.names
        if not _only_asks(sentence) and forbids(sentence, names):
            return True
        named = about.names(sentence) or (named and means(sentence))
    return False


def _names_or_means(about: _About, part: str) -> bool:
    return about.names(part) or means(part)


def _only_asks(sentence: str) -> bool:
    """Whether it asks for nothing but an answer: "Could you not pay Max?" is an order."""
    return asks(sentence) and _POLITE.match(sentence) is None


def _told(row: EpisodeRow) -> Iterator[str]:
    """Its sentences that are its speaker's own."""
    return (row.text[start:end] for start, end in stretches(row.text) if not is_foreign(row, start, end))


def _turns_back(sentence: str, about: _About) -> bool:
    """Whether a sentence of the next message takes back what was said just before it, or says anything of it."""
    points = not about.names(sentence) and points_back(sentence)
    return not asks(sentence) and (undoes(sentence) or takes_back(sentence) or points)


def _speaks_against(row: EpisodeRow, about: _About, *, named: bool) -> bool:
    if _forbids(row, about, named=named) or (named and any(_turns_back(one, about) for one in _told(row))):
        return True
    relation, wanted = about.row.relation, about.wanted
    for start, end in stretches(row.text):
        sentence = row.text[start:end]
        if is_foreign(row, start, end):
            continue
        holds = _stands_in(wanted, sentence)
        if asks(sentence):
            if holds and questions(sentence):
                return True
            continue
        if reopens(about.row.text, sentence, about.names, named=named):
            return True
        said = without_reminders(sentence)
        own = has("first", said, language_of(said))
        mine = own or has("mine", said, language_of(said))
        over = ends(said, relation, names=partial(_stands_in, wanted), own=own, mine=mine)
        against = (warns(sentence) or questions(sentence)) if holds else replaces(wanted.kind, sentence)
        if over or against or (about.planned and stays(sentence, about.names)):
            return True
    return False
