"""Maintain: what lapses by age alone is set down as lapsed. Nothing is deleted by ageing.

Readers know without this what has lapsed (`affidavit.core.standing`); maintaining writes it into the log, so that
statuses say it, too. What is possibly stale is only flagged, and nothing is written for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affidavit.core.backing import NOTHING, backings
from affidavit.core.changes import Change, StatusSet
from affidavit.core.jsonable import Result
from affidavit.core.memories import ItemRow, MemoryStatus, Reason
from affidavit.core.standing import Why, standing_at
from affidavit.core.values import Owner
from affidavit.store.protocol import Reads, Store, View
from affidavit.text.lang.relations import Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintained(Result):
    """What maintaining did: the versions that have lapsed, and of how many spaces they are."""

    lapsed: tuple[str, ...] = ()
    spaces: int = 0


def maintain(store: Store, relations: Mapping[str, Relation], now: int, owner: Owner | None) -> Maintained:
    """Set down what has lapsed by `now` (UTC microseconds), in one owner's space or (None) in all."""
    lapsed: list[str] = []
    spaces = 0
    with store.snapshot() as reads:
        found = None if owner is None else reads.find_space(owner)
        heads = reads.heads() if owner is None else [found] if found is not None else []
        names = [
            head.space_id
            for head in heads
            if head.name is not None and _lapsed(reads, head.space_id, relations, now)
        ]
    for space_id in names:

        def prepared(view: View) -> Sequence[Change]:
            return [
                StatusSet(
                    target=row.id, authority=row.authority, status=MemoryStatus.LAPSED, reason=Reason.LAPSED
                )
                for row in _lapsed(view, view.space_id, relations, now)
            ]

        done = store.commit(space_id, prepared)
        lapsed += [change.target for change in done.changes if isinstance(change, StatusSet)]
        spaces += 1
    return Maintained(lapsed=tuple(lapsed), spaces=spaces)


def _lapsed(reads: Reads, space_id: str, relations: Mapping[str, Relation], now: int) -> list[ItemRow]:
    live = [s.row for s in reads.all_items(space_id) if s.row.status == MemoryStatus.ACTIVE]
    behind = backings(reads.support_times(space_id, [row.id for row in live]))
    return [
        row
        for row in live
        if standing_at(behind.get(row.id, NOTHING).term(row.authority, row, relations), now).why is Why.LAPSED
    ]
