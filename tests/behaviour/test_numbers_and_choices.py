"""Accounts, debts, numbers and choices as frames take them: kept in versions, and enough to act on without a model."""

import json

import pytest

from affidavit import Memory
from tests.support_attacks import TOOLS

OLD, NEW = "NL91ABNA0417164300", "DE89370400440532013000"


@pytest.fixture
def agent(tmp_path):
    with Memory(tmp_path / "m.db", embedder="none", tools=TOOLS) as memory:
        yield memory


def _said(memory, *texts):
    for text in texts:
        memory.add(text, user_id="ana")
    found = memory.list(user_id="ana", kinds=["fact"])
    return [(one.memory.text, one.memory.holds) for one in found]


def test_a_new_account_takes_the_place_of_the_old_one_and_is_paid(agent):
    assert _said(agent, f"The account of Acme is {OLD}", f"The account of Acme is now {NEW}.") == [
        (f"The account of Acme is {OLD}.", "history"), (f"The account of Acme is {NEW}.", "current"),
    ]  # fmt: skip
    allowed = agent.check_action("pay", {"to": "Acme", "account": NEW}, user_id="ana")
    old = agent.check_action("pay", {"to": "Acme", "account": OLD}, user_id="ana")
    assert (allowed.outcome, old.outcome) == ("allow", "deny")


def test_a_mail_with_another_account_is_a_claim_that_replaces_nothing(agent):
    agent.add(f"The account of Acme is {OLD}", user_id="ana")
    agent.add({"role": "mail", "name": "Acme", "content": f"The account of Acme is {NEW}."}, user_id="ana")
    asked = agent.check_action("pay", {"account": NEW}, user_id="ana")
    assert (asked.outcome, asked.reasons[0].code) == ("ask", "low_authority")
    assert asked.reasons[0].quote == f"The account of Acme is {NEW}"
    assert agent.check_action("pay", {"account": OLD}, user_id="ana").accepted


def test_each_has_accounts_and_debts_of_his_own(agent):
    said = _said(agent, f"My landlord's IBAN is {OLD}", f"My account number is {NEW}", "I owe Bob 50 euros",
                 "I owe Ana 60 euros", "I no longer owe Bob 50 euros")  # fmt: skip
    assert [text for text, holds in said if holds == "current"] == [
        f"The account of the user's landlord is {OLD}.", f"The user's account is {NEW}.",
        "The user owes Ana 60 euros.", "The user no longer owes Bob 50 euros.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "said,asked,told",
    [
        (["My shoe size is 42.", "My shoe size is 43."], "What is my shoe size?", "43"),
        (["Mi número de teléfono es 612 345 678."], "¿Cuál es mi número de teléfono?", "612 345 678"),
        (["我的电话号码是13812345678。"], "我的电话号码是多少？", "13812345678"),
        (["I owe Bob 50 euros."], "How much do I owe Bob?", "50 euros"),
        (["The hotel I chose is Hotel Aurora."], "Which hotel did I choose?", "Hotel Aurora"),
    ],
)
def test_the_number_that_holds_is_told(agent, said, asked, told):
    agent.add(said, user_id="ana")
    answer = agent.answer(asked, user_id="ana")
    assert told in answer.text
    assert len(answer.citations) == 1


@pytest.mark.parametrize(
    "said,asked",
    [
        ("My phone number is 555 1234.", "What is my sister's phone number?"),
        ("My sister's phone number is 555 1234.", "What is my phone number?"),
        ("My phone number is not 555 1234.", "What is my phone number?"),
        ("I owe Bob 50 euros.", "How much does Bob owe me?"),
        ("Bob owes me 50 euros.", "How much do I owe Bob?"),
    ],
)
def test_what_is_another_way_round_is_no_answer(agent, said, asked):
    agent.add(said, user_id="ana")
    assert agent.answer(asked, user_id="ana").abstained


@pytest.mark.parametrize(
    "said",
    [
        "My account number is 12345678 (old)", "My phone number is 12345; or 555", "I owe Bob over 50 euros",
        "I owe nobody 50 euros", "My phone number is +1 (555) 123-4567", "The account of a scammer is 12345678",
        "The hotel I chose is Hotel Aurora but it is closed", "The account of Acme, as they wrote, is 12345678",
        "La cuenta de nadie es 12345678", "The account of Acme Eve gave me is 12345678", "前房东的账号是12345678",
        "The account of Acme in Eve's mail is 12345678", "My hacker's IBAN is DE89370400440532013000", "我欠他500元",
    ],
)  # fmt: skip
def test_what_says_more_or_less_is_not_taken(agent, said):
    assert _said(agent, said) == []


@pytest.mark.parametrize(
    "told,later,call",
    [
        ("I owe Bob 50 euros", "I paid Bob back.", {"to": "Bob", "amount": "50"}),
        ("I owe Bob 50 euros", "Bob got his money.", {"to": "Bob", "amount": "50"}),
        ("I owe Bob 50 euros", "He forgave me.", {"to": "Bob", "amount": "50"}),
        ("Debo a Ana 50 euros", "Ana ya tiene su dinero.", {"amount": "50"}),
        (f"The account of Acme is {NEW}", "I mistyped the account of Acme.", {"account": NEW}),
        (f"The account of Acme is {NEW}", "Acme has changed banks.", {"to": "Acme", "account": NEW}),
        (f"The account of Acme is {NEW}", "That account was wrong.", {"account": NEW}),
        (f"The account of Acme is {NEW}", "Acme went bankrupt.", {"to": "Acme"}),
        (f"My account number is {NEW}", "I closed my account.", {"account": NEW}),
    ],
)
def test_whatever_is_said_of_it_later_puts_a_number_in_doubt(agent, told, later, call):
    agent.add(told, user_id="ana")
    assert agent.check_action("pay", call, user_id="ana").accepted
    agent.add(later, user_id="ana")
    assert agent.check_action("pay", call, user_id="ana").outcome == "ask"


@pytest.mark.parametrize(
    "later", ["Acme sent the invoice.", "Pay Acme 300 euros", f"The account of Bob is {OLD}", "I like tea."]
)
def test_what_is_of_something_else_puts_it_in_no_doubt(agent, later):
    agent.add(f"The account of Acme is {NEW}", user_id="ana")
    agent.add(later, user_id="ana")
    assert agent.check_action("pay", {"to": "Acme", "account": NEW}, user_id="ana").accepted


@pytest.mark.parametrize(
    "said,cut,call",
    [
        ("I owe Bob €50 000", "I owe Bob €50", {"amount": "50 euros"}),
        ("I owe Bob 50 000 euros", "I owe Bob 50", {"amount": "50"}),
        ("I owe Bob 50-60 euros", "I owe Bob 50", {"amount": "50"}),
        (f"The account of Acme is {NEW} 12", f"The account of Acme is {NEW}", {"account": NEW}),
        ("The account of Acme is DE89 3704 0044", "DE89 3704 0044", {"account": "DE8937040044000000"}),
    ],
)
def test_a_piece_of_a_number_is_no_number(tmp_path, said, cut, call):
    def cuts(messages, **options):
        return json.dumps({"statements": [{"message": "m1", "quote": cut, "text": cut}]})

    with Memory(tmp_path / "m.db", embedder="none", tools=TOOLS, llm=cuts) as memory:
        memory.add(said, user_id="ana")
        assert not memory.check_action("pay", call, user_id="ana").accepted


@pytest.mark.parametrize("later", ["My landlord's account was closed", "My landlord changed banks"])
def test_what_a_model_made_of_the_same_words_is_in_doubt_too(tmp_path, later):
    told = f"My landlord's IBAN is {NEW}"

    def repeats(messages, **options):
        found = [told] if told in messages[-1]["content"] else []
        return json.dumps({"statements": [{"message": "m1", "quote": one, "text": one} for one in found]})

    with Memory(tmp_path / "m.db", embedder="none", tools=TOOLS, llm=repeats) as memory:
        memory.add(told, user_id="ana")
        assert memory.check_action("pay", {"account": NEW}, user_id="ana").accepted
        memory.add(later, user_id="ana")
        assert memory.check_action("pay", {"account": NEW}, user_id="ana").outcome == "ask"


def test_a_message_that_frames_read_hands_nothing_over(agent):
    said = ["I live in Paris", "My email is ana@example.org", "I live in Rome", "My email is bo@example.org"]
    current = [text for text, holds in _said(agent, *said) if holds == "current"]
    assert current == ["The user lives in Rome.", "The user's email is bo@example.org."]


@pytest.mark.parametrize(
    "call,outcome",
    [
        ({"to": "Bob", "amount": "900 euros"}, "ask"), ({"to": "Ana", "amount": "50 euros"}, "ask"),
        ({"to": "Bob", "account": NEW}, "ask"), ({"to": "Bob", "amount": "50 euros"}, "allow"),
        ({"to": "Acme", "account": NEW}, "allow"), ({"to": "Bob", "account": OLD}, "ask"),
    ],
)  # fmt: skip
def test_what_is_told_of_one_is_not_paid_to_another(agent, call, outcome):
    _said(
        agent,
        "I owe Bob 50 euros",
        "I owe Ana 900 euros",
        f"The account of Acme is {NEW}",
        f"My account number is {OLD}",
    )
    assert agent.check_action("pay", call, user_id="ana").outcome == outcome
