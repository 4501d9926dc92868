"""Foreign text on its way to a terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.surfaces.cli import show

DANGEROUS = {"Cc", "Cs", "Zl", "Zp"}
TURNING = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(st.text(st.characters()))
def test_nothing_that_a_terminal_obeys_is_left(text):
    for character in show.plain(text):
        assert character == "\n" or unicodedata.category(character) not in DANGEROUS
        assert character not in TURNING


@given(st.text(st.characters()))
def test_a_name_is_one_line_in_quotes(text):
    shown = show.name(text)
    assert shown[0] == shown[-1] == '"'
    assert '"' not in shown[1:-1]
    assert len(shown.splitlines()) == 1


@given(st.text(st.characters(), max_size=500), st.one_of(st.none(), st.integers(1, 100)))
def test_every_line_of_a_block_stands_behind_the_bar(text, most):
    lines = list(show.block(text, most=most))
    assert lines
    assert all(line.startswith(show.BAR.rstrip()) for line in lines)
    assert all(len(line.splitlines()) == 1 for line in lines)


@pytest.fixture
def narrow(monkeypatch):
    """A terminal of 40 columns."""
    monkeypatch.setattr(show, "terminal_width", lambda: 40)


def _width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in line)


@pytest.mark.parametrize("text", ["word " * 40, "x" * 200, "漢字" * 60, "ab 漢字漢字" * 20, "e\u0301" * 100])
def test_on_a_terminal_nothing_is_left_for_the_terminal_to_wrap(narrow, text):
    lines = list(show.block(text, most=None))
    assert max(map(_width, lines)) <= 40
    joined = "".join(line.removeprefix(show.BAR) for line in lines)
    assert joined.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    "text", ["1. user " + "word " * 40, "a" + " " * 100 + "b", " " * 100, "x" * 200, "short", ""]
)
def test_a_long_line_of_ours_goes_on_set_in(narrow, text):
    first, *rest = show.fitted(text)
    assert max(map(_width, [first, *rest])) <= 40
    assert all(line.startswith("      ") for line in rest)
    assert "".join([first, *rest]).replace(" ", "") == text.replace(" ", "")
    assert [first, *rest] == [text] or len(text) > 40


def test_a_long_line_behind_a_bar_stays_behind_it(narrow):
    lines = list(show.fitted(show.BAR + "1. user authorized " * 20))
    assert len(lines) > 1
    assert all(line.startswith(show.BAR) and _width(line) <= 40 for line in lines)


def test_words_stay_whole_where_a_line_is_cut(narrow):
    first, *rest = show.fitted("one two three four five six seven eight nine ten eleven twelve")
    assert " ".join([first, *(line[6:] for line in rest)]).split()[-3:] == ["ten", "eleven", "twelve"]


def test_letters_of_all_scripts_and_joined_emoji_stay():
    text = "Grüße, 東京, नमस्ते, مرحبا, 👩🏽‍🍳"
    assert show.plain(text) == text


def test_numbers_for_people():
    assert [show.count(1, "entry", "entries"), show.count(2_000, "entry", "entries")] == [
        "1 entry",
        "2,000 entries",
    ]
    assert [show.size(812), show.size(20_000), show.size(1_430_000)] == ["812 bytes", "20 kB", "1.4 MB"]
