"""Erase: rows, blinds and everything derived go in one transaction a space; then the bytes go from the files.

Rules:
1. What is erased is decided under the space's lock, so nothing slips in between.
2. A contributor goes with his last episode: his name would outlive his words.
3. Marks against revival are made before the rows go; after a whole space is erased not even they stay.
4. Over several spaces it is one transaction each, and running it again finishes what a crash left.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from affidavit.core.access import Caller
from affidavit.core.changes import Change, Erased, SpaceErased
from affidavit.core.limits import shown
from affidavit.core.values import Head
from affidavit.core.when import rfc3339
from affidavit.errors import ConflictError, InputError, NotFoundError
from affidavit.privacy.clean import JOB, Cleaner, Marks
from affidavit.privacy.erasure import Erasure
from affidavit.privacy.plan import Plan, plan_of, texts_of_space
from affidavit.privacy.receipt import Receipt, SpaceDone, signed
from affidavit.store.protocol import Clock, Commit, Reads, Selection, Store, Stored, View
from affidavit.text.lang.relations import Relation

if TYPE_CHECKING:
    from affidavit.proof.statements import Signing


@dataclass(slots=True)
class _Done:
    """What was erased so far: the spaces with their new heads, and the byte strings that must be gone."""

    spaces: list[SpaceDone] = field(default_factory=list)
    erasures: list[tuple[str, int]] = field(default_factory=list)
    gone: list[bytes] = field(default_factory=list)
    memories: set[str] = field(default_factory=set)
    erased_at: int = 0

    def add(self, commit: Commit, episodes: int, versions: int, *, whole: bool) -> None:
        """Note the commit that erased this much of a space."""
        self.spaces.append(SpaceDone(commit.head, episodes, versions, whole))
        first = next(n for n, change in enumerate(commit.changes) if isinstance(change, Erased | SpaceErased))
        self.erasures.append((commit.head.space_id, commit.first + first))
        self.erased_at = commit.at


class _NotMarkedYetError(Exception):
    """Something to erase has a key that was not marked against revival before the lock was taken."""


class Eraser:
    """Erases in one store."""

    def __init__(
        self,
        store: Store,
        *,
        marks: Marks,
        signing: "Callable[[], Signing]",
        cleaner: Cleaner,
        clock: Clock,
        drop_index: Callable[[str], None],
        relations: Mapping[str, Relation],
    ) -> None:
        self._store = store
        self._marks = marks
        self._signing = signing
        self._cleaner = cleaner
        self._clock = clock
        self._drop_index = drop_index
        self._relations = relations

    def forget(self, caller: Caller, what: Erasure, *, dry_run: bool = False) -> Receipt:
        """Erase and give the receipt. Raises `NotFoundError` where there is nothing of the kind."""
        with self._store.snapshot() as reads:
            own = reads.find_space(caller.owner)
            elsewhere = _other_spaces(reads, caller, own) if what.everything else []
            refs = _matching(reads, own.space_id, what.actor) if own and what.actor is not None else []
            count = _count(reads, own, what, refs, elsewhere)
        if not count and not (what.everything and own):
            raise self._nothing(dry_run=dry_run)
        if dry_run:
            return self._preview(own, what, refs, elsewhere)
        done = _Done()
        for space_id, ref in elsewhere:
            self._erase_some(space_id, Erasure(actor=ref), [ref], done)
        if own is not None and what.everything:
            self._erase_whole(own, done)
        elif own is not None:
            self._erase_some(own.space_id, what, refs, done)
        if not done.spaces:
            raise self._nothing()
        return self._receipt(done, what)

    def _preview(
        self, own: Head | None, what: Erasure, refs: Sequence[str], elsewhere: Sequence[tuple[str, str]]
    ) -> Receipt:
        """What would go; nothing is written."""
        asked = [(space_id, Erasure(actor=ref), [ref]) for space_id, ref in elsewhere]
        if own is not None:
            asked.append((own.space_id, what, list(refs)))
        plans: list[Plan] = []
        for space_id, one, named in asked:
            self._store.preview(space_id, partial(_noted, plans, one, named, self._relations))
        memories = {memory_id for plan in plans for memory_id in plan.going.memories}
        return Receipt(
            episodes=sum(len(plan.episodes) for plan in plans),
            versions=sum(len(plan.going.versions) for plan in plans),
            also=_also(what, memories),
            erased_at=None,
            physical_at=None,
            spaces=(),
            dry_run=True,
        )

    def _nothing(self, *, dry_run: bool = False) -> NotFoundError:
        """Nothing is left to erase; but bytes may be, of an erasure that was killed after its rows went."""
        what, hint = "there is nothing of the kind to forget", "look with `affidavit memory list`"
        with self._store.snapshot() as reads:
            waiting = bool(reads.jobs(kind=JOB, limit=1))
        if waiting and not dry_run:
            what += ", but an earlier erasure had not been finished"
            state = "bytes are gone now" if self._cleaner.clean(None) else "bytes are not gone yet"
            state = state if self._cleaner.has_files else "rows are gone now"
            hint = f"its {state}; `affidavit admin clean` gives its receipt"
        return NotFoundError(what, hint=hint)

    def reset(self) -> list[Receipt]:
        """Erase every space of the store."""
        with self._store.snapshot() as reads:
            heads = [head for head in reads.heads() if head.name is not None]
        receipts = []
        for head in heads:
            done = _Done()
            self._erase_whole(head, done)
            if done.spaces:
                receipts.append(self._receipt(done, Erasure(everything=True)))
        return receipts

    def _erase_some(self, space_id: str, what: Erasure, refs: Sequence[str], done: _Done) -> None:
        """Erase some episodes of a space in one transaction."""
        plan = Plan()

        def prepared(view: View) -> Sequence[Change]:
            nonlocal plan
            plan = plan_of(view, what, refs, self._relations)
            if any(not self._marks.is_buried(space_id, mark) for mark in _marks_of(what, plan.episodes)):
                raise _NotMarkedYetError
            return plan.changes

        while True:
            with self._store.snapshot() as reads:
                found = list(what.found(reads, space_id, refs))
                marks, seqs = _marks_of(what, found), [stored.seq for stored in found]
                vectors = list(reads.vectors(space_id, seqs=seqs))
            try:
                # Nothing is marked for an erasure that can't be written, be it for want of the key.
                self._store.commit(space_id, ())
                self._marks.bury(space_id, marks)
                commit = self._store.commit(space_id, prepared)
            except _NotMarkedYetError:
                continue
            except ConflictError:
                return  # the whole space was erased meanwhile
            break
        if not commit.changes:
            return  # another process was first
        self._drop_index(space_id)
        done.add(commit, len(plan.episodes), len(plan.going.versions), whole=False)
        done.memories |= plan.going.memories
        done.gone += [*plan.texts(), *(v.vector for v in vectors)]

    def _erase_whole(self, head: Head, done: _Done) -> None:
        space_id = head.space_id
        episodes, versions, gone = 0, 0, list[bytes]()

        def prepared(view: View) -> Sequence[Change]:
            nonlocal episodes, versions, gone
            episodes, versions, gone = texts_of_space(view)
            return [SpaceErased(space_id=space_id, episodes=episodes)]

        try:
            commit = self._store.commit(space_id, prepared)
        except ConflictError:
            return  # another process was first
        self._marks.drop_space(space_id)
        self._drop_index(space_id)
        done.add(commit, episodes, versions, whole=True)
        done.gone += [*gone, (head.name or "").encode()]

    def _receipt(self, done: _Done, what: Erasure) -> Receipt:
        clean = self._cleaner.clean(done.gone)
        physical_at = self._clock.now() if clean else None
        if clean or not self._cleaner.has_files:
            self._cleaner.done(done.erasures)
        return Receipt(
            episodes=sum(one.episodes for one in done.spaces),
            versions=sum(one.versions or 0 for one in done.spaces),
            also=_also(what, done.memories),
            erased_at=rfc3339(done.erased_at),
            physical_at=None if physical_at is None else rfc3339(physical_at),
            spaces=signed(self._signing(), done.spaces, done.erased_at, physical_at),
            not_reached=self._cleaner.beyond_reach(),
        )


def _noted(
    plans: list[Plan], what: Erasure, refs: Sequence[str], relations: Mapping[str, Relation], view: View
) -> Sequence[Change]:
    """Keep what would go, and change nothing."""
    plans.append(plan_of(view, what, refs, relations))
    return ()


def _also(what: Erasure, memories: Iterable[str]) -> tuple[str, ...]:
    """The memories besides the one that was named."""
    if what.memory_id is None:
        return ()
    return tuple(sorted(set(memories) - {what.memory_id.partition("@")[0]}))


def _other_spaces(reads: Reads, caller: Caller, own: Head | None) -> list[tuple[str, str]]:
    """Where else the user contributed: his parts of other spaces go with him."""
    if caller.user_id is None or caller.team_id is not None:
        return []
    places = reads.spaces_with_actor(f"user:{caller.user_id}")
    return [(space_id, ref) for space_id, ref in places if own is None or space_id != own.space_id]


def _count(
    reads: Reads, own: Head | None, what: Erasure, refs: Sequence[str], elsewhere: Sequence[tuple[str, str]]
) -> int:
    """How many episodes there are to erase now; the revocation of a source counts as one."""
    there = sum(1 for _ in what.found(reads, own.space_id, refs)) if own is not None else 0
    if own is not None and what.source_id is not None:
        there += what.source_id in reads.revoked_sources(own.space_id)
    return there + sum(reads.count(space_id, Selection(actor=ref)) for space_id, ref in elsewhere)


def _matching(reads: Reads, space_id: str, name: str) -> list[str]:
    """The references of the contributor that a caller names: `person:Tomás`, or just `Tomás`."""
    actors = reads.actors(space_id)
    exact = [ref for ref, who in actors.items() if name in {ref, who}]
    found = exact or [ref for ref, who in actors.items() if who.partition(":")[2] == name]
    if len(found) > 1:
        raise InputError(
            f"several contributors are called {shown(name)}",
            hint=f"name one of {', '.join(sorted(actors[ref] for ref in found))}",
        )
    return found


def _marks_of(what: Erasure, erased: Sequence[Stored]) -> list[str]:
    marks = {f"key:{s.row.idempotency_key}" for s in erased if s.row.idempotency_key is not None}
    if what.source_id is not None:
        marks.add(f"source:{what.source_id}")
    return sorted(marks)
