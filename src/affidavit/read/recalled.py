"""What a context is made of: single things recalled, each with who said it, and how each is worded."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from affidavit.core.authority import Authority
from affidavit.core.jsonable import Result
from affidavit.core.standing import Holds
from affidavit.core.when import DAY, When
from affidavit.read.excerpt import shown_text
from affidavit.read.render import LONGEST, Entry, Piece, Section
from affidavit.read.rephrasing import Joined, Line
from affidavit.text.whose.inert import cut, inert

EPISODE: Final = "episode"
_WORDS_OF_TIME: Final = 40
_JOINED: Final = frozenset({Section.KNOWN, Section.NOW, Section.RECENT})
"""Sections whose statements a language model may join."""
_MINUTE, _DATE = 16, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled(Result):
    """One thing recalled: a version of a memory, or an episode.

    `id` is what rendered context cites (`mem_…@2`, `ep_…`); `section` the part of the context it stands in. `said_by`
    words whose statement it is (`the assistant`, `"Bob"`), None for what the user said himself. `when` is the time of
    an event or of a message. `stale`: past the time for which its like can be counted on; `overdue`: its time is past,
    and nothing tells that it is done. `superseded_by` names the version that took its place; `contested` the open
    conflicts it is part of; `episodes` the evidence. `rank` orders what was recalled, best first. `says` are the
    versions that it says together, where a language model joined several; else none.
    """

    id: str
    kind: str
    section: Section
    text: str
    authority: Authority
    said_by: str | None = None
    when: When | None = None
    holds: Holds | None = None
    stale: bool = False
    overdue: bool = False
    superseded_by: str | None = None
    contested: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()
    rank: int = 0
    space_id: str
    seq: int
    user_id: str | None = None
    agent_id: str | None = None
    team_id: str | None = None
    visibility: str = "user"
    says: tuple[str, ...] = ()

    @property
    def endorsed(self) -> bool:
        """Whether at least somebody we rely on said it."""
        return self.authority >= Authority.ATTESTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Contested(Result):
    """Statements that cannot both hold, and that no rule may settle: a person does, with `resolve`."""

    id: str
    subject: str
    relation: str | None
    members: tuple[Recalled, ...]


def joinable(one: Recalled) -> Line | None:
    """A statement as one that may be joined with others; None where it is to stand alone."""
    plain = one.section in _JOINED and one.said_by is None and one.authority is Authority.AUTHORIZED
    plain = plain and one.user_id is not None
    plain = plain and one.kind != EPISODE and one.when is None and one.superseded_by is None
    if not plain or one.stale or one.contested or one.holds is not Holds.CURRENT:
        return None
    return Line(one.id, one.section, one.text) if inert(one.text) == one.text else None


def together(one: Recalled, joined: Joined) -> Recalled:
    """A statement as it was joined with others."""
    return replace(one, text=joined.text, says=joined.ids)


def entry_of(one: Recalled, query: str | None) -> Entry:
    """How it is shown in its section."""
    return Entry(one.section, (_piece(one, query),), _place(one))


def contested_entry(group: Contested, settled: Collection[str], query: str | None) -> Entry | None:
    """A conflict among endorsed statements on one line; those in `settled` stand elsewhere and are only named."""
    sides = [one for one in group.members if one.endorsed and one.id not in settled]
    against = [one.id for one in group.members if one.id in settled]
    if not sides:
        return None
    pieces = [_piece(one, query) for one in sides]
    if against:
        pieces[-1] = pieces[-1]._replace(tail=f"{pieces[-1].tail} (against {', '.join(against)})")
    return Entry(Section.CONTESTED, tuple(pieces), min(one.rank for one in sides))


def _piece(one: Recalled, query: str | None) -> Piece:
    lead = _lead(one)
    return Piece(
        key=one.id,
        body=shown_text(one.text, LONGEST, query),
        lead=lead,
        tail="".join(_tails(one)),
        # The user's own memories read as plain sentences, whatever is worded with its source as data.
        quotes=one.kind == EPISODE or one.said_by is not None or one.section is Section.UNVERIFIED,
    )


def _lead(one: Recalled) -> str:
    who = one.said_by or "the user"
    if one.section is Section.UNVERIFIED:
        return f"{_capital(who)} says{_on(one)}: " if one.said_by else "Not certain: "
    if one.section is Section.EARLIER:
        return _lead_of_earlier(one, who)
    dated = _dated(one)
    if one.authority < Authority.AUTHORIZED:
        return f"{dated}According to {who}{_on(one)}: "
    if one.kind == EPISODE:
        return f"{_capital(who)} said{_on(one)}: "
    return f"{dated}{_capital(who)}: " if one.said_by else dated


def _lead_of_earlier(one: Recalled, who: str) -> str:
    if one.kind == EPISODE:
        return f"Superseded, {who} said{_on(one)}: "
    source = "" if one.said_by is None else f"according to {who}: "
    return f"{words_of(one.when, _DATE)}: {source}" if one.when is not None else f"Once: {source}"


def _dated(one: Recalled) -> str:
    """The time before an event, or before what does not hold yet."""
    if one.when is None or one.kind == EPISODE or one.section not in {Section.DUE, Section.DATED}:
        return ""
    if one.overdue:
        return f"Overdue, {words_of(one.when, _MINUTE)}: "
    begins = "Not before " if one.holds is Holds.FUTURE else ""
    return f"{begins}{words_of(one.when, _MINUTE)}: "


def _on(one: Recalled) -> str:
    return f" on {words_of(one.when, _DATE)}" if one.kind == EPISODE and one.when is not None else ""


def _tails(one: Recalled) -> Sequence[str]:
    tails = [f" [{id_}]" for id_ in one.says if id_ != one.id]
    if one.section is Section.UNVERIFIED and one.holds is Holds.HISTORY:
        tails.append(" (no longer so)")
    if one.section is Section.EARLIER and one.superseded_by is not None:
        tails.append(f" (superseded by {one.superseded_by})")
    if one.contested and one.section is not Section.CONTESTED:
        tails.append(" (contested)")
    return tails


def words_of(when: When, most: int) -> str:
    """A time for a prompt: `2026-03-10`, no finer than `most` characters of it say; or the words it came from."""
    text = when.local_text()
    if when.start is not None and when.width is not None and when.width < DAY:
        text = text[:most]
    return cut(inert(text), _WORDS_OF_TIME)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _place(one: Recalled) -> int:
    """By time where a section is one of times, else by rank."""
    if one.section not in {Section.DUE, Section.DATED}:
        return one.rank
    bounds = () if one.when is None else (one.when.start, one.when.end)
    return next((bound for bound in bounds if bound is not None), 1 << 62)
