"""What no log of ours can say of memories: each rule of `replay_memories`, broken once."""

from typing import Any

import pytest

from affidavit.core.replay import ReplayError, State, replay
from tests.support_memories import blinded

AT = "2026-06-01T12:00:00.000000Z"
LATER = "2026-06-02T12:00:00.000000Z"


def entry(op: str, **fields: Any) -> dict[str, Any]:
    return {"v": "affidavit/1", "op": op, "at": AT, **fields}


def stored(target: str, authority: str = "authorized") -> dict[str, Any]:
    return entry(
        "EpisodeStored", actor="ac_1", authority=authority, status="active", target=target, commit="02" * 32
    )


def item(target: str = "mem_1@1", **more: Any) -> dict[str, Any]:
    fields = {"actor": "ac_1", "authority": "authorized", "status": "active", "commit": "03" * 32} | more
    return entry("ItemAdded", target=target, **fields)


def support(
    target: str = "mem_1@1", number: int = 1, *sources: str, authority: str = "authorized"
) -> dict[str, Any]:
    return entry(
        "SupportAdded",
        authority=authority,
        sources=list(sources or ("ep_1",)),
        support=number,
        target=target,
        commit="04" * 32,
    )


def removed(target: str = "mem_1@1", number: int = 1) -> dict[str, Any]:
    return entry("SupportRemoved", reason="revoked", support=number, target=target)


def closed(target: str = "mem_1@1", by: str | None = None) -> dict[str, Any]:
    return entry("ItemClosed", by=by, target=target, commit="05" * 32)


def status(target: str = "mem_1@1", **more: Any) -> dict[str, Any]:
    fields = {"authority": "authorized", "status": "retracted", "reason": "retracted"} | more
    return entry("StatusSet", target=target, **fields)


def conflict(*members: str, target: str = "cf_1") -> dict[str, Any]:
    return entry(
        "ConflictOpened", members=list(members or ("mem_1@1", "mem_2@1")), target=target, commit="06" * 32
    )


def resolved(kept: str | None = None, target: str = "cf_1") -> dict[str, Any]:
    return entry("ConflictResolved", kept=kept, target=target)


def revoked(target: str = "src_1") -> dict[str, Any]:
    return entry("SourceRevoked", target=target, commit="07" * 32)


def erased(*targets: str) -> dict[str, Any]:
    return entry("Erased", targets=list(targets))


BEGIN = [
    entry("SpaceOpened", target="sp_1", commit="00" * 32),
    entry("ActorAdded", target="ac_1", commit="01" * 32),
    stored("ep_1"),
    stored("ep_2", "unendorsed"),
]
ONE = [*BEGIN, item(), support()]
TWO = [*ONE, item("mem_2@1"), support("mem_2@1")]

BROKEN: dict[str, list[dict[str, Any]]] = {
    # 1: numbers
    "a first version that is not 1": [*BEGIN, item("mem_1@2")],
    "a version left out": [*ONE, item("mem_1@3")],
    "a version born twice": [*ONE, item("mem_1@1")],
    "an erased version's number given again": [
        *ONE, item("mem_1@2"), support("mem_1@2"), erased("mem_1@2"), item("mem_1@2"),
    ],
    "no number": [*BEGIN, item("mem_1")],
    "no memory": [*BEGIN, item("@1")],
    "a number that is none": [*BEGIN, item("mem_1@one")],
    "a number with a zero before it": [*BEGIN, item("mem_1@01")],
    "a digit of another script": [*BEGIN, item("mem_1@١")],
    "a first support that is not 1": [*BEGIN, item(), support(number=2)],
    "a support left out": [*ONE, support(number=3)],
    "a support born twice": [*ONE, support(number=1)],
    "an erased support's number given again": [
        *ONE, support("mem_1@1", 2), erased("mem_1@1#2"), support("mem_1@1", 2),
    ],
    # 2: the actor
    "an actor who is not here": [*BEGIN, item(actor="ac_2")],
    "an actor who is gone": [
        *BEGIN, entry("ActorAdded", target="ac_2", commit="01" * 32), erased("ac_2"), item(actor="ac_2"),
    ],
    # 3: what a support rests on
    "a support of nothing": [*BEGIN, support()],
    "a support on nothing": [*BEGIN, item(), support() | {"sources": []}],
    "a support on what is not there": [*BEGIN, item(), support("mem_1@1", 1, "ep_9")],
    "a support on a version that is not there": [*BEGIN, item(), support("mem_1@1", 1, "mem_9@1")],
    "a support on itself": [*ONE, support("mem_1@1", 2, "mem_1@1")],
    "a source named twice": [*BEGIN, item(), support("mem_1@1", 1, "ep_1", "ep_1")],
    "a support on what is erased": [*ONE, erased("ep_2"), support("mem_1@1", 2, "ep_2", authority="unendorsed")],
    "more authority than an episode": [*ONE, support("mem_1@1", 2, "ep_2")],
    "more authority than one of two": [*ONE, support("mem_1@1", 2, "ep_1", "ep_2", authority="attested")],
    "more authority than a version": [
        *BEGIN, item(authority="attested"), support(authority="attested"), item("mem_2@1"),
        support("mem_2@1", 1, "mem_1@1"),
    ],
    "more authority than a version has by now": [
        *ONE, status(authority="attested", status="active", reason="weakened"), item("mem_2@1"),
        support("mem_2@1", 1, "mem_1@1"),
    ],
    # 4: what lives
    "removing what is not there": [*ONE, removed(number=2)],
    "removing twice": [*ONE, removed(), removed()],
    "removing a support of nothing": [*BEGIN, removed()],
    "closing what is not there": [*ONE, closed("mem_2@1")],
    "closing what is erased": [*ONE, erased("mem_1@1"), closed()],
    "closing an episode": [*ONE, closed("ep_1")],
    "the status of nothing": [*ONE, status("mem_2@1")],
    "the status of an actor": [*ONE, status("ac_1")],
    "the authority of an episode": [*ONE, status("ep_1", authority="attested", status="active")],
    "an episode that is retracted": [*ONE, status("ep_1")],
    # 5: conflicts
    "a conflict of one": [*TWO, conflict("mem_1@1")],
    "a conflict of one with itself": [*TWO, conflict("mem_1@1", "mem_1@1")],
    "a conflict of three with one twice": [*TWO, conflict("mem_1@1", "mem_2@1", "mem_1@1")],
    "a conflict with what is not there": [*TWO, conflict("mem_1@1", "mem_3@1")],
    "a conflict of episodes": [*TWO, conflict("ep_1", "ep_2")],
    "a conflict born twice": [*TWO, conflict(), conflict()],
    "a conflict born again": [*TWO, conflict(), erased("cf_1"), conflict()],
    "settling nothing": [*TWO, resolved()],
    "settling twice": [*TWO, conflict(), resolved(), resolved()],
    "settled for a stranger": [*TWO, item("mem_3@1"), support("mem_3@1"), conflict(), resolved("mem_3@1")],
    "a source revoked twice": [*ONE, revoked(), revoked()],
    "a source revoked again after its erasure": [*ONE, revoked(), erased("src_1"), revoked()],
    # 6: what stands after an erasure
    "a support on an episode that goes": [*ONE, erased("ep_1")],
    "a support on a version that goes": [
        *TWO, support("mem_2@1", 2, "mem_1@1"), erased("mem_1@1"),
    ],
    "a version left with no support": [*ONE, erased("mem_1@1#1")],
    "a version left with no support at all": [*ONE, support(number=2), erased("mem_1@1#1", "mem_1@1#2")],
    "a conflict with a member that is gone": [*TWO, conflict(), erased("mem_1@1")],
    "a settled conflict with a member that is gone": [*TWO, conflict(), resolved(), erased("mem_2@1")],
    "erasing a version that is not there": [*ONE, erased("mem_2@1")],
    "erasing a version twice": [*ONE, erased("mem_1@1"), erased("mem_1@1")],
    "erasing a support that is not there": [*ONE, erased("mem_1@1#2")],
    "erasing a support twice at once": [*ONE, support(number=2), erased("mem_1@1#2", "mem_1@1#2")],
    "erasing a support of no number": [*ONE, erased("mem_1@1#one")],
    "erasing a support of nothing": [*ONE, erased("mem_2@1#1")],
    "erasing a support of what was erased": [*ONE, erased("mem_1@1"), erased("mem_1@1#1")],
    "erasing a conflict that is not there": [*ONE, erased("cf_1")],
    # 7: shapes
    "a status that is none": [*ONE, status(status="gone")],
    "an authority that is none": [*BEGIN, item(authority="high")],
    "a reason that is none": [*ONE, status(reason="why not")],
    "another reason to remove": [*ONE, removed() | {"reason": "erased"}],
    "a number that is true": [*BEGIN, item(), support() | {"support": True}],
    "sources that are a text": [*BEGIN, item(), support() | {"sources": "ep_1"}],
    "after the end": [*ONE, entry("SpaceErased", target="sp_1", episodes=2), closed()],
    "in the directory": [entry("StoreOpened", target="st_1", signing="commit"), item()],
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_breaks_a_rule_is_refused_at_its_place(case: str) -> None:
    state = State()
    with pytest.raises(ReplayError):
        replay(BROKEN[case], state)
    assert state.size == len(BROKEN[case]) - 1


def test_what_lives_after_it_all() -> None:
    state = replay(
        [
            *TWO,
            support("mem_1@1", 2, "ep_2", authority="unendorsed"),
            support("mem_2@1", 2, "mem_1@1", "ep_2", authority="unendorsed"),
            item("mem_1@2"),
            support("mem_1@2"),
            closed(by="mem_1@2"),
            status(status="superseded", reason="superseded"),
            conflict("mem_1@1", "mem_2@1"),
            resolved("mem_2@1"),
            revoked(),
            removed("mem_1@1", 2),
            closed(by=None) | {"at": LATER, "commit": "08" * 32},
        ]
    )
    first = state.items["mem_1@1"]
    assert (first.authority, first.status, first.numbers) == ("authorized", "superseded", 2)
    assert first.closing is not None
    assert (first.closing.at, first.closing.commit, first.closed_by) == (LATER, "08" * 32, None)
    assert {number: one.removed for number, one in first.supports.items()} == {1: None, 2: "revoked"}
    assert (state.conflicts["cf_1"].resolved_at, state.conflicts["cf_1"].kept) == (AT, "mem_2@1")
    assert set(state.sources) == {"src_1"}
    assert state.versions == {"mem_1": 2, "mem_2": 1}
    told = {live.seq for live in (first, first.closing, state.conflicts["cf_1"], state.sources["src_1"])}
    assert told <= set(blinded(state))
    replaced = next(n for n, commit in blinded(state).items() if commit == "08" * 32) - 6
    assert replaced not in blinded(state), "the blind of a closing that was replaced is not kept"


def test_an_erasure_takes_all_that_hangs_on_it() -> None:
    state = replay(
        [
            *TWO,
            support("mem_2@1", 2, "mem_1@1"),
            conflict(),
            erased("cf_1", "mem_2@1#2", "mem_1@1", "ep_2"),
            erased("mem_2@1", "ep_1"),
        ]
    )
    assert (state.items, state.conflicts, state.episodes) == ({}, {}, {})
    assert set(blinded(state)) == {0, 1}
    assert not any(state.resting.values())


def test_a_version_stands_on_a_support_that_was_removed() -> None:
    """Revoked is not erased: the row and its number stay, and what it says counts no more."""
    state = replay([*ONE, removed(), status(authority="unendorsed", status="invalidated", reason="revoked")])
    assert state.items["mem_1@1"].status == "invalidated"
    state = replay([*ONE, removed(), support(number=2)])
    assert set(state.items["mem_1@1"].supports) == {1, 2}


def test_the_end_of_a_space_ends_all_of_it() -> None:
    state = replay([*TWO, conflict(), revoked(), entry("SpaceErased", target="sp_1", episodes=2)])
    assert (state.items, state.conflicts, state.sources, state.resting) == ({}, {}, {}, {})
    assert blinded(state) == {}


def test_it_goes_on_from_where_it_was() -> None:
    entries = [*TWO, conflict(), resolved(), support(number=2), closed(by="mem_2@1"), erased("mem_1@1#2")]
    state = State()
    for one in entries:
        replay([one], state)
    assert state == replay(entries)
