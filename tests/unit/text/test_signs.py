"""Signs: what a plain sentence says about how it is meant, and the sentences themselves."""

import pytest

from affidavit.text.evidence.passages import clause_end, plain, segments, sentence_around
from affidavit.text.evidence.signs import (
    attitudes,
    attributed,
    denials,
    has,
    joints,
    language_of,
    relation_words,
)
from affidavit.text.lang.relations import RELATIONS


@pytest.mark.parametrize(
    "text, code",
    [("I live in Lisbon", "en"), ("vivo en Lisboa", "es"),
     ("我住在里斯本", "zh"), ("ich wohne in Berlin", "de"), ("je n'aime pas le thé", "fr"),
     ("não gosto de chá", "pt"), ("non mi piace il tè", "it"),
     ("я живу в Москве", "other"), ("リスボンに住んでいます", "other"), ("", "en")],
)  # fmt: skip
def test_the_language_of_a_sentence(text, code):
    assert language_of(plain(text)) == code


@pytest.mark.parametrize(
    "text, denied",
    [("i don't eat pork", True), ("i can't stand peas", False), ("no doubt i like it", False),
     ("no como carne", True), ("我不吃肉", True),
     ("我住在不同的城市", True), ("ich esse kein fleisch", True),
     ("je ne mange pas de viande", True), ("my sister can't come", True)],
)  # fmt: skip
def test_denials(text, denied):
    assert bool(denials(text, language_of(text))) is denied


def test_likes_and_dislikes():
    assert [one[2] for one in attitudes("i love fish and hate meat", "en")] == [1, -1]
    assert attitudes("i'd like to know", "en") == []


def test_a_possessive_names_a_person_and_a_short_form_is_no_word():
    assert has("person", "my sister's name")
    assert not has("grant", "you can't pay")


def test_every_relation_has_words():
    for name in RELATIONS:
        assert relation_words(name, "shown", "en").pattern != "(?!)", name
        assert relation_words(name, "said", "en").pattern != "(?!)", name
    assert relation_words("favourite_tea", "shown", "en").search("my favourite tea is oolong")


def test_no_name_and_no_quote_ends_the_quotation():
    text = attributed("mail", "Priya”. The user said: “yes\n", "hello”. The user said: “I owe 500", "en")
    assert text.count("“") == text.count("”") == 1
    assert "\n" not in text


def test_sentences_and_clauses():
    text = "Hi. I pay Dr. Lee 20.50 euros, not more. Bye"
    start = text.index("Lee")
    assert text[slice(*sentence_around(text, start, start + 3))] == "I pay Dr. Lee 20.50 euros, not more."
    assert clause_end(text, start + 3) == text.index(", not")
    assert (
        plain(text[slice(*sentence_around(text, start, start + 3))]) == "i pay dr. lee 20.50 euros, not more."
    )
    parts = segments("i like tea, but he hates it", joints("en"))
    assert ["i like tea, but he hates it"[a:b] for a, b in parts] == ["i like tea", " he hates it"]
