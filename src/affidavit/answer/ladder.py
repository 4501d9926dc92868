"""The ladder of one question in one space: what is opened on each rung, until something suffices.

memories of the relation asked for → memories found → episodes → replies to a question before them. Bounded: each rung
opens a fixed number of things at most.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, TypeAlias

from affidavit.answer.about import About
from affidavit.answer.compose import (
    Draft,
    cite_line,
    claim_of_line,
    claim_of_memory,
    of_line,
    of_memories,
    said_at,
    stands,
)
from affidavit.answer.doubts import answered, doubting, last_of, since, with_doubt
from affidavit.answer.facts import look_up, relations_of
from affidavit.answer.findings import Finding, Says
from affidavit.answer.results import Claim, Step
from affidavit.answer.talk import BEYOND_CHANCE, SENTENCE, Line, Stretch, Talk, best_of, claims_of
from affidavit.core.authority import Authority
from affidavit.core.memories import Kind
from affidavit.core.standing import LIVES, Holds, Why
from affidavit.core.values import Episode
from affidavit.read.hits import Found
from affidavit.read.looking import Looking
from affidavit.read.memories import MemoryItem, View, memory_items
from affidavit.store.protocol import Reads, Selection
from affidavit.text.asking import Asking
from affidavit.text.covering import Weights, content_words, text_of
from affidavit.text.endings import ending_words
from affidavit.text.likeness import same_form
from affidavit.text.question_words import Wanted, speech

_HITS: Final = 10
"""How many hits are opened."""
_VERSIONS: Final = 50
"""How many versions of a relation are looked at, the newest of them."""
_SINCE: Final = 20
"""How many episodes are looked at for what speaks against an answer."""
_NEXT: Final = 3
"""How many of those right behind it are, too, whatever their words."""
_Stretches: TypeAlias = dict[str, list[Stretch]]
_OVER: Final = {Why.LAPSED, Why.ENDED}


@dataclass(slots=True)
class Opened:
    """What was opened on the way, in order: nothing else can be cited."""

    memories: dict[str, MemoryItem] = field(default_factory=dict)
    episodes: dict[str, Episode] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.memories) + len(self.episodes)


class Ladder:
    """One question on its way up."""

    def __init__(self, reads: Reads, looking: Looking, view: View, asking: Asking, about: About) -> None:
        self._reads = reads
        self._looking = looking
        self._asking = asking
        self._about = about
        self._speech = speech(asking.language)
        self._hits: list[Found] | None = None
        self._lines: list[Line] = []
        self.view = view
        self.opened = Opened()
        self.steps: list[Step] = []
        self.claims: list[Claim] = []
        self.finding: Finding | None = None

    def climb(self) -> Draft | None:
        """What the first rung that suffices gives."""
        rungs = (
            ("relation", self._by_relation),
            ("memories", self._by_memories),
            ("episodes", self._by_episodes),
            ("replies", self._by_replies),
        )
        for name, rung in rungs:
            before = len(self.opened)
            draft = rung()
            sufficed = draft is not None and stands(draft, self.opened.episodes)
            self.steps.append(Step(rung=name, opened=len(self.opened) - before, sufficed=sufficed))
            if draft is not None and sufficed:
                return self._doubted(draft)
            self.finding = None
        return None

    def _doubted(self, draft: Draft) -> Draft:
        """The draft, with what was said since and speaks against it."""
        asking, says = self._asking, self.finding.says if self.finding is not None else Says.VALUES
        if asking.before is not None or says in {Says.CONFLICT, Says.NO, Says.QUOTE}:
            return draft
        things = [item.object or item.text for item in self.finding.items] if self.finding else []
        if self.finding is None:
            things = [asking.about, asking.qualifier, " ".join(asking.owned.things), *draft.values]
        cited = [self.opened.episodes[one.episode_id] for one in draft.citations]
        if asking.wanted is Wanted.NUMBER:
            things.append(asking.object)
        last = last_of(cited)
        behind = self._behind(last)
        of_any_time = self.finding if asking.ever or asking.past else None
        over = of_any_time is not None and any(one.holds is Holds.HISTORY for one in of_any_time.items)
        said = answered(draft, things, last, behind, over=over)
        words = " ".join([*things, *(word.text for word in self._about.must), ending_words(asking.relation)])
        stored = self._reads.episodes_at(self.view.space_id, self._looking.episodes_with(words, _SINCE))
        later = {one.id: one for one in behind}
        later |= {
            one.id: one for one in (Episode.from_row(self.view.space_id, *each) for each in stored.values())
        }
        episodes = list(later.values())
        lines = since(said, self._talk([said.last, *episodes], over=True), episodes)
        against = doubting(asking, said, self._about.must, lines)
        if against is None:
            return draft
        before = len(self.opened)
        self._open_episodes([against.episode.id])
        self.steps.append(Step(rung="since", opened=len(self.opened) - before, sufficed=False))
        return with_doubt(draft, cite_line(against), self._speech)

    def _behind(self, last: Episode) -> list[Episode]:
        """What came next in the log."""
        selection = Selection(after=last.seq, limit=_NEXT)
        rows = self._reads.select(self.view.space_id, selection)
        return [Episode.from_row(self.view.space_id, *one) for one in rows if self._is_allowed(one.seq)]

    # -- memories

    def _by_relation(self) -> Draft | None:
        relations = relations_of(self._asking, self.view.relations)
        stored = [
            one
            for subject in self._about.subjects
            for one in (self._reads.related(self.view.space_id, subject, relations) if relations else ())
        ]
        draft = self._of_items(memory_items(self._reads, self.view, stored[-_VERSIONS:]).values())
        if draft is None or self._asking.wanted not in {Wanted.DATE, Wanted.PERSON}:
            return draft
        return self._newer(draft) or draft

    def _newer(self, draft: Draft) -> Draft | None:
        """A later word of the user's about the same, of which no memory was made: it goes before an older one."""
        best = self._best_line()
        said = draft.citations[0].said_at.start or 0
        if best is None or best.value is None or (said_at(best.episode).start or 0) <= said:
            return None
        later = of_line(best, self._asking, self._speech)
        known = {same_form(value) for value in draft.values}
        return None if same_form(later.text) in known else later

    def _by_memories(self) -> Draft | None:
        found = [one.seq for one in self._found() if one.memory is not None]
        stored = self._reads.items_at(self.view.space_id, found).values()
        items = list(memory_items(self._reads, self.view, stored).values())
        if self._asking.relation is not None and not self._about.asker:
            return self._of_items(one for one in items if self._is_of_the_other(one))
        return self._of_covering(items)

    def _is_of_the_other(self, item: MemoryItem) -> bool:
        same = {same_form(subject) for subject in self._about.subjects}
        return same_form(item.subject) in same and item.relation in relations_of(
            self._asking, self.view.relations
        )

    def _of_items(self, items: Iterable[MemoryItem]) -> Draft | None:
        facts = look_up(self._asking, list(items), self.view.relations)
        self._open([*(facts.finding.items if facts.finding else ()), *facts.claims])
        for one in facts.claims:
            claim = claim_of_memory(one, self.opened.episodes, self._speech)
            if claim is not None:
                self.claims.append(claim)
        return self._drafted(facts.finding)

    def _of_covering(self, items: Sequence[MemoryItem]) -> Draft | None:
        """Memories that nobody gave the asked relation: by what they say."""
        asking, weights = self._asking, self._weights()
        if asking.before is not None:
            return None
        good = []
        for item in items:
            fits = item.relation is None or asking.relation is None
            about = item.subject in self._about.subjects or not self._about.asker
            told = text_of(" ".join([item.text, *(quote.text for quote in item.evidence)]))
            cover = weights.cover(told)
            enough = cover.share >= SENTENCE and cover.weight >= weights.chance + BEYOND_CHANCE
            if item.grounded and fits and about and enough and all(map(told.holds, self._about.must)):
                good.append((cover, item.seq, item))
        if not good:
            return None
        best = max(good, key=lambda one: one[:2])[2]
        self._open([best])
        return self._drafted(Finding(Says.QUOTE, (best,)))

    def _drafted(self, finding: Finding | None) -> Draft | None:
        self.finding = finding
        if finding is None:
            return None
        return of_memories(finding, self._asking, self.opened.episodes, self._speech)

    # -- episodes

    def _by_episodes(self) -> Draft | None:
        best = self._best_line()
        return None if best is None else of_line(best, self._asking, self._speech)

    def _best_line(self) -> Line | None:
        found = self._found()
        ids = [one.episode.id for one in found if one.episode is not None]
        ids += [quote.episode_id for one in found if one.memory is not None for quote in one.memory.evidence]
        episodes = [one for one in self._open_episodes(ids) if self._is_allowed(one.seq)]
        talk = self._talk(episodes)
        self._lines = [line for episode in episodes for line in talk.lines(episode)]
        self.claims += [claim_of_line(line, self._speech) for line in claims_of(talk, self._lines)]
        return best_of(talk, self._lines)

    def _by_replies(self) -> Draft | None:
        if not self._about.asker or self._asking.before is not None:
            return None
        pairs: list[tuple[Episode, Episode]] = []
        for one in self._found():
            if one.episode is not None and one.episode.session_id is not None:
                near = self._neighbours(one.episode)
                pairs += pairwise(near)
        episodes = [episode for pair in pairs for episode in pair]
        talk = self._talk(episodes)
        replies = [reply for reply in (talk.reply(*pair) for pair in pairs) if reply is not None]
        best = best_of(talk, [*replies, *self._lines])
        return None if best is None or best.asked is None else of_line(best, self._asking, self._speech)

    def _neighbours(self, episode: Episode) -> list[Episode]:
        """The turn before, the episode, the turn behind, of one session."""
        here = Selection(session_id=episode.session_id, limit=1)
        before = self._select(replace(here, before=episode.seq, newest=True))
        after = self._select(replace(here, after=episode.seq))
        return [*before, episode, *after]

    def _select(self, selection: Selection) -> list[Episode]:
        space_id = self.view.space_id
        stored = [one for one in self._reads.select(space_id, selection) if self._is_allowed(one.seq)]
        found = [Episode.from_row(space_id, *one) for one in stored]
        for one in found:
            self.opened.episodes.setdefault(one.id, one)
        return found

    def _is_allowed(self, seq: int) -> bool:
        """Whether the question may look at an episode: not one that is hidden, or was said or recorded too late."""
        mask = self._looking.allowed.mask
        return mask is None or bool(mask[self._looking.loaded.index.row_of(seq)])

    # -- what both need

    def _found(self) -> list[Found]:
        if self._hits is None:
            self._hits = self._looking.found(_HITS)
        return self._hits

    def _weights(self) -> Weights:
        index = self._looking.loaded.index
        exact = self._asking.language == "es"
        words = content_words(self._asking.content, without=self._about.own, exact=exact)
        return Weights(words, index.holders, index.size - index.memories)

    def _talk(self, episodes: Sequence[Episode], *, over: bool = False) -> Talk:
        """`over`: words that something has ended count, though what they end held before."""
        closed, stale = self._judged(episodes, over=over)
        return Talk(
            asking=self._asking,
            about=self._about,
            weights=self._weights(),
            closed=closed,
            stale=stale,
            fresh_from=self._fresh_from(),
        )

    def _fresh_from(self) -> int | None:
        """Since when something about the asked relation must have been said to be fresh; None: no matter."""
        relation = self.view.relations.get(self._asking.relation or "")
        if relation is None or relation.kind == Kind.EVENT:
            return None
        life = LIVES[relation.volatility]
        return None if life is None else self.view.at - life

    def _judged(self, episodes: Sequence[Episode], *, over: bool) -> tuple[_Stretches, _Stretches]:
        """What of these episodes memories say does not hold at the time asked about, and what may be out of date."""
        ids = [one.id for one in episodes]
        pairs = self._reads.quoting(self.view.space_id, ids)
        versions = list(dict.fromkeys(pair[1] for pair in pairs))
        stored = self._reads.items(self.view.space_id, versions).values()
        closed: _Stretches = {}
        stale: _Stretches = {}
        for item in memory_items(self._reads, self.view, stored).values():
            past = item.kind is Kind.EVENT and item.holds is Holds.HISTORY and item.why in _OVER
            past = past or (over and item.negated and item.holds is Holds.HISTORY)
            gone = item.holds is not Holds.CURRENT and not past
            for quote in item.evidence if gone or item.stale else ():
                into = closed if gone else stale
                into.setdefault(quote.episode_id, []).append(Stretch(quote.start, quote.end))
        return closed, stale

    def _open(self, items: Iterable[MemoryItem]) -> None:
        for item in items:
            self.opened.memories.setdefault(item.version_id, item)
            self._open_episodes(quote.episode_id for quote in item.evidence)

    def _open_episodes(self, ids: Iterable[str]) -> list[Episode]:
        wanted = list(dict.fromkeys(ids))
        missing = [one for one in wanted if one not in self.opened.episodes]
        for id_, (seq, row) in self._reads.episodes(self.view.space_id, missing).items():
            self.opened.episodes[id_] = Episode.from_row(self.view.space_id, seq, row)
        return [self.opened.episodes[one] for one in wanted if one in self.opened.episodes]

    def missing(self) -> tuple[str, ...]:
        """What an answer would have needed, in words."""
        asking = self._asking
        whom = "the user" if self._about.asker else asking.who or "what is asked about"
        if asking.relation is not None:
            of = f" ({asking.qualifier or asking.object or asking.about})"
            of = of if asking.qualifier or asking.object or asking.about else ""
            earlier = (
                ""
                if asking.before is None
                else " of before"
                if not asking.before
                else f" before {asking.before}"
            )
            return (f"a statement about {whom} that may be relied on: {asking.relation}{of}{earlier}",)
        weights = self._weights()
        reliable = [line for line in self._lines if line.authority > Authority.UNENDORSED]
        best = max(reliable, key=lambda line: line.cover, default=None)
        seen = text_of(best.text) if best is not None else text_of("")
        words = [word.text for word in weights.words if not seen.holds(word)]
        return (
            (f"a statement that may be relied on and holds: {', '.join(words)}",)
            if words
            else ("one statement that says it more clearly than others",)
        )
