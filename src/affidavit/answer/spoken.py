"""Whether the user said something later that speaks against what an action would rest on, and no memory was made of it.

A memory that still stands is not enough where its user has since said "I'm not moving there after all", "that account
is closed", or "he is a scammer": then a person is asked.
"""

from functools import partial
from typing import Final

from affidavit.answer.tracing import Sighting, Wanted, is_foreign
from affidavit.core.authority import Authority
from affidavit.core.roles import warns
from affidavit.core.values import EpisodeRow
from affidavit.store.protocol import Reads, Selection
from affidavit.text.endings import ends, turns
from affidavit.text.passages import plain, sentence_around
from affidavit.text.sentences import asks, stretches
from affidavit.text.signs import has, language_of
from affidavit.text.sought import fold

_MOST: Final = 500
"""How many episodes are looked at, the newest of those that came since."""


def spoken_against(reads: Reads, by: Sighting, wanted: Wanted) -> bool:
    """Whether words of as much authority, said since, speak against what a version says."""
    word, space_id = by.word, by.place.space_id
    if word is None or word.source is None:
        return False
    source = reads.episodes(space_id, [word.source]).get(word.source)
    if source is None:
        return False
    if _turned(source.row, word.quote or ""):
        return True
    later = reads.select(space_id, Selection(after=source.seq, newest=True, limit=_MOST))
    return any(
        Authority(one.row.authority) >= word.authority
        and _at(one.row) >= _at(source.row)
        and _speaks_against(one.row, by.row.relation, wanted)
        for one in later
    )


def _stands_in(wanted: Wanted, part: str) -> bool:
    return wanted.sought.within(fold(part))


def _turned(row: EpisodeRow, quote: str) -> bool:
    start = row.text.find(quote)
    if not quote or start < 0:
        return False
    _, end = sentence_around(row.text, start, start + len(quote))
    return turns(row.text[start + len(quote) : end])


def _at(row: EpisodeRow) -> int:
    return row.recorded_at if row.occurred_start is None else row.occurred_start


def _speaks_against(row: EpisodeRow, relation: str | None, wanted: Wanted) -> bool:
    for start, end in stretches(row.text):
        sentence = row.text[start:end]
        if asks(sentence) or is_foreign(row, start, end):
            continue
        named = _stands_in(wanted, sentence)
        said = plain(sentence)
        own = has("first", said, language_of(said))
        mine = own or has("mine", said, language_of(said))
        over = ends(sentence, relation, names=partial(_stands_in, wanted), own=own, mine=mine)
        if over or (named and warns(sentence)):
            return True
    return False
