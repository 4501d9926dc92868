"""What no log of ours can hold of permits and decisions: each rule of `replay_gates`, broken once."""

from typing import Any

import pytest

from affidavit.core.replay import ReplayError, State, replay
from tests.unit.core.test_replay import entry, erased, opened


def granted(target: str = "pm_1") -> dict[str, Any]:
    return entry("PermitGranted", target=target, commit="04" * 32)


def ended(target: str = "pm_1") -> dict[str, Any]:
    return entry("PermitEnded", target=target)


def decided(target: str = "dec_1", outcome: str = "ask") -> dict[str, Any]:
    return entry("Decided", target=target, outcome=outcome, commit="05" * 32)


def confirmed(target: str = "dec_1") -> dict[str, Any]:
    return entry("Confirmed", target=target)


GOOD = [opened(), granted(), decided(), decided("dec_2", "allow"), confirmed(), ended(), granted("pm_2")]
BROKEN: dict[str, list[dict[str, Any]]] = {
    "a permit born twice": [*GOOD, granted()],
    "a permit born again after its end": [*GOOD, granted("pm_1")],
    "a permit ended twice": [*GOOD, ended()],
    "the end of no permit": [opened(), ended()],
    "the end of a decision": [*GOOD, ended("dec_1")],
    "a decision born twice": [*GOOD, decided()],
    "another outcome": [opened(), decided(outcome="perhaps")],
    "confirmed twice": [*GOOD, confirmed()],
    "confirmed where nothing was asked": [*GOOD, confirmed("dec_2")],
    "a denial that is confirmed": [opened(), decided(outcome="deny"), confirmed()],
    "a confirmation of nothing": [opened(), confirmed()],
    "a confirmation of a permit": [*GOOD, confirmed("pm_1")],
    "a permit that is erased alone": [*GOOD, erased("pm_2")],
    "a decision that is erased alone": [*GOOD, erased("dec_2")],
    "a permit in the directory": [entry("StoreOpened", target="st_1", signing="commit"), granted()],
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_breaks_a_rule_is_refused_at_its_place(case: str) -> None:
    state = State()
    with pytest.raises(ReplayError):
        replay(BROKEN[case], state)
    assert state.size == len(BROKEN[case]) - 1


def test_what_is_so_afterwards() -> None:
    state = replay(GOOD)
    assert {name: one.ended_at is None for name, one in state.permits.items()} == {
        "pm_1": False,
        "pm_2": True,
    }
    decisions = {name: (one.outcome, one.confirmed_at is None) for name, one in state.decisions.items()}
    assert decisions == {"dec_1": ("ask", False), "dec_2": ("allow", True)}


def test_they_go_with_their_space() -> None:
    state = replay([*GOOD, entry("SpaceErased", target="sp_1", episodes=0)])
    assert (state.permits, state.decisions) == ({}, {})


def test_after_a_mark_those_from_before_are_known_by_name_and_end_once() -> None:
    state = State(size=9, space_id="sp_1", partial=True)
    replay([ended("pm_0"), confirmed("dec_0")], state)
    assert state.permits["pm_0"].past
    assert state.decisions["dec_0"].past
    for again in (ended("pm_0"), confirmed("dec_0")):
        with pytest.raises(ReplayError):
            replay([again], state)
