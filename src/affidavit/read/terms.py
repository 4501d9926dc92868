"""When the versions of a space hold: as arrays beside its index, and for single versions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from affidavit.core.backing import NOTHING, Backing, backings
from affidavit.core.beliefs import Beliefs
from affidavit.core.memories import ItemRow, MemoryStatus, version_id
from affidavit.core.standing import Bounds, Term
from affidavit.index.columns import IndexRow
from affidavit.store.protocol import Reads
from affidavit.text.lang.relations import Relation

Mask = NDArray[np.bool_]

_FIRST: Final = int(np.iinfo(np.int64).min)
_LAST: Final = int(np.iinfo(np.int64).max)
_WIDTH: Final = len(IndexRow._fields)


class Times(NamedTuple):
    """Which versions are asked for: those that hold at some instant from `start` up to `end`; None: at any."""

    start: int | None
    end: int | None

    @classmethod
    def at(cls, instant: int) -> "Times":
        """One instant."""
        return cls(instant, instant + 1)


class Version(NamedTuple):
    """A version as the terms of a space are made from it."""

    seq: int
    memory_id: str
    id: str
    authority: str
    bounds: Bounds

    @classmethod
    def of_index_row(cls, row: Sequence[Any]) -> "Version":
        """From what `item_index_rows` gives."""
        seq, memory_id, authority, version = row[0], row[1], row[5], row[_WIDTH]
        return cls(seq, memory_id, version_id(memory_id, version), authority, Bounds._make(row[_WIDTH + 1 :]))

    @classmethod
    def of_row(cls, seq: int, row: ItemRow) -> "Version":
        """From a whole row."""
        bounds = Bounds._make(getattr(row, name) for name in Bounds._fields)
        return cls(seq, row.memory_id, row.id, row.authority, bounds)


def terms_of(
    reads: Reads,
    space_id: str,
    rows: Iterable[ItemRow],
    relations: Mapping[str, Relation],
    beliefs: Beliefs | None = None,
) -> dict[str, Term]:
    """When these versions hold, by version id."""
    by_id = {row.id: row for row in rows}
    behind = backings(reads.support_times(space_id, list(by_id)), beliefs)
    return {one: behind.get(one, NOTHING).term(row.authority, row, relations) for one, row in by_id.items()}


class SpaceTerms:
    """When each version of a space holds, in the order of their rows in its index."""

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self._relations = relations
        self.places: dict[str, int] = {}
        """Where each version stands here, by its id."""
        self.seqs: list[int] = []
        self.sources: list[int] = []
        """Where the episode that each was first drawn from stands in the log, -1 for none."""
        self._retracted: dict[str, tuple[int, ...]] = {}
        self.terms: list[Term] = []
        self.closed_by: list[str | None] = []
        self._memories: dict[str, int] = {}
        self._versions: list[list[str]] = []
        self._codes: list[int] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._denials: list[int] = []
        self._arrays: tuple[NDArray[np.int64], ...] | None = None

    def __len__(self) -> int:
        return len(self.seqs)

    def take(self, versions: Iterable[Version], behind: Mapping[str, Backing]) -> None:
        """Add versions at the end, in order of `seq`; those that are here already are set anew."""
        for version in versions:
            backing = behind.get(version.id, NOTHING)
            term = backing.term(version.authority, version.bounds, self._relations)
            place = self.places.setdefault(version.id, len(self.seqs))
            if place == len(self.seqs):
                self.seqs.append(version.seq)
                code = self._memories.setdefault(version.memory_id, len(self._memories))
                self._versions += [[]] if code == len(self._versions) else []
                self._versions[code].append(version.id)
                self._codes.append(code)
                self._starts.append(0)
                self._ends.append(0)
                self._denials.append(version.bounds.negated)
                self.sources.append(-1)
                self.terms.append(term)
                self.closed_by.append(None)
            self.terms[place], self.closed_by[place] = term, version.bounds.closed_by
            fenced = term.fenced is not None
            self._starts[place] = _LAST if fenced else _FIRST if term.start is None else term.start
            self._ends[place] = _FIRST if fenced else _LAST if term.end is None else term.end
            self.sources[place] = backing.quoted[0] if backing.quoted else -1
            self._retracted.pop(version.id, None)
            if version.bounds.status == MemoryStatus.RETRACTED:
                self._retracted[version.id] = backing.quoted
        self._arrays = None

    @property
    def hidden(self) -> set[int]:
        """The places of the episodes that something retracted quotes: they do not bring it back."""
        return {seq for quoted in self._retracted.values() for seq in quoted}

    def siblings(self, version: str) -> list[str]:
        """The versions of the memory that a version is of, itself among them."""
        return self._versions[self._codes[self.places[version]]]

    def holding(self, times: Times, *, newest: bool) -> Mask:
        """Which versions hold within these times; `newest`: of each memory only the one that holds to the last.

        Of those that hold to the last alike: what is so before what is not, and then the one that begins last.
        """
        codes, starts, ends, denials = self._as_arrays()[:4]
        after = starts < ends if times.end is None else starts < times.end
        held: Mask = after & (ends > (_FIRST if times.start is None else times.start))
        if newest and held.any():
            places = np.flatnonzero(held)
            last_of_all = ends if times.end is None else np.minimum(ends, times.end)
            keys = (starts, -denials, last_of_all, codes)
            order = places[np.lexsort((places, *(key[places] for key in keys)))]
            last = np.append(codes[order][1:] != codes[order][:-1], [True])
            held = np.zeros(len(held), np.bool_)
            held[order[last]] = True
        return held

    @property
    def rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The `seq` of every version, rising, and of its source."""
        *_, seqs, sources = self._as_arrays()
        return seqs, sources

    def _as_arrays(self) -> tuple[NDArray[np.int64], ...]:
        if self._arrays is None:
            self._arrays = tuple(
                np.array(values, np.int64)
                for values in (self._codes, self._starts, self._ends, self._denials, self.seqs, self.sources)
            )
        return self._arrays
