"""What was said after the words that an answer rests on and speaks against them, though no memory was made. Pure.

Rules:

1. Only what may be relied on as much, and was said later, puts an answer in doubt.
2. It ends or denies what the answer says (`affidavit.text.evidence.endings`), or says the same relation of the one
   who is named in other words; or takes back or corrects what was said just before it; or says that what is asked
   about has another value now.
3. The answer is then given with both, as a conflict: neither is said for certain.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil
from typing import Final, NamedTuple

from affidavit.answer.compose import Draft, said_at
from affidavit.answer.results import Citation
from affidavit.answer.talk import Line, Talk
from affidavit.core.authority import Role
from affidavit.core.values import Episode
from affidavit.text.evidence.endings import (
    corrects,
    ends,
    ends_of_other,
    renews,
    takes_all_back,
    turns,
    voids,
)
from affidavit.text.evidence.likeness import same_form
from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import UNSPACED, language_of, relation_words
from affidavit.text.frames.owners import MINE, is_of
from affidavit.text.questions.asking import Asking
from affidavit.text.questions.covering import Word, content_words, text_of
from affidavit.text.questions.question_words import NAME, Speech, Wanted, is_first_person
from affidavit.text.sentences import asks

_MOST: Final = 0.7
"""The share of a word without spaces that has to stand in one piece to be the same."""


class Answered(NamedTuple):
    """What an answer says: its words, what they are about, and the last episode that it rests on.

    `next`: what the user said next, if it followed at once. `over`: it is known to hold no more, and asked of the past.
    """

    draft: Draft
    things: tuple[str, ...]
    last: Episode
    next: Episode | None
    over: bool

    @property
    def end(self) -> int:
        """Where its words end in that episode."""
        return max(one.end for one in self.draft.citations if one.episode_id == self.last.id)


def last_of(cited: Iterable[Episode]) -> Episode:
    """The episode that was said last."""
    return max(cited, key=_place)


def answered(
    draft: Draft, things: Iterable[str], last: Episode, behind: Sequence[Episode], *, over: bool
) -> Answered:
    """An answer as it may be doubted; `last`: the last episode that it cites; `behind`: what came next in the log."""
    return Answered(draft, tuple(one for one in things if one), last, _next(behind), over)


def _next(behind: Sequence[Episode]) -> Episode | None:
    """What the user said next; not if somebody asked him something in between."""
    for one in behind:
        if one.source.role is Role.USER:
            return one
        if asks(one.text):
            return None
    return None


def since(about: Answered, talk: Talk, episodes: Iterable[Episode]) -> Iterator[Line]:
    """What was said after it: behind it, and in these episodes as far as they are later."""
    yield from talk.told(about.last, about.end)
    for episode in episodes:
        if _place(episode) > _place(about.last):
            yield from talk.told(episode)


def doubting(asking: Asking, about: Answered, must: Sequence[Word], lines: Iterable[Line]) -> Line | None:
    """The last of these lines that puts an answer in doubt."""
    found = [one for one in lines if _counts(one, about) and _speaks_against(asking, about, must, one)]
    return max(found, key=lambda one: (*_place(one.episode), one.at.start), default=None)


def with_doubt(draft: Draft, against: Citation, speech: Speech) -> Draft:
    """An answer with the words that speak against it."""
    told = [*dict.fromkeys(one.quote for one in draft.citations), against.quote]
    text = f"{speech.conflict}: {speech.joined.join(f'“{quote}”' for quote in told)}"
    return Draft(text, tuple(told), (*draft.citations, against))


def _place(episode: Episode) -> tuple[int, int]:
    return said_at(episode).start or 0, episode.seq


def _counts(line: Line, about: Answered) -> bool:
    enough = all(line.authority >= one.authority for one in about.draft.citations)
    return enough and same_form(line.text) not in {same_form(one.quote) for one in about.draft.citations}


def _speaks_against(asking: Asking, about: Answered, must: Sequence[Word], line: Line) -> bool:
    if _takes_back(about, line):
        return True
    if about.over:
        return False
    if (line.episode.id == about.last.id and turns(line.text)) or _renews(asking, must, line):
        return True
    seen = text_of(line.text)
    if not all(map(seen.holds, must)):
        return False
    relation = asking.relation
    if asking.who and must and relation is not None:
        said = plain(line.text)
        language = language_of(said)
        if any(relation_words(relation, what, language).search(said) for what in ("shown", "third")):
            return True
        names = _naming(about, must, any)
        return ends_of_other(line.text, relation) or ends(
            line.text, relation, names=names, own=False, mine=False
        )
    names = _naming(about, (), any if relation in {"plan", "deadline"} else all)
    own = is_first_person(line.text, asking.language, subject=relation is not None)
    mine = is_first_person(line.text, asking.language, subject=False)
    return ends(line.text, relation, names=names, own=own and _asks_of_self(asking, must), mine=mine)


def _asks_of_self(asking: Asking, must: Sequence[Word]) -> bool:
    return asking.first or not must


def _naming(
    about: Answered, without: Sequence[Word], every: Callable[[Iterable[bool]], bool]
) -> Callable[[str], bool]:
    """Whether words hold what the answer is about, all or any of it."""
    known = {word.text for word in without}
    wanted = [[one for one in content_words(thing) if one.text not in known] for thing in about.things]

    def names(part: str) -> bool:
        held = text_of(part)
        return any(every(map(held.holds, words)) for words in wanted if words)

    return names


def _takes_back(about: Answered, line: Line) -> bool:
    """Whether it stands behind the answer's words, or was said next, and takes them back or corrects them."""
    if line.episode.id == about.last.id:
        between = line.episode.text[about.end : line.at.start]
        first = not any(map(str.isalnum, between))
        if first and not _has_ended(between) and voids(line.text):
            return True
    else:
        first = about.next is not None and line.episode.id == about.next.id
        first = first and not any(map(str.isalnum, line.episode.text[: line.at.start]))
    return first and (takes_all_back(line.text) or _corrects(about, line))


def _has_ended(between: str) -> bool:
    """Whether a sentence has ended there."""
    return any(mark in between for mark in ".!?。！？\n")


def _corrects(about: Answered, line: Line) -> bool:
    """Whether it corrects the answer, with a value of the same kind."""
    dated = any(any(map(str.isdigit, value)) for value in about.draft.values)

    def holds_value(rest: str) -> bool:
        if dated:
            return any(map(str.isdigit, rest))
        named = any(found[0][0].isupper() and len(found[0]) > 1 for found in NAME.finditer(rest))
        return named or UNSPACED.search(rest) is not None

    return corrects(line.text, value=holds_value)


def _renews(asking: Asking, must: Sequence[Word], line: Line) -> bool:
    """Whether it says of what is asked about that it has another value: "The exam is now on 10 May"."""
    words = content_words(asking.about or asking.qualifier)
    if asking.wanted not in {Wanted.DATE, Wanted.PERSON, Wanted.THING} or must or not words:
        return False
    said = plain(line.text)
    held = [_mentions(said, word) for word in words]
    asked = asking.owned._replace(owner=MINE) if asking.owned.owner is None else asking.owned
    if not is_of(line.text, asked, asking.language, exact=False):
        return False
    if asking.wanted is Wanted.DATE and corrects(line.text, value=lambda rest: False):
        return any(held)
    return all(held) and renews(line.text)


def _mentions(said: str, word: Word) -> bool:
    """Whether a plain text holds a word; of what is written without spaces, most of it in one piece."""
    if not UNSPACED.match(word.text):
        return text_of(said).holds(word)
    long = max(2, ceil(len(word.text) * _MOST))
    return any(word.text[at : at + long] in said for at in range(len(word.text) - long + 1))
