"""One space in memory: every row's terms, vector and columns, and the search over them.

Rules this module keeps:

1. A mask is applied before scoring: a row outside it has no score, lends none, and does not move the scale of the
   others. Only the word statistics (how many rows hold a term, the mean length) are those of the whole space.
2. What is found is a function of the rows, the question and the mask; never of how rows were batched. Ties go to
   the lower `seq`.
3. Any text is a question; one without a known word finds nothing by words.
4. Nothing is removed: after an erasure the index is dropped and built again from what is left.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affidavit.index.columns import NO_TIME, Coded, Columns, Ints
from affidavit.index.postings import Postings
from affidavit.index.ranking import Mask, Ranking, Scores, lend, spread, top
from affidavit.index.vectors import FetchVectors, Floats, Vectors
from affidavit.text.terms import QueryTerm, elsewhere, query_terms
from affidavit.text.words import fold, tokens

_DAY_US = 86_400_000_000
_RESCORED = 20  # vectors scored exactly for each hit wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question: its text, the unit vector of `dense_text(text)` if there is an embedder, and now in UTC microseconds.

    `names` are further names of speakers that the question asks about, beside those found in its words.
    """

    text: str
    vector: Floats | None = None
    now: int | None = None
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One row found: its `seq`, its score, and the parts the score is the sum of."""

    seq: int
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)


class SpaceIndex:
    """The rows of one space, searchable. Not thread-safe for writing; searching is, while nobody extends."""

    def __init__(self, ranking: Ranking | None = None) -> None:
        self._ranking = ranking or Ranking()
        self._columns = Columns()
        self._postings = Postings()
        self._vectors = Vectors()

    # -- filling

    def extend(self, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows: tuples in the field order of `IndexRow`, rising by `seq`.

        Raises `StoreUnreadableError` for terms that are not of our format, `ValueError` for rows out of order.
        """
        self._postings.extend(self._columns.extend(rows))

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

    def column(self, name: str) -> Coded | Ints | list[str]:
        """A column by its name in `IndexRow`: `Coded` for texts, int64 for numbers and times (`NO_TIME`: none)."""
        return self._columns.column(name)

    # -- searching

    def search(
        self, query: Query, mask: Mask | None, limit: int, fetch_vectors: FetchVectors | None = None
    ) -> list[Scored]:
        """The best rows within the mask (None: all), best first, at most `limit`.

        Rows that share no word with the question, and have no vector where one is asked with, are not found.
        `fetch_vectors` is asked for exact vectors when the space holds too many to keep them.
        """
        if not self.size or limit <= 0:
            return []
        ranking = self._ranking
        asked = query_terms(query.text)
        speakers = self._speakers_asked(asked, query.names)
        words = self._lexical(self._weigh(asked, speakers), mask)
        parts = {"words": words}
        eligible = words > 0
        lent = lend(words, self._columns.before, self._columns.after, ranking)
        if mask is not None:
            lent[~mask] = 0.0
        parts["neighbours"] = lent
        highest = float((words + lent).max())
        share = ranking.dense if query.vector is not None and len(self._vectors) else 0.0
        if highest > 0:
            scale = (1.0 - share) / highest
            parts = {name: part * scale for name, part in parts.items()}
        if share and query.vector is not None:
            dense, known = self._dense(query.vector, words, mask, limit, fetch_vectors)
            parts["meaning"] = share * dense
            eligible |= known
        else:
            eligible |= lent > 0
        parts |= self._priors(query, speakers)
        total = np.sum(list(parts.values()), axis=0)
        if mask is not None:
            eligible &= mask
        rows = top(total, eligible, limit)
        seqs = self.seqs[rows].tolist()
        return [
            Scored(seq=seq, score=float(total[row]), parts={name: float(part[row]) for name, part in parts.items()})
            for seq, row in zip(seqs, rows.tolist(), strict=True)
        ]

    def _speakers_asked(self, asked: Sequence[QueryTerm], names: frozenset[str]) -> dict[int, set[str]]:
        """Code of each speaker asked about -> the words of the question that name them."""
        words = {fold(term.word) for term in asked if not term.stop}
        found = {}
        for code, speaker in enumerate(self._columns.coded("speaker").values):
            if speaker is None:
                continue
            named = {fold(token) for token in tokens(speaker)} & words
            if named or speaker in names:
                found[code] = named
        return found

    def _weigh(self, asked: Sequence[QueryTerm], speakers: Mapping[int, set[str]]) -> list[tuple[int, float]]:
        """Term ids with weights: no stop words unless there is nothing else, names little."""
        named = {word for words in speakers.values() for word in words}
        content = [term for term in asked if not term.stop] or list(asked)
        out = []
        for term in content:
            weight = term.weight * (self._ranking.name if fold(term.word) in named else 1.0)
            out.append((term.id, weight))
            if term.guess and not len(self._postings.find(term.id)[0]):
                out += [(other, weight) for other in elsewhere(term.word) if other != term.id]
        return out

    def _lexical(self, weighted: Sequence[tuple[int, float]], mask: Mask | None) -> Scores:
        """BM25 of every row; zero outside the mask."""
        k1, b = self._ranking.k1, self._ranking.b
        n = self.size
        norm = k1 * (1 - b + b * self._postings.lengths / self._postings.mean_length)
        scores = np.zeros(n)
        for term, weight in weighted:
            rows, counts = self._postings.find(term)
            if len(rows):
                idf = np.log1p((n - len(rows) + 0.5) / (len(rows) + 0.5))
                scores[rows] += weight * idf * counts / (counts + norm[rows])
        if mask is not None:
            scores[~mask] = 0.0
        return scores

    def _dense(
        self, vector: Floats, words: Scores, mask: Mask | None, limit: int, fetch: FetchVectors | None
    ) -> tuple[Scores, Mask]:
        """Cosines moved to 0..1 over the rows of the mask that have a vector, and which those are."""
        rows = self._vectors.rows
        cosines = self._vectors.cosines(vector).astype(np.float64)
        if mask is not None:
            inside = mask[rows]
            rows, cosines = rows[inside], cosines[inside]
        if not self._vectors.exact and fetch is not None and len(rows):
            self._rescore(vector, rows, cosines, words, limit * _RESCORED, fetch)
        dense = np.zeros(self.size)
        dense[rows] = spread(cosines, None)
        known = np.zeros(self.size, np.bool_)
        known[rows] = True
        return dense, known

    def _rescore(
        self, vector: Floats, rows: NDArray[np.int64], cosines: Scores, words: Scores, many: int, fetch: FetchVectors
    ) -> None:
        """Replace the estimates of the rows that look best, by meaning or by words, with exact cosines."""
        everything = np.ones(len(rows), np.bool_)
        best = np.union1d(top(cosines, everything, many), top(words[rows], words[rows] > 0, many))
        exact = fetch(self.seqs[rows[best]]) @ vector
        cosines[best] = np.where(np.isnan(exact), cosines[best], exact)

    def _priors(self, query: Query, speakers: Mapping[int, set[str]]) -> dict[str, Scores]:
        """Small bounded additions that don't come from the text of a row."""
        ranking = self._ranking
        out = {}
        if speakers:
            out["speaker"] = ranking.speaker * np.isin(self._columns.coded("speaker").codes, list(speakers))
        if query.now is not None and ranking.recency:
            occurred = self._columns.column("occurred_start")
            recorded = self._columns.column("recorded_at")
            when = np.where(occurred == NO_TIME, recorded, occurred)
            days = np.maximum(0.0, (query.now - when) / _DAY_US)
            out["recency"] = ranking.recency * np.exp2(-days / ranking.half_life_days)
        return out


def dense_text(text: str, names: Iterable[str]) -> str:
    """A question for the embedder: speakers' names out, so that they don't outweigh what is asked."""
    out = text
    for name in names:
        for token in tokens(name):
            out = _without(out, token)
    return " ".join(out.split()) or text


def _without(text: str, word: str) -> str:
    kept = [part for part in text.split() if fold(part.strip("'\".,;:!?()").removesuffix("'s")) != fold(word)]
    return " ".join(kept)
