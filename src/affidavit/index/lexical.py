"""Scoring by words: BM25 over the space's postings, with the words of the message before counted in part."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affidavit.index.columns import Columns, Ints
from affidavit.index.postings import Postings
from affidavit.index.question import Word
from affidavit.index.ranking import Mask, Ranking, Scores

Counts = NDArray[np.float32]


class Lexical:
    """The words of the rows of `columns`."""

    def __init__(self, columns: Columns, ranking: Ranking) -> None:
        self._columns = columns
        self._ranking = ranking
        self._postings = Postings()
        self._derived: tuple[Counts, Counts] | None = None

    def extend(self, stored: Sequence[bytes]) -> None:
        """Add the stored terms of rows; the columns take the same rows next. `StoreUnreadableError` adds none."""
        self._postings.extend(stored)
        self._derived = None

    @property
    def asking(self) -> Counts:
        """The share of each row's words that stand in short questions, 0 to 1."""
        return self._postings.asking

    def score(self, words: Sequence[Word], mask: Mask | None) -> Scores:
        """The share of the question's weight that each row's words answer, 0 to 1; zero outside the mask."""
        n = len(self._columns)
        adding = _Adding(n, mask)
        whole = 0.0
        for word in words:
            weight = 0.0
            for rows, times in self._find(word):
                rarity = float(np.log1p((n - len(rows) + 0.5) / (len(rows) + 0.5)))
                weight = word.weight * rarity**self._ranking.rarity
                self._add(adding, rows, times, weight)
            whole += weight
        if mask is not None:
            adding.scores[~mask] = 0.0
        return adding.scores / whole if whole > 0 else adding.scores

    def _find(self, word: Word) -> list[tuple[Ints, Counts]]:
        """The rows of a word, or of what it might be in other languages if the space does not know it."""
        own = self._postings.find(word.id)
        if len(own[0]) or word.guesses is None:
            return [own]
        guessed = [self._postings.find(guess) for guess in word.guesses()]
        return [found for found in guessed if len(found[0])] or [own]

    def _add(self, adding: "_Adding", rows: Ints, times: Counts, weight: float) -> None:
        """Add one term to the scores."""
        scores, counts, mask = adding.scores, adding.counts, adding.mask
        norm, spill = self._derive()
        if mask is not None:
            inside = mask[rows]
            rows, times = rows[inside], times[inside]
        after = self._columns.after[rows]
        followed = after >= 0
        after = after[followed]
        counts[rows] = times
        counts[after] += times[followed] * spill[after]
        if len(rows) * 4 > len(scores):
            # A word in many rows: whole columns are quicker than picking.
            scores += weight * (counts / (counts + norm))
            counts[:] = 0.0
            return
        here = np.concatenate((rows, after))
        times = counts[here]
        # A row that comes twice is written twice with the same sum.
        scores[here] += weight * (times / (times + norm[here]))
        counts[here] = 0.0

    def _derive(self) -> tuple[Counts, Counts]:
        """For each row: what its length takes off, and the share of the words before it that count for it."""
        if self._derived is None:
            ranking, lengths = self._ranking, self._postings.lengths
            relative = (lengths + ranking.pad) / (self._postings.mean_length + ranking.pad)
            norm = ranking.k1 * (1.0 - ranking.b + ranking.b * relative)
            shorter = ranking.before_pivot / (ranking.before_pivot + lengths)
            share = ranking.before * shorter * (1.0 + ranking.before_asking * self._postings.asking)
            spill = np.append(share, 0.0)[self._columns.before]
            self._derived = norm.astype(np.float32), spill.astype(np.float32)
        return self._derived


class _Adding:
    """Scores under way; `counts` is scratch, all zero between two terms."""

    __slots__ = ("counts", "mask", "scores")

    def __init__(self, size: int, mask: Mask | None) -> None:
        self.scores: Scores = np.zeros(size)
        self.counts: Counts = np.zeros(size, np.float32)
        self.mask = mask
