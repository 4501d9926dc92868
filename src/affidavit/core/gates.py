"""What gates leave behind: the stored forms of a permit and of a decision.

A *permit* lets a tool act without asking, within a limit and a time; a person or the host gives it by an explicit
call, and nothing that anybody said ever makes one. A *decision* is what a gate answered.
"""

from typing import Final, NamedTuple

from affidavit.core.memories import Value

ACTION_GATE: Final = "action"
"""The gate in front of what happens in the world: payments, bookings, messages."""


class PermitRow(NamedTuple):
    """A permit as its row holds it: `limits` is JSON; it ends at `until`, or when it was ended (UTC microseconds)."""

    id: str
    tool: str
    limits: str | None
    until: int | None
    granted_at: int
    ended_at: int | None = None


class DecisionRow(NamedTuple):
    """A decision as its row holds it. Nothing in it was said by anybody, or stood in an argument.

    `request` is a keyed hash of what was asked, `token` the hash of its key; the key was handed out and is kept
    nowhere. `reasons` and `rests_on` are JSON: why, in codes, and the versions of memories that were looked at. With
    the key an `ask` can be confirmed once, until `expires`.
    """

    id: str
    outcome: str
    gate: str
    tool: str | None
    request: bytes | None
    reasons: str
    rests_on: str
    expires: int | None
    token: bytes | None
    decided_at: int
    confirmed_at: int | None = None


def committed_permit(row: PermitRow) -> list[Value]:
    """The values a permit's commitment covers."""
    return [row.tool, row.limits, row.until]


def committed_decision(row: DecisionRow) -> list[Value]:
    """The values a decision's commitment covers."""
    return [row.gate, row.tool, row.request, row.reasons, row.rests_on, row.expires, row.token]
