"""The steps of `replay` that concern permits and decisions. Pure.

Rules, each with `ORPHAN_ENTRY` where an entry breaks it:

1. A permit or decision is born once.
2. `PermitEnded` names a permit that was not ended before.
3. `Confirmed` names a decision to ask that was not confirmed before: a confirmation counts once.

They go with their whole space only: no byte of what was said stands in them. After a mark (`state.partial`) those from
before it are known by name alone.
"""

from collections.abc import Callable, Mapping
from typing import Any

from affidavit.core.shapes import ReplayError
from affidavit.core.state import LiveDecision, LivePermit, State


def _permit_granted(state: State, entry: Mapping[str, Any]) -> None:
    target = entry["target"]
    if target in state.permits:
        raise ReplayError(f"{target} is born twice")
    state.permits[target] = LivePermit(state.size, entry["commit"], entry["at"])


def _permit_ended(state: State, entry: Mapping[str, Any]) -> None:
    target = entry["target"]
    if target not in state.permits and state.partial:
        state.permits[target] = LivePermit(seq=-1, commit="", at="", past=True)
    permit = state.permits.get(target)
    if permit is None or permit.ended_at is not None:
        raise ReplayError(f"{target} is no permit in force")
    permit.ended_at = entry["at"]


def _decided(state: State, entry: Mapping[str, Any]) -> None:
    target = entry["target"]
    if target in state.decisions:
        raise ReplayError(f"{target} is born twice")
    state.decisions[target] = LiveDecision(state.size, entry["commit"], entry["at"], outcome=entry["outcome"])


def _confirmed(state: State, entry: Mapping[str, Any]) -> None:
    target = entry["target"]
    if target not in state.decisions and state.partial:
        state.decisions[target] = LiveDecision(seq=-1, commit="", at="", outcome="ask", past=True)
    decision = state.decisions.get(target)
    if decision is None or decision.outcome != "ask" or decision.confirmed_at is not None:
        raise ReplayError(f"{target} is no decision that waits to be confirmed")
    decision.confirmed_at = entry["at"]


GATE_STEPS: dict[str, Callable[[State, Mapping[str, Any]], None]] = {
    "PermitGranted": _permit_granted,
    "PermitEnded": _permit_ended,
    "Decided": _decided,
    "Confirmed": _confirmed,
}
