"""Answer: reads the question, climbs the ladder in each space that the caller may read, and traces what was opened.

What is selected is composed from its own words, and checked once more against what was opened. No model takes part.
"""

import json
from collections.abc import Mapping, Sequence

from affidavit.answer.about import about_whom, own_names
from affidavit.answer.compose import Draft, without_cited
from affidavit.answer.ladder import Ladder
from affidavit.answer.opening import Opening
from affidavit.answer.results import Answer, Claim, Step
from affidavit.core.access import Caller
from affidavit.core.authority import SpaceKind
from affidavit.core.ids import RANDOM_BYTES, TRACE, make_id
from affidavit.core.values import Head
from affidavit.read.listing import readable_heads
from affidavit.read.memories import ConflictGroup, conflict_groups
from affidavit.read.question import Question
from affidavit.read.search import Searcher
from affidavit.read.traced import digest_of
from affidavit.store.protocol import Clock, Entropy, Reads, Store, Trace
from affidavit.text.asking import Asking, read_question
from affidavit.text.dates import Dated
from affidavit.text.prepare import prepare
from affidavit.text.question_words import speech


class Answerer:
    """Answers from the spaces that a caller may read."""

    def __init__(
        self,
        store: Store,
        searcher: Searcher,
        *,
        clock: Clock,
        entropy: Entropy,
        own_names: Mapping[str, tuple[str, ...]],
        keep_queries: bool,
    ) -> None:
        self._store = store
        self._searcher = searcher
        self._clock = clock
        self._entropy = entropy
        self._own_names = own_names
        self._keep_queries = keep_queries

    def answer(self, caller: Caller, question: Question, *, record: bool = True) -> Answer:
        """What may be asserted, or that nothing may be."""
        now = self._clock.now()
        base = now if question.asks_about is None else question.asks_about
        asking = read_question(question.text, anchor=base)
        ladders: list[Ladder] = []
        draft: Draft | None = None
        conflicts: tuple[ConflictGroup, ...] = ()
        with self._store.snapshot() as reads:
            heads = list(readable_heads(reads, caller))
            for head in heads:
                with self._searcher.looking(reads, head, question, now) as looking:
                    view = looking.view._replace(at=instant_of(asking.dates, base))
                    names = own_names(reads, view, caller, self._own_names.get(caller.user_id or "", ()))
                    about = about_whom(asking, names, caller, head)
                    ladders.append(Ladder(Opening(reads, looking, view, asking, about)))
                    draft = ladders[-1].climb()
                conflicts += _conflicts(reads, ladders[-1])
                if draft is not None:
                    break
            trace = self._trace(reads, heads[0], question, ladders, now) if record and heads else None
            trace_id = trace.id if trace is not None and self._store.save_trace(trace) else None
        return _answer(asking, draft, ladders, conflicts, trace_id)

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


def _answer(
    asking: Asking,
    draft: Draft | None,
    ladders: Sequence[Ladder],
    conflicts: tuple[ConflictGroup, ...],
    trace_id: str | None,
) -> Answer:
    claims: list[Claim] = [claim for one in ladders for claim in one.claims]
    steps: tuple[Step, ...] = tuple(step for one in ladders for step in one.steps)
    citations = () if draft is None else draft.citations
    return Answer(
        text=speech(asking.language).unknown if draft is None else draft.text,
        citations=citations,
        abstained=draft is None,
        missing=() if draft is not None else _missing(ladders),
        unverified=without_cited(claims, citations),
        conflicts=conflicts,
        stale=tuple(dict.fromkeys(one.id for one in citations if one.stale)),
        trace_id=trace_id,
        steps=steps,
    )


def _missing(ladders: Sequence[Ladder]) -> tuple[str, ...]:
    if not ladders:
        return ("anything at all: nothing is kept for this caller",)
    return ladders[0].missing()


def _conflicts(reads: Reads, ladder: Ladder) -> tuple[ConflictGroup, ...]:
    """The open conflicts of what was opened."""
    contested = {id_: one for id_, one in ladder.opened.memories.items() if one.conflicts}
    return conflict_groups(reads, ladder.view, contested, contested) if contested else ()


def _places(ladders: Sequence[Ladder]) -> list[tuple[str, int]]:
    """The space and place in its log of everything that was opened, in order."""
    places: list[tuple[str, int]] = []
    for one in ladders:
        places += [(one.view.space_id, item.seq) for item in one.opened.memories.values()]
        places += [(one.view.space_id, episode.seq) for episode in one.opened.episodes.values()]
    return places
