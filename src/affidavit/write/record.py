"""Record: raw input becomes episodes, committed before anything is derived from it.

Everything that can be refused is refused before the first row; from the commit on nothing can be lost.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from affidavit.core.access import Caller
from affidavit.core.authority import POLICY, Party, Role, authority_of, is_own_name
from affidavit.core.changes import ActorAdded, Change, EpisodeStored
from affidavit.core.ids import ACTOR, EPISODE
from affidavit.core.limits import MESSAGE_BYTES, check_size
from affidavit.core.values import Episode, EpisodeRow, Status, json_text
from affidavit.core.when import Basis, When, check_not_future
from affidavit.errors import ConflictError
from affidavit.store.protocol import Clock, Commit, Prepare, Store, Stored, View
from affidavit.text.lexicon.terms import stored_terms
from affidavit.text.prepare import Prepared, mask_value, prepare
from affidavit.write.messages import Message, Skipped
from affidavit.write.repeats import Arriving, ErasedMarks, Refused, look_back
from affidavit.write.results import AddResult

PREVIEW_SPACE = "sp_preview"
_TRIES = 3
_NEVER_EXTRACTED = {Role.SYSTEM}
_SPOKEN = {Role.USER, Role.MAIL}
_NONE: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """One message on its way in, with everything that is said about where it came from."""

    message: Message
    session_id: str | None = None
    source: str | None = None
    source_id: str | None = None
    author: Party | None = None
    derived_from: Party | None = None
    occurred: When | None = None
    event_type: str | None = None
    resources: tuple[str, ...] = ()
    document: str | None = None
    prepared: Prepared | None = None
    """The text as it is stored, where it was made ready with its whole document; else `message.text` is."""
    key: str | None = None
    infer: bool = True
    undated: bool = False
    """Whether nobody knows when it happened (an import without dates); else it happened now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """A message prepared outside the lock: everything of its row but its id, actor, status and instant."""

    row: EpisodeRow
    who: str
    agent: str | None
    pending: tuple[str, ...]
    undated: bool
    dated: bool


class Recorder:
    """Records messages in the caller's own space."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        marks: ErasedMarks,
        own_names: Mapping[str, tuple[str, ...]],
        embeds: bool,
    ) -> None:
        self._store = store
        self._clock = clock
        self._marks = marks
        self._own_names = own_names
        self._embeds = embeds

    def record(
        self,
        caller: Caller,
        incoming: Sequence[Incoming],
        skipped: Iterable[Skipped] = (),
        *,
        dry_run: bool = False,
        refused: list[Refused] | None = None,
        then: Callable[[View, Sequence[Change]], None] | None = None,
    ) -> AddResult:
        """Store the messages in one commit. Raises before anything is written, or stores them all.

        Where `refused` is given, those that `look_back` refuses are put there, and cost none of the others. A dry run
        hands `then` what it saw and what it would change, so that more can be told of the same state.
        """
        now = self._clock.now()
        ready = [self._ready(caller, item, now) for item in incoming]
        base = AddResult(skipped=tuple(skipped), dry_run=dry_run)
        if not ready:
            return base
        repeated: dict[str, Stored] = {}

        def prepared(view: View) -> Sequence[Change]:
            arriving = [Arriving(r.row, r.dated or r.undated) for r in ready]
            again, bad = look_back(view, view.space_id, arriving, self._marks)
            if bad and refused is None:
                raise bad[0].error
            repeated.clear()
            repeated.update(again)
            if refused is not None:
                refused[:] = bad
            left = {one.index for one in bad}
            new = [r for i, r in enumerate(ready) if i not in left and r.row.idempotency_key not in repeated]
            return _changes(view, new)

        if dry_run:
            with self._store.snapshot() as reads:
                found = reads.find_space(caller.owner)
            space_id = found.space_id if found else PREVIEW_SPACE

            def tried(view: View) -> Sequence[Change]:
                changes = prepared(view)
                if then is not None:
                    then(view, changes)
                return changes

            return replace(base, **_outcome(space_id, 0, self._store.preview(space_id, tried), repeated))
        done = self._commit(caller, prepared)
        return replace(base, **_outcome(done.head.space_id, done.first, done.changes, repeated))

    def _commit(self, caller: Caller, prepared: Prepare) -> Commit:
        """In the caller's space, or in a new one where that is erased between looking it up and writing to it."""
        for _ in range(_TRIES):
            with suppress(ConflictError):
                return self._store.commit(self._store.open_space(caller.owner).space_id, prepared)
        return self._store.commit(self._store.open_space(caller.owner).space_id, prepared)

    def within(self, view: View, caller: Caller, item: Incoming) -> list[Change]:
        """The changes that store one message in somebody's commit; nothing is derived from it, and no vector made.

        Raises `InputError`s, and for what was erased.
        """
        ready = replace(self._ready(caller, item, view.now), pending=())
        _, bad = look_back(view, view.space_id, [Arriving(ready.row, True)], self._marks)
        if bad:
            raise bad[0].error
        return _changes(view, [ready])

    def own_names(self, caller: Caller) -> tuple[str, ...]:
        """The names under which a user's messages are his own: his id, and those the host set."""
        return (caller.user_id, *self._own_names.get(caller.user_id, ())) if caller.user_id else ()

    def _ready(self, caller: Caller, item: Incoming, now: int) -> _Ready:
        message = item.message
        size = len(message.text.encode("utf-8", "surrogatepass"))
        check_size(
            size, MESSAGE_BYTES, "a message", "give long texts as document=…, which is stored in chunks"
        )
        occurred = message.at or item.occurred
        if occurred is not None:
            check_not_future(occurred, now)
        own = is_own_name(message.name, self.own_names(caller))
        clean = item.prepared or prepare(
            message.text,
            user_message=message.role in _SPOKEN,
            letter=message.letter,
            borrowed=message.borrowed,
        )
        authority = authority_of(
            caller.owner.kind, message.role, own_words=own, author=item.author, derived_from=item.derived_from
        )
        when = occurred or When.unknown()
        pending = ("extract",) if item.infer and message.role not in _NEVER_EXTRACTED else ()
        row = EpisodeRow(
            id="",
            session_id=item.session_id,
            speaker=_clean(message.name),
            role=message.role,
            authority=authority,
            status=Status.ACTIVE,
            occurred_start=when.start,
            occurred_end=when.end,
            recorded_at=0,
            terms=stored_terms(clean.text),
            policy=POLICY,
            actor="",
            agent=None,
            author=item.author,
            derived_from=item.derived_from,
            occurred_text=when.text,
            occurred_basis=when.basis,
            occurred_offset=when.offset,
            source=_clean(item.source),
            source_id=item.source_id,
            event_type=_clean(item.event_type),
            resources=json_text([_clean(name) for name in item.resources]),
            idempotency_key=item.key,
            document=item.document,
            extra=json_text(mask_value(dict(message.extra))) if message.extra else None,
            metadata=json_text(mask_value(dict(message.metadata))) if message.metadata else "{}",
            spans=json_text([span.to_list() for span in clean.spans]),
            text=clean.text,
        )
        return _Ready(
            row=row,
            who=_who(caller, message, _clean(item.source), own=own),
            agent=f"agent:{caller.agent_id}" if caller.agent_id else None,
            pending=(*pending, "embed") if self._embeds and clean.text.strip() else pending,
            undated=item.undated,
            dated=occurred is not None,
        )


def _clean(value: str | None) -> str | None:
    """A name or id with secrets masked: nothing reaches a row unmasked."""
    return prepare(value, user_message=False).text if value else value


def _who(caller: Caller, message: Message, source: str | None, *, own: bool) -> str:
    """The contributor of a message, as its actor's row names him.

    Names are masked like every text; the ids of users and agents are not: two must never become one.
    """
    role, name = message.role, _clean(message.name)
    if role is Role.USER and own and caller.user_id:
        return f"user:{caller.user_id}"
    if role is Role.ASSISTANT:
        return f"agent:{caller.agent_id}" if caller.agent_id else f"assistant:{name or 'assistant'}"
    if role in {Role.USER, Role.DOCUMENT, Role.MAIL}:
        return f"person:{name or source or role}"
    return f"{role}:{name or source or role}"


def _changes(view: View, ready: Sequence[_Ready]) -> list[Change]:
    """The changes that store these messages: new actors first, then the episodes in order.

    What comes of a revoked source is quarantined from its birth, and nothing is derived from it.
    """
    space_id = view.space_id
    revoked = view.revoked_sources(space_id) if any(r.row.source_id for r in ready) else _NONE
    actors: dict[str, str] = {}
    born: list[Change] = []
    stored: list[Change] = []
    keys: set[str] = set()

    def ref(who: str) -> str:
        if who not in actors:
            found = view.actor(space_id, who)
            if found is None:
                found = view.new_id(ACTOR)
                born.append(ActorAdded(ref=found, who=who))
            actors[who] = found
        return actors[who]

    for r in ready:
        key = r.row.idempotency_key
        if key is not None:
            if key in keys:
                continue
            keys.add(key)
        when = {} if r.dated or r.undated else _happened(view.now)
        row = r.row._replace(
            id=view.new_id(EPISODE),
            actor=ref(r.who),
            agent=ref(r.agent) if r.agent else None,
            recorded_at=view.now,
            **when,
        )
        pending = r.pending
        if row.source_id in revoked:
            row = row._replace(status=Status.QUARANTINED)
            pending = tuple(kind for kind in pending if kind != "extract")
        stored.append(EpisodeStored(row=row, pending=pending))
    return [*born, *stored]


def _happened(now: int) -> dict[str, Any]:
    """A live message without a date happened when we got it."""
    return {"occurred_start": now, "occurred_end": now + 1, "occurred_basis": Basis.INFERRED}


def _outcome(
    space_id: str, first: int, changes: Sequence[Change], repeated: Mapping[str, Stored]
) -> dict[str, Any]:
    new = [(seq, c) for seq, c in enumerate(changes, first) if isinstance(c, EpisodeStored)]
    episodes = tuple(Episode.from_row(space_id, seq, c.row) for seq, c in new)
    again = tuple(Episode.from_row(space_id, stored.seq, stored.row) for stored in repeated.values())
    sources = {e.source.source_id for e in episodes + again}
    return {
        "episodes": episodes,
        "repeated": again,
        "pending": dict(Counter(kind for _, c in new for kind in c.pending)),
        "masked": sum(span.kind == "masked" for e in episodes for span in e.spans),
        "source_id": sources.pop() if len(sources) == 1 else None,
        "space_id": space_id,
    }
