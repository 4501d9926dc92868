"""The arithmetic of ranking: weights, and pure functions over arrays with one number a row."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How the ingredients of a score are weighed. The defaults are what measured best; see `docs/benchmarks.md`."""

    k1: float = 0.9
    b: float = 0.4
    #: Weight of a speaker's name among the words of a question; the name says who spoke, not what of.
    name: float = 0.3
    #: Part of a row's score lent to the row after it, and to the row before it, in its session.
    lend_after: float = 0.3
    lend_before: float = 0.15
    #: Added to the rows of a speaker whose name is in the question.
    speaker: float = 0.1
    #: Share of the dense score in the sum, where vectors are there.
    dense: float = 0.5
    #: Most that recency adds; half of it is left after `half_life_days`.
    recency: float = 0.005
    half_life_days: float = 90.0


def lend(scores: Scores, before: NDArray[np.int32], after: NDArray[np.int32], ranking: Ranking) -> Scores:
    """What each row is lent by its neighbours in the session."""
    # A row number of -1 picks the zero at the end.
    padded = np.append(scores, 0.0)
    return ranking.lend_after * padded[before] + ranking.lend_before * padded[after]


def spread(scores: Scores, mask: Mask | None) -> Scores:
    """Scores moved to 0..1 over the rows of the mask; all zero where they are all the same."""
    inside = scores if mask is None else scores[mask]
    if not inside.size:
        return np.zeros_like(scores)
    low, high = float(inside.min()), float(inside.max())
    return np.zeros_like(scores) if high <= low else np.clip((scores - low) / (high - low), 0.0, 1.0)


def top(scores: Scores, eligible: Mask, limit: int) -> NDArray[np.int64]:
    """The `limit` best eligible rows, best first; among equals the earlier row."""
    rows = np.flatnonzero(eligible)
    if len(rows) > limit:
        values = scores[rows]
        cut = np.partition(values, len(values) - limit)[len(values) - limit]
        rows = rows[values >= cut]
    order = np.lexsort((rows, -scores[rows]))
    found: NDArray[Any] = rows[order][:limit]
    return found
