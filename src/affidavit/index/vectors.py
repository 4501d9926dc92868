"""The vectors of a space: all compared exactly while they are few, those that look best when they are many.

Up to `EXACT` vectors stay in memory as float32 and are compared one by one. Above, the share of signs that differ
estimates the angle, a copy of one byte a dimension betters that for the eighth that looks best, and the first of those
are fetched and scored exactly; only signs and copies stay in memory (432 bytes a vector of 384 dimensions).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from affidavit.errors import EmbedderMismatchError
from affidavit.index.columns import Growing
from affidavit.index.ranking import Mask, Scores, top, upper

Floats = NDArray[np.float32]

#: Given row sequence numbers, the unit vectors of those rows in that order; NaN rows where there is none.
FetchVectors = Callable[[NDArray[np.int64]], Floats]

EXACT: Final = 16_000

_PIECE = 512  # vectors that fit the processor's cache
_ALONE = 400_000  # numbers that BLAS multiplies in this thread: several wait for each other on a busy machine
_UPPER = 8
_EXACTLY = 2
"""One estimate in `_UPPER` is bettered by its copy; of those, for each hit wanted, `_EXACTLY` by the vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescore:
    """How estimates become exact: what else speaks for each row (`likely`, in cosines), how far its cosine counts.

    `many` hits are wanted, and `fetch` gives vectors by `seqs`.
    """

    seqs: NDArray[np.int64]
    likely: Scores
    counting: Scores
    many: int
    fetch: FetchVectors | None


class Vectors:
    """Unit vectors by row number; a later vector for the same row replaces the earlier one."""

    def __init__(self) -> None:
        self._dimensions = 0
        self._rows = Growing(np.int64)
        self._whole: Growing | None = None  # the vectors, up to `EXACT`
        self._signs: list[Growing] = []  # above `EXACT`, 64 dimensions in each; and the copies:
        self._codes: Growing | None = None
        self._scales = Growing(np.float32)

    def __len__(self) -> int:
        return len(self._rows.view)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The rows that have a vector, rising; not to be kept across a `put`."""
        return self._rows.view

    @property
    def width(self) -> int:
        """Dimensions of each vector; 0 while there is none."""
        return self._dimensions

    @property
    def bytes(self) -> int:
        """About how much memory they take."""
        each = 4 * self._dimensions if self.exact else self._dimensions * 9 // 8 + 4
        return len(self) * (each + 8)

    @property
    def exact(self) -> bool:
        """Whether every vector is compared exactly."""
        return self._codes is None

    def put(self, rows: NDArray[np.int64], matrix: Floats) -> None:
        """Set the vectors of rows. Raises `EmbedderMismatchError` when their width differs from those held."""
        if not len(rows):
            return
        self._check_width(matrix.shape[1], "these have")
        last = self.rows[-1] if len(self) else -1
        self._append(rows, matrix)
        if rows[0] <= last or bool(np.any(rows[1:] <= rows[:-1])):
            self._tidy()

    def _check_width(self, width: int, whose: str) -> None:
        if width != self._dimensions and self._dimensions:
            raise EmbedderMismatchError(
                f"this space holds vectors of {self._dimensions} dimensions, {whose} {width}",
                hint="use the embedder the store was written with, or embed everything again",
            )

    def _append(self, rows: NDArray[np.int64], matrix: Floats) -> None:
        if not self._dimensions:
            self._dimensions = matrix.shape[1]
            self._whole = Growing(np.float32, self._dimensions)
        self._rows.extend(rows)
        if self._whole is None:
            self._copy(matrix)
            return
        self._whole.extend(matrix)
        if len(self) > EXACT:
            whole, self._whole = self._whole, None
            self._codes = Growing(np.int8, self._dimensions)
            self._signs = [Growing(np.uint64) for _ in range(-(-self._dimensions // 64))]
            self._copy(whole.view)

    def _copy(self, matrix: Floats) -> None:
        assert self._codes is not None
        codes, scales = _coarse(matrix)
        self._codes.extend(codes)
        self._scales.extend(scales)
        for column, new in zip(self._signs, _signs(matrix).T, strict=True):
            column.extend(new)

    def _tidy(self) -> None:
        """Bring the rows in order again; where one comes twice the last one counts."""
        order = np.argsort(self.rows, kind="stable")
        rows = self.rows[order]
        places = order[np.append(rows[1:] != rows[:-1], [True])]
        held = [self._rows, *self._signs]
        held += [self._whole] if self._whole is not None else []
        held += [self._codes, self._scales] if self._codes is not None else []
        for growing in held:
            growing.choose(places)

    def cosines(self, query: Floats) -> Scores:
        """Cosine with a unit vector for each of `rows`; an estimate when not `exact`."""
        self._check_width(query.size, "the question's has")
        if self._whole is not None:
            return _products(self._whole.view, query).astype(np.float64)
        total = np.zeros(len(self), np.uint16)
        unlike = np.empty(len(self), np.uint64)
        differing = np.empty(len(self), np.uint8)
        for column, sign in zip(self._signs, _signs(query[None, :])[0], strict=True):
            np.bitwise_xor(column.view, sign, out=unlike)
            np.add(total, np.bitwise_count(unlike, out=differing), out=total)
        estimates: Scores = np.cos(np.pi * np.arange(self._dimensions + 1) / self._dimensions).take(total)
        return estimates

    def meaning(
        self, query: Floats, size: int, mask: Mask | None, rescore: Rescore | None
    ) -> tuple[Scores, Mask | None]:
        """For each of `size` rows the cosine (0 for none and below), and which in the mask have one (None: all).

        `rescore` is not needed where all are compared exactly.
        """
        rows, cosines = self.rows, self.cosines(query)
        if mask is None and len(rows) == size:
            if rescore is not None:
                self._sharpen(query, None, rows, cosines, rescore)
            return np.maximum(cosines, 0.0, out=cosines), None
        places = np.arange(len(rows))
        if mask is not None:
            places = np.flatnonzero(mask[rows])
            rows, cosines = rows[places], cosines[places]
        if rescore is not None and len(rows):
            self._sharpen(query, places, rows, cosines, rescore)
        meaning = np.zeros(size)
        meaning[rows] = np.maximum(cosines, 0.0)
        known = np.zeros(size, np.bool_)
        known[rows] = True
        return meaning, known

    def _sharpen(
        self,
        query: Floats,
        places: NDArray[np.int64] | None,
        rows: NDArray[np.int64],
        cosines: Scores,
        rescore: Rescore,
    ) -> None:
        """Better the estimates in place: those that look best by their copies, the first of them by the vectors.

        `places` of `rows` among all that are held; None: they are all of them, and all the rows there are.
        """
        every = places is None
        likely = rescore.likely if every else rescore.likely[rows]
        counting = rescore.counting if every else rescore.counting[rows]
        many = max(len(rows) // _UPPER, rescore.many * _EXACTLY)
        best = upper(likely + counting * cosines, many)
        cosines[best] = self._by_copies(query, best if places is None else places[best])
        better = likely[best] + counting[best] * cosines[best]
        first = best[top(better, None, rescore.many * _EXACTLY)]
        if rescore.fetch is not None:
            exact = rescore.fetch(rescore.seqs[rows[first]]) @ query
            cosines[first] = np.where(np.isnan(exact), cosines[first], exact)

    def _by_copies(self, query: Floats, places: NDArray[np.int64]) -> Floats:
        assert self._codes is not None
        products = np.empty(len(places), np.float32)
        codes = np.empty((_PIECE, self._dimensions), np.int8)
        vectors = np.empty((_PIECE, self._dimensions), np.float32)
        for start in range(0, len(places), _PIECE):
            part = places[start : start + _PIECE]
            many = len(part)
            vectors[:many] = np.take(self._codes.view, part, axis=0, out=codes[:many], mode="clip")
            np.dot(vectors[:many], query, out=products[start : start + many])
        products *= self._scales.view[places]
        return products


def _products(matrix: Floats, query: Floats) -> Floats:
    products = np.empty(len(matrix), np.float32)
    step = max(1, _ALONE // query.size)
    for start in range(0, len(matrix), step):
        np.dot(matrix[start : start + step], query, out=products[start : start + step])
    return products


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
