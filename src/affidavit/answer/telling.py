"""How what a language model chose is told: in its words where these are exactly what they rest on, else as a quote.

Rules:

1. It may only word memories of the user's own, about now, that nothing contests (`affidavit.text.evidence.carried`
   judges the words). Whatever else is chosen is quoted with its day; what others attest is told as theirs.
2. What is contested is told as a conflict, what may be out of date is marked, what was said since against it is told
   with it: as without a model.
3. Each part passes the same last check as an answer of the rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from affidavit.answer.compose import Draft, cite, marked, of_line, of_memories, stands
from affidavit.answer.findings import Finding, Says
from affidavit.answer.later import doubted
from affidavit.answer.material import Piece
from affidavit.answer.opening import Opening
from affidavit.answer.results import Citation
from affidavit.core.authority import Authority, Role, SpaceKind
from affidavit.core.when import DAY, Basis
from affidavit.read.memories import MemoryItem, conflict_groups
from affidavit.text.evidence.carried import Wording, carried
from affidavit.text.questions.question_words import speech

_QUOTES: Final = 5
"""Quotes of one memory that a sentence may be worded after: the newest."""


class Wish(NamedTuple):
    """What a model wants said, and the keys of what it rests on."""

    text: str
    keys: tuple[str, ...]


class Placed(NamedTuple):
    """A piece, and where it was opened. `now`: the question is about this moment."""

    piece: Piece
    opening: Opening
    names: tuple[str, ...]
    now: bool


def told(wishes: Iterable[Wish], placed: Mapping[str, Placed]) -> list[tuple[int, Draft]]:
    """The parts of an answer, each checked, with the number of its wish; nothing is told twice.

    What a wish names that is not there is left out, and so is a wish that names nothing else.
    """
    parts: list[tuple[int, Draft]] = []
    done, cited = set[str](), set[tuple[str, int, int]]()
    for number, wish in enumerate(wishes):
        here = [placed[key] for key in dict.fromkeys(wish.keys) if key in placed and key not in done]
        done |= {one.piece.key for one in here}
        worded = _worded(wish.text, here)
        for part in [worded] if worded is not None else [part for one in here for part in _quoted(one)]:
            places = {(one.episode_id, one.start, one.end) for one in part.citations}
            parts += [] if places <= cited else [(number, part)]
            cited |= places
    return parts


def _worded(text: str, here: Sequence[Placed]) -> Draft | None:
    """The model's sentence, if it says exactly what these memories say."""
    items = [one.piece.item for one in here if one.piece.item is not None and _may_be_worded(one)]
    if not items or len(items) < len(here) or len({one.opening.view.space_id for one in here}) > 1:
        return None
    opening, names = here[0].opening, here[0].names
    sentence = " ".join(text.split())
    if carried(sentence, [_wordings(item, opening) for item in items], names) is not None:
        return None
    citations = [cite(item, opening.opened.episodes) for item in items]
    known = tuple(one for one in citations if one is not None)
    if len(known) < len(items):
        return None
    quotes = tuple(one.quote for one in known)
    draft = marked(Draft(sentence, quotes, known), speech(opening.asking.language))
    return _checked(draft, Finding(Says.VALUES, tuple(items)), opening)


def _may_be_worded(one: Placed) -> bool:
    item, head = one.piece.item, one.opening.view.head
    own = item is not None and item.authority is Authority.AUTHORIZED and item.claimant is None
    return own and one.now and head.kind is SpaceKind.USER and item is not None and not item.conflicts


def _wordings(item: MemoryItem, opening: Opening) -> list[Wording]:
    """How a memory is known: in the user's own words, and by its text where that is ours, and not a model's."""
    found = [] if item.model is not None else [Wording(text=item.text)]
    for quote in item.evidence[-_QUOTES:]:
        episode = opening.opened.episodes.get(quote.episode_id)
        if episode is None or episode.source.role is not Role.USER or quote.authority < item.authority:
            continue
        said = episode.occurred
        found.append(Wording(text=quote.text, own=True, said_at=said.start, offset=said.offset))
    return found


def _quoted(one: Placed) -> list[Draft]:
    """A piece in its own words."""
    draft, finding = _plain(one)
    checked = None if draft is None else _checked(draft, finding, one.opening)
    return [] if checked is None else [checked]


def _plain(one: Placed) -> tuple[Draft | None, Finding | None]:
    opening, item, line = one.opening, one.piece.item, one.piece.line
    words = speech(opening.asking.language)
    if line is not None:
        draft = of_line(line, opening.asking, words)
        return (draft if line.authority is Authority.ATTESTED else _in_marks(draft.citations, opening)), None
    assert item is not None
    if item.conflicts:
        rivals = _rivals(item, opening)
        if len(rivals) > 1:
            finding = Finding(Says.CONFLICT, rivals)
            return of_memories(finding, opening.asking, opening.opened.episodes, words), finding
    finding = Finding(Says.VALUES, (item,))
    if item.authority is Authority.ATTESTED:
        return of_memories(finding, opening.asking, opening.opened.episodes, words), finding
    citation = cite(item, opening.opened.episodes)
    return (None if citation is None else _in_marks((citation,), opening)), finding


def _rivals(item: MemoryItem, opening: Opening) -> tuple[MemoryItem, ...]:
    groups = conflict_groups(opening.reads, opening.view, [item.version_id], {item.version_id: item})
    members = {one.version_id: one for group in groups for one in group.members if one.grounded}
    opening.open(members.values())
    return tuple(members.values())


def _in_marks(citations: tuple[Citation, ...], opening: Opening) -> Draft:
    """Quotes with the day on which they were said; of a reply the question first."""
    text = " ".join(f"“{one.quote}”" for one in reversed(citations))
    said = citations[0].said_at
    known = said.basis is not Basis.INFERRED and said.width is not None and said.width <= DAY
    day = f" ({said.local_text()[:10]})" if known else ""
    quotes = tuple(one.quote for one in citations)
    return marked(Draft(f"{text}{day}", quotes, citations), speech(opening.asking.language))


def _checked(draft: Draft, finding: Finding | None, opening: Opening) -> Draft | None:
    """The draft with what was said since; None where it does not stand on what was opened."""
    if not stands(draft, opening.opened.episodes):
        return None
    told_since, _ = doubted(opening, draft, finding)
    return told_since if stands(told_since, opening.opened.episodes) else None
