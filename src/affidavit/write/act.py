"""One act upon a memory, under the lock: who acts, the word as an episode, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from affidavit.core.access import Caller
from affidavit.core.authority import Authority, Role, SpaceKind, authority_of, is_own_name
from affidavit.core.book import Book, Held
from affidavit.core.chains import Chain, agree, chain_of, covers
from affidavit.core.changes import Change, ConflictResolved, EpisodeStored, StatusSet
from affidavit.core.falling import Fallen
from affidavit.core.jsonable import Result
from affidavit.core.limits import MESSAGE_BYTES, check_size
from affidavit.core.memories import USER, ItemRow, MemoryStatus, Part, Reason
from affidavit.core.missing import not_found
from affidavit.core.values import EpisodeRow
from affidavit.core.versions import current, endorsed_row
from affidavit.errors import AuthorityError, InputError
from affidavit.store.protocol import View
from affidavit.text.clean import is_blank
from affidavit.text.lang.relations import Relation
from affidavit.text.prepare import Prepared, prepare
from affidavit.text.spans import SpanKind
from affidavit.write.messages import Message
from affidavit.write.record import Incoming, Recorder

_NOT_OWN = {SpanKind.THIRD_PARTY, SpanKind.ECHO}
_NOTHING = Fallen()


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted(Result):
    """What an act did.

    `id` is the version that it was upon (for `update` the new one), with its text, status and authority as they are
    now. The lists name what else changed, by id; of conflicts `conflicts` are open now, `settled` those settled by it.
    `repeated` says that there was nothing left to do.
    """

    act: str
    id: str
    memory_id: str
    text: str
    status: MemoryStatus
    authority: Authority
    episode_id: str | None = None
    superseded: tuple[str, ...] = ()
    retracted: tuple[str, ...] = ()
    invalidated: tuple[str, ...] = ()
    weakened: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    repeated: bool = False


@dataclass(slots=True)
class Act:
    """An act while it is done: the working copy, and the changes so far."""

    name: str
    caller: Caller
    view: View
    recorder: Recorder
    key: str | None = None
    session_id: str | None = None
    born: list[Change] = field(default_factory=list)
    episode_id: str | None = None
    book: Book = field(init=False)

    def __post_init__(self) -> None:
        self.book = Book(self.view)

    @property
    def authority(self) -> Authority:
        """How much the word of the one who acts counts in his space."""
        return authority_of(self.caller.owner.kind, self._role, own_words=True)

    @property
    def _role(self) -> Role:
        """Where no user is named the host acts."""
        return Role.USER if self.caller.user_id is not None else Role.SYSTEM

    @property
    def who(self) -> str:
        """Who acts, as the space's actors name him."""
        return f"user:{self.caller.user_id}" if self._role is Role.USER else f"{self._role}:{self._role}"

    @property
    def changes(self) -> list[Change]:
        """The episode first, then what it does."""
        return [*self.born, *self.book.changes]

    # -- what it is upon

    def find(self, wanted: str) -> Held:
        """The version that an id means. Raises `NotFoundError`."""
        memory_id, at, _ = wanted.partition("@")
        versions = self.book.versions(memory_id)
        meant = (
            wanted if at else (current([one.row for one in versions], self.view.now).id if versions else "")
        )
        for held in versions:
            if held.id == meant:
                return held
        raise not_found(wanted, memory=True)

    def siblings(self, held: Held) -> list[Held]:
        """Every version of the same memory."""
        return self.book.versions(held.row.memory_id)

    def check_touch(self, held: Held) -> None:
        """Raise `AuthorityError` for what has more authority, or below authorized is somebody else's word."""
        mine, its = self.authority, held.authority
        if mine is Authority.AUTHORIZED or mine > its:
            return
        me = self.view.actor(self.view.space_id, f"user:{self.caller.user_id}")
        if mine == its and held.row.actor == me:
            return
        raise AuthorityError(
            f"{held.id} is {its} and not yours to change; your word here is {mine}",
            hint="say it with `add`: it is kept beside, and both are shown as contested",
        )

    def is_user(self, name: str) -> bool:
        """Whether a name is the user's own: his id, one that the host set, one that he gave himself."""
        if self.caller.owner.kind is not SpaceKind.USER or self.caller.user_id is None:
            return False
        given = [held.row for held in self.book.related(USER, ["name"]) if held.live and not held.row.negated]
        told = [row.object for row in given if row.object and row.authority == Authority.AUTHORIZED]
        return is_own_name(name, (*self.recorder.own_names(self.caller), *told))

    # -- what it says

    def say(self, words: Prepared, *about: str) -> EpisodeRow:
        """The act as an episode. It gets no vector: that would only find the memory twice."""
        incoming = Incoming(
            message=Message(role=self._role, text=words.text, name=None, at=None, metadata={}, extra=None),
            event_type=self.name,
            resources=about,
            session_id=self.session_id,
            prepared=words,
            key=self.key,
            infer=False,
        )
        self.born = self.recorder.within(self.view, self.caller, incoming)
        row = next(change.row for change in self.born if isinstance(change, EpisodeStored))
        self.episode_id = row.id
        return row

    def stand_behind(self, held: Held, *about: str) -> None:
        """The statement gets the word of the one who acts as a support."""
        said = self.say(Prepared(held.row.text, ()), *about)
        self.book.support(held, Authority(said.authority), whole(said))

    def make_own(self, held: Held, relations: Mapping[str, Relation]) -> Held:
        """The user says of himself what others wrote of him, or in his name: a version that takes its place.

        It rests on his word alone; the history shows whose it was. Where he said the same of himself before, that gets
        the support instead. Gives what says it from now on.
        """
        quotes = [part.quote for part in held.supports[0].parts if part.quote]
        row = endorsed_row(held.row, " ".join(quotes))
        said = self.say(Prepared(row.text, ()), held.id)
        authority, parts = Authority(said.authority), whole(said)
        own = _same(chain_of(self.book, row, relations), row, self.view.now)
        if own is None:
            row = row._replace(version=self.book.next_version(row.memory_id), actor=said.actor)
            own = self.book.add(row, authority, parts)
        else:
            self.book.support(own, authority, parts)
        self.book.close(held, held.row.valid_start, own.id)
        self.book.label(held, Reason.SUPERSEDED, status=MemoryStatus.SUPERSEDED)
        self.book.resolve(held)
        return own

    # -- what became of it

    def done(self, held: Held, fallen: Fallen = _NOTHING, *, repeated: bool = False) -> Acted:
        """The result."""
        changes = self.book.changes
        now = {c.target: c.status for c in changes if isinstance(c, StatusSet) and c.target != held.id}
        return Acted(
            act=self.name,
            id=held.id,
            memory_id=held.row.memory_id,
            text=held.row.text,
            status=MemoryStatus(held.row.status),
            authority=held.authority,
            episode_id=self.episode_id,
            superseded=tuple(one for one, status in now.items() if status == MemoryStatus.SUPERSEDED),
            retracted=tuple(one for one, status in now.items() if status == MemoryStatus.RETRACTED),
            invalidated=fallen.invalidated,
            weakened=fallen.weakened,
            reopened=fallen.reopened,
            conflicts=self.book.conflicts_of(held),
            settled=tuple(c.id for c in changes if isinstance(c, ConflictResolved)),
            repeated=repeated,
        )


def _same(chain: Chain, row: ItemRow, now: int) -> Held | None:
    """What says the same already."""
    return next(
        (one for one in chain.members if one.live and agree(row, one.row) and covers(one.row, now)), None
    )


def whole(said: EpisodeRow) -> tuple[Part, ...]:
    """A quote of all that was said."""
    return (Part(said.id, 0, len(said.text), said.text),)


def own_words(text: object) -> Prepared:
    """A statement in the user's own words, as it is stored. Raises `InputError`s."""
    if not isinstance(text, str):
        raise InputError(f"text is a {type(text).__name__}", hint="give what the memory should say")
    check_size(len(text.encode("utf-8", "surrogatepass")), MESSAGE_BYTES, "a memory", "make it shorter")
    words = prepare(text.strip(), user_message=True)
    if is_blank(words.text):
        raise InputError("the text is empty", hint="give what the memory should say, or `retract` it")
    if any(span.kind in _NOT_OWN for span in words.spans):
        raise InputError(
            "parts of the text are somebody else's: quoted, pasted, or repeated from here",
            hint="say it in the user's own words",
        )
    return words
