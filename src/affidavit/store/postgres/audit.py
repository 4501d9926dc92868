"""Reads for `verify` of a database: its own schema compared, and rows as they stand."""

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg

from affidavit.store.audit_reads import Row
from affidavit.store.migrations import migrations
from affidavit.store.postgres.connections import PostgresConnection
from affidavit.store.postgres.shape import differences
from affidavit.store.sql.audit import SqlAudit


class PostgresAudit(SqlAudit):
    """`affidavit.store.audit_reads.Audit` of a database."""

    def __init__(self, conn: PostgresConnection) -> None:
        super().__init__()
        self._conn = conn

    def file(self) -> None:
        """Compare the schema with what the migrations make. The server checks its own pages."""
        try:
            different = differences(self._conn, migrations())
        except (psycopg.Error, ValueError, TypeError) as error:
            self._note("schema", f"it can't be compared: {error}")
            return
        for name in different:
            self._note("schema", f"{name} is not as the migrations make it")

    def _rows(self, where: str, sql: str, values: Sequence[Any]) -> Iterator[Row]:
        # An error ends a transaction; behind a savepoint the next question can still be asked.
        try:
            with self._conn.raw.transaction():
                rows = self._conn.execute(sql, values).fetchall()
        except psycopg.Error as error:
            self._note(where, " ".join(str(error).split()))
            return
        yield from rows
