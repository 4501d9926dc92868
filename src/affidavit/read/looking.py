"""One question put to one space: caught up, masked, planned, scored. To be used while the space's lock is held."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from affidavit.core.values import Head, Status
from affidavit.errors import EmbedderError
from affidavit.index.columns import Coded
from affidavit.index.space_index import Query, Scored, dense_text
from affidavit.providers.embedder import vectors_of
from affidavit.read.folding import Folding
from affidavit.read.hits import Found, found_in, mark, quotes_of
from affidavit.read.indexes import LoadedSpace
from affidavit.read.masks import Allowed, allowed
from affidavit.read.memories import View, beliefs_at
from affidavit.read.plan import EPISODE, Plan
from affidavit.read.question import Question
from affidavit.store.protocol import Reads

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder

_MORE = 4
"""How many rows beyond twice the limit are looked at first where episodes may fold into memories."""


class Looking(NamedTuple):
    """A question and a space. `dense`: whether meaning counts, or why not."""

    reads: Reads
    loaded: LoadedSpace
    view: View
    question: Question
    plan: Plan
    allowed: Allowed
    query: Query
    fetch: Callable[[Any], Any] | None
    dense: str

    def scored(self, many: int) -> list[Scored]:
        """The best rows of what may be found, best first."""
        allowed = self.allowed
        return self.loaded.index.search(self.query, allowed.mask, many, self.fetch, wanted=allowed.wanted)

    def episodes_with(self, words: str, many: int) -> list[int]:
        """The places of the episodes that hold most of these words, among those that the question may look at."""
        index = self.loaded.index
        query = Query(text=words, now=self.query.now)
        return [one.seq for one in index.search(query, self.allowed.mask, many, wanted=index.episodes)]

    def _ways(self, many: int) -> list[Scored]:
        """The best episodes, as ways to the memories that quote them."""
        index = self.loaded.index
        return index.search(self.query, self.allowed.ways, many, self.fetch, wanted=index.episodes)

    def _may(self, seq: int) -> bool:
        return EPISODE in self.plan.kinds and self.allowed.may(seq)

    def found(self, limit: int) -> list[Found]:
        """The best of what may be found, episodes folded into memories, best first; at most `limit`."""
        index = self.loaded.index
        if not index.memories or not self.plan.memories:
            found = found_in(self.reads, self.view, self.scored(limit), ())
            if index.memories:
                mark(self.view, self.allowed.terms, found, quotes_of(self.reads, self.view, found))
            return found
        detour = EPISODE not in self.plan.kinds or self.allowed.ways is not self.allowed.mask
        folding = Folding(self.reads, self.view, self.allowed, self.question, self.plan)
        found = []
        for many in (2 * limit + _MORE, 8 * (limit + _MORE)):
            scored = self.scored(many)
            rows = {one.seq: one for one in (*(self._ways(many) if detour else ()), *scored)}
            found = found_in(
                self.reads,
                self.view,
                list(rows.values()),
                index.memories_among(list(rows)),
            )
            found = folding.of(found, fold_episodes=self.plan.fold)
            found = [one for one in found if one.memory is not None or not detour or self._may(one.seq)]
            if len(found) >= limit or len(scored) < many:
                break
        del found[limit:]
        mark(self.view, self.allowed.terms, found, folding.quotes)
        return found


def look(
    reads: Reads,
    loaded: LoadedSpace,
    head: Head,
    question: Question,
    *,
    now: int,
    embedder: "Embedder | None",
) -> Looking:
    """Put a question to a space at `now`. Raises what `LoadedSpace.catch_up` does."""
    loaded.catch_up(reads, head, embedder)
    vector, dense = _vector(embedder, loaded, question.text)
    if vector is not None and vector.size != loaded.index.vector_width:
        # Only its first vector told the embedder's width.
        loaded.catch_up(reads, head, embedder)
    view = _view(reads, loaded, head, question, now)
    plan = question.plan(now, timed=bool(loaded.index.memories))
    may = allowed(loaded, reads, view, question, plan)
    return Looking(
        reads=reads,
        loaded=loaded,
        view=view._replace(terms=may.terms),
        question=question,
        plan=plan,
        allowed=may,
        query=Query(text=question.text, vector=vector, now=now),
        fetch=_fetcher(reads, loaded, embedder),
        dense=dense,
    )


def _view(reads: Reads, loaded: LoadedSpace, head: Head, question: Question, now: int) -> View:
    at = now if question.asks_about is None else question.asks_about
    statuses = loaded.index.column("status")
    assert isinstance(statuses, Coded)
    if question.known_at is None or not (loaded.index.memories or Status.QUARANTINED in statuses.values):
        return View(head, at, loaded.relations)
    beliefs = beliefs_at(reads, head, question.known_at)
    return View(head, at, loaded.relations, beliefs, question.known_at)


def _vector(embedder: "Embedder | None", loaded: LoadedSpace, text: str) -> tuple[Any, str]:
    """The question's vector, and whether meaning counts: `on`, or why not."""
    if embedder is None:
        return None, "off: no embedder"
    if not loaded.index.vectors:
        return None, "off: nothing is embedded yet"
    if not text.strip():
        return None, "off: nothing is asked"
    try:
        vector = vectors_of(embedder, [dense_text(text, loaded.index.speakers)])[0]
    except EmbedderError as error:
        return None, f"off: {error.what}"
    others = f"; not compared: vectors of {loaded.foreign}" if loaded.foreign else ""
    return vector, f"on: {embedder.name}{others}"


def _fetcher(reads: Reads, loaded: LoadedSpace, embedder: "Embedder | None") -> Callable[[Any], Any] | None:
    if embedder is None:
        return None
    return lambda seqs: loaded.exact_vectors(reads, seqs, embedder.name)
