"""What of a space may be volunteered: read once for each state of its memories, judged anew at each instant.

Rules:

1. Only what the user, or the host, stated: authorized, asserted, holding at the instant, not fenced
   (`affidavit.core.standing`). Nothing of others, however often they say it.
2. Of what is contested only a side that stands above all others.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from affidavit.core.authority import Authority
from affidavit.core.memories import Conflict, ItemRow, MemoryStatus
from affidavit.core.standing import Standing, Term, is_mentionable, standing_at
from affidavit.core.values import Head
from affidavit.read.memories import View
from affidavit.read.terms import terms_of
from affidavit.store.memory_reads import StoredItem
from affidavit.store.protocol import Reads
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import Relation

_SPACES: Final = 32
_NOT_OF_MEMORIES: Final = (b'"op":"EpisodeStored"', b'"op":"Embedded"', b'"op":"ActorAdded"')
_COUNTING: Final = frozenset({MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED})


class Mentionable(NamedTuple):
    """A version that may be volunteered, whose it is, and how it stands; `contested`: its open conflicts."""

    head: Head
    seq: int
    row: ItemRow
    standing: Standing
    contested: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Candidates:
    """The versions of a space that may be volunteered at some instant, with their terms.

    `head` is the last one known for which they are right; `barred` are sides of a conflict that none stands above.
    """

    head: Head
    versions: tuple[tuple[StoredItem, Term], ...]
    contested: Mapping[str, tuple[str, ...]]
    barred: frozenset[str]

    def at(self, at: int) -> Iterator[Mentionable]:
        """Those that may be volunteered at an instant."""
        for (seq, row), term in self.versions:
            standing = standing_at(term, at)
            if is_mentionable(row, standing) and row.id not in self.barred:
                yield Mentionable(self.head, seq, row, standing, self.contested.get(row.id, ()))

    def next_change(self, at: int) -> int | None:
        """The first instant after `at` at which something begins, ends or goes stale; None: never."""
        bounds = (
            bound for _, term in self.versions for bound in (term.start, term.end, term.stale_from)
            if bound is not None and bound > at
        )  # fmt: skip
        return min(bounds, default=None)


def candidates_of(reads: Reads, view: View) -> Candidates:
    """Read them."""
    stored = [one for one in map(view.believed, reads.all_items(view.space_id)) if one is not None]
    live = [one for one in stored if _may_count(one.row)]
    terms = terms_of(reads, view.space_id, [one.row for one in live], view.relations, view.beliefs)
    own = {one.row.id: one.row for one in stored}
    contested: dict[str, tuple[str, ...]] = {}
    barred: set[str] = set()
    for conflict in view.conflicts(reads):
        for member in conflict.members:
            contested[member] = (*contested.get(member, ()), conflict.id)
        barred |= _barred(conflict, own)
    return Candidates(
        head=view.head,
        versions=tuple((one._replace(row=one.row._replace(terms=b"")), terms[one.row.id]) for one in live),
        contested=contested,
        barred=frozenset(barred),
    )


def _may_count(row: ItemRow) -> bool:
    return (
        row.authority == Authority.AUTHORIZED
        and row.status in _COUNTING
        and row.certainty == Certainty.ASSERTED
    )


def _barred(conflict: Conflict, rows: Mapping[str, ItemRow]) -> set[str]:
    """The members that no other one stands below."""
    known = [rows[one] for one in conflict.members if one in rows]
    counting = [row for row in known if row.status == MemoryStatus.ACTIVE]
    top = [row.id for row in counting if row.authority == Authority.AUTHORIZED]
    return set(top) if len(top) > 1 else set()


class Mentionables:
    """The candidates of the spaces of this process, kept while their heads say that no memory changed."""

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self.relations = relations
        self._lock = threading.Lock()
        self._spaces: OrderedDict[str, Candidates] = OrderedDict()

    def of(self, reads: Reads, view: View) -> Candidates:
        """The candidates of a view's space; an earlier state of belief is read anew."""
        if view.beliefs is not None:
            return candidates_of(reads, view)
        with self._lock:
            kept = self._spaces.get(view.space_id)
        if kept is None or not _unchanged(reads, kept.head, view.head):
            kept = candidates_of(reads, view)
        elif kept.head != view.head:
            kept.head = view.head
        with self._lock:
            self._spaces[view.space_id] = kept
            self._spaces.move_to_end(view.space_id)
            while len(self._spaces) > _SPACES:
                self._spaces.popitem(last=False)
        return kept

    def drop(self, space_id: str) -> None:
        """Forget a space: after an erasure nothing of it stays in memory."""
        with self._lock:
            self._spaces.pop(space_id, None)


def _unchanged(reads: Reads, kept: Head, head: Head) -> bool:
    """Whether nothing happened to memories between two heads of a space."""
    if (kept.size, kept.root) == (head.size, head.root):
        return True
    if head.size <= kept.size:
        return False
    new = reads.entries(head.space_id, kept.size, head.size)
    return all(any(op in body for op in _NOT_OF_MEMORIES) for _, body in new)
