"""Erase: rows, blinds and everything derived go in one transaction a space; then the bytes go from the files.

Rules:
1. What is erased is decided under the space's lock, so nothing slips in between.
2. A contributor goes with his last episode: his name would outlive his words.
3. Marks against revival are made before the rows go; after a whole space is erased not even they stay.
4. Over several spaces it is one transaction each, and running it again finishes what a crash left.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affidavit.core.access import Caller
from affidavit.core.changes import Change, Erased, SpaceErased
from affidavit.core.limits import ERASED_TARGETS, check_optional_id, shown
from affidavit.core.values import Head
from affidavit.core.when import rfc3339
from affidavit.errors import ConflictError, InputError, NotFoundError
from affidavit.privacy.clean import JOB, Cleaner, Marks
from affidavit.privacy.receipt import Receipt, signed
from affidavit.store.protocol import Clock, Commit, Reads, Selection, Store, Stored, View

if TYPE_CHECKING:
    from affidavit.proof.statements import Signing


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What to erase: exactly one of these."""

    episode_id: str | None = None
    session_id: str | None = None
    source_id: str | None = None
    actor: str | None = None
    everything: bool = False

    @classmethod
    def of(cls, *, everything: bool = False, **ids: object) -> "Erasure":
        """The checked request. Raises `InputError` unless exactly one thing is named."""
        if not isinstance(everything, bool):
            raise InputError(
                f"everything is a {type(everything).__name__}", hint="give True, or leave it out"
            )
        named = {name: check_optional_id(value, name) for name, value in ids.items()}
        if sum(value is not None for value in named.values()) + everything != 1:
            raise InputError(
                "it is not said what to forget, or several things at once",
                hint="give one of episode_id, session_id, source_id, actor, or everything=True",
            )
        return cls(everything=everything, **named)

    def found(self, reads: Reads, space_id: str, refs: Sequence[str]) -> Iterator[Stored]:
        """The episodes that this names, in one space."""
        if self.everything:
            yield from reads.select(space_id, Selection())
        elif self.episode_id is not None:
            yield from reads.episodes(space_id, [self.episode_id]).values()
        elif self.actor is not None:
            for ref in refs:
                yield from reads.select(space_id, Selection(actor=ref))
        else:
            yield from reads.select(space_id, Selection(session_id=self.session_id, source_id=self.source_id))


@dataclass(slots=True)
class _Done:
    """What was erased so far: the spaces with their new heads, and the byte strings that must be gone."""

    spaces: list[tuple[Head, int, bool]] = field(default_factory=list)
    erasures: list[tuple[str, int]] = field(default_factory=list)
    gone: list[bytes] = field(default_factory=list)
    erased_at: int = 0

    def add(self, commit: Commit, episodes: int, *, whole: bool) -> None:
        """Note the commit that erased this much of a space."""
        self.spaces.append((commit.head, episodes, whole))
        self.erasures.append((commit.head.space_id, commit.first))
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
    ) -> None:
        self._store = store
        self._marks = marks
        self._signing = signing
        self._cleaner = cleaner
        self._clock = clock
        self._drop_index = drop_index

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
            return Receipt(episodes=count, erased_at=None, physical_at=None, spaces=(), dry_run=True)
        done = _Done()
        for space_id, ref in elsewhere:
            self._erase_some(space_id, Erasure(actor=ref), [ref], done)
        if own is not None and what.everything:
            self._erase_whole(own, done)
        elif own is not None:
            self._erase_some(own.space_id, what, refs, done)
        if not done.spaces:
            raise self._nothing()
        return self._receipt(done)

    def _nothing(self, *, dry_run: bool = False) -> NotFoundError:
        """Nothing is left to erase; but bytes may be, of an erasure that was killed after its rows went."""
        what, hint = "there is nothing of the kind to forget", "look with `affidavit memory list`"
        with self._store.snapshot() as reads:
            waiting = bool(reads.jobs(kind=JOB, limit=1))
        if waiting and not dry_run:
            gone = self._cleaner.clean(None)
            what += ", but an earlier erasure had not been finished"
            hint = f"its bytes are {'gone now' if gone else 'not gone yet'}; `affidavit admin clean` gives its receipt"
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
                receipts.append(self._receipt(done))
        return receipts

    def _erase_some(self, space_id: str, what: Erasure, refs: Sequence[str], done: _Done) -> None:
        """Erase some episodes of a space in one transaction."""
        erased: list[Stored] = []
        names: dict[str, str] = {}

        def prepared(view: View) -> Sequence[Change]:
            erased[:] = what.found(view, space_id, refs)
            if any(not self._marks.is_buried(space_id, mark) for mark in _marks_of(what, erased)):
                raise _NotMarkedYetError
            actors = view.actors(space_id)
            left = _left_without(view, space_id, erased) | (set(refs) & actors.keys())
            names.update((ref, actors[ref]) for ref in left)
            targets = [*(stored.row.id for stored in erased), *sorted(left)]
            return [
                Erased(targets=tuple(targets[start : start + ERASED_TARGETS]))
                for start in range(0, len(targets), ERASED_TARGETS)
            ]

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
        self._drop_index(space_id)
        done.add(commit, len(erased), whole=False)
        done.gone += [
            *_bytes_of(erased),
            *(v.vector for v in vectors),
            *(who.encode() for who in names.values()),
        ]

    def _erase_whole(self, head: Head, done: _Done) -> None:
        space_id = head.space_id
        erased: list[Stored] = []
        names: list[str] = []

        def prepared(view: View) -> Sequence[Change]:
            erased[:] = view.select(space_id, Selection())
            names[:] = view.actors(space_id).values()
            return [SpaceErased(space_id=space_id, episodes=len(erased))]

        try:
            commit = self._store.commit(space_id, prepared)
        except ConflictError:
            return  # another process was first
        self._marks.drop_space(space_id)
        self._drop_index(space_id)
        done.add(commit, len(erased), whole=True)
        done.gone += [*_bytes_of(erased), *(who.encode() for who in names), (head.name or "").encode()]

    def _receipt(self, done: _Done) -> Receipt:
        clean = self._cleaner.clean(done.gone)
        physical_at = self._clock.now() if clean else None
        if clean:
            self._cleaner.done(done.erasures)
        return Receipt(
            episodes=sum(episodes for _, episodes, _ in done.spaces),
            erased_at=rfc3339(done.erased_at),
            physical_at=None if physical_at is None else rfc3339(physical_at),
            spaces=signed(self._signing(), done.spaces, done.erased_at, physical_at),
            not_reached=self._cleaner.older_copies(),
        )


def _other_spaces(reads: Reads, caller: Caller, own: Head | None) -> list[tuple[str, str]]:
    """Where else the user contributed: his parts of other spaces go with him."""
    if caller.user_id is None or caller.team_id is not None:
        return []
    places = reads.spaces_with_actor(f"user:{caller.user_id}")
    return [(space_id, ref) for space_id, ref in places if own is None or space_id != own.space_id]


def _count(
    reads: Reads, own: Head | None, what: Erasure, refs: Sequence[str], elsewhere: Sequence[tuple[str, str]]
) -> int:
    """How many episodes there are to erase now."""
    there = sum(1 for _ in what.found(reads, own.space_id, refs)) if own is not None else 0
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


def _left_without(view: View, space_id: str, erased: Sequence[Stored]) -> set[str]:
    """Contributors who have no episode left once these are gone."""
    used: Counter[str] = Counter()
    for actor, agent, count in view.contributors(space_id):
        used[actor] += count
        if agent:
            used[agent] += count
    for _, row in erased:
        used[row.actor] -= 1
        if row.agent:
            used[row.agent] -= 1
    return {ref for ref, count in used.items() if count <= 0}


def _marks_of(what: Erasure, erased: Sequence[Stored]) -> list[str]:
    marks = {f"key:{s.row.idempotency_key}" for s in erased if s.row.idempotency_key is not None}
    if what.source_id is not None:
        marks.add(f"source:{what.source_id}")
    return sorted(marks)


def _bytes_of(erased: Sequence[Stored]) -> Iterator[bytes]:
    """Every text of the rows that must be nowhere any more."""
    for _, row in erased:
        for value in (row.text, row.session_id, row.speaker, row.source, row.source_id, row.idempotency_key):
            if value:
                yield _raw(value)
        for value in (
            row.metadata,
            row.extra,
            row.document,
            row.resources,
            row.event_type,
            row.occurred_text,
        ):
            if value and len(value) > 2:
                yield _raw(value)
        yield row.terms


def _raw(value: object) -> bytes:
    """The bytes of a value; what is damaged is erased like the rest."""
    return value if isinstance(value, bytes) else str(value).encode()
