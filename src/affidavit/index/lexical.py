"""Scoring by words: BM25 over the space's postings, with the words of the message before counted in part.

How rare a word is and how long a text is are measured among the episodes alone: what is derived from them says their
words again, and must not move them.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from affidavit.index.columns import Columns, Ints
from affidavit.index.postings import Postings
from affidavit.index.question import Word
from affidavit.index.ranking import Mask, Ranking, Scores

Counts = NDArray[np.float32]

_REMEMBERED: Final = 32  # terms; most questions share their commonest words


class _Share(NamedTuple):
    """What a term gives: how many episodes hold it, whom it speaks for (None: every row in order), how much for each.

    A row may come twice with the same share; the place behind the last row stands for none. `found`: whether any row
    holds it.
    """

    holders: int
    found: bool
    rows: Ints | None
    shares: Counts


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

    def score(self, words: Sequence[Word], mask: Mask | None) -> Scores:
        """The share of the question's weight that each row's words answer, 0 to 1; zero outside the mask."""
        n = len(self._columns)
        episodes = n - self._columns.memories
        scores: Scores = np.zeros(n + 1)
        scratch: Counts = np.zeros(n + 1, np.float32)
        whole = 0.0
        for word in words:
            weight = 0.0
            for share in self._find(word, mask, scratch):
                rarity = float(np.log1p((episodes - share.holders + 0.5) / (share.holders + 0.5)))
                weight = word.weight * rarity**self._ranking.rarity
                if share.rows is None:
                    scores += weight * share.shares
                else:
                    scores[share.rows] += weight * share.shares
            whole += weight
        scores = scores[:n]
        if mask is not None:
            scores[~mask] = 0.0
        return scores / whole if whole > 0 else scores

    def _find(self, word: Word, mask: Mask | None, scratch: Counts) -> list[_Share]:
        """The shares of a word, or of what it might be in other languages if the space does not know it.

        The last one gives the word its weight.
        """
        own = self._share(word.id, mask, scratch)
        if own.holders or word.guesses is None:
            return [own]
        guessed = [self._share(guess, mask, scratch) for guess in word.guesses()]
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
        norm, spill = self._derive()
        if mask is not None:
            inside = mask[rows]
            rows, times = rows[inside], times[inside]
        after = self._columns.after[rows]  # -1, no row, is the place behind the last one
        counts[rows] = times
        counts[after] += times * spill[rows]
        if len(rows) * 4 > len(counts):
            # A word in many rows: whole columns are quicker than picking.
            shares = counts / (counts + norm)
            counts[:] = 0.0
            return _Share(holders, found, None, shares)
        here: Ints = np.concatenate((rows, after.astype(np.int64)))
        times = counts[here]
        counts[here] = 0.0
        return _Share(holders, found, here, times / (times + norm[here]))

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
