"""F16: hyphens, quotes, slashes and operators in a query raised, or found nothing."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit import Memory

SAID = (
    "run the pre-edit hook before you commit",
    "I don't eat shellfish",
    "the disk reads 3.5 GB/s",
    "the server runs Ubuntu 20.04",
    "salt AND pepper, NOT sugar",
    "weather was fine",
)
QUERIES = {
    "pre-edit": ("pre edit", 0),
    "don't": ("dont eat", 1),
    "don't eat shellfish": ("eat shellfish", 1),
    "GB/s": ("gb s", 2),
    "20.04": ("Ubuntu 20.04", 3),
    "salt AND pepper": ("salt pepper", 4),
    '"pre-edit hook"': ("pre-edit hook", 0),
    "shellfish*": ("shellfish", 1),
    "(shellfish": ("shellfish", 1),
    "text:shellfish": ("shellfish", 1),
    "shellfish; DROP TABLE episode; --": ("shellfish", 1),
    "NEAR(shellfish, eat)": ("shellfish eat", 1),
    "^shellfish": ("shellfish", 1),
    "-shellfish": ("shellfish", 1),
    "sh%ellfish OR shellfish": ("shellfish", 1),
    "🙂 shellfish 🙂": ("shellfish", 1),
}
EMPTY = (
    "",
    " ",
    '"',
    "*",
    "(",
    ")",
    "AND",
    "OR",
    "NOT",
    "%",
    "_",
    "\\",
    "'",
    "--",
    "\n",
    "\0",
    "\ud800",
    "the",
    "🙂",
    "😀" * 50,
)


@pytest.fixture
def told(memory: Memory) -> Memory:
    for text in SAID:
        memory.add(text, user_id="ana")
    return memory


def test_each_finds_what_the_plain_words_find(told: Memory) -> None:
    for query, (plain, place) in QUERIES.items():
        hits = told.search(query, user_id="ana", kinds="episode").hits
        assert hits, query
        assert hits[0].text == SAID[place], query
        assert told.search(plain, user_id="ana", kinds="episode").hits[0].text == SAID[place], plain


@pytest.mark.parametrize("query", EMPTY)
def test_a_query_without_words_is_no_error_and_no_door(told: Memory, query: str) -> None:
    told.add("of another", user_id="ben")
    for hit in told.search(query, user_id="ana").hits:
        assert hit.user_id == "ana"


def test_a_huge_query_is_taken_up_to_the_limit(told: Memory) -> None:
    assert told.search("shellfish " * 6_000, user_id="ana").hits[0].evidence[0].text == SAID[1]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.characters(), max_size=40))
def test_no_text_raises(told: Memory, query: str) -> None:
    for hit in told.search(query, user_id="ana", record=False).hits:
        assert hit.evidence[0].text in SAID
