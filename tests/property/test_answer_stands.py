"""Properties of answers: nothing raises; what is cited stands where it says; what is asserted stands in what is cited;
claims are never cited; another user learns nothing."""

import re
import string
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit import Answer, Authority, Config, Memory
from affidavit.text.lang.tables import LANGUAGES
from affidavit.text.questions.asking import read_question
from affidavit.text.questions.question_words import speech
from tests.conftest import TestClock

PLACES = ("Lisbon", "Madrid", "Oslo", "Turin")
THINGS = ("nuts", "shellfish", "cats", "latex")
TOLD = (
    "I live in {place}",
    "I moved to {place} last week",
    "I no longer live in {place}",
    "Do I live in {place}?",
    "If I lived in {place}, I'd cycle",
    "I'm allergic to {thing}",
    "I'm not allergic to {thing}",
    "I work at {place} Bank",
    "My sister {place} called about the {thing}",
    "The {thing} order for {place} is due on 5 July 2026",
    "> I live in {place}",
    "Ahora vivo en {place}",
    "我住在{place}",
    "I used to live in {place}",
    "Maybe I'll move to {place}",
)
ASKED = (
    "Where do I live?",
    "Where does Ana live?",
    "Where does {place} live?",
    "Do I live in {place}?",
    "Where did I live before {place}?",
    "What am I allergic to?",
    "Am I allergic to {thing}?",
    "Who do I work for?",
    "What is my sister's name?",
    "When is the {thing} order for {place} due?",
    "What about the {thing} order for {place}?",
    "¿Dónde vivo?",
    "我住在哪里？",
    "",
    "Did {place} call about the {thing}?",
    "Where did I live in May 2026?",
)
ROLES = ("user", "user", "user", "assistant", "mail", "tool", "named")


def _filled(templates: tuple[str, ...]) -> st.SearchStrategy[str]:
    parts = st.tuples(st.sampled_from(templates), st.sampled_from(PLACES), st.sampled_from(THINGS))
    return parts.map(lambda part: part[0].format(place=part[1], thing=part[2]))


@pytest.fixture(scope="module")
def kept() -> Iterator[tuple[Memory, TestClock]]:
    """One store for all; every example has its own users."""
    clock = TestClock(1_780_315_200_000_000)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        config = Config.load(
            environ={}, db=str(place / "memory.db"), key_dir=place / "keys", embedder="none", home=place
        )
        with Memory(config=config, clock=clock) as memory:
            yield memory, clock


_NUMBERS = iter(range(1_000_000))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(_filled(TOLD), st.sampled_from(ROLES)), max_size=8),
    st.lists(_filled(ASKED), min_size=1, max_size=6),
)
def test_answers_stand(kept: tuple[Memory, TestClock], told: list[tuple[str, str]], asked: list[str]) -> None:
    memory, clock = kept
    number = next(_NUMBERS)
    user, stranger = f"ana {number}", f"bo {number}"
    for text, role in told:
        clock.forward(seconds=3600)
        message = {"role": "user", "name": "Ben"} if role == "named" else {"role": role}
        memory.add({**message, "content": text}, user_id=user)
    memory.add("The weather is grey", user_id=stranger)
    for question in asked:
        answer = memory.answer(question, user_id=user, record=False)
        _holds(memory, answer, user)
        other = memory.answer(question, user_id=stranger, record=False)
        assert (other.abstained, other.citations, other.unverified) == (True, (), ())


def _holds(memory: Memory, answer: Answer, user: str) -> None:
    assert answer.abstained == (not answer.citations)
    assert answer.abstained == bool(answer.missing)
    shown = [(one.episode_id, one.start, one.end, one.quote) for one in answer.citations]
    shown += [(one.episode_id, one.start, one.end, one.quote) for one in answer.unverified]
    for episode_id, start, end, quote in shown:
        assert memory.get(episode_id, user_id=user).text[start:end] == quote != ""
    assert all(one.authority > Authority.UNENDORSED for one in answer.citations)
    assert all(one.authority is Authority.UNENDORSED for one in answer.unverified)
    if not answer.abstained:
        quotes = " ".join(one.quote for one in answer.citations)
        said = [speech(code) for code in LANGUAGES]
        ours = {word for one in said for word in _words(f"{one.yes} {one.no} {one.conflict}")}
        dated = re.sub(r"\(\d{4}-\d\d-\d\d\)", "", answer.text)
        left = set(_words(dated)) - ours
        assert all(word in quotes.casefold() for word in left), answer


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300) | st.text(alphabet=string.printable, max_size=300) | _filled(ASKED))
def test_any_text_is_a_question(text: str) -> None:
    asking = read_question(text, anchor=0)
    for part in (asking.who, asking.object, asking.qualifier, asking.about, asking.before or ""):
        assert part in text
    assert asking == read_question(text, anchor=0)
