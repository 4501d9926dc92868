"""What no log of ours can hold: each rule of `replay`, broken once."""

from typing import Any

import pytest

from affidavit.core.replay import ReplayError, State, replay

AT = "2026-06-01T12:00:00.000000Z"


def entry(op: str, **fields: Any) -> dict[str, Any]:
    return {"v": "affidavit/1", "op": op, "at": AT, **fields}


def opened() -> dict[str, Any]:
    return entry("SpaceOpened", target="sp_1", commit="00" * 32)


def actor(ref: str = "ac_1") -> dict[str, Any]:
    return entry("ActorAdded", target=ref, commit="01" * 32)


def stored(target: str = "ep_1", who: str = "ac_1") -> dict[str, Any]:
    return entry(
        "EpisodeStored", actor=who, authority="authorized", status="active", target=target, commit="02" * 32
    )


def embedded(target: str = "ep_1") -> dict[str, Any]:
    return entry("Embedded", target=target, commit="03" * 32)


def erased(*targets: str) -> dict[str, Any]:
    return entry("Erased", targets=list(targets))


GOOD = [opened(), actor(), stored(), embedded()]
BROKEN: dict[str, list[dict[str, Any]]] = {
    "nothing opens it": [actor()],
    "opened twice": [opened(), opened()],
    "a store inside a space": [opened(), entry("StoreOpened", target="st_1", signing="commit")],
    "an actor born twice": [*GOOD, actor()],
    "an episode born twice": [*GOOD, stored()],
    "an episode with an actor's id": [*GOOD, stored("ac_1")],
    "born again after its erasure": [*GOOD, erased("ep_1"), stored()],
    "an actor who is not here": [opened(), stored()],
    "an erased actor": [*GOOD, erased("ep_1", "ac_1"), stored("ep_2")],
    "a vector of nothing": [opened(), embedded()],
    "a vector of an actor": [*GOOD, embedded("ac_1")],
    "a vector after erasure": [*GOOD, erased("ep_1"), embedded()],
    "erasing nothing": [*GOOD, erased("ep_2")],
    "erasing twice": [*GOOD, erased("ep_1"), erased("ep_1")],
    "erasing twice at once": [*GOOD, erased("ep_1", "ep_1")],
    "the end of another space": [*GOOD, entry("SpaceErased", target="sp_2", episodes=1)],
    "something after the end": [*GOOD, entry("SpaceErased", target="sp_1", episodes=1), actor("ac_2")],
    "an unknown op": [*GOOD, entry("Remembered", target="mem_1")],
    "an op that is no text": [*GOOD, entry("Erased", targets=[]) | {"op": ["Erased"]}],
    "a field too many": [*GOOD, erased("ep_1") | {"why": "x"}],
    "a field too few": [opened(), {key: value for key, value in actor().items() if key != "commit"}],
    "a number that is true": [*GOOD, entry("SpaceErased", target="sp_1", episodes=True)],
    "a number below zero": [*GOOD, entry("SpaceErased", target="sp_1", episodes=-1)],
    "a text that is a number": [opened(), actor() | {"target": 5}],
    "targets that are a text": [*GOOD, entry("Erased", targets="ep_1")],
    "targets that are numbers": [*GOOD, entry("Erased", targets=[1])],
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_breaks_a_rule_is_refused_at_its_place(case: str) -> None:
    state = State()
    with pytest.raises(ReplayError):
        replay(BROKEN[case], state)
    assert state.size == len(BROKEN[case]) - 1


def test_a_space_that_shrinks_or_comes_back_in_the_directory_is_refused() -> None:
    def listed(size: int, reason: str = "sealed") -> dict[str, Any]:
        return entry("SpaceListed", target="sp_1", size=size, root="00" * 32, reason=reason)

    begin = entry("StoreOpened", target="st_1", signing="commit")
    assert (
        replay([begin, listed(1, "born"), listed(5), listed(5), listed(6, "erased")]).spaces["sp_1"][0] == 6
    )
    for bad in ([listed(5), listed(4)], [listed(5, "erased"), listed(6)]):
        with pytest.raises(ReplayError):
            replay([begin, *bad])


def test_what_lives_after_an_erasure() -> None:
    state = replay([*GOOD, stored("ep_2"), embedded(), erased("ep_1")])
    assert set(state.episodes) == {"ep_2"}
    assert state.embeddings == {}
    assert state.erased == {"ep_1"}
    living = [state.opened, *state.actors.values(), *state.episodes.values()]
    assert [live and live.seq for live in living] == [0, 1, 4]


def test_it_goes_on_from_where_it_was() -> None:
    entries = [*GOOD, stored("ep_2"), erased("ep_1")]
    state = State()
    for one in entries:
        replay([one], state)
    assert state == replay(entries)
