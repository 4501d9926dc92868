"""What was said after the words that an answer rests on and speaks against them, though no memory was made. Pure.

Rules:

1. Only what may be relied on as much, and was said later, puts an answer in doubt.
2. It ends or denies what the answer says (`affidavit.text.endings`), or says the same relation of the one who is named
   in other words.
3. The answer is then given with both, as a conflict: neither is said for certain.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from affidavit.answer.compose import Draft, said_at
from affidavit.answer.results import Citation
from affidavit.answer.talk import Line, Talk
from affidavit.core.values import Episode
from affidavit.text.asking import Asking
from affidavit.text.covering import Word, content_words, text_of
from affidavit.text.endings import ends, turns
from affidavit.text.likeness import same_form
from affidavit.text.passages import plain
from affidavit.text.question_words import Speech, is_first_person
from affidavit.text.signs import language_of, relation_words


class Answered(NamedTuple):
    """What an answer says: its words, what they are about, and the last episode that it rests on."""

    draft: Draft
    things: tuple[str, ...]
    last: Episode

    @property
    def end(self) -> int:
        """Where its words end in that episode."""
        return max(one.end for one in self.draft.citations if one.episode_id == self.last.id)


def answered(draft: Draft, things: Iterable[str], cited: Sequence[Episode]) -> Answered:
    """An answer as it may be doubted; `cited`: the episodes that it cites."""
    return Answered(draft, tuple(one for one in things if one), max(cited, key=_place))


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
    if line.episode.id == about.last.id and turns(line.text):
        return True
    seen = text_of(line.text)
    if not all(map(seen.holds, must)):
        return False
    relation = asking.relation
    if asking.who and must and relation is not None:
        said = plain(line.text)
        language = language_of(said)
        return any(relation_words(relation, what, language).search(said) for what in ("shown", "third"))
    wanted = [words for words in map(content_words, about.things) if words]
    every = any if relation in {"plan", "deadline"} else all

    def names(part: str) -> bool:
        held = text_of(part)
        return any(every(map(held.holds, words)) for words in wanted)

    own = is_first_person(line.text, asking.language, subject=relation is not None)
    mine = is_first_person(line.text, asking.language, subject=False)
    return ends(line.text, relation, names=names, own=own and _asks_of_self(asking, must), mine=mine)


def _asks_of_self(asking: Asking, must: Sequence[Word]) -> bool:
    return asking.first or not must
