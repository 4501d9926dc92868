"""The space indexes of this process: built from rows when first needed, caught up by reading entries.

An index is right while the head's (size, root) is the one it was built for. New entries are read: episodes, memories
and vectors are added, labels and times of what is there are set anew; after an erasure the index is dropped, so that
nothing erased stays in memory. A memory has the vector of the episode that it was first drawn from.
"""

import heapq
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from affidavit.core.backing import backings
from affidavit.core.values import Head
from affidavit.errors import EmbedderMismatchError, StoreUnreadableError
from affidavit.index.columns import IndexRow
from affidavit.index.space_index import SpaceIndex
from affidavit.read.terms import SpaceTerms, Version
from affidavit.store.protocol import Reads
from affidavit.text.lang.relations import Relation

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder

_BYTES_A_ROW = 700
_PART = 1_000
_ERASING = (b'"op":"Erased"', b'"op":"SpaceErased"')
_SETTING = (b'"op":"StatusSet"', b'"op":"ItemClosed"', b'"op":"SupportAdded"', b'"op":"SupportRemoved"')
_WIDTH = len(IndexRow._fields)


class LoadedSpace:
    """One space's index, with the head it is right for. Hold `lock` while using `index` and `terms`."""

    def __init__(self, space_id: str, user_name: str | None, relations: Mapping[str, Relation]) -> None:
        self.space_id = space_id
        self.user_name = user_name
        self.relations = relations
        self.terms = SpaceTerms(relations)
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
        except (ValueError, TypeError, OverflowError, LookupError) as error:
            self._index = None
            raise StoreUnreadableError(
                f"rows of space {self.space_id} are damaged ({error})",
                hint="run `affidavit verify`, and restore from a backup made with `affidavit admin backup`",
            ) from error

    def _catch_up(self, reads: Reads, head: Head, embedder: "Embedder | None") -> None:
        if self._is_of_another_width(embedder):
            self._index = None
        if self._index is None or (head.size, head.root) != (self._size, self._root):
            after = self._extend(reads, self._size - 1, self._news(reads, head))
            if embedder is not None and not self._take_vectors(reads, after, embedder):
                self._extend(reads, -1, None)
                self._take_vectors(reads, -1, embedder)
            self._size, self._root = head.size, head.root
            self._columns.clear()
        if embedder is not None and self._foreign and not self.index.vectors:
            raise EmbedderMismatchError(
                f"this space was embedded by {_names(self._foreign)}, and the embedder in use is"
                f" {_names({(embedder.name, embedder.dimensions)})}",
                hint='use that embedder again, set embedder = "none", or run `affidavit admin embed`',
            )

    def _is_of_another_width(self, embedder: "Embedder | None") -> bool:
        """Whether an embedder that did not know its width turned out not to be the one the index was built for."""
        if embedder is None or self._index is None:
            return False
        return embedder.dimensions not in (0, self._index.vector_width or embedder.dimensions)

    @property
    def foreign(self) -> str:
        """Whose vectors are stored here and can't be compared with those of the embedder in use; empty: nobody's."""
        return _names(self._foreign)

    def _news(self, reads: Reads, head: Head) -> list[str] | None:
        """What new entries set anew of what is here; None where the index must start over."""
        if self._index is None or head.size <= self._size:
            return None
        targets: dict[str, None] = {}
        for _, body in reads.entries(self.space_id, self._size, head.size):
            if any(sign in body for sign in _ERASING):
                return None
            if any(sign in body for sign in _SETTING):
                targets[str(json.loads(body)["target"])] = None
        return list(targets)

    def _extend(self, reads: Reads, after: int, news: list[str] | None) -> int:
        """Take the rows after an entry, and what is new of those before; all of them where there are no `news`."""
        if news is None:
            after = -1
            self._index = SpaceIndex()
            self._foreign = set()
            self.terms = SpaceTerms(self.relations)
        rows = reads.index_rows(self.space_id, after, self.user_name)
        items = list(reads.item_index_rows(self.space_id, after, self.user_name))
        if items:
            rows = heapq.merge(rows, (row[:_WIDTH] for row in items), key=itemgetter(0))
        self.index.extend(rows)
        versions = [Version.of_index_row(row) for row in items]
        if versions:
            own = None if after < 0 else [version.id for version in versions]
            self.terms.take(versions, backings(reads.support_times(self.space_id, own)))
        if news:
            self._set_anew(reads, news, {version.id for version in versions})
        return after

    def _set_anew(self, reads: Reads, targets: Sequence[str], new: set[str]) -> None:
        """Labels and times of rows that were here before."""
        stored = reads.items(self.space_id, [one for one in targets if "@" in one and one not in new])
        for one in stored.values():
            self.index.relabel(one.seq, one.row.authority, one.row.status)
        behind = backings(reads.support_times(self.space_id, list(stored)))
        self.terms.take((Version.of_row(*one) for one in stored.values()), behind)
        for episode in reads.episodes(self.space_id, [one for one in targets if "@" not in one]).values():
            self.index.relabel(episode.seq, episode.row.authority, episode.row.status)

    def _take_vectors(self, reads: Reads, after: int, embedder: "Embedder") -> bool:
        """Take the new vectors of the embedder in use; those of others can't be compared with its own.

        False, with nothing to rely on, where others replaced vectors that we hold.
        """
        rows = reads.vectors(self.space_id, after=after)
        while part := list(islice(rows, _PART)):
            # An embedder that does not know its width has that of its first vector.
            width = embedder.dimensions or self.index.vector_width
            width = width or next((row.dimensions for row in part if row.model == embedder.name), 0)
            own = [row for row in part if (row.model, row.dimensions) == (embedder.name, width)]
            if len(own) < len(part):
                others = [row for row in part if (row.model, row.dimensions) != (embedder.name, width)]
                if any(row.target_seq <= after for row in others):
                    return False
                self._foreign |= {(row.model, row.dimensions) for row in others}
            if own:
                matrix = np.frombuffer(b"".join([row.vector for row in own]), dtype="<f4")
                seqs = np.array([row.target_seq for row in own], dtype=np.int64)
                matrix = matrix.reshape(len(own), -1).astype(np.float32, copy=False)
                self.index.set_vectors(seqs, matrix)
        self._lend_vectors(reads, embedder)
        return True

    def _lend_vectors(self, reads: Reads, embedder: "Embedder") -> None:
        """Give memories without a vector that of the episode they were first drawn from."""
        seqs, sources = self.terms.rows
        embedded = self.index.embedded
        waiting = ~np.isin(seqs, embedded) & np.isin(sources, embedded)
        if not waiting.any():
            return
        self.index.set_vectors(seqs[waiting], self._stored_vectors(reads, sources[waiting], embedder.name))

    def exact_vectors(self, reads: Reads, seqs: Any, model: str) -> Any:
        """The vectors that this model made for the rows at `seqs`, in that order; NaN where there is none."""
        return self._stored_vectors(reads, self._vector_source(seqs), model)

    def _stored_vectors(self, reads: Reads, seqs: Any, model: str) -> Any:
        wanted = [int(seq) for seq in seqs]
        matrix = np.full((len(wanted), self.index.vector_width), np.nan, dtype=np.float32)
        found = {row.target_seq: row for row in reads.vectors(self.space_id, seqs=wanted)}
        for place, seq in enumerate(wanted):
            row = found.get(seq)
            if row is not None and (row.model, row.dimensions) == (model, matrix.shape[1]):
                matrix[place] = np.frombuffer(row.vector, dtype="<f4")
        return matrix

    def _vector_source(self, seqs: Any) -> Any:
        """Whose vectors the rows at `seqs` have: an episode's its own, a memory's that of its episode."""
        if not len(self.terms):
            return seqs
        own, sources = self.terms.rows
        places = np.minimum(np.searchsorted(own, seqs), len(own) - 1)
        return np.where(own[places] == seqs, sources[places], seqs)

    def memory_rows(self) -> tuple[Any, Any]:
        """The rows of the memories in the index, and of the episode that each was first drawn from (-1: of none)."""
        seqs, sources = self.terms.rows
        held = self.index.seqs
        rows = np.minimum(np.searchsorted(held, sources), max(0, len(held) - 1))
        return np.searchsorted(held, seqs), np.where(held[rows] == sources, rows, -1)

    def column(self, reads: Reads, name: str, of: str = "episode") -> Sequence[Any]:
        """A rarely used column of the episodes, or of the memories (`item`), in log order; kept for this head."""
        key = f"{of}.{name}"
        if key not in self._columns:
            read = reads.column if of == "episode" else reads.item_column
            self._columns[key] = read(self.space_id, name)
        return self._columns[key]

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return self.index.size * _BYTES_A_ROW + self.index.vector_bytes if self._index else 0


def _names(models: set[tuple[str, int]]) -> str:
    return " and ".join(f"{name} ({width} dimensions)" if width else name for name, width in sorted(models))


class SpaceIndexes:
    """The loaded spaces, least recently used dropped when they exceed the budget."""

    def __init__(self, budget_mb: int, relations: Mapping[str, Relation]) -> None:
        self._relations = relations
        self._budget = budget_mb * 1024 * 1024
        self._lock = threading.Lock()
        self._spaces: OrderedDict[str, LoadedSpace] = OrderedDict()

    def of(self, head: Head) -> LoadedSpace:
        """The space's place in the cache; not caught up."""
        with self._lock:
            loaded = self._spaces.get(head.space_id)
            if loaded is None:
                loaded = LoadedSpace(
                    head.space_id, head.name if head.kind == "user" else None, self._relations
                )
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
