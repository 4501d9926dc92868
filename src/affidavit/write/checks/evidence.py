"""Episodes as evidence: who speaks where, and how far each stretch may be relied on. Read once per check."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from affidavit.core.authority import Authority, Party, Role, SpaceKind, authority_of
from affidavit.core.memories import Part
from affidavit.core.values import EpisodeRow, spans_of
from affidavit.store.protocol import Stored
from affidavit.text.evidence.carried import in_first_person
from affidavit.text.evidence.passages import Passage, plain, sentence_around
from affidavit.text.evidence.quotes import Folded, fold
from affidavit.text.evidence.signs import has, language_of
from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.giving import is_given_out
from affidavit.text.frames.playing import Announced, announced
from affidavit.text.frames.statement import Statement
from affidavit.text.spans import Span, SpanKind
from affidavit.text.times.dates import Dated, dates_in
from affidavit.write.checks.context import Context

_KINDS: Final = {
    Role.ASSISTANT: "assistant",
    Role.TOOL: "tool",
    Role.DOCUMENT: "document",
    Role.MAIL: "mail",
    Role.SYSTEM: "system",
    Role.USER: "person",
}
_SPOKEN: Final = frozenset({Role.USER, Role.MAIL})
_NOT_SAID: Final = frozenset({SpanKind.THIRD_PARTY, SpanKind.ECHO, SpanKind.MASKED})
_BY_ROLE: Final = frozenset({Role.ASSISTANT, Role.SYSTEM})
UNKNOWN: Final = "third party"
"""The claimant where nobody knows whose words they are."""


class Told:
    """One episode that may be cited."""

    def __init__(self, stored: Stored, context: Context) -> None:
        self.row: EpisodeRow = stored.row
        self.seq = stored.seq
        self._context = context
        self.who = context.actors.get(stored.row.actor, "")
        self.role = Role(stored.row.role)

    @cached_property
    def folded(self) -> Folded:
        """Its folded text."""
        return fold(self.row.text)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Its marked stretches."""
        found = (*spans_of(self.row), *self._context.echoes.get(self.row.id, ()))
        return tuple(sorted(found, key=lambda span: span.start))

    @cached_property
    def _marks(self) -> Mapping[SpanKind, tuple[list[int], list[int]]]:
        """Starts and ends of the marked stretches of each kind, joined where they overlap."""
        marks: dict[SpanKind, tuple[list[int], list[int]]] = {}
        for span in self.spans:
            starts, ends = marks.setdefault(span.kind, ([], []))
            if ends and span.start <= ends[-1]:
                ends[-1] = max(ends[-1], span.end)
            else:
                starts.append(span.start)
                ends.append(span.end)
        return marks

    def marked(self, start: int, end: int, *kinds: SpanKind) -> bool:
        """Whether `[start, end)` touches a marked stretch of one of these kinds."""
        for kind in kinds:
            starts, ends = self._marks.get(kind, ([], []))
            before = bisect_left(starts, end)
            if before and ends[before - 1] > start:
                return True
        return False

    def unmarked(self, start: int, end: int, first: int, last: int) -> tuple[int, int]:
        """`[first, last)` as far as nothing marked as another's or our own lies between it and `[start, end)`."""
        text = self.row.text
        for kind in (SpanKind.THIRD_PARTY, SpanKind.ECHO):
            starts, ends = self._marks.get(kind, ([], []))
            before, behind = bisect_left(starts, start), bisect_left(starts, end)
            if before and ends[before - 1] <= start:
                first = max(first, ends[before - 1])
            if behind < len(starts):
                last = min(last, starts[behind])
        return first + len(text[first:start]) - len(text[first:start].lstrip()), last

    @cached_property
    def plays(self) -> Announced:
        """Where it announces that it is not its speaker's own word."""
        return announced(self.row.text)

    def is_given_out(self, start: int) -> bool:
        """Whether what stands at a place was handed over: by this message, or by the one before it."""
        handed = self._context.handed.get(self.row.id, 0)
        return self.is_own and (start < handed or is_given_out(self.row.text, start))

    @cached_property
    def is_own(self) -> bool:
        """Whether the space's own voice speaks: its user (a member of its team), or its host's system."""
        foreign = Party.THIRD_PARTY in (self.row.author, self.row.derived_from)
        if self.role is Role.SYSTEM:
            return not foreign
        if self.role is not Role.USER or foreign:
            return False
        owner = self._context.owner
        if owner.kind is SpaceKind.USER:
            return self.who == f"user:{owner.name}"
        return owner.kind is SpaceKind.TEAM and self.who.startswith("user:")

    @cached_property
    def authority(self) -> Authority:
        """How far its speaker's own words may be relied on here: never further than it was recorded."""
        row = self.row
        ruled = authority_of(
            self._context.owner.kind,
            self.role,
            own_words=self.is_own,
            author=Party(row.author) if row.author else None,
            derived_from=Party(row.derived_from) if row.derived_from else None,
        )
        return min(ruled, Authority(row.authority))

    @property
    def said_at(self) -> int:
        """When it was said, or recorded if nobody knows."""
        start = self.row.occurred_start
        return self.row.recorded_at if start is None else start

    @property
    def name(self) -> str:
        """What its speaker is called."""
        name = self.who.partition(":")[2] or self.row.speaker or self.row.source
        if name in {None, "", self.row.role}:
            return str(self.role) if self.role in _BY_ROLE else UNKNOWN
        return str(name)

    @property
    def names(self) -> tuple[str, ...]:
        """What a text may call its speaker."""
        context = self._context
        own = (context.owner.name, *context.own_names) if self.is_own and self.role is Role.USER else ()
        return (self.name, *own)

    @cached_property
    def read(self) -> Sequence[Statement]:
        """What the frames read in it, if somebody speaks for himself."""
        if self.role not in _SPOKEN:
            return ()
        refused = [(span.start, span.end) for span in self.spans if span.kind in _NOT_SAID]
        return statements_in(
            self.row.text, refused=refused, anchor=self.said_at, offset=self.row.occurred_offset
        )

    def dates(self, text: str) -> Sequence[Dated]:
        """The times that words said with it name."""
        return dates_in(text, anchor=self.said_at, offset=self.row.occurred_offset)

    def times(self, start: int, end: int) -> Sequence[Dated]:
        """The times named in a stretch of it; none that is relative where nobody knows when it was said."""
        found = self.dates(self.row.text[start:end])
        return [one for one in found if self.row.occurred_start is not None or not one.resolved]


@dataclass(frozen=True)
class Quote:
    """A quote where it really stands."""

    told: Told
    start: int
    end: int

    @property
    def text(self) -> str:
        """The words that stand there."""
        return self.told.row.text[self.start : self.end]

    @property
    def part(self) -> Part:
        """As a part of a support."""
        return Part(self.told.row.id, self.start, self.end, self.text)

    @cached_property
    def passage(self) -> Passage:
        """Its sentence."""
        text, (first, last) = self.told.row.text, self.around
        return Passage(plain(text[first : self.start]), plain(self.text), plain(text[self.end : last]))

    @cached_property
    def sentence(self) -> str:
        """Its sentence as it stands there; of what a tool or another gives as a value in marks, all of the value."""
        text = self.told.row.text
        if not self.is_own and text[: self.start].endswith('"') and text.startswith('"', self.end):
            return self.text
        first, last = self.around
        return text[first:last]

    @cached_property
    def around(self) -> tuple[int, int]:
        """Where its sentence stands; no further than where the words of others, or our own, begin."""
        first, last = sentence_around(
            self.told.row.text, self.start, self.end, spoken=self.told.role in _SPOKEN
        )
        if self.is_foreign:
            return first, last
        return self.told.unmarked(self.start, self.end, first, last)

    @cached_property
    def of_user(self) -> Sequence[Statement]:
        """What the frames would read in its sentence if the user, of whom it tells, had said it himself."""
        told = self.told
        return [
            one
            for said in in_first_person(self.sentence)
            for one in statements_in(said, anchor=told.said_at, offset=told.row.occurred_offset)
        ]

    @cached_property
    def language(self) -> str:
        """The language of its sentence."""
        return language_of(self.passage.text)

    @property
    def instructs(self) -> bool:
        """Whether its sentence tells somebody what to do."""
        text = self.passage.text
        return has("standing", text, self.language) or has("order", text, self.language)

    @cached_property
    def is_foreign(self) -> bool:
        """Whether it touches words that its speaker only passes on."""
        return self.told.marked(self.start, self.end, SpanKind.THIRD_PARTY, SpanKind.ECHO)

    @property
    def is_own(self) -> bool:
        """Whether the space's own voice says it."""
        return self.told.is_own and not self.is_foreign

    @property
    def authority(self) -> Authority:
        """How far it may be relied on."""
        return Authority.UNENDORSED if self.is_foreign else self.told.authority

    @property
    def claimant(self) -> str | None:
        """Whose words they are, unless the user's own in his space."""
        if self.is_foreign and self.told.role in _SPOKEN:
            return UNKNOWN
        if self.told.role is Role.USER and self.is_own and self.authority is Authority.AUTHORIZED:
            return None
        return self.told.name

    @property
    def names(self) -> tuple[str, ...]:
        """What a text may call the speaker."""
        return () if self.is_foreign else self.told.names

    @property
    def voice(self) -> str:
        """How the claimant is named; see `affidavit.text.evidence.signs.attributed`."""
        if self.is_foreign and self.told.role in _SPOKEN:
            return "quoted"
        if self.claimant is None:
            return "user"
        kind = _KINDS[self.told.role]
        return "unknown" if self.claimant == UNKNOWN and kind not in ("assistant", "system") else kind
