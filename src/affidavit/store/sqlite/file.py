"""The file: its connections, consistent reads, the one writer at a time, and what can be done to it as a whole."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from affidavit.errors import StoreReadOnlyError
from affidavit.store.place import check_place, is_writable, make_private, place_named
from affidavit.store.protocol import Counts, Finding
from affidavit.store.sql.reads import SqlReads
from affidavit.store.sqlite.audit import SqliteAudit
from affidavit.store.sqlite.connections import Connections
from affidavit.store.sqlite.errors import translated

_RELATIONS = (
    "SELECT relation, count(*) FROM item WHERE relation IS NOT NULL GROUP BY relation ORDER BY relation"
)


class SqliteFile:
    """A database file that several processes and threads share. Raises `StoreError`s and nothing of SQLite's."""

    def __init__(self, path: str | os.PathLike[str], *, durability: str, busy_timeout_s: float) -> None:
        self.path = place_named(path)
        check_place(self.path)
        self._read_only = self.path.exists() and not is_writable(self.path)
        self._connections = Connections(
            self.path, durability=durability, busy_timeout_s=busy_timeout_s, read_only=self._read_only
        )
        if not self._read_only:
            make_private(self.path)

    @property
    def read_only(self) -> bool:
        """Whether the file or its folder can't be written."""
        return self._read_only

    @contextmanager
    def snapshot(self) -> Iterator[SqlReads]:
        """Reads of one consistent state. Nested ones share the outermost state."""
        with translated(str(self.path)), self._connections.using() as conn:
            if conn.in_transaction:
                yield SqlReads(conn)
                return
            conn.execute("BEGIN")
            try:
                yield SqlReads(conn)
            finally:
                if conn.in_transaction:
                    conn.execute("ROLLBACK")

    @contextmanager
    def _writing(
        self, *, space_id: str | None = None, whole: bool = False, durably: bool = False
    ) -> Iterator[sqlite3.Connection]:
        """See `affidavit.store.sql.store.SqlStore._writing`: there is one writer, whatever is to be locked."""
        if self._read_only:
            raise StoreReadOnlyError(
                f"{self.path} can only be read", hint="check the permissions of the file and of its folder"
            )
        with translated(str(self.path)), self._connections.using() as conn:
            if durably:
                self._connections.sync_fully(conn)
            try:
                conn.execute("BEGIN IMMEDIATE")
                yield conn
                conn.execute("COMMIT")
            except BaseException:
                if conn.in_transaction:
                    conn.execute("ROLLBACK")
                raise
            finally:
                if durably:
                    self._connections.sync_normally(conn)

    def truncate_log(self) -> bool:
        """See `affidavit.store.protocol.Store.truncate_log`."""
        with translated(str(self.path)), self._connections.using() as conn:
            self._connections.wait_briefly(conn)
            try:
                busy = conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            finally:
                self._connections.wait_normally(conn)
        return not busy

    def compact(self) -> None:
        """See `affidavit.store.protocol.Store.compact`."""
        with translated(str(self.path)), self._connections.using() as conn:
            conn.execute("VACUUM")

    def backup(self, path: str) -> None:
        """A consistent copy of the whole file at `path`, which must not exist."""
        make_private(Path(path))
        with translated(path), self._connections.using() as conn:
            conn.execute("VACUUM INTO ?", (path,))

    def files(self) -> list[str]:
        """The files this store is made of, those that exist."""
        names = [f"{self.path}{end}" for end in ("", "-wal", "-shm", "-journal")]
        return [name for name in names if Path(name).exists()]

    def findings(self) -> list[Finding]:
        """None: a file is its path and size."""
        return []

    def beyond_reach(self) -> tuple[str, ...]:
        """The copies that we made of this file before a migration."""
        return tuple(sorted(map(str, self.path.parent.glob(f"{self.path.name}.before-schema-*"))))

    def size(self) -> int:
        """Bytes of these files; one that another process removes meanwhile has none."""
        total = 0
        for name in self.files():
            with suppress(FileNotFoundError):
                total += Path(name).stat().st_size
        return total

    def counts(self) -> Counts:
        """How much there is of everything."""
        with self.raw() as conn:
            tables = ("entry", "actor", "episode", "embedding", "permit", "decision", "trace", "seal")
            rows = {name: conn.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
            spaces = (
                "SELECT kind, count(*) FROM space WHERE kind != 'directory' AND name IS {} NULL GROUP BY kind"
            )
            return Counts(
                schema=int(conn.execute("PRAGMA user_version").fetchone()[0]),
                spaces=dict(conn.execute(spaces.format("NOT"))),
                erased_spaces=sum(dict(conn.execute(spaces.format(""))).values()),
                rows=rows,
                relations=dict(conn.execute(_RELATIONS)),
                waiting=dict(conn.execute("SELECT kind, count(*) FROM job GROUP BY kind")),
            )

    @contextmanager
    def audit(self) -> Iterator[SqliteAudit]:
        """Reads for `verify`, of one consistent state."""
        with self.snapshot(), self._connections.using() as conn:
            yield SqliteAudit(conn)

    @contextmanager
    def raw(self) -> Iterator[sqlite3.Connection]:
        """The connection itself, inside one state."""
        with self.snapshot(), translated(str(self.path)), self._connections.using() as conn:
            yield conn

    def close(self) -> None:
        """Close the connections of this process. What was committed is safe without it."""
        self._connections.close()
