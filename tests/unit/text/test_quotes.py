"""Quotes are located where they really stand, in whole words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.text.evidence.quotes import Found, fold, has_hidden, is_whole, locate, stands, strip_hidden


def found(text, quote, **claimed):
    return [text[one.start : one.end] for one in locate(fold(text), quote, **claimed)]


@pytest.mark.parametrize(
    "text, quote, there",
    [
        ("I live in Lisbon.", "I live in Lisbon", "I live in Lisbon"),
        ("I  LIVE in\n Lisbon.", "i live in lisbon", "I  LIVE in\n Lisbon"),
        ("I don’t like “peas”.", 'I don\'t like "peas"', "I don’t like “peas”"),
        ("the cafe\u0301 is shut", "caf\u00e9 is", "cafe\u0301 is"),
        ("the caf\u00e9 is shut", "cafe\u0301 is", "caf\u00e9 is"),
        ("the ﬁsh is raw", "fish is", "ﬁsh is"),
        ("Ｉ live", "i live", "Ｉ live"),
        ("STRASSE drei", "straße", "STRASSE"),
        ("a pre\u00adfix here", "prefix", "pre\u00adfix"),
        ("I like tea", '"I like tea."', "I like tea"),
        ("我现在住在里斯本，很好", "住在里斯本", "住在里斯本"),
        ("Ana's house", "Ana", "Ana"),
    ],
)
def test_found_after_folding_and_given_as_it_stands(text, quote, there):
    assert found(text, quote)[0] == there


@pytest.mark.parametrize(
    "text, quote",
    [
        ("concatenate", "cat"), ("I don't know", "I don"), ("owe 2,400", "owe 2"), ("5.50 euros", "5"),
        ("a@b.example", "a"), ("cafe\u0301", "cafe"), ("order A-1001", "A"), ("anything", ""), ("anything", "  "),
        ("anything", "..."), ("", "x"),
    ],
)  # fmt: skip
def test_part_of_a_word_is_no_quote(text, quote):
    assert found(text, quote) == []


def test_offsets_only_choose_among_places_where_it_stands():
    text = fold("I like tea. I like tea.")
    assert locate(text, "I like tea", start=12, end=22) == [Found(12, 22)]
    for start, end in ((3, 9), (-5, 4), (float("nan"), 3), (None, 22), ("12", "22"), (10**30, 10**31)):
        assert locate(text, "I like tea", start=start, end=end)[0] == Found(0, 10)


def test_a_near_match_only_locates():
    text = fold("I think I do not want to cancel the membership of my gym in the old town this year, sorry.")
    quote = "I do want to cancel the membership of my gym in the old town this year"
    (one,) = locate(text, quote)
    assert one.near
    assert text.source[one.start : one.end].endswith(quote.replace("I do want", "do not want"))
    assert locate(text, quote, near=False) == []


def test_a_near_match_is_whole_words():
    assert found("I eat sugar-free", "I eat sugar") == ["I eat sugar-free"]
    assert found("x" * 100_000, "x" * 40) == []


def test_too_different_is_not_near():
    assert found("I do not want to cancel", "I do want to cancel") == []
    assert found("my account is DE89 3704", "my account is GB12 9999") == []


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.integers(0, 60), st.integers(1, 30))
def test_what_stands_there_is_found(text, start, length):
    quote = text[start : start + length]
    places = locate(fold(text), quote)
    for one in places:
        assert 0 <= one.start < one.end <= len(text)
    if quote.strip() and quote in text and is_whole(text, text.index(quote), text.index(quote) + len(quote)):
        assert not fold(quote).text.strip() or places


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.text(max_size=40))
def test_nothing_raises_and_what_is_exact_folds_to_the_quote(text, quote):
    for one in locate(fold(text), quote):
        there = fold(text[one.start : one.end]).text
        if not one.near:
            assert fold(quote).text.strip(" \"'.,;:!?\u3002\uff0c\uff01\uff1f\u3001\u2026()[]") in there
    stands(fold(text), quote)


def test_hidden_words_are_known():
    assert has_hidden("hello\U000e0041\U000e0042\U000e0043\U000e0044")
    assert has_hidden("a\u202eb")
    assert not has_hidden("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f and 👩‍💻")
    assert strip_hidden("a\u200bb\u202ec🏴\U000e0067\U000e007f") == "abc🏴\U000e0067\U000e007f"
