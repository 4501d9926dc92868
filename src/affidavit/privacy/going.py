"""What goes when episodes are erased: supports, versions, conflicts; and what becomes of those that stay.

Found and carried out under the space's lock. Rules:

1. A support goes with any part of it.
2. A version goes when none of its supports counts any more; so does what rests on it. With other supports left it
   stays, with the authority of those, and is made anew where its wording came from what goes (`remaking`).
3. A conflict goes with any of its members.
4. What a version that goes had closed is open again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from affidavit.core.authority import Authority
from affidavit.core.book import Book, Held
from affidavit.core.changes import Change
from affidavit.core.falling import reopen
from affidavit.core.memories import USER, Conflict, ItemRow, Support, support_id
from affidavit.privacy.remaking import carrier_of, made_anew, strongest
from affidavit.store.protocol import Stored, View
from affidavit.text.lang.relations import Relation


@dataclass(slots=True)
class Going:
    """What goes with some episodes. `changes` are those of what stays, to be made before the erasure itself."""

    versions: list[Held] = field(default_factory=list)
    """Those that go, none before what rests on it."""
    touched: list[Held] = field(default_factory=list)
    """Those that lose a support and stay as they are."""
    lost: dict[str, set[int]] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    @property
    def targets(self) -> Iterator[str]:
        """What the erasure names beside the episodes, in an order in which at no point anything rests on nothing."""
        yield from (conflict.id for conflict in self.conflicts)
        yield from (held.id for held in self.versions)
        for held in self.touched:
            yield from (support_id(held.id, number) for number in sorted(self.lost[held.id]))

    @property
    def memories(self) -> set[str]:
        """The memories of which anything goes."""
        return {held.row.memory_id for held in (*self.versions, *self.touched)}

    def texts(self) -> Iterator[str | bytes]:
        """Every text that must be nowhere any more."""
        for held in self.versions:
            yield from item_texts(held.row)
            yield from quotes_of(held.supports)
        for held in self.touched:
            yield from quotes_of(s for s in held.supports if s.number in self.lost[held.id])
        yield from (conflict.subject for conflict in self.conflicts if conflict.subject != USER)


def item_texts(row: ItemRow) -> Iterator[str | bytes]:
    """What of a version's row came from what was said."""
    texts = (row.text, row.object, row.qualifier, row.claimant, row.time_text)
    yield from (text for text in texts if text)
    yield from (text for text in (row.slots, row.metadata) if len(text) > 2)
    if row.subject != USER:
        yield row.subject
    yield row.terms


def quotes_of(supports: Sequence[Support] | Iterator[Support]) -> Iterator[str]:
    """The quotes of supports."""
    return (part.quote for support in supports for part in support.parts if part.quote)


def going_with(view: View, episodes: Sequence[Stored], relations: Mapping[str, Relation]) -> Going:
    """What goes with these episodes."""
    return _Reckoning(view, relations).run([stored.row.id for stored in episodes])


class _Reckoning:
    """One finding out, under the lock."""

    def __init__(self, view: View, relations: Mapping[str, Relation]) -> None:
        self._view = view
        self._relations = relations
        self._book = Book(view)
        self._going = Going()
        self._gone: dict[str, Held] = {}
        """The versions that go, as they were found."""

    def run(self, episodes: Sequence[str]) -> Going:
        going, book = self._going, self._book
        self._spread(episodes)
        going.versions = _dependents_first(self._gone)
        going.touched = [held for held in book.items(list(going.lost)) if held.id not in self._gone]
        going.conflicts = self._conflicts()
        old = {held.id: held.row for held in going.versions}
        for held in going.versions:
            book.leave_out(held)
        weakened = [held.id for held in going.touched if self._weaken(held)]
        remade = self._make_anew(old)
        reopen(book, list(old), weakened=weakened, relations=self._relations)
        self._contest_again(remade)
        going.changes = book.changes
        return going

    def _spread(self, episodes: Sequence[str]) -> None:
        """From what goes to what rests on it, until nothing more does."""
        gone = set(episodes)
        batch: Sequence[str] = episodes
        while batch:
            more = []
            for held in self._book.items(self._view.resting(self._view.space_id, batch)):
                numbers = {s.number for s in held.supports if not gone.isdisjoint(s.sources)}
                self._going.lost[held.id] = numbers
                if held.id not in self._gone and (1 in numbers or not self._left(held)):
                    self._gone[held.id] = held
                    more.append(held.id)
            gone.update(more)
            batch = more

    def _left(self, held: Held) -> list[Support]:
        """Its supports that count and stay."""
        lost = self._going.lost[held.id]
        return [s for s in held.supports if s.removed is None and s.number not in lost]

    def _conflicts(self) -> list[Conflict]:
        every = self._view.conflicts(self._view.space_id, open_only=False) if self._gone else []
        return [conflict for conflict in every if not self._gone.keys().isdisjoint(conflict.members)]

    def _weaken(self, held: Held) -> bool:
        """Leave a version to the supports it has left; whether it has less authority by that."""
        before, supports = held.authority, held.supports
        held.supports = tuple(s for s in supports if s.number not in self._going.lost[held.id])
        self._book.settle(held)
        weaker = held.authority < before
        held.supports = supports
        return weaker

    def _make_anew(self, old: Mapping[str, ItemRow]) -> dict[str, Held]:
        """A new version in place of each that goes and is still carried by something, by the old one's id."""
        wanted = {held.id: left for held in self._gone.values() if (left := self._left(held))}
        sources = list(dict.fromkeys(one for left in wanted.values() for s in left for one in s.sources))
        if not sources:
            return {}
        episodes = {one: s.row for one, s in self._view.episodes(self._view.space_id, sources).items()}
        parents = {held.id: held.row for held in self._book.items([one for one in sources if "@" in one])}
        actors = self._view.actors(self._view.space_id)
        ceilings = {one: Authority(row.authority) for one, row in episodes.items()}
        ceilings |= {one: Authority(row.authority) for one, row in parents.items()}
        remade = {}
        for version, left in wanted.items():
            carrier = carrier_of(strongest(left), episodes, parents, actors)
            row = made_anew(old[version], carrier)
            if row is not None:
                remade[version] = self._add(row, old[version], carrier.support, left, ceilings)
        return remade

    def _add(
        self,
        row: ItemRow,
        old: ItemRow,
        first: Support,
        left: Sequence[Support],
        ceilings: Mapping[str, Authority],
    ) -> Held:
        """The new version with all that carries it, closed as the old one was."""

        def ceiling(support: Support) -> Authority:
            return min(support.authority, *(ceilings[one] for one in support.sources))

        row = row._replace(version=self._book.next_version(old.memory_id))
        new = self._book.add(row, ceiling(first), first.parts)
        for support in left:
            if support is not first:
                self._book.support(new, ceiling(support), support.parts)
        if old.closed_at is not None:
            self._book.close(new, old.closed_end, old.closed_by)
        return new

    def _contest_again(self, remade: Mapping[str, Held]) -> None:
        """Conflicts that were open between what stays, under the ids it has now."""
        for conflict in self._going.conflicts:
            ids = [remade[one].id if one in remade else one for one in conflict.members]
            members = [held for held in self._book.items(ids) if held.live]
            if conflict.resolved_at is None and len(members) == len(ids) == 2:
                self._book.conflict(*members)


def _dependents_first(gone: Mapping[str, Held]) -> list[Held]:
    """These versions in an order in which what rests on another comes before it."""
    waiting = {
        one: {source for s in held.supports for source in s.sources if source in gone}
        for one, held in gone.items()
    }
    resting: dict[str, int] = dict.fromkeys(gone, 0)
    for sources in waiting.values():
        for source in sources:
            resting[source] += 1
    free = [one for one, count in resting.items() if not count]
    ordered: dict[str, Held] = {}
    while free:
        one = free.pop()
        ordered[one] = gone[one]
        for source in waiting[one]:
            resting[source] -= 1
            if not resting[source]:
                free.append(source)
    return [*ordered.values(), *(held for one, held in gone.items() if one not in ordered)]
