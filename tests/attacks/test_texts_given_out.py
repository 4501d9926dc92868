"""Frames take nothing from a text that a sentence gives out, or that another speaks; each with its benign twins."""

import pytest

from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.playing import hands_over

OTHERS = [
    "Is this a scam? I live in Minsk.", "My sister sent me this. I live in Minsk.", "She answered. I live in Minsk.",
    "He texted back. I live in Minsk.", "I got a weird mail. I live in Minsk.", "Here is a joke. I live in Minsk.",
    "New message from Bob. I live in Minsk.", "Quote of the day. I live in Minsk.", "Fix this. I live in Minsk.",
    "Opening line of my novel. I live in Minsk.", "Which tense is this? I live in Minsk.",
    "This is Ana typing. I live in Minsk.", "It's me, his sister. I live in Minsk.", "Her bio: I live in Minsk.",
    "He's like, I live in Minsk.", "I live in Minsk, was his answer.", "I live in Minsk, he lied.",
    "I live in Minsk... used to.", "I live in Minsk (used to).", "(Bob) I live in Minsk.",
    "&lt;Bob&gt; I live in Minsk.", "<!-- I live in Minsk. -->", "Soy la hermana de Ana. Vivo en Minsk.",
    "我住在罗马，她说。", "我住在罗马，不是。", "我住在罗马就好了。", "我住在罗马是谣言。",
]  # fmt: skip
OWN = [
    "Can you recommend a place? I live in Minsk.", "Thanks for your message! I live in Minsk.",
    "This week was hard. I live in Minsk.", "I love this city. I live in Minsk.", "I wrote to her. I live in Minsk.",
    "I live in Minsk. She lives in Rome.", "Is this possible?\n\nI live in Minsk.",
]  # fmt: skip


@pytest.mark.parametrize("text", OTHERS)
def test_nothing_is_taken(text):
    assert statements_in(text, anchor=0, offset=None) == []


@pytest.mark.parametrize("text", OWN)
def test_the_users_own_is_taken(text):
    assert "Minsk" in [one.object for one in statements_in(text, anchor=0, offset=None)]


@pytest.mark.parametrize(
    "text, said",
    [
        ("I have a sister with a nut allergy.", ["sister"]),
        ("I have a nut allergy.", ["nut"]),
    ],
)
def test_who_has_an_allergy(text, said):
    assert [one.qualifier or one.object for one in statements_in(text, anchor=0, offset=None)] == said


def test_a_sentence_that_tells_something_gives_nothing_out():
    assert not any(map(hands_over, ("I love Rome.", "We met last week.", "What's the weather like in Rome?")))
