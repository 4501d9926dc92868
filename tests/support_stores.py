"""A store's rows without the store, in a file or in a database: what tests of meaning look at and attackers change."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from affidavit import Memory
from affidavit.core.addresses import is_address
from affidavit.privacy.receipt import Receipt
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

    def loosen(self) -> None:
        """Let values in that the tables refuse, as who may write the database can."""
        if self.is_file:
            self.execute("PRAGMA ignore_check_constraints = ON")
            return
        checks = (
            "SELECT conrelid::regclass, conname FROM pg_constraint"
            " WHERE contype = 'c' AND connamespace = %s::regnamespace"
        )
        for table, name in self.conn.execute(checks, [SCHEMA]).fetchall():
            self.conn.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")

    def close(self) -> None:
        """Close the connection. What was run is committed."""
        self.conn.close()

    def tables(self) -> list[str]:
        """The names of all tables."""
        query = (
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name"
        )
        if not self.is_file:
            query = "SELECT tablename FROM pg_tables WHERE schemaname = 'affidavit' ORDER BY tablename"
        return [name for (name,) in self.execute(query)]


def plain(place: "Memory | str") -> Plain:
    """A connection of the tests' own to the store of a memory, or at a place."""
    where = str(place._rooms.config.database if isinstance(place, Memory) else place)
    if not is_address(where):
        return Plain(sqlite3.connect(where, isolation_level=None), is_file=True)
    import psycopg

    # As the superuser, for whom row-level security does not hold.
    address = where.replace(f"{OWNER}@", "postgres@")
    conn = psycopg.connect(address, autocommit=True, cursor_factory=psycopg.ClientCursor)
    conn.execute(f"SET search_path = {SCHEMA}".encode())
    return Plain(conn, is_file=False)


@contextmanager
def plainly(place: "Memory | str") -> Iterator[Plain]:
    """The same, closed at the end."""
    with closing(plain(place)) as conn:
        yield conn


def audit_of(memory: Memory) -> type[Any]:
    """The class that reads a store's rows for `verify`."""
    with memory._rooms.store.audit() as audit:
        return type(audit)


def kept_bytes(database: str, *folders: Path) -> Iterator[tuple[str, bytes]]:
    """All that is kept: every file under the folders; of a database every row, as text and as bytes.

    What a server keeps beside its live rows is not ours to remove, and a receipt says so.
    """
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            yield file.name, file.read_bytes() if file.is_file() else b""
    if is_address(database):
        with plainly(database) as rows:
            for table in rows.tables():
                for row in rows.execute(f"SELECT * FROM {table}").fetchall():
                    values = (str(one).encode() if not isinstance(one, bytes) else one for one in row)
                    yield table, b"\0".join(values)


def assert_physical(memory: Memory, receipt: Receipt) -> None:
    """The bytes are gone from our files; a server's are its own, and then the receipt says what was not reached."""
    if memory._rooms.store.files():
        assert receipt.physical_at is not None
    else:
        assert receipt.physical_at is None
        assert any("dead rows" in one for one in receipt.not_reached)
        assert any("backups" in one for one in receipt.not_reached)
