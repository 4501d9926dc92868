"""From changes to rows, for memories. Called by `apply_changes`, inside the transaction of its commit."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from affidavit.core.changes import (
    Change,
    ConflictOpened,
    ConflictResolved,
    ItemAdded,
    ItemClosed,
    SourceRevoked,
    StatusSet,
    SupportAdded,
    SupportRemoved,
)
from affidavit.core.memories import ITEM_COLUMNS, version_id
from affidavit.store.sql.connection import Connection, Cursor
from affidavit.store.sql.memory_reads import SqlMemoryReads

_ADD_ITEM = (
    f"INSERT INTO item (space_id, seq, {', '.join(ITEM_COLUMNS)})"
    f" VALUES ({', '.join('?' * (len(ITEM_COLUMNS) + 2))})"
)
_ADD_SUPPORT = (
    "INSERT INTO support (space_id, seq, memory_id, version, support, authority, removed)"
    " VALUES (?, ?, ?, ?, ?, ?, NULL)"
)
_ADD_PART = (
    "INSERT INTO support_part (space_id, memory_id, version, support, part, source, quote_start, quote_end, quote)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

_NO_LAST_NUMBER = "DELETE FROM last_number WHERE space_id = ? AND target = ?"


def _item_added(conn: Connection, space_id: str, seq: int, at: int, change: ItemAdded) -> None:
    conn.execute(_ADD_ITEM, (space_id, seq, *change.row))
    conn.execute(_NO_LAST_NUMBER, (space_id, change.row.memory_id))


def _support_added(conn: Connection, space_id: str, seq: int, at: int, change: SupportAdded) -> None:
    key = (change.memory_id, change.version, change.number)
    conn.execute(_ADD_SUPPORT, (space_id, seq, *key, change.authority))
    conn.execute(_NO_LAST_NUMBER, (space_id, version_id(change.memory_id, change.version)))
    conn.executemany(_ADD_PART, [(space_id, *key, n, *part) for n, part in enumerate(change.parts, 1)])


def _support_removed(conn: Connection, space_id: str, seq: int, at: int, change: SupportRemoved) -> None:
    _one(
        conn.execute(
            "UPDATE support SET removed = ? WHERE space_id = ? AND memory_id = ? AND version = ? AND support = ?",
            (change.reason, space_id, change.memory_id, change.version, change.number),
        ),
        change,
    )


def _item_closed(conn: Connection, space_id: str, seq: int, at: int, change: ItemClosed) -> None:
    key = (space_id, change.memory_id, change.version)
    # A closing that is replaced takes its blind with it, as a vector does.
    conn.execute(
        "DELETE FROM blind WHERE space_id = ?1 AND seq ="
        " (SELECT closed_seq FROM item WHERE space_id = ?1 AND memory_id = ?2 AND version = ?3)",
        key,
    )
    _one(
        conn.execute(
            "UPDATE item SET closed_end = ?, closed_at = ?, closed_by = ?, closed_seq = ?"
            " WHERE space_id = ? AND memory_id = ? AND version = ?",
            (change.end, at, change.by, seq, *key),
        ),
        change,
    )


def _status_set(conn: Connection, space_id: str, seq: int, at: int, change: StatusSet) -> None:
    memory_id, mark, version = change.target.partition("@")
    if mark:
        done = conn.execute(
            "UPDATE item SET authority = ?, status = ? WHERE space_id = ? AND memory_id = ? AND version = ?",
            (change.authority, change.status, space_id, memory_id, int(version)),
        )
    else:
        done = conn.execute(
            "UPDATE episode SET status = ? WHERE space_id = ? AND id = ? AND authority = ?",
            (change.status, space_id, change.target, change.authority),
        )
    _one(done, change)


def _conflict_opened(conn: Connection, space_id: str, seq: int, at: int, change: ConflictOpened) -> None:
    conn.execute(
        "INSERT INTO conflict (space_id, seq, id, members, subject, relation, opened_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (space_id, seq, change.id, json.dumps(change.members), change.subject, change.relation, at),
    )


def _conflict_resolved(conn: Connection, space_id: str, seq: int, at: int, change: ConflictResolved) -> None:
    _one(
        conn.execute(
            "UPDATE conflict SET resolved_at = ?, kept = ? WHERE space_id = ? AND id = ?",
            (at, change.kept, space_id, change.id),
        ),
        change,
    )


def _source_revoked(conn: Connection, space_id: str, seq: int, at: int, change: SourceRevoked) -> None:
    conn.execute(
        "INSERT INTO revoked_source (space_id, seq, id, source_id) VALUES (?, ?, ?, ?)",
        (space_id, seq, change.id, change.source_id),
    )


def _one(done: Cursor, change: Change) -> None:
    if done.rowcount != 1:
        raise ValueError(f"{change.op} names what is not there")


MEMORY_CHANGES: Mapping[type, Callable[[Connection, str, int, int, Any], None]] = {
    ItemAdded: _item_added,
    SupportAdded: _support_added,
    SupportRemoved: _support_removed,
    ItemClosed: _item_closed,
    StatusSet: _status_set,
    ConflictOpened: _conflict_opened,
    ConflictResolved: _conflict_resolved,
    SourceRevoked: _source_revoked,
}


def erase_memories(conn: Connection, space_id: str, targets: Sequence[str]) -> list[str]:
    """Erase versions, supports, conflicts and revocations with their blinds; the targets that are none of these."""
    others = []
    last = _last_numbers(conn, space_id, targets)
    for target in targets:
        version, mark, number = target.partition("#")
        memory_id, at, numbered = version.partition("@")
        if at:
            key = (space_id, memory_id, int(numbered))
            _erase_supports(conn, key, int(number) if mark else None)
            if not mark:
                conn.execute(_NO_LAST_NUMBER, (space_id, target))
                _erase_blinds(conn, "SELECT seq, closed_seq FROM item", _VERSION, key)
                conn.execute(f"DELETE FROM item WHERE {_VERSION}", key)
        elif target.startswith(("cf_", "src_")):
            table = "conflict" if target.startswith("cf_") else "revoked_source"
            _erase_blinds(
                conn, f"SELECT seq, NULL FROM {table}", "space_id = ? AND id = ?", (space_id, target)
            )
            conn.execute(f"DELETE FROM {table} WHERE space_id = ? AND id = ?", (space_id, target))
        else:
            others.append(target)
    _keep_last_numbers(conn, space_id, last)
    return others


def _last_numbers(conn: Connection, space_id: str, targets: Sequence[str]) -> dict[str, int]:
    """The highest number so far below each memory and version of which something is named."""
    reads = SqlMemoryReads()
    reads.conn = conn
    named = dict.fromkeys(
        target.partition("#" if "#" in target else "@")[0] for target in targets if "@" in target
    )
    return {target: reads.last_number(space_id, target) for target in named}


def _keep_last_numbers(conn: Connection, space_id: str, last: Mapping[str, int]) -> None:
    """Keep these numbers where what is left has lower ones, and none where nothing is left."""
    for target, number in last.items():
        memory_id, at, version = target.partition("@")
        highest = conn.execute(
            f"SELECT max(support) FROM support WHERE {_VERSION}"
            if at
            else "SELECT max(version) FROM item WHERE space_id = ? AND memory_id = ?",
            (space_id, memory_id, int(version)) if at else (space_id, memory_id),
        ).fetchone()[0]
        conn.execute(_NO_LAST_NUMBER, (space_id, target))
        if highest is not None and highest < number:
            conn.execute(
                "INSERT INTO last_number (space_id, target, number) VALUES (?, ?, ?)",
                (space_id, target, number),
            )


_VERSION = "space_id = ? AND memory_id = ? AND version = ?"


def _erase_supports(conn: Connection, key: tuple[str, str, int], number: int | None) -> None:
    where, values = (_VERSION, key) if number is None else (f"{_VERSION} AND support = ?", (*key, number))
    _erase_blinds(conn, "SELECT seq, NULL FROM support", where, values)
    conn.execute(f"DELETE FROM support WHERE {where}", values)
    conn.execute(f"DELETE FROM support_part WHERE {where}", values)


def _erase_blinds(conn: Connection, select: str, where: str, values: Sequence[Any]) -> None:
    for seqs in conn.execute(f"{select} WHERE {where}", values).fetchall():
        conn.executemany(
            "DELETE FROM blind WHERE space_id = ? AND seq = ?",
            [(values[0], seq) for seq in seqs if seq is not None],
        )
