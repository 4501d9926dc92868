"""The ladder of one question in one space: what is opened on each rung, until something suffices.

memories of the relation asked for → memories found → episodes → replies to a question before them. Bounded: each rung
opens a fixed number of things at most.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from affidavit.answer.about import is_whose
from affidavit.answer.compose import (
    Draft,
    claim_of_line,
    claim_of_memory,
    of_line,
    of_memories,
    said_at,
    stands,
)
from affidavit.answer.facts import look_up, relations_of, says_no_value
from affidavit.answer.findings import Finding, Says
from affidavit.answer.later import doubted
from affidavit.answer.opening import Opening
from affidavit.answer.results import Claim, Step
from affidavit.answer.talk import BEYOND_CHANCE, SENTENCE, Line, best_of, claims_of
from affidavit.core.authority import Authority
from affidavit.core.values import Episode
from affidavit.read.memories import MemoryItem, memory_items
from affidavit.text.evidence.likeness import same_form
from affidavit.text.questions.covering import text_of
from affidavit.text.questions.question_words import Wanted, speech

_VERSIONS: Final = 50
"""How many versions of a relation are looked at, the newest of them."""


class Ladder:
    """One question on its way up."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._reads = opening.reads
        self._asking = opening.asking
        self._about = opening.about
        self._speech = speech(opening.asking.language)
        self._lines: list[Line] = []
        self.view = opening.view
        self.opened = opening.opened
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
                draft, since = doubted(self._opening, draft, self.finding)
                self.steps += [since] if since is not None else []
                return draft
            self.finding = None
        return None

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
        found = [one.seq for one in self._opening.found() if one.memory is not None]
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
        self._opening.open([*(facts.finding.items if facts.finding else ()), *facts.claims])
        for one in facts.claims:
            claim = claim_of_memory(one, self.opened.episodes, self._speech)
            if claim is not None:
                self.claims.append(claim)
        return self._drafted(facts.finding)

    def _of_covering(self, items: Sequence[MemoryItem]) -> Draft | None:
        """Memories that nobody gave the asked relation: by what they say."""
        asking, weights = self._asking, self._opening.weights()
        if asking.before is not None:
            return None
        good = []
        # What is kept as its own quote is judged where it was said, sentence by sentence: on the next rung.
        for item in filter(self._may_tell, items):
            told = text_of(" ".join([item.text, *(quote.text for quote in item.evidence)]))
            cover = weights.cover(told)
            enough = cover.share >= SENTENCE and cover.weight >= weights.chance + BEYOND_CHANCE
            if enough and all(map(told.holds, self._about.must)):
                good.append((cover, item.seq, item))
        if not good:
            return None
        best = max(good, key=lambda one: one[:2])[2]
        self._opening.open([best])
        return self._drafted(Finding(Says.QUOTE, (best,)))

    def _may_tell(self, item: MemoryItem) -> bool:
        """Whether a memory may be told by what it says: it is about whom is asked, and says it that way round."""
        asking, about = self._asking, self._about
        fits = item.relation is None or asking.relation is None
        if not (item.grounded and fits and (item.subject in about.subjects or not about.asker)):
            return False
        if _is_its_quote(item) or says_no_value(asking, item, self.view.relations):
            return False
        return all(is_whose(asking, about, quote.text) for quote in item.evidence)

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
        found = self._opening.found()
        ids = [one.episode.id for one in found if one.episode is not None]
        ids += [quote.episode_id for one in found if one.memory is not None for quote in one.memory.evidence]
        episodes = [one for one in self._opening.open_episodes(ids) if self._opening.is_allowed(one.seq)]
        talk = self._opening.talk(episodes)
        self._lines = [line for episode in episodes for line in talk.lines(episode)]
        self.claims += [claim_of_line(line, self._speech) for line in claims_of(talk, self._lines)]
        lines = self._lines
        while (best := best_of(talk, lines)) is not None and self._opening.is_given_out(best):
            lines = [one for one in lines if one is not best]
        return best

    def _by_replies(self) -> Draft | None:
        if not self._about.asker or self._asking.before is not None:
            return None
        pairs: list[tuple[Episode, Episode]] = []
        for one in self._opening.found():
            if one.episode is not None and one.episode.session_id is not None:
                near = self._opening.neighbours(one.episode)
                pairs += pairwise(near)
        episodes = [episode for pair in pairs for episode in pair]
        talk = self._opening.talk(episodes)
        replies = [reply for reply in (talk.reply(*pair) for pair in pairs) if reply is not None]
        best = best_of(talk, [*replies, *self._lines])
        return None if best is None or best.asked is None else of_line(best, self._asking, self._speech)

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
        weights = self._opening.weights()
        if not weights.words:
            return ("a question with a word in it to look for",)
        reliable = [line for line in self._lines if line.authority > Authority.UNENDORSED]
        best = max(reliable, key=lambda line: line.cover, default=None)
        seen = text_of(best.text) if best is not None else text_of("")
        words = [word.text for word in weights.words if not seen.holds(word)]
        return (
            (f"a statement that may be relied on and holds: {', '.join(words)}",)
            if words
            else ("one statement that says it more clearly than others",)
        )


def _is_its_quote(item: MemoryItem) -> bool:
    """Whether a memory that a model proposed is nothing but what was said, with who said it."""
    as_said = any(quote.text in item.text for quote in item.evidence)
    return as_said and item.relation is None and item.model is not None
