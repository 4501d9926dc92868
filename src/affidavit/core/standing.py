"""How a version of a memory stands at an instant: whether it holds then, may be asserted, may be volunteered. Pure.

Every reader goes by these rules and by no others, so that search, recall, answer and the action gate agree:

1. What is retracted, invalidated, quarantined or archived is *fenced*: it holds at no instant. So is what was
   corrected: it never held.
2. Any other version holds from its beginning up to, not including, its end. Before, it is *future*; after, *history*.
   A superseded or lapsed one whose end nobody knows is history at every instant. So is one that ended, and whose
   beginning nobody knows ("I used to live in Paris"); one that has not ended is future ("some day I'll move there").
3. A transient or ephemeral one lapses when its life is over; it is history from then on. A durable or slow one is
   *stale* from then on, and still holds. Life counts from when it was last supported with at least its own
   authority, or from its beginning, or from the end of the event it tells of: whichever is latest.
4. *Grounded*, which may be asserted: at least attested, asserted, and holding at the instant asked about.
5. *Mentionable*, which may be volunteered: grounded and authorized.
6. No passing of time, support or use ever lets out what is fenced.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from affidavit.core.authority import Authority
from affidavit.core.memories import ItemRow, Kind, MemoryStatus, Support
from affidavit.core.when import DAY, EARLIEST, LATEST
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import RELATIONS, Relation

LIVES: Final[Mapping[str, int | None]] = {
    "permanent": None,
    "durable": 730 * DAY,
    "slow": 183 * DAY,
    "transient": 7 * DAY,
    "ephemeral": DAY,
}
"""How long a value of each volatility can be counted on, in microseconds."""
_LAPSING: Final = frozenset({"transient", "ephemeral"})
_FENCED: Final = frozenset(
    {MemoryStatus.RETRACTED, MemoryStatus.INVALIDATED, MemoryStatus.QUARANTINED, MemoryStatus.ARCHIVED}
)


class Bounds(NamedTuple):
    """The few columns of a version that say when it holds, and whether it denies: for readers of very many."""

    kind: str
    status: str
    recorded_at: int
    relation: str | None
    occurred_start: int | None
    occurred_end: int | None
    valid_start: int | None
    ends: int | None
    closed_by: str | None
    negated: int


Bounded: TypeAlias = ItemRow | Bounds
"""What of a version says when it holds."""


class Holds(StrEnum):
    """How a version stands at an instant."""

    CURRENT = "current"
    HISTORY = "history"
    FUTURE = "future"
    FENCED = "fenced"


class Why(StrEnum):
    """Why a version does not hold."""

    RETRACTED = "retracted"
    INVALIDATED = "invalidated"
    QUARANTINED = "quarantined"
    ARCHIVED = "archived"
    CORRECTED = "corrected"  # it never held
    SUPERSEDED = "superseded"  # another version took its place
    ENDED = "ended"  # its end is past, and nothing took its place
    LAPSED = "lapsed"
    NOT_YET = "not_yet"


class Term(NamedTuple):
    """When a version holds: from `start` up to `end` (None: open), UTC microseconds; `fenced`: never.

    `ends_by` says why it ends; `stale_from`, where it has no end for that, when its life is over.
    """

    start: int | None
    end: int | None
    ends_by: Why | None
    stale_from: int | None
    fenced: Why | None


class Standing(NamedTuple):
    """How a version stands at an instant; `why` says why it does not hold, None where it does."""

    holds: Holds
    why: Why | None
    stale: bool


def volatility_of(row: Bounded, relations: Mapping[str, Relation] = RELATIONS) -> str:
    """How long it can be counted on: by its relation; an event of no relation happened once and for all."""
    relation = relations.get(row.relation or "")
    if relation is not None:
        return relation.volatility
    return "permanent" if row.kind == Kind.EVENT else "durable"


def term_of(row: Bounded, supported_at: int | None, relations: Mapping[str, Relation] = RELATIONS) -> Term:
    """When a version holds. `supported_at`: see `supported_at`; None: nobody knows, its recording counts."""
    start, end = row.valid_start, row.ends
    never = end is not None and start is not None and end <= start
    if row.status in _FENCED or never:
        return Term(start, end, None, None, Why(row.status) if row.status in _FENCED else Why.CORRECTED)
    ends_by = None if end is None else Why.SUPERSEDED if row.closed_by else Why.ENDED
    if row.status == MemoryStatus.SUPERSEDED and (start is None or end is None):
        return Term(None, EARLIEST, ends_by or Why.SUPERSEDED, None, None)
    if start is None:
        start = LATEST
    volatility = volatility_of(row, relations)
    over = _life_over(row, supported_at, volatility)
    if row.status == MemoryStatus.LAPSED and (over is None or volatility not in _LAPSING):
        return Term(None, EARLIEST, Why.LAPSED, None, None)
    if volatility not in _LAPSING:
        return Term(start, end, ends_by, over, None)
    if over is not None and (end is None or over < end):
        return Term(start, over, Why.LAPSED, None, None)
    return Term(start, end, ends_by, None, None)


def _life_over(row: Bounded, supported_at: int | None, volatility: str) -> int | None:
    life = LIVES[volatility]
    if life is None:
        return None
    since = row.recorded_at if supported_at is None else supported_at
    later = [since, *(t for t in (row.valid_start, row.occurred_end, row.occurred_start) if t is not None)]
    return max(later) + life


def standing_at(term: Term, at: int) -> Standing:
    """How a version with this term stands at an instant.

    >>> standing_at(Term(0, 10, Why.SUPERSEDED, None, None), 12)
    Standing(holds=<Holds.HISTORY: 'history'>, why=<Why.SUPERSEDED: 'superseded'>, stale=False)
    """
    if term.fenced is not None:
        return Standing(Holds.FENCED, term.fenced, stale=False)
    if term.end is not None and at >= term.end:
        return Standing(Holds.HISTORY, term.ends_by, stale=False)
    if term.start is not None and at < term.start:
        return Standing(Holds.FUTURE, Why.NOT_YET, stale=False)
    return Standing(Holds.CURRENT, None, stale=term.stale_from is not None and at >= term.stale_from)


def is_grounded(row: ItemRow, standing: Standing) -> bool:
    """Whether it may be asserted about the instant of its standing."""
    return (
        standing.holds is Holds.CURRENT
        and Authority(row.authority) >= Authority.ATTESTED
        and row.certainty == Certainty.ASSERTED
    )


def is_mentionable(row: ItemRow, standing: Standing) -> bool:
    """Whether it may be volunteered: in the profile, in a briefing, unasked."""
    return is_grounded(row, standing) and row.authority == Authority.AUTHORIZED


def supported_at(authority: str, supports: Iterable[Support], said_at: Mapping[str, int]) -> int | None:
    """When it was last supported with at least this authority; `said_at` tells when each source was said.

    A confirmation is a support of its own. None where no such support is left.
    """
    return max(
        (
            max((said_at[source] for source in support.sources if source in said_at), default=0)
            for support in supports
            if support.removed is None and support.authority >= authority
        ),
        default=None,
    )
