"""Scoring by words: BM25 over the space's postings, with the words of the message before counted in part.

How rare a word is and how long a text is are measured among the episodes alone: what is derived from them says their
words again, and must not move them.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from affidavit.index.columns import Columns, Ints
from affidavit.index.postings import Postings
from affidavit.index.question import Word
from affidavit.index.ranking import Mask, Ranking, Scores
from affidavit.text.lexicon.terms import elsewhere

Counts = NDArray[np.float32]

_REMEMBERED: Final = 128  # terms; most questions share their commonest words


class _Share(NamedTuple):
    """What a term gives: how many episodes hold it, how far that makes it count, whom it speaks for, how much for each.

    `rows` is None where it speaks for every row in order; -1 stands for none, and what comes twice has no share the
    second time. `found`: whether any row holds it.
    """

    holders: int
    found: bool
    rarity: float
    rows: Ints | None
    shares: Counts


class Words(NamedTuple):
    """The share of a question's weight that the words of rows answer, 0 to 1: `scores` over `whole`.

    One more score than there are rows, the last one zero: that of row -1, which is none.
    """

    scores: Scores
    whole: float

    def at(self, rows: NDArray[Any] | slice) -> Scores:
        """The shares of these rows."""
        scores: Scores = self.scores[rows]
        return scores / self.whole if self.whole > 0 else scores


class _Derived(NamedTuple):
    """For each row: what its length takes off; the share of its words that counts for the row after it."""

    norm: Counts
    spill: Counts


class Lexical:
    """The words of the rows of `columns`."""

    def __init__(self, columns: Columns, ranking: Ranking) -> None:
        self._columns = columns
        self._ranking = ranking
        self._postings = Postings()
        self._derived: _Derived | None = None
        self._shares: dict[int, _Share] = {}

    def extend(self, stored: Sequence[bytes]) -> None:
        """Add the stored terms of rows; the columns take the same rows next. `StoreUnreadableError` adds none."""
        self._postings.extend(stored)
        self._derived = None
        self._shares = {}

    @property
    def asking(self) -> Counts:
        """The share of each row's words that stand in short questions, 0 to 1."""
        return self._postings.asking

    def holders(self, term: int) -> int:
        """How many episodes hold a term."""
        rows, _ = self._postings.find(term)
        return int(np.count_nonzero(self._columns.episodes[rows])) if len(rows) else 0

    def score(self, words: Sequence[Word], mask: Mask | None) -> Words:
        """How far each row's words answer the question; not at all outside the mask."""
        n = len(self._columns)
        scores: Scores = np.zeros(n + 1)
        scratch: Counts = np.zeros(n + 1, np.float32)
        whole = 0.0
        for word in words:
            weight = 0.0
            for share in self._find(word, mask, scratch):
                weight = word.weight * share.rarity
                if share.rows is None:
                    scores += weight * share.shares
                else:
                    np.add.at(scores, share.rows, (weight * share.shares).astype(np.float64))
            whole += weight
        scores[n] = 0.0
        if mask is not None:
            scores[:n][~mask] = 0.0
        return Words(scores, whole)

    def _find(self, word: Word, mask: Mask | None, scratch: Counts) -> Sequence[_Share]:
        """The shares of a word, or of what it might be in other languages if the space does not know it.

        The last one gives the word its weight.
        """
        own = self._share(word.id, mask, scratch)
        if own.holders or word.guess is None:
            return (own,)
        guessed = [self._share(guess, mask, scratch) for guess in elsewhere(word.guess)]
        known = [share for share in guessed if share.holders]
        only_derived = [share for share in guessed if share.found and not share.holders]
        return [*only_derived, own, *known] if own.found else [*only_derived, *(known or [own])]

    def _share(self, term: int, mask: Mask | None, scratch: Counts) -> _Share:
        """What a term gives within the mask; without one it is remembered until rows are added."""
        if mask is not None:
            return self._make_share(term, mask, scratch)
        share = self._shares.pop(term, None) or self._make_share(term, mask, scratch)
        self._shares[term] = share
        if len(self._shares) > _REMEMBERED:
            self._shares.pop(next(iter(self._shares)), None)
        return share

    def _make_share(self, term: int, mask: Mask | None, counts: Counts) -> _Share:
        """`counts` is scratch, all zero before and after."""
        rows, times = self._postings.find(term)
        holders, found = len(rows), bool(len(rows))
        if self._columns.memories:
            holders = int(np.count_nonzero(self._columns.episodes[rows]))
        others = len(self._columns) - self._columns.memories - holders
        rarity = float(np.log1p((others + 0.5) / (holders + 0.5))) ** self._ranking.rarity
        norm, spill = self._derive()
        if mask is not None:
            inside = mask[rows]
            rows, times = rows[inside], times[inside]
        many = len(rows) * 4 > len(counts)
        if not many and not self._columns.linked:
            return _Share(holders, found, rarity, rows, times / (times + norm[rows]))
        after = self._columns.after[rows].astype(np.int64)  # -1, no row, is the place behind the last one
        counts[rows] = times
        counts[after] += times * spill[rows]
        if many:
            # A word in many rows: whole columns are quicker than picking.
            shares = counts / (counts + norm)
            counts[:] = 0.0
            return _Share(holders, found, rarity, None, shares)
        times = counts[rows]
        counts[rows] = 0.0
        next_times = counts[after]  # zero for what stands among `rows`
        counts[after] = 0.0
        here, times = np.concatenate((rows, after)), np.concatenate((times, next_times))
        return _Share(holders, found, rarity, here, times / (times + norm[here]))

    def _derive(self) -> _Derived:
        if self._derived is None:
            ranking, lengths = self._ranking, self._postings.lengths
            relative = (lengths + ranking.pad) / (self._mean_length() + ranking.pad)
            norm = np.append(ranking.k1 * (1.0 - ranking.b + ranking.b * relative), 1.0)
            shorter = ranking.before_pivot / (ranking.before_pivot + lengths)
            spill = ranking.before * shorter * (1.0 + ranking.before_asking * self._postings.asking)
            self._derived = _Derived(norm.astype(np.float32), spill.astype(np.float32))
        return self._derived

    def _mean_length(self) -> float:
        if not self._columns.memories:
            return self._postings.mean_length
        lengths = self._postings.lengths[self._columns.episodes]
        total = int(lengths.sum(dtype=np.float64))
        return total / len(lengths) if total else 1.0
