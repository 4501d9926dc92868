"""What deriving did, as it is told: from changes and outcomes to results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from affidavit.core.changes import Change, ItemAdded, ItemClosed
from affidavit.core.memories import ItemRow, version_id
from affidavit.core.outcome import Outcome
from affidavit.write.results import Derived, Remembered


def derived(outcome: Outcome, rows: Callable[[Sequence[str]], Mapping[str, ItemRow]]) -> Derived:
    """What an outcome says; `rows` reads versions as they are after it."""
    known = {change.row.id: change.row for change in outcome.changes if isinstance(change, ItemAdded)}
    lists = {name: getattr(outcome, name) for name in ("added", "updated", "supported", "retracted")}
    lists["closed"] = _closed(outcome.changes, known)
    known = {**rows([one for ids in lists.values() for one in ids if one not in known]), **known}
    told: dict[str, Any] = {
        name: tuple(_remembered(known[one]) for one in dict.fromkeys(ids) if one in known)
        for name, ids in lists.items()
    }
    return Derived(
        **told, conflicts=tuple(outcome.conflicts), overruled=tuple(dict.fromkeys(outcome.overruled))
    )


def with_waiting(done: Derived) -> Derived:
    """What was done, each problem told once, and how to go on where something waits."""
    problems = tuple(dict.fromkeys(done.problems))
    if done.waiting:
        what = "1 episode waits" if done.waiting == 1 else f"{done.waiting} episodes wait"
        problems += (f"{what} to be looked at by the model: `affidavit admin derive` goes on",)
    return replace(done, problems=problems)


def _closed(changes: Sequence[Change], born: Mapping[str, ItemRow]) -> list[str]:
    """The versions of before that were given an end, and were not opened again."""
    last = {version_id(c.memory_id, c.version): c for c in changes if isinstance(c, ItemClosed)}
    return [
        one for one, change in last.items() if one not in born and (change.end, change.by) != (None, None)
    ]


def _remembered(row: ItemRow) -> Remembered:
    return Remembered(
        id=row.memory_id,
        version=row.version,
        text=row.text,
        kind=row.kind,
        authority=row.authority,
        status=row.status,
    )
