"""The inverse of the changes: from a space's entries to what its tables must hold. Pure.

Rules, each with its problem code where an entry breaks it:
1. The first entry opens the space (`SpaceOpened`) or the store (`StoreOpened`), and no later one does.
2. A target is born once. What is erased is never born again.
3. An episode's actor is a live actor of the space.
4. `Embedded` and `Erased` name what lives.
5. After `SpaceErased` comes nothing.
6. Every entry has exactly the fields its op lists, of their types.
A log that breaks a rule was not written by us, whatever its signatures say: the problem is `ORPHAN_ENTRY`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_TEXT, _NUMBER, _TEXTS, _MAYBE = "text", "number", "texts", "maybe"
_COMMON = {"v": _TEXT, "op": _TEXT, "at": _TEXT}
_FIELDS: dict[str, dict[str, str]] = {
    "SpaceOpened": {"target": _TEXT, "commit": _TEXT},
    "ActorAdded": {"target": _TEXT, "commit": _TEXT},
    "EpisodeStored": {
        "actor": _TEXT,
        "authority": _TEXT,
        "status": _TEXT,
        "target": _TEXT,
        "commit": _TEXT,
    },
    "Embedded": {"target": _TEXT, "commit": _TEXT},
    "Erased": {"targets": _TEXTS},
    "SpaceErased": {"target": _TEXT, "episodes": _NUMBER},
    "StoreOpened": {"target": _TEXT, "signing": _TEXT},
    "SpaceListed": {"target": _TEXT, "size": _NUMBER, "root": _TEXT, "reason": _TEXT},
    "KeyRotated": {"old": _MAYBE, "new": _TEXT, "by_old": _MAYBE, "by_new": _TEXT},
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
    signing: str = ""
    spaces: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    """Directory only: the last (size, root, reason) listed of each space."""
    listed: list[tuple[str, int, str]] = field(default_factory=list)
    """Directory only: every (space, size, root) ever listed, in order."""
    rotations: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def blinded(self) -> dict[int, str]:
        """The sequence numbers whose blinds must be there, with their commitments."""
        living = [*self.actors.values(), *self.episodes.values(), *self.embeddings.values()]
        if self.opened is not None and not self.space_erased:
            living.append(self.opened)
        return {live.seq: live.commit for live in living if live.commit}


def replay(entries: Iterable[Mapping[str, Any]], state: State | None = None) -> State:
    """The state after these entries, from an empty one or from `state` (which is changed in place).

    Raises `ReplayError` at the first entry that can't follow those before it; `state.size` is its number.
    """
    state = State() if state is None else state
    for entry in entries:
        apply_entry(state, entry)
    return state


def apply_entry(state: State, entry: Mapping[str, Any]) -> None:
    """One step of `replay`."""
    op = entry.get("op")
    shape = _FIELDS.get(op) if isinstance(op, str) else None
    if shape is None:
        raise ReplayError(f"op {op!r} is not known")
    _check_shape(entry, shape)
    if (state.size == 0) != (op in {"SpaceOpened", "StoreOpened"}):
        raise ReplayError(f"{op} can't be entry {state.size}")
    if state.space_erased:
        raise ReplayError("nothing comes after SpaceErased")
    _STEPS[op](state, entry)
    state.size += 1


def _check_shape(entry: Mapping[str, Any], shape: Mapping[str, str]) -> None:
    expected = _COMMON | shape
    if entry.keys() != expected.keys():
        raise ReplayError(f"fields {sorted(entry)} where {sorted(expected)} belong")
    for name, kind in expected.items():
        value = entry[name]
        fits = {
            _TEXT: isinstance(value, str),
            _NUMBER: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
            _TEXTS: isinstance(value, list) and all(isinstance(item, str) for item in value),
            _MAYBE: value is None or isinstance(value, str),
        }[kind]
        if not fits:
            raise ReplayError(f"{name} can't be {value!r}")


def _born(state: State, entry: Mapping[str, Any], among: dict[str, Live], **clear: str) -> None:
    target = entry["target"]
    if target in state.actors or target in state.episodes or target in state.erased:
        raise ReplayError(f"{target} is born twice")
    among[target] = Live(seq=state.size, commit=entry["commit"], at=entry["at"], **clear)


def _space_opened(state: State, entry: Mapping[str, Any]) -> None:
    state.space_id = entry["target"]
    state.opened = Live(seq=0, commit=entry["commit"], at=entry["at"])


def _store_opened(state: State, entry: Mapping[str, Any]) -> None:
    state.space_id = entry["target"]
    state.opened = Live(seq=0, commit="", at=entry["at"])
    state.signing = entry["signing"]


def _actor_added(state: State, entry: Mapping[str, Any]) -> None:
    _born(state, entry, state.actors)


def _episode_stored(state: State, entry: Mapping[str, Any]) -> None:
    if entry["actor"] not in state.actors:
        raise ReplayError(f"actor {entry['actor']} is not one of the space")
    clear = {name: entry[name] for name in ("actor", "authority", "status")}
    _born(state, entry, state.episodes, **clear)


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
    state.listed.append((target, size, root))


def _key_rotated(state: State, entry: Mapping[str, Any]) -> None:
    state.rotations.append(entry)


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
