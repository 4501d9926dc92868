"""The reads for gates, on one connection inside one transaction."""

import sqlite3
from collections.abc import Iterator, Sequence

from affidavit.core.gates import DecisionRow, PermitRow
from affidavit.core.memories import version_id
from affidavit.store.gate_reads import Wording

_PERMIT = f"SELECT {', '.join(PermitRow._fields)} FROM permit WHERE space_id = ?"
_DECISION = f"SELECT {', '.join(DecisionRow._fields)} FROM decision WHERE space_id = ? AND id = ?"


class SqliteGateReads:
    """`affidavit.store.gate_reads.GateReads` over one connection."""

    conn: sqlite3.Connection

    def permits(self, space_id: str, *, tool: str | None = None) -> list[PermitRow]:
        """See `affidavit.store.gate_reads.GateReads.permits`."""
        of_tool, values = ("", (space_id,)) if tool is None else (" AND tool = ?", (space_id, tool))
        return [PermitRow._make(row) for row in self.conn.execute(f"{_PERMIT}{of_tool} ORDER BY seq", values)]

    def decisions(self, space_id: str, ids: Sequence[str]) -> dict[str, DecisionRow]:
        """See `affidavit.store.gate_reads.GateReads.decisions`."""
        rows = (self.conn.execute(_DECISION, (space_id, one)).fetchone() for one in ids)
        return {row[0]: DecisionRow._make(row) for row in rows if row is not None}

    def gate_texts(self, space_id: str) -> list[str]:
        """See `affidavit.store.gate_reads.GateReads.gate_texts`."""
        rows = self.conn.execute(
            "SELECT tool FROM decision WHERE space_id = ?1 AND tool IS NOT NULL"
            " UNION SELECT tool FROM permit WHERE space_id = ?1"
            " UNION SELECT limits FROM permit WHERE space_id = ?1 AND limits IS NOT NULL"
            " UNION SELECT rests_on FROM decision WHERE space_id = ?1",
            (space_id,),
        )
        return [row[0] for row in rows]

    def wordings(self, space_id: str, *, after: int = -1) -> Iterator[Wording]:
        """See `affidavit.store.gate_reads.GateReads.wordings`."""
        for memory_id, version, text, value, slots in self.conn.execute(
            "SELECT memory_id, version, text, object, slots FROM item WHERE space_id = ? AND seq > ?",
            (space_id, after),
        ):
            yield Wording(version_id(memory_id, version), text, value, slots, None)
        for memory_id, version, quote in self.conn.execute(
            "SELECT memory_id, version, quote FROM support JOIN support_part"
            " USING (space_id, memory_id, version, support)"
            " WHERE space_id = ? AND seq > ? AND quote IS NOT NULL",
            (space_id, after),
        ):
            yield Wording(version_id(memory_id, version), None, None, "[]", quote)
