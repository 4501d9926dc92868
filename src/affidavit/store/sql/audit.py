"""Reads for `verify`: raw values of every row, in bulk, and never an error.

What can't be read is noted as damage, and reading goes on with what is left. Nothing is turned into typed values
here: a damaged row would not survive that.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from affidavit.core.gates import DecisionRow, PermitRow
from affidavit.core.memories import ITEM_COLUMNS
from affidavit.core.values import EPISODE_COLUMNS
from affidavit.store.audit_reads import Damage, Row
from affidavit.store.sql.connection import ACROSS

_EPISODE = ", ".join(EPISODE_COLUMNS)
_EMBEDDING = "seq, target_seq, target, model, dimensions, vector"
_ITEM = ", ".join(ITEM_COLUMNS)
_OF_SPACES = (
    "entry", "blind", "actor", "episode", "embedding",
    "item", "support", "support_part", "conflict", "revoked_source", "last_number",
    "permit", "decision",
)  # fmt: skip
_KEYS = {"item": "memory_id || '@' || version", "support": "memory_id || '@' || version || '#' || support"}
_BATCH = 500


class SqlAudit(ABC):
    """`affidavit.store.audit_reads.Audit` over one connection, which is inside one consistent state."""

    def __init__(self) -> None:
        self.damage: list[Damage] = []

    @abstractmethod
    def file(self) -> None:
        """Let the database check itself, and compare the schema with what the migrations make."""

    @abstractmethod
    def _rows(self, where: str, sql: str, values: Sequence[Any]) -> Iterator[Row]:
        """The rows, until one can't be read; what is wrong is noted."""

    def meta(self) -> Iterator[Row]:
        """Every (key, value)."""
        return self._rows("meta", "SELECT key, value FROM meta", ())

    def spaces(self) -> Iterator[Row]:
        """Every (id, kind, name, size, root, frontier, note, listed), the directory's too."""
        return self._rows(
            "space", "SELECT id, kind, name, size, root, frontier, note, listed FROM space ORDER BY id", ()
        )

    def entries(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, body) from an entry on."""
        return self._of_space("entry", "seq, body", space_id, start)

    def blinds(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, blind) from an entry on."""
        return self._of_space("blind", "seq, blind", space_id, start)

    def actors(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, ref, who) of those born from an entry on."""
        return self._of_space("actor", "seq, ref, who", space_id, start)

    def episodes(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, and the columns of `EpisodeRow`) of those stored from an entry on."""
        return self._of_space("episode", f"seq, {_EPISODE}", space_id, start)

    def embeddings(self, space_id: str, start: int, targets: Sequence[int] = ()) -> Iterator[Row]:
        """(seq, target_seq, target, model, dimensions, vector) of episodes from an entry on, and `targets`."""
        yield from self._of_space("embedding", _EMBEDDING, space_id, start, by="target_seq")
        for first in range(0, len(targets), _BATCH):
            part = targets[first : first + _BATCH]
            marks = ",".join("?" * len(part))
            sql = f"SELECT {_EMBEDDING} FROM embedding WHERE space_id = ? AND target_seq IN ({marks})"
            yield from self._rows(f"{space_id}/embedding", sql, (space_id, *part))

    def texts(self, space_id: str, ids: Sequence[str]) -> Iterator[Row]:
        """(id, text) of the episodes with these ids."""
        return self._among("episode", "id, text", space_id, "id", ids)

    def items(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, and the columns of `ItemRow`) of versions born from an entry on, and of those with these ids."""
        yield from self._of_space("item", f"seq, {_ITEM}", space_id, start)
        yield from self._named("item", f"seq, {_ITEM}", space_id, ids)

    def supports(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, memory_id, version, support, authority, removed) from an entry on, and with these ids."""
        columns = "seq, memory_id, version, support, authority, removed"
        yield from self._of_space("support", columns, space_id, start)
        yield from self._named("support", columns, space_id, ids)

    def support_parts(self, space_id: str, start: int) -> Iterator[Row]:
        """(memory_id, version, support, part, source, start, end, quote) of supports from an entry on, in order."""
        key = "memory_id, version, support"
        sql = f"SELECT {key}, part, source, quote_start, quote_end, quote FROM support_part"
        if start:
            sql += f" JOIN support USING (space_id, {key}) WHERE space_id = ? AND seq >= ?"
        else:
            sql += " WHERE space_id = ?"
        values = (space_id, start) if start else (space_id,)
        return self._rows(f"{space_id}/support_part", f"{sql} ORDER BY {key}, part", values)

    def conflicts(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, id, members, subject, relation, opened_at, resolved_at, kept) from an entry on, and with these ids."""
        columns = "seq, id, members, subject, relation, opened_at, resolved_at, kept"
        yield from self._of_space("conflict", columns, space_id, start)
        yield from self._among("conflict", columns, space_id, "id", ids)

    def revoked_sources(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, id, source_id) of those revoked from an entry on."""
        return self._of_space("revoked_source", "seq, id, source_id", space_id, start)

    def permits(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, and the columns of `PermitRow`) of those granted from an entry on, and with these ids."""
        columns = f"seq, {', '.join(PermitRow._fields)}"
        yield from self._of_space("permit", columns, space_id, start)
        yield from self._among("permit", columns, space_id, "id", ids)

    def decisions(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, and the columns of `DecisionRow`) of those made from an entry on, and with these ids."""
        columns = f"seq, {', '.join(DecisionRow._fields)}"
        yield from self._of_space("decision", columns, space_id, start)
        yield from self._among("decision", columns, space_id, "id", ids)

    def last_numbers(self, space_id: str) -> Iterator[Row]:
        """(target, number) of every memory and version of which the highest number was erased."""
        return self._of_space("last_number", "target, number", space_id, 0, by="target")

    def born(self, table: str, space_id: str, ids: Sequence[str]) -> dict[str, Any]:
        """Where the actors, episodes, versions, supports … with these ids were born: those that have a row."""
        if table in _KEYS:
            return dict(self._named(table, f"{_KEYS[table]}, seq", space_id, ids))
        column = "ref" if table == "actor" else "id"
        return dict(self._among(table, f"{column}, seq", space_id, column, ids))

    def strays(self) -> Iterator[Row]:
        """(table, space_id) of rows whose space there is not."""
        for table in _OF_SPACES:
            sql = (
                f"{ACROSS}SELECT DISTINCT space_id FROM {table} WHERE space_id NOT IN (SELECT id FROM space)"
            )
            for (space_id,) in self._rows(table, sql, ()):
                yield table, space_id

    def seals(self) -> Iterator[Row]:
        """Every (seq, note), in order."""
        return self._rows("seal", "SELECT seq, note FROM seal ORDER BY seq", ())

    def unlisted(self) -> set[Row]:
        """Every (space_id, reason) whose leaf in the directory is still to come."""
        return set(self._rows("job", f"{ACROSS}SELECT space_id, target FROM job WHERE kind = 'list'", ()))

    def _of_space(
        self, table: str, columns: str, space_id: str, start: int, *, by: str = "seq"
    ) -> Iterator[Row]:
        # From the beginning there is no bound: a row whose number is no number must show, too.
        bound, values = (f" AND {by} >= ?", (space_id, start)) if start else ("", (space_id,))
        sql = f"SELECT {columns} FROM {table} WHERE space_id = ?{bound} ORDER BY {by}"
        return self._rows(f"{space_id}/{table}", sql, values)

    def _named(self, table: str, columns: str, space_id: str, ids: Sequence[str]) -> Iterator[Row]:
        """The versions or supports with these ids, found by their memories: those have an index."""
        wanted = set(ids)
        memories = sorted({one.partition("@")[0] for one in ids})
        for key, *row in self._among(table, f"{_KEYS[table]}, {columns}", space_id, "memory_id", memories):
            if key in wanted:
                yield tuple(row)

    def _among(
        self, table: str, columns: str, space_id: str, by: str, values: Sequence[str]
    ) -> Iterator[Row]:
        for first in range(0, len(values), _BATCH):
            part = values[first : first + _BATCH]
            marks = ",".join("?" * len(part))
            sql = f"SELECT {columns} FROM {table} WHERE space_id = ? AND {by} IN ({marks})"
            yield from self._rows(f"{space_id}/{table}", sql, (space_id, *part))

    def _note(self, where: str, detail: str) -> None:
        self.damage.append(Damage(where, detail))
