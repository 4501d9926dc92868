"""The inverse of the changes: from a space's entries to what its tables must hold. Pure.

Rules, each with its problem code where an entry breaks it:
1. The first entry opens the space (`SpaceOpened`) or the store (`StoreOpened`), and no later one does.
   What comes after it is of the same log: a space's ops in a space, the directory's in the directory.
2. A target is born once. What is erased is never born again.
3. An episode's actor is a live actor of the space.
4. `Embedded` and `Erased` name what lives.
5. After `SpaceErased` comes nothing.
6. Every entry has exactly the fields its op lists, of their types and forms.
A log that breaks a rule was not written by us, whatever its signatures say: the problem is `ORPHAN_ENTRY`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from affidavit.core.when import RFC3339

FORMAT: Final = "affidavit/1"
_DIGITS = re.compile(r"[0-9a-f]+", re.ASCII)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _maybe(value: object) -> bool:
    return value is None or isinstance(value, str)


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _digits(length: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and len(value) == length and bool(_DIGITS.fullmatch(value))


def _one_of(*values: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in values


_HASH, _SIGNATURE = _digits(64), _digits(128)
_FIELDS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "SpaceOpened": {"target": _text, "commit": _HASH},
    "ActorAdded": {"target": _text, "commit": _HASH},
    "EpisodeStored": {
        "actor": _text,
        "authority": _one_of("unendorsed", "attested", "authorized"),
        "status": _one_of("active", "quarantined"),
        "target": _text,
        "commit": _HASH,
    },
    "Embedded": {"target": _text, "commit": _HASH},
    "Erased": {"targets": _texts},
    "SpaceErased": {"target": _text, "episodes": _number},
    "StoreOpened": {"target": _text, "signing": _one_of("commit", "seal")},
    "SpaceListed": {
        "target": _text,
        "size": _number,
        "root": _HASH,
        "reason": _one_of("born", "sealed", "erased"),
    },
    "KeyRotated": {
        "old": _maybe,
        "new": _text,
        "by_old": lambda value: value is None or _SIGNATURE(value),
        "by_new": _SIGNATURE,
    },
}
_OPENING: Final = frozenset({"SpaceOpened", "StoreOpened"})
_DIRECTORY: Final = frozenset({"StoreOpened", "SpaceListed", "KeyRotated"})


class _Shape(NamedTuple):
    """What an entry of one op looks like; made once, as every entry is held against it."""

    names: frozenset[str]
    checks: tuple[tuple[str, Callable[[Any], bool]], ...]
    opens: bool
    directory: bool


_SHAPES: Final = {
    op: _Shape(
        names=frozenset({"v", "op", "at", *fields}),
        checks=tuple(fields.items()),
        opens=op in _OPENING,
        directory=op in _DIRECTORY,
    )
    for op, fields in _FIELDS.items()
}


class ReplayError(ValueError):
    """An entry that can't follow the ones before it."""


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
class State:
    """What a space's tables must hold after its entries."""

    size: int = 0
    opened: Live | None = None
    space_id: str = ""
    actors: dict[str, Live] = field(default_factory=dict)
    episodes: dict[str, Live] = field(default_factory=dict)
    embeddings: dict[str, Live] = field(default_factory=dict)
    erased: set[str] = field(default_factory=set)
    space_erased: bool = False
    directory: bool = False
    signing: str = ""
    spaces: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    """Directory only: the last (size, root, reason) listed of each space."""
    listed: list[tuple[int, str, int, str]] = field(default_factory=list)
    """Directory only: every listing as (entry number, space, size, root), in order."""
    rotations: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    """Directory only: every `KeyRotated` with its entry number."""


def replay(entries: Iterable[Mapping[str, Any]], state: State | None = None) -> State:
    """The state after these entries, from an empty one or from `state` (which is changed in place).

    Raises `ReplayError` at the first entry that can't follow those before it; `state.size` is its number.
    """
    state = State() if state is None else state
    for entry in entries:
        apply_entry(state, entry)
    return state


def check_entry(entry: Mapping[str, Any]) -> None:
    """Hold one entry against the fields of its op. Raises `ReplayError`."""
    _check_shape(entry, _shape_of(entry))


def _shape_of(entry: Mapping[str, Any]) -> _Shape:
    op = entry.get("op")
    shape = _SHAPES.get(op) if isinstance(op, str) else None
    if shape is None:
        raise ReplayError(f"op {op!r} is not known")
    return shape


def apply_entry(state: State, entry: Mapping[str, Any]) -> None:
    """One step of `replay`."""
    op, shape = entry.get("op"), _shape_of(entry)
    _check_shape(entry, shape)
    if (state.size == 0) != shape.opens:
        raise ReplayError(f"{op} can't be entry {state.size}")
    if state.space_erased:
        raise ReplayError("nothing comes after SpaceErased")
    if state.directory != shape.directory and state.size:
        raise ReplayError(f"{op} belongs in another log")
    _STEPS[str(op)](state, entry)
    state.size += 1


def _check_shape(entry: Mapping[str, Any], shape: _Shape) -> None:
    if entry.keys() != shape.names:
        raise ReplayError(f"fields {sorted(entry)} where {sorted(shape.names)} belong")
    if entry["v"] != FORMAT:
        raise ReplayError(f"the format {entry['v']!r} is not known")
    at = entry["at"]
    if not isinstance(at, str) or RFC3339.fullmatch(at) is None:
        raise ReplayError(f"at can't be {at!r}")
    for name, fits in shape.checks:
        if not fits(entry[name]):
            raise ReplayError(f"{name} can't be {entry[name]!r}")


def _born(state: State, entry: Mapping[str, Any]) -> str:
    target: str = entry["target"]
    if target in state.actors or target in state.episodes or target in state.erased:
        raise ReplayError(f"{target} is born twice")
    return target


def _space_opened(state: State, entry: Mapping[str, Any]) -> None:
    state.space_id = entry["target"]
    state.opened = Live(seq=0, commit=entry["commit"], at=entry["at"])


def _store_opened(state: State, entry: Mapping[str, Any]) -> None:
    state.space_id = entry["target"]
    state.opened = Live(seq=0, commit="", at=entry["at"])
    state.directory = True
    state.signing = entry["signing"]


def _actor_added(state: State, entry: Mapping[str, Any]) -> None:
    state.actors[_born(state, entry)] = Live(state.size, entry["commit"], entry["at"])


def _episode_stored(state: State, entry: Mapping[str, Any]) -> None:
    actor = entry["actor"]
    if actor not in state.actors:
        raise ReplayError(f"actor {actor} is not one of the space")
    state.episodes[_born(state, entry)] = Live(
        state.size, entry["commit"], entry["at"], actor, entry["authority"], entry["status"]
    )


def _embedded(state: State, entry: Mapping[str, Any]) -> None:
    target = entry["target"]
    if target not in state.episodes:
        raise ReplayError(f"{target} does not live")
    state.embeddings[target] = Live(seq=state.size, commit=entry["commit"], at=entry["at"])


def _erased(state: State, entry: Mapping[str, Any]) -> None:
    for target in entry["targets"]:
        if state.episodes.pop(target, None) is None and state.actors.pop(target, None) is None:
            raise ReplayError(f"{target} does not live")
        state.embeddings.pop(target, None)
        state.erased.add(target)


def _space_erased(state: State, entry: Mapping[str, Any]) -> None:
    if entry["target"] != state.space_id:
        raise ReplayError(f"{entry['target']} is another space")
    state.space_erased = True
    for living in (state.actors, state.episodes, state.embeddings):
        living.clear()


def _space_listed(state: State, entry: Mapping[str, Any]) -> None:
    target, size, root, reason = (entry[name] for name in ("target", "size", "root", "reason"))
    before = state.spaces.get(target)
    if before and (before[2] == "erased" or size < before[0]):
        raise ReplayError(f"{target} can't be listed at {size} after {before}")
    state.spaces[target] = (size, root, reason)
    state.listed.append((state.size, target, size, root))


def _key_rotated(state: State, entry: Mapping[str, Any]) -> None:
    state.rotations.append((state.size, entry))


_STEPS = {
    "SpaceOpened": _space_opened,
    "StoreOpened": _store_opened,
    "ActorAdded": _actor_added,
    "EpisodeStored": _episode_stored,
    "Embedded": _embedded,
    "Erased": _erased,
    "SpaceErased": _space_erased,
    "SpaceListed": _space_listed,
    "KeyRotated": _key_rotated,
}
