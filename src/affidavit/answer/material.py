"""What a language model may choose from where the rules have no answer: memories and sentences, as rules let them.

Rules:

1. Only what may be asserted of the time asked about: memories that are grounded, sentences of those who may be relied
   on that ask, suppose and doubt nothing and that no memory says to be over. Claims are not among it: what a model
   does not see can't sway it, and what it can't choose it can't assert.
2. It holds the names that the question names, and is about whom the question is about: "my boss" is not the user.
3. All of it is opened, so that it stands in the trace. It is bounded; `wide` looks further, once.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from affidavit.answer.facts import is_some_day, relations_of
from affidavit.answer.opening import Opening
from affidavit.answer.talk import Line, Stretch
from affidavit.core.authority import Authority, Role
from affidavit.core.values import Episode
from affidavit.read.memories import MemoryItem, memory_items
from affidavit.text.evidence.likeness import same_form
from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import has, language_of
from affidavit.text.frames.owners import MINE
from affidavit.text.lexicon.words import fold, tokens
from affidavit.text.questions.covering import Text, content_words, text_of
from affidavit.text.whose.turns import speaker_of_line

MOST_MEMORIES: Final = 20
MOST_LINES: Final = 30
_OF_SUBJECT: Final = 50
"""Versions of what is said of one that are looked at, the newest of them."""
_NEAR: Final = 5
"""How many hits have their neighbours opened."""


class Piece(NamedTuple):
    """A memory, or a sentence of an episode; `key` names it however often it is looked for."""

    key: str
    item: MemoryItem | None = None
    line: Line | None = None


def material(opening: Opening, *, wide: bool = False) -> list[Piece]:
    """What a model may choose from; nothing where the question is about what held before: versions tell that."""
    if opening.asking.before is not None:
        return []
    episodes = _episodes(opening)
    near = _near(opening, episodes) if wide else []
    around = list({one.id: one for one in (*episodes, *(e for pair in near for e in pair))}.values())
    items = _memories(opening, around, wide=wide)[:MOST_MEMORIES]
    opening.open(items)
    quoted = {(one.episode_id, Stretch(one.start, one.end)) for item in items for one in item.evidence}
    lines = [line for line in _lines(opening, around, near) if not _is_quoted(line, quoted)]
    pieces = [Piece(item.version_id, item=item) for item in items]
    return pieces + [Piece(_key(line), line=line) for line in lines[:MOST_LINES]]


def _episodes(opening: Opening) -> list[Episode]:
    found = opening.found()
    ids = [one.episode.id for one in found if one.episode is not None]
    ids += [quote.episode_id for one in found if one.memory is not None for quote in one.memory.evidence]
    return [one for one in opening.open_episodes(ids) if opening.is_allowed(one.seq)]


def _near(opening: Opening, episodes: Sequence[Episode]) -> list[tuple[Episode, Episode]]:
    """The turns beside these, in pairs as they follow each other."""
    told = [one for one in episodes if one.session_id is not None][:_NEAR]
    return [pair for one in told for pair in pairwise(opening.neighbours(one))]


def _memories(opening: Opening, around: Iterable[Episode], *, wide: bool) -> list[MemoryItem]:
    """Those found and those of the relation asked for; `wide`: all of whom it is about, and of these episodes."""
    reads, space_id = opening.reads, opening.view.space_id
    found = [one.seq for one in opening.found() if one.memory is not None]
    stored = dict(reads.items_at(space_id, found))
    if wide:
        quoting = [pair[1] for pair in reads.quoting(space_id, [one.id for one in around])]
        stored |= {one.seq: one for one in reads.items(space_id, list(dict.fromkeys(quoting))).values()}
    known = opening.view.relations
    relations = list(known) if wide else relations_of(opening.asking, known)
    for subject in opening.about.subjects if relations else ():
        related = reads.related(space_id, subject, relations)
        stored |= {one.seq: one for one in related[-_OF_SUBJECT:]}
    items = memory_items(reads, opening.view, stored.values()).values()
    return [one for one in items if _may_tell(opening, one) and not _is_the_assistants(opening, one)]


def _is_the_assistants(opening: Opening, item: MemoryItem) -> bool:
    """Whether only the assistant says it: his words answer what was asked about them, and nothing else."""
    if item.authority is Authority.AUTHORIZED or opening.asking.assistant:
        return False
    said = opening.open_episodes(quote.episode_id for quote in item.evidence)
    return all(one.source.role is Role.ASSISTANT for one in said)


def _may_tell(opening: Opening, item: MemoryItem) -> bool:
    about = opening.about
    if not item.grounded or not item.evidence or is_some_day(item):
        return False
    asked = relations_of(opening.asking, opening.view.relations)
    if asked and item.relation is not None and item.relation not in asked:
        return False
    subjects = {same_form(one) for one in about.subjects}
    told = text_of(" ".join([item.text, *(quote.text for quote in item.evidence)]))
    of_him = not about.asker or same_form(item.subject) in subjects
    return of_him and all(map(told.holds, about.must)) and _names_what_is_his(opening, told)


def _names_what_is_his(opening: Opening, told: Text) -> bool:
    """Whether it speaks of what is asked about as the user's ("my boss"), where that is no relation of his."""
    asked = opening.asking
    if asked.relation is not None or asked.owned.owner != MINE or not asked.owned.things:
        return True
    return any(map(told.holds, content_words(asked.owned.things[0])))


def _lines(
    opening: Opening, episodes: Sequence[Episode], near: Iterable[tuple[Episode, Episode]]
) -> list[Line]:
    talk = opening.talk(episodes)
    lines = [line for episode in episodes for line in talk.lines(episode)]
    if opening.about.asker:
        replies = (talk.reply(*pair) for pair in near)
        lines += [reply for reply in replies if reply is not None]
    lines = [line for line in lines if line.authority > Authority.UNENDORSED and not _is_unreal(line)]
    lines = [line for line in lines if not _is_anothers_turn(line, opening.about.own)]
    lines = [line for line in lines if _names_what_is_his(opening, text_of(_whole(line)))]
    # What frames know of the user is answered from what they took, but for values that can be told by their form.
    known = opening.asking.relation is not None and opening.about.asker
    return [line for line in lines if line.value is not None or line.asked is not None or not known]


def _whole(line: Line) -> str:
    """The sentence, behind the question that it replies to."""
    return line.text if line.asked is None else f"{line.asked.text} {line.text}"


def _is_anothers_turn(line: Line, own: Collection[str]) -> bool:
    """Whether the line says that somebody else has the word."""
    speaker = speaker_of_line(line.text)
    return speaker is not None and not set(map(fold, tokens(speaker))) <= set(own)


def _is_unreal(line: Line) -> bool:
    """Whether it is a joke, a doubt or a condition; that no role is played in it is seen to by `Talk`."""
    said = plain(line.text)
    language = language_of(said)
    return any(has(sign, said, language) for sign in ("irony", "hypothesis", "hedge"))


def _is_quoted(line: Line, quoted: Iterable[tuple[str, Stretch]]) -> bool:
    """Whether a memory quotes the sentence already."""
    return line.asked is None and any(
        line.episode.id == id_ and line.at.start < at.end and at.start < line.at.end for id_, at in quoted
    )


def _key(line: Line) -> str:
    return f"{line.episode.id}:{line.at.start}:{line.at.end}{':reply' if line.asked else ''}"
