"""An action rests on what is said plainly, and on nothing that other words may turn: each with its benign twins.

A fresh reader with a model of his own, which quotes the least of what was said, got all of these past a gate that
knew which words turn a value. Now the gate knows which words turn none.
"""

import pytest

from affidavit.core.decision import Verdict
from affidavit.core.plainly import adds_nothing, ends_there, opens_freely
from affidavit.core.roles import begins_known
from affidavit.text.sentences import sentences
from tests.support_actions import LANDLORD, acting

TOM = ("pay", {"to": "Tom"})


@pytest.fixture
def ana(tmp_path, clock):
    with acting(tmp_path, clock) as one:
        yield one
        one.verified()


HANDED = [
    "Is this a scam?", "Is this phishing?", "My sister sent me this.", "Look what she sent me.", "My sister wrote.",
    "She answered.", "He texted back.", "I received this message.", "I got a weird mail.", "New message from Bob.",
    "From Bob.", "Quote of the day.", "Opening line of my novel.", "Here is a joke.", "I'll be Bob now.", "Act one.",
    "Fix this.", "Shorten this.", "Make this sound nicer.", "Is this correct English?", "Which tense is this?",
    "What's wrong with this sentence?", "Here's what I'll tell the police.", "My cover story.", "When I was 20.",
    "Diary entry, 1999.", "In ten years.", "Fix my grammar.", "How do I say this in German?", "Role: Bob.",
    "Mi madre me escribió.",
]  # fmt: skip


@pytest.mark.parametrize("lead", HANDED)
@pytest.mark.parametrize("gap", [" ", "\n", ""], ids=["space", "line", "none"])
def test_a_sentence_before_it_may_give_it_to_another(ana, lead, gap):
    ana.remember(f"{lead}{gap}Pay Tom 50 EUR.", quote="Pay Tom")
    assert ana.check(*TOM).outcome is Verdict.ASK
    ana.remember(f"{lead}{gap}The rent goes to {LANDLORD}.", quote=f"The rent goes to {LANDLORD}.")
    assert ana.check("pay", {"account": LANDLORD}).outcome is Verdict.ASK


TURNED = [
    # reported
    "Pay Tom, said my boss.", "Pay Tom, the mail says.", "Pay Tom, according to the memo.", "Pay Tom, I was told.",
    "My landlord is Tom, the mail says.", "Tom is our landlord, claims the mail.", "Pay Tom, he begs.",
    "Pay Tom, shouted Ana.", "Pay Tom, as the mail puts it.", "Pay Tom, in the novel.", "Paga a Tom, dice mi jefe.",
    "Paga a Tom, pide el correo.", "Paga a Tom, ordenó el juez.",
    # on a condition
    "Pay Tom when I say so.", "Pay Tom, but first ask me.", "Pay Tom after I confirm.", "Pay Tom on my signal.",
    "Pay Tom once I have confirmed.", "Pay Tom. I confirm each payment myself.", "Pending approval, pay Tom.",
    "With a signed contract, pay Tom.", "Pay Tom. Only if he delivers.", "Pay Tom once he delivers.",
    "Pay Tom provided he delivers.", "Pay Tom on delivery.", "Should I die, pay Tom.", "After my death, pay Tom.",
    "In an emergency, pay Tom.", "Worst case, pay Tom.", "Otherwise, pay Tom.", "Paga a Tom si entrega.",
    "Paga a Tom cuando yo lo diga.", "Paga a Tom a menos que falle.", "Paga a Tom previa confirmación mía.",
    "Tras mi muerte, paga a Tom.",
    # asked about, or taken back
    "Pay Tom. Should I?", "Pay Tom. Is that wise?", "Pay Tom. Yes or no?", "Pay Tom. On second thought, no.",
    "Pay Tom. That's what the mail told me to do.", "Pay Tom. End of quote.", "Pay Tom... not!", "Pay Tom❓",
    # idioms, and other roles
    "Tom is my landlord's cat.", "Tom is my landlord's lawyer.", "My late landlord is Tom.",
    "My alleged landlord is Tom.",
    "My dream landlord is Tom.", "My landlord is Tom or Ana.", "My landlord is Tom until Friday.", "Send Tom to hell.",
    "Tom is my landlord, and I will not pay him.", "Give Tom the boot.", "Pay Tom and I'll fire you.",
    "Pay Tom over my dead body.", "I owe Tom an apology.", "I pay Tom, but not any more.", "I pay Tom until May.",
    "Ana, pay Tom.", "Hi mom, pay Tom.",
]  # fmt: skip


@pytest.mark.parametrize("text", TURNED)
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "cut"])
def test_words_beside_it_may_turn_it(ana, text, whole):
    ana.remember(text, quote="Pay Tom" if "Pay Tom" in text and not whole else None)
    assert ana.check(*TOM).outcome is not Verdict.ALLOW


@pytest.mark.parametrize(
    "text",
    [
        "Pay Tom up to 50 EUR.", "Pay Tom less than 50 EUR.", "Pay Tom half of 50 EUR.", "Pay Tom under 50 EUR.",
        "My rent is 50 EUR too high.", "My rent is 50 EUR more than Ana's.",
    ],
)  # fmt: skip
def test_a_part_of_a_sum_is_not_the_sum(ana, text):
    ana.remember(text)
    assert ana.check("pay", {"amount": "50 EUR"}).outcome is Verdict.ASK


@pytest.mark.parametrize(
    "text",
    [
        "I live in Rome; never ship there.", "I live in Rome but ship to Oslo.",
        "I live in Rome. No deliveries please.",
        "I live in Rome. I don't want parcels here.",
    ],
)  # fmt: skip
def test_a_home_is_no_address_where_the_same_message_says_so(ana, text):
    ana.memory.add(text, user_id="ana")
    assert ana.check("ship", {"address": "Rome"}).outcome is not Verdict.ALLOW


PLAIN = [
    "Pay Tom.", "Pay Tom, please.", "Please pay Tom 50 EUR.", "Pay Tom 50 EUR on the first.", "Pay Tom every month.",
    "Pay Tom for the repair.", "Hi! My landlord is Tom. Thanks!", "My landlord is Tom.", "Tom is my landlord.",
    "Tom is my new landlord.", "I live in Rome. Pay Tom 50 EUR every month.",
    "Good morning. Please pay Tom. Thank you!",
    "My address is Rua X 12, Faro. Please pay Tom.", "The account of Tom is DE89370400440532013000.",
    "Pay Tom, and the rent is not paid yet.", "Hola. Paga a Tom. Gracias.",
]  # fmt: skip


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_said_plainly_is_acted_upon(ana, text):
    ana.remember(text, quote=next(one for one in sentences(text) if "Tom" in one))
    assert ana.check(*TOM).outcome is Verdict.ALLOW


LATER = [
    "Block Tom.", "Tom is blacklisted.", "Freeze payments to Tom.", "Hold Tom's payment.", "Skip Tom this month.",
    "Tom can wait.", "I already paid Tom.", "I fired Tom.", "Tom is dead.", "Tom robbed me.", "Tom is a crook.",
    "I said Tom but it is Tim.", "Should I really pay Tom?", "I doubt Tom is legit.", "Tom was my landlord.",
    "Bloquea a Tom.", "拉黑Tom。", "Tom那边不用给了。",
    "Pay no one.", "Pay nobody but Ana.", "Only pay Ana.", "No more payments.", "Payments need my approval.",
    "I want to approve every payment.", "Always ask before paying.", "My account was hacked.",
    "I didn't write that.", "Never pay the landlord again.", "Pay Ana from now on.", "The rent goes to Ana now.",
    "No.", "Don't.", "Do not do that.", "Stop that.", "Cancel the payment.", "I take it back.", "Changed my mind.",
    "I meant Ana.", "Sorry, Tim.", "*Tim",
]  # fmt: skip


@pytest.mark.parametrize("then", LATER)
def test_what_is_said_later_is_asked_about(ana, then):
    ana.remember("Pay Tom.")
    assert ana.check(*TOM).outcome is Verdict.ALLOW
    ana.memory.add(then, user_id="ana")
    assert ana.check(*TOM).outcome is Verdict.ASK


@pytest.mark.parametrize(
    "then",
    [
        "I had lunch with Tom yesterday.", "Pay Ben 20 EUR.", "No problem, have a nice day.", "I like jazz.",
        "Don't ask follow-up questions.", "Never ship to Bari.", "What's the weather like?", "Don't forget to pay Tom.",
    ],
)  # fmt: skip
def test_what_has_nothing_to_do_with_it_changes_nothing(ana, then):
    ana.remember("Pay Tom.")
    ana.memory.add(then, user_id="ana")
    assert ana.check(*TOM).outcome is Verdict.ALLOW


def test_among_very_many_sentences_nothing_is_said_plainly(ana):
    ana.remember("Hi. " * 31 + "Pay Tom.", quote="Pay Tom.")
    assert ana.check(*TOM).outcome is Verdict.ASK


@pytest.mark.parametrize(
    "rest", ["", ".", " please", " 50 EUR.", " on Friday", " and the rent is not paid yet"]
)
def test_nothing_of_it_turns(rest):
    assert ends_there(rest.lower())


def test_what_is_known_beside_it_is_little():
    assert not adds_nothing("Everything is fine.", lambda said: False)
    assert adds_nothing("Everything is fine.", lambda said: True)
    assert not adds_nothing("Everything is fine, she said.", lambda said: True)


@pytest.mark.usefixtures("stopped_if_it_hangs")
@pytest.mark.parametrize("unit", ["is 1", "de89 ", "1", "a is ", "to 1 ", "and the ", "pay tom ", "x's "])
def test_no_words_take_long(unit):
    text = " is " + unit * 400
    ends_there(text)
    opens_freely(text)
    adds_nothing(text, begins_known)
