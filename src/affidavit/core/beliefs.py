"""What was believed at an earlier moment: authority and status of every version then, told by the entries. Pure.

Rules:

1. Only entries made at or before the moment count.
2. A version that was not born yet was not believed; one born then has the authority and status that its birth and the
   settings after it gave.
3. A closing made later is unknown. Of a closing that another one replaced since, the end is no longer known: the
   version counts as ended at an unknown time where its status says so, and as open where not.
4. A support counts if it was there and had not been removed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from affidavit.core.memories import ItemRow, Support


@dataclass(slots=True)
class Beliefs:
    """The labels of versions and episodes as entries up to a moment set them; `size`: how many entries there were."""

    size: int = 0
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)
    closings: dict[str, int] = field(default_factory=dict)
    """The number of the entry of the last closing of each version."""
    removed: set[tuple[str, int]] = field(default_factory=set)

    @classmethod
    def of(cls, entries: Iterable[tuple[int, Mapping[str, Any]]], until: str) -> "Beliefs":
        """Read entries, in order, each with its number, up to the moment `until` (RFC 3339, as entries write it)."""
        believed = cls()
        for number, entry in entries:
            if entry["at"] > until:
                break
            believed.size = number + 1
            step = _STEPS.get(entry["op"])
            if step is not None:
                step(believed, number, entry)
        return believed

    def row(self, row: ItemRow) -> ItemRow | None:
        """A version as it was believed, None where it was not yet."""
        label = self.labels.get(row.id)
        if label is None:
            return None
        authority, status = label
        if row.closed_seq is None or self.closings.get(row.id) != row.closed_seq:
            row = row._replace(closed_end=None, closed_at=None, closed_by=None, closed_seq=None)
        return row._replace(authority=authority, status=status)

    def supports(self, version: str, supports: Iterable[Support]) -> tuple[Support, ...]:
        """The supports that were there, as they counted."""
        return tuple(
            support._replace(removed=support.removed if (version, support.number) in self.removed else None)
            for support in supports
            if support.seq < self.size
        )


def _born(believed: Beliefs, number: int, entry: Mapping[str, Any]) -> None:
    believed.labels[entry["target"]] = (entry["authority"], entry["status"])


def _closed(believed: Beliefs, number: int, entry: Mapping[str, Any]) -> None:
    believed.closings[entry["target"]] = number


def _removed(believed: Beliefs, number: int, entry: Mapping[str, Any]) -> None:
    believed.removed.add((entry["target"], entry["support"]))


_STEPS: dict[str, Callable[[Beliefs, int, Mapping[str, Any]], None]] = {
    "EpisodeStored": _born,
    "ItemAdded": _born,
    "StatusSet": _born,
    "ItemClosed": _closed,
    "SupportRemoved": _removed,
}
