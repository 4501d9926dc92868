"""The steps of `replay` that concern memories. Pure.

Rules, each with `ORPHAN_ENTRY` where an entry breaks it:

1. The versions of a memory are numbered from 1 without a gap, and so are the supports of a version. What was erased
   keeps its number.
2. A version's actor is a living actor.
3. What a support rests on lives, and is no support's own version. A support has no more authority than the least of
   what it rests on.
4. `SupportRemoved`, `ItemClosed`, `StatusSet` and the members of a conflict name what lives. The authority of an
   episode never changes, and an episode is active or quarantined.
5. A conflict has at least two members, and is settled once, for one of them or for none.
6. After an `Erased` no support rests on what is gone, no version is left without a support (whether or not that
   still counts), and no conflict with a member that is gone.

After a mark (`state.partial`) versions from before it are known by name alone; of them rules 1, 3 and 6 can't be told.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from affidavit.core.authority import Authority
from affidavit.core.shapes import ReplayError
from affidavit.core.state import Live, LiveConflict, LiveItem, LiveSupport, State


def _item_added(state: State, entry: Mapping[str, Any]) -> None:
    target = entry["target"]
    memory_id, mark, number = target.rpartition("@")
    if (
        not memory_id
        or not mark
        or not number.isascii()
        or not number.isdigit()
        or str(int(number)) != number
    ):
        raise ReplayError(f"{target} is no id of a version")
    last = state.versions.get(memory_id)
    if (last is not None or not state.partial) and int(number) != (last or 0) + 1:
        raise ReplayError(f"{target} comes after version {last or 0}")
    if entry["actor"] not in state.actors:
        raise ReplayError(f"actor {entry['actor']} is not one of the space")
    state.versions[memory_id] = int(number)
    state.items[target] = LiveItem(
        state.size, entry["commit"], entry["at"], entry["actor"], entry["authority"], entry["status"]
    )


def _item(state: State, target: str) -> LiveItem:
    item = state.items.get(target)
    if item is None and state.partial and "@" in target and target not in state.erased:
        item = state.items[target] = LiveItem(seq=-1, commit="", at="", past=True)
    if item is None:
        raise ReplayError(f"{target} does not live")
    return item


def _support_added(state: State, entry: Mapping[str, Any]) -> None:
    target, number, sources = entry["target"], entry["support"], tuple(entry["sources"])
    item = _item(state, target)
    if not item.past and number != item.numbers + 1:
        raise ReplayError(f"support {number} of {target} comes after {item.numbers}")
    if len(set(sources)) != len(sources):
        raise ReplayError(f"support {number} of {target} names a source twice")
    for source in sources:
        if source == target:
            raise ReplayError(f"{target} can't rest on itself")
        ceiling = _authority_of(state, source)
        if ceiling and Authority(entry["authority"]) > ceiling:
            raise ReplayError(f"support {number} of {target} has more authority than {source}")
    item.numbers = number
    item.supports[number] = LiveSupport(state.size, entry["commit"], entry["at"], entry["authority"], sources)
    for source in sources:
        state.resting.setdefault(source, set()).add((target, number))


def _authority_of(state: State, source: str) -> str:
    if source in state.episodes:
        return state.episodes[source].authority
    return _item(state, source).authority


def _support_removed(state: State, entry: Mapping[str, Any]) -> None:
    target, number = entry["target"], entry["support"]
    item = _item(state, target)
    support = item.supports.get(number)
    if support is None and item.past:
        support = item.supports[number] = LiveSupport(-1, "", "", "", ())
    if support is None or support.removed is not None:
        raise ReplayError(f"support {number} of {target} does not live")
    support.removed = entry["reason"]


def _item_closed(state: State, entry: Mapping[str, Any]) -> None:
    item = _item(state, entry["target"])
    item.closing = Live(state.size, entry["commit"], entry["at"])
    item.closed_by = entry["by"]


def _status_set(state: State, entry: Mapping[str, Any]) -> None:
    target, authority, status = entry["target"], entry["authority"], entry["status"]
    episode = state.episodes.get(target)
    if episode is None:
        item = _item(state, target)
        item.authority, item.status = authority, status
        return
    if episode.authority and authority != episode.authority:
        raise ReplayError(f"the authority of {target} can't change")
    if status not in {"active", "quarantined"}:
        raise ReplayError(f"an episode can't be {status}")
    episode.authority, episode.status = authority, status


def _conflict_opened(state: State, entry: Mapping[str, Any]) -> None:
    target, members = entry["target"], tuple(entry["members"])
    if target in state.conflicts or target in state.erased:
        raise ReplayError(f"{target} is born twice")
    if len(set(members)) < 2 or len(set(members)) != len(members):
        raise ReplayError(f"{target} is not between two or more")
    for member in members:
        _item(state, member)
    state.conflicts[target] = LiveConflict(state.size, entry["commit"], entry["at"], members=members)


def _conflict_resolved(state: State, entry: Mapping[str, Any]) -> None:
    target, kept = entry["target"], entry["kept"]
    conflict = state.conflicts.get(target)
    if conflict is None and state.partial and target not in state.erased:
        conflict = state.conflicts[target] = LiveConflict(seq=-1, commit="", at="", past=True)
    if conflict is None or conflict.resolved_at is not None:
        raise ReplayError(f"{target} is no open conflict")
    if kept is not None and not conflict.past and kept not in conflict.members:
        raise ReplayError(f"{kept} is no member of {target}")
    conflict.resolved_at, conflict.kept = entry["at"], kept


def _source_revoked(state: State, entry: Mapping[str, Any]) -> None:
    target = entry["target"]
    if target in state.sources or target in state.erased:
        raise ReplayError(f"{target} is born twice")
    state.sources[target] = Live(state.size, entry["commit"], entry["at"])


def erase_from_memories(state: State, target: str) -> bool:
    """Take out a version, a support (`mem_…@2#1`), a conflict or a revocation; False where it does not live."""
    version, mark, number = target.partition("#")
    if mark:
        return _erase_support(state, version, number)
    if "@" in target:
        if target not in state.items and not state.partial:
            return False
        item = state.items.pop(target, None)
        for one, support in (item.supports if item else {}).items():
            _unrest(state, target, one, support)
        return target not in state.erased
    if target in state.conflicts or target in state.sources:
        state.conflicts.pop(target, None)
        state.sources.pop(target, None)
        return True
    return state.partial and target not in state.erased and target.startswith(("cf_", "src_"))


def _erase_support(state: State, version: str, number: str) -> bool:
    item = state.items.get(version)
    if item is None:
        return state.partial and f"{version}#{number}" not in state.erased
    support = item.supports.pop(int(number), None) if number.isascii() and number.isdigit() else None
    if support is not None:
        _unrest(state, version, int(number), support)
    return support is not None or (item.past and f"{version}#{number}" not in state.erased)


def _unrest(state: State, version: str, number: int, support: LiveSupport) -> None:
    for source in support.sources:
        resting = state.resting.get(source)
        if resting is not None:
            resting.discard((version, number))


def check_standing(state: State, targets: Iterable[str]) -> None:
    """Rule 6, after what was erased."""
    for target in targets:
        if state.resting.get(target):
            version, number = min(state.resting[target])
            raise ReplayError(f"support {number} of {version} rests on {target}, which is gone")
        state.resting.pop(target, None)
        version, mark, _ = target.partition("#")
        item = state.items.get(version) if mark else None
        if item is not None and not item.past and not item.supports:
            raise ReplayError(f"{version} is left with no support")
    gone = {target for target in targets if "@" in target and "#" not in target}
    if gone:
        for conflict_id, conflict in state.conflicts.items():
            if not gone.isdisjoint(conflict.members):
                raise ReplayError(f"{conflict_id} is left with a member that is gone")


MEMORY_STEPS: dict[str, Callable[[State, Mapping[str, Any]], None]] = {
    "ItemAdded": _item_added,
    "SupportAdded": _support_added,
    "SupportRemoved": _support_removed,
    "ItemClosed": _item_closed,
    "StatusSet": _status_set,
    "ConflictOpened": _conflict_opened,
    "ConflictResolved": _conflict_resolved,
    "SourceRevoked": _source_revoked,
}
