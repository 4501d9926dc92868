"""Questions read without a model: relation, whom, value, time; in every language that has a table."""

import json
import re
from pathlib import Path

import pytest

from affidavit.text.lang.relations import RELATIONS
from affidavit.text.lang.tables import LANGUAGES, can_be, package_table
from affidavit.text.lang.templates import Words
from affidavit.text.questions.asking import read_question
from affidavit.text.questions.question_words import Wanted, named, question_tables, speech
from affidavit.text.times.date_words import date_words
from affidavit.text.view import view

NOW = 1_780_315_200_000_000

CASES = [
    ("Where do I live?", "home", Wanted.PLACE, {}),
    ("Hey, can you tell me where I live now?", "home", Wanted.PLACE, {}),
    ("where does Priya live", "home", Wanted.PLACE, {"who": "Priya"}),
    ("Where did I live before Lisbon?", "home", Wanted.PLACE, {"before": "Lisbon"}),
    ("Before Lisbon, where did I live?", "home", Wanted.PLACE, {"before": "Lisbon"}),
    ("Where did I live before?", "home", Wanted.PLACE, {"before": ""}),
    ("Where did I use to live?", "home", Wanted.PLACE, {"before": ""}),
    ("Do I live in Madrid?", "home", Wanted.TRUTH, {"object": "Madrid"}),
    ("Have I ever lived in Rome?", "home", Wanted.TRUTH, {"object": "Rome", "ever": True}),
    ("What's my name?", "name", Wanted.PERSON, {}),
    ("Who do I work for?", "work", Wanted.THING, {}),
    ("Who was my previous employer?", "work", Wanted.THING, {"before": ""}),
    ("What did I do before I became a baker?", "occupation", Wanted.THING, {"before": "a baker"}),
    ("Am I allergic to penicillin?", "allergy", Wanted.TRUTH, {"object": "penicillin"}),
    ("Am I allergic to anything?", "allergy", Wanted.THING, {}),
    ("What do I like?", "like", Wanted.THING, {}),
    ("What don't I like?", "dislike", Wanted.THING, {}),
    ("What is Priya's favorite color?", "favorite", Wanted.THING, {"who": "Priya", "qualifier": "color"}),
    (
        "What was my favourite editor before Zed?",
        "favorite",
        Wanted.THING,
        {"qualifier": "editor", "before": "Zed"},
    ),
    ("When is the deadline for the report?", "deadline", Wanted.DATE, {"qualifier": "report"}),
    ("When is my driving test?", "plan", Wanted.DATE, {"about": "driving test"}),
    ("What is my wife's name?", "family", Wanted.PERSON, {"qualifier": "wife"}),
    ("What is my dog called?", "pet", Wanted.PERSON, {"qualifier": "dog"}),
    ("What did Caroline research?", None, Wanted.THING, {"who": "", "names": ("Caroline",)}),
    ("When did the boiler fail?", None, Wanted.DATE, {}),
    ("How many guests came?", None, Wanted.NUMBER, {}),
    ("Did the boiler fail?", None, Wanted.TRUTH, {}),
    ("¿Dónde vive Priya?", "home", Wanted.PLACE, {"who": "Priya"}),
    ("¿Dónde vivía antes de Lisboa?", "home", Wanted.PLACE, {"before": "Lisboa"}),
    ("¿A qué soy alérgico?", "allergy", Wanted.THING, {}),
    ("¿Cómo se llama mi hermana?", "family", Wanted.PERSON, {"qualifier": "hermana"}),
    ("¿Cuál es mi color favorito?", "favorite", Wanted.THING, {"qualifier": "color"}),
    ("我住在哪里？", "home", Wanted.PLACE, {"who": ""}),
    ("Priya住在哪里？", "home", Wanted.PLACE, {"who": "Priya"}),
    ("搬到里斯本之前我住在哪里？", "home", Wanted.PLACE, {"before": "里斯本"}),
    ("我以前住在哪里？", "home", Wanted.PLACE, {"before": ""}),
    ("我对什么过敏？", "allergy", Wanted.THING, {}),
    ("我妹妹叫什么名字？", "family", Wanted.PERSON, {"qualifier": "妹妹"}),
]


@pytest.mark.parametrize("text, relation, wanted, more", CASES, ids=[case[0] for case in CASES])
def test_what_is_asked(text: str, relation: str | None, wanted: Wanted, more: dict[str, object]) -> None:
    asking = read_question(text, anchor=NOW)
    assert (asking.relation, asking.wanted) == (relation, wanted)
    defaults = {"object": "", "qualifier": "", "about": "", "before": None, "ever": False}
    for name, value in (defaults | more).items():
        assert getattr(asking, name) == value, name


@pytest.mark.parametrize(
    "text, words",
    [
        ("Where did I live in June 2024?", "in June 2024"),
        ("¿Dónde vivía en 2023?", "en 2023"),
        ("我2023年住在哪里？", "2023年"),
    ],
)
def test_times_are_taken_out(text: str, words: str) -> None:
    asking = read_question(text, anchor=NOW)
    assert asking.relation == "home"
    assert [one.text for one in asking.dates] == [words]


def test_the_table_names_relations_that_are_there() -> None:
    table = package_table("questions")
    assert set(table) == set(LANGUAGES)
    for code in LANGUAGES:
        assert {one["relation"] for one in table[code]["ask"]} <= set(RELATIONS)
        assert speech(code).unknown


@pytest.mark.parametrize(
    "text, kind, language, name",
    [
        ("my wife Ruth wants a trip", "wife", "en", "Ruth"),
        ("My little brother's name is Tom", "brother", "en", "Tom"),
        ("my category Cats", "cat", "en", None),
        ("my wife wants a trip", "wife", "en", None),
        ("My sister, the tall one", "sister", "en", None),
        ("Mi hermana se llama Ana", "hermana", "es", "Ana"),
    ],
)
def test_names_of_others(text: str, kind: str, language: str, name: str | None) -> None:
    found = named(text, [kind], language)
    assert (None if found is None else text[slice(*found)]) == name


def test_a_language_is_only_left_out_where_none_of_its_words_can_stand() -> None:
    """An ASCII text is not looked at in Chinese: every template there needs a word that is not ASCII."""
    assert [code for code in LANGUAGES if not can_be(code, "plain")] == ["zh"]
    assert all(can_be(code, "naïve") for code in LANGUAGES)
    for matchable in (question_tables()["zh"].ways, date_words("zh")._says):
        assert len(matchable._entries) > 20
        for pattern, _ in matchable._entries:
            assert pattern.keys
            assert not any(key.isascii() for key in pattern.keys)


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_a_text_may_match_is_found_by_its_words(code: str) -> None:
    """As going through them one by one: the same patterns, in the same order."""
    table, dates = question_tables()[code], date_words(code)
    for text in [view(case[0]).text for case in CASES] + [view(text).text for text in _messages()]:
        words = Words(text, spaced=table.spaced)
        for matchable in (table.ways, dates._says):
            one_by_one = [
                (n, *entry) for n, entry in enumerate(matchable._entries) if words.may_match(entry[0].keys)
            ]
            assert matchable.within(words) == one_by_one


SEARCHED = ("tail", "before", "earlier", "ever", "first", "subject", "assistant", "filler")
MATCHED = ("lead", "before_first", "before_lead", "polar")  # looked for where a word begins


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_is_not_looked_for_could_not_be_found(code: str) -> None:
    """An expression is left out only where it matches nothing: shown on every question and statement that is here."""
    table = question_tables()[code]
    searched = [getattr(table, name) for name in SEARCHED] + [one for _, one in table.wanted]
    matched = [getattr(table, name) for name in MATCHED]
    left_out = 0
    for text in {view(case[0]).text for case in CASES} | {view(text).text for text in _messages()}:
        words = Words(text, spaced=table.spaced)
        begins = [found.start() for found in re.finditer(r"(?<!\w)\w" if table.spaced else r"\w", text)]
        for one in searched:
            if not words.may_match(one.keys):
                left_out += 1
                assert one.regex.search(text) is None, (text, one.regex.pattern)
        for one in matched:
            if not words.may_match(one.keys):
                left_out += 1
                assert not any(one.regex.match(text, at) for at in begins), (text, one.regex.pattern)
    assert left_out > 1_000


def _messages() -> list[str]:
    data = Path(__file__).parents[2] / "data"
    names = ("questions.jsonl", "statements.jsonl")
    texts = [json.loads(line) for name in names for line in (data / name).read_text("utf-8").splitlines()]
    return [one.get("question") or one["text"] for one in texts]
