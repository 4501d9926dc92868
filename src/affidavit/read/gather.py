"""From what a search found to what may be done with each: asserted, told as the past, or only reported.

Rules:

1. A memory is grounded as `affidavit.core.standing` says. One that is endorsed and asserted but over is *earlier*, one
   that is dated or still to come is an *event*. Whatever else was found is *unverified*.
2. An episode has the authority of its speaker, and only for his own words: stretches of others are unverified, what we
   rendered before is left out.
3. An episode from which something was drawn that no longer holds is *earlier*, and grounds nothing; what never held,
   or is fenced, is cut out of it. So is what somebody else said of the user while that value held, naming it.
4. Of a conflict only a side that stands above all others stays grounded. The other endorsed sides are contested, the
   rest is unverified.
5. What is quarantined, retracted or invalidated is nowhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from affidavit.core.authority import Authority, Role
from affidavit.core.memories import Kind
from affidavit.core.standing import Holds
from affidavit.core.values import Episode, Owner, Status
from affidavit.core.when import When
from affidavit.read.memories import ConflictGroup, MemoryItem, View, memory_items
from affidavit.read.recalled import EPISODE, Contested, Recalled
from affidavit.read.render import Section
from affidavit.read.results import Hit
from affidavit.read.sources import Sources
from affidavit.store.protocol import Reads
from affidavit.text.evidence.quotes import fold, stands
from affidavit.text.evidence.signs import unattributed
from affidavit.text.frames.statement import Certainty
from affidavit.text.spans import SpanKind

_GAP: Final = " … "
_Stretch = tuple[int, int, str | None]
_Drawn = tuple[list[_Stretch], list[_Stretch]]
_SHOWN: Final = frozenset({Holds.CURRENT, Holds.FUTURE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was found, parted."""

    recalled: tuple[Recalled, ...]
    conflicts: tuple[Contested, ...]

    def of(self, *sections: Section) -> tuple[Recalled, ...]:
        """What stands in these sections, best first."""
        return tuple(one for one in self.recalled if one.section in sections)


def gathered(
    reads: Reads, views: Mapping[str, View], hits: Sequence[Hit], groups: Iterable[ConflictGroup]
) -> Gathered:
    """Part what was found, best first; `views` are the spaces that were looked at, by id."""
    groups = list({group.id: group for group in groups}.values())
    gathering = {space_id: _Gathering(reads, view, hits, groups) for space_id, view in views.items()}
    found: list[Recalled] = []
    for rank, hit in enumerate(hits):
        here = gathering.get(_space_of(hit))
        found += here.of_hit(hit, rank) if here is not None else ()
    conflicts: list[Contested] = []
    for here in gathering.values():
        for group in groups:
            contested = here.of_group(group, found)
            if contested is not None:
                conflicts.append(contested)
    return _settled(found, conflicts)


def tells(hit: Hit) -> bool:
    """Whether more is in it than context that we rendered: a host that keeps its prompts has many such."""
    if hit.episode is None:
        return True
    echoes = [(span.start, span.end) for span in hit.episode.spans if span.kind is SpanKind.ECHO]
    return not echoes or bool(_without(hit.episode.text, echoes))


def _settled(found: Iterable[Recalled], conflicts: Sequence[Contested]) -> Gathered:
    """Rule 4."""
    moved: dict[str, Section] = {}
    claims: dict[str, Recalled] = {}
    for group in conflicts:
        best = max(one.authority.rank for one in group.members)
        top = [one.id for one in group.members if one.authority.rank == best]
        for one in group.members:
            if not one.endorsed:
                claims.setdefault(one.id, replace(one, section=Section.UNVERIFIED))
            elif [one.id] != top:
                moved[one.id] = Section.CONTESTED
    recalled = {(one.section, one.id): one for one in found if one.id not in moved}
    for claim in claims.values():
        recalled.setdefault((claim.section, claim.id), claim)
    return Gathered(
        recalled=tuple(sorted(recalled.values(), key=lambda one: one.rank)), conflicts=tuple(conflicts)
    )


def _space_of(hit: Hit) -> str:
    shown = hit.memory or hit.episode
    return shown.space_id if shown is not None else ""


class _Gathering:
    """What was found in one space."""

    def __init__(
        self, reads: Reads, view: View, hits: Sequence[Hit], groups: Sequence[ConflictGroup]
    ) -> None:
        self._view = view
        here = [hit for hit in hits if _space_of(hit) == view.space_id]
        members = [one for group in groups for one in group.members if one.space_id == view.space_id]
        self._sources = Sources.behind(
            reads, view.head, [*(hit.memory for hit in here if hit.memory is not None), *members]
        )
        self._drawn, self._over = _drawn(
            reads, view, [hit.episode.id for hit in here if hit.episode is not None]
        )
        self._scope = Owner(view.head.kind, view.head.name or "").scope()

    def of_hit(self, hit: Hit, rank: int) -> list[Recalled]:
        """A memory, or an episode in parts."""
        if hit.memory is not None:
            return [] if hit.memory.holds is Holds.FENCED else [self.of_memory(hit.memory, rank)]
        return list(self._of_episode(hit.episode, rank)) if hit.episode is not None else []

    def of_memory(self, item: MemoryItem, rank: int) -> Recalled:
        """One version; what is worded as somebody's is told in his words, as `said_by` says whose they are."""
        who, quotes = self._sources.of_memory(item), [quote.text for quote in item.evidence]
        return Recalled(
            id=item.version_id,
            kind=str(item.kind),
            section=_section_of(item),
            text=item.text if who is None else unattributed(item.text, item.claimant or "", quotes),
            authority=item.authority,
            said_by=who,
            when=_time_of(item),
            holds=item.holds,
            stale=item.stale,
            superseded_by=item.superseded_by,
            contested=item.conflicts,
            episodes=tuple(dict.fromkeys(quote.episode_id for quote in item.evidence)),
            rank=rank,
            space_id=item.space_id,
            seq=item.seq,
            **self._scope,
        )

    def of_group(self, group: ConflictGroup, found: Iterable[Recalled]) -> Contested | None:
        """A conflict with the members that may be shown; None where no two are left."""
        ranks = {one.id: one.rank for one in found}
        members = [
            one for one in group.members if one.holds in _SHOWN and one.space_id == self._view.space_id
        ]
        if len(members) < 2:
            return None
        first = min((ranks[one.version_id] for one in members if one.version_id in ranks), default=len(ranks))
        return Contested(
            id=group.id,
            subject=group.subject,
            relation=group.relation,
            members=tuple(
                replace(
                    self.of_memory(one, ranks.get(one.version_id, first)),
                    section=Section.CONTESTED if one.authority > Authority.UNENDORSED else Section.UNVERIFIED,
                )
                for one in members
            ),
        )

    def _of_episode(self, episode: Episode, rank: int) -> Iterable[Recalled]:
        if episode.status is not Status.ACTIVE:
            return
        fenced, over = self._drawn.get(episode.id, ([], self._named(episode)))
        echoes = [(span.start, span.end) for span in episode.spans if span.kind is SpanKind.ECHO]
        foreign = [(span.start, span.end) for span in episode.spans if span.kind is SpanKind.THIRD_PARTY]
        gone = [*echoes, *((start, end) for start, end, _ in fenced)]
        if episode.authority == Authority.UNENDORSED:
            section, own = Section.UNVERIFIED, _without(episode.text, gone)
        else:
            section = Section.EARLIER if fenced or over else Section.KNOWN
            own = _without(episode.text, [*gone, *foreign])
        by = next((by for _, _, by in (*over, *fenced) if by is not None), None)
        if own:
            yield self._part(episode, section, own, rank, by)
        others = _only(episode.text, foreign, gone) if section is not Section.UNVERIFIED else ""
        if others:
            yield replace(
                self._part(episode, Section.UNVERIFIED, others, rank, by),
                authority=Authority.UNENDORSED,
                said_by=self._sources.of_episode(episode, pasted=True),
            )

    def _named(self, episode: Episode) -> list[_Stretch]:
        """What is over that another than the user names, who spoke before it was: "Noted: you live in Cádiz"."""
        if not self._over or episode.source.role is Role.USER:
            return []
        words, said = fold(episode.text), (episode.occurred.start or 0)
        return [
            (0, 0, item.superseded_by)
            for item in self._over
            if item.object and item.valid.end is not None and said <= item.valid.end
            if stands(words, item.object)
        ]

    def _part(self, episode: Episode, section: Section, text: str, rank: int, by: str | None) -> Recalled:
        return Recalled(
            id=episode.id,
            kind=EPISODE,
            section=section,
            text=text,
            authority=episode.authority,
            said_by=self._sources.of_episode(episode),
            when=episode.occurred if episode.occurred.is_known else None,
            holds=Holds.HISTORY if by is not None or section is Section.EARLIER else None,
            superseded_by=by,
            episodes=(episode.id,),
            rank=rank,
            space_id=episode.space_id,
            seq=episode.seq,
            **self._scope,
        )


def _section_of(item: MemoryItem) -> Section:
    endorsed = item.authority >= Authority.ATTESTED and item.certainty is Certainty.ASSERTED
    if not endorsed:
        return Section.UNVERIFIED
    if item.holds is Holds.HISTORY:
        return Section.EARLIER
    dated = item.holds is Holds.FUTURE or (item.kind is Kind.EVENT and item.occurred is not None)
    if dated:
        return Section.DATED
    return Section.CONFIRM if item.stale else Section.KNOWN


def _time_of(item: MemoryItem) -> When | None:
    """The time that is told with it: of an event its own, of what is over or to come its bounds."""
    if item.occurred is not None:
        return item.occurred
    if item.holds is Holds.HISTORY and item.valid.end is not None:
        return When(start=item.valid.start, end=item.valid.end)
    return item.valid if item.holds is Holds.FUTURE and item.valid.start is not None else None


def _drawn(
    reads: Reads, view: View, episode_ids: Sequence[str]
) -> tuple[dict[str, _Drawn], list[MemoryItem]]:
    """For each episode the stretches from which something was drawn that is fenced, and that is over; what is over."""
    versions = dict.fromkeys(one.version for one in reads.quoting(view.space_id, episode_ids))
    items = memory_items(reads, view, reads.items(view.space_id, list(versions)).values())
    drawn: dict[str, _Drawn] = {}
    for item in items.values():
        if item.holds in _SHOWN:
            continue
        for quote in item.evidence:
            fenced, over = drawn.setdefault(quote.episode_id, ([], []))
            part = fenced if item.holds is Holds.FENCED else over
            part.append((quote.start, quote.end, item.superseded_by))
    return drawn, [item for item in items.values() if item.holds is Holds.HISTORY]


def _without(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """The text with `…` where stretches were; empty where no letter or digit is left."""
    kept, at = [], 0
    for start, end in sorted(stretches):
        kept.append(text[at:start])
        at = max(at, end)
    kept.append(text[at:])
    parts = [part.strip() for part in kept]
    return _GAP.join(part for part in parts if any(map(str.isalnum, part)))


def _only(text: str, stretches: Iterable[tuple[int, int]], gone: Sequence[tuple[int, int]]) -> str:
    """The stretches of the text, without those that are gone."""
    bounds = sorted(stretches)
    outside, at = [], 0
    for start, end in bounds:
        outside.append((at, start))
        at = max(at, end)
    outside.append((at, len(text)))
    return _without(text, [*(one for one in outside if one[0] < one[1]), *gone])
