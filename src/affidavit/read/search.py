"""Search: access, then masks, then scores, then a trace of what was shown."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from affidavit.core.access import Caller, readable_owners
from affidavit.core.authority import SpaceKind
from affidavit.core.ids import RANDOM_BYTES, TRACE, make_id
from affidavit.core.limits import QUERY_BYTES, RESULTS, check_count, check_size
from affidavit.core.values import Episode, Head, Owner
from affidavit.core.when import When
from affidavit.errors import DateError, EmbedderError, InputError
from affidavit.index.columns import Coded
from affidavit.index.filters import Filter, compile_filters
from affidavit.index.space_index import Query, Scored, dense_text
from affidavit.providers.embedder import vectors_of
from affidavit.read.fields import FIELDS, columns_of, said_by
from affidavit.read.indexes import LoadedSpace, SpaceIndexes
from affidavit.read.results import Hit, Quote, SearchResult
from affidavit.store.protocol import Clock, Entropy, Reads, Store, Trace
from affidavit.text.prepare import prepare

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A checked search: what is asked, how many hits are wanted, and what may be seen."""

    text: str
    limit: int
    filters: Filter | None
    as_of: int | None
    known_at: int | None
    explain: bool

    @classmethod
    def of(
        cls,
        text: object,
        *,
        limit: object = 10,
        filters: Mapping[str, Any] | Sequence[Any] | None = None,
        as_of: object = None,
        known_at: object = None,
        explain: bool = False,
    ) -> "Question":
        """Check what the caller gave. Raises `InputError`, `FilterError`, `DateError`, `LimitError`."""
        if not isinstance(text, str):
            raise InputError(f"the query is a {type(text).__name__}", hint="give text")
        check_size(
            len(text.encode("utf-8", "surrogatepass")), QUERY_BYTES, "a query", "ask something shorter"
        )
        compiled = None
        if filters is not None:
            compiled = compile_filters(filters, FIELDS)
        return cls(
            text=text,
            limit=check_count(limit, RESULTS, "limit"),
            filters=compiled,
            as_of=_instant(as_of),
            known_at=_instant(known_at),
            explain=explain,
        )


def _instant(value: object) -> int | None:
    """The last moment that a date or time as given names."""
    if value is None:
        return None
    when = When.parse(value)
    if not when.is_known:
        raise DateError("a time that is not known can't bound a search", hint="give a date or leave it out")
    return None if when.end is None else when.end - 1


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
        """The best episodes for the question, best first."""
        now = self._clock.now()
        plan: dict[str, Any] = {"spaces": [], "rows": 0, "dense": "off: no embedder"}
        with self._store.snapshot() as reads:
            heads = [head for head in map(reads.find_space, readable_owners(caller)) if head is not None]
            found: list[tuple[Scored, Head]] = []
            for head in heads:
                scored = self._search_space(reads, head, question, now, plan)
                found.extend((one, head) for one in scored)
            # The caller's own space comes first where scores are equal.
            order = {head.space_id: place for place, head in enumerate(heads)}
            found.sort(key=lambda pair: (-pair[0].score, order[pair[1].space_id], pair[0].seq))
            hits = _hits(reads, found[: question.limit], explain=question.explain)
            trace = self._trace_of(reads, heads[0], question, hits, now) if record and heads else None
        trace_id = trace.id if trace is not None and self._store.save_trace(trace) else None
        return SearchResult(hits=hits, trace_id=trace_id, plan=plan)

    def _search_space(
        self, reads: Reads, head: Head, question: Question, now: int, plan: dict[str, Any]
    ) -> list[Scored]:
        loaded = self._indexes.of(head)
        with loaded.lock:
            embedder = self._embedder()
            loaded.catch_up(reads, head, embedder)
            mask = _mask(loaded, reads, question)
            vector, plan["dense"] = _vector(embedder, loaded, question.text)
            plan["spaces"].append(head.space_id)
            plan["rows"] += loaded.index.size if mask is None else int(mask.sum())
            query = Query(text=question.text, vector=vector, now=now)
            return loaded.index.search(query, mask, question.limit, _fetcher(reads, head.space_id, embedder))

    def _trace_of(self, reads: Reads, head: Head, question: Question, hits: Sequence[Hit], now: int) -> Trace:
        return Trace(
            space_id=head.space_id,
            id=make_id(TRACE, now, self._entropy(RANDOM_BYTES)),
            at=now,
            verb="search",
            shown=json.dumps([hit.id for hit in hits]),
            digest=_digest(reads, hits),
            # A question is the asker's: it is kept in his own space only, and goes with that.
            query=prepare(question.text, user_message=False).text
            if self._keep_queries and head.kind is SpaceKind.USER
            else None,
        )


def _digest(reads: Reads, hits: Sequence[Hit]) -> bytes:
    """Binds what was shown by the log's entries, whose blinded commitments nobody can test a guess against."""
    seqs: dict[str, list[int]] = {}
    for hit in hits:
        seqs.setdefault(hit.episode.space_id, []).append(hit.episode.seq)
    bodies = {space_id: reads.entries_at(space_id, places) for space_id, places in seqs.items()}
    digest = sha256()
    for hit in hits:
        body = bodies[hit.episode.space_id].get(hit.episode.seq)
        if body is not None:
            digest.update(sha256(body).digest())
    return digest.digest()


def _mask(loaded: LoadedSpace, reads: Reads, question: Question) -> Any:
    mask = said_by(loaded, as_of=question.as_of, known_at=question.known_at)
    if question.filters is None:
        return mask
    filtered = question.filters.mask(columns_of(loaded, reads), loaded.index.size)
    return filtered if mask is None else mask & filtered


def _vector(embedder: "Embedder | None", loaded: LoadedSpace, text: str) -> tuple[Any, str]:
    """The question's vector, and whether meaning counts: `on`, or why not."""
    if embedder is None:
        return None, "off: no embedder"
    if not loaded.index.vectors:
        return None, "off: nothing is embedded yet"
    if not text.strip():
        return None, "off: nothing is asked"
    speakers = loaded.index.column("speaker")
    assert isinstance(speakers, Coded)
    names = [name for name in speakers.values if name]
    try:
        return vectors_of(embedder, [dense_text(text, names)])[0], f"on: {embedder.name}"
    except EmbedderError as error:
        return None, f"off: {error.what}"


def _fetcher(reads: Reads, space_id: str, embedder: "Embedder | None") -> "Callable[[Any], Any] | None":
    if embedder is None:
        return None
    model = (embedder.name, embedder.dimensions)

    def fetch(seqs: Any) -> Any:
        wanted = [int(seq) for seq in seqs]
        rows = reads.vectors(space_id, seqs=wanted)
        found = {row.target_seq: row for row in rows if (row.model, row.dimensions) == model}
        matrix = np.full((len(wanted), embedder.dimensions), np.nan, dtype=np.float32)
        for place, seq in enumerate(wanted):
            if seq in found:
                matrix[place] = np.frombuffer(found[seq].vector, dtype="<f4")
        return matrix

    return fetch


def _hits(reads: Reads, found: Sequence[tuple[Scored, Head]], *, explain: bool) -> tuple[Hit, ...]:
    stored = {
        space_id: reads.episodes_at(space_id, [one.seq for one, head in found if head.space_id == space_id])
        for space_id in {head.space_id for _, head in found}
    }
    hits = []
    for one, head in found:
        seq, row = stored[head.space_id][one.seq]
        episode = Episode.from_row(head.space_id, seq, row)
        hits.append(
            Hit(
                id=episode.id,
                kind="episode",
                text=episode.text,
                score=one.score,
                authority=episode.authority,
                status=episode.status,
                evidence=(Quote(episode_id=episode.id, start=0, end=len(episode.text), text=episode.text),),
                metadata=episode.metadata,
                episode=episode,
                **Owner(head.kind, head.name or "").scope(),
                explain=dict(one.parts) if explain else None,
            )
        )
    return tuple(hits)
