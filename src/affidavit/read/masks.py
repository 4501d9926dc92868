"""What a search may look at in one space, and what of it may be found: decided before anything is scored.

Rules:

1. What is retracted, invalidated, quarantined or archived is not found, nor is an episode that is quarantined, nor one
   that something retracted quotes.
2. Of memories those compete that hold at the time asked about, as they were believed then; an episode is never too old.
3. A filter narrows both.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from affidavit.core.backing import backings
from affidavit.core.values import Status
from affidavit.index.columns import Coded
from affidavit.read.fields import columns_of, said_by
from affidavit.read.indexes import LoadedSpace
from affidavit.read.memories import View
from affidavit.read.plan import EPISODE, Plan
from affidavit.read.question import Question
from affidavit.read.terms import SpaceTerms, Version
from affidavit.store.protocol import Reads


@dataclass(frozen=True, slots=True)
class Allowed:
    """`mask`: which rows take part at all (None: all). `wanted`: which may be found (None: all).

    `ways`: which rows take part where episodes only lead to the memories that quote them: what a memory quotes is its
    own, whether or not the episode meets the filter. `terms`: when the versions hold, as believed then.
    """

    loaded: LoadedSpace
    terms: SpaceTerms
    mask: Any
    wanted: Any
    ways: Any

    @property
    def count(self) -> int:
        """How many rows may be found."""
        masks = [one for one in (self.mask, self.wanted) if one is not None]
        return int(np.logical_and.reduce(masks).sum()) if masks else self.loaded.index.size

    def may(self, seq: int) -> bool:
        """Whether the row of `seq` may be found."""
        row = self.loaded.index.row_of(seq)
        return all(one is None or bool(one[row]) for one in (self.mask, self.wanted))


def allowed(loaded: LoadedSpace, reads: Reads, view: View, question: Question, plan: Plan) -> Allowed:
    """What this question may look at and find in a space that is caught up."""
    terms = terms_believed(loaded, reads, view)
    ways = said_by(loaded, as_of=None, known_at=question.known_at)
    hidden = _rows_of(loaded, terms.hidden) + _quarantined(loaded, view)
    if hidden:
        ways = np.ones(loaded.index.size, np.bool_) if ways is None else ways
        ways[hidden] = False
    mask = _both(ways, said_by(loaded, as_of=question.as_of, known_at=None))
    if question.filters is not None:
        mask = _both(mask, question.filters.mask(columns_of(loaded, reads, view), loaded.index.size))
    return Allowed(loaded, terms, mask, _wanted(loaded, terms, plan), ways)


def _both(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else one & other


def terms_believed(loaded: LoadedSpace, reads: Reads, view: View) -> SpaceTerms:
    """When the versions of a space hold; as they were believed then, where the view is an earlier one."""
    if view.beliefs is None:
        return loaded.terms
    stored = [one for one in map(view.believed, reads.all_items(loaded.space_id)) if one is not None]
    terms = SpaceTerms(loaded.relations)
    terms.take(
        (Version.of_row(*one) for one in stored),
        backings(reads.support_times(loaded.space_id), view.beliefs),
    )
    return terms


def _wanted(loaded: LoadedSpace, terms: SpaceTerms, plan: Plan) -> Any:
    index = loaded.index
    if not index.memories:
        return None if EPISODE in plan.kinds else np.zeros(index.size, np.bool_)
    wanted = index.episodes.copy() if EPISODE in plan.kinds else np.zeros(index.size, np.bool_)
    if plan.memories:
        held = terms.holding(plan.times, newest=plan.newest)
        rows = np.searchsorted(index.seqs, terms.rows[0][held])
        kinds = index.column("role")
        assert isinstance(kinds, Coded)
        codes = [code for code, kind in enumerate(kinds.values) if kind in plan.kinds]
        wanted[rows] = np.isin(kinds.codes[rows], codes)
    return wanted


def _rows_of(loaded: LoadedSpace, seqs: Iterable[int]) -> list[int]:
    return [loaded.index.row_of(seq) for seq in seqs]


def _quarantined(loaded: LoadedSpace, view: View) -> list[int]:
    """The rows of episodes that are quarantined, or were then."""
    status, ids = loaded.index.column("status"), loaded.index.column("id")
    assert isinstance(status, Coded)
    rows: list[int] = []
    if Status.QUARANTINED in status.values:
        code = status.values.index(Status.QUARANTINED)
        rows = np.flatnonzero((status.codes == code) & loaded.index.episodes).tolist()
    if view.beliefs is None:
        return rows
    labels = view.beliefs.labels
    still = [
        row for row in rows if labels.get(str(ids[row]), ("", Status.QUARANTINED))[1] == Status.QUARANTINED
    ]
    then = {one for one, (_, label) in labels.items() if label == Status.QUARANTINED and "@" not in one}
    return still + [row for row, one in enumerate(ids) if one in then and row not in still] if then else still
