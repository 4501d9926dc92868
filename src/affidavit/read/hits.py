"""From rows found to hits: memories with their quotes, episodes folded into them, how each stands."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from affidavit.core.standing import Holds, Standing, standing_at
from affidavit.core.values import Episode, Owner
from affidavit.index.space_index import Scored
from affidavit.read.memories import MemoryItem, Quote, View, memory_items
from affidavit.read.results import Hit
from affidavit.read.terms import terms_of
from affidavit.store.protocol import Reads
from affidavit.text.stopwords import STOP_WORDS
from affidavit.text.words import fold, tokens

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
    def order(self) -> tuple[float, int]:
        """Best first, among equals the one recorded first."""
        return -self.score, self.seq


def found_in(reads: Reads, view: View, scored: Sequence[Scored], memories: set[int]) -> list[Found]:
    """The rows behind scores; `memories` are those of them that are memories, by `seq`."""
    seqs = [one.seq for one in scored]
    episodes = reads.episodes_at(view.space_id, [seq for seq in seqs if seq not in memories])
    stored = reads.items_at(view.space_id, [seq for seq in seqs if seq in memories])
    items = {item.seq: item for item in memory_items(reads, view, stored.values()).values()}
    found = []
    for one in scored:
        here = Found(one.seq, one.score, one.parts, view, memory=items.get(one.seq))
        if one.seq in episodes:
            here.episode = Episode.from_row(view.space_id, *episodes[one.seq])
        if here.episode is not None or here.memory is not None:
            found.append(here)
    return found


def folded(found: Sequence[Found]) -> list[Found]:
    """Episodes that found memories quote go into these, where nothing of them is lost by it.

    That is: the quotes leave no word of an episode out but grammar, or the memory answers better than the episode.
    """
    quoting: dict[str, list[Found]] = {}
    for one in found:
        if one.memory is not None:
            for episode_id in dict.fromkeys(quote.episode_id for quote in one.memory.evidence):
                quoting.setdefault(episode_id, []).append(one)
    kept = []
    for one in found:
        above = quoting.get(one.episode.id, []) if one.episode is not None else []
        best = min(above, key=lambda memory: memory.order, default=None)
        if (
            one.episode is None
            or best is None
            or not (best.score >= one.score or _covered(one.episode, above))
        ):
            kept.append(one)
            continue
        best.folded.append(one.episode.id)
        if one.score > best.score:
            best.parts = {**best.parts, "quoted": one.score - best.score}
            best.score = one.score
    return sorted(kept, key=lambda one: one.order)


def _covered(episode: Episode, quoting: Iterable[Found]) -> bool:
    """Whether the quotes of these memories leave out nothing of an episode but grammar."""
    left = list(episode.text)
    for one in quoting:
        for quote in one.memory.evidence if one.memory is not None else ():
            if quote.episode_id == episode.id:
                left[quote.start : quote.end] = " " * (quote.end - quote.start)
    return all(fold(word) in STOP_WORDS for word in tokens("".join(left)))


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
    pairs = reads.quoting(view.space_id, episode_ids)
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
