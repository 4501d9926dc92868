"""Traces that wait for the writer: kept in memory until the next write takes them along."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from affidavit.store.protocol import Trace
from affidavit.store.sql.connection import Connection


class WaitingTraces:
    """A queue that several threads fill and whoever writes next empties."""

    def __init__(self, add: str) -> None:
        self._add = add
        self._lock = threading.Lock()
        self._traces: list[Trace] = []
        self._mine = threading.local()

    def __len__(self) -> int:
        """How many wait."""
        return len(self._traces)

    def put(self, trace: Trace) -> None:
        """Keep one."""
        with self._lock:
            self._traces.append(trace)

    def drop(self, trace: Trace) -> None:
        """Give one up."""
        with self._lock:
            self._traces = [waiting for waiting in self._traces if waiting is not trace]

    def write(self, conn: Connection, *, commit: bool = False) -> None:
        """Write all inside the caller's transaction, and `commit` it; they go on waiting where that fails."""
        with self._lock:
            traces, self._traces = self._traces, []
        if not traces:
            return
        try:
            conn.executemany(self._add, [trace.row for trace in traces])
            if commit:
                conn.execute("COMMIT")
        except Exception:
            self._put_back(traces)
            raise
        self._mine.written = traces

    @contextmanager
    def unless_it_fails(self) -> Iterator[None]:
        """What this thread wrote inside waits again where its transaction was not committed."""
        self._mine.written = []
        try:
            yield
        except Exception:
            self._put_back(self._mine.written)
            raise

    def _put_back(self, traces: list[Trace]) -> None:
        with self._lock:
            self._traces = traces + self._traces
