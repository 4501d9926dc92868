"""Where a value stands in memories, on whose word, and whether that word still counts."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Final, NamedTuple

from affidavit.core.arguments import ArgumentKind
from affidavit.core.authority import Authority
from affidavit.core.memories import ItemRow, Part, Support
from affidavit.core.roles import MOST_BESIDE, Said, states
from affidavit.core.standing import Holds, Standing, Why, standing_at
from affidavit.core.values import EpisodeRow, Status, spans_of
from affidavit.read.terms import terms_of
from affidavit.store.gate_reads import Wording
from affidavit.store.handing import handed
from affidavit.store.protocol import Reads, Stored
from affidavit.text.evidence.passages import plain, segments, sentence_around
from affidavit.text.evidence.signs import denials, joints, language_of
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import Relation
from affidavit.text.questions.sought import Folded, Sought, fold, holds
from affidavit.text.sentences import stretches
from affidavit.text.spans import SpanKind

_NOT_OWN: Final = {SpanKind.THIRD_PARTY, SpanKind.ECHO}


class Place(NamedTuple):
    """A version in the space that holds it."""

    space_id: str
    version: str


class Word(NamedTuple):
    """The best word that a value, or a statement, rests on: how far it counts, its entry, where it was said.

    `states`: whether it says of the value that it is what the argument takes it for.
    """

    authority: Authority
    seq: int
    source: str | None
    quote: str | None
    states: bool = True


class Wanted(NamedTuple):
    """A value that is looked for, and what an argument takes it for."""

    sought: Sought
    kind: ArgumentKind


class Sighting(NamedTuple):
    """A version that was looked at. `word` is None where nothing that counts says it; `rivals` contest it.

    `denied`: the words in which it holds the value deny it, though nothing marks it as a denial.
    """

    place: Place
    row: ItemRow
    standing: Standing
    word: Word | None
    rivals: tuple[ItemRow, ...]
    denied: bool = False

    @property
    def authority(self) -> Authority:
        """How far it may be relied on."""
        return Authority.UNENDORSED if self.word is None else self.word.authority

    @property
    def current(self) -> bool:
        """Whether it holds now, on a word that counts."""
        return self.standing.holds is Holds.CURRENT and self.word is not None

    @property
    def why(self) -> Why:
        """Why it does not count, where it is not current."""
        return self.standing.why or Why.INVALIDATED

    @property
    def asserted(self) -> bool:
        """Whether it says that something is so."""
        return self.row.certainty == Certainty.ASSERTED and not self.row.negated and not self.denied

    @property
    def states(self) -> bool:
        """Whether it says of the value that it is what the argument takes it for."""
        return self.word is not None and self.word.states

    @property
    def contested(self) -> bool:
        """Whether something that may be relied on as much can't hold beside it."""
        return any(Authority(rival.authority) >= self.authority for rival in self.rivals)


def find_places(
    reads: Reads, space_id: str, sought: Mapping[str, Sought], *, after: int = -1
) -> dict[str, set[Place]]:
    """Where each value stands in what was recorded after an entry of a space: texts, objects, slots, quotes."""
    found: dict[str, set[Place]] = {name: set() for name in sought}
    holding = [pieces for one in sought.values() for pieces in one.pieces]
    for wording in reads.wordings(space_id, holding, after=after):
        texts = [fold(text) for text in (wording.text, wording.quote) if text is not None]
        values = [fold(value) for value in _values(wording)]
        for name, one in sought.items():
            if any(map(one.is_value, values)) or any(_stands_in(one, text) for text in texts):
                found[name].add(Place(space_id, wording.version))
    return found


def _stands_in(one: Sought, text: Folded) -> bool:
    return any(holds(text.folded, pieces) for pieces in one.pieces) and one.stands_in(text)


def _values(wording: Wording) -> list[str]:
    slots = [] if wording.slots == "[]" else [slot[1] for slot in json.loads(wording.slots)]
    return slots if wording.object is None else [wording.object, *slots]


class Tracer:
    """Looks at versions, from one consistent state, about one instant."""

    def __init__(self, reads: Reads, relations: Mapping[str, Relation], now: int) -> None:
        self._reads = reads
        self._relations = relations
        self._now = now

    def versions(self, space_id: str, memory_id: str) -> list[str]:
        """The ids of the version that an id means (the one that holds, else the last); none where it is not there."""
        if "@" in memory_id:
            return list(self._reads.items(space_id, [memory_id]))
        rows = [stored.row for stored in self._reads.versions(space_id, memory_id)]
        terms = terms_of(self._reads, space_id, rows, self._relations)
        holding = [row for row in rows if standing_at(terms[row.id], self._now).holds is Holds.CURRENT]
        return [row.id for row in (holding or rows)[-1:]]

    def look(self, places: Iterable[Place], wanted: Wanted | None = None) -> list[Sighting]:
        """These versions as they stand, with the best word for a value (None: for the statement itself)."""
        by_space: dict[str, list[str]] = {}
        for place in sorted(places):
            by_space.setdefault(place.space_id, []).append(place.version)
        return [one for space_id, ids in by_space.items() for one in self._look(space_id, ids, wanted)]

    def _look(self, space_id: str, ids: Sequence[str], wanted: Wanted | None) -> list[Sighting]:
        rows = {one: stored.row for one, stored in self._reads.items(space_id, ids).items()}
        terms = terms_of(self._reads, space_id, rows.values(), self._relations)
        supports = self._reads.supports(space_id, list(rows))
        sources = {part.source for held in supports.values() for support in held for part in support.parts}
        episodes = self._reads.episodes(space_id, [one for one in sources if "@" not in one])
        parents = self._reads.items(space_id, [one for one in sources if "@" in one])
        given = handed(self._reads, space_id, episodes.values())
        weighing = _Weighing(episodes, {one: stored.row for one, stored in parents.items()}, given, wanted)
        rivals = self._rivals(space_id, list(rows))
        return [
            Sighting(
                Place(space_id, one),
                row,
                standing_at(terms[one], self._now),
                weighing.best(row, supports.get(one, ())),
                rivals.get(one, ()),
                wanted is not None and _denies(row, wanted.sought),
            )
            for one, row in rows.items()
        ]

    def _rivals(self, space_id: str, ids: Sequence[str]) -> dict[str, tuple[ItemRow, ...]]:
        wanted = set(ids)
        conflicts = [one for one in self._reads.conflicts(space_id) if not wanted.isdisjoint(one.members)]
        members = self._reads.items(space_id, list({m for one in conflicts for m in one.members}))
        found: dict[str, tuple[ItemRow, ...]] = {}
        for conflict in conflicts:
            for member in wanted.intersection(conflict.members):
                others = (members[one].row for one in conflict.members if one != member and one in members)
                found[member] = (*found.get(member, ()), *others)
        return found

    def fell_at(self, sighting: Sighting) -> int:
        """The number of the entry that told that a version counts no more."""
        row, (space_id, version) = sighting.row, sighting.place
        if row.closed_seq is not None and sighting.standing.holds is not Holds.FENCED:
            return row.closed_seq
        born = self._reads.items(space_id, [version])[version].seq
        target = f'"target":"{version}"'.encode()
        told = [seq for seq, body in self._reads.entries(space_id, born) if target in body]
        return max(told, default=born)


def _denies(row: ItemRow, sought: Sought) -> bool:
    """Whether the user's own statement that is kept as he said it denies wherever it holds a value."""
    if row.relation is not None or row.authority != Authority.AUTHORIZED:
        return False
    text = plain(row.text)
    language = language_of(text)
    parts = [text[start:end] for start, end in segments(text, joints(language))]
    holding = [part for part in parts if sought.stands_in(fold(part))] or [text]
    return all(denials(part, language) for part in holding)


class _Weighing:
    """Finds the best word among the supports of a version."""

    def __init__(
        self,
        episodes: Mapping[str, Stored],
        parents: Mapping[str, ItemRow],
        handed: Mapping[str, int],
        wanted: Wanted | None,
    ) -> None:
        self._episodes = episodes
        self._parents = parents
        self._handed = handed
        self._wanted = wanted

    def best(self, row: ItemRow, supports: Iterable[Support]) -> Word | None:
        """The best word that counts; None where there is none."""
        live = [support for support in supports if support.removed is None and not self._kept_apart(support)]
        words = [word for support in live for word in self._words(row, support)]
        if not words and self._wanted is not None:
            # The statement says it, and its quotes as they count now don't: only who filled the slot can tell.
            said_once = any(self._words(row, support) for support in supports)
            words = [] if said_once else [self._unquoted(row, support, self._wanted) for support in live]
        return max(words, key=lambda word: (word.authority.rank, word.states, word.seq), default=None)

    def _kept_apart(self, support: Support) -> bool:
        stored = [self._episodes[part.source] for part in support.parts if part.source in self._episodes]
        return any(one.row.status == Status.QUARANTINED for one in stored)

    def _words(self, row: ItemRow, support: Support) -> list[Word]:
        """The parts of a support that say it; every part is needed, so none says it better than the least of them."""
        authority = min([support.authority, *map(self._authority, support.parts)])
        return [
            Word(authority, support.seq, part.source, part.quote, self._states(row, part))
            for part in support.parts
            if self._wanted is None or self._wanted.sought.within(fold(self._text(part)))
        ]

    def _states(self, row: ItemRow, part: Part) -> bool:
        if self._wanted is None:
            return True
        given_out = (part.start or 0) < self._handed.get(part.source, 0)
        return not given_out and self._tells(row, [part], self._wanted)

    def _tells(self, row: ItemRow, parts: Sequence[Part], wanted: Wanted) -> bool:
        """Whether these parts say plainly of the value that it is what the argument takes it for."""
        said, beside = zip(*map(self._sentence, parts), strict=True)
        return states(wanted.kind, wanted.sought, _said(row, " ".join(said), [*chain(*beside)]))

    def _text(self, part: Part) -> str:
        if part.quote is not None:
            return part.quote
        parent = self._parents.get(part.source)
        return "" if parent is None else parent.text

    def _sentence(self, part: Part) -> tuple[str, list[str]]:
        """The sentence that a part was quoted from, and the others of its message that are its speaker's own.

        What stands before a quote, or behind it, may turn it.
        """
        stored = self._episodes.get(part.source)
        if stored is None or part.start is None or part.end is None:
            return self._text(part), []
        text = stored.row.text
        start, end = sentence_around(text, part.start, part.end)
        behind = ((end + first, end + last) for first, last in stretches(text[end:]))
        own = (one for one in chain(stretches(text[:start]), behind) if not is_foreign(stored.row, *one))
        return text[start:end], [text[slice(*one)] for one in islice(own, MOST_BESIDE + 1)]

    def _authority(self, part: Part) -> Authority:
        """Of whom the words of a part are; what touches another's words inside a message is that other's."""
        stored = self._episodes.get(part.source)
        if stored is None:
            parent = self._parents.get(part.source)
            return Authority.UNENDORSED if parent is None else Authority(parent.authority)
        foreign = is_foreign(stored.row, part.start or 0, part.end or 0)
        return Authority.UNENDORSED if foreign else Authority(stored.row.authority)

    def _unquoted(self, row: ItemRow, support: Support, wanted: Wanted) -> Word:
        stated = self._tells(row, support.parts, wanted)
        for _, value, source, authority in json.loads(row.slots):
            if wanted.sought.is_value(fold(value)):
                return Word(min(support.authority, Authority(authority)), support.seq, source, None, stated)
        return Word(Authority.UNENDORSED, support.seq, None, None, stated)


def is_foreign(row: EpisodeRow, start: int, end: int) -> bool:
    """Whether a stretch of an episode touches another's words, or ours."""
    return any(span.kind in _NOT_OWN and span.start < end and start < span.end for span in spans_of(row))


def _said(row: ItemRow, sentence: str, beside: Sequence[str]) -> Said:
    slots = [(name, value) for name, value, *_ in json.loads(row.slots)]
    return Said(row.relation, row.object, slots, sentence, beside)
