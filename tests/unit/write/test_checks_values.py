"""Values of a statement stand in its quote; each has who supplied it."""

import pytest

from affidavit.core.candidates import Admitted, Candidate
from affidavit.core.memories import Kind, Part
from tests.support_checks import Place

IBAN = "DE89370400440532013000"


def of(message, text, quote=None, role="user", **fields):
    place = Place()
    place.told(message, role)
    return place.one(text, quote or message, **fields)


@pytest.mark.parametrize(
    "message, text",
    [
        ("I owe Bob 20 euros", "The user owes Bob 200 euros."),
        ("I owe Bob $20", "The user owes Bob €20."),
        (f"my account is {IBAN}", f"The user's account is {IBAN[:-1]}1."),
        ("my order is A-1001", "The user's order is A-1002."),
        ("write to me at ann@mail.example", "The user's mail is anna@mail.example."),
        ("it was -5 degrees at home", "It was 5 degrees at the user's home."),
        ("我的订单是A-1001", "用户的订单是A-1002。"),
    ],
)
def test_a_value_that_nobody_said_is_refused(message, text):
    done = of(message, text)
    assert (done.check, done.code) == ("values", "value_not_in_quote")
    assert "quote" in done.hint


@pytest.mark.parametrize(
    "message, text",
    [
        ("I owe Bob 2,400 euros", "The user owes Bob 2400 euros."),
        ("I run 15km a day", "The user runs 15 km a day."),
        ("I have two cats", "The user has 2 cats."),
        (f"my account is {IBAN}", f"The user's account is {IBAN}."),
        ("write to me at ann@mail.example", "The user's mail is ann@mail.example."),
    ],
)  # fmt: skip
def test_the_same_value_passes(message, text):
    assert isinstance(of(message, text), Admitted)


def test_the_value_of_a_triple_stands_in_the_quote_too():
    done = of("I'm 41 years old", "The user is 41 years old.", relation="age", object="42")
    assert (done.text, done.candidate.object) == ("The user is 41 years old.", None)


def test_a_value_of_the_neighbouring_sentence_is_no_evidence():
    done = of("I owe Bob money. The rent is 500.", "The user owes Bob 500.", "I owe Bob money")
    assert done.code == "value_not_in_quote"


def test_slots_are_of_whoever_supplied_them():
    done = of("I live at 12 Baker Street", "The user lives at 12 Baker Street.")
    assert [(s.name, s.value, s.source, s.authority) for s in done.slots] == [
        ("address", "12 Baker Street", "ep_1", "authorized")
    ]


def test_a_value_that_a_tool_supplied_is_the_tools_whoever_is_quoted_beside_it():
    place = Place()
    place.told("Please remember the account of my landlord")
    place.told(f'{{"landlord": "Ana Lima", "account": "{IBAN}"}}', "tool", name="crm")
    text = f"The account of the landlord is {IBAN}."
    done = place.one(text, "remember the account of my landlord")
    assert done.code == "value_not_in_quote"
    parts = (Part("ep_1", quote="the account of my landlord"), Part("ep_2", quote=f'"account": "{IBAN}"'))
    (mixed,) = place.check(Candidate(text=text, kind=Kind.FACT, parts=parts)).admitted
    assert mixed.authority == "unendorsed"
    assert [(s.value, s.source, s.authority) for s in mixed.slots if s.name == "account"] == [
        (IBAN, "ep_2", "unendorsed")
    ]
    assert "crm" in mixed.text
    said = Place()
    said.told(f"The account of my landlord is {IBAN}")
    own = said.one(text, f"The account of my landlord is {IBAN}")
    assert (own.authority, own.slots[0].authority) == ("authorized", "authorized")


def test_an_assistant_that_repeats_a_tools_value_does_not_raise_it():
    place = Place()
    place.told(f'{{"account": "{IBAN}"}}', "tool", name="crm")
    place.told(f"The account of the landlord is {IBAN}", "assistant")
    done = place.one(
        f"The account of the landlord is {IBAN}.", f"The account of the landlord is {IBAN}", "ep_2"
    )
    assert done.authority == "unendorsed"
    assert [(s.source, s.authority) for s in done.slots] == [("ep_1", "unendorsed")]
    alone = Place()
    alone.told(f"The account of the landlord is {IBAN}", "assistant")
    done = alone.one(f"The account of the landlord is {IBAN}.", f"The account of the landlord is {IBAN}")
    assert done.authority == "attested"
