"""Answer: reads the question, climbs the ladder in each space that the caller may read, and traces what was opened.

Where the rules suffice, no model is asked. Where they don't, a language model may choose from what was opened, twice at
most: near, then wider. It is asked while nothing of the store is held; then all is looked up anew, and only what stands
there at that moment is told. Whatever a model does, an answer of the rules can't be lost by it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from affidavit.answer.about import about_whom, own_names
from affidavit.answer.compose import Draft, without_cited
from affidavit.answer.consulted import consult
from affidavit.answer.ladder import Ladder
from affidavit.answer.material import material
from affidavit.answer.opening import Opening
from affidavit.answer.results import Answer, Claim, Sentence, Step
from affidavit.answer.telling import Placed, Wish, told
from affidavit.core.access import Caller
from affidavit.core.authority import SpaceKind
from affidavit.core.cost import Cost
from affidavit.core.ids import RANDOM_BYTES, TRACE, make_id
from affidavit.core.values import Head
from affidavit.errors import ModelError
from affidavit.providers.consulting import Consulting
from affidavit.providers.language_model import LanguageModel
from affidavit.read.listing import readable_heads
from affidavit.read.memories import ConflictGroup, conflict_groups
from affidavit.read.question import Question
from affidavit.read.search import Searcher
from affidavit.read.traced import digest_of
from affidavit.store.protocol import Clock, Entropy, Reads, Store, Trace
from affidavit.text.prepare import prepare
from affidavit.text.questions.asking import Asking, read_question
from affidavit.text.questions.question_words import speech
from affidavit.text.times.dates import Dated

Event: TypeAlias = Step | Sentence | Answer
"""What an answer comes in: rungs as they are climbed, sentences as they pass their checks, the whole at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A question as it is looked up, however often."""

    caller: Caller
    question: Question
    asking: Asking
    base: int
    now: int
    record: bool


@dataclass(slots=True)
class _Seen:
    """What one look came to: an answer of the rules, or what a model may choose from and what it told of it."""

    ladders: list[Ladder] = field(default_factory=list)
    placed: dict[str, Placed] = field(default_factory=dict)
    ruled: Draft | None = None
    told: list[tuple[int, Draft]] = field(default_factory=list)
    conflicts: tuple[ConflictGroup, ...] = ()
    trace_id: str | None = None

    @property
    def parts(self) -> list[Draft]:
        """The parts of the answer; none: it abstains."""
        return (
            [self.ruled] if self.ruled is not None else [part for _, part in sorted(self.told, key=_number)]
        )

    @property
    def steps(self) -> tuple[Step, ...]:
        """The rungs that the rules climbed."""
        return tuple(step for one in self.ladders for step in one.steps)


class Answerer:
    """Answers from the spaces that a caller may read."""

    def __init__(
        self,
        store: Store,
        searcher: Searcher,
        *,
        model: LanguageModel | None,
        clock: Clock,
        entropy: Entropy,
        own_names: Mapping[str, tuple[str, ...]],
        keep_queries: bool,
    ) -> None:
        self._store = store
        self._searcher = searcher
        self._model = model
        self._clock = clock
        self._entropy = entropy
        self._own_names = own_names
        self._keep_queries = keep_queries

    def stream(self, caller: Caller, question: Question, *, record: bool = True) -> Iterator[Event]:
        """What may be asserted, or that nothing may be, as it comes to be; the last event is the answer."""
        now = self._clock.now()
        base = now if question.asks_about is None else question.asks_about
        asking = read_question(question.text, anchor=base)
        asked = _Asked(caller=caller, question=question, asking=asking, base=base, now=now, record=record)
        modelled, problems, cost = list[Step](), list[str](), Cost()
        seen = self._look(asked, last=self._model is None)
        yield from seen.steps
        if self._model is not None and not seen.parts:
            consulting = Consulting(self._model)
            for step, problem, found in self._consulted(asked, seen, consulting):
                yield step
                modelled.append(step)
                problems += [problem] if problem else []
                seen = found
            cost = consulting.cost
            if not seen.parts:
                seen = self._look(asked, wide=len(modelled) > 1, last=True)
        whole = _answer(asking, seen, tuple(modelled), tuple(problems), cost)
        yield from (Sentence(text=part.text, citations=part.citations) for part in seen.parts)
        yield whole

    def _consulted(
        self, asked: _Asked, seen: _Seen, consulting: Consulting
    ) -> Iterator[tuple[Step, str, _Seen]]:
        """A model's choice from what is near, then from further: each rung, what went wrong, what is seen then."""
        before: set[str] = set()
        for rung, wide in (("model", False), ("model_wide", True)):
            seen = self._look(asked, wide=True) if wide else seen
            if seen.parts or seen.placed.keys() <= before:
                continue
            fresh, problem = len(seen.placed.keys() - before), ""
            before |= seen.placed.keys()
            try:
                choice = consult(consulting, asked.question.text, seen.placed)
            except ModelError as error:
                problem = f"the rules answered alone, as {error.what}"
            else:
                if choice.sufficient and choice.wishes:
                    seen = self._look(asked, wide=wide, wishes=choice.wishes)
            yield Step(rung=rung, opened=fresh, sufficed=bool(seen.parts)), problem, seen
            if seen.parts or problem:
                return

    def _look(
        self, asked: _Asked, *, wide: bool = False, wishes: Sequence[Wish] = (), last: bool = False
    ) -> _Seen:
        """Look everything up in one consistent state; what is told is told of that. `last`: trace it in any case."""
        seen = _Seen()
        with self._store.snapshot() as reads:
            heads = list(readable_heads(reads, asked.caller))
            for head in heads:
                self._look_into(seen, reads, head, asked, wide=wide, wishes=wishes)
                if seen.ruled is not None:
                    seen.told = []
                    break
            if asked.record and heads and (last or seen.parts):
                trace = self._trace(reads, heads[0], asked.question, seen.ladders, asked.now)
                seen.trace_id = trace.id if self._store.save_trace(trace) else None
        return seen

    def _look_into(
        self, seen: _Seen, reads: Reads, head: Head, asked: _Asked, *, wide: bool, wishes: Sequence[Wish]
    ) -> None:
        """Look into one space, by the rules first."""
        asking, caller = asked.asking, asked.caller
        with self._searcher.looking(reads, head, asked.question, asked.now) as looking:
            view = looking.view._replace(at=instant_of(asking.dates, asked.base))
            names = own_names(reads, view, caller, self._own_names.get(caller.user_id or "", ()))
            about = about_whom(asking, names, caller, head)
            opening = Opening(reads, looking, view, asking, about)
            seen.ladders.append(Ladder(opening))
            seen.ruled = seen.ladders[-1].climb()
            shown = list(opening.opened.memories)
            if seen.ruled is None and self._model is not None:
                now = view.at == asked.now and not (asking.past or asking.ever)
                here = {one.key: Placed(one, opening, names, now) for one in material(opening, wide=wide)}
                parts = told(wishes, here)
                seen.placed |= here
                seen.told += parts
                shown += [citation.id for _, part in parts for citation in part.citations]
        seen.conflicts += _conflicts(reads, opening, shown)

    def _trace(
        self, reads: Reads, head: Head, question: Question, ladders: Sequence[Ladder], now: int
    ) -> Trace:
        shown = [id_ for one in ladders for id_ in (*one.opened.memories, *one.opened.episodes)]
        return Trace(
            space_id=head.space_id,
            id=make_id(TRACE, now, self._entropy(RANDOM_BYTES)),
            at=now,
            verb="answer",
            shown=json.dumps(shown),
            digest=digest_of(reads, _places(ladders)),
            query=prepare(question.text, user_message=False).text
            if self._keep_queries and head.kind is SpaceKind.USER
            else None,
        )


def instant_of(dates: Sequence[Dated], base: int) -> int:
    """The instant that a question is about: the last of the time it names, else `base`.

    >>> instant_of([Dated(10, 20, "then", (0, 4), False)], 100)
    19
    """
    placed = [one for one in dates if one.start is not None or one.end is not None]
    if not placed:
        return base
    start, end = placed[-1].start, placed[-1].end
    if (start is None or start <= base) and (end is None or base < end):
        return base if start is not None else (end or base) - 1
    return start or base if end is None else end - 1


def _number(one: tuple[int, Draft]) -> int:
    return one[0]


def _answer(
    asking: Asking, seen: _Seen, modelled: tuple[Step, ...], problems: tuple[str, ...], cost: Cost
) -> Answer:
    claims: list[Claim] = [claim for one in seen.ladders for claim in one.claims]
    parts = seen.parts
    citations = tuple(dict.fromkeys(citation for part in parts for citation in part.citations))
    return Answer(
        text=" ".join(part.text for part in parts) if parts else speech(asking.language).unknown,
        citations=citations,
        abstained=not parts,
        missing=() if parts else _missing(seen.ladders),
        unverified=without_cited(claims, citations),
        conflicts=seen.conflicts,
        stale=tuple(dict.fromkeys(one.id for one in citations if one.stale)),
        trace_id=seen.trace_id,
        steps=(*seen.steps, *modelled),
        problems=problems,
        cost=cost,
    )


def _missing(ladders: Sequence[Ladder]) -> tuple[str, ...]:
    if not ladders:
        return ("anything at all: nothing is kept for this caller",)
    return ladders[0].missing()


def _conflicts(reads: Reads, opening: Opening, shown: Sequence[str]) -> tuple[ConflictGroup, ...]:
    """The open conflicts of what was opened by the rules, or told."""
    opened = opening.opened.memories
    contested = {id_: opened[id_] for id_ in shown if id_ in opened and opened[id_].conflicts}
    return conflict_groups(reads, opening.view, contested, contested) if contested else ()


def _places(ladders: Sequence[Ladder]) -> list[tuple[str, int]]:
    """The space and place in its log of everything that was opened, in order."""
    places: list[tuple[str, int]] = []
    for one in ladders:
        places += [(one.view.space_id, item.seq) for item in one.opened.memories.values()]
        places += [(one.view.space_id, episode.seq) for episode in one.opened.episodes.values()]
    return places
