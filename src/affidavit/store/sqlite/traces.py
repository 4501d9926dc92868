"""Traces that wait for the writer: kept in memory until the next write takes them along."""

import sqlite3
import threading

from affidavit.store.protocol import Trace

# A trace that waited must not bring back what was erased meanwhile: its space and all that it shows must live.
# What it shows stands in its own space or in that of the acting agent.
_ADD = """
INSERT OR IGNORE INTO trace (space_id, id, at, verb, shown, digest, query)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
WHERE EXISTS (SELECT 1 FROM space WHERE id = ?1 AND name IS NOT NULL)
  AND NOT EXISTS (
    SELECT 1 FROM json_each(?5) AS hit
    WHERE NOT EXISTS (SELECT 1 FROM episode WHERE space_id = ?1 AND id = hit.value)
      AND NOT EXISTS (
        SELECT 1 FROM episode WHERE id = hit.value
          AND space_id IN (SELECT id FROM space WHERE kind = 'agent' AND name IS NOT NULL)
      )
      AND NOT EXISTS (
        SELECT 1 FROM item
        WHERE memory_id = substr(hit.value, 1, instr(hit.value, '@') - 1)
          AND version = CAST(substr(hit.value, instr(hit.value, '@') + 1) AS INTEGER)
          AND space_id IN (SELECT id FROM space WHERE id = ?1 OR (kind = 'agent' AND name IS NOT NULL))
      )
  )
"""


class WaitingTraces:
    """A queue that several threads fill and whoever writes next empties."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._traces: list[Trace] = []

    def put(self, trace: Trace) -> None:
        """Keep one."""
        with self._lock:
            self._traces.append(trace)

    def drop(self, trace: Trace) -> None:
        """Give one up."""
        with self._lock:
            self._traces = [waiting for waiting in self._traces if waiting is not trace]

    def write(self, conn: sqlite3.Connection, *, commit: bool = False) -> None:
        """Write all inside the caller's transaction, and `commit` it; they go on waiting where that fails."""
        with self._lock:
            traces, self._traces = self._traces, []
        if not traces:
            return
        try:
            conn.executemany(_ADD, traces)
            if commit:
                conn.execute("COMMIT")
        except sqlite3.Error:
            with self._lock:
                self._traces = traces + self._traces
            raise
