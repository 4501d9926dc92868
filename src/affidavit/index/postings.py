"""Which rows hold which terms, how often, and how long rows are: what BM25 counts.

A posting is one unsigned 64-bit number, `term << 32 | row << 8 | count` (24 bits of row, counts saturate at 255),
so a segment is nothing but a sorted array and merging is sorting. Segments halve in size from the base to the
tail, so adding one row at a time costs a logarithm, and what is found never depends on how rows were batched.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from affidavit.errors import StoreUnreadableError
from affidavit.index.columns import Growing
from affidavit.text.lexicon.terms import ENTRY_BYTES, FORMAT, HEADER_BYTES

Keys = NDArray[np.uint64]

_MOST_ROWS: Final = 1 << 24
_MOST_COUNT: Final = 255
_ROW_SHIFT: Final = np.uint64(8)
_TERM_SHIFT: Final = np.uint64(32)
_ROW_MASK: Final = np.uint64(_MOST_ROWS - 1)
_COUNT_MASK: Final = np.uint64(_MOST_COUNT)
_NO_ROWS: Final = np.empty(0, np.int64)
_NO_COUNTS: Final = np.empty(0, np.float32)


class Postings:
    """The postings of one space; rows are numbered from 0 in the order they came."""

    def __init__(self) -> None:
        self._segments: list[Keys] = []
        self._lengths = Growing(np.float32)
        self._asking = Growing(np.float32)
        self._total = 0

    def extend(self, stored: Sequence[bytes]) -> None:
        """Add one row for each stored terms. Raises `StoreUnreadableError` when one is not of our format."""
        if not stored:
            return
        first = len(self._lengths.view)
        if first + len(stored) > _MOST_ROWS:
            raise StoreUnreadableError(
                f"a space can't hold more than {_MOST_ROWS:,} rows", hint="split it over several spaces"
            )
        keys, lengths, asking = _parse(stored, first)
        self._asking.extend(asking)
        self._lengths.extend(lengths.astype(np.float32))
        self._total += int(lengths.sum())
        keys.sort()
        segments = self._segments
        segments.append(keys)
        while len(segments) > 1 and len(segments[-1]) * 2 > len(segments[-2]):
            merged = np.concatenate((segments[-2], segments.pop()))
            merged.sort(kind="stable")
            segments[-1] = merged

    @property
    def lengths(self) -> NDArray[np.float32]:
        """Length of each row in words."""
        return self._lengths.view

    @property
    def asking(self) -> NDArray[np.float32]:
        """The share of each row's words that stand in short questions, 0 to 1."""
        return self._asking.view

    @property
    def mean_length(self) -> float:
        """Mean length of all rows in words, 1.0 in an empty space."""
        n = len(self._lengths.view)
        return self._total / n if self._total else 1.0

    def find(self, term: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The rows that hold a term, rising, and how often each holds it."""
        low, high = np.uint64(term << 32), np.uint64(term << 32 | 0xFFFFFFFF)
        parts = []
        for segment in self._segments:
            start, end = segment.searchsorted(low), segment.searchsorted(high, "right")
            if end > start:
                parts.append(segment[start:end])
        if not parts:
            return _NO_ROWS, _NO_COUNTS
        found = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return _rows(found), (found & _COUNT_MASK).astype(np.float32)


def _rows(keys: Keys) -> NDArray[np.int64]:
    return ((keys >> _ROW_SHIFT) & _ROW_MASK).view(np.int64)


def _parse(stored: Sequence[bytes], first: int) -> tuple[Keys, NDArray[Any], NDArray[Any]]:
    """Keys, lengths and shares of asking of many stored terms; `first` is the number of the first row."""
    n = len(stored)
    sizes = np.fromiter(map(len, stored), np.int64, n)
    entries = (sizes - HEADER_BYTES) // ENTRY_BYTES
    units = np.frombuffer(b"".join(stored), "<u2") if not np.any(sizes % 2) else None
    if units is None or np.any(entries < 0) or np.any(entries * ENTRY_BYTES + HEADER_BYTES != sizes):
        raise _unreadable()
    starts = (np.cumsum(sizes) - sizes) // 2
    if np.any(units[starts] & 0xFF != FORMAT):
        raise _unreadable()
    asking = (units[starts] >> 8) / np.float32(255)
    lengths = units[starts + 1].astype(np.int64) | units[starts + 2].astype(np.int64) << 16
    row = np.repeat(np.arange(n), entries)
    nth = np.arange(len(row)) - np.repeat(np.cumsum(entries) - entries, entries)
    id_at = np.repeat(starts + HEADER_BYTES // 2, entries) + 2 * nth
    count_at = np.repeat(starts + HEADER_BYTES // 2 + 2 * entries, entries) + nth
    term = units[id_at].astype(np.uint64) | units[id_at + 1].astype(np.uint64) << np.uint64(16)
    count = np.minimum(units[count_at], _MOST_COUNT).astype(np.uint64)
    keys = term << _TERM_SHIFT | (row + first).astype(np.uint64) << _ROW_SHIFT | count
    return keys, lengths, asking


def _unreadable() -> StoreUnreadableError:
    return StoreUnreadableError(
        "the stored terms of a row can't be read",
        hint="run `affidavit verify`; terms can be made again from the text",
    )
