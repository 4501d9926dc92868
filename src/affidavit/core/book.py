"""A working copy of the memories that a commit may touch: what is known, and the changes made to it so far.

Every change goes through here, so that the next candidate of the same commit sees what the one before it did.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from affidavit.core.authority import Authority
from affidavit.core.changes import (
    Change,
    ConflictOpened,
    ConflictResolved,
    ItemAdded,
    ItemClosed,
    StatusSet,
    SupportAdded,
    SupportRemoved,
)
from affidavit.core.ids import CONFLICT
from affidavit.core.memories import Conflict, ItemRow, MemoryStatus, Part, Reason, Support
from affidavit.core.supports import authority_of_memory
from affidavit.core.values import EpisodeRow
from affidavit.text.evidence.likeness import same_form


class Known(Protocol):
    """What is known under the lock; `affidavit.store.protocol.View` answers it."""

    @property
    def space_id(self) -> str:
        """The space that is locked."""
        ...

    @property
    def now(self) -> int:
        """The instant of the commit, UTC microseconds."""
        ...

    def new_id(self, prefix: str) -> str:
        """A fresh id."""
        ...

    def objects(
        self, space_id: str, subject: str, relations: Sequence[str]
    ) -> Sequence[tuple[str, str | None]]:
        """The id and the object of every version about a subject under these relations, in log order."""
        ...

    def matching(self, space_id: str, match_keys: Sequence[int]) -> "Sequence[_Stored]":
        """Every version with one of these match keys, in log order."""
        ...

    def items(self, space_id: str, ids: Sequence[str]) -> "Mapping[str, _Stored]":
        """The versions with these ids."""
        ...

    def versions(self, space_id: str, memory_id: str) -> "Sequence[_Stored]":
        """Every version of a memory."""
        ...

    def supports(self, space_id: str, versions: Sequence[str]) -> Mapping[str, tuple[Support, ...]]:
        """The supports of versions."""
        ...

    def resting(self, space_id: str, sources: Sequence[str]) -> Sequence[str]:
        """The versions with a support that rests on one of these episodes or versions."""
        ...

    def closed_by(self, space_id: str, versions: Sequence[str]) -> Mapping[str, str]:
        """The versions that one of these closed: the id of each to the id of what closed it."""
        ...

    def conflicts(self, space_id: str, *, open_only: bool = True) -> Sequence[Conflict]:
        """The conflicts of a space."""
        ...

    def episodes(self, space_id: str, ids: Sequence[str]) -> "Mapping[str, _Episode]":
        """The episodes with these ids, those that are there."""
        ...

    def last_number(self, space_id: str, target: str) -> int:
        """The highest number that a memory's versions (or a version's supports) ever had, erased ones too."""
        ...


class _Stored(Protocol):
    @property
    def seq(self) -> int: ...
    @property
    def row(self) -> ItemRow: ...


class _Episode(Protocol):
    @property
    def row(self) -> EpisodeRow: ...


_NEW = 1 << 62
"""What is made in this commit comes after all that is stored."""


@dataclass(slots=True)
class Held:
    """One version as it is after the changes made so far."""

    row: ItemRow
    supports: tuple[Support, ...]
    order: int
    """Grows in the order in which versions are recorded."""

    @property
    def id(self) -> str:
        """The version's id."""
        return self.row.id

    @property
    def authority(self) -> Authority:
        """How far it may be relied on."""
        return Authority(self.row.authority)

    @property
    def live(self) -> bool:
        """Whether it is believed, now or later."""
        return self.row.status == MemoryStatus.ACTIVE


class Book:
    """The working copy."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.changes: list[Change] = []
        self.weakened: dict[str, None] = {}
        """The versions that have less authority than before."""
        self._held: dict[str, Held] = {}
        self._born: list[Held] = []
        self._listed: dict[tuple[str, tuple[str, ...]], dict[str, list[str]]] = {}
        self._said: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._conflicts: dict[str, tuple[str, ...]] | None = None

    # -- reading

    def related(
        self, subject: str, relations: Sequence[str], objects: Collection[str] | None = None
    ) -> list[Held]:
        """Every version about a subject under these relations, oldest first; of `objects` alone, where given."""
        key = subject, tuple(relations)
        if key not in self._listed:
            listed = self._listed[key] = dict[str, list[str]]()
            for version, value in self.known.objects(self.known.space_id, subject, relations):
                listed.setdefault(same_form(value or ""), []).append(version)
        listed = self._listed[key]
        wanted = listed if objects is None else {same_form(value) for value in objects} & listed.keys()
        found = self.items([version for form in wanted for version in listed[form]])
        return sorted(found, key=lambda held: held.order)

    def matching(self, match_key: int) -> list[Held]:
        """Every version with this match key, oldest first."""
        found = {held.id: held for held in self._take(self.known.matching(self.known.space_id, [match_key]))}
        return [*found.values(), *(held for held in self._born if held.row.match_key == match_key)]

    def items(self, ids: Sequence[str]) -> list[Held]:
        """The versions with these ids, those that are there."""
        missing = [one for one in ids if one not in self._held]
        self._take(list(self.known.items(self.known.space_id, missing).values()))
        return [self._held[one] for one in ids if one in self._held]

    def versions(self, memory_id: str) -> list[Held]:
        """Every version of a memory, by number."""
        self._take(self.known.versions(self.known.space_id, memory_id))
        return sorted(
            (held for held in self._held.values() if held.row.memory_id == memory_id),
            key=lambda held: held.row.version,
        )

    def next_version(self, memory_id: str) -> int:
        """The number that the next version of a memory gets: one that no version of it ever had."""
        return self._last(memory_id) + 1

    def _last(self, target: str) -> int:
        if target not in self._numbers:
            self._numbers[target] = self.known.last_number(self.known.space_id, target)
        return self._numbers[target]

    def _take(self, stored: "Sequence[_Stored]") -> list[Held]:
        new = [one for one in stored if one.row.id not in self._held]
        if new:
            supports = self.known.supports(self.known.space_id, [one.row.id for one in new])
            for one in new:
                self._held[one.row.id] = Held(one.row, supports.get(one.row.id, ()), one.seq)
        return [self._held[one.row.id] for one in stored]

    def said(self, held: Held) -> list[tuple[int, Support]]:
        """When the quotes of its supports that count were said (UTC microseconds), of those that quote anything."""
        quotes = {
            s.number: [one for one in s.sources if "@" not in one] for s in held.supports if not s.removed
        }
        missing = [one for some in quotes.values() for one in some if one not in self._said]
        for episode_id, stored in self.known.episodes(self.known.space_id, missing).items():
            row = stored.row
            self._said[episode_id] = row.recorded_at if row.occurred_start is None else row.occurred_start
        times = {
            number: [self._said[one] for one in some if one in self._said] for number, some in quotes.items()
        }
        return [(max(times[s.number]), s) for s in held.supports if times.get(s.number)]

    def leave_out(self, held: Held) -> None:
        """Reckon without a version from here on: it is erased in this commit. Nothing is changed by that."""
        held.row = held.row._replace(status=MemoryStatus.INVALIDATED)
        for conflict_id, members in list(self._open().items()):
            if held.id in members:
                del self._open()[conflict_id]

    # -- changing

    def add(self, row: ItemRow, authority: Authority, parts: tuple[Part, ...]) -> Held:
        """A version is born, with the support it stands on."""
        row = row._replace(authority=authority, recorded_at=self.known.now)
        held = self._held[row.id] = Held(row, (), _NEW + len(self.changes))
        self._born.append(held)
        for (subject, relations), listed in self._listed.items():
            if subject == row.subject and row.relation in relations:
                listed.setdefault(same_form(row.object or ""), []).append(row.id)
        self._numbers |= {row.memory_id: row.version, row.id: 0}
        self.changes.append(ItemAdded(row=row))
        self._support(held, authority, parts)
        return held

    def support(self, held: Held, authority: Authority, parts: tuple[Part, ...]) -> None:
        """A version gets one support more; its authority rises where that one is higher."""
        self._support(held, authority, parts)
        if authority > held.authority:
            self.label(held, Reason.SUPPORTED, authority=authority)

    def _support(self, held: Held, authority: Authority, parts: tuple[Part, ...]) -> None:
        number = self._numbers[held.id] = self._last(held.id) + 1
        held.supports = (*held.supports, Support(number, authority, parts, -1))
        self.changes.append(
            SupportAdded(
                memory_id=held.row.memory_id,
                version=held.row.version,
                number=number,
                authority=authority,
                parts=parts,
            )
        )

    def unsupport(self, held: Held, number: int, reason: Reason = Reason.REVOKED) -> None:
        """A support counts no more: its source was revoked, or deriving again no longer finds it."""
        held.supports = tuple(
            support._replace(removed=reason) if support.number == number else support
            for support in held.supports
        )
        self.changes.append(
            SupportRemoved(
                memory_id=held.row.memory_id,
                version=held.row.version,
                number=number,
                reason=reason,
            )
        )

    def settle(self, held: Held, reason: Reason = Reason.REVOKED) -> None:
        """Give a version the authority that its supports give it; with none left it is invalidated, for `reason`."""
        left = authority_of_memory(held.supports)
        if left is None:
            self.label(held, reason, authority=Authority.UNENDORSED, status=MemoryStatus.INVALIDATED)
        elif left != held.authority:
            self.label(held, Reason.WEAKENED, authority=left)
            self.weakened[held.id] = None
            self._weaken_resting(held)

    def _weaken_resting(self, parent: Held) -> None:
        """What rests on it has no more authority than it has: a support with more gives place to one with as much."""
        ids = [*self.known.resting(self.known.space_id, [parent.id]), *self._held]
        for held in self.items(list(dict.fromkeys(ids))):
            high = [s for s in held.supports if s.removed is None and parent.id in s.sources]
            for support in [s for s in high if s.authority > parent.authority]:
                self.unsupport(held, support.number, Reason.WEAKENED)
                self._support(held, parent.authority, support.parts)
                self.settle(held)

    def close(self, held: Held, end: int | None, by: str | None) -> None:
        """A version ceases to hold at `end`."""
        held.row = held.row._replace(closed_end=end, closed_at=self.known.now, closed_by=by)
        self.changes.append(
            ItemClosed(memory_id=held.row.memory_id, version=held.row.version, end=end, by=by)
        )

    def label(
        self,
        held: Held,
        reason: Reason,
        *,
        authority: Authority | None = None,
        status: MemoryStatus | None = None,
    ) -> None:
        """A version has another authority or status."""
        held.row = held.row._replace(
            authority=authority or held.row.authority, status=status or held.row.status
        )
        self.changes.append(
            StatusSet(target=held.id, authority=held.row.authority, status=held.row.status, reason=reason)
        )

    def conflict(self, one: Held, other: Held) -> str:
        """Two live versions cannot both hold; the conflict's id, an open one where it is of the same two."""
        members = tuple(sorted((one.id, other.id)))
        for conflict_id, held in self._open().items():
            if held == members:
                return conflict_id
        conflict_id = self.known.new_id(CONFLICT)
        self._open()[conflict_id] = members
        self.changes.append(
            ConflictOpened(
                id=conflict_id, members=members, subject=one.row.subject, relation=one.row.relation
            )
        )
        return conflict_id

    def resolve(self, held: Held, kept: str | None = None) -> None:
        """The open conflicts of a version are settled: it holds no more, or `kept` does."""
        for conflict_id, members in list(self._open().items()):
            if held.id in members:
                del self._open()[conflict_id]
                self.changes.append(ConflictResolved(id=conflict_id, kept=kept if kept in members else None))

    def decide(self, conflict_id: str, kept: str) -> None:
        """An open conflict is settled for one of its members."""
        if self._open().pop(conflict_id, None) is not None:
            self.changes.append(ConflictResolved(id=conflict_id, kept=kept))

    def conflicts_of(self, held: Held) -> tuple[str, ...]:
        """The open conflicts of a version."""
        return tuple(conflict_id for conflict_id, members in self._open().items() if held.id in members)

    def _open(self) -> dict[str, tuple[str, ...]]:
        if self._conflicts is None:
            self._conflicts = {
                conflict.id: tuple(sorted(conflict.members))
                for conflict in self.known.conflicts(self.known.space_id)
            }
        return self._conflicts
