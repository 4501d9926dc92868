"""The reads for gates, on one connection inside one transaction."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from affidavit.core.gates import DecisionRow, PermitRow
from affidavit.core.memories import version_id
from affidavit.core.values import json_text
from affidavit.store.gate_reads import Wording
from affidavit.store.sql.connection import Connection

_PERMIT = f"SELECT {', '.join(PermitRow._fields)} FROM permit WHERE space_id = ?"
_DECISION = f"SELECT {', '.join(DecisionRow._fields)} FROM decision WHERE space_id = ? AND id = ?"

_HALF: Final = re.compile("[\ud800-\udfff]")
_LIKE_MARKS: Final = re.compile(r"[%_\\]")
_PATTERN_LONGEST: Final = 400  # characters
_PIECES: Final = 60


class SqlGateReads:
    """`affidavit.store.gate_reads.GateReads` over one connection."""

    conn: Connection

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

    def wordings(
        self, space_id: str, holding: Iterable[Sequence[str]], *, after: int = -1
    ) -> Iterator[Wording]:
        """See `affidavit.store.gate_reads.GateReads.wordings`."""
        # What is no text at all (half a character) stands in none, and SQLite refuses to look for it.
        texts = [pieces for pieces in holding if not _HALF.search("".join(pieces))]
        patterns = dict.fromkeys((_pattern(pieces), _pattern(map(_in_json, pieces))) for pieces in texts)
        if not patterns:
            return
        sought = f"WITH sought (plain, inside) AS (VALUES {','.join(['(?, ?)'] * len(patterns))})"
        values = (*chain.from_iterable(patterns), space_id, after)
        for memory_id, version, text, value, slots in self.conn.execute(
            f"{sought} SELECT memory_id, version, text, object, slots FROM item WHERE space_id = ? AND seq > ?"
            f" AND ({_may_hold(text='plain', object='plain', slots='inside')})",
            values,
        ):
            yield Wording(version_id(memory_id, version), text, value, slots, None)
        for memory_id, version, quote in self.conn.execute(
            f"{sought} SELECT memory_id, version, quote FROM support JOIN support_part"
            " USING (space_id, memory_id, version, support)"
            f" WHERE space_id = ? AND seq > ? AND quote IS NOT NULL AND ({_may_hold(quote='plain')})",
            values,
        ):
            yield Wording(version_id(memory_id, version), None, None, "[]", quote)


def _may_hold(**columns: str) -> str:
    """The condition that one of the columns, each with its kind of pattern, may hold what is sought.

    SQLite knows the letter case of ASCII only; what holds more (or a NUL, where it stops) is for the caller to look at.
    """
    beyond = (f"length({name}) <> length(CAST({name} AS BLOB))" for name in columns)
    like = " OR ".join(f"{name} LIKE {kind} ESCAPE '\\'" for name, kind in columns.items())
    return " OR ".join((*beyond, f"EXISTS (SELECT 1 FROM sought WHERE {like})"))


def _pattern(pieces: Iterable[str]) -> str:
    """For `LIKE`, which takes patterns of a bounded length: their beginning tells enough apart."""
    given, length = ["%"], 0
    for piece in pieces:
        kept = piece[: _PATTERN_LONGEST - length]
        length += len(kept)
        given += [_LIKE_MARKS.sub(r"\\\g<0>", kept), "%"]
    return "".join(given[: 2 * _PIECES + 1])


def _in_json(piece: str) -> str:
    return json_text(piece)[1:-1]
