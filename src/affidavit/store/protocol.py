"""What a store is: the only place where memory lives, and `commit`, the only function that changes it.

`Reads` are answered inside one space (or by an explicit list of spaces) from one consistent state.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

from affidavit.core.changes import Change
from affidavit.core.values import EpisodeRow, Head, Owner


class Clock(Protocol):
    """Tells the time, in UTC microseconds."""

    def now(self) -> int: ...


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
    """What was shown for one question."""

    space_id: str
    id: str
    at: int
    verb: str
    shown: str
    digest: bytes
    query: str | None


class Counts(NamedTuple):
    """How much a store holds."""

    schema: int
    spaces: dict[str, int]
    erased_spaces: int
    rows: dict[str, int]
    waiting: dict[str, int]


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


class Reads(Protocol):
    """The questions a store answers, all from the same consistent state."""

    def head(self, space_id: str) -> Head | None: ...
    def find_space(self, owner: Owner) -> Head | None: ...
    def heads(self, *, unlisted: bool = False) -> list[Head]: ...
    def actor(self, space_id: str, who: str) -> str | None: ...
    def spaces_with_actor(self, who: str) -> list[tuple[str, str]]: ...
    def actors(self, space_id: str) -> dict[str, str]: ...
    def contributors(self, space_id: str) -> list[tuple[str, str | None, int]]: ...
    def episodes(self, space_id: str, ids: Sequence[str]) -> dict[str, Stored]: ...
    def episodes_at(self, space_id: str, seqs: Sequence[int]) -> dict[int, Stored]: ...
    def find_keys(self, space_id: str, keys: Sequence[str]) -> dict[str, Stored]: ...
    def select(self, space_id: str, selection: Selection) -> Iterator[Stored]: ...
    def count(self, space_id: str, selection: Selection) -> int: ...
    def index_rows(
        self, space_id: str, after: int, user_name: str | None = None
    ) -> Iterator[tuple[Any, ...]]: ...
    def column(self, space_id: str, name: str) -> list[Any]: ...
    def vectors(
        self, space_id: str, *, after: int = -1, seqs: Sequence[int] | None = None
    ) -> list[VectorRow]: ...
    def entries(
        self, space_id: str, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, bytes]]: ...
    def jobs(
        self, *, space_id: str | None = None, kind: str | None = None, limit: int | None = None
    ) -> list[Job]: ...
    def meta(self) -> dict[str, str]: ...
    def seals(self) -> list[tuple[int, str]]: ...


class View(Reads, Protocol):
    """What a `prepare` sees, under the space's lock: the reads, the instant of the commit, and fresh ids."""

    @property
    def space_id(self) -> str: ...
    @property
    def now(self) -> int: ...
    def new_id(self, prefix: str) -> str: ...


Prepare: TypeAlias = Callable[[View], Sequence[Change]]
"""Makes the changes under the lock, from nothing but what it sees there. May run more than once."""


class Store(Protocol):
    """A place that keeps spaces and their logs."""

    @property
    def store_id(self) -> str: ...

    @property
    def read_only(self) -> bool: ...

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

    def save_trace(self, trace: Trace) -> bool:
        """Keep a trace: now, or with the next write if the writer can't be had at once. False on read-only."""
        ...

    def add_jobs(self, jobs: Iterable[Job]) -> None: ...
    def drop_jobs(self, jobs: Iterable[Job]) -> None: ...
    def seal(self) -> str | None:
        """List the spaces changed since the last seal, sign the directory, keep the seal; its note, if signed."""
        ...

    def truncate_log(self) -> bool:
        """Move everything out of the write-ahead log and empty it. False while others read."""
        ...

    def compact(self) -> None:
        """Rewrite the file so that nothing but live rows is in it."""
        ...

    def backup(self, path: str) -> None: ...
    def counts(self) -> Counts: ...
    def files(self) -> list[str]: ...
    def close(self) -> None: ...
