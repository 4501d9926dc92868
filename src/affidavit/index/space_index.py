"""One space in memory: every row's terms, vector and columns, and the search over them.

Rules this module keeps:

1. A mask is applied before scoring: a row outside it has no score, lends no words and no score, and moves no scale.
   Only the word statistics (how many rows hold a term, the mean length) are those of the whole space.
2. What is found is a function of the rows, the question and the mask; never of how rows were batched. Ties go to
   the lower `seq`. Memories change nothing for episodes: they count in no statistic and lend nothing, so that they can
   be left out (`wanted`) after scoring as well as before.
3. Any text is a question; one without a known word finds nothing by words.
4. Nothing is removed: after an erasure the index is dropped and built again from what is left.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from affidavit.index.columns import NO_TIME, Coded, Columns, Ints
from affidavit.index.lexical import Lexical
from affidavit.index.question import Asked, dense_text, take_apart
from affidavit.index.ranking import Mask, Ranking, Scores, top
from affidavit.index.scoring import Discounts, Scoring, contenders, total
from affidavit.index.vectors import FetchVectors, Floats, Rescore, Vectors

__all__ = ["Query", "Scored", "SpaceIndex", "dense_text"]

_DAY_US = 86_400_000_000
_NO_PARTS: Final[Mapping[str, float]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question: its text, the unit vector of `dense_text(text)` if there is an embedder, and now in UTC microseconds.

    `names` are further names of speakers that the question asks about, beside those found in its words.
    """

    text: str
    vector: Floats | None = None
    now: int | None = None
    names: frozenset[str] = frozenset()


class Scored(NamedTuple):
    """One row found: its `seq`, its score, and the parts the score is the sum of."""

    seq: int
    score: float
    parts: Mapping[str, float] = _NO_PARTS


class SpaceIndex:
    """The rows of one space, searchable. Not thread-safe for writing; searching is, while nobody extends."""

    def __init__(self, ranking: Ranking | None = None) -> None:
        self._ranking = ranking or Ranking()
        self._columns = Columns()
        self._lexical = Lexical(self._columns, self._ranking)
        self._vectors = Vectors()
        self._fresh: tuple[int, Scores] | None = None
        self._left: tuple[float, Discounts] | None = None

    # -- filling

    def extend(self, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows: tuples in the field order of `IndexRow`, rising by `seq`.

        Raises `StoreUnreadableError` for terms that are not of our format, `ValueError` for rows out of order;
        then nothing is added.
        """
        batch = self._columns.read(rows)
        if batch is not None:
            self._lexical.extend(batch.terms)
            self._columns.add(batch)

    def set_vectors(self, seqs: Ints, matrix: Floats) -> None:
        """Give unit vectors to rows by `seq`, now or later, in any number of parts. Unknown rows: `ValueError`."""
        held = self.seqs
        rows = np.searchsorted(held, seqs)
        if len(seqs) and (not len(held) or rows.max() >= len(held) or bool(np.any(held[rows] != seqs))):
            raise ValueError("a vector was given for a row that the index does not hold")
        self._vectors.put(rows, matrix)

    # -- looking

    @property
    def size(self) -> int:
        """How many rows."""
        return len(self._columns)

    @property
    def seqs(self) -> Ints:
        """Every row's `seq`, rising."""
        return self._columns.seq.view

    @property
    def vectors(self) -> int:
        """How many rows have a vector."""
        return len(self._vectors)

    @property
    def embedded(self) -> Ints:
        """The `seq` of every row that has a vector, rising."""
        return self.seqs[self._vectors.rows]

    @property
    def vector_width(self) -> int:
        """Dimensions of the vectors; 0 while there is none."""
        return self._vectors.width

    @property
    def vector_bytes(self) -> int:
        """About how much memory the vectors take."""
        return self._vectors.bytes

    def column(self, name: str) -> Coded | Ints | list[str]:
        """A column by its name in `IndexRow`: `Coded` for texts, int64 for numbers and times (`NO_TIME`: none)."""
        return self._columns.column(name)

    def relabel(self, seq: int, authority: str, status: str) -> None:
        """The row of `seq` has another authority or status. Raises `KeyError` where there is none."""
        self._columns.relabel(self.row_of(seq), authority, status)

    def row_of(self, seq: int) -> int:
        """The number of the row of `seq`. Raises `KeyError` where there is none."""
        row = int(np.searchsorted(self.seqs, seq))
        if row == self.size or self.seqs[row] != seq:
            raise KeyError(seq)
        return row

    def memories_among(self, seqs: Sequence[int]) -> set[int]:
        """Those of the rows at `seqs`, which are there, that are memories."""
        episodes = self._columns.episodes[np.searchsorted(self.seqs, seqs)].tolist()
        return {seq for seq, is_episode in zip(seqs, episodes, strict=True) if not is_episode}

    @property
    def speakers(self) -> list[str]:
        """The names of those who speak in episodes."""
        return [name for name in self._columns.speakers if name]

    @property
    def memories(self) -> int:
        """How many rows are memories."""
        return self._columns.memories

    @property
    def episodes(self) -> Mask:
        """Which rows are episodes; the others are memories."""
        return self._columns.episodes

    def holders(self, term: int) -> int:
        """How many episodes hold a term, by its id."""
        return self._lexical.holders(term)

    # -- searching

    def search(
        self,
        query: Query,
        mask: Mask | None,
        limit: int,
        fetch_vectors: FetchVectors | None = None,
        *,
        wanted: Mask | None = None,
    ) -> list[Scored]:
        """The best rows within the mask (None: all), best first, at most `limit`; `wanted`: only these of them.

        A row that is not wanted still lends; one outside the mask does not.
        Rows that share no word with the question or with a neighbour that does, and have no vector where one is
        asked with, are not found. `fetch_vectors` is asked for exact vectors when there are too many to keep.
        """
        if not self.size or limit <= 0:
            return []
        asked = take_apart(query.text, query.names, self._columns.speakers, self._ranking)
        scoring = self._scoring(query, asked, mask)
        dense = query.vector is not None and len(self._vectors) > 0
        known = None
        if query.vector is not None and dense:
            rescore = None if self._vectors.exact else self._rescore(scoring, wanted, limit, fetch_vectors)
            meaning, known = self._vectors.meaning(query.vector, self.size, mask, rescore)
            scoring = replace(scoring, meaning=meaning)
        promise = scoring.promise()
        if known is not None:
            promise[~known & (promise <= 0)] = -np.inf
        for narrowed in (mask, wanted):
            if narrowed is not None:
                promise[~narrowed] = -np.inf
        rows = contenders(promise, limit, scoring.spread, finite=dense)
        parts = scoring.parts(rows)
        sums = total(parts)
        best = top(sums, None, limit)
        found = [part[best].tolist() for part in parts.values()]
        scored = zip(
            self.seqs[rows[best]].tolist(), sums[best].tolist(), zip(*found, strict=True), strict=True
        )
        return [
            Scored(seq, score, {name: part for name, part in zip(parts, own, strict=True) if part})
            for seq, score, own in scored
        ]

    def _scoring(self, query: Query, asked: Asked, mask: Mask | None) -> Scoring:
        """What scores are made of, but for meaning."""
        return Scoring(
            columns=self._columns,
            ranking=self._ranking,
            words=self._lexical.score(asked.words, mask),
            discounts=self._discounts(asked),
            asking=self._lexical.asking,
            spoken=asked.speakers,
            fresh=self._fresh_at(query.now),
        )

    def _rescore(
        self, scoring: Scoring, wanted: Mask | None, limit: int, fetch: FetchVectors | None
    ) -> Rescore:
        """A score is a sum that a row's cosine is one part of: the others tell which cosines matter."""
        rows, verbal = slice(self.size), 1.0 - self._ranking.meaning
        counting = scoring.discounts.counting
        likely = verbal * scoring.words.at(rows) * counting + verbal * scoring.lent(rows)
        for addition in scoring.additions(rows).values():
            likely += addition
        likely /= self._ranking.meaning
        if wanted is not None:
            likely[~wanted] = -np.inf
        return Rescore(seqs=self.seqs, likely=likely, counting=counting, many=limit, fetch=fetch)

    def _discounts(self, asked: Asked) -> Discounts:
        """What is left of each row's score after discounts; kept until rows are added."""
        share = 1.0 if asked.assistant else 1.0 - self._ranking.assistant
        if self._left is None or self._left[0] != share or len(self._left[1].kept) != self.size:
            coded = self._columns.coded("role")
            kept = np.array([share if role == "assistant" else 1.0 for role in coded.values])[coded.codes]
            self._left = share, Discounts.of(kept, self._lexical.asking, self._ranking)
        return self._left[1]

    def _fresh_at(self, now: int | None) -> tuple[Scores, float] | None:
        """How fresh each row was when the latest one came, and what is left of that now."""
        if now is None or not self._ranking.recency:
            return None
        latest, fresh = self._freshness()
        # A clock far behind the rows makes none of them fresher than fresh.
        since = max(-1_000.0, (now - latest) / _DAY_US / self._ranking.half_life_days)
        return fresh, float(np.exp2(-since))

    def _freshness(self) -> tuple[int, Scores]:
        """The latest row's time, and how fresh each row was then; kept until rows are added."""
        if self._fresh is None or len(self._fresh[1]) != self.size:
            occurred, recorded = self._columns.time("occurred_start"), self._columns.time("recorded_at")
            when = np.where(occurred == NO_TIME, recorded, occurred)
            # A plan may lie far ahead; an episode does not.
            said = when[self._columns.episodes] if self._columns.memories else when
            latest = int(said.max()) if len(said) else int(when.max())
            days = np.minimum(when - latest, 0) / _DAY_US
            self._fresh = latest, np.exp2(days / self._ranking.half_life_days)
        return self._fresh
