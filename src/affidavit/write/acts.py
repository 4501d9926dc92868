"""Acts upon memories: what the user (or the host for him) says of something that is already remembered.

Rules:

1. An act is upon the caller's own space. What is not there and what may not be read look alike.
2. `mem_…` means the version that holds now, `mem_…@2` that version.
3. What an act states is an episode of its own, in the same commit, and is quoted by the support it makes. It belongs to
   the session in which it was said, and goes with it.
4. An act has the authority of who acts: a user's in his own space, a member's in a team's, the host's where no user
   is named. It never touches what has more, and below authorized nothing that somebody else said.
5. The same idempotency key brings the same act once; another one under it is refused.
"""

import json
from collections.abc import Callable, Mapping, Sequence

from affidavit.core.access import Caller
from affidavit.core.authority import Authority
from affidavit.core.book import Book, Held
from affidavit.core.chains import chain_of, contest, covers, reopen_after
from affidavit.core.changes import Change
from affidavit.core.falling import let_fall
from affidavit.core.limits import check_id, check_optional_id
from affidavit.core.memories import Conflict, MemoryStatus, Reason
from affidavit.core.missing import not_found
from affidavit.core.values import EpisodeRow
from affidavit.core.versions import check_believed, updated_row
from affidavit.errors import AuthorityError, IdempotencyError, InputError
from affidavit.store.owned import commit_to
from affidavit.store.protocol import Store, View
from affidavit.text.lang.relations import Relation
from affidavit.write.act import Act, Acted, own_words, whole
from affidavit.write.record import Recorder
from affidavit.write.stated import check_stated

_ENDORSABLE = {MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED}
_GONE = {MemoryStatus.RETRACTED, MemoryStatus.INVALIDATED}


class Acts:
    """The acts upon the memories of one store."""

    def __init__(self, store: Store, recorder: Recorder, *, relations: Mapping[str, Relation]) -> None:
        self._store = store
        self._recorder = recorder
        self._relations = relations

    def update(
        self,
        caller: Caller,
        memory_id: object,
        text: object,
        *,
        session_id: object = None,
        idempotency_key: object = None,
    ) -> Acted:
        """Say what a memory should say from now on: a new version takes the place of the old, which is history.

        The text is the user's own words, so it names whom it is about, where that is not himself. What the memory was
        about (his home) stays so only where the text says that too. Raises `RefusedError` for a text that is no memory,
        `NotBelievedError` for an older version and for what was retracted, `InputError` for an empty text,
        `AuthorityError`, `NotFoundError`.
        """
        wanted, words = check_id(memory_id, "memory_id"), own_words(text)

        def act(one: Act) -> Acted:
            held, now = one.find(wanted), one.view.now
            self._believed(one, held)
            one.check_touch(held)
            if words.text == held.row.text:
                return one.done(held, repeated=True)
            start = max(now, held.row.valid_start or now)
            row = updated_row(held.row, words.text, start, self._relations)
            said = one.say(words, held.id)
            check_stated(said, held.row, caller, one.who, self._relations)
            row = row._replace(version=one.book.next_version(row.memory_id), actor=said.actor)
            new = one.book.add(row, Authority(said.authority), whole(said))
            one.book.close(held, start, new.id)
            reason = Reason.CORRECTED if held.row.valid_start == start else Reason.SUPERSEDED
            one.book.label(held, reason, status=MemoryStatus.SUPERSEDED)
            one.book.resolve(held)
            return one.done(new)

        return self._do(
            caller, "update", [wanted], act, key=idempotency_key, session_id=session_id, text=words.text
        )

    def retract(self, caller: Caller, memory_id: object) -> Acted:
        """Believe a version no longer. It stays in the history, and what rests on it falls.

        What it had replaced is not believed again: nobody said so. What it was only going to replace goes on as if
        that had not been planned. Retracting twice does nothing. Raises `AuthorityError`, `NotFoundError`.
        """
        wanted = check_id(memory_id, "memory_id")

        def act(one: Act) -> Acted:
            held, book = one.find(wanted), one.book
            if held.row.status in _GONE:
                return one.done(held, repeated=True)
            one.check_touch(held)
            for other in [*chain_of(book, held.row, self._relations).members, *one.siblings(held)]:
                if other.row.closed_by == held.id and not other.live:
                    book.close(other, other.row.closed_end, None)
            book.label(held, Reason.RETRACTED, status=MemoryStatus.RETRACTED)
            book.resolve(held)
            reopen_after(book, [held.id], relations=self._relations)
            return one.done(held, let_fall(book, [held.id], relations=self._relations))

        return self._do(caller, "retract", [wanted], act)

    def confirm(
        self, caller: Caller, memory_id: object, *, session_id: object = None, idempotency_key: object = None
    ) -> Acted:
        """Say that something still holds: "possibly stale" is cleared, and it stands on one support more.

        A claim is not confirmed but endorsed. Raises `NotBelievedError`, `AuthorityError`, `NotFoundError`.
        """
        wanted = check_id(memory_id, "memory_id")

        def act(one: Act) -> Acted:
            held = one.find(wanted)
            self._believed(one, held)
            if held.authority is Authority.UNENDORSED:
                raise AuthorityError(
                    f"{held.id} is a claim that nobody stands behind", hint="`endorse` it to stand behind it"
                )
            if one.authority < held.authority:
                raise AuthorityError(
                    f"{held.id} is {held.authority}, and your word here is {one.authority}",
                    hint="have it confirmed by somebody whose word counts as much",
                )
            one.stand_behind(held, held.id)
            return one.done(held)

        return self._do(caller, "confirm", [wanted], act, key=idempotency_key, session_id=session_id)

    def endorse(
        self, caller: Caller, memory_id: object, *, session_id: object = None, idempotency_key: object = None
    ) -> Acted:
        """Stand behind a claim: it gets the word of the one who acts as a support, and leaves quarantine.

        What others wrote of the user by one of his own names, or in his name, is about himself from then on: a further
        version says it, in a user's own space.

        Where it and something else that is believed can't both hold, a conflict is opened; `resolve` settles it.
        Raises `NotBelievedError`, `AuthorityError`, `NotFoundError`.
        """
        wanted = check_id(memory_id, "memory_id")

        def act(one: Act) -> Acted:
            held, book = one.find(wanted), one.book
            self._believed(one, held, quarantined=True)
            kept_apart = held.row.status == MemoryStatus.QUARANTINED
            if kept_apart and one.authority is not Authority.AUTHORIZED:
                raise AuthorityError(
                    f"{held.id} is in quarantine, and your word here is {one.authority}",
                    hint="have it endorsed by whoever owns the space",
                )
            if held.authority is not Authority.AUTHORIZED and one.is_user(held.row.subject):
                held = one.make_own(held, self._relations)
            else:
                one.stand_behind(held, held.id)
            if held.row.status == MemoryStatus.QUARANTINED:
                book.label(held, Reason.RELEASED, status=MemoryStatus.ACTIVE)
            contest(book, chain_of(book, held.row, self._relations), held)
            return one.done(held)

        return self._do(caller, "endorse", [wanted], act, key=idempotency_key, session_id=session_id)

    def resolve(
        self,
        caller: Caller,
        conflict_id: object,
        *,
        keep: object,
        session_id: object = None,
        idempotency_key: object = None,
    ) -> Acted:
        """Settle a conflict for one of its members, which gets the word of the one who acts as a support.

        Of the others, what was relied on is history from the time on that the kept one holds; a claim that nobody
        stood behind is retracted. Raises `InputError` where `keep` is no member or it was settled otherwise,
        `NotBelievedError`, `AuthorityError`, `NotFoundError`.
        """
        wanted, kept = check_id(conflict_id, "conflict_id"), check_id(keep, "keep")

        def act(one: Act) -> Acted:
            conflict = _conflict(one, wanted)
            held = _member(one, conflict, kept)
            if conflict.resolved_at is not None:
                return _settled_before(one, conflict, held)
            self._believed(one, held)
            others = [other for other in one.book.items(conflict.members) if other is not held and other.live]
            for other in others:
                one.check_touch(other)
            one.stand_behind(held, wanted, held.id)
            one.book.decide(wanted, held.id)
            for other in others:
                _give_way(one.book, other, held)
            return one.done(held)

        return self._do(caller, "resolve", [wanted, kept], act, key=idempotency_key, session_id=session_id)

    def _believed(self, one: Act, held: Held, *, quarantined: bool = False) -> None:
        rows = [sibling.row for sibling in one.siblings(held)]
        if quarantined:
            check_believed(held.row, rows, one.view.now, _ENDORSABLE)
        else:
            check_believed(held.row, rows, one.view.now)

    def _do(
        self,
        caller: Caller,
        name: str,
        about: Sequence[str],
        act: Callable[[Act], Acted],
        *,
        key: object = None,
        session_id: object = None,
        text: str | None = None,
    ) -> Acted:
        """Do it under the lock of the caller's space, or tell what it did before under the same key."""
        key = check_optional_id(key, "idempotency_key")
        session = check_optional_id(session_id, "session_id")
        outcome: list[Acted] = []

        def prepared(view: View) -> list[Change]:
            one = Act(name, caller, view, self._recorder, key, session)
            before = view.find_keys(view.space_id, [key]).get(key) if key else None
            outcome[:] = [act(one) if before is None else _again(one, before.row, about, text)]
            return one.changes

        commit_to(self._store, caller.owner, prepared, lambda: not_found(about[0], memory=True))
        return outcome[0]


def _conflict(one: Act, wanted: str) -> Conflict:
    for conflict in one.view.conflicts(one.view.space_id, open_only=False):
        if conflict.id == wanted:
            return conflict
    raise not_found(wanted)


def _member(one: Act, conflict: Conflict, keep: str) -> Held:
    """The member that `keep` names, by its own id or its memory's."""
    named = [member for member in conflict.members if keep in {member, member.partition("@")[0]}]
    if len(named) != 1:
        raise InputError(
            f"{keep!r} is not one member of {conflict.id}", hint=f"keep one of {', '.join(conflict.members)}"
        )
    return one.book.items(named)[0]


def _settled_before(one: Act, conflict: Conflict, held: Held) -> Acted:
    if conflict.kept == held.id:
        return one.done(held, repeated=True)
    kept = f"for {conflict.kept}" if conflict.kept else "for none of its members"
    raise InputError(
        f"{conflict.id} was settled {kept}", hint="`update` or `retract` the memory that should change"
    )


def _give_way(book: Book, other: Held, kept: Held) -> None:
    """A member of a conflict that was settled for another."""
    if other.authority is Authority.UNENDORSED:
        book.label(other, Reason.RESOLVED, status=MemoryStatus.RETRACTED)
        book.resolve(other)
        return
    starts = [held.row.valid_start for held in (other, kept) if held.row.valid_start is not None]
    end = max(starts, default=book.known.now)
    book.close(other, end, kept.id)
    if not covers(other.row, book.known.now):
        book.label(other, Reason.RESOLVED, status=MemoryStatus.SUPERSEDED)
        book.resolve(other)


def _again(one: Act, row: EpisodeRow, about: Sequence[str], text: str | None) -> Acted:
    """What this act did when it came before under its key. Raises `IdempotencyError` where that was another."""
    before = [str(name) for name in json.loads(row.resources)]
    same = len(before) == len(about) and all(
        wanted in {name, name.partition("@")[0]} for wanted, name in zip(about, before, strict=True)
    )
    same = same and row.session_id == one.session_id
    if row.event_type != one.name or not same or text not in {None, row.text}:
        raise IdempotencyError(
            f"idempotency key {one.key!r} came before with another request",
            hint="use a key once for one request",
        )
    made = one.book.items(one.view.resting(one.view.space_id, [row.id]))
    if not made:
        raise not_found(about[0])
    one.episode_id = row.id
    return one.done(made[0], repeated=True)
