"""Recall: what is known about a question, or a briefing, as a `Context` that fits a prompt; and a trace of it."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from affidavit.core.access import Caller, readable_owners
from affidavit.core.authority import Authority, SpaceKind
from affidavit.core.ids import RANDOM_BYTES, TRACE, make_id
from affidavit.core.limits import RESULTS, check_count
from affidavit.core.values import Head
from affidavit.errors import ConfigError
from affidavit.read.briefing import briefing
from affidavit.read.context import MOST_TOKENS, Context, Frame, rendered
from affidavit.read.gather import Gathered, gathered, tells
from affidavit.read.memories import ConflictGroup, View, beliefs_at
from affidavit.read.profile import Profile, ProfileLine, Profiles, joinable_line, rephrased
from affidavit.read.question import Question
from affidavit.read.recalled import Contested, Recalled, joinable, together
from affidavit.read.render import Rendered, Section
from affidavit.read.rephrasing import Joined, Line, Rephrased, Rephraser, laid_over
from affidavit.read.results import Hit
from affidavit.read.search import Searcher
from affidavit.read.tokens import UPPER_BOUND, Tokenizer
from affidavit.read.traced import digest_of
from affidavit.store.protocol import Clock, Entropy, Reads, Store, Trace
from affidavit.text.prepare import prepare

T = TypeVar("T", Recalled, ProfileLine)

_OWN, _OTHERS = 24, 12
"""How many hits are looked at: of what may be grounded, and of what others supplied. Each has room of its own, so
that no flood of pages crowds out what the user said."""
_ENDORSED: Final = [str(Authority.ATTESTED), str(Authority.AUTHORIZED)]


class Recaller:
    """Recalls from the spaces that a caller may read."""

    def __init__(
        self,
        store: Store,
        searcher: Searcher,
        profiles: Profiles,
        *,
        clock: Clock,
        entropy: Entropy,
        keep_queries: bool,
        tokenizer: Tokenizer = UPPER_BOUND,
        rephraser: Rephraser | None = None,
    ) -> None:
        self._store = store
        self._searcher = searcher
        self._profiles = profiles
        self._clock = clock
        self._entropy = entropy
        self._keep_queries = keep_queries
        self._tokenizer = tokenizer
        self._rephraser = rephraser

    def recall(
        self,
        caller: Caller,
        query: str | None = None,
        *,
        max_tokens: object = 2_000,
        as_of: object = None,
        known_at: object = None,
        record: bool = True,
        rephrase: bool = False,
    ) -> Context:
        """What is known about the question; without one, a briefing.

        Raises `InputError`, `DateError`; `LimitError` where `max_tokens` is too small for one memory; `ConfigError`
        where it is to be rephrased and there is no model.
        """
        budget = check_count(max_tokens, MOST_TOKENS, "max_tokens")
        asked = Question.of("" if query is None else query, as_of=as_of, known_at=known_at)
        if not rephrase:
            return self._recall(caller, query, asked, budget, record=record)
        rephraser = self._needed()
        plain = self._recall(caller, query, asked, budget, record=False).grounded
        done = _done(rephraser, plain, joinable)
        context = self._recall(caller, query, asked, budget, record=record, joined=done.joined)
        return replace(context, cost=done.cost, problems=done.problems)

    def _needed(self) -> Rephraser:
        if self._rephraser is None:
            raise ConfigError("there is no language model to rephrase with", hint='give one: Memory(llm="…")')
        return self._rephraser

    def _recall(
        self,
        caller: Caller,
        query: str | None,
        asked: Question,
        budget: int,
        *,
        record: bool,
        joined: Sequence[Joined] = (),
    ) -> Context:
        now = self._clock.now()
        hits, groups = ([], []) if query is None else self._found(caller, query, asked)
        with self._store.snapshot() as reads:
            views = _views(reads, caller, asked, now, self._profiles)
            profile = self._profile(reads, views, caller)
            if query is None:
                found = Gathered(recalled=tuple(self._briefing(reads, views)), conflicts=())
            else:
                found = gathered(reads, {view.space_id: view for view in views}, hits, groups)
            mark = make_id(TRACE, now, self._entropy(RANDOM_BYTES))
            apart = tuple(one for one in found.recalled if any(one.id in each.ids for each in joined))
            found = replace(found, recalled=tuple(laid_over(found.recalled, joined, joinable, together)))
            whole = _context(found, Frame(mark, self._tokenizer, profile, query, apart), budget)
            context, page = _fitted(whole)
            trace = _trace(reads, views[0].head, context, page, now) if record and views else None
            if trace is not None and self._keep_queries and query and views[0].head.kind is SpaceKind.USER:
                trace = trace._replace(query=prepare(query, user_message=False).text)
            kept = trace is not None and self._store.save_trace(trace)
        return replace(context, trace_id=mark if kept else None)

    def profile(
        self, caller: Caller, *, as_of: object = None, known_at: object = None, rephrase: bool = False
    ) -> Profile:
        """The page about the owner of the caller's own space. Keeps no trace. Raises `DateError`, `ConfigError`."""
        asked = Question.of("", as_of=as_of, known_at=known_at)
        if not rephrase:
            return self._page(caller, asked)
        rephraser, plain = self._needed(), self._page(caller, asked)
        return rephrased(self._page(caller, asked), _done(rephraser, plain.lines, joinable_line))

    def _page(self, caller: Caller, asked: Question) -> Profile:
        now = self._clock.now()
        with self._store.snapshot() as reads:
            return self._profile(reads, _views(reads, caller, asked, now, self._profiles), caller)

    def _profile(self, reads: Reads, views: Sequence[View], caller: Caller) -> Profile:
        own = [view for view in views[:1] if (view.head.kind, view.head.name) == caller.owner]
        return self._profiles.of(reads, own[0]) if own else Profile()

    def _found(self, caller: Caller, query: str, asked: Question) -> tuple[list[Hit], list[ConflictGroup]]:
        """What may be grounded first, then what others supplied: each has a search of its own."""
        hits: list[Hit] = []
        groups: list[ConflictGroup] = []
        for authority, wanted in ((_ENDORSED, _OWN), ([str(Authority.UNENDORSED)], _OTHERS)):
            question = Question.of(query, limit=wanted, filters={"authority": {"in": authority}})
            question = replace(question, as_of=asked.as_of, known_at=asked.known_at)
            while True:
                result = self._searcher.search(caller, question, record=False)
                telling = [hit for hit in (*result.hits, *result.shared) if tells(hit)]
                if len(telling) >= wanted or len(result) < question.limit or question.limit == RESULTS:
                    break
                question = replace(question, limit=min(RESULTS, 4 * question.limit))
            hits += telling[:wanted]
            groups += result.conflicts
        return hits, groups

    def _briefing(self, reads: Reads, views: Sequence[View]) -> Iterator[Recalled]:
        rank = 0
        for view in views:
            those = self._profiles.mentionables.of(reads, view).at(view.at)
            for one in briefing(those, view.at, view.relations):
                yield replace(one, rank=rank)
                rank += 1


def _done(rephraser: Rephraser, those: Iterable[T], line: Callable[[T], Line | None]) -> Rephrased:
    """What a model joins of these; what may be joined is all of the caller's own space."""
    lines = [(one.space_id, found) for one in those if (found := line(one)) is not None]
    return rephraser.of(lines[0][0], [found for _, found in lines]) if lines else Rephrased()


def _views(reads: Reads, caller: Caller, asked: Question, now: int, profiles: Profiles) -> list[View]:
    """From where the readable spaces are looked at, the caller's own first."""
    at = now if asked.asks_about is None else asked.asks_about
    relations = profiles.mentionables.relations
    views = []
    for head in map(reads.find_space, readable_owners(caller)):
        if head is not None and asked.known_at is not None:
            views.append(View(head, at, relations, beliefs_at(reads, head, asked.known_at), asked.known_at))
        elif head is not None:
            views.append(View(head, at, relations))
    return views


def _context(found: Gathered, frame: Frame, budget: int) -> Context:
    """All that was found."""
    return Context(
        grounded=found.of(Section.KNOWN, Section.CONFIRM, Section.NOW, Section.RECENT),
        events=_in_time(found.of(Section.DUE, Section.DATED)),
        earlier=found.of(Section.EARLIER),
        conflicts=found.conflicts,
        unverified=found.of(Section.UNVERIFIED),
        stale=tuple(one.id for one in found.recalled if one.stale),
        max_tokens=budget,
        frame=frame,
    )


def _in_time(events: Iterable[Recalled]) -> tuple[Recalled, ...]:
    def begins(one: Recalled) -> int:
        bounds = () if one.when is None else (one.when.start, one.when.end)
        return next((bound for bound in bounds if bound is not None), 1 << 62)

    return tuple(sorted(events, key=begins))


def _fitted(whole: Context) -> tuple[Context, Rendered]:
    """The context with nothing in it but what its rendering shows, and that rendering."""
    page = rendered(whole, whole.max_tokens)
    shown = {(entry.section, piece.key) for entry in page.shown for piece in entry.pieces}

    def kept(those: Sequence[Recalled]) -> tuple[Recalled, ...]:
        return tuple(one for one in those if (one.section, one.id) in shown)

    parts = (whole.grounded, whole.events, whole.earlier, whole.unverified)
    grounded, events, earlier, unverified = map(kept, parts)
    here = {one.id for one in (*grounded, *events, *earlier, *unverified)}
    conflicts = tuple(group for group in whole.conflicts if _is_shown(group, shown, here))
    context = replace(
        whole,
        grounded=grounded,
        events=events,
        earlier=earlier,
        conflicts=conflicts,
        unverified=unverified,
        stale=tuple(one for one in whole.stale if one in here),
    )
    final = rendered(context, whole.max_tokens)
    before = sum(map(len, parts)) + len(whole.conflicts)
    left_out = before - len(grounded) - len(events) - len(earlier) - len(unverified) - len(conflicts)
    return replace(context, tokens=final.tokens, left_out=left_out), final


def _is_shown(group: Contested, shown: set[tuple[Section, str]], here: set[str]) -> bool:
    """A conflict is, where each of its members stands somewhere."""
    return all((Section.CONTESTED, one.id) in shown or one.id in here for one in group.members)


def _trace(reads: Reads, head: Head, context: Context, page: Rendered, now: int) -> Trace:
    places = _places(context, page)
    return Trace(
        space_id=head.space_id,
        id=context.frame.mark,
        at=now,
        verb="briefing" if context.frame.query is None else "recall",
        shown=json.dumps([id_ for id_, _, _ in places]),
        digest=digest_of(reads, [(space_id, seq) for _, space_id, seq in places]),
        query=None,
    )


def _places(context: Context, page: Rendered) -> list[tuple[str, str, int]]:
    """The id, space and place in its log of everything that is rendered, each once, in order."""
    known: dict[str, Recalled | ProfileLine] = {line.id: line for line in context.frame.profile.lines}
    known |= {one.id: one for one in context.frame.joined}
    members = (one for group in context.conflicts for one in group.members)
    for one in (*context.grounded, *context.events, *context.earlier, *context.unverified, *members):
        known[one.id] = one
    says = {one.id: (one.id, *one.says) for one in context.grounded}
    shown = (piece.key for entry in page.shown for piece in entry.pieces)
    keys = dict.fromkeys(id_ for key in shown for id_ in says.get(key, (key,)))
    return [(key, known[key].space_id, known[key].seq) for key in keys if key in known]
