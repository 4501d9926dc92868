"""From rows found to hits: episodes, memories with their quotes, and how each stands."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from affidavit.core.authority import Authority
from affidavit.core.standing import Holds, standing_at
from affidavit.core.values import Episode, Owner, Scope
from affidavit.index.space_index import Scored
from affidavit.read.memories import MemoryItem, Quote, View, memory_items
from affidavit.read.results import Hit
from affidavit.read.terms import SpaceTerms
from affidavit.store.memory_reads import Quoting
from affidavit.store.protocol import Reads
from affidavit.text.spans import SpanKind

_NOT_OWN = {SpanKind.THIRD_PARTY, SpanKind.ECHO}
_BEST_FIRST = (Holds.CURRENT, Holds.FUTURE, Holds.HISTORY, Holds.FENCED)


@dataclass(slots=True)
class Found:
    """A row found: an episode or a memory, and the episodes folded into it."""

    seq: int
    score: float
    parts: Mapping[str, float]
    view: View
    episode: Episode | None = None
    memory: MemoryItem | None = None
    folded: list[str] = field(default_factory=list)
    standing: Holds | None = None
    superseded_by: str | None = None

    @property
    def order(self) -> tuple[float, bool, int]:
        """Best first; among equals memories before episodes, and the one recorded first."""
        return -self.score, self.memory is None, self.seq


def found_in(reads: Reads, view: View, scored: Sequence[Scored], memories: Collection[int]) -> list[Found]:
    """The rows behind scores. `memories` are memories, by `seq`; those that have no score come last, with 0."""
    seqs, space_id = [one.seq for one in scored], view.space_id
    episodes = reads.episodes_at(space_id, [seq for seq in seqs if seq not in memories])
    stored = reads.items_at(space_id, list(memories))
    items = {item.seq: item for item in memory_items(reads, view, stored.values()).values()}
    found = []
    for one in (*scored, *(Scored(seq=seq, score=0.0) for seq in sorted(set(memories) - set(seqs)))):
        here = Found(one.seq, one.score, one.parts, view, memory=items.get(one.seq))
        if one.seq in episodes:
            here.episode = Episode.from_row(space_id, *episodes[one.seq])
        if here.episode is not None or here.memory is not None:
            found.append(here)
    return found


def hits_of(found: Iterable[Found], *, explain: bool) -> tuple[Hit, ...]:
    """What was found, as hits."""
    scopes: dict[str, Scope] = {}
    hits = []
    for one in found:
        head = one.view.head
        if head.space_id not in scopes:
            scopes[head.space_id] = Owner(head.kind, head.name or "").scope()
        hits.append(_hit(one, scopes[head.space_id], dict(one.parts) if explain else None))
    return tuple(hits)


def _hit(one: Found, scope: Scope, parts: Mapping[str, float] | None) -> Hit:
    memory, episode = one.memory, one.episode
    if memory is not None:
        return Hit(
            id=memory.id,
            kind=str(memory.kind),
            text=memory.text,
            score=one.score,
            authority=memory.authority,
            status=memory.status,
            # What was found by comes first.
            evidence=tuple(sorted(memory.evidence, key=lambda quote: _place(one.folded, quote))),
            metadata=memory.metadata,
            memory=memory,
            standing=memory.holds,
            superseded_by=memory.superseded_by,
            **scope,
            explain=parts,
        )
    assert episode is not None
    authority = _least(episode)
    whole = Quote(
        episode_id=episode.id, start=0, end=len(episode.text), text=episode.text, authority=authority
    )
    return Hit(
        id=episode.id,
        kind="episode",
        text=episode.text,
        score=one.score,
        authority=authority,
        status=episode.status,
        evidence=(whole,),
        metadata=episode.metadata,
        episode=episode,
        standing=one.standing,
        superseded_by=one.superseded_by,
        **scope,
        explain=parts,
    )


def _least(episode: Episode) -> Authority:
    """How far all of its text may be relied on: no further than what others say in it, or what we rendered."""
    foreign = any(span.kind in _NOT_OWN for span in episode.spans)
    return Authority.UNENDORSED if foreign else episode.authority


def _place(folded_ids: Sequence[str], quote: Quote) -> int:
    return folded_ids.index(quote.episode_id) if quote.episode_id in folded_ids else len(folded_ids)


def quotes_of(reads: Reads, view: View, found: Iterable[Found]) -> list[Quoting]:
    """The quotes of the episodes among what was found."""
    return reads.quoting(view.space_id, [one.episode.id for one in found if one.episode is not None])


def mark(view: View, terms: SpaceTerms, found: Iterable[Found], quotes: Iterable[Quoting]) -> None:
    """Set how what was drawn from the episodes stands: the best of it, and what took its place if it does not hold."""
    episodes = {one.episode.id: one for one in found if one.episode is not None}
    for quoting in quotes:
        place = terms.places.get(quoting.version)
        if place is None or quoting.episode_id not in episodes:
            continue
        one, standing = episodes[quoting.episode_id], standing_at(terms.terms[place], view.at)
        if one.standing is None or _rank(standing.holds) <= _rank(one.standing):
            one.standing = standing.holds
            one.superseded_by = None if standing.holds is Holds.CURRENT else terms.closed_by[place]


def _rank(holds: Holds) -> int:
    return _BEST_FIRST.index(holds)


def in_order_of_time(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The memories among the hits in order of time, in the places that memories have earned."""
    in_time = sorted((hit for hit in hits if hit.memory is not None), key=_time)
    waiting = iter(in_time)
    return tuple(hit if hit.memory is None else next(waiting) for hit in hits)


def _time(hit: Hit) -> int:
    assert hit.memory is not None
    when = hit.memory.occurred if hit.memory.occurred is not None else hit.memory.valid
    bounds = [bound for bound in (when.start, when.end, hit.memory.recorded_at) if bound is not None]
    return bounds[0]
