"""Reads for `verify` of a file: what SQLite says of it, and rows that it can't read as text."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from affidavit.store.audit_reads import Row
from affidavit.store.migrations import migrations
from affidavit.store.sql.audit import SqlAudit
from affidavit.store.sqlite.schema import check_shape

_MOST_LINES = 100
_BATCH = 500


class SqliteAudit(SqlAudit):
    """`affidavit.store.audit_reads.Audit` of a file."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        super().__init__()
        self._conn = conn

    def file(self) -> None:
        """Let SQLite check its file and indexes, and compare the schema with what the migrations make."""
        for (line,) in self._rows("file", f"PRAGMA integrity_check({_MOST_LINES})", ()):
            if line != "ok":
                self._note("file", str(line))
        try:
            different = check_shape(self._conn, migrations())
        except (sqlite3.Error, ValueError, TypeError) as error:
            self._note("schema", f"it can't be compared: {error}")
            return
        for name in different:
            self._note("schema", f"{name} is not as the migrations make it")

    def _rows(self, where: str, sql: str, values: Sequence[Any]) -> Iterator[Row]:
        """The rows, until one can't be read. Text that is not UTF-8 is read with its bytes kept apart."""
        done = 0
        try:
            cursor = self._conn.execute(sql, values)
            while rows := cursor.fetchmany(_BATCH):
                yield from rows
                done += len(rows)
        except sqlite3.OperationalError as error:
            self._note(where, str(error))
            if "decode" not in str(error).lower():
                return
        except (sqlite3.Error, ValueError, OverflowError) as error:
            self._note(where, str(error))
            return
        else:
            return
        yield from self._leniently(where, f"{sql} LIMIT -1 OFFSET {done}", values)

    def _leniently(self, where: str, sql: str, values: Sequence[Any]) -> Iterator[Row]:
        before = self._conn.text_factory
        try:
            self._conn.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
            rows = self._conn.execute(sql, values).fetchall()
        except (sqlite3.Error, ValueError) as error:
            self._note(where, str(error))
            return
        finally:
            self._conn.text_factory = before
        yield from rows
