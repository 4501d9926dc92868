"""How one sentence bears on another: what makes it obsolete, and above all what does not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.text.evidence.bearings import Bearing, bearing


@pytest.mark.parametrize(
    "one, other",
    [
        ("The user hates Chinese food.", "The user loves Chinese food"),
        ("I hate Chinese food", "The user loves Chinese food."),
        ("The user can't stand Chinese food", "The user loves Chinese food"),
        ("The user no longer uses MySQL.", "The user uses MySQL"),
        ("I don't eat fish anymore", "The user eats fish"),
        ("The user isn't allergic to peanuts", "The user is allergic to peanuts"),
        ("The user is allergic to peanuts", "The user is not allergic to peanuts"),
        ("The user does not like tea", "The user loves tea"),
        ("用户讨厌中餐", "用户喜欢中餐"),
        ("用户不再喜欢中餐", "用户喜欢中餐"),
        ("Al usuario ya no le gusta el té", "Al usuario le gusta el té"),
        ("Ya no como carne", "Como carne"),
    ],
)
def test_the_contrary(one: str, other: str) -> None:
    assert bearing(one, other) is Bearing.CONTRARY
    assert bearing(other, one) is Bearing.CONTRARY


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ("User prefers window seats", "The user prefers the window seat.", Bearing.SAME),
        ("The user's dog is Max, a beagle", "The user's dog is Max", Bearing.MORE),
        ("Atlas uses Postgres instead of MySQL", "Atlas uses MySQL", Bearing.INSTEAD),
        ("The user does not eat fish on Mondays", "The user eats fish", Bearing.PARTLY),
        ("The user hates Chinese food since a bad trip", "The user loves Chinese food", Bearing.PARTLY),
    ],
)
def test_what_else_bears_on_it(one: str, other: str, expected: Bearing) -> None:
    assert bearing(one, other) is expected


@pytest.mark.parametrize(
    "one, other",
    [
        ("The user likes tea", "The user is allergic to peanuts"),
        ("A uses B", "B uses C"),
        ("Atlas uses Postgres", "Atlas uses MySQL"),
        ("The user is allergic to shellfish", "The user is allergic to peanuts"),
        ("Actually, the user is allergic to shellfish", "The user is allergic to peanuts"),
        ("The user is not allergic to shellfish", "The user is allergic to peanuts"),
        ("The user's account is 12 March", "The user's account is 21 March"),
        ("The user owes Ben 400", "The user does not owe Ben 500"),
        ("The user owes Ben $400", "The user does not owe Ben €400"),
        ("Ben is not managed by Ana", "Ben manages Ana"),
        ("Ana does not manage Ben", "Ben manages Ana"),
        ("The user is a manager", "The user has no manager"),
        ("The user did not live in Oslo", "The user lives in Oslo"),
        ("The user lived in Oslo", "The user lives in Oslo"),
        ("My sister hates Chinese food", "The user loves Chinese food"),
        ("The user does not always eat fish", "The user eats fish"),
        ("The user rarely eats fish", "The user eats fish"),
        ("The user eats fish, but only cod", "The user eats fish"),
        ("The user lives in Oslo, or in Bergen", "The user lives in Oslo"),
        ("The user eats fish on Monday instead of meat", "The user eats meat"),
        ("The user eats cashews instead of peanuts", "The user is allergic to peanuts"),
        ("The user has a dog allergy", "The user has a dog"),
        ("The user has a friend with a dog", "The user has a dog"),
        ("The user likes tea", "The user loves tea"),
        ("The user does not love tea", "The user likes tea"),
        ("The user likes tea", "The user does not love tea"),
        ("The user does not hate tea", "The user loves tea"),
        ("The user does not like tea", "The user hates tea"),
        ("No, the user eats fish", "The user eats fish"),
        ("The user not only eats fish", "The user eats fish"),
        ("Ben's ex wife lives in Oslo", "Ben's wife lives in Oslo"),
        ("The user's house is no 12", "The user's house is 12"),
        ("She hates Chinese food", "She loves Chinese food"),
        ("The user does not work today", "The user works today"),
        ("她讨厌中餐", "她喜欢中餐"),
        ("", "The user eats fish"),
        ("The user eats fish", ""),
        ("Пользователь не ест рыбу", "Пользователь ест рыбу"),
    ],
)
def test_nothing_that_could_be_both(one: str, other: str) -> None:
    assert bearing(one, other) is Bearing.OTHER


SOME = """
    the user Ben Ana eats eat likes hates loves no not never longer fish meat , . on 12 3 instead of or does isn't
"""
WORDS = st.sampled_from(SOME.split())
SENTENCES = st.lists(WORDS, max_size=9).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(one=st.one_of(SENTENCES, st.text(max_size=60)), other=st.one_of(SENTENCES, st.text(max_size=60)))
def test_whatever_is_said(one: str, other: str) -> None:
    found, back = bearing(one, other), bearing(other, one)
    for mutual in (Bearing.SAME, Bearing.CONTRARY):
        assert (found is mutual) == (back is mutual)
    assert bearing(one, one) in {Bearing.SAME, Bearing.OTHER}
    if found in {Bearing.SAME, Bearing.MORE, Bearing.CONTRARY}:
        digits = {char for char in other if char.isdigit()}
        assert digits <= set(one)
