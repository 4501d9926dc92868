"""The store in one SQLite file: several processes and threads write, everyone sees what was committed."""

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from affidavit.core.authority import SpaceKind
from affidavit.core.changes import Change, SpaceOpened, StoreOpened
from affidavit.core.ids import DIRECTORY_ID, RANDOM_BYTES, SPACE, STORE, make_id
from affidavit.core.values import Head, Owner
from affidavit.errors import (
    ConflictError,
    KeyLostError,
    StoreBusyError,
    StoreReadOnlyError,
    StoreUnreadableError,
)
from affidavit.ledger.encoding import parse_entry
from affidavit.ledger.note import NoteError, parse_note
from affidavit.store.commit import sign_head, write_entries
from affidavit.store.directory import is_signed, list_changed, list_waiting
from affidavit.store.migrations import migrations
from affidavit.store.place import check_place, is_writable
from affidavit.store.protocol import Clock, Commit, Counts, Entropy, Job, Prepare, Reads, Trace, View
from affidavit.store.sqlite.apply import apply_changes
from affidavit.store.sqlite.audit import SqliteAudit
from affidavit.store.sqlite.connections import Connections
from affidavit.store.sqlite.errors import DAMAGED_HINT, translated
from affidavit.store.sqlite.reads import SqliteReads
from affidavit.store.sqlite.schema import migrate
from affidavit.store.sqlite.traces import WaitingTraces

if TYPE_CHECKING:
    from affidavit.ledger.note import PublicKey, Signer

STORE_ID_KEY = "store_id"
_STORE_ID = re.compile(rf"{STORE}[0-9a-f]{{32}}", re.ASCII)


class SigningKeys(Protocol):
    """Where a store's signing key comes from; it never lies in the database."""

    def signer(self) -> "Signer | None":
        """The key, if it is here."""
        ...

    def create(self) -> "Signer":
        """The key, made if there is none."""
        ...

    def public_keys(self) -> "list[PublicKey]":
        """The keys whose signatures are believed."""
        ...


class SqliteView(SqliteReads):
    """What a `prepare` sees under the lock."""

    def __init__(self, conn: sqlite3.Connection, space_id: str, now: int, entropy: Entropy) -> None:
        super().__init__(conn)
        self.space_id = space_id
        self._now = now
        self._entropy = entropy

    @property
    def now(self) -> int:
        """The instant of the commit."""
        return self._now

    def new_id(self, prefix: str) -> str:
        """A fresh id of that instant."""
        return make_id(prefix, self._now, self._entropy(RANDOM_BYTES))


class SqliteStore:
    """`affidavit.store.protocol.Store` in one file. Raises `StoreError`s and nothing of SQLite's."""

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
        must_exist: bool = False,
    ) -> None:
        self.path = Path(path).expanduser()
        check_place(self.path)
        if must_exist and not self.path.exists():
            raise StoreReadOnlyError(
                f"there is no store at {self.path}", hint="make one with `affidavit init`"
            )
        self._keys, self._clock, self._entropy = keys, clock, entropy
        self._read_only = self.path.exists() and not is_writable(self.path)
        self._connections = Connections(
            self.path, durability=durability, busy_timeout_s=busy_timeout_s, read_only=self._read_only
        )
        self._traces = WaitingTraces()
        if not self._read_only:
            _make_private(self.path)
        self._signing = "seal" if signing == "later" else "commit"
        try:
            with translated(str(self.path)):
                conn = self._connections.get()
                self.migration_backup = migrate(
                    conn, self.path, migrations(), begin_store=self._begin_store, read_only=self._read_only
                )
            self._load_identity()
        except BaseException:
            self._connections.close()
            raise

    def _begin_store(self, conn: sqlite3.Connection) -> None:
        """The first rows of a new file: its id, and the directory with its first entry."""
        now = self._clock.now()
        self._store_id = make_id(STORE, now, self._entropy(RANDOM_BYTES))
        keys = self._keys(self._store_id)
        self._signer = (keys.signer() or keys.create()) if self._signing == "commit" else None
        conn.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (STORE_ID_KEY, self._store_id))
        conn.execute(
            "INSERT INTO space (id, kind, name, size, root, frontier, note, listed)"
            " VALUES (?, ?, NULL, 0, x'', x'', NULL, 0)",
            (DIRECTORY_ID, str(SpaceKind.DIRECTORY)),
        )
        opened = StoreOpened(store_id=self._store_id, signing=self._signing)
        self._write(conn, DIRECTORY_ID, None, [opened], now)

    def _load_identity(self) -> None:
        """Which store this is, how it signs, and whether the key here is the one that signed it."""
        try:
            with self.snapshot() as reads:
                self._store_id = str(reads.meta().get(STORE_ID_KEY))
                first = next(iter(reads.entries(DIRECTORY_ID, 0, 1)), None)
                head = reads.head(DIRECTORY_ID)
        except ValueError as error:
            raise self._damaged(str(error)) from error
        # The id names a folder of keys: nothing but an id of ours may do that.
        if _STORE_ID.fullmatch(self._store_id) is None:
            raise self._damaged("it does not say which store it is")
        try:
            self._signing = str(parse_entry(first[1]).get("signing")) if first else ""
            signed_by = (
                {name for name, *_ in parse_note(head.note).signatures} if head and head.note else set()
            )
        except (AttributeError, TypeError, ValueError, NoteError):
            signed_by = set()
        keys = self._keys(self._store_id)
        known = {key.name for key in keys.public_keys()}
        # A fresh key must not sign on where another one signed before: that would hide the loss.
        self._signer = keys.signer() if not signed_by or signed_by & known else None

    def _damaged(self, why: str) -> StoreUnreadableError:
        return StoreUnreadableError(f"{self.path} is damaged: {why}", hint=DAMAGED_HINT)

    @property
    def store_id(self) -> str:
        """The store's random id; the first line of every signed head names it."""
        return self._store_id

    @property
    def read_only(self) -> bool:
        """Whether the file or its folder can't be written."""
        return self._read_only

    @property
    def signs_commits(self) -> bool:
        """Whether every commit of this store is signed (else heads wait for a seal)."""
        return self._signing == "commit"

    # -- reading

    @contextmanager
    def snapshot(self) -> Iterator[Reads]:
        """Reads of one consistent state. Nested ones share the outermost state."""
        with translated(str(self.path)):
            conn = self._connections.get()
            if conn.in_transaction:
                yield SqliteReads(conn)
                return
            conn.execute("BEGIN")
            try:
                yield SqliteReads(conn)
            finally:
                if conn.in_transaction:
                    conn.execute("ROLLBACK")

    # -- writing

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self._read_only:
            raise StoreReadOnlyError(
                f"{self.path} can only be read", hint="check the permissions of the file and of its folder"
            )
        with translated(str(self.path)):
            conn = self._connections.get()
            conn.execute("BEGIN IMMEDIATE")
            try:
                yield conn
                conn.execute("COMMIT")
            except BaseException:
                if conn.in_transaction:
                    conn.execute("ROLLBACK")
                raise

    def commit(
        self, space_id: str, changes: Sequence[Change] | Prepare, *, expect: tuple[int, bytes] | None = None
    ) -> Commit:
        """See `affidavit.store.protocol.Store.commit`."""
        self._require_key()
        with self._writing() as conn:
            now = self._clock.now()
            view = SqliteView(conn, space_id, now, self._entropy)
            head = view.head(space_id)
            if expect is not None and (head is None or (head.size, head.root) != expect):
                raise ConflictError(f"space {space_id} has changed", hint="read again and repeat the call")
            if head is not None and head.name is None and space_id != DIRECTORY_ID:
                raise ConflictError(f"space {space_id} was erased", hint="repeat the call: a new one is opened")
            made = tuple(changes(view) if callable(changes) else changes)
            if not made:
                if head is None:
                    raise ConflictError(f"space {space_id} does not exist", hint="open it first")
                return Commit(head=head, at=now, first=head.size, changes=())
            done = self._write(conn, space_id, head, made, now)
            self._traces.write(conn)
        if any(change.op in {"SpaceOpened", "SpaceErased"} for change in made):
            self._list_spaces()
        return done

    def _write(
        self, conn: sqlite3.Connection, space_id: str, head: Head | None, changes: Sequence[Change], now: int
    ) -> Commit:
        written = write_entries(changes, now, self._entropy, head)
        first = head.size if head else 0
        apply_changes(conn, space_id, first, now, changes)
        kept = -1 if changes[-1].op == "SpaceErased" else 0
        rows = [(space_id, seq, body) for seq, body in enumerate(written.bodies, first)]
        conn.executemany("INSERT INTO entry (space_id, seq, body) VALUES (?, ?, ?)", rows[kept:])
        conn.executemany(
            "INSERT INTO blind (space_id, seq, blind) VALUES (?, ?, ?)",
            [(space_id, seq, blind) for seq, blind in enumerate(written.blinds, first) if blind is not None],
        )
        note = head.note if head else None
        if self._signer is not None and self._signing == "commit":
            note = sign_head(self._signer, self._store_id, space_id, written.size, written.root)
        conn.execute(
            "UPDATE space SET size = ?, root = ?, frontier = ?, note = ? WHERE id = ?",
            (written.size, written.root, written.frontier, note, space_id),
        )
        row = SqliteReads(conn).head(space_id)
        if row is None:
            raise ConflictError(f"space {space_id} does not exist", hint="its first change must open it")
        return Commit(head=row, at=now, first=first, changes=tuple(changes))

    def _require_key(self) -> None:
        if self._signing == "commit" and self._signer is None:
            raise KeyLostError(
                f"the heads of {self.path} are signed by a key that is not here; nothing was written",
                hint="bring the key back with `affidavit keys import FILE`, or give it up with"
                " `affidavit keys rotate --lost`",
            )

    def preview(self, space_id: str, prepare: Prepare) -> tuple[Change, ...]:
        """What `prepare` would do now; nothing is written."""
        with self.snapshot():
            return tuple(
                prepare(SqliteView(self._connections.get(), space_id, self._clock.now(), self._entropy))
            )

    def open_space(self, owner: Owner) -> Head:
        """The owner's space, born now if there is none."""
        with self.snapshot() as reads:
            found = reads.find_space(owner)
        if found is not None:
            return found
        space_id = make_id(SPACE, self._clock.now(), self._entropy(RANDOM_BYTES))

        def born(view: View) -> Sequence[Change]:
            # Another process may have been first.
            return () if view.find_space(owner) else [SpaceOpened(space_id=space_id, owner=owner)]

        try:
            return self.commit(space_id, born).head
        except ConflictError:
            return self.open_space(owner)

    # -- the directory

    def _list_spaces(self) -> None:
        """Give the spaces that were born or erased their leaf in the directory."""
        self.commit(DIRECTORY_ID, list_waiting)

    def seal(self) -> str | None:
        """See `affidavit.store.protocol.Store.seal`."""
        if self._signer is None:
            self._require_key()
            return None
        signer = self._signer

        self._list_spaces()
        self.commit(DIRECTORY_ID, list_changed)
        with self._writing() as conn:
            reads = SqliteReads(conn)
            if self._signing == "seal":
                self._sign_heads(conn, signer)
            note = conn.execute("SELECT note FROM space WHERE id = ?", (DIRECTORY_ID,)).fetchone()[0]
            seals = reads.seals()
            if not seals or seals[-1][1] != note:
                conn.execute("INSERT INTO seal (seq, note) VALUES (?, ?)", (len(seals), note))
        return str(note)

    def _sign_heads(self, conn: sqlite3.Connection, signer: "Signer") -> None:
        """Sign every head that has moved since it was signed, the directory's too."""
        reads = SqliteReads(conn)
        for head in [*reads.heads(), *filter(None, [reads.head(DIRECTORY_ID)])]:
            if not is_signed(head):
                note = sign_head(signer, self._store_id, head.space_id, head.size, head.root)
                conn.execute("UPDATE space SET note = ? WHERE id = ?", (note, head.space_id))

    # -- traces and jobs: not memory

    def save_trace(self, trace: Trace) -> bool:
        """See `affidavit.store.protocol.Store.save_trace`."""
        if self._read_only:
            return False
        self._traces.put(trace)
        conn = self._connections.get()
        self._connections.wait_briefly(conn)
        try:
            with self._writing() as writer:
                self._traces.write(writer)
        except StoreBusyError:
            pass  # kept in memory: the next write takes it along
        finally:
            self._connections.wait_normally(conn)
        return True

    def add_jobs(self, jobs: Iterable[Job]) -> None:
        """Keep work that waits; one that waits already is kept once."""
        with self._writing() as conn:
            conn.executemany(
                "INSERT OR IGNORE INTO job (space_id, kind, target, created_at, payload) VALUES (?,?,?,?,?)",
                jobs,
            )

    def drop_jobs(self, jobs: Iterable[Job]) -> None:
        """Work that is done."""
        with self._writing() as conn:
            conn.executemany(
                "DELETE FROM job WHERE space_id = ? AND kind = ? AND target = ?",
                [(job.space_id, job.kind, job.target) for job in jobs],
            )

    # -- the file

    def truncate_log(self) -> bool:
        """See `affidavit.store.protocol.Store.truncate_log`."""
        with translated(str(self.path)):
            conn = self._connections.get()
            self._connections.wait_briefly(conn)
            try:
                busy = conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            finally:
                self._connections.wait_normally(conn)
        return not busy

    def compact(self) -> None:
        """See `affidavit.store.protocol.Store.compact`."""
        with translated(str(self.path)):
            self._connections.get().execute("VACUUM")

    def backup(self, path: str) -> None:
        """A consistent copy of the whole file at `path`, which must not exist."""
        with translated(path):
            self._connections.get().execute("VACUUM INTO ?", (path,))

    def files(self) -> list[str]:
        """The files this store is made of, those that exist."""
        names = [f"{self.path}{end}" for end in ("", "-wal", "-shm", "-journal")]
        return [name for name in names if Path(name).exists()]

    def counts(self) -> Counts:
        """How much there is of everything."""
        with self.raw() as conn:
            tables = ("entry", "actor", "episode", "embedding", "trace", "seal")
            rows = {name: conn.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
            spaces = (
                "SELECT kind, count(*) FROM space WHERE kind != 'directory' AND name IS {} NULL GROUP BY kind"
            )
            return Counts(
                schema=int(conn.execute("PRAGMA user_version").fetchone()[0]),
                spaces=dict(conn.execute(spaces.format("NOT"))),
                erased_spaces=sum(dict(conn.execute(spaces.format(""))).values()),
                rows=rows,
                waiting=dict(conn.execute("SELECT kind, count(*) FROM job GROUP BY kind")),
            )

    @contextmanager
    def audit(self) -> Iterator[SqliteAudit]:
        """Reads for `verify`, of one consistent state."""
        with self.snapshot():
            yield SqliteAudit(self._connections.get())

    @contextmanager
    def raw(self) -> Iterator[sqlite3.Connection]:
        """The connection itself, inside one state."""
        with self.snapshot(), translated(str(self.path)):
            yield self._connections.get()

    def close(self) -> None:
        """Close the connections of this process. What was committed is safe without it."""
        self._connections.close()


def _make_private(path: Path) -> None:
    """Make the file, if it is new, so that only its owner can read it; SQLite's other files follow its mode."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
