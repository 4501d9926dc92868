"""A score as the sum of its parts: estimated for every row, worked out only for those that may be among the best.

A row's *promise* is its score without the small additions that don't come from its text. These are bounded, so the
promises tell which few rows the best must be among.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from affidavit.index.columns import Columns
from affidavit.index.lexical import Counts, Words
from affidavit.index.ranking import Ranking, Scores, cut_for, lend, nth_highest

_ROUNDING: Final = 1e-9  # more than sums of a few shares can differ by
_LEAST: Final = 1e-12  # what shares a word promises something, however it is discounted
_SMALLEST: Final = float(np.finfo(np.float64).smallest_subnormal)
_LOWEST: Final = float(np.finfo(np.float64).min)
_SPARE: Final = 70  # rows looked at beyond twice those wanted, so that a sample hardly ever shows too few


@dataclass(frozen=True, slots=True)
class Discounts:
    """What is left of each row's own score: `kept` of an assistant's turn, `telling` of what asks, `counting`: both."""

    kept: Scores
    telling: Scores
    counting: Scores

    @classmethod
    def of(cls, kept: Scores, asking: Counts, ranking: Ranking) -> "Discounts":
        """Both together."""
        telling: Scores = np.maximum(1.0 - ranking.asking * asking, _LEAST)
        return cls(kept, telling, np.maximum(kept * telling, _LEAST))


@dataclass(frozen=True, slots=True)
class Scoring:
    """One question's ingredients.

    `meaning` is each row's cosine, 0 for none and below; None where it does not count.
    `fresh` is the part that recency adds to the freshest row, and how fresh each row is now (above 1: as 1); `spoken`
    the codes of the speakers named.
    """

    columns: Columns
    ranking: Ranking
    words: Words
    discounts: Discounts
    asking: Counts
    spoken: frozenset[int]
    fresh: tuple[Scores, float] | None
    meaning: Scores | None = None

    def promise(self) -> Scores:
        """What speaks for each row before the additions; above 0 for whatever shares a word, or is lent of one."""
        words, discounts = self.words, self.discounts
        if self.columns.linked:
            told = words.scores.copy()
            told[:-1] *= discounts.kept
            promise: Scores = told[:-1] * discounts.telling
            before, after = self.columns.before, self.columns.after
            promise += lend(told.take(before, mode="wrap"), told.take(after, mode="wrap"), self.ranking)
        else:
            promise = words.scores[:-1] * discounts.counting
        if words.whole > 0:
            promise *= self._verbal / words.whole
        if self.meaning is not None:
            promise += self.ranking.meaning * discounts.counting * self.meaning
        return promise

    @property
    def spread(self) -> float:
        """How far the additions to two rows can differ."""
        spread = abs(self.ranking.recency) if self.fresh is not None else 0.0
        return spread + abs(self.ranking.speaker) * bool(self.spoken) + _ROUNDING

    def parts(self, rows: NDArray[np.int64]) -> dict[str, Scores]:
        """The parts of these rows' scores, in the order in which they are added up."""
        ranking, kept = self.ranking, self.discounts.kept[rows]
        parts = {"words": self._verbal * self.words.at(rows), "neighbours": self._verbal * self.lent(rows)}
        own = parts["words"]
        if self.meaning is not None:
            parts["meaning"] = ranking.meaning * self.meaning[rows]
            own = own + parts["meaning"]
        parts["assistant"] = own * (kept - 1.0)
        parts["asking"] = own * kept * -ranking.asking * self.asking[rows]
        return parts | self.additions(rows)

    @property
    def _verbal(self) -> float:
        """The share of words in the sum."""
        return 1.0 if self.meaning is None else 1.0 - self.ranking.meaning

    def lent(self, rows: Any) -> Scores:
        """What they are lent by their neighbours."""
        before, after = self.columns.before[rows], self.columns.after[rows]
        kept = self.discounts.kept  # row -1, none, has no words of which anything could be kept
        return lend(self.words.at(before) * kept[before], self.words.at(after) * kept[after], self.ranking)

    def additions(self, rows: Any) -> dict[str, Scores]:
        """Small bounded additions that don't come from the text of a row."""
        ranking, out = self.ranking, {}
        if self.spoken:
            spoken = np.isin(self.columns.coded("speaker").codes[rows], list(self.spoken))
            out["speaker"] = ranking.speaker * spoken.astype(np.float64)
        if self.fresh is not None:
            fresh, factor = self.fresh
            out["recency"] = ranking.recency * np.minimum(1.0, fresh[rows] * factor)
        return out


def total(parts: Mapping[str, Scores]) -> Scores:
    """The sum of parts, always in the same order."""
    first, *others = parts.values()
    sums = first + 0.0
    for part in others:
        sums += part
    return sums


def contenders(promise: Scores, limit: int, spread: float, *, finite: bool) -> NDArray[np.int64]:
    """The rows among which the `limit` best are, rising.

    Those are found whose promise is above zero, or `finite`. The scores of two rows differ from their promises by at
    most `spread`.
    """
    least = _LOWEST if finite else _SMALLEST
    rows = _likely(promise, limit, spread, least)
    if rows is None:
        rows = np.flatnonzero(promise >= least)
    if len(rows) <= limit:
        return rows
    values = promise[rows]
    near: NDArray[np.int64] = rows[values >= nth_highest(values, limit) - spread]
    return near


def _likely(promise: Scores, limit: int, spread: float, least: float) -> NDArray[np.int64] | None:
    """A few rows among which the contenders are, by a sample; None where it shows no such."""
    cut = cut_for(promise, 2 * limit + _SPARE)
    if cut is None or cut - spread < least:
        return None
    rows = np.flatnonzero(promise >= cut - spread)
    return rows if np.count_nonzero(promise[rows] >= cut) >= limit else None
