"""The closed list of what can happen to memory.

A change is a frozen value that knows its ledger entry: `fields()` is what the entry shows in clear, `committed()`
what it only commits to (a kind and the values, in the order `docs/spec/ledger-v1.md` lists). What has no change
here can't happen; `affidavit.core.replay` is the inverse. The fields and orders are for ever.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

from affidavit.core.values import EpisodeRow, Owner, committed_episode

ClearValue: TypeAlias = str | int | bool | Sequence[str] | None


class Committed(NamedTuple):
    """What an entry commits to without showing it."""

    kind: str
    values: Sequence[str | int | bytes | None]


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
class Erased:
    """Episodes and actors are gone, with all that was derived from them and their blinds."""

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
    | Erased
    | SpaceErased
    | StoreOpened
    | SpaceListed
    | KeyRotated
)
