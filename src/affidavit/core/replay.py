"""The inverse of the changes: from a space's entries to what its tables must hold. Pure.

Rules, each with its problem code where an entry breaks it:
1. The first entry opens the space (`SpaceOpened`) or the store (`StoreOpened`), and no later one does.
   What comes after it is of the same log: a space's ops in a space, the directory's in the directory.
2. A target is born once. What is erased is never born again.
3. An episode's actor is a live actor of the space.
4. `Embedded` and `Erased` name what lives; the rules of memories are in `replay_memories`, those of permits and
   decisions in `replay_gates`.
5. After `SpaceErased` comes nothing.
6. Every entry has exactly the fields its op lists, of their types and forms.
A log that breaks a rule was not written by us, whatever its signatures say: the problem is `ORPHAN_ENTRY`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from affidavit.core.replay_gates import GATE_STEPS
from affidavit.core.replay_memories import MEMORY_STEPS, check_standing, erase_from_memories
from affidavit.core.shapes import FORMAT, ReplayError, check_entry, check_shape, shape_of
from affidavit.core.state import Live, LiveItem, State

__all__ = ["FORMAT", "Live", "LiveItem", "ReplayError", "State", "apply_entry", "check_entry", "replay"]


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
    op, shape = entry.get("op"), shape_of(entry)
    check_shape(entry, shape)
    if (state.size == 0) != shape.opens:
        raise ReplayError(f"{op} can't be entry {state.size}")
    if state.space_erased:
        raise ReplayError("nothing comes after SpaceErased")
    if state.directory != shape.directory and state.size:
        raise ReplayError(f"{op} belongs in another log")
    _STEPS[str(op)](state, entry)
    state.size += 1


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
    targets = entry["targets"]
    for target in targets:
        if target in state.episodes:
            del state.episodes[target]
        elif target in state.actors:
            del state.actors[target]
        elif not erase_from_memories(state, target):
            raise ReplayError(f"{target} does not live")
        state.embeddings.pop(target, None)
        state.erased.add(target)
    check_standing(state, targets)


def _space_erased(state: State, entry: Mapping[str, Any]) -> None:
    if entry["target"] != state.space_id:
        raise ReplayError(f"{entry['target']} is another space")
    state.space_erased = True
    state.actors.clear()
    state.episodes.clear()
    state.embeddings.clear()
    state.items.clear()
    state.conflicts.clear()
    state.sources.clear()
    state.permits.clear()
    state.decisions.clear()
    state.resting.clear()


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
    **MEMORY_STEPS,
    **GATE_STEPS,
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
