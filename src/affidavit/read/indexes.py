"""The space indexes of this process: built from rows when first needed, caught up by reading entries.

An index is right while the head's (size, root) is the one it was built for. New entries are read: stored
episodes and vectors are added; after an erasure the index is dropped, so that nothing erased stays in memory.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from affidavit.core.values import Head
from affidavit.errors import EmbedderMismatchError, StoreUnreadableError
from affidavit.index.space_index import SpaceIndex
from affidavit.store.protocol import Reads, VectorRow

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder

_BYTES_A_ROW = 700
_PART = 1_000
_ERASING = (b'"op":"Erased"', b'"op":"SpaceErased"')


class LoadedSpace:
    """One space's index, with the head it is right for. Hold `lock` while using `index`."""

    def __init__(self, space_id: str, user_name: str | None) -> None:
        self.space_id = space_id
        self.user_name = user_name
        self.lock = threading.RLock()
        self._size = 0
        self._root = b""
        self._foreign: set[tuple[str, int]] = set()
        self._columns: dict[str, Sequence[Any]] = {}
        self._index: SpaceIndex | None = None

    @property
    def index(self) -> SpaceIndex:
        """The index as of the last `catch_up`."""
        if self._index is None:
            raise RuntimeError("catch_up comes first")
        return self._index

    def catch_up(self, reads: Reads, head: Head, embedder: "Embedder | None") -> None:
        """Bring the index to this head, reading only what is new.

        Raises `EmbedderMismatchError`, and `StoreUnreadableError` for rows that are damaged.
        """
        try:
            self._catch_up(reads, head, embedder)
        except (ValueError, TypeError, OverflowError) as error:
            self._index = None
            raise StoreUnreadableError(
                f"rows of space {self.space_id} are damaged ({error})",
                hint="run `affidavit verify`, and restore from a backup made with `affidavit admin backup`",
            ) from error

    def _catch_up(self, reads: Reads, head: Head, embedder: "Embedder | None") -> None:
        if self._index is None or (head.size, head.root) != (self._size, self._root):
            after = self._size - 1 if self._can_extend(reads, head) else -1
            if after < 0:
                self._start_over()
            self.index.extend(reads.index_rows(self.space_id, after, self.user_name))
            if embedder is not None and not self._take_vectors(reads, after, embedder):
                self._start_over()
                self.index.extend(reads.index_rows(self.space_id, -1, self.user_name))
                self._take_vectors(reads, -1, embedder)
            self._size, self._root = head.size, head.root
            self._columns.clear()
        if embedder is not None and self._foreign and not self.index.vectors:
            raise EmbedderMismatchError(
                f"this space was embedded by {_names(self._foreign)}, and the embedder in use is"
                f" {_names({_model(embedder)})}",
                hint='use that embedder again, set embedder = "none", or run `affidavit admin embed`',
            )

    def _start_over(self) -> None:
        self._index = SpaceIndex()
        self._foreign = set()

    def _can_extend(self, reads: Reads, head: Head) -> bool:
        if self._index is None or head.size <= self._size:
            return False
        new = reads.entries(self.space_id, self._size, head.size)
        return not any(sign in body for _, body in new for sign in _ERASING)

    def _take_vectors(self, reads: Reads, after: int, embedder: "Embedder") -> bool:
        """Take the new vectors of the embedder in use; those of others can't be compared with its own.

        False, with nothing to rely on, where others replaced vectors that we hold.
        """
        rows = reads.vectors(self.space_id, after=after)
        while part := list(islice(rows, _PART)):
            own = [row for row in part if _model(row) == _model(embedder)]
            if len(own) < len(part):
                others = [row for row in part if _model(row) != _model(embedder)]
                if any(row.target_seq <= after for row in others):
                    return False
                self._foreign |= set(map(_model, others))
            if own:
                matrix = np.frombuffer(b"".join([row.vector for row in own]), dtype="<f4")
                seqs = np.array([row.target_seq for row in own], dtype=np.int64)
                matrix = matrix.reshape(len(own), -1).astype(np.float32, copy=False)
                self.index.set_vectors(seqs, matrix)
        return True

    def column(self, reads: Reads, name: str) -> Sequence[Any]:
        """A rarely used column of the rows, kept until the head moves."""
        if name not in self._columns:
            self._columns[name] = reads.column(self.space_id, name)
        return self._columns[name]

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return self.index.size * _BYTES_A_ROW + self.index.vector_bytes if self._index else 0


def _model(made_by: "VectorRow | Embedder") -> tuple[str, int]:
    name = made_by.model if isinstance(made_by, VectorRow) else made_by.name
    return name, made_by.dimensions


def _names(models: set[tuple[str, int]]) -> str:
    return " and ".join(f"{name} ({dimensions} dimensions)" for name, dimensions in sorted(models))


class SpaceIndexes:
    """The loaded spaces, least recently used dropped when they exceed the budget."""

    def __init__(self, budget_mb: int) -> None:
        self._budget = budget_mb * 1024 * 1024
        self._lock = threading.Lock()
        self._spaces: OrderedDict[str, LoadedSpace] = OrderedDict()

    def of(self, head: Head) -> LoadedSpace:
        """The space's place in the cache; not caught up."""
        with self._lock:
            loaded = self._spaces.get(head.space_id)
            if loaded is None:
                loaded = LoadedSpace(head.space_id, head.name if head.kind == "user" else None)
                self._spaces[head.space_id] = loaded
            self._spaces.move_to_end(head.space_id)
            while (
                len(self._spaces) > 1 and sum(space.bytes for space in self._spaces.values()) > self._budget
            ):
                self._spaces.popitem(last=False)
            return loaded

    def drop(self, space_id: str) -> None:
        """Forget a space: after an erasure nothing of it stays in memory."""
        with self._lock:
            self._spaces.pop(space_id, None)
