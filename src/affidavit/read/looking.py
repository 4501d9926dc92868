"""One question put to one space: caught up, masked, planned, scored. To be used while the space's lock is held."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from affidavit.core.values import Head, Status
from affidavit.errors import EmbedderError
from affidavit.index.columns import Coded
from affidavit.index.space_index import Query, Scored, dense_text
from affidavit.providers.embedder import vectors_of
from affidavit.read.hits import Found, folded, found_in
from affidavit.read.indexes import LoadedSpace, exact_vectors
from affidavit.read.masks import Allowed, allowed
from affidavit.read.memories import View, beliefs_at
from affidavit.read.plan import Plan
from affidavit.read.question import Question
from affidavit.store.protocol import Reads

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder

_MORE = 10
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
        """The best rows, best first."""
        mask, wanted = self.allowed
        return self.loaded.index.search(self.query, mask, many, self.fetch, wanted=wanted)

    def found(self, limit: int) -> list[Found]:
        """The best of what may be found, episodes folded into memories, best first; at most `limit`."""
        if not self.loaded.index.memories:
            return found_in(self.reads, self.view, self.scored(limit), set())
        memories = set(self.loaded.terms.seqs)
        many = 2 * limit + _MORE
        while True:
            scored = self.scored(many)
            found = found_in(self.reads, self.view, scored, {one.seq for one in scored} & memories)
            found = folded(found) if self.plan.fold else found
            if len(found) >= limit or len(scored) < many:
                return found[:limit]
            many *= 4


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
    view = _view(reads, loaded, head, question, now)
    plan = question.plan(now, timed=bool(loaded.index.memories))
    vector, dense = _vector(embedder, loaded, question.text)
    return Looking(
        reads=reads,
        loaded=loaded,
        view=view,
        question=question,
        plan=plan,
        allowed=allowed(loaded, reads, view, question, plan),
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
    names = [name for name in loaded.index.column("speaker").values if name]  # type: ignore[union-attr]
    try:
        return vectors_of(embedder, [dense_text(text, names)])[0], f"on: {embedder.name}"
    except EmbedderError as error:
        return None, f"off: {error.what}"


def _fetcher(reads: Reads, loaded: LoadedSpace, embedder: "Embedder | None") -> Callable[[Any], Any] | None:
    if embedder is None:
        return None
    return lambda seqs: exact_vectors(reads, loaded.space_id, loaded.vector_source(seqs), embedder)
