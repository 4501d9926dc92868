"""The closed list of what can happen to memory.

A change is a frozen value that knows its ledger entry: `fields()` is what the entry shows in clear, `committed()`
what it only commits to (a kind and the values, in the order `docs/spec/ledger-v1.md` lists). What has no change
here can't happen; `affidavit.core.replay` is the inverse. The fields and orders are for ever.
"""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from affidavit.core.committed import ClearValue, Committed
from affidavit.core.gate_changes import Confirmed, Decided, PermitEnded, PermitGranted
from affidavit.core.memories import ItemRow, Part, committed_item, committed_support, version_id
from affidavit.core.values import EpisodeRow, Owner, committed_episode


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceOpened:
    """A space is born; always the first entry of its log."""

    op: ClassVar[str] = "SpaceOpened"
    space_id: str
    owner: Owner

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.space_id}

    def committed(self) -> Committed:
        return Committed("space", [str(self.owner.kind), self.owner.name])


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorAdded:
    """A contributor gets a random reference inside the space; `who` stands only in the actor's row."""

    op: ClassVar[str] = "ActorAdded"
    ref: str
    who: str

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.ref}

    def committed(self) -> Committed:
        return Committed("actor", [self.who])


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeStored:
    """Raw input is kept."""

    op: ClassVar[str] = "EpisodeStored"
    row: EpisodeRow
    pending: tuple[str, ...] = ()
    """Jobs this episode waits for (`extract`, `embed`); they are not memory and not in the entry."""

    def fields(self) -> dict[str, ClearValue]:
        row = self.row
        return {"actor": row.actor, "authority": row.authority, "status": row.status, "target": row.id}

    def committed(self) -> Committed:
        return Committed("episode", committed_episode(self.row))


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """An episode got a vector (little-endian float32), or another one in place of it."""

    op: ClassVar[str] = "Embedded"
    target: str
    model: str
    dimensions: int
    vector: bytes

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.target}

    def committed(self) -> Committed:
        return Committed("embedding", [self.model, self.dimensions, self.vector])


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemAdded:
    """A version of a memory is born, the first or a further one."""

    op: ClassVar[str] = "ItemAdded"
    row: ItemRow

    def fields(self) -> dict[str, ClearValue]:
        row = self.row
        return {"actor": row.actor, "authority": row.authority, "status": row.status, "target": row.id}

    def committed(self) -> Committed:
        return Committed("item", committed_item(self.row))


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportAdded:
    """A version stands on one support more: quotes of episodes, or other versions."""

    op: ClassVar[str] = "SupportAdded"
    memory_id: str
    version: int
    number: int
    authority: str
    parts: tuple[Part, ...]

    def fields(self) -> dict[str, ClearValue]:
        return {
            "authority": self.authority,
            "sources": tuple(dict.fromkeys(part.source for part in self.parts)),
            "support": self.number,
            "target": version_id(self.memory_id, self.version),
        }

    def committed(self) -> Committed:
        return Committed("support", committed_support(self.parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportRemoved:
    """A support counts no more; what it quotes is still there."""

    op: ClassVar[str] = "SupportRemoved"
    memory_id: str
    version: int
    number: int
    reason: str

    def fields(self) -> dict[str, ClearValue]:
        return {
            "reason": self.reason,
            "support": self.number,
            "target": version_id(self.memory_id, self.version),
        }

    def committed(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemClosed:
    """A version ceases to hold at `end` (UTC microseconds; None: nobody knows when); `by` names what took its place."""

    op: ClassVar[str] = "ItemClosed"
    memory_id: str
    version: int
    end: int | None
    by: str | None = None

    def fields(self) -> dict[str, ClearValue]:
        return {"by": self.by, "target": version_id(self.memory_id, self.version)}

    def committed(self) -> Committed:
        return Committed("closing", [self.end])


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusSet:
    """A version, or an episode, has another authority or status from here on."""

    op: ClassVar[str] = "StatusSet"
    target: str
    authority: str
    status: str
    reason: str

    def fields(self) -> dict[str, ClearValue]:
        return {
            "authority": self.authority,
            "reason": self.reason,
            "status": self.status,
            "target": self.target,
        }

    def committed(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictOpened:
    """Live versions cannot both hold, and no rule may settle it."""

    op: ClassVar[str] = "ConflictOpened"
    id: str
    members: tuple[str, ...]
    subject: str
    relation: str | None

    def fields(self) -> dict[str, ClearValue]:
        return {"members": self.members, "target": self.id}

    def committed(self) -> Committed:
        return Committed("conflict", [self.subject, self.relation])


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictResolved:
    """A person, or what was said since, settled it; `kept` is the version that holds, if one does."""

    op: ClassVar[str] = "ConflictResolved"
    id: str
    kept: str | None

    def fields(self) -> dict[str, ClearValue]:
        return {"kept": self.kept, "target": self.id}

    def committed(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRevoked:
    """Nothing that comes from this source counts any more, whatever comes of it later either."""

    op: ClassVar[str] = "SourceRevoked"
    id: str
    source_id: str

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.id}

    def committed(self) -> Committed:
        return Committed("source", [self.source_id])


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """Episodes, actors, versions of memories, supports and conflicts are gone, with what hangs on them."""

    op: ClassVar[str] = "Erased"
    targets: tuple[str, ...]

    def fields(self) -> dict[str, ClearValue]:
        return {"targets": self.targets}

    def committed(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceErased:
    """A whole space is gone; of its log only this entry and the signed head stay."""

    op: ClassVar[str] = "SpaceErased"
    space_id: str
    episodes: int

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.space_id, "episodes": self.episodes}

    def committed(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOpened:
    """A store is born; always the first entry of the directory. `signing` is `commit` or `seal`."""

    op: ClassVar[str] = "StoreOpened"
    store_id: str
    signing: str

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.store_id, "signing": self.signing}

    def committed(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceListed:
    """The directory's leaf about one space: at its birth, at a seal, at its erasure."""

    op: ClassVar[str] = "SpaceListed"
    space_id: str
    size: int
    root: str
    reason: str

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.space_id, "size": self.size, "root": self.root, "reason": self.reason}

    def committed(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRotated:
    """Another key signs from here on. `by_old` is None where the old key is lost."""

    op: ClassVar[str] = "KeyRotated"
    old: str | None
    new: str
    by_old: str | None
    by_new: str

    def fields(self) -> dict[str, ClearValue]:
        return {"old": self.old, "new": self.new, "by_old": self.by_old, "by_new": self.by_new}

    def committed(self) -> None:
        return None


Change: TypeAlias = (
    SpaceOpened
    | ActorAdded
    | EpisodeStored
    | Embedded
    | ItemAdded
    | SupportAdded
    | SupportRemoved
    | ItemClosed
    | StatusSet
    | ConflictOpened
    | ConflictResolved
    | SourceRevoked
    | PermitGranted
    | PermitEnded
    | Decided
    | Confirmed
    | Erased
    | SpaceErased
    | StoreOpened
    | SpaceListed
    | KeyRotated
)
