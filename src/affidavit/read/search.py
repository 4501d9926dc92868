"""Search: access, then masks, then scores, then hits, then a trace of what was shown."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from affidavit.core.access import Caller, readable_owners
from affidavit.core.authority import SpaceKind
from affidavit.core.ids import RANDOM_BYTES, TRACE, make_id
from affidavit.core.values import Head
from affidavit.read.hits import Found, hits_of, in_order_of_time
from affidavit.read.indexes import SpaceIndexes
from affidavit.read.looking import Looking, look
from affidavit.read.memories import ConflictGroup, conflict_groups
from affidavit.read.question import Question
from affidavit.read.results import Hit, SearchResult
from affidavit.read.traced import digest_of
from affidavit.store.protocol import Clock, Entropy, Reads, Store, Trace
from affidavit.text.prepare import prepare

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder


class Searcher:
    """Searches the spaces that a caller may read."""

    def __init__(
        self,
        store: Store,
        indexes: SpaceIndexes,
        *,
        embedder: "Callable[[], Embedder | None]",
        clock: Clock,
        entropy: Entropy,
        keep_queries: bool,
    ) -> None:
        self._store = store
        self._indexes = indexes
        self._embedder = embedder
        self._clock = clock
        self._entropy = entropy
        self._keep_queries = keep_queries

    def search(self, caller: Caller, question: Question, *, record: bool = True) -> SearchResult:
        """What answers the question best, best first."""
        now = self._clock.now()
        told: dict[str, Any] = {"spaces": [], "rows": 0, "dense": "off: no embedder"}
        with self._store.snapshot() as reads:
            heads = [head for head in map(reads.find_space, readable_owners(caller)) if head is not None]
            found: list[Found] = []
            for head in heads:
                with self.looking(reads, head, question, now) as looking:
                    _tell(looking, told)
                    found += looking.found(question.limit)
            if len(heads) > 1:
                # The caller's own space comes first where scores are equal.
                order = {head.space_id: place for place, head in enumerate(heads)}
                found.sort(key=lambda one: (-one.score, order[one.view.space_id], one.order))
                del found[question.limit :]
            hits = hits_of(found, explain=question.explain)
            hits = in_order_of_time(hits) if "dated" in told else hits
            conflicts = _conflicts(reads, found)
            trace = self._trace_of(reads, heads[0], question, hits, now) if record and heads else None
            trace_id = trace.id if trace is not None and self._store.save_trace(trace) else None
        return SearchResult(hits=hits, conflicts=conflicts, trace_id=trace_id, plan=told)

    @contextmanager
    def looking(self, reads: Reads, head: Head, question: Question, now: int) -> Iterator[Looking]:
        """A question put to one space, which is locked meanwhile."""
        loaded = self._indexes.of(head)
        with loaded.lock:
            yield look(reads, loaded, head, question, now=now, embedder=self._embedder())

    def _trace_of(self, reads: Reads, head: Head, question: Question, hits: Sequence[Hit], now: int) -> Trace:
        places = [_place(hit) for hit in hits]
        return Trace(
            space_id=head.space_id,
            id=make_id(TRACE, now, self._entropy(RANDOM_BYTES)),
            at=now,
            verb="search",
            shown=json.dumps([_shown(hit) for hit in hits]),
            digest=digest_of(reads, places),
            # A question is the asker's: it is kept in his own space only, and goes with that.
            query=prepare(question.text, user_message=False).text
            if self._keep_queries and head.kind is SpaceKind.USER
            else None,
            here=all(space_id == head.space_id for space_id, _ in places),
        )


def _tell(looking: Looking, told: dict[str, Any]) -> None:
    """Write down how a space is searched."""
    told["spaces"].append(looking.view.space_id)
    told["rows"] += looking.allowed.count
    told["dense"] = looking.dense
    told["kinds"] = sorted(looking.plan.kinds)
    if looking.plan.dated:
        told["dated"] = list(looking.plan.dated)


def _conflicts(reads: Reads, found: Sequence[Found]) -> tuple[ConflictGroup, ...]:
    """The open conflicts that found memories are part of."""
    spaces = {one.view.space_id: one.view for one in found if one.memory is not None and one.memory.conflicts}
    groups: tuple[ConflictGroup, ...] = ()
    for view in spaces.values():
        here = [one.memory for one in found if one.memory is not None and one.view.space_id == view.space_id]
        known = {memory.version_id: memory for memory in here}
        groups += conflict_groups(reads, view, known, known)
    return groups


def _place(hit: Hit) -> tuple[str, int]:
    shown = hit.memory or hit.episode
    assert shown is not None
    return shown.space_id, shown.seq


def _shown(hit: Hit) -> str:
    return hit.id if hit.memory is None else hit.memory.version_id
