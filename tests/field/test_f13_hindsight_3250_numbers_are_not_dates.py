"""F13 (hindsight#3250): "port 9077" and "room 1984" are words; they set no date filter and are found as written."""

import pytest

from affidavit.index.space_index import Query, SpaceIndex
from affidavit.read.plan import plan_of
from affidavit.text.lexicon.terms import terms
from affidavit.text.times.dates import dates_in

YEAR_US = 31_556_952_000_000
TEXTS = [
    "The collector is listening on port 9077 behind the proxy",
    "We meet in room 1984 on the nineteenth floor",
    "The port of Valencia was busy that summer",
    "Port 9078 is closed for now",
    "The room has a view of the harbour",
]


@pytest.fixture
def index() -> SpaceIndex:
    built = SpaceIndex()
    built.extend(
        (i, f"ep_{i}", None, None, "user", "authorized", "active", at, at + 1, at, terms(text).to_bytes())
        for i, text in enumerate(TEXTS)
        for at in [(50 + i) * YEAR_US]
    )
    return built


@pytest.mark.parametrize(
    "question,answer",
    [
        ("what is listening on port 9077", 0),
        ("port 9077", 0),
        ("9077", 0),
        ("room 1984", 1),
        ("who meets in room 1984?", 1),
        ("1984", 1),
    ],
)
def test_the_number_is_found_wherever_it_lies_in_time(index, question, answer):
    hits = index.search(Query(text=question, now=56 * YEAR_US), None, 5)
    assert hits[0].seq == answer


def test_nothing_is_left_out_for_its_time(index):
    found = {hit.seq for hit in index.search(Query(text="port 1984", now=56 * YEAR_US), None, 5)}
    assert found == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "question",
    ["what is listening on port 9077?", "room 1984", "version 20.04", "the 1984 edition", "call 2024-4471"],
)
def test_a_question_with_a_number_is_about_now(question):
    plan = plan_of(question, now=56 * YEAR_US)
    assert plan.dated == ()
    assert plan.times == (56 * YEAR_US, 56 * YEAR_US + 1)


def test_a_question_with_a_date_is_about_that_day():
    plan = plan_of("Where did I live on 2024-06-10?", now=56 * YEAR_US)
    assert plan.dated == ("2024-06-10",)
    assert plan.newest


@pytest.mark.parametrize(
    "text", ["listening on port 9077", "room 1984", "9077", "1984", *TEXTS[:2], *TEXTS[3:]]
)
def test_no_time_is_read_from_the_number(text):
    assert dates_in(text, anchor=56 * YEAR_US, offset=None) == []
