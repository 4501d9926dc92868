"""From changes to rows, for permits and decisions. Called by `apply_changes`, inside the transaction of its commit."""

from collections.abc import Callable, Mapping
from typing import Any

from affidavit.core.gate_changes import Confirmed, Decided, PermitEnded, PermitGranted
from affidavit.core.gates import DecisionRow, PermitRow
from affidavit.store.sql.connection import Connection


def _adding(table: str, columns: tuple[str, ...]) -> str:
    marks = ", ".join("?" * (len(columns) + 2))
    return f"INSERT INTO {table} (space_id, seq, {', '.join(columns)}) VALUES ({marks})"


_ADD_PERMIT = _adding("permit", PermitRow._fields)
_ADD_DECISION = _adding("decision", DecisionRow._fields)


def _permit_granted(conn: Connection, space_id: str, seq: int, at: int, change: PermitGranted) -> None:
    conn.execute(_ADD_PERMIT, (space_id, seq, *change.row._replace(granted_at=at)))


def _permit_ended(conn: Connection, space_id: str, seq: int, at: int, change: PermitEnded) -> None:
    _once(conn, "UPDATE permit SET ended_at = ? WHERE space_id = ? AND id = ? AND ended_at IS NULL",
          (at, space_id, change.id))  # fmt: skip


def _decided(conn: Connection, space_id: str, seq: int, at: int, change: Decided) -> None:
    conn.execute(_ADD_DECISION, (space_id, seq, *change.row._replace(decided_at=at)))


def _confirmed(conn: Connection, space_id: str, seq: int, at: int, change: Confirmed) -> None:
    _once(conn, "UPDATE decision SET confirmed_at = ? WHERE space_id = ? AND id = ? AND confirmed_at IS NULL"
          " AND outcome = 'ask'", (at, space_id, change.id))  # fmt: skip


def _once(conn: Connection, sql: str, values: tuple[int, str, str]) -> None:
    if conn.execute(sql, values).rowcount != 1:
        raise ValueError(f"{values[2]} is not there, or that was done before")


GATE_CHANGES: Mapping[type, Callable[[Connection, str, int, int, Any], None]] = {
    PermitGranted: _permit_granted,
    PermitEnded: _permit_ended,
    Decided: _decided,
    Confirmed: _confirmed,
}
