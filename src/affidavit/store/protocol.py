"""What a store is: the only place where memory lives, and `commit`, the only function that changes it.

`Reads` are answered inside one space (or by an explicit list of spaces) from one consistent state.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from affidavit.core.changes import Change, KeyRotated
from affidavit.core.values import EpisodeRow, Head, Owner
from affidavit.store.audit_reads import Audit
from affidavit.store.gate_reads import GateReads
from affidavit.store.memory_reads import MemoryReads, RejectionRow

if TYPE_CHECKING:
    from affidavit.ledger.note import Signer


class Clock(Protocol):
    """Tells the time, in UTC microseconds."""

    def now(self) -> int:
        """UTC microseconds since 1970."""
        ...


Entropy: TypeAlias = Callable[[int], bytes]
"""Gives that many random bytes."""


class Stored(NamedTuple):
    """An episode's row and its place in the space's log."""

    seq: int
    row: EpisodeRow


class Job(NamedTuple):
    """Work that waits: `list` (the directory's leaf), `extract`, `embed`, `clean` (physical erasure)."""

    space_id: str
    kind: str
    target: str
    created_at: int
    payload: str | None = None


class Trace(NamedTuple):
    """What was shown for one question.

    `here`: all of it stands in this space, and was read in the snapshot in which the trace is saved.
    """

    space_id: str
    id: str
    at: int
    verb: str
    shown: str
    digest: bytes
    query: str | None
    here: bool = False

    @property
    def row(self) -> tuple[Any, ...]:
        """What is kept of it, in the order of the columns."""
        return self[:-1]


class Counts(NamedTuple):
    """How much a store holds. `relations` counts the versions of memories by what they say of somebody."""

    schema: int
    spaces: dict[str, int]
    erased_spaces: int
    rows: dict[str, int]
    relations: dict[str, int]
    waiting: dict[str, int]


class Finding(NamedTuple):
    """Something about where a store lies: is it in order, what was seen, and what to do."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


class VectorRow(NamedTuple):
    """A stored vector: little-endian float32."""

    target_seq: int
    seq: int
    target: str
    model: str
    dimensions: int
    vector: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """What one commit did: the new head and the changes, with the entry number of each."""

    head: Head
    at: int
    first: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which episodes of a space: all that match every given field, in log order.

    `after` and `before` are exclusive bounds on `seq`; `newest` walks backwards.
    """

    session_id: str | None = None
    source_id: str | None = None
    actor: str | None = None
    after: int | None = None
    before: int | None = None
    newest: bool = False
    limit: int | None = None


class Reads(MemoryReads, GateReads, Protocol):
    """The questions a store answers, all from the same consistent state."""

    def head(self, space_id: str) -> Head | None:
        """The head of a space, None if there is none."""
        ...

    def find_space(self, owner: Owner) -> Head | None:
        """The head of the owner's space, None if there is none."""
        ...

    def heads(self, *, unlisted: bool = False) -> list[Head]:
        """Every space but the directory; `unlisted`: those changed since the directory last listed them."""
        ...

    def actor(self, space_id: str, who: str) -> str | None:
        """The reference of a contributor in a space."""
        ...

    def spaces_with_actor(self, who: str) -> list[tuple[str, str]]:
        """Every (space, reference) in which this contributor is named."""
        ...

    def actors(self, space_id: str) -> dict[str, str]:
        """All contributors of a space: reference to who."""
        ...

    def contributors(self, space_id: str) -> list[tuple[str, str | None, int]]:
        """How many episodes each (actor, agent) of a space has."""
        ...

    def episodes(self, space_id: str, ids: Sequence[str]) -> dict[str, Stored]:
        """The episodes with these ids, those that are there."""
        ...

    def episodes_at(self, space_id: str, seqs: Sequence[int]) -> dict[int, Stored]:
        """The episodes stored by these entries, those that are there."""
        ...

    def find_keys(self, space_id: str, keys: Sequence[str]) -> dict[str, Stored]:
        """The episodes with these idempotency keys, those that are there."""
        ...

    def select(self, space_id: str, selection: Selection) -> Iterator[Stored]:
        """The episodes of a space that match, in log order."""
        ...

    def count(self, space_id: str, selection: Selection) -> int:
        """How many episodes of a space match."""
        ...

    def index_rows(
        self, space_id: str, after: int, user_name: str | None = None
    ) -> Iterator[tuple[Any, ...]]:
        """What the space index holds of each episode after this entry: seq, then the columns up to `terms`.

        A user's message without a name is spoken by `user_name`.
        """
        ...

    def column(self, space_id: str, name: str) -> list[Any]:
        """One column of every episode of a space, in log order."""
        ...

    def vectors(
        self, space_id: str, *, after: int = -1, seqs: Sequence[int] | None = None
    ) -> Iterator[VectorRow]:
        """The vectors made after this entry, or those of the episodes at `seqs`; all of them by `target_seq`."""
        ...

    def entries(self, space_id: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """The log's entries from `start` up to, not including, `stop`."""
        ...

    def entries_at(self, space_id: str, seqs: Sequence[int]) -> dict[int, bytes]:
        """The entries with these numbers, those that are there."""
        ...

    def jobs(
        self, *, space_id: str | None = None, kind: str | None = None, limit: int | None = None
    ) -> list[Job]:
        """Work that waits."""
        ...

    def meta(self) -> dict[str, str]:
        """What the store says about itself."""
        ...

    def seals(self) -> list[tuple[int, str]]:
        """Every seal: its number and its note."""
        ...


class View(Reads, Protocol):
    """What a `prepare` sees, under the space's lock: the reads, the instant of the commit, and fresh ids."""

    @property
    def space_id(self) -> str:
        """The space that is locked."""
        ...

    @property
    def now(self) -> int:
        """The instant of the commit, UTC microseconds."""
        ...

    def new_id(self, prefix: str) -> str:
        """A fresh id."""
        ...


Prepare: TypeAlias = Callable[[View], Sequence[Change]]
"""Makes the changes under the lock, from nothing but what it sees there. May run more than once."""


class Store(Protocol):
    """A place that keeps spaces and their logs."""

    @property
    def place(self) -> str:
        """Where it lies: the path of a file, or an address without its password."""
        ...

    @property
    def signs_commits(self) -> bool:
        """Whether every commit is signed (else heads wait for a seal)."""
        ...

    @property
    def store_id(self) -> str:
        """The store's random id."""
        ...

    @property
    def read_only(self) -> bool:
        """Whether it can't be written."""
        ...

    def can_sign(self) -> bool:
        """Whether the key that signs it is here; looked up anew."""
        ...

    def commit(
        self, space_id: str, changes: Sequence[Change] | Prepare, *, expect: tuple[int, bytes] | None = None
    ) -> Commit:
        """Make changes so, with their entries and the new head, in one transaction.

        `expect` is the (size, root) that the changes were made for: another head raises `ConflictError`.
        """
        ...

    def preview(self, space_id: str, prepare: Prepare) -> tuple[Change, ...]:
        """What `prepare` would do now; nothing is written."""
        ...

    def open_space(self, owner: Owner) -> Head:
        """The owner's space, born now if there is none."""
        ...

    def snapshot(self) -> AbstractContextManager[Reads]:
        """Reads of one consistent state."""
        ...

    def audit(self) -> AbstractContextManager[Audit]:
        """Reads for `verify`, of one consistent state."""
        ...

    def save_trace(self, trace: Trace) -> bool:
        """Keep a trace: now, or with the next write if the writer can't be had at once. False on read-only.

        Inside a snapshot it ends it, and must be the last that is done there: so it costs no transaction of its own.
        """
        ...

    def add_jobs(self, jobs: Iterable[Job]) -> None:
        """Keep work that waits; one that waits already is kept once."""
        ...

    def finish(
        self,
        space_id: str,
        jobs: Iterable[Job],
        rejections: Iterable[RejectionRow],
        *,
        looked_at: Iterable[str] = (),
    ) -> None:
        """Work of one space that is done, and what was refused, in one transaction.

        What was refused before of the episodes that were `looked_at` is told no more.
        """
        ...

    def drop_jobs(self, jobs: Iterable[Job]) -> None:
        """Work that is done."""
        ...

    def seal(self) -> str | None:
        """List the spaces changed since the last seal, sign the directory, keep the seal; its note, if signed."""
        ...

    def hand_over(self, signer: "Signer", change: KeyRotated) -> None:
        """Log that `signer` signs from here on, and sign every head with it, in one transaction."""
        ...

    def truncate_log(self) -> bool:
        """Move everything out of the write-ahead log and empty it. False while others read."""
        ...

    def compact(self) -> None:
        """Rewrite the file so that nothing but live rows is in it."""
        ...

    def backup(self, path: str) -> None:
        """A consistent copy of the whole store at `path`, which must not exist."""
        ...

    def counts(self) -> Counts:
        """How much there is of everything."""
        ...

    def files(self) -> list[str]:
        """The files it is made of, those that exist; none where they are a server's own."""
        ...

    def findings(self) -> list[Finding]:
        """What whoever runs it should know about where it lies."""
        ...

    def beyond_reach(self) -> tuple[str, ...]:
        """What may hold what was erased, and an erasure does not reach into: paths, or words where it has no path."""
        ...

    def close(self) -> None:
        """Let go of it. What was committed is safe without."""
        ...
