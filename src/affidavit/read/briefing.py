"""The briefing: what is worth knowing before anything is asked. Only what may be volunteered is in it.

In this order: what is overdue or due, by date; what should be confirmed, as its time is over; what is so now and will
not be for long, what the work is, how the user wants to be served; what came last.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from affidavit.core.authority import Authority
from affidavit.core.memories import Kind
from affidavit.core.standing import LIVES, volatility_of
from affidavit.core.values import Owner
from affidavit.core.when import DAY
from affidavit.read.mentionable import Mentionable
from affidavit.read.profile import about_of, time_of
from affidavit.read.recalled import Recalled
from affidavit.read.render import Section
from affidavit.text.lang.relations import Relation

MOST: Final = {Section.DUE: 12, Section.CONFIRM: 8, Section.NOW: 12, Section.RECENT: 8}
_PASSING: Final = 366 * DAY
"""What can't be counted on for longer than this belongs to the situation and not to the person."""
_LATEST: Final = 1 << 62


def briefing(those: Iterable[Mentionable], at: int, relations: Mapping[str, Relation]) -> list[Recalled]:
    """What to volunteer at an instant (UTC microseconds), best first."""
    parts: dict[Section, list[Mentionable]] = {section: [] for section in MOST}
    for one in those:
        parts[_section_of(one, at, relations)].append(one)
    chosen = []
    for section, here in parts.items():
        here.sort(key=_by_date if section is Section.DUE else _newest_first)
        chosen += [(section, one) for one in here[: MOST[section]]]
    return [_recalled(one, section, rank, at, relations) for rank, (section, one) in enumerate(chosen)]


def _section_of(one: Mentionable, at: int, relations: Mapping[str, Relation]) -> Section:
    row = one.row
    if one.standing.stale:
        return Section.CONFIRM
    lapses = volatility_of(row, relations) in {"transient", "ephemeral"}
    if row.kind == Kind.EVENT and (lapses or (row.occurred_start or -_LATEST) > at):
        return Section.DUE
    life = LIVES[volatility_of(row, relations)]
    now = (life is not None and life < _PASSING) or about_of(row, relations) == "work"
    return Section.NOW if now or row.kind == Kind.INSTRUCTION else Section.RECENT


def _by_date(one: Mentionable) -> tuple[int, int]:
    return _ends(one), one.seq


def _newest_first(one: Mentionable) -> tuple[int, int]:
    return -one.row.recorded_at, -one.seq


def _ends(one: Mentionable) -> int:
    bounds = (one.row.occurred_end, one.row.occurred_start)
    return next((bound for bound in bounds if bound is not None), _LATEST)


def _recalled(
    one: Mentionable, section: Section, rank: int, at: int, relations: Mapping[str, Relation]
) -> Recalled:
    row, head = one.row, one.head
    return Recalled(
        id=row.id,
        kind=row.kind,
        section=section,
        text=row.text,
        authority=Authority(row.authority),
        when=time_of(row),
        holds=one.standing.holds,
        stale=one.standing.stale,
        overdue=section is Section.DUE and _ends(one) <= at,
        superseded_by=row.closed_by,
        contested=one.contested,
        rank=rank,
        space_id=head.space_id,
        seq=one.seq,
        **Owner(head.kind, head.name or "").scope(),
    )
