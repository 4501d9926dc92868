"""Record: raw input becomes episodes, committed before anything is derived from it.

Everything that can be refused is refused before the first row; from the commit on nothing can be lost.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, Protocol

from affidavit.core.access import Caller
from affidavit.core.authority import POLICY, Party, Role, authority_of, is_own_name
from affidavit.core.changes import ActorAdded, Change, EpisodeStored
from affidavit.core.ids import ACTOR, EPISODE
from affidavit.core.jsonable import Result
from affidavit.core.limits import MESSAGE_BYTES, check_size
from affidavit.core.values import EPISODE_COLUMNS, Episode, EpisodeRow, Status, json_text
from affidavit.core.when import Basis, When, check_not_future
from affidavit.errors import ConflictError, ErasedError, IdempotencyError
from affidavit.store.protocol import Clock, Commit, Prepare, Selection, Store, Stored, View
from affidavit.text.prepare import Prepared, mask_value, prepare
from affidavit.text.terms import stored_terms
from affidavit.write.messages import Message, Skipped

PREVIEW_SPACE = "sp_preview"
_TRIES = 3
_NEVER_EXTRACTED = {Role.SYSTEM}
_NONE: Mapping[str, Any] = {}


class ErasedMarks(Protocol):
    """Remembers what was erased, so that it does not come back when it is sent again."""

    def is_buried(self, space_id: str, value: str) -> bool:
        """Whether an id of this space was erased."""
        ...


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
class AddResult(Result):
    """What one `add` did.

    `episodes` are the new ones, in order; `repeated` those that were there already under the same idempotency
    key; `skipped` the messages that held nothing; `pending` counts what waits to be derived, by kind.
    `masked` counts the secrets that were masked in the texts before anything was stored; `problems` says what
    went wrong after the episodes were safe (an embedder that failed), and how to go on.
    """

    episodes: tuple[Episode, ...] = ()
    repeated: tuple[Episode, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    pending: Mapping[str, int] = field(default_factory=dict)
    masked: int = 0
    problems: tuple[str, ...] = ()
    source_id: str | None = None
    space_id: str | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
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
    ) -> AddResult:
        """Store the messages in one commit. Raises before anything is written, or stores them all."""
        now = self._clock.now()
        ready = [self.ready(caller, item, now) for item in incoming]
        base = AddResult(skipped=tuple(skipped), dry_run=dry_run)
        if not ready:
            return base
        repeated: dict[str, Stored] = {}

        def prepared(view: View) -> Sequence[Change]:
            repeated.clear()
            repeated.update(_already_there(view, view.space_id, ready))
            self.refuse_erased(view, incoming, repeated)
            new = [r for r in ready if r.row.idempotency_key not in repeated]
            return births(view, new)

        if dry_run:
            with self._store.snapshot() as reads:
                found = reads.find_space(caller.owner)
            space_id = found.space_id if found else PREVIEW_SPACE
            return replace(base, **_outcome(space_id, 0, self._store.preview(space_id, prepared), repeated))
        done = self._commit(caller, prepared)
        return replace(base, **_outcome(done.head.space_id, done.first, done.changes, repeated))

    def _commit(self, caller: Caller, prepared: Prepare) -> Commit:
        """In the caller's space, or in a new one where that is erased between looking it up and writing to it."""
        for _ in range(_TRIES):
            with suppress(ConflictError):
                return self._store.commit(self._store.open_space(caller.owner).space_id, prepared)
        return self._store.commit(self._store.open_space(caller.owner).space_id, prepared)

    def refuse_erased(
        self, view: View, incoming: Sequence[Incoming], repeated: Mapping[str, Stored] = _NONE
    ) -> None:
        """Raise for what was erased. A mark whose rows still live is of an erasure that did not come to be."""
        space_id = view.space_id
        for key in {item.key for item in incoming} - {None, *repeated}:
            if self._marks.is_buried(space_id, f"key:{key}"):
                raise _erased("idempotency key", key)
        for source_id in {item.source_id for item in incoming} - {None}:
            buried = self._marks.is_buried(space_id, f"source:{source_id}")
            if buried and not view.count(space_id, Selection(source_id=source_id)):
                raise _erased("source_id", source_id)

    def ready(self, caller: Caller, item: Incoming, now: int) -> Ready:
        """A message as its row will hold it. Raises `InputError`s."""
        message = item.message
        size = len(message.text.encode("utf-8", "surrogatepass"))
        check_size(
            size, MESSAGE_BYTES, "a message", "give long texts as document=…, which is stored in chunks"
        )
        occurred = message.at or item.occurred
        if occurred is not None:
            check_not_future(occurred, now)
        names = (caller.user_id, *self._own_names.get(caller.user_id, ())) if caller.user_id else ()
        own = is_own_name(message.name, names)
        clean = item.prepared or prepare(
            message.text, user_message=message.role is Role.USER, borrowed=message.borrowed
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
        return Ready(
            row=row,
            who=_who(caller, message, _clean(item.source), own=own),
            agent=f"agent:{caller.agent_id}" if caller.agent_id else None,
            pending=(*pending, "embed") if self._embeds and clean.text.strip() else pending,
            undated=item.undated,
            dated=occurred is not None,
        )


def _erased(what: str, value: object) -> ErasedError:
    return ErasedError(
        f"what had this {what} was erased: {value!r}",
        hint="it does not come back; what is really new needs an id of its own",
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


_GIVEN_LATER = {
    "id", "actor", "agent", "recorded_at", "status", "terms", "policy", "authority",
    "occurred_start", "occurred_end", "occurred_text", "occurred_basis", "occurred_offset",
}  # fmt: skip
_said = itemgetter(*(i for i, name in enumerate(EPISODE_COLUMNS) if name not in _GIVEN_LATER))
"""What a caller says of a message; the rest is given to it here."""


def _when(row: EpisodeRow) -> tuple[int | None, int | None]:
    return row.occurred_start, row.occurred_end


def _already_there(view: View, space_id: str, ready: Sequence[Ready]) -> dict[str, Stored]:
    keys = [r.row.idempotency_key for r in ready if r.row.idempotency_key]
    there = view.find_keys(space_id, keys) if keys else {}
    seen: dict[str, EpisodeRow] = {key: stored.row for key, stored in there.items()}
    for r in ready:
        key = r.row.idempotency_key
        if key is None:
            continue
        before = seen.setdefault(key, r.row)
        if _said(before) != _said(r.row) or (r.dated and _when(before) != _when(r.row)):
            raise IdempotencyError(
                f"idempotency key {key!r} came before with another message",
                hint="use a key once for one message",
            )
    return {key: there[key] for key in keys if key in there}


def births(view: View, ready: Sequence[Ready]) -> list[Change]:
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
