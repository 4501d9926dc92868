"""Connections to one database: a pool for each process, and what a transaction says of the spaces it is about.

Every table of a space has a policy (row-level security): only rows of the spaces that the transaction names are there.
A statement names its space by its own condition or by the row it inserts. One that forgets its condition finds nothing.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper
from psycopg.types.string import BytesBinaryDumper, StrBinaryDumper

from affidavit.errors import StoreBusyError, StoreError
from affidavit.store.postgres.dialect import statement
from affidavit.store.postgres.errors import EndUnknownError
from affidavit.store.postgres.pool import Pool, PoolEmptyError
from affidavit.store.sql.connection import ACROSS

SCHEMA: Final = "affidavit"
"""The schema that holds our tables."""
SPACES: Final = "affidavit.spaces"
"""The setting that names the spaces of a transaction, one behind the other with a comma; `*` for all."""
SNAPSHOT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ"
"""Begins what reads one state. It is rolled back at its end, unless its reader has committed the trace of it."""
WRITING: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"
"""Begins what writes."""
_SET: Final = f"SELECT set_config('{SPACES}', %s, true)"
_MOST: Final = 16


class _TruthDumper(Dumper):
    """Truth values stand in columns of numbers."""

    oid = Int8Dumper.oid

    def dump(self, obj: object) -> bytes:
        return b"1" if obj else b"0"


class PostgresConnection:
    """`affidavit.store.sql.connection.Connection` over one of psycopg's, inside a transaction."""

    def __init__(self, raw: "psycopg.Connection[Any]") -> None:
        self.raw = raw
        self._named: set[str] = set()

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> "psycopg.Cursor[Any]":
        """Run one statement."""
        made = statement(sql)
        self._about(sql, made.space, [parameters])
        return self.raw.execute(made.sql, made.values(parameters) or None, binary=True)

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> "psycopg.Cursor[Any]":
        """Run one statement for each of several rows of values."""
        made, rows = statement(sql), list(parameters)
        cursor = self.raw.cursor()
        if rows:
            self._about(sql, made.space, rows)
            cursor.executemany(made.sql, [made.values(row) for row in rows])
        return cursor

    def name(self, *spaces: str) -> None:
        """Let the transaction be about these spaces, too."""
        if not self._named.issuperset(spaces):
            self._named.update(spaces)
            self.raw.execute(_SET, [",".join(sorted(self._named))])

    def was_named(self, space: str) -> None:
        """A statement has let the transaction be about this space, too."""
        self._named.add(space)

    def _about(self, sql: str, place: int | None, rows: Sequence[Sequence[Any]]) -> None:
        if sql.startswith(ACROSS):
            self.name("*")
        elif place is not None:
            self.name(*{str(row[place]) for row in rows})


class Connections:
    """The connections of this process; a forked child makes its own."""

    def __init__(self, address: str, place: str, *, busy_timeout_s: float) -> None:
        self._address, self._place, self._timeout = address, place, busy_timeout_s
        self._pid = os.getpid()
        self._closed = False
        self._pool = Pool(self.connect, most=_MOST)
        self._left_to_parent: list[Pool] = []

    def connect(self) -> "psycopg.Connection[Any]":
        """A new connection, outside the pool. Raises `psycopg.Error`s."""
        conn: psycopg.Connection[Any] = psycopg.connect(
            self._address, autocommit=True, client_encoding="UTF8", connect_timeout=max(int(self._timeout), 2)
        )
        # One type for each of ours, so that a statement is prepared once; bytes as they are and not as digits.
        conn.adapters.register_dumper(str, StrBinaryDumper)
        conn.adapters.register_dumper(int, Int8BinaryDumper)
        conn.adapters.register_dumper(bytes, BytesBinaryDumper)
        conn.adapters.register_dumper(bool, _TruthDumper)
        return conn

    @contextmanager
    def transaction(self, begin: str, *, wait_s: float | None = None) -> Iterator[PostgresConnection]:
        """A connection inside a transaction, begun by `SNAPSHOT` or `WRITING`; what wrote is committed at the end.

        `wait_s` is how long it may wait for a connection, and for each lock, if that is not as the settings say.
        Raises `EndUnknownError` where the connection broke while it was being committed.
        """
        pool, conn = self._begun(begin, wait_s)
        try:
            yield PostgresConnection(conn)
            if begin == SNAPSHOT:
                _roll_back(conn)  # it has read all it wanted: how it ends is of no matter
            elif not _is_idle(conn):
                _commit(conn)
        except BaseException:
            _roll_back(conn)
            raise
        finally:
            pool.give(conn)

    def _begun(self, begin: str, wait_s: float | None) -> "tuple[Pool, psycopg.Connection[Any]]":
        """A connection that works: where one was dropped by the server while it lay in the pool, a new one."""
        pool = self._pool_here()
        for again in (True, False):
            conn = self._taken(pool, wait_s)
            try:
                self.begin(conn, begin, wait_s)
            except BaseException as error:
                _roll_back(conn)
                broken = conn.closed and isinstance(error, psycopg.OperationalError)
                pool.give(conn)
                if not (broken and again):
                    raise
                pool.drop_idle()
            else:
                return pool, conn
        raise AssertionError

    def begin(self, conn: "psycopg.Connection[Any]", begin: str, wait_s: float | None = None) -> None:
        """Begin a transaction.

        What it needs is set for it alone: a pooler between us and the server may give each transaction another session.
        """
        wait = int((self._timeout if wait_s is None else wait_s) * 1000)
        settings = f"{begin}; SET LOCAL search_path = {SCHEMA}; SET LOCAL lock_timeout = {max(wait, 1)}"
        if begin == WRITING:
            settings += "; SET LOCAL synchronous_commit = on"
        conn.execute(settings.encode())

    @contextmanager
    def idle(self) -> "Iterator[psycopg.Connection[Any]]":
        """A connection outside any transaction."""
        pool = self._pool_here()
        conn = self._taken(pool, None)
        try:
            yield conn
        finally:
            pool.give(conn)

    def _pool_here(self) -> Pool:
        if self._closed:
            raise StoreError(f"the store {self._place} is closed", hint="open a new Memory")
        if self._pid != os.getpid():
            # Its sockets are the parent's: neither used nor closed here.
            self._left_to_parent.append(self._pool)
            self._pool, self._pid = Pool(self.connect, most=_MOST), os.getpid()
        return self._pool

    def _taken(self, pool: Pool, wait_s: float | None) -> "psycopg.Connection[Any]":
        try:
            return pool.take(self._timeout if wait_s is None else wait_s)
        except PoolEmptyError as error:
            raise StoreBusyError(
                f"all {_MOST} connections of this process to {self._place} are in use",
                hint="repeat the call, use fewer threads, or raise busy_timeout_s",
            ) from error

    def close(self) -> None:
        """Close the connections of this process."""
        self._closed = True
        if self._pid == os.getpid():
            self._pool.close()


def _commit(conn: "psycopg.Connection[Any]") -> None:
    try:
        conn.execute("COMMIT", prepare=False)
    except psycopg.OperationalError as error:
        if conn.closed:
            raise EndUnknownError(*error.args) from error
        raise


def _is_idle(conn: "psycopg.Connection[Any]") -> bool:
    return conn.info.transaction_status is TransactionStatus.IDLE


def _roll_back(conn: "psycopg.Connection[Any]") -> None:
    if conn.closed or _is_idle(conn):
        return
    try:
        conn.execute("ROLLBACK", prepare=False)
    except psycopg.Error:
        conn.close()
