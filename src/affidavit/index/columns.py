"""The columns of a space's rows as arrays, growing at the end only."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from affidavit.core.memories import Kind

Ints = NDArray[np.int64]

#: Stands for "no time" in the time columns.
NO_TIME: Final = int(np.iinfo(np.int64).min)


class IndexRow(NamedTuple):
    """What the index holds of one row; times are UTC microseconds, `terms` the stored bytes of `text.lexicon.terms`.

    `role` is a message's role, or the kind of a memory: that tells the two apart. Memories have no session.
    """

    seq: int
    id: str
    session: str | None
    speaker: str | None
    role: str
    authority: str
    status: str
    occurred_start: int | None
    occurred_end: int | None
    recorded_at: int
    terms: bytes


class Coded(NamedTuple):
    """A column of few distinct values: row i holds `values[codes[i]]`."""

    codes: NDArray[np.int32]
    values: Sequence[str | None]


class Growing:
    """An array that grows at the end; `view` is the filled part. `width`: how many numbers are one value."""

    __slots__ = ("_array", "_size")

    def __init__(self, dtype: Any, *width: int) -> None:
        self._array: NDArray[Any] = np.empty((0, *width), dtype)
        self._size = 0

    def extend(self, values: NDArray[Any]) -> None:
        """Add values at the end."""
        needed = self._size + len(values)
        if needed > len(self._array):
            room = needed * 3 // 2 if self._size else needed
            larger = np.empty((room, *self._array.shape[1:]), self._array.dtype)
            larger[: self._size] = self.view
            self._array = larger
        self._array[self._size : needed] = values
        self._size = needed

    def choose(self, places: NDArray[np.int64]) -> None:
        """Keep only the values at these places, in their order."""
        self._array = self.view[places]
        self._size = len(places)

    @property
    def view(self) -> NDArray[Any]:
        """The values so far; not to be kept across an `extend`."""
        return self._array[: self._size]


class _Coding:
    __slots__ = ("codes", "known", "values")

    def __init__(self) -> None:
        self.codes = Growing(np.int32)
        self.known: dict[str | None, int] = {}
        self.values: list[str | None] = []

    def extend(self, column: Sequence[str | None]) -> NDArray[np.int32]:
        known = self.known
        for value in dict.fromkeys(column):
            if value not in known:
                known[value] = len(known)
                self.values.append(value)
        codes = np.fromiter(map(known.__getitem__, column), np.int32, len(column))
        self.codes.extend(codes)
        return codes

    def put(self, row: int, value: str | None) -> None:
        if value not in self.known:
            self.known[value] = len(self.known)
            self.values.append(value)
        self.codes.view[row] = self.known[value]


_CODED: Final = ("session", "speaker", "role", "authority", "status")
_TIMES: Final = ("occurred_start", "occurred_end", "recorded_at")


_KINDS: Final = frozenset(map(str, Kind))
_PART: Final = 1_000


class Batch(NamedTuple):
    """Rows to be added, by column."""

    seq: Ints
    ids: Sequence[str]
    times: Mapping[str, Ints]
    coded: Mapping[str, Sequence[str | None]]
    terms: Sequence[bytes]


def _times(column: Sequence[int | None]) -> Ints:
    return np.array([NO_TIME if t is None else t for t in column], np.int64)


class Columns:
    """All columns but the terms, in order of `seq`, and which row follows which within a session."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.seq = Growing(np.int64)
        self._times = {name: Growing(np.int64) for name in _TIMES}
        self._coded = {name: _Coding() for name in _CODED}
        self._before = Growing(np.int32)
        self._after = Growing(np.int32)
        self._last: dict[int, int] = {}  # session code -> its newest row
        self._episodes = Growing(np.bool_)
        self._speaking: set[int] = set()
        self.memories = 0
        """How many rows are memories."""
        self.linked = False
        """Whether any row follows another one."""

    def __len__(self) -> int:
        return len(self.ids)

    def read(self, rows: Iterable[Sequence[Any]]) -> Batch | None:
        """Rows as columns, checked and not yet added; None for no rows. `ValueError` for rows out of order."""
        source, whole = iter(rows), [list[Any]() for _ in IndexRow._fields]
        # In parts: a hundred thousand rows at once keep the collector of garbage busy.
        while part := list(islice(source, _PART)):
            for column, values in zip(whole, zip(*part, strict=True), strict=True):
                column.extend(values)
        columns = dict(zip(IndexRow._fields, whole, strict=True))
        if not columns["seq"]:
            return None
        seqs = np.array(columns["seq"], np.int64)
        held = self.seq.view
        if (len(held) and seqs[0] <= held[-1]) or bool(np.any(seqs[1:] <= seqs[:-1])):
            raise ValueError("rows must come in rising order of seq, each once")
        times = {name: _times(columns[name]) for name in _TIMES}
        return Batch(seqs, columns["id"], times, {name: columns[name] for name in _CODED}, columns["terms"])

    def add(self, batch: Batch) -> None:
        """Add what `read` gave, before anything else is read."""
        first = len(self.ids)
        self.seq.extend(batch.seq)
        self.ids.extend(batch.ids)
        for name, times in batch.times.items():
            self._times[name].extend(times)
        codes = {name: self._coded[name].extend(values) for name, values in batch.coded.items()}
        self._link(codes["session"], first)
        known = self._coded["role"].known
        kinds = [known[kind] for kind in _KINDS & known.keys()]
        episodes = ~np.isin(codes["role"], kinds) if kinds else np.ones(len(batch.ids), np.bool_)
        self._episodes.extend(episodes)
        self.memories += len(episodes) - int(episodes.sum())
        self._speaking.update(np.unique(codes["speaker"][episodes]).tolist())

    def _link(self, sessions: NDArray[np.int32], first: int) -> None:
        """Join each new row to the one before it in its session; rows without a session stand alone."""
        n = len(sessions)
        order = np.argsort(sessions, kind="stable")
        rows = (order + first).astype(np.int32)
        codes = sessions[order]
        starts = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1])))
        before = np.empty(n, np.int32)
        before[1:] = rows[:-1]
        before[starts] = [self._last.get(code, -1) for code in codes[starts].tolist()]
        alone = self._coded["session"].known.get(None)
        if alone is not None:
            before[codes == alone] = -1
        in_order = np.empty(n, np.int32)
        in_order[order] = before
        self._before.extend(in_order)
        self._after.extend(np.full(n, -1, np.int32))
        linked = before >= 0
        self.linked |= bool(linked.any())
        self._after.view[before[linked]] = rows[linked]
        ends = np.concatenate((starts[1:], [n])) - 1
        self._last.update(zip(codes[ends].tolist(), rows[ends].tolist(), strict=True))

    @property
    def episodes(self) -> NDArray[np.bool_]:
        """Which rows are episodes; the others are memories."""
        return self._episodes.view

    @property
    def speakers(self) -> Sequence[str | None]:
        """Who speaks in episodes, by the codes of `speaker`; None for whoever is only told of in memories."""
        values = self._coded["speaker"].values
        if not self.memories:
            return values
        return [value if code in self._speaking else None for code, value in enumerate(values)]

    def relabel(self, row: int, authority: str, status: str) -> None:
        """A row has another authority or status."""
        self._coded["authority"].put(row, authority)
        self._coded["status"].put(row, status)

    @property
    def before(self) -> NDArray[np.int32]:
        """For each row the row before it in its session, or -1."""
        return self._before.view

    @property
    def after(self) -> NDArray[np.int32]:
        """For each row the row after it in its session, or -1."""
        return self._after.view

    def coded(self, name: str) -> Coded:
        """A column of texts: session, speaker, role, authority or status."""
        coding = self._coded[name]
        return Coded(coding.codes.view, coding.values)

    def column(self, name: str) -> Coded | Ints | list[str]:
        """A column by the name of its field in `IndexRow`. Times use `NO_TIME` for none. Raises `KeyError`."""
        if name in self._coded:
            return self.coded(name)
        if name == "seq":
            return self.seq.view
        return self.ids if name == "id" else self.time(name)

    def time(self, name: str) -> Ints:
        """A time column: occurred_start, occurred_end or recorded_at; `NO_TIME` for none."""
        return self._times[name].view
