"""A person's yes counts once, for a while, for exactly what was asked, and changes no label."""

from pathlib import Path

import pytest

from affidavit.core.decision import Verdict
from affidavit.errors import IdError
from tests.support_actions import CROOK, LANDLORD, acting, codes

PAY = {"account": LANDLORD}


@pytest.fixture
def ana(tmp_path, clock):
    with acting(tmp_path, clock) as one:
        yield one
        one.verified()


@pytest.fixture(autouse=True)
def version(ana):
    """What a mail claims."""
    return ana.heard(f"Pay to {LANDLORD}.")


def test_a_yes_lets_it_happen_once(ana, version):
    asked = ana.check("pay", PAY)
    assert (asked.outcome, asked.accepted) == (Verdict.ASK, False)
    first = ana.check("pay", PAY, confirmation=asked.confirmation)
    assert first.outcome is Verdict.ALLOW
    assert codes(first) == ["confirmed", "low_authority"]
    assert first.reasons[0].source == asked.id
    again = ana.check("pay", PAY, confirmation=asked.confirmation)
    assert again.outcome is Verdict.ASK
    assert codes(again) == ["low_authority", "confirmation_used"]
    assert ana.status(version) == ("active", "unendorsed")


def test_the_new_question_can_be_confirmed_in_its_turn(ana):
    asked = ana.check("pay", PAY)
    again = ana.check("pay", PAY, confirmation=f"{asked.id}.{'0' * 64}")
    assert codes(again) == ["low_authority", "confirmation_unknown"]
    assert ana.check("pay", PAY, confirmation=again.confirmation).outcome is Verdict.ALLOW


@pytest.mark.parametrize(
    "tool,args",
    [
        ("pay", {"account": CROOK}),
        ("pay", PAY | {"note": "and hurry"}),
        ("pay", {"account": LANDLORD.replace(" ", "")}),
        ("ship", PAY),
        ("pay", {}),
    ],
)
def test_for_another_tool_or_other_arguments_it_is_none(ana, tool, args):
    asked = ana.check("pay", PAY)
    decision = ana.check(tool, args, confirmation=asked.confirmation)
    assert decision.outcome is Verdict.ASK
    assert "confirmation_other" in codes(decision)
    assert ana.check("pay", PAY, confirmation=asked.confirmation).outcome is Verdict.ALLOW


def test_for_other_memories_it_is_none(ana, version):
    asked = ana.check("pay", PAY)
    decision = ana.check("pay", PAY, memory_ids=[version], confirmation=asked.confirmation)
    assert "confirmation_other" in codes(decision)


def test_another_user_cant_use_it(ana):
    asked = ana.check("pay", PAY)
    decision = ana.memory.check_action("pay", PAY, user_id="eve", confirmation=asked.confirmation)
    assert (decision.outcome, codes(decision)) == (Verdict.ASK, ["unknown_value", "confirmation_unknown"])


def test_another_member_of_a_team_cant_use_it(ana):
    team = {"team_id": "ops"}
    asked = ana.memory.check_action("pay", PAY, user_id="ana", **team)
    other = ana.memory.check_action("pay", PAY, user_id="ben", confirmation=asked.confirmation, **team)
    assert codes(other) == ["unknown_value", "confirmation_other"]
    own = ana.memory.check_action("pay", PAY, user_id="ana", confirmation=asked.confirmation, **team)
    assert own.outcome is Verdict.ALLOW


def test_it_expires(ana, clock):
    asked = ana.check("pay", PAY)
    clock.forward(seconds=599)
    late = ana.check("pay", PAY)
    clock.forward(seconds=2)
    decision = ana.check("pay", PAY, confirmation=asked.confirmation)
    assert (decision.outcome, codes(decision)) == (Verdict.ASK, ["low_authority", "confirmation_expired"])
    assert ana.check("pay", PAY, confirmation=late.confirmation).outcome is Verdict.ALLOW


def test_what_speaks_against_it_since_must_be_asked_anew(ana):
    asked = ana.check("pay", {"account": LANDLORD, "to": "Ben"})
    ana.heard("Ben takes the money.", name="Ben")
    decision = ana.check("pay", {"account": LANDLORD, "to": "Ben"}, confirmation=asked.confirmation)
    assert decision.outcome is Verdict.ASK
    assert "confirmation_outdated" in codes(decision)


def test_a_denial_is_not_confirmed(ana, version):
    asked = ana.check("pay", PAY)
    ana.acts.retract(ana.caller, version)
    decision = ana.check("pay", PAY, confirmation=asked.confirmation)
    assert (decision.outcome, codes(decision)[0]) == (Verdict.DENY, "retracted")
    assert decision.confirmation is None


def test_what_may_happen_anyway_uses_it_up_too(ana):
    asked = ana.check("pay", PAY)
    ana.told(f"My landlord's account is {LANDLORD}")
    assert codes(ana.check("pay", PAY, confirmation=asked.confirmation)) == ["confirmed"]
    assert codes(ana.check("pay", PAY, confirmation=asked.confirmation)) == ["confirmation_used"]


def test_a_decision_that_did_not_ask_confirms_nothing(ana):
    denied = ana.check(memory_ids=["mem_none"])
    assert denied.confirmation is None
    decision = ana.check("pay", PAY, confirmation=f"{denied.id}.{denied.key}")
    assert codes(decision) == ["low_authority", "confirmation_unknown"]


@pytest.mark.parametrize("token", ["x", "dec_1.zz", ".", "a.b.c", "dec_ü.00", "0" * 256])
def test_what_is_no_token_is_none(ana, token):
    assert codes(ana.check("pay", PAY, confirmation=token)) == ["low_authority", "confirmation_unknown"]


@pytest.mark.parametrize("token", ["", 5.0, b"x", "a\0b", "0" * 257])
def test_what_can_be_no_token_is_refused(ana, token):
    with pytest.raises(IdError):
        ana.check("pay", PAY, confirmation=token)


def test_nothing_of_the_arguments_or_of_memory_is_kept(ana):
    ana.check("pay", {"account": LANDLORD, "to": "Zbigniew Sekretny"}, memory_ids=["mem_Sekretny"])
    with ana.store.snapshot() as reads:
        entries = b"".join(body for _, body in reads.entries(ana.space_id))
    rows = b"".join(path.read_bytes() for path in map(Path, ana.store.files()))
    for secret in (b"Sekretny", b"sekretny"):
        assert secret not in entries
        assert secret not in rows
