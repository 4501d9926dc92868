"""Traces that wait for the writer: kept in memory until the next write takes them along."""

import sqlite3
import threading

from affidavit.store.protocol import Trace

_ADD = "INSERT OR IGNORE INTO trace (space_id, id, at, verb, shown, digest, query) VALUES (?,?,?,?,?,?,?)"


class WaitingTraces:
    """A queue that several threads fill and whoever writes next empties."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._traces: list[Trace] = []

    def put(self, trace: Trace) -> None:
        """Keep one."""
        with self._lock:
            self._traces.append(trace)

    def write(self, conn: sqlite3.Connection) -> None:
        """Write all inside the caller's transaction; they go on waiting where that fails."""
        with self._lock:
            traces, self._traces = self._traces, []
        try:
            conn.executemany(_ADD, traces)
        except sqlite3.Error:
            with self._lock:
                self._traces = traces + self._traces
            raise
