"""From rows found to hits: episodes, memories with their quotes, and how each stands."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from affidavit.core.standing import Holds, Standing, standing_at
from affidavit.core.values import Episode, Owner
from affidavit.index.space_index import Scored
from affidavit.read.memories import MemoryItem, Quote, View, memory_items
from affidavit.read.results import Hit
from affidavit.read.terms import terms_of
from affidavit.store.protocol import Reads

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

    @property
    def order(self) -> tuple[float, bool, int]:
        """Best first; among equals memories before episodes, and the one recorded first."""
        return -self.score, self.memory is None, self.seq


def found_in(reads: Reads, view: View, scored: Sequence[Scored], memories: Collection[int]) -> list[Found]:
    """The rows behind scores. `memories` are memories, by `seq`; those that have no score come last, with 0."""
    seqs = [one.seq for one in scored]
    episodes = reads.episodes_at(view.space_id, [seq for seq in seqs if seq not in memories])
    stored = reads.items_at(view.space_id, list(memories))
    items = {item.seq: item for item in memory_items(reads, view, stored.values()).values()}
    found = []
    for one in (*scored, *(Scored(seq=seq, score=0.0) for seq in sorted(set(memories) - set(seqs)))):
        here = Found(one.seq, one.score, one.parts, view, memory=items.get(one.seq))
        if one.seq in episodes:
            here.episode = Episode.from_row(view.space_id, *episodes[one.seq])
        if here.episode is not None or here.memory is not None:
            found.append(here)
    return found


def hits_of(reads: Reads, found: Sequence[Found], *, explain: bool) -> tuple[Hit, ...]:
    """The hits, in the order of what was found."""
    marks = _marks(reads, found)
    return tuple(_hit(one, marks, explain=explain) for one in found)


def _hit(one: Found, marks: Mapping[str, tuple[Standing, str | None]], *, explain: bool) -> Hit:
    parts = dict(one.parts) if explain else None
    memory, episode = one.memory, one.episode
    scope = Owner(one.view.head.kind, one.view.head.name or "").scope()
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
    whole = Quote(
        episode_id=episode.id, start=0, end=len(episode.text), text=episode.text, authority=episode.authority
    )
    standing, by = marks.get(episode.id, (None, None))
    return Hit(
        id=episode.id,
        kind="episode",
        text=episode.text,
        score=one.score,
        authority=episode.authority,
        status=episode.status,
        evidence=(whole,),
        metadata=episode.metadata,
        episode=episode,
        standing=None if standing is None else standing.holds,
        superseded_by=by,
        **scope,
        explain=parts,
    )


def _place(folded_ids: Sequence[str], quote: Quote) -> int:
    return folded_ids.index(quote.episode_id) if quote.episode_id in folded_ids else len(folded_ids)


def _marks(reads: Reads, found: Iterable[Found]) -> dict[str, tuple[Standing, str | None]]:
    """How what was drawn from each episode stands: the best of it, and what took its place if it does not hold."""
    by_space: dict[str, tuple[View, list[str]]] = {}
    for one in found:
        if one.episode is not None:
            by_space.setdefault(one.view.space_id, (one.view, []))[1].append(one.episode.id)
    marks: dict[str, tuple[Standing, str | None]] = {}
    for view, ids in by_space.values():
        marks |= standings_of_episodes(reads, view, ids)
    return marks


def standings_of_episodes(
    reads: Reads, view: View, episode_ids: Sequence[str]
) -> dict[str, tuple[Standing, str | None]]:
    """For each episode that memories were drawn from: the best standing of these, and what superseded that one."""
    pairs = [(one.episode_id, one.version) for one in reads.quoting(view.space_id, episode_ids)]
    stored = reads.items(view.space_id, list(dict.fromkeys(version for _, version in pairs)))
    rows = {one.row.id: one.row for one in map(view.believed, stored.values()) if one is not None}
    terms = terms_of(reads, view.space_id, rows.values(), view.relations, view.beliefs)
    best: dict[str, tuple[Standing, str | None]] = {}
    for episode_id, version in pairs:
        if version in terms:
            mark = standing_at(terms[version], view.at), rows[version].closed_by
            held = best.get(episode_id)
            if held is None or _rank(mark[0]) <= _rank(held[0]):
                best[episode_id] = mark
    return {
        one: (standing, None if standing.holds is Holds.CURRENT else by)
        for one, (standing, by) in best.items()
    }


def _rank(standing: Standing) -> int:
    return _BEST_FIRST.index(standing.holds)


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
