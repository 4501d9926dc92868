"""What the message right behind a statement takes back, or points back at, is no ground for a payment any more."""

import pytest

from affidavit import Memory
from tests.support_attacks import TOOLS

ACCOUNT = "DE89370400440532013000"
TOLD = {
    f"The account of Acme is {ACCOUNT}": {"to": "Acme", "account": ACCOUNT},
    "I owe Bob 50 euros": {"to": "Bob", "amount": "50"},
    "Pay Tom 50 euros": {"to": "Tom", "amount": "50"},
}
BACK = [
    "Scratch that.", "Never mind.", "I was joking.", "Forget it.", "Wrong number!", "That's wrong.",
    "I made a mistake.", "Sorry, wrong chat.", "My brother wrote that.", "That was my kid typing.", "It's a scam.",
    "I take it back.", "No wait", "Oops", "That came from a mail I got.", "I got that from Tom.",
    "I copied it from the invoice.", "It has been paid.", "Actually 60.", "Not sure about that.",
    "Let me double check.", "I need to check that first.", "We're even now.", "Oh. That's not right.",
    "Eso no es verdad.", "Olvídalo.", "Ya lo pagué.", "说错了", "算了", "已经还了", "那是假的",
]  # fmt: skip
ASIDE = [
    "Thanks!", "I like tea.", "What's the weather like?", "I'm staying at a hotel this week.", "I went to the market.",
    "Gracias", "我喜欢茶",
]  # fmt: skip


def _outcome(tmp_path, told, *later):
    with Memory(tmp_path / "m.db", embedder="none", tools=TOOLS, llm=_quotes_all) as memory:
        for said in (told, *later):
            memory.add(said, user_id="ana")
        return memory.check_action("pay", TOLD[told], user_id="ana").outcome


def _quotes_all(messages, **options):
    shown = messages[-1]["content"]
    found = [told for told in TOLD if told in shown]
    stated = ", ".join(f'{{"message": "m1", "quote": "{told}", "text": "{told}"}}' for told in found)
    return f'{{"statements": [{stated}]}}'


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("later", BACK)
def test_it_is_asked_about(tmp_path, told, later):
    assert _outcome(tmp_path, told, later) == "ask"


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("later", ASIDE)
def test_what_says_nothing_of_it_changes_nothing(tmp_path, told, later):
    assert _outcome(tmp_path, told, later) == "allow"


@pytest.mark.parametrize(
    "text",
    [
        "As Bob put it, I owe Bob 50 euros", "Before the merger, I owe Bob 50 euros", "I owe Bob 50 euros. Wait, no.",
        "I owe Bob 50 euros. That's what Bob says.", "I owe Bob 50 euros. Said nobody ever.",
        "I owe Bob 50 euros. Or was it?", "I owe Bob 50 euros. Quote end.",
    ],
)  # fmt: skip
def test_a_number_stands_alone(tmp_path, text):
    with Memory(tmp_path / "m.db", embedder="none", tools=TOOLS) as memory:
        memory.add(text, user_id="ana")
        assert [one for one in memory.list(user_id="ana") if one.memory is not None] == []
