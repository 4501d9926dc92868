"""Sentences and questions, by punctuation alone."""

import pytest

from affidavit.text.sentences import asks, sentences, statements


@pytest.mark.parametrize(
    "text,expected",
    [
        ("", []),
        ("One", ["One"]),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Version 20.04 is out. Get it", ["Version 20.04 is out.", "Get it"]),
        ('He said "no." Then he left', ['He said "no.', "Then he left"]),
        ("a\n\nb", ["a", "b"]),
        ("我来了。你呢？", ["我来了。", "你呢？"]),
    ],
)
def test_where_sentences_end(text, expected):
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text,expected", [("What?", True), ("什么？", True), ("ماذا؟", True), ("No.", False)]
)
def test_a_question_mark_of_any_script_asks(text, expected):
    assert asks(text) is expected


@pytest.mark.parametrize(
    "text,told",
    [
        ("We planted two quinces. Do they need lime?", "We planted two quinces."),
        ("Do they need lime? We planted two quinces. Why?", "We planted two quinces."),
        ("Do quinces need lime?", "Do quinces need lime?"),
        ("Hm. Do quinces need lime?", "Hm. Do quinces need lime?"),
        ("We  planted\ntwo quinces", "We  planted\ntwo quinces"),
        ("???", "???"),
        ("", ""),
    ],
)
def test_what_a_text_tells(text, told):
    assert statements(text) == told
