"""A store's rows without the store, in a file or in a database: what tests of meaning look at and attackers change."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from affidavit import Memory
from affidavit.config import is_address
from affidavit.store.postgres.connections import SCHEMA
from affidavit.store.postgres.dialect import statement
from tests.support_postgres import OWNER

_HEX = re.compile(r"\bx'([0-9a-fA-F]*)'")
_ZEROS = re.compile(r"\bzeroblob\((\d+)\)")


class Plain:
    """Runs the statements that are written for SQLite, and sees every row of every space."""

    def __init__(self, conn: Any, *, is_file: bool) -> None:
        self.conn = conn
        self.is_file = is_file

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Run one statement."""
        if self.is_file:
            return self.conn.execute(sql, values)
        made = statement(
            _ZEROS.sub(r"decode(repeat('00', \1), 'hex')", _HEX.sub(r"decode('\1', 'hex')", sql))
        )
        return self.conn.execute(made.sql.encode(), made.values(values) or None)

    def executescript(self, sql: str) -> None:
        """Run several statements; none holds a semicolon."""
        for one in filter(str.strip, sql.split(";")):
            self.execute(one)

    def tables(self) -> list[str]:
        """The names of all tables."""
        query = (
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name"
        )
        if not self.is_file:
            query = "SELECT tablename FROM pg_tables WHERE schemaname = 'affidavit' ORDER BY tablename"
        return [name for (name,) in self.execute(query)]


@contextmanager
def plainly(place: "Memory | str") -> Iterator[Plain]:
    """A connection of the tests' own to the store of a memory, or at a place."""
    where = str(place._rooms.config.database if isinstance(place, Memory) else place)
    if not is_address(where):
        with closing(sqlite3.connect(where, isolation_level=None)) as conn:
            yield Plain(conn, is_file=True)
        return
    import psycopg

    # As the superuser, for whom row-level security does not hold.
    with psycopg.connect(
        where.replace(f"{OWNER}@", "postgres@"), autocommit=True, cursor_factory=psycopg.ClientCursor
    ) as conn:
        conn.execute(f"SET search_path = {SCHEMA}".encode())
        yield Plain(conn, is_file=False)


def audit_of(memory: Memory) -> type[Any]:
    """The class that reads a store's rows for `verify`."""
    with memory._rooms.store.audit() as audit:
        return type(audit)
