"""The store in one SQLite file: several processes and threads write, everyone sees what was committed."""

import os
import sqlite3
from collections.abc import Callable

from affidavit.errors import StoreBusyError, StoreError
from affidavit.store.keys import SigningKeys
from affidavit.store.migrations import migrations
from affidavit.store.protocol import Clock, Entropy, Trace
from affidavit.store.sql.store import SqlStore
from affidavit.store.sqlite.errors import DAMAGED_HINT, translated
from affidavit.store.sqlite.file import SqliteFile
from affidavit.store.sqlite.schema import migrate

# A trace that waited must not bring back what was erased meanwhile: its space and all that it shows must live.
# What it shows stands in its own space or in that of the acting agent.
_ADD_TRACE = """
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


class SqliteStore(SqliteFile, SqlStore):
    """`affidavit.store.protocol.Store` in one file. Raises `StoreError`s and nothing of SQLite's."""

    damaged_hint = DAMAGED_HINT
    add_trace = _ADD_TRACE

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        keys: Callable[[str], SigningKeys],
        clock: Clock,
        entropy: Entropy = os.urandom,
        durability: str = "normal",
        signing: str = "local",
        busy_timeout_s: float = 30.0,
        receiving: str | None = None,
    ) -> None:
        SqliteFile.__init__(self, path, durability=durability, busy_timeout_s=busy_timeout_s)
        SqlStore.__init__(self, keys=keys, clock=clock, entropy=entropy, signing=signing, receiving=receiving)
        self.place = str(self.path)
        try:
            with translated(self.place), self._connections.using() as conn:
                migrate(
                    conn, self.path, migrations(), begin_store=self._begin_store, read_only=self._read_only
                )
            self._load_identity()
        except BaseException:
            self._connections.close()
            raise

    def save_trace(self, trace: Trace) -> bool:
        """See `affidavit.store.protocol.Store.save_trace`."""
        if self._read_only:
            return False
        self._traces.put(trace)
        with self._connections.using() as conn:
            if conn.in_transaction and self._write_traces_here(conn):
                return True
            self._connections.wait_briefly(conn)
            try:
                with self._writing() as writer:
                    self._traces.write(writer)
            except StoreBusyError:
                pass  # kept in memory: the next write takes it along
            except StoreError:
                # Full, or read-only by now: a search must not fail for its trace.
                self._traces.drop(trace)
                return False
            finally:
                self._connections.wait_normally(conn)
        return True

    def _write_traces_here(self, conn: sqlite3.Connection) -> bool:
        """Write what waits in the snapshot that is open, and end it.

        False where that can't be, because another one writes or has written since it began; then it has ended too.
        """
        try:
            self._traces.write(conn, commit=True)
        except sqlite3.Error:
            written = False
        else:
            written = not conn.in_transaction
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        return written
