"""What a space's tables must hold after its entries: the state that `replay` builds. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Live:
    """What the log says of one living thing: where it was born, its commitment, and its clear fields."""

    seq: int
    commit: str
    at: str
    actor: str = ""
    authority: str = ""
    status: str = ""


@dataclass(slots=True)
class LiveSupport:
    """What the log says of one support of a version."""

    seq: int
    commit: str
    at: str
    authority: str
    sources: tuple[str, ...]
    removed: str | None = None


@dataclass(slots=True)
class LiveItem(Live):
    """What the log says of one version of a memory. `past`: it was born before the mark, and little is known."""

    supports: dict[int, LiveSupport] = field(default_factory=dict)
    numbers: int = 0
    """The highest number a support had."""
    closing: Live | None = None
    closed_by: str | None = None
    past: bool = False


@dataclass(slots=True)
class LiveConflict(Live):
    """What the log says of one conflict."""

    members: tuple[str, ...] = ()
    resolved_at: str | None = None
    kept: str | None = None
    past: bool = False


@dataclass(slots=True)
class LivePermit(Live):
    """What the log says of one permit. `past`: it was born before the mark."""

    ended_at: str | None = None
    past: bool = False


@dataclass(slots=True)
class LiveDecision(Live):
    """What the log says of one decision. `past`: it was born before the mark."""

    outcome: str = ""
    confirmed_at: str | None = None
    past: bool = False


@dataclass(slots=True)
class State:
    """What a space's tables must hold after its entries."""

    size: int = 0
    opened: Live | None = None
    space_id: str = ""
    actors: dict[str, Live] = field(default_factory=dict)
    episodes: dict[str, Live] = field(default_factory=dict)
    embeddings: dict[str, Live] = field(default_factory=dict)
    items: dict[str, LiveItem] = field(default_factory=dict)
    """By version id, `mem_…@2`."""
    versions: dict[str, int] = field(default_factory=dict)
    """The highest number a version of each memory had."""
    conflicts: dict[str, LiveConflict] = field(default_factory=dict)
    sources: dict[str, Live] = field(default_factory=dict)
    """Revoked sources."""
    permits: dict[str, LivePermit] = field(default_factory=dict)
    decisions: dict[str, LiveDecision] = field(default_factory=dict)
    resting: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    """Which supports rest on an episode or a version."""
    erased: set[str] = field(default_factory=set)
    partial: bool = False
    """Whether only what came after a mark is known."""
    space_erased: bool = False
    directory: bool = False
    signing: str = ""
    spaces: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    """Directory only: the last (size, root, reason) listed of each space."""
    listed: list[tuple[int, str, int, str]] = field(default_factory=list)
    """Directory only: every listing as (entry number, space, size, root), in order."""
    rotations: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    """Directory only: every `KeyRotated` with its entry number."""
