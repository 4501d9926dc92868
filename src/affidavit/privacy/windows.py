"""Byte windows of one width, and where they stand in other bytes: every offset compared, many at a time."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

WINDOW: Final = 16
"""Bytes in a window: the shortest byte string that can be looked for."""

Places = NDArray[np.int64]
Numbers = NDArray[np.int64]

_HALF: Final = 8
_SAME: Final = 2  # windows of so few different byte values say nothing
_BATCH: Final = 8 << 20
_BLOCK: Final = 256 << 10  # compared at a time: stays in the processor's cache
_MIX: Final = 0x9E3779B97F4A7C15
_SLOTS_A_WINDOW: Final = 16
_MOST_BITS: Final = 26
_NONE: Final = np.empty(0, np.int64)


class Windows:
    """The windows looked for, numbered, with a table that tells most places apart at one look.

    Each string of at least `WINDOW` bytes gives a window at every `WINDOW`th byte and one of its last bytes;
    windows of at most two different byte values are left out.
    """

    def __init__(self, strings: Iterable[bytes]) -> None:
        pieces: list[bytes] = []
        for string in strings:
            if len(string) >= WINDOW:
                pieces += (string[: len(string) // WINDOW * WINDOW], string[-WINDOW:])
        rows = np.frombuffer(b"".join(pieces), np.uint8).reshape(-1, WINDOW)
        values = 1 + np.count_nonzero(np.diff(np.sort(rows, axis=1), axis=1), axis=1)
        halves = rows[values > _SAME].view("<u8").astype(np.uint64, copy=False)
        # A window is the pair of the ranks of its halves: one number, and equal only if all bytes are.
        self._firsts, first = np.unique(halves[:, 0], return_inverse=True)
        self._seconds, second = np.unique(halves[:, 1], return_inverse=True)
        self._pairs = np.unique(first.astype(np.int64) << 32 | second.astype(np.int64))
        bits = min(_MOST_BITS, max(12, (len(self._pairs) * _SLOTS_A_WINDOW).bit_length()))
        self._shift = np.uint64(64 - bits)
        self._table = np.zeros(1 << bits, np.bool_)
        self._table[self._slots(self._firsts)] = True

    def __len__(self) -> int:
        return len(self._pairs)

    def _slots(self, firsts: NDArray[np.uint64]) -> Places:
        slots = firsts * np.uint64(_MIX)
        slots >>= self._shift
        return slots.view(np.int64)

    def find(self, data: bytes) -> tuple[Places, Numbers]:
        """Offsets at which a window stands, rising, and its number."""
        raw = np.frombuffer(data, np.uint8)
        offsets, numbers = [], []
        for start in range(0, len(raw) - WINDOW + 1, _BLOCK):
            block = raw[start : start + _BLOCK + WINDOW - 1]
            for phase in range(min(_HALF, len(block) - WINDOW + 1)):
                count = (len(block) - phase) // _HALF
                words = block[phase : phase + count * _HALF].copy().view("<u8").astype(np.uint64, copy=False)
                near = np.flatnonzero(self._table.take(self._slots(words[:-1]), mode="clip"))
                if len(near):
                    places, which = self._exact(words, near)
                    offsets.append(places * _HALF + (start + phase))
                    numbers.append(which)
        if not offsets:
            return _NONE, _NONE
        found = np.concatenate(offsets)
        order = np.argsort(found, kind="stable")
        return found[order], np.concatenate(numbers)[order]

    def _exact(self, words: NDArray[np.uint64], near: Places) -> tuple[Places, Numbers]:
        """Of the places `near`, those where both halves are those of one window."""
        first, good = _rank(self._firsts, words[near])
        near, first = near[good], first[good]
        second, good = _rank(self._seconds, words[near + 1])
        near, pairs = near[good], first[good] << 32 | second[good]
        which, good = _rank(self._pairs, pairs)
        return near[good], which[good]


def scan(windows: Windows, parts: Iterable[bytes]) -> tuple[Places, Numbers]:
    """Like `Windows.find`, in a stream of bytes that comes in parts."""
    offsets, numbers = [_NONE], [_NONE]
    base, tail = 0, b""
    for part in parts:
        data = tail + part
        places, which = windows.find(data)
        offsets.append(places + base)
        numbers.append(which)
        tail = data[-(WINDOW - 1) :]
        base += len(data) - len(tail)
    return np.concatenate(offsets), np.concatenate(numbers)


def standing(windows: Windows, strings: Iterable[bytes]) -> NDArray[np.bool_]:
    """For each window, whether it stands whole in one of the strings, at any offset."""
    stands = np.zeros(len(windows), np.bool_)
    for batch in _batches(strings):
        ends = np.cumsum([len(string) for string in batch])
        places, which = windows.find(b"".join(batch))
        whole = ends.searchsorted(places, "right") == ends.searchsorted(places + WINDOW - 1, "right")
        stands[which[whole]] = True
    return stands


def runs(offsets: Places) -> Iterator[tuple[int, int]]:
    """Start and length of windows that touch or overlap, taken together."""
    if len(offsets):
        starts = np.flatnonzero(np.diff(offsets, prepend=offsets[0] - WINDOW - 1) > WINDOW)
        ends = np.append(starts[1:], len(offsets)) - 1
        for first, last in zip(offsets[starts].tolist(), offsets[ends].tolist(), strict=True):
            yield first, last + WINDOW - first


def _batches(strings: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for string in strings:
        if len(string) >= WINDOW:
            batch.append(string)
            size += len(string)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _rank(sorted_values: NDArray[Any], wanted: NDArray[Any]) -> tuple[Numbers, NDArray[np.bool_]]:
    """Place of each wanted value, and whether it is there at all."""
    places = np.minimum(sorted_values.searchsorted(wanted), len(sorted_values) - 1)
    return places, sorted_values[places] == wanted
