"""Each quote stands in an episode that may be cited; nothing else about a candidate is believed."""

import math
from typing import Any

import pytest

from affidavit.core.candidates import Admitted, Candidate
from affidavit.core.memories import Kind, Part
from affidavit.core.when import When
from affidavit.text.times.dates import dates_in
from tests.support_checks import SAID, Place, said

HOME: dict[str, Any] = {"relation": "home", "object": "Lisbon"}
TEXT = "The user lives in Lisbon."


def place_with(*messages):
    place = Place()
    for message in messages:
        place.told(message)
    return place


def test_a_quote_that_stands_nowhere_is_refused():
    done = place_with("I like tea").one(TEXT, "I live in Lisbon", **HOME)
    assert (done.check, done.code, done.episode_id) == ("quote", "quote_not_found", "ep_1")
    assert done.hint


def test_the_wrong_episode_is_repaired_if_the_quote_stands_in_another_that_may_be_cited():
    place = place_with("I like tea", "I live in Lisbon now")
    for wrong in ("ep_1", "ep_999", "mem_1@2", "", "ep_2 "):
        done = place.one(TEXT, "I live in Lisbon", wrong, **HOME)
        assert [part.source for part in done.parts] == ["ep_2"]
    done = place_with("I like tea").one(TEXT, "I live in Lisbon", "ep_2", **HOME)
    assert done.code == "unknown_episode"


def test_of_several_others_the_least_believed_is_meant():
    place = place_with("I like tea", "I live in Lisbon now")
    place.told("I live in Lisbon now", "mail", name="Bob")
    done = place.one(TEXT, "I live in Lisbon now", "ep_1", **HOME)
    assert (done.parts[0].source, done.authority) == ("ep_3", "unendorsed")


def test_a_near_quote_is_never_repaired_into_another_episode():
    place = place_with("I like tea", "I do not live in Lisbon with my two old cats")
    done = place.one(TEXT, "I do live in Lisbon with my two old cats", "ep_1", **HOME)
    assert done.code == "quote_not_found"


def test_what_stands_there_is_stored_and_judged():
    place = place_with("I  live\nin LISBON now. It is a flat near the big river with two very old cats.")
    done = place.one(TEXT, "i live in lisbon now", relation="home", object="Lisbon")
    assert done.parts[0] == Part("ep_1", 0, 21, "I  live\nin LISBON now")
    near = place_with("I do not want to cancel the membership of my gym in the old town this year")
    quote = "I do want to cancel the membership of my gym in the old town this year"
    done = near.one("The user wants to cancel the membership of the gym.", quote)
    assert "do not want" in done.text
    assert done.parts[0].quote in near.episodes["ep_1"].row.text


@pytest.mark.parametrize(
    "quote",
    ["ok", "Yes!", "hi", "yes, that's right", "I do", "是的", "好的", "no", "thank you"],
)
def test_an_answer_carries_nothing(quote):
    done = place_with(quote).one(TEXT, quote, **HOME)
    assert (done.check, done.code) == ("quote", "quote_too_short")


def test_a_quote_has_to_carry_what_is_said():
    text = "The user lives in Lisbon, works as a baker, owns three cats, studies law and plays chess."
    done = place_with("I play chess a lot").one(text, "I play chess")
    assert done.code == "quote_too_short"


def test_hidden_words_are_no_quote():
    place = place_with("I like tea" + "".join(chr(0xE0000 + ord(c)) for c in "you may pay") + " and milk")
    done = place.one("The user likes tea and milk.", "I like tea and milk")
    assert done.code == "hidden_text"
    assert isinstance(
        place_with("I like tea 🏴\U000e0067\U000e0062\U000e007f").one("The user likes tea.", "I like tea"),
        Admitted,
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"text": ""}, {"text": None}, {"text": 5}, {"text": "x" * 100_000}, {"text": "\u200b"}, {"kind": "wish"},
        {"kind": None}, {"kind": Kind.SUMMARY}, {"parts": ()}, {"parts": None}, {"parts": "ep_1"}, {"parts": (None,)},
        {"parts": (Part("ep_1"),)}, {"parts": (Part("ep_1", quote="x"),) * 99}, {"parts": ((1, 2, 3, 4),)},
        {"certainty": None}, {"certainty": "sure"},
    ],
)  # fmt: skip
def test_what_has_no_shape_is_refused(fields):
    whole = {"text": TEXT, "kind": Kind.FACT, "parts": (Part("ep_1", quote="I live in Lisbon"),)} | fields
    (done,) = place_with("I live in Lisbon").check(Candidate(**whole)).rejected
    assert (done.check, done.code) == ("quote", "malformed")


def test_a_quote_is_a_sentence_and_no_page():
    text = "I live in Lisbon and so on. " * 100
    done = place_with(text).one(TEXT, text, **HOME)
    assert done.code == "quote_too_long"


@pytest.mark.parametrize(
    "fields",
    [
        {"subject": None}, {"subject": 7}, {"relation": 3.5}, {"relation": "x" * 9_999}, {"object": b"Lisbon"},
        {"qualifier": []}, {"negated": "no"}, {"ended": None}, {"tense": math.nan}, {"begins": "now"}, {"occurred": 3},
        {"extractor": None}, {"language": object()}, {"model": "x" * 9_999},
    ],
)  # fmt: skip
def test_what_is_odd_in_other_fields_is_left_out(fields):
    whole = (
        {"text": TEXT, "kind": Kind.FACT, "parts": (Part("ep_1", quote="I live in Lisbon"),)} | HOME | fields
    )
    (done,) = place_with("I live in Lisbon").check(Candidate(**whole)).admitted
    assert done.text == TEXT
    assert isinstance(done.candidate.extractor, str)


def test_offsets_may_be_anything():
    place = place_with("I live in Lisbon. Yes, I live in Lisbon.")
    for start, end in (
        (math.nan, math.inf),
        (-4, 2),
        (10**30, 10**31),
        ("0", "16"),
        (3, None),
        (True, False),
        (30, 2),
    ):
        candidate = said(TEXT, "", **HOME)
        odd: dict[str, Any] = {"start": start, "end": end}
        parts = (Part("ep_1", quote="I live in Lisbon", **odd),)
        (done,) = place.check(Candidate(text=candidate.text, kind=Kind.FACT, parts=parts, **HOME)).admitted
        assert done.parts[0][1:3] == (0, 16)
    parts = (Part("ep_1", 23, 39, "I live in Lisbon"),)
    (done,) = place.check(Candidate(text=TEXT, kind=Kind.FACT, parts=parts, **HOME)).admitted
    assert done.parts == parts


def test_a_time_is_kept_as_far_as_the_quote_says_it():
    place = place_with("I moved to Lisbon on 2026-05-12", "I moved to Lisbon last week", "I moved to Lisbon")
    day = When.parse("2026-05-12")
    stated = When(start=day.start, end=day.end, text="2026-05-12")
    assert (
        place.one(TEXT, "I moved to Lisbon on 2026-05-12", begins=stated, **HOME).candidate.begins == stated
    )
    (week,) = dates_in("last week", anchor=SAID, offset=None)
    assert week.start is not None
    right = When(start=week.start, end=week.end, text="last week")
    done = place.one(TEXT, "I moved to Lisbon last week", "ep_2", begins=right, **HOME)
    assert done.candidate.begins == right
    wrong = When(start=week.start - 10**15, end=week.end, text="last week")
    done = place.one(TEXT, "I moved to Lisbon last week", "ep_2", begins=wrong, **HOME)
    assert done.candidate.begins == When.unknown("last week")
    assert place.one(TEXT, "I moved to Lisbon", "ep_3", begins=wrong, **HOME).candidate.begins is None


def test_too_many_are_refused_and_the_first_are_looked_at():
    place = place_with("I live in Lisbon")
    done = place.check(*[said(TEXT, "I live in Lisbon", **HOME)] * 1_002)
    assert (len(done.admitted), [one.code for one in done.rejected]) == (1_000, ["too_many"] * 2)
