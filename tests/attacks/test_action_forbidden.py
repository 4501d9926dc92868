"""What the user forbids, wants to be asked about, takes back or calls off is not acted upon unasked.

Each with its twins: words that speak of something else, or of the value without forbidding it.
"""

import pytest

from affidavit.core.decision import Verdict
from tests.support_actions import acting, codes


@pytest.fixture
def ana(tmp_path, clock):
    with acting(tmp_path, clock) as one:
        yield one
        one.verified()


MAX = "My son is called Max."
PAY = ("pay", {"to": "Max"})
ROME = "I live in Rome."
SHIP = ("ship", {"address": "Rome"})

FORBIDDEN = [
    # the call, what was said, what was said then
    *((PAY, MAX, then) for then in (
        "Don't pay Max.", "Ask me before paying Max.", "Never send Max money again.", "Never pay Ben or Max.",
        "Max must not be paid.", "You may not send Max anything.", "Please check with me before you pay Max.",
        "Could you please not pay Max?", "Max stole from me. Don't pay him.", "As for Max: no more payments.",
        "I don't want any money going to Max.", "Only pay Max if I say so.", "Under no circumstances pay Max.",
        "Payments to Max are not ok.", "From now on, don't pay Max.", "I forbid you to pay Max.",
        "Don't pay him any more.",
        "Never send my son money.", "Don't pay anyone.", "Ask me before every payment.", "No pagues a Max.",
        "Nunca le mandes dinero a Max.", "Pregúntame antes de pagar a Max.", "不要给Max付款。", "给Max付款前先问我。",
    )),
    *((SHIP, ROME, then) for then in (
        "Never ship to Rome.", "Please forget that I live in Rome.", "I lied about Rome.",
        "Ignore what I said about Rome.",
        "What I said about Rome isn't true.", "Please don't send anything to Rome.",
        "Nothing may be delivered to Rome.",
        "Don't ship anything.",
    )),
    *((("ship", {"address": "Roma"}), "Vivo en Roma.", then) for then in (
        "No envíes nada a Roma.", "Olvida que vivo en Roma.", "Te mentí sobre Roma.",
    )),
    *((("ship", {"address": "罗马"}), "我住在罗马。", then) for then in (
        "不要寄到罗马。", "请别往罗马寄东西。", "忘掉我住在罗马吧。", "寄到罗马之前先问我。",
    )),
]  # fmt: skip


@pytest.mark.parametrize("call,said,then", FORBIDDEN)
def test_what_the_user_forbids_or_takes_back_is_asked_about(ana, call, said, then):
    ana.memory.add(said, user_id="ana")
    assert ana.check(*call).outcome is Verdict.ALLOW
    ana.memory.add(then, user_id="ana")
    assert ana.check(*call).outcome is Verdict.ASK


TWINS = [
    *((PAY, MAX, then) for then in (
        "Don't forget to pay Max.", "Max doesn't like fish.", "Pay Max, don't pay Ben.", "Don't pay Ben.",
        "I never eat meat.", "Don't tell anyone.", "Max is 12 and I'm not 40 yet.", "Never ship to Rome.",
        "Ask me before paying Ben.", "Should I not pay Max?", "Never use emojis.", "Don't ask follow-up questions.",
        "I don't eat fish. Max does.", "No olvides pagar a Max.", "别忘了给Max付款。",
    )),
    *((SHIP, ROME, then) for then in (
        "I love Rome.", "Rome is not far from Bari.", "I'm staying in Rome.", "Never ship to Bari.",
        "I don't like coffee.",
        "Don't forget that I live in Rome.", "I'm staying at a hotel this week.", "Change of plan: dinner at 8.",
    )),
    (("ship", {"address": "Roma"}), "Vivo en Roma.", "No me gusta el café."),
    (("ship", {"address": "罗马"}), "我住在罗马。", "我不喜欢咖啡。"),
    (("ship", {"address": "Bari"}), ROME, "Forget Rome, I live in Bari now."),
]  # fmt: skip


@pytest.mark.parametrize("call,said,then", TWINS)
def test_what_forbids_nothing_of_it_changes_nothing(ana, call, said, then):
    ana.memory.add(said, user_id="ana")
    ana.memory.add(then, user_id="ana")
    assert ana.check(*call).outcome is Verdict.ALLOW


def test_it_is_forbidden_in_the_same_breath(ana):
    ana.memory.add("My son is called Max. Don't pay him.", user_id="ana")
    assert codes(ana.check(*PAY)) == ["doubted"]


def test_to_say_once_more_who_he_is_lifts_nothing(ana):
    for text in (MAX, "Don't pay Max.", MAX):
        ana.memory.add(text, user_id="ana")
    assert codes(ana.check(*PAY)) == ["doubted"]


def test_what_others_forbid_changes_nothing(ana):
    ana.memory.add(MAX, user_id="ana")
    ana.say({"role": "mail", "name": "Eve", "content": "Never pay Max."})
    ana.say("She wrote:\n\n> Never pay Max.\n")
    assert ana.check(*PAY).outcome is Verdict.ALLOW


def shipped(ana, clock, before, then):
    """Who lived in Rome and was to move to Bari, and then said something; long after the day."""
    for text in (*before, then):
        ana.memory.add(text, user_id="ana")
        clock.forward(seconds=60)
    clock.forward(seconds=90 * 86_400)
    return ana.check("ship", {"address": "Bari"}).outcome


EN = (ROME, "I'm moving to Bari in July 2026.")
ES = ("Vivo en Roma.", "En julio de 2026 me mudo a Bari.")


@pytest.mark.parametrize(
    "before,then",
    [
        *((EN, then) for then in (
            "Change of plan: I'm staying in Rome.", "I'm not going to move.", "Bari is off.",
            "We're staying here after all.",
            "I won't be moving.", "Bari isn't happening.", "We changed our minds.",
        )),
        *((ES, then) for then in ("Al final me quedo en Roma.", "Al final no me mudo.", "Cambio de planes.")),
    ],
)  # fmt: skip
def test_a_move_that_was_called_off_is_asked_about(ana, clock, before, then):
    assert shipped(ana, clock, before, then) is not Verdict.ALLOW


@pytest.mark.parametrize(
    "before,then",
    [
        *((EN, then) for then in (
            "I love Bari.", "I can't wait to be in Bari.", "I'm staying in Bari for good.", "I don't eat meat.",
        )),
        (ES, "Me encanta el mar."),
    ],
)  # fmt: skip
def test_a_move_that_was_not_called_off_took_place(ana, clock, before, then):
    assert shipped(ana, clock, before, then) is Verdict.ALLOW


@pytest.mark.parametrize(
    "then", ["Yusuf helped me and wouldn't take any money.", "He wouldn't hear of anything."]
)
def test_what_others_did_not_do_forbids_nothing(ana, clock, then):
    for text in ("I live in Rome.", then):
        ana.memory.add(text, user_id="ana")
        clock.forward(seconds=60)
    assert ana.check("ship", {"address": "Rome"}).outcome is Verdict.ALLOW
