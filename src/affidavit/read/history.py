"""History: every version of a memory with its quotes, and what happened to each, as the log tells it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from affidavit.core.access import Caller
from affidavit.core.authority import Authority
from affidavit.core.jsonable import Result
from affidavit.core.limits import check_id
from affidavit.core.memories import MemoryStatus, Reason
from affidavit.core.missing import not_found
from affidavit.core.when import parse_rfc3339, rfc3339
from affidavit.read.listing import readable_heads
from affidavit.read.memories import MemoryItem, View, memory_items
from affidavit.store.protocol import Reads, Store
from affidavit.text.lang.relations import Relation


class What(StrEnum):
    """What happened to a version."""

    ADDED = "added"
    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    CLOSED = "closed"
    LABELLED = "labelled"
    CONTESTED = "contested"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening(Result):
    """One thing that happened to a version.

    `at` is when it was recorded (UTC microseconds), `seq` its entry in the log. `reason` says why its label was set or
    its support went; `by` names the version that took its place, or the conflict; `support` the number of a support.
    `authority` and `status` are those from then on, where this set them.
    """

    seq: int
    at: int
    version_id: str
    what: What
    reason: Reason | None = None
    by: str | None = None
    support: int | None = None
    authority: Authority | None = None
    status: MemoryStatus | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready, with an RFC 3339 time."""
        return Result.to_dict(self) | {"at": rfc3339(self.at)}


@dataclass(frozen=True, slots=True, kw_only=True)
class History(Result):
    """A memory through time: its versions by number, as they stand now, and what happened to them, in order.

    Of a version that was erased only its happenings are left.
    """

    id: str
    versions: tuple[MemoryItem, ...]
    happenings: tuple[Happening, ...]

    def __iter__(self) -> Iterator[MemoryItem]:
        return iter(self.versions)

    def __len__(self) -> int:
        return len(self.versions)


def history_of(
    store: Store,
    caller: Caller,
    memory_id: object,
    *,
    now: int,
    relations: Mapping[str, Relation],
) -> History:
    """The history of a memory, by its id or that of a version; `NotFoundError` for what may not be read, too."""
    wanted = check_id(memory_id, "the id")
    memory = wanted.partition("@")[0]
    with store.snapshot() as reads:
        for head in readable_heads(reads, caller):
            stored = reads.versions(head.space_id, memory)
            if stored and (memory == wanted or any(one.row.id == wanted for one in stored)):
                versions = tuple(memory_items(reads, View(head, now, relations), stored).values())
                told = tuple(happenings(reads, head.space_id, memory))
                return History(id=memory, versions=versions, happenings=told)
    raise not_found(wanted, memory=True)


def happenings(reads: Reads, space_id: str, memory_id: str) -> list[Happening]:
    """What happened to the versions of a memory, in the order of the log.

    Of several closings of a version in one commit only the last ever counted: to all readers it is one.
    """
    every = list(_read(reads, space_id, memory_id))
    last = {(one.version_id, one.at): one.seq for one in every if one.what is What.CLOSED}
    return [one for one in every if one.what is not What.CLOSED or last[one.version_id, one.at] == one.seq]


def _read(reads: Reads, space_id: str, memory_id: str) -> Iterator[Happening]:
    sign = f"{memory_id}@".encode()
    conflicts: dict[str, list[str]] = {}
    for seq, body in reads.entries(space_id):
        if sign not in body and not (conflicts and b'"op":"ConflictResolved"' in body):
            continue
        entry = json.loads(body)
        if entry["op"] == "ConflictOpened":
            own = [member for member in entry["members"] if member.startswith(f"{memory_id}@")]
            conflicts[entry["target"]] = own
        for version in _versions(entry, memory_id, conflicts):
            yield _READERS[entry["op"]](seq, parse_rfc3339(entry["at"]), version, entry)


def _versions(entry: Mapping[str, Any], memory_id: str, conflicts: Mapping[str, list[str]]) -> Iterable[str]:
    """The versions of the memory that an entry is about."""
    if entry["op"] not in _READERS:
        return []
    if entry["op"].startswith("Conflict"):
        return conflicts.get(entry["target"], [])
    return [entry["target"]] if entry["target"].startswith(f"{memory_id}@") else []


_Reader = Callable[[int, int, str, Mapping[str, Any]], Happening]


def _labels(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"authority": Authority(entry["authority"]), "status": MemoryStatus(entry["status"])}


_READERS: Final[Mapping[str, _Reader]] = {
    "ItemAdded": lambda seq, at, version, entry: Happening(
        seq=seq, at=at, version_id=version, what=What.ADDED, **_labels(entry)
    ),
    "SupportAdded": lambda seq, at, version, entry: Happening(
        seq=seq, at=at, version_id=version, what=What.SUPPORTED, support=entry["support"]
    ),
    "SupportRemoved": lambda seq, at, version, entry: Happening(
        seq=seq,
        at=at,
        version_id=version,
        what=What.UNSUPPORTED,
        support=entry["support"],
        reason=Reason(entry["reason"]),
    ),
    "ItemClosed": lambda seq, at, version, entry: Happening(
        seq=seq, at=at, version_id=version, what=What.CLOSED, by=entry["by"]
    ),
    "StatusSet": lambda seq, at, version, entry: Happening(
        seq=seq,
        at=at,
        version_id=version,
        what=What.LABELLED,
        reason=Reason(entry["reason"]),
        **_labels(entry),
    ),
    "ConflictOpened": lambda seq, at, version, entry: Happening(
        seq=seq, at=at, version_id=version, what=What.CONTESTED, by=entry["target"]
    ),
    "ConflictResolved": lambda seq, at, version, entry: Happening(
        seq=seq, at=at, version_id=version, what=What.SETTLED, by=entry["target"]
    ),
}
