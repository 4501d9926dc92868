"""Whether the message before one gives out what that one holds: "My sister sent me this" / "I live in Rome"."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from affidavit.core.authority import Role
from affidavit.core.values import EpisodeRow
from affidavit.store.protocol import Reads, Selection, Stored
from affidavit.text.frames.giving import gives_out_what_follows
from affidavit.text.sentences import asks
from affidavit.text.whose.lines import paragraph_end

_MOST: Final = 4
"""Messages before one among which its speaker's last one is looked for."""
_NEAR: Final = 600_000_000
"""Microseconds within which two messages are one: ten minutes."""


def handed(reads: Reads, space_id: str, episodes: Iterable[Stored]) -> dict[str, int]:
    """Of the users' messages among these that the one before them gives out: how far their text is what it gave."""
    known = sorted(episodes, key=lambda stored: stored.seq)
    found: dict[str, int] = {}
    for place, stored in enumerate(known):
        row = stored.row
        if row.role == Role.USER:
            before = _beside(known[max(0, place - _MOST) : place], stored) or _before(reads, space_id, stored)
            if _gives_out(before, row):
                found[row.id] = paragraph_end(row.text, 0)
    return found


def _beside(known: Sequence[Stored], stored: Stored) -> list[EpisodeRow]:
    """What was said right before it, the newest first, where that is at hand as far as its speaker's last word."""
    found: list[EpisodeRow] = []
    for back, one in enumerate(reversed(known), 1):
        if one.seq != stored.seq - back or one.row.session_id != stored.row.session_id:
            return []
        found.append(one.row)
        if one.row.actor == stored.row.actor:
            return found
    return []


def _before(reads: Reads, space_id: str, stored: Stored) -> list[EpisodeRow]:
    """The same from the store: mostly the last message is enough."""
    before = Selection(session_id=stored.row.session_id, before=stored.seq, newest=True, limit=1)
    found = list(reads.select(space_id, before))
    if found and found[0].row.actor != stored.row.actor:
        found = list(reads.select(space_id, replace(before, limit=_MOST)))
    return [one.row for one in found]


def _gives_out(before: Sequence[EpisodeRow], row: EpisodeRow) -> bool:
    """Whether what the same speaker said last gives it out; a question that was answered since gave out nothing."""
    at = next((place for place, one in enumerate(before) if one.actor == row.actor), None)
    if at is None:
        return False
    last = before[at]
    if not (isinstance(last.text, str) and isinstance(_at(last), int) and isinstance(_at(row), int)):
        return False  # a row that was edited by hand: what it breaks is told where it is read
    here = last.role == Role.USER and last.session_id == row.session_id
    if not here or not 0 <= _at(row) - _at(last) <= _NEAR or not gives_out_what_follows(last.text):
        return False
    return at == 0 or not asks(last.text)


def _at(row: EpisodeRow) -> int:
    return row.recorded_at if row.occurred_start is None else row.occurred_start
