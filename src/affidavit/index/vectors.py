"""The vectors of a space: exact while they are few, sign bits with exact rescoring when they are many.

Up to `EXACT` vectors are kept as float32 rows. Above, one bit and one byte a dimension are kept (432 bytes for 384
dimensions): the share of differing bits estimates the angle, the bytes better the estimate for what looks best, and
the first of those are fetched and scored exactly.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from affidavit.errors import EmbedderMismatchError
from affidavit.index.ranking import Mask, Scores, top

Floats = NDArray[np.float32]

#: Given row sequence numbers, the unit vectors of those rows in that order; NaN rows where there is none.
FetchVectors = Callable[[NDArray[np.int64]], Floats]

EXACT: Final = 2_000

_PIECE = 256
_ROUGHLY, _EXACTLY = 20, 2
"""For each hit wanted: how many estimates are bettered by the copies in memory, and how many by the vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescore:
    """How estimates become exact: `seqs` and `likely` (what else speaks for a row, in cosines), how many hits."""

    seqs: NDArray[np.int64]
    likely: Scores
    many: int
    fetch: FetchVectors | None


class Vectors:
    """Unit vectors by row number; a later vector for the same row replaces the earlier one."""

    def __init__(self) -> None:
        self._dimensions = 0
        self._rows: NDArray[np.int64] = np.empty(0, np.int64)
        self._exact: Floats | None = None
        self._bits: NDArray[np.uint64] | None = None
        self._codes: NDArray[np.int8] = np.empty((0, 0), np.int8)
        self._scales: Floats = np.empty(0, np.float32)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The rows that have a vector, rising."""
        return self._rows

    @property
    def exact(self) -> bool:
        """Whether the vectors themselves are in memory."""
        return self._bits is None

    def put(self, rows: NDArray[np.int64], matrix: Floats) -> None:
        """Set the vectors of rows. Raises `EmbedderMismatchError` when their width differs from those held."""
        if not len(rows):
            return
        if self._dimensions not in (0, matrix.shape[1]):
            raise EmbedderMismatchError(
                f"this space holds vectors of {self._dimensions} dimensions, these have {matrix.shape[1]}",
                hint="use the embedder the store was written with, or embed everything again",
            )
        self._dimensions = matrix.shape[1]
        if self._bits is None and len(self._rows) + len(rows) > EXACT:
            held = self._exact if self._exact is not None else matrix[:0]
            self._bits, (self._codes, self._scales) = _signs(held), _coarse(held)
            self._exact = None
        if self._bits is not None:
            codes, scales = _coarse(matrix)
            _, self._codes = _merge(self._rows, self._codes, rows, codes)
            _, self._scales = _merge(self._rows, self._scales, rows, scales)
            self._rows, self._bits = _merge(self._rows, self._bits, rows, _signs(matrix))
        else:
            held = self._exact if self._exact is not None else matrix[:0]
            self._rows, self._exact = _merge(self._rows, held, rows, matrix.astype(np.float32))

    def cosines(self, query: Floats) -> Floats:
        """Cosine with a unit vector for each of `rows`; an estimate when not `exact`."""
        if query.shape != (self._dimensions,):
            raise EmbedderMismatchError(
                f"this space holds vectors of {self._dimensions} dimensions, the question's has {query.size}",
                hint="use the embedder the store was written with, or embed everything again",
            )
        if self._bits is None:
            assert self._exact is not None
            cosines: Floats = self._exact @ query
            return cosines
        differing = np.zeros(len(self._bits), np.uint16)
        for column, sign in zip(self._bits.T, _signs(query[None, :])[0], strict=True):
            differing += np.bitwise_count(column ^ sign)
        table = np.cos(np.pi * np.arange(self._dimensions + 1) / self._dimensions).astype(np.float32)
        estimates: Floats = table[differing]
        return estimates

    def meaning(self, query: Floats, size: int, mask: Mask | None, rescore: Rescore) -> tuple[Scores, Mask]:
        """For each of `size` rows the cosine (0 for none and below), and which have one and are in the mask."""
        rows, cosines = self._rows, self.cosines(query).astype(np.float64)
        places = np.arange(len(rows))
        if mask is not None:
            places = np.flatnonzero(mask[rows])
            rows, cosines = rows[places], cosines[places]
        if not self.exact and len(rows):
            self._sharpen(query, places, rows, cosines, rescore)
        meaning = np.zeros(size)
        meaning[rows] = np.maximum(cosines, 0.0)
        known = np.zeros(size, np.bool_)
        known[rows] = True
        return meaning, known

    def _sharpen(
        self,
        query: Floats,
        places: NDArray[np.int64],
        rows: NDArray[np.int64],
        cosines: Scores,
        rescore: Rescore,
    ) -> None:
        """Better the estimates in place: the likeliest by their rough copies, the first of those by the vectors."""
        likely = rescore.likely[rows]
        best = top(likely + cosines, np.ones(len(rows), np.bool_), rescore.many * _ROUGHLY)
        held = places[best]
        cosines[best] = (self._codes[held].astype(np.float32) @ query) * self._scales[held]
        if rescore.fetch is None:
            return
        first = best[top((likely + cosines)[best], np.ones(len(best), np.bool_), rescore.many * _EXACTLY)]
        exact = rescore.fetch(rescore.seqs[rows[first]]) @ query
        cosines[first] = np.where(np.isnan(exact), cosines[first], exact)


def _coarse(matrix: Floats) -> tuple[NDArray[np.int8], Floats]:
    """A copy of each vector in one byte a dimension, and the factor that gives it its length back."""
    codes = np.empty(matrix.shape, np.int8)
    scales = np.empty(len(matrix), np.float32)
    # In pieces that stay in the processor's cache: a large space is loaded while somebody waits.
    for start in range(0, len(matrix), _PIECE):
        part = matrix[start : start + _PIECE]
        peak = np.maximum(part.max(axis=1, initial=0.0), -part.min(axis=1, initial=0.0))
        peak[peak == 0] = 1.0
        scales[start : start + _PIECE] = peak / 127.0
        scaled = part * (127.0 / peak)[:, None]
        codes[start : start + _PIECE] = np.rint(scaled, out=scaled)
    return codes, scales


def _signs(matrix: Floats) -> NDArray[np.uint64]:
    packed = np.packbits(matrix > 0, axis=1)
    short = -packed.shape[1] % 8
    return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, short)))).view(np.uint64)


def _merge(
    rows: NDArray[np.int64], held: NDArray[Any], new_rows: NDArray[np.int64], new: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Both lists by rising row; where a row comes twice the last one counts."""
    all_rows = np.concatenate((rows, new_rows))
    values = np.concatenate((held, new))
    if np.all(all_rows[1:] > all_rows[:-1]):
        return all_rows, values
    order = np.argsort(all_rows, kind="stable")
    all_rows = all_rows[order]
    last = np.concatenate((all_rows[1:] != all_rows[:-1], [True]))
    return all_rows[last], values[order[last]]
