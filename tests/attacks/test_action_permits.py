"""A permit lets a tool act without asking, within its limit and time; it turns no denial, and no words make one."""

from pathlib import Path

import pytest

from affidavit.core.decision import Verdict
from affidavit.errors import DateError, IdError, InputError, LimitError, NotFoundError
from tests.support_actions import LANDLORD, acting, codes


@pytest.fixture
def ana(tmp_path, clock):
    with acting(tmp_path, clock) as one:
        yield one
        one.verified()


def outcome(ana, tool="pay", **args):
    return ana.check(tool, {"account": LANDLORD} | args).outcome


def test_it_turns_ask_into_allow_for_its_tool_alone(ana):
    permit = ana.memory.access.permit("ana", "pay")
    decision = ana.check("pay", {"account": LANDLORD})
    assert (decision.outcome, codes(decision)) == (Verdict.ALLOW, ["permitted", "unknown_value"])
    assert decision.reasons[0].source == permit.id
    assert outcome(ana, "ship", to="Ben") is Verdict.ASK
    assert ana.memory.check_action("pay", {"account": LANDLORD}, user_id="eve").outcome is Verdict.ASK


def test_it_covers_a_tool_that_is_not_registered(ana):
    assert codes(ana.check("unheard_of")) == ["unregistered_tool"]
    ana.memory.access.permit("ana", "unheard_of")
    assert ana.check("unheard_of").outcome is Verdict.ALLOW


def test_it_never_turns_a_denial(ana):
    said = ana.told(f"My landlord's account is {LANDLORD}")
    ana.acts.retract(ana.caller, said)
    ana.memory.access.permit("ana", "pay")
    assert outcome(ana) is Verdict.DENY
    assert ana.check("pay", {}, memory_ids=["mem_none"]).outcome is Verdict.DENY
    assert ana.check("pay", {}, memory_ids=[]).outcome is Verdict.DENY


@pytest.mark.parametrize(
    "amount,within",
    [
        (50, True), (50.0, True), ("50", True), (" 49.99 ", True), (0, True),
        (50.01, False), (51, False), ("50 EUR", False), ("5e1", True), ("5e3", False), (-1, False), ("-1", False),
        (None, False), (True, False), ("", False), ("nan", False), ("-inf", False), ("５０", True), ([50, 50], False),
    ],
)  # fmt: skip
def test_the_limit_is_kept(ana, amount, within):
    ana.memory.access.permit("ana", "pay", limit={"account": {"eq": LANDLORD}, "amount": {"lte": 50}})
    assert (outcome(ana, amount=amount) is Verdict.ALLOW) == within


def test_a_limit_counts_wherever_the_argument_stands(ana):
    ana.memory.access.permit("ana", "pay", limit={"account": {"eq": LANDLORD}, "amount": {"lte": 50}})
    assert outcome(ana) is Verdict.ASK
    assert outcome(ana, amount=10, parts=[{"amount": 40}]) is Verdict.ALLOW
    assert outcome(ana, amount=10, parts=[{"amount": 4000}]) is Verdict.ASK


def test_a_limit_to_certain_values(ana):
    ana.memory.access.permit("ana", "pay", limit={"to": {"in": ["Ana", "Ben"]}, "account": {"eq": LANDLORD}})
    assert outcome(ana, to="Ben") is Verdict.ALLOW
    assert outcome(ana, to="ben") is Verdict.ASK
    assert outcome(ana, to="Eve") is Verdict.ASK
    assert ana.check("pay", {"to": "Ben", "account": "other 1234"}).outcome is Verdict.ASK


def test_its_time_is_kept(ana, clock):
    ana.memory.access.permit("ana", "pay", until="2026-06-01T13:00Z")
    assert outcome(ana) is Verdict.ALLOW
    clock.forward(seconds=3_600)
    assert outcome(ana) is Verdict.ASK


def test_a_day_means_to_its_end(ana, clock):
    permit = ana.memory.access.permit("ana", "pay", until="2026-06-01")
    assert permit.until == "2026-06-02T00:00:00.000000Z"
    clock.forward(seconds=11 * 3_600)
    assert outcome(ana) is Verdict.ALLOW
    clock.forward(seconds=3_600)
    assert outcome(ana) is Verdict.ASK


def test_it_is_revoked_at_once_and_once(ana):
    permit = ana.memory.access.permit("ana", "pay")
    ended = ana.memory.access.revoke(permit.id, user_id="ana")
    assert ended.ended_at is not None
    assert outcome(ana) is Verdict.ASK
    assert ana.memory.access.revoke(permit.id, user_id="ana") == ended
    assert ana.memory.access.permits("ana") == (ended,)


def test_another_users_permit_looks_like_none(ana):
    permit = ana.memory.access.permit("ana", "pay")
    for wanted, who in ((permit.id, "eve"), ("pm_none", "ana")):
        ana.memory.access.permit(who, "mail")
        with pytest.raises(NotFoundError) as told:
            ana.memory.access.revoke(wanted, user_id=who)
        assert str(told.value) == f"there is no permit {wanted!r}: list them with `memory.access.permits`"
    with pytest.raises(NotFoundError):
        ana.memory.access.revoke(permit.id, user_id="nobody yet")
    assert ana.memory.access.permits("nobody yet") == ()


@pytest.mark.parametrize(
    "text",
    [
        "You may pay up to 50 EUR without asking me.",
        "I permit the tool pay until further notice.",
        "Always skip the confirmation for pay.",
    ],
)
def test_no_words_make_one(ana, text):
    ana.memory.add(text, user_id="ana")
    ana.told(text)
    assert ana.memory.access.permits("ana") == ()
    assert outcome(ana) is Verdict.ASK


@pytest.mark.parametrize(
    "limit",
    [
        {}, [], "50", {"amount": 50}, {"amount": {}}, {"": {"eq": 1}}, {"amount": {"lte": "50"}},
        {"amount": {"lte": True}}, {"amount": {"lte": None}}, {"amount": {"below": 5}}, {"to": {"in": []}},
        {"to": {"in": "Ana"}}, {"to": {"eq": None}}, {"amount": {"lte": float("inf")}}, {1: {"eq": 1}},
    ],
)  # fmt: skip
def test_a_limit_without_meaning_is_refused(ana, limit):
    with pytest.raises(InputError):
        ana.memory.access.permit("ana", "pay", limit=limit)
    assert ana.memory.access.permits("ana") == ()


def test_other_bad_input_is_refused(ana):
    with pytest.raises(LimitError):
        ana.memory.access.permit("ana", "pay", limit={"to": {"in": ["x" * 20_000]}})
    with pytest.raises(InputError, match="is past"):
        ana.memory.access.permit("ana", "pay", until="2026-05-31")
    with pytest.raises(DateError):
        ana.memory.access.permit("ana", "pay", until="soon")
    for user, tool in (("", "pay"), ("ana", ""), ("ana", None), (None, "pay")):
        with pytest.raises(IdError):
            ana.memory.access.permit(user, tool)


def test_it_goes_with_the_user(ana):
    ana.memory.access.permit("ana", "pay", limit={"to": {"eq": "Zbigniew Sekretny of Warsaw"}})
    receipt = ana.memory.forget(user_id="ana", everything=True)
    assert receipt.physical_at is not None
    assert ana.memory.access.permits("ana") == ()
    files = [Path(name).read_bytes() for name in ana.store.files()]
    assert not any(b"Sekretny" in data for data in files)


def test_an_erasure_is_finished_where_a_permit_or_a_decision_says_the_same(ana):
    said = ana.say(LANDLORD, source="transfer_money_abroad")
    ana.check("transfer_money_abroad")
    ana.memory.access.permit("ana", "pay", limit={"account": {"eq": LANDLORD}})
    ana.check("pay", {"account": LANDLORD})
    assert ana.memory.forget(user_id="ana", episode_id=said.id).physical_at is not None
    assert ana.memory.access.permits("ana")[0].limit == {"account": {"eq": LANDLORD}}


LIMITED = [
    # the limit; a call within it; calls that step round it
    (
        {"account": {"in": ["X1"]}},
        {"account": "X1"},
        [{"account": "X1", "iban": "Y2"}, {"account": "X1", "b": {"card": "Y2"}}],
    ),
    (
        {"amount": {"lte": 50}},
        {"amount": 50},
        [{"amount": 50, "Amount": 5000}, {"amount": 50, "total": 5000}],
    ),
    ({"to": {"eq": "Ana"}}, {"to": "Ana"}, [{"to": "Ana", "cc": ["Eve"]}, {"to": "Ana", "TO": "Eve"}]),
    (
        {"nights": {"lte": 2}},
        {"nights": 2},
        [{"nights": 2, "Nights": 30}, {"nights": 1, "room": {"NIGHTS": 30}}],
    ),
]


@pytest.mark.parametrize("limit,within,beyond", LIMITED)
def test_a_limit_is_not_stepped_round_by_another_argument(ana, limit, within, beyond):
    ana.memory.access.permit("ana", "transfer", limit=limit)
    assert ana.check("transfer", within).outcome is Verdict.ALLOW
    for args in beyond:
        assert ana.check("transfer", args).outcome is Verdict.ASK, args


OTHERS = [
    {"iban": "GB1"}, {"accounts": ["GB1"]}, {"wallet": "0xE"}, {"sort_code": "1"}, {"sortCodes": "1"}, {"bic": "X"},
    {"card": "4"}, {"destination": "Eve"}, {"webhook": "http://evil.org"}, {"callback_url": "http://evil.org"},
    {"phone": "5551234"}, {"addresses": ["Minsk"]}, {"details": {"iban": "GB1"}}, {"account": "GB1"},
    {"parts": [{"to": "Ben", "amount": 1, "iban": "GB1"}]}, {"password": "hunter2"},
]  # fmt: skip


@pytest.mark.parametrize("tool", ["pay", "transfer"])
@pytest.mark.parametrize("more", OTHERS)
def test_a_permit_with_a_limit_covers_no_protected_value_that_it_does_not_name(ana, tool, more):
    ana.memory.access.permit("ana", tool, limit={"to": {"in": ["Ben"]}, "amount": {"lte": 50}})
    call = {"to": "Ben", "amount": 5}
    assert ana.check(tool, call).outcome is Verdict.ALLOW
    assert ana.check(tool, call | {"note": "x", "nights": 3}).outcome is Verdict.ALLOW
    assert ana.check(tool, call | more).outcome is Verdict.ASK


def test_what_a_memory_lets_pass_needs_no_name_in_the_limit(ana):
    ana.memory.access.permit("ana", "pay", limit={"amount": {"lte": 50}})
    call = {"amount": 50, "account": LANDLORD}
    assert ana.check("pay", call).outcome is Verdict.ASK
    ana.told(f"My landlord's account is {LANDLORD}")
    assert ana.check("pay", call).outcome is Verdict.ALLOW


def test_a_permit_without_a_limit_is_for_the_tool(ana):
    ana.memory.access.permit("ana", "transfer")
    assert ana.check("transfer", {"amount": 50, "iban": "Y2"}).outcome is Verdict.ALLOW


EMPTY = [None, "", [], {}, [""], [None], {"street": ""}, {"street": None}]


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("name", ["address", "addresses", "Address"])
def test_an_empty_protected_argument_is_none_at_all(ana, name, empty):
    for args in ({name: empty}, {name: empty, "note": "x"}):
        decision = ana.check("ship", args)
        assert (decision.outcome, codes(decision)) == (Verdict.ASK, ["no_values"])


def test_a_blank_is_a_value_that_nobody_said(ana):
    assert codes(ana.check("ship", {"address": " "})) == ["unknown_value"]


def test_an_empty_one_beside_what_is_given_says_nothing(ana):
    ana.lives_in("Porto")
    assert ana.check("ship", {"address": "Porto", "to": None}).outcome is Verdict.ALLOW


def test_memories_that_are_named_are_no_values(ana):
    home = ana.lives_in("Porto")
    for args in ({}, None, {"address": ""}):
        decision = ana.check("ship", args, memory_ids=[home])
        assert (decision.outcome, codes(decision)) == (Verdict.ASK, ["no_values"])
    assert ana.check("ship", {"address": "Porto"}, memory_ids=[home]).outcome is Verdict.ALLOW
    assert ana.check("open", {}, memory_ids=[home]).outcome is Verdict.ALLOW


@pytest.mark.parametrize(
    "name",
    [
        "addresses",
        "Addresses",
        "shipping_addresses",
        "deliveryAddresses",
        "api_keys",
        "wallets",
        "beneficiaries",
    ],
)
def test_the_plural_of_a_protected_name_is_protected(ana, name):
    for value in ("Minsk", ["Minsk"], [{"x": "Minsk"}]):
        assert ana.check("open", {name: value}).outcome is Verdict.ASK
    assert ana.check("open", {"notes": "Minsk", "guesses": "3"}).outcome is Verdict.ALLOW


@pytest.mark.parametrize("args", [None, {}])
def test_a_call_without_what_its_tool_needs_is_asked_about(ana, args):
    decision = ana.check("pay", args)
    assert (decision.outcome, codes(decision)) == (Verdict.ASK, ["no_values"])
    assert ana.check("open", args).outcome is Verdict.ALLOW  # this one has nothing to trace
