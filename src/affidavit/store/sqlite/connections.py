"""Connections to one file: one a thread, dropped in a forked child, with our settings."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from affidavit.errors import StoreError
from affidavit.store.sqlite.errors import translated

_SYNCHRONOUS = {"normal": "NORMAL", "full": "FULL"}
_TRACE_WAIT_MS = 100
# Connections of the parent that a forked child must neither use nor close (closing would touch the parent's log).
_left_to_parent: list[sqlite3.Connection] = []


class Connections:
    """Opens a file as often as threads need it; every connection behaves the same."""

    def __init__(self, path: Path, *, durability: str, busy_timeout_s: float, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._synchronous = _SYNCHRONOUS[durability]
        self._timeout = busy_timeout_s
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._local = threading.local()
        self._open: dict[int, tuple[threading.Thread, sqlite3.Connection, threading.Lock]] = {}
        self._closed = False

    def get(self) -> sqlite3.Connection:
        """This thread's connection."""
        if self._closed:
            raise StoreError(f"the store {self.path} is closed", hint="open a new Memory")
        if self._pid != os.getpid():
            self._forget_parent()
        conn: sqlite3.Connection | None = getattr(self._local, "conn", None)
        if conn is None:
            self._local.lock = threading.Lock()
            conn = self._connect(self._local.lock)
            self._local.conn = conn
        return conn

    @contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection, which nobody closes meanwhile (SQLite would crash). May be nested."""
        local = self._local
        if getattr(local, "depth", 0):
            yield local.conn
            return
        conn = self.get()
        local = self._local  # another one in a forked child
        with local.lock:
            if self._closed:
                self.get()  # raises
            local.depth = 1
            try:
                yield conn
            finally:
                local.depth = 0
                if self._closed and self._pid == os.getpid():
                    conn.close()  # whoever closed the store left it to us

    def _forget_parent(self) -> None:
        self._lock = threading.Lock()
        _left_to_parent.extend(conn for _, conn, _ in self._open.values())
        self._open = {}
        self._local = threading.local()
        self._pid = os.getpid()

    def _connect(self, lock: threading.Lock) -> sqlite3.Connection:
        with translated(str(self.path)):
            conn = sqlite3.connect(
                self._uri(), uri=True, timeout=self._timeout, isolation_level=None, check_same_thread=False
            )
            conn.execute("PRAGMA trusted_schema = OFF")
            conn.execute("PRAGMA cell_size_check = ON")
            # Temporary files would be copies of the text that no erasure reaches.
            conn.execute("PRAGMA temp_store = MEMORY")
            if not self.read_only:
                conn.execute("PRAGMA secure_delete = ON")
                conn.execute(f"PRAGMA synchronous = {self._synchronous}")
        with self._lock:
            dead = [key for key, (thread, *_) in self._open.items() if not thread.is_alive()]
            for key in dead:
                self._open.pop(key)[1].close()
            self._open[id(conn)] = (threading.current_thread(), conn, lock)
        return conn

    def _uri(self) -> str:
        base = self.path.absolute().as_uri()
        if not self.read_only:
            return f"{base}?mode=rwc"
        # Without a log beside it the file is all there is: it can be read even where no lock file can be made.
        wal = self.path.with_name(self.path.name + "-wal")
        alone = not wal.exists() or wal.stat().st_size == 0
        return f"{base}?immutable=1" if alone else f"{base}?mode=ro"

    def wait_briefly(self, conn: sqlite3.Connection) -> None:
        """Let the next statement wait no longer than a trace may."""
        conn.execute(f"PRAGMA busy_timeout = {_TRACE_WAIT_MS}")

    def wait_normally(self, conn: sqlite3.Connection) -> None:
        """Back to the configured wait."""
        conn.execute(f"PRAGMA busy_timeout = {int(self._timeout * 1000)}")

    def sync_fully(self, conn: sqlite3.Connection) -> None:
        """Let the next transactions reach the disk before they return."""
        conn.execute("PRAGMA synchronous = FULL")

    def sync_normally(self, conn: sqlite3.Connection) -> None:
        """Back to the configured durability."""
        conn.execute(f"PRAGMA synchronous = {self._synchronous}")

    def close(self) -> None:
        """Close every connection that this process opened; one in use is closed by its thread when that is done."""
        self._closed = True
        if self._pid != os.getpid():
            self._forget_parent()
            return
        with self._lock:
            for _, conn, lock in self._open.values():
                if lock.acquire(blocking=False):
                    conn.close()
                    lock.release()
            self._open.clear()
