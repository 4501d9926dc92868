"""Behaviours 23 to 25 in answers: what held then, what does not hold yet, what comes late; in three languages."""

from typing import NamedTuple

import pytest

from affidavit import Answer, Memory, When
from tests.conftest import TestClock


class Talk(NamedTuple):
    """Two homes and how they are asked for."""

    moved: str
    lives: str
    asked: tuple[str, ...]
    before: str
    homes: tuple[str, str]


TALKS = {
    "en": Talk(
        "I moved to Madrid last week",
        "I live in Lisbon now",
        (
            "Where does Priya live?",
            "where does PRIYA live",
            "Where do I live?",
            "Can you tell me where I live now?",
        ),
        "Where did I live before Lisbon?",
        ("Madrid", "Lisbon"),
    ),
    "es": Talk(
        "Me mudé a Madrid la semana pasada",
        "Ahora vivo en Lisboa",
        ("¿Dónde vive Priya?", "¿Dónde vivo?", "¿dónde vivo ahora?"),
        "¿Dónde vivía antes de Lisboa?",
        ("Madrid", "Lisboa"),
    ),
    "zh": Talk(
        "我上周搬到马德里了",
        "我现在住在里斯本",
        ("Priya住在哪里？", "我住在哪里？", "我现在住在哪里"),
        "搬到里斯本之前我住在哪里？",
        ("马德里", "里斯本"),
    ),
}


def say(memory: Memory, clock: TestClock, at: str, text: str, user: str = "priya") -> None:
    """Say something at a time."""
    clock.us = max(clock.us, When.parse(at).start or 0)
    memory.add({"role": "user", "content": text, "at": at}, user_id=user)


def quotes(answer: Answer) -> list[str]:
    """What it cites."""
    return [citation.quote for citation in answer.citations]


@pytest.fixture
def early(clock: TestClock) -> TestClock:
    """A clock in January."""
    clock.us = 1_767_225_600_000_000
    return clock


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
def test_b23_the_value_then_held(early: TestClock, memory: Memory, talk: Talk) -> None:
    say(memory, early, "2026-03-10T09:00:00Z", talk.moved)
    say(memory, early, "2026-06-01T09:00:00Z", talk.lives)
    say(memory, early, "2026-06-01T09:00:00Z", "The weather in Oslo is grey", user="bo")
    for question in talk.asked:
        now = memory.answer(question, user_id="priya")
        assert (now.text, now.abstained, quotes(now)) == (talk.homes[1], False, [talk.lives]), question
        then = memory.answer(question, user_id="priya", as_of="2026-04-01")
        assert (then.text, quotes(then)) == (talk.homes[0], [talk.moved]), question
        other = memory.answer(question, user_id="bo")
        assert other.abstained, question
        assert not other.citations
    before = memory.answer(talk.before, user_id="priya")
    assert before.text == talk.homes[0]


def test_b23_what_was_believed_then(early: TestClock, memory: Memory) -> None:
    say(memory, early, "2026-03-10T09:00:00Z", "I live in Madrid")
    say(memory, early, "2026-06-01T09:00:00Z", "I live in Lisbon now")
    assert memory.answer("Where do I live?", user_id="priya", known_at="2026-05-01").text == "Madrid"
    assert memory.answer("Where did I live in April 2026?", user_id="priya").text == "Madrid"


def test_b24_the_future_is_not_asserted_before_its_time(early: TestClock, memory: Memory) -> None:
    say(memory, early, "2026-03-10T09:00:00Z", "I live in Madrid")
    say(memory, early, "2026-03-11T09:00:00Z", "I'm moving to Oslo on 1 August 2026")
    assert memory.answer("Where do I live?", user_id="priya").text == "Madrid"
    assert memory.answer("Do I live in Oslo?", user_id="priya").text == "I live in Madrid"
    assert memory.answer("Where do I live?", user_id="priya", as_of="2026-09-01").text == "Oslo"


def test_b24_an_only_home_of_the_future_is_none_now(early: TestClock, memory: Memory) -> None:
    say(memory, early, "2026-03-11T09:00:00Z", "I'm moving to Oslo on 1 August 2026")
    assert memory.answer("Where do I live?", user_id="priya").abstained


def test_b25_a_backdated_statement_displaces_nothing(early: TestClock, memory: Memory) -> None:
    say(memory, early, "2026-06-01T09:00:00Z", "I live in Lisbon now")
    say(memory, early, "2026-02-01T09:00:00Z", "I live in Turin")
    assert memory.answer("Where do I live?", user_id="priya").text == "Lisbon"
    assert memory.answer("Where do I live?", user_id="priya", as_of="2026-03-01").text == "Turin"
    assert memory.answer("Where did I live before Lisbon?", user_id="priya").text == "Turin"
