"""The arithmetic of ranking: its weights, and pure functions over arrays with one number a row.

A score has a fixed scale: the share of the question's weight that a row's words answer (0 to 1), or the cosine of
its meaning, plus small additions. It is a function of the row, its neighbours, the question and the space's word
counts; never of which other rows were eligible.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How the ingredients of a score are weighed. Each was measured on several data sets; see ADR 0005."""

    #: Saturation of repeated words, and how far length counts. `pad` words are added to every length: among short
    #: messages a few words more or less say nothing.
    k1: float = 0.9
    b: float = 0.9
    pad: float = 20.0
    #: Rarity of a word counts to this power.
    rarity: float = 1.2
    #: Weight of words that only carry grammar, and of a speaker's name: it says who spoke, not what of.
    stop: float = 0.2
    name: float = 0.3
    #: The words of the message before count in part: an answer leaves out what the question named. Less so after
    #: a long message (`before_pivot` words halve it), more so after a question.
    before: float = 0.4
    before_pivot: float = 10.0
    before_asking: float = 2.0
    #: Part of a message's score lent to the one after it, and to the one before it, in its session.
    lend_after: float = 0.3
    lend_before: float = 0.2
    #: Taken off what only asks, and off the assistant's turns (which echo the user's) unless they are asked for.
    asking: float = 0.6
    assistant: float = 0.5
    #: Added for a speaker whose name is in the question.
    speaker: float = 0.05
    #: Share of meaning in the sum, where there are vectors.
    meaning: float = 0.3
    #: The most that recency adds; half of it is left after `half_life_days`.
    recency: float = 0.002
    half_life_days: float = 30.0


_STRIDE: Final = 17  # odd: speakers take turns

#: The names of the parts a score is the sum of.
PARTS: Final = ("words", "meaning", "asking", "assistant", "neighbours", "speaker", "recency")


def lend(before: Scores, after: Scores, ranking: Ranking) -> Scores:
    """What rows are lent by their neighbours in the session, which have these scores (0 for none)."""
    lent: Scores = before * ranking.lend_after
    lent += ranking.lend_before * after
    return lent


def top(scores: Scores, eligible: Mask | None, limit: int) -> NDArray[np.int64]:
    """The `limit` best eligible rows (None: all are), best first; among equals the earlier row."""
    rows = np.arange(len(scores)) if eligible is None else np.flatnonzero(eligible)
    values = scores if len(rows) == len(scores) else scores[rows]
    if len(rows) > limit:
        likely = _near_the_top(values, limit)
        if likely is not None:
            rows, values = rows[likely], values[likely]
        best = values >= nth_highest(values, limit)
        rows, values = rows[best], values[best]
    found: NDArray[Any] = rows[np.lexsort((rows, -values))][:limit]
    return found


def nth_highest(values: Scores, n: int) -> float:
    """The `n`-th highest of at least as many values."""
    return float(np.partition(values, len(values) - n)[len(values) - n])


def cut_for(values: Scores, many: int) -> float | None:
    """Above which about the `many` highest values lie, by a sample; None where there are no more."""
    sample = values[::_STRIDE]
    rank = min(len(sample), -(-many // _STRIDE))
    return None if len(values) <= many or rank == len(sample) else nth_highest(sample, rank)


def upper(values: Scores, many: int) -> NDArray[np.int64]:
    """Where about the `many` highest values lie, by a sample; all where there are no more."""
    cut = cut_for(values, many)
    return np.arange(len(values)) if cut is None else np.flatnonzero(values >= cut)


def _near_the_top(values: Scores, limit: int) -> NDArray[np.int64] | None:
    """Where a few values lie among which the `limit` best are, by a sample; None where it showed no such."""
    likely = upper(values, 2 * limit + 4 * _STRIDE)
    return likely if limit <= len(likely) < len(values) else None
