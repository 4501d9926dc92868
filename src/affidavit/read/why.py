"""Why a search finds something, or why it does not: one typed answer, from the same masks and scores as the search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from affidavit.core.access import Caller
from affidavit.core.jsonable import Result
from affidavit.core.limits import RESULTS, check_id
from affidavit.core.memories import MemoryStatus
from affidavit.core.standing import Holds, Why
from affidavit.core.values import Episode, Head, Status
from affidavit.index.space_index import Scored
from affidavit.read.history import What, happenings
from affidavit.read.hits import Found
from affidavit.read.listing import readable_heads
from affidavit.read.looking import Looking
from affidavit.read.memories import MemoryItem, memory_items
from affidavit.read.question import Question
from affidavit.read.search import Searcher
from affidavit.store.protocol import Reads, Store


class Because(StrEnum):
    """Why something is, or is not, among the hits."""

    FOUND = "found"
    FOLDED = "folded"  # shown as evidence of a memory that was found
    UNKNOWN = "unknown"  # not there, or not for this caller
    NO_MATCH = "no_match"  # it shares nothing with the question
    BELOW_CUT = "below_cut"
    NOT_ASKED_FOR = "not_asked_for"  # its kind is not
    FILTERED = "filtered"  # by the filters, or recorded or said later
    NOT_YET = "not_yet"
    ENDED = "ended"
    SUPERSEDED = "superseded"
    CORRECTED = "corrected"
    LAPSED = "lapsed"
    RETRACTED = "retracted"
    QUARANTINED = "quarantined"
    INVALIDATED = "invalidated"
    ARCHIVED = "archived"
    NOT_NEWEST = "not_newest"  # a later version held in the time asked about, too


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal(Result):
    """Something in an episode that was refused as a memory: by which check, why, and where it stood."""

    check: str
    code: str
    start: int
    end: int
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(Result):
    """Why something is among the hits of a search, or is not.

    `id` is what was asked about, `version_id` the version that was looked at. `rank` counts from 1; `score` and its
    `parts` are those of the search, `cut` the score of the last hit where all places are taken. `by` names what took
    its place or retracted it: a version, or the memory that an episode is shown with; `rule` says by which rule it was
    quarantined. `refused` tells what of an episode was not remembered. `text` says the same in a sentence.
    """

    id: str
    because: Because
    text: str
    version_id: str | None = None
    rank: int | None = None
    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    cut: float | None = None
    by: str | None = None
    rule: str | None = None
    refused: tuple[Refusal, ...] = ()

    @property
    def found(self) -> bool:
        """Whether it is shown."""
        return self.because in {Because.FOUND, Because.FOLDED}


_SAYS: Final[Mapping[Because, str]] = {
    Because.FOUND: "it is hit {rank} with a score of {score:.3f}",
    Because.FOLDED: "it is shown as evidence of {by}",
    Because.UNKNOWN: "nothing readable has this id",
    Because.NO_MATCH: "it shares no word and no meaning with the question",
    Because.BELOW_CUT: "its score is {score:.3f}, and the last hit has {cut:.3f}",
    Because.NOT_ASKED_FOR: "its kind is not asked for",
    Because.FILTERED: "a filter, `as_of` or `known_at` leaves it out",
    Because.NOT_YET: "it does not hold yet at the time asked about",
    Because.ENDED: "it held no more at the time asked about",
    Because.SUPERSEDED: "{by} took its place",
    Because.CORRECTED: "it never held: {by} corrected it",
    Because.LAPSED: "nobody said it again in the time for which its like can be counted on",
    Because.RETRACTED: "it was retracted",
    Because.QUARANTINED: "it is quarantined by rule {rule}",
    Because.INVALIDATED: "nothing that it rested on counts any more",
    Because.ARCHIVED: "it was archived",
    Because.NOT_NEWEST: "a later version held in the time asked about, too",
}


def explain(
    store: Store, searcher: Searcher, caller: Caller, question: Question, item_id: object, *, now: int
) -> Explanation:
    """Why the search finds an item, or why it does not."""
    wanted = check_id(item_id, "the id")
    with store.snapshot() as reads:
        for head in readable_heads(reads, caller):
            if not _is_in(reads, head, wanted):
                continue
            with searcher.looking(reads, head, question, now) as looking:
                return _Explaining(looking, wanted).explanation()
    return _because(Because.UNKNOWN, wanted)


def _is_in(reads: Reads, head: Head, wanted: str) -> bool:
    if reads.episodes(head.space_id, [wanted]):
        return True
    found = reads.items(head.space_id, [wanted]) if "@" in wanted else reads.versions(head.space_id, wanted)
    return bool(found)


def _because(because: Because, wanted: str, **told: Any) -> Explanation:
    text = _SAYS[because].format(**{"by": "another version", "rule": "?"} | _given(told))
    return Explanation(id=wanted, because=because, text=text, **told)


def _given(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}


class _Explaining:
    """One item and one question, in the space that holds the item."""

    def __init__(self, looking: Looking, wanted: str) -> None:
        self.looking, self.wanted = looking, wanted
        self.reads, self.view = looking.reads, looking.view

    def explanation(self) -> Explanation:
        """What became of the item in this search."""
        stored = self.reads.episodes(self.view.space_id, [self.wanted]).get(self.wanted)
        if stored is not None:
            return self._of_episode(Episode.from_row(self.view.space_id, stored.seq, stored.row))
        memory = self._version()
        if memory is None:
            return _because(Because.FILTERED, self.wanted)  # it was not believed yet
        return self._of_memory(memory)

    # -- memories

    def _version(self) -> MemoryItem | None:
        """The version that was meant; of a memory the one that counts at the time asked about."""
        space_id = self.view.space_id
        if "@" in self.wanted:
            stored = list(self.reads.items(space_id, [self.wanted]).values())
        else:
            stored = self.reads.versions(space_id, self.wanted)
        found = memory_items(self.reads, self.view, stored).values()
        return max(found, key=lambda one: (one.holds is Holds.CURRENT, one.version), default=None)

    def _of_memory(self, memory: MemoryItem) -> Explanation:
        told = {"version_id": memory.version_id}
        hits = self.looking.found(self.looking.question.limit)
        for place, hit in enumerate(hits, 1):
            if hit.seq == memory.seq:
                return self._found(hit, place, told)
        if memory.holds is Holds.FENCED:
            return self._fenced(memory, told)
        if str(memory.kind) not in self.looking.plan.kinds:
            return _because(Because.NOT_ASKED_FOR, self.wanted, **told)
        if not self._may(memory.seq):
            return self._not_wanted(memory, told)
        return self._scored(memory.seq, hits, told)

    def _fenced(self, memory: MemoryItem, told: dict[str, Any]) -> Explanation:
        because = Because(memory.why or MemoryStatus.RETRACTED)
        rule = self._rule(memory) if because is Because.QUARANTINED else None
        by = memory.superseded_by if because is Because.CORRECTED else None
        return _because(because, self.wanted, by=by, rule=rule, **told)

    def _rule(self, memory: MemoryItem) -> str:
        """By which rule a version is quarantined: the reason of its last label, or the check it was born under."""
        said = [
            one for one in happenings(self.reads, self.view.space_id, memory.id) if one.status is not None
        ]
        last = [one for one in said if one.version_id == memory.version_id and one.status == memory.status]
        return str(last[-1].reason) if last and last[-1].what is What.LABELLED else memory.policy

    def _not_wanted(self, memory: MemoryItem, told: dict[str, Any]) -> Explanation:
        mask = self.looking.allowed.mask
        if mask is not None and not mask[self.looking.loaded.index.row_of(memory.seq)]:
            return _because(Because.FILTERED, self.wanted, **told)
        because = {
            Why.SUPERSEDED: Because.SUPERSEDED,
            Why.ENDED: Because.ENDED,
            Why.LAPSED: Because.LAPSED,
            Why.NOT_YET: Because.NOT_YET,
        }.get(memory.why or Why.ENDED, Because.ENDED)
        if memory.holds is Holds.CURRENT or self.looking.plan.dated:
            held = self._holds_in_time(memory)
            because = Because.NOT_NEWEST if held else Because.ENDED if memory.why is None else because
        by = memory.superseded_by if because is Because.SUPERSEDED else None
        return _because(because, self.wanted, by=by, **told)

    def _holds_in_time(self, memory: MemoryItem) -> bool:
        terms = self.looking.allowed.terms
        place = terms.places.get(memory.version_id)
        return place is not None and bool(terms.holding(self.looking.plan.times, newest=False)[place])

    # -- episodes

    def _of_episode(self, episode: Episode) -> Explanation:
        refused = tuple(
            Refusal(
                check=one.check_name, code=one.code, start=one.span_start, end=one.span_end, hint=one.hint
            )
            for one in self.reads.rejections(self.view.space_id, episode.id)
        )
        told: dict[str, Any] = {"refused": refused}
        hits = self.looking.found(self.looking.question.limit)
        for place, hit in enumerate(hits, 1):
            if hit.seq == episode.seq:
                return self._found(hit, place, told)
            if episode.id in hit.folded and hit.memory is not None:
                by = hit.memory.version_id
                return _because(Because.FOLDED, self.wanted, rank=place, score=hit.score, by=by, **told)
        if episode.status is Status.QUARANTINED:
            return _because(Because.QUARANTINED, self.wanted, rule="revoked", **told)
        retracted = self._retracted(episode)
        if retracted is not None:
            return _because(Because.RETRACTED, self.wanted, by=retracted, **told)
        if "episode" not in self.looking.plan.kinds:
            return _because(Because.NOT_ASKED_FOR, self.wanted, **told)
        if not self._may(episode.seq):
            return _because(Because.FILTERED, self.wanted, **told)
        return self._scored(episode.seq, hits, told)

    def _retracted(self, episode: Episode) -> str | None:
        """The retracted version that quotes an episode."""
        quoting = [one.version for one in self.reads.quoting(self.view.space_id, [episode.id])]
        stored = self.reads.items(self.view.space_id, quoting).values()
        rows = [one.row for one in map(self.view.believed, stored) if one is not None]
        return next((row.id for row in rows if row.status == MemoryStatus.RETRACTED), None)

    # -- both

    def _may(self, seq: int) -> bool:
        return self.looking.allowed.may(seq)

    def _found(self, hit: Found, place: int, told: dict[str, Any]) -> Explanation:
        parts = dict(hit.parts)
        return _because(Because.FOUND, self.wanted, rank=place, score=hit.score, parts=parts, **told)

    def _scored(self, seq: int, hits: Sequence[Found], told: dict[str, Any]) -> Explanation:
        """It may be found, and is not: its place among the first thousand, else its own score."""
        limit = min(RESULTS, self.looking.loaded.index.size)
        ranking: list[Found | Scored] = [*self.looking.found(limit)]
        if all(one.seq != seq for one in ranking):
            ranking = [*self.looking.scored(self.looking.loaded.index.size)]
        for rank, one in enumerate(ranking, 1):
            if one.seq == seq:
                cut = hits[-1].score if hits else one.score
                told |= {"rank": rank, "score": one.score, "parts": dict(one.parts)}
                return _because(Because.BELOW_CUT, self.wanted, cut=cut, **told)
        return _because(Because.NO_MATCH, self.wanted, **told)
