"""The store in a PostgreSQL database: many machines write, everyone sees what was committed.

A transaction that changes memory holds the lock of its space's head row from its first statement on, so that entries
have no gap and what it read of the space still holds when it commits. Spaces don't wait for each other.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Final

import psycopg

from affidavit.core.addresses import without_password
from affidavit.core.ids import DIRECTORY_ID
from affidavit.errors import InputError, StoreBusyError, StoreError, StoreReadOnlyError
from affidavit.store.keys import SigningKeys
from affidavit.store.migrations import migrations
from affidavit.store.postgres.audit import PostgresAudit
from affidavit.store.postgres.connections import SCHEMA, SNAPSHOT, WRITING, Connections, PostgresConnection
from affidavit.store.postgres.errors import DAMAGED_HINT, may_try_again, translated
from affidavit.store.postgres.findings import findings
from affidavit.store.postgres.reads import PostgresReads
from affidavit.store.postgres.schema import migrate
from affidavit.store.protocol import Clock, Counts, Entropy, Finding, Trace
from affidavit.store.sql.connection import ACROSS
from affidavit.store.sql.reads import SqlReads
from affidavit.store.sql.store import SqlStore

_LOCK: Final = "SELECT id FROM space WHERE id = %s FOR UPDATE"
_TRACE_WAIT_S: Final = 0.1
_FOR_TRACE: Final = (
    f"SELECT set_config('search_path', '{SCHEMA}', true), set_config('synchronous_commit', 'off', true),"
    f" set_config('lock_timeout', '{int(_TRACE_WAIT_S * 1000)}', true)"
)
_AGENTS: Final = "(SELECT id FROM space WHERE kind = 'agent' AND name IS NOT NULL)"
_OF_ITEM: Final = (
    "memory_id = split_part(hit.value, '@', 1)"
    " AND version = CAST(nullif(split_part(hit.value, '@', 2), '') AS BIGINT)"
)
# A trace that waited must not bring back what was erased meanwhile: its space and all that it shows must live.
# What it shows stands in its own space or in that of the acting agent. Counted for each hit, not joined: a planner
# without statistics would go through the whole space.
_ADD_TRACE: Final = f"""{ACROSS}
INSERT INTO trace (space_id, id, at, verb, shown, digest, query)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
WHERE EXISTS (SELECT 1 FROM space WHERE id = ?1 AND name IS NOT NULL)
  AND NOT EXISTS (
    SELECT 1 FROM jsonb_array_elements_text(CAST(?5 AS jsonb)) AS hit (value)
    WHERE CASE
      WHEN (SELECT count(*) FROM episode WHERE space_id = ?1 AND id = hit.value) > 0 THEN 1
      WHEN (SELECT count(*) FROM item WHERE space_id = ?1 AND {_OF_ITEM}) > 0 THEN 1
      WHEN (SELECT count(*) FROM episode WHERE space_id IN {_AGENTS} AND id = hit.value) > 0 THEN 1
      WHEN (SELECT count(*) FROM item WHERE space_id IN {_AGENTS} AND {_OF_ITEM}) > 0 THEN 1
      ELSE 0
    END = 0
  )
ON CONFLICT DO NOTHING
"""
# In the snapshot that showed it: as long as nothing was written to the space since, nothing of it was erased. Where
# something was, the server says so; where somebody writes now, its row is not free, and nothing is inserted.
_ADD_TRACE_HERE: Final = """
INSERT INTO trace (space_id, id, at, verb, shown, digest, query)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 FROM space
WHERE id = ?1 AND name IS NOT NULL AND set_config('synchronous_commit', 'off', true) = 'off'
FOR SHARE SKIP LOCKED
"""
_BEYOND: Final = (
    "dead rows in the tables of the database, until the server vacuums them and writes over their place",
    "the server's write-ahead log, and where that is archived",
    "replicas, backups and dumps of the database",
)
_COUNTED: Final = ("entry", "actor", "episode", "embedding", "permit", "decision", "trace", "seal")


class PostgresStore(SqlStore):
    """`affidavit.store.protocol.Store` in a database. Raises `AffidavitError`s and nothing of PostgreSQL's."""

    damaged_hint = DAMAGED_HINT
    add_trace = _ADD_TRACE

    def __init__(
        self,
        address: str,
        *,
        keys: Callable[[str], SigningKeys],
        clock: Clock,
        entropy: Entropy = os.urandom,
        signing: str = "local",
        busy_timeout_s: float = 30.0,
        receiving: str | None = None,
    ) -> None:
        super().__init__(keys=keys, clock=clock, entropy=entropy, signing=signing, receiving=receiving)
        self.place = without_password(address)
        self._local = threading.local()
        self._connections = Connections(address, self.place, busy_timeout_s=busy_timeout_s)
        try:
            with translated(self.place):
                migrate(self._connections, self.place, migrations(), begin_store=self._begin_store)
                self._read_only = self._may_not_write()
            self._load_identity()
        except BaseException:
            self._connections.close()
            raise

    @staticmethod
    def is_begun(address: str) -> bool:
        """Whether there is a store in the database."""
        with translated(without_password(address)), psycopg.connect(address, connect_timeout=10) as conn:
            row = conn.execute("SELECT to_regclass(%s)", [f"{SCHEMA}.meta"]).fetchone()
        return row is not None and row[0] is not None

    @property
    def read_only(self) -> bool:
        """Whether it can't be written: a standby, or a role that may only read. As it was when the store was opened."""
        return self._read_only

    def _may_not_write(self) -> bool:
        with self._connections.transaction(SNAPSHOT) as conn:
            row = conn.raw.execute(
                "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'"
                f" OR NOT has_table_privilege('{SCHEMA}.entry', 'INSERT')"
            ).fetchone()
        return bool(row and row[0])

    def _may_try_again(self, error: StoreBusyError) -> bool:
        return error.__cause__ is not None and may_try_again(error.__cause__)

    @contextmanager
    def snapshot(self) -> Iterator[SqlReads]:
        """Reads of one consistent state. Nested ones share the outermost state."""
        with self.raw() as conn:
            yield PostgresReads(conn)

    @contextmanager
    def raw(self) -> Iterator[PostgresConnection]:
        """The connection itself, inside one state."""
        held = self._held()
        if held is not None:
            yield held
            return
        with translated(self.place), self._connections.transaction(SNAPSHOT) as conn:
            self._local.conn, self._local.pid = conn, os.getpid()
            try:
                yield conn
            finally:
                self._local.conn = None

    def _held(self) -> PostgresConnection | None:
        """The connection of the snapshot that this thread is in."""
        held: PostgresConnection | None = getattr(self._local, "conn", None)
        return held if held is not None and self._local.pid == os.getpid() else None

    @contextmanager
    def _writing(
        self, *, space_id: str | None = None, whole: bool = False, durably: bool = False
    ) -> Iterator[PostgresConnection]:
        """See `affidavit.store.sql.store.SqlStore._writing`. Every commit is on the server's disk when it returns."""
        self._check_writable()
        with translated(self.place), self._connections.transaction(WRITING) as conn:
            if whole:
                # The directory's first: then no space is born that would be missed.
                conn.raw.execute(_LOCK, [DIRECTORY_ID])
                conn.raw.execute("SELECT id FROM space ORDER BY id FOR UPDATE").fetchall()
            elif space_id is not None and conn.raw.execute(_LOCK, [space_id]).fetchone() is None:
                # It may be born here, and not while others lock them all.
                conn.raw.execute("SELECT id FROM space WHERE id = %s FOR SHARE", [DIRECTORY_ID])
            yield conn

    def _check_writable(self) -> None:
        if self._read_only:
            raise StoreReadOnlyError(
                f"{self.place} can only be read", hint="connect to the primary, as a role that may write"
            )

    @contextmanager
    def audit(self) -> Iterator[PostgresAudit]:
        """Reads for `verify`, of one consistent state."""
        with self.raw() as conn:
            yield PostgresAudit(conn)

    def save_trace(self, trace: Trace) -> bool:
        """See `affidavit.store.protocol.Store.save_trace`."""
        if self._read_only:
            return False
        if trace.here and not len(self._traces) and self._write_trace_here(trace):
            return True
        self._traces.put(trace)
        try:
            with (
                self._traces.unless_it_fails(),
                translated(self.place),
                self._tracing(trace.space_id) as conn,
            ):
                self._traces.write(conn)
        except StoreBusyError:
            pass  # kept in memory: the next write takes it along
        except StoreError:
            self._traces.drop(trace)
            return False
        return True

    def _write_trace_here(self, trace: Trace) -> bool:
        """Write it in the snapshot that is open, and end that. False where that can't be: then it is still to do."""
        held = self._held()
        if held is None:
            return False
        try:
            with held.raw.pipeline():
                written = held.execute(_ADD_TRACE_HERE, trace.row)
                # Behind what may fail nothing is prepared: the driver would believe that it was.
                held.raw.execute("COMMIT", prepare=False)
        except psycopg.Error:
            return False
        return written.rowcount == 1

    @contextmanager
    def _tracing(self, space_id: str) -> Iterator[PostgresConnection]:
        """A transaction that waits for nobody for long; on the connection of this thread's snapshot, which it ends.

        All of it goes to the server at once. Traces are not memory: a crash of the server may take the newest ones.
        """
        held = self._held()
        with (
            nullcontext(held)
            if held
            else self._connections.transaction(SNAPSHOT, wait_s=_TRACE_WAIT_S) as conn
        ):
            raw = conn.raw
            try:
                with raw.pipeline():
                    for begin in ("ROLLBACK", WRITING, _FOR_TRACE):
                        raw.execute(begin)
                    raw.execute("SELECT id FROM space WHERE id = %s FOR SHARE", [space_id])
                    yield PostgresConnection(raw)
                    raw.execute("COMMIT")
            except psycopg.Error:
                # The driver believes to be prepared what stood behind the failure: that connection is of no use.
                raw.close()
                raise

    # -- the database as a whole

    def counts(self) -> Counts:
        """How much there is of everything."""
        with self.raw() as conn:

            def all_of(sql: str) -> list[Any]:
                return conn.execute(f"{ACROSS}{sql}").fetchall()

            spaces = (
                "SELECT kind, count(*) FROM space WHERE kind != 'directory' AND name IS {} NULL GROUP BY kind"
            )
            return Counts(
                schema=len(migrations()),
                spaces=dict(all_of(spaces.format("NOT"))),
                erased_spaces=sum(dict(all_of(spaces.format(""))).values()),
                rows={name: all_of(f"SELECT count(*) FROM {name}")[0][0] for name in _COUNTED},
                relations=dict(
                    all_of(
                        "SELECT relation, count(*) FROM item WHERE relation IS NOT NULL GROUP BY relation"
                        " ORDER BY relation"
                    )
                ),
                waiting=dict(all_of("SELECT kind, count(*) FROM job GROUP BY kind")),
            )

    def truncate_log(self) -> bool:
        """False: what was deleted stays in dead rows until the server vacuums, and in its log after that."""
        return False

    def compact(self) -> None:
        """Let the server take back the room of dead rows."""
        with translated(self.place), self._connections.idle() as conn:
            for table in conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [SCHEMA]):
                conn.execute(f"VACUUM {SCHEMA}.{table[0]}")

    def backup(self, path: str) -> None:
        """Not from here: raises `InputError`."""
        raise InputError(
            f"{self.place} is backed up by its own tools, not into {path}",
            hint="use pg_dump or a base backup, as the deployment page says",
        )

    def findings(self) -> list[Finding]:
        """See `affidavit.store.protocol.Store.findings`."""
        with self.raw() as conn:
            return findings(conn)

    def beyond_reach(self) -> tuple[str, ...]:
        """See `affidavit.store.protocol.Store.beyond_reach`."""
        return _BEYOND

    def files(self) -> list[str]:
        """None: the server's files are its own."""
        return []

    def size(self) -> int:
        """Bytes of the tables and indexes."""
        with self.raw() as conn:
            row = conn.raw.execute(
                "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c JOIN pg_namespace n"
                " ON n.oid = c.relnamespace WHERE n.nspname = %s AND c.relkind = 'r'",
                [SCHEMA],
            ).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Close the connections of this process. What was committed is safe without it."""
        self._connections.close()
