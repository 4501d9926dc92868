"""What every SQL store does alike: it begins, commits, seals, hands over its key and keeps jobs.

What is left to each database: connections and transactions, the lock of a space's head, its errors, its files.
"""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, TypeVar

from affidavit.core.authority import SpaceKind
from affidavit.core.changes import Change, KeyRotated, SpaceOpened, StoreOpened
from affidavit.core.ids import DIRECTORY_ID, RANDOM_BYTES, SPACE, STORE, make_id
from affidavit.core.values import Head, Owner
from affidavit.errors import ConflictError, InputError, KeyStoreError, StoreBusyError, StoreUnreadableError
from affidavit.ledger.encoding import parse_entry
from affidavit.store.commit import write_entries
from affidavit.store.directory import list_changed, list_waiting
from affidavit.store.keys import SigningKeys
from affidavit.store.memory_reads import RejectionRow
from affidavit.store.protocol import Clock, Commit, Entropy, Job, Prepare, View
from affidavit.store.sql.apply import apply_changes
from affidavit.store.sql.connection import Connection
from affidavit.store.sql.heads import Heads
from affidavit.store.sql.jobs import drop_jobs, keep_jobs, keep_rejections
from affidavit.store.sql.reads import SqlReads
from affidavit.store.sql.traces import WaitingTraces

if TYPE_CHECKING:
    from affidavit.ledger.note import Signer

T = TypeVar("T")
STORE_ID_KEY = "store_id"
COPYING_KEY = "copying"
"""Stands in `meta` while a store is being copied here, and is not whole yet."""
_TRIES = 3
"""How often a transaction is begun that the database ends for the sake of another."""
_STORE_ID = re.compile(rf"{STORE}[0-9a-f]{{32}}", re.ASCII)


class SqlView(SqlReads):
    """What a `prepare` sees under the lock."""

    def __init__(self, conn: Connection, space_id: str, now: int, entropy: Entropy) -> None:
        super().__init__(conn)
        self.space_id = space_id
        self.now = now
        self._entropy = entropy

    def new_id(self, prefix: str) -> str:
        """A fresh id of that instant."""
        return make_id(prefix, self.now, self._entropy(RANDOM_BYTES))


class SqlStore(ABC):
    """The part of `affidavit.store.protocol.Store` that is the same for every SQL database."""

    place: str
    """Where it is, for people."""
    damaged_hint: str
    """What to do where it is damaged."""
    add_trace: str
    """The statement that keeps a trace whose space, and all that it shows, is there."""

    def __init__(
        self,
        *,
        keys: Callable[[str], SigningKeys],
        clock: Clock,
        entropy: Entropy = os.urandom,
        signing: str = "local",
        receiving: str | None = None,
    ) -> None:
        self._keys, self._clock, self._entropy = keys, clock, entropy
        self._receiving = receiving
        self._traces = WaitingTraces(self.add_trace)
        self._begun_as = "seal" if signing == "later" else "commit"
        self.is_new = False
        """Whether this object began the store."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[SqlReads]:
        """See `affidavit.store.protocol.Store.snapshot`."""

    @abstractmethod
    def raw(self) -> AbstractContextManager[Connection]:
        """A connection inside one consistent state."""

    @abstractmethod
    def _writing(
        self, *, space_id: str | None = None, whole: bool = False, durably: bool = False
    ) -> AbstractContextManager[Connection]:
        """A transaction that holds the lock of a space's head, or of every head (`whole`).

        `durably`: what it commits, and all before it, survives a power failure.
        """

    def _may_try_again(self, error: StoreBusyError) -> bool:
        """Whether a transaction ended like this only for the sake of another, and nothing of it has happened."""
        return False

    def _write_with(
        self,
        work: Callable[[Connection], T],
        *,
        space_id: str | None = None,
        whole: bool = False,
        durably: bool = False,
    ) -> T:
        """Do `work` in a transaction of `_writing`; all of it again where the database ended it for another's sake."""
        for left in reversed(range(_TRIES)):
            try:
                with self._writing(space_id=space_id, whole=whole, durably=durably) as conn:
                    return work(conn)
            except StoreBusyError as error:
                if not left or not self._may_try_again(error):
                    raise
        raise AssertionError

    def _begin_store(self, conn: Connection) -> None:
        """The first rows of a new file: its id, and the directory with its first entry.

        One that receives the copy of a store gets that one's id, and all else from it.
        """
        if self._receiving is not None:
            conn.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (STORE_ID_KEY, self._receiving))
            conn.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (COPYING_KEY, "1"))
            return
        now = self._clock.now()
        self.is_new = True
        self._store_id = make_id(STORE, now, self._entropy(RANDOM_BYTES))
        self._heads = self._heads_of(signing=self._begun_as)
        self._heads.begin()
        conn.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (STORE_ID_KEY, self._store_id))
        conn.execute(
            "INSERT INTO space (id, kind, name, size, root, frontier, note, listed)"
            " VALUES (?1, ?2, NULL, 0, ?3, ?3, NULL, 0)",
            (DIRECTORY_ID, str(SpaceKind.DIRECTORY), b""),
        )
        opened = StoreOpened(store_id=self._store_id, signing=self._begun_as)
        self._write(conn, DIRECTORY_ID, None, [opened], now)

    def _load_identity(self) -> None:
        """Which store this is, how it signs, and whether the key here is the one that signed it."""
        try:
            with self.snapshot() as reads:
                meta = reads.meta()
                self._store_id = str(meta.get(STORE_ID_KEY))
                first = next(iter(reads.entries(DIRECTORY_ID, 0, 1)), None)
        except ValueError as error:
            raise self._damaged(str(error)) from error
        self._check_whole(COPYING_KEY in meta)
        # The id names a folder of keys: nothing but an id of ours may do that.
        if _STORE_ID.fullmatch(self._store_id) is None:
            raise self._damaged("it does not say which store it is")
        try:
            signing = str(parse_entry(first[1]).get("signing")) if first else ""
        except (AttributeError, ValueError):
            signing = ""
        self._heads = self._heads_of(signing=signing)
        with suppress(KeyStoreError):  # reading needs no key; a write says what is wrong with it
            self.can_sign()

    def _check_whole(self, unfinished: bool) -> None:  # noqa: FBT001
        if self._receiving is None and unfinished:
            raise StoreUnreadableError(
                f"{self.place} is a copy that was not finished",
                hint="run `affidavit admin copy` again: it goes on where it was",
            )
        if self._receiving is not None and not (unfinished and self._store_id == self._receiving):
            raise InputError(
                f"{self.place} holds a store already; nothing was copied",
                hint="name a new file or an empty database",
            )

    def receive(self, work: Callable[[Connection], int]) -> int:
        """Do a part of copying a store here, in one transaction. Raises `InputError` where none is copied here."""
        if self._receiving is None:
            raise InputError(f"{self.place} does not receive a copy", hint="use `affidavit admin copy`")
        return self._write_with(work)

    def _heads_of(self, *, signing: str) -> Heads:
        return Heads(
            self._keys(self._store_id),
            self._store_id,
            every_commit=signing == "commit",
            damaged_hint=self.damaged_hint,
        )

    def _damaged(self, why: str) -> StoreUnreadableError:
        return StoreUnreadableError(f"{self.place} is damaged: {why}", hint=self.damaged_hint)

    @property
    def store_id(self) -> str:
        """The store's random id; the first line of every signed head names it."""
        return self._store_id

    def can_sign(self) -> bool:
        """Whether the key that signs this store is here; looked up anew."""
        try:
            with self.snapshot() as reads:
                head = reads.head(DIRECTORY_ID)
                self._heads.find(head and head.note, reads)
        except ValueError as error:
            raise self._damaged(str(error)) from error
        return self._heads.signer is not None

    @property
    def signs_commits(self) -> bool:
        """Whether every commit of this store is signed (else heads wait for a seal)."""
        return self._heads.every_commit

    def commit(
        self, space_id: str, changes: Sequence[Change] | Prepare, *, expect: tuple[int, bytes] | None = None
    ) -> Commit:
        """See `affidavit.store.protocol.Store.commit`."""

        def made(conn: Connection) -> Commit:
            return self._committed(conn, space_id, changes, expect)

        with self._traces.unless_it_fails():
            done = self._write_with(made, space_id=space_id)
        if any(change.op in {"SpaceOpened", "SpaceErased"} for change in done.changes):
            self._list_spaces()
        return done

    def _committed(
        self,
        conn: Connection,
        space_id: str,
        changes: Sequence[Change] | Prepare,
        expect: tuple[int, bytes] | None,
    ) -> Commit:
        """Under the lock: what `commit` does."""
        self._heads.follow(conn, self.place)
        self._heads.check_goes_on(conn, self.place)
        now = self._clock.now()
        view = SqlView(conn, space_id, now, self._entropy)
        head = view.head(space_id)
        if expect is not None and (head is None or (head.size, head.root) != expect):
            raise ConflictError(f"space {space_id} has changed", hint="read again and repeat the call")
        if head is not None and head.name is None and space_id != DIRECTORY_ID:
            raise ConflictError(f"space {space_id} was erased", hint="repeat the call: a new one is opened")
        if head is not None:
            self._heads.check(head)
        made = tuple(changes(view) if callable(changes) else changes)
        if not made:
            if head is None:
                raise ConflictError(f"space {space_id} does not exist", hint="open it first")
            return Commit(head=head, at=now, first=head.size, changes=())
        done = self._write(conn, space_id, head, made, now)
        self._traces.write(conn)
        return done

    def _write(
        self, conn: Connection, space_id: str, head: Head | None, changes: Sequence[Change], now: int
    ) -> Commit:
        written = write_entries(changes, now, self._entropy, head)
        first = head.size if head else 0
        # The blinds first: what a later change of the same commit replaces or erases takes its blind with it.
        conn.executemany(
            "INSERT INTO blind (space_id, seq, blind) VALUES (?, ?, ?)",
            [(space_id, seq, blind) for seq, blind in enumerate(written.blinds, first) if blind is not None],
        )
        apply_changes(conn, space_id, first, now, changes)
        kept = -1 if changes[-1].op == "SpaceErased" else 0
        rows = [(space_id, seq, body) for seq, body in enumerate(written.bodies, first)]
        conn.executemany("INSERT INTO entry (space_id, seq, body) VALUES (?, ?, ?)", rows[kept:])
        note = self._heads.note(space_id, written.size, written.root, head.note if head else None)
        conn.execute(
            "UPDATE space SET size = ?, root = ?, frontier = ?, note = ? WHERE id = ?",
            (written.size, written.root, written.frontier, note, space_id),
        )
        row = SqlReads(conn).head(space_id)
        if row is None:
            raise ConflictError(f"space {space_id} does not exist", hint="its first change must open it")
        return Commit(head=row, at=now, first=first, changes=tuple(changes))

    def preview(self, space_id: str, prepare: Prepare) -> tuple[Change, ...]:
        """What `prepare` would do now; nothing is written."""
        with self.raw() as conn:
            return tuple(prepare(SqlView(conn, space_id, self._clock.now(), self._entropy)))

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
        with self._writing() as conn:
            self._heads.follow(conn, self.place, sealing=True)
        if self._heads.signer is None:
            return None
        self._list_spaces()
        self.commit(DIRECTORY_ID, list_changed)
        # On disk when this returns: a seal is remembered elsewhere, and must not be lost here with the power.
        return self._write_with(self._sealed, whole=True, durably=True)

    def _sealed(self, conn: Connection) -> str:
        """Under the lock of every head: sign what is not signed, and keep the directory's note."""
        self._heads.follow(conn, self.place, sealing=True)
        if not self._heads.every_commit and self._heads.signer is not None:
            self._heads.sign_all(conn, self._heads.signer)
        note = conn.execute("SELECT note FROM space WHERE id = ?", (DIRECTORY_ID,)).fetchone()[0]
        seals = SqlReads(conn).seals()
        if not seals or seals[-1][1] != note:
            conn.execute("INSERT INTO seal (seq, note) VALUES (?, ?)", (len(seals), note))
        return str(note)

    def hand_over(self, signer: "Signer", change: KeyRotated) -> None:
        """See `affidavit.store.protocol.Store.hand_over`."""
        before = self._heads.signer

        def handed_over(conn: Connection) -> None:
            reads = SqlReads(conn)
            directory = reads.head(DIRECTORY_ID)
            self._heads.signer = signer
            if change.by_old is not None:
                # Else the new key would vouch for what the old one never signed.
                for head in [*reads.heads(), *filter(None, [directory])]:
                    self._heads.check(head)
            self._write(conn, DIRECTORY_ID, directory, [change], self._clock.now())
            self._heads.sign_all(conn, signer, again=True)

        try:
            self._write_with(handed_over, whole=True)
        except BaseException:
            self._heads.signer = before
            raise

    # -- jobs: not memory

    def add_jobs(self, jobs: Iterable[Job]) -> None:
        """Keep work that waits; one that waits already is kept once."""
        kept = sorted(jobs, key=lambda job: job[:3])
        self._write_with(lambda conn: keep_jobs(conn, kept))

    def finish(
        self,
        space_id: str,
        jobs: Iterable[Job],
        rejections: Iterable[RejectionRow],
        *,
        looked_at: Iterable[str] = (),
    ) -> None:
        """See `affidavit.store.protocol.Store.finish`."""
        done, again, refused = list(jobs), list(looked_at), list(rejections)

        def finished(conn: Connection) -> None:
            keep_rejections(conn, space_id, again, refused)
            drop_jobs(conn, done)

        # The lock of the space: what is erased meanwhile must not be told of.
        self._write_with(finished, space_id=space_id)

    def drop_jobs(self, jobs: Iterable[Job]) -> None:
        """Work that is done."""
        done = list(jobs)
        self._write_with(lambda conn: drop_jobs(conn, done))
