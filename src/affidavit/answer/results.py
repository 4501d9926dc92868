"""What `answer` gives. Typed values; their JSON names are API."""

from dataclasses import dataclass, field

from affidavit.core.authority import Authority, Role
from affidavit.core.cost import Cost
from affidavit.core.jsonable import Result
from affidavit.core.when import When
from affidavit.read.memories import ConflictGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation(Result):
    """A verbatim quote that an answer rests on: code points `start` to `end` of the episode's stored text.

    `id` is the version of the memory that was drawn from it (`mem_…@2`), or the episode's own. `said_by` is who said
    it, by the name the message carried (None: the user himself, or nobody known), `role` in which part, `said_at` when.
    `authority`: how far it may be relied on. `stale`: at the time asked about, it was past the time for which its like
    can be counted on; it may have changed since it was said.
    """

    id: str
    quote: str
    episode_id: str
    start: int
    end: int
    authority: Authority
    role: Role
    said_by: str | None
    said_at: When
    stale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Result):
    """What somebody says, and nobody who may be believed: never an answer. `text` tells it with its `claimant`."""

    id: str
    text: str
    claimant: str | None
    quote: str
    episode_id: str
    start: int
    end: int
    authority: Authority
    role: Role
    said_at: When


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Result):
    """One rung of the ladder: where it looked, how many things it opened there, and whether that sufficed."""

    rung: str
    opened: int
    sufficed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence(Result):
    """A part of an answer that passed every check, as it is given while the answer comes to be."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Result):
    """What may be asserted in answer to a question, or that nothing may be (`abstained`).

    `text` stands on `citations`: every value in it stands in one of their quotes. Where it abstained, `missing` says
    what it would have needed. `unverified` are claims of others about the same, told with who makes them. `conflicts`
    are memories that may each be asserted and cannot both hold. `stale` names what it rests on that may have changed
    since it was last said or confirmed; the text says so, too. `trace_id` names the record of what was opened; what
    is cited is among that. `steps` are the rungs of the ladder that were climbed (`model` and `model_wide`: where a
    language model chose), `cost` what that took. `problems` says what did not work, such as a model that failed; the
    answer is then what the rules alone give.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    abstained: bool
    missing: tuple[str, ...] = ()
    unverified: tuple[Claim, ...] = ()
    conflicts: tuple[ConflictGroup, ...] = ()
    stale: tuple[str, ...] = ()
    trace_id: str | None = None
    steps: tuple[Step, ...] = ()
    problems: tuple[str, ...] = ()
    cost: Cost = field(default_factory=Cost)
