"""About whom a question is: the user's own names mean the user; other people's don't; display names are nobody's."""

import dataclasses

import pytest

from affidavit import Config, Memory
from tests.conftest import TestClock


@pytest.fixture
def named(config: Config, clock: TestClock) -> Memory:
    """A memory whose host knows another name of the user."""
    settings = dataclasses.replace(config, own_names={"u-17": ("Priya", "Priya Sharma")})
    return Memory(config=settings, clock=clock)


def test_the_id_is_a_name(memory: Memory) -> None:
    memory.add("I live in Lisbon", user_id="priya")
    assert memory.answer("Where does Priya live?", user_id="priya").text == "Lisbon"


def test_names_that_the_host_set(named: Memory) -> None:
    named.add("I live in Lisbon", user_id="u-17")
    for name in ("Priya", "priya sharma", "PRIYA"):
        assert named.answer(f"Where does {name} live?", user_id="u-17").text == "Lisbon"
    assert named.answer("Where does Sharma live?", user_id="u-17").abstained
    named.close()


def test_a_name_that_the_user_gave_as_his_own(memory: Memory) -> None:
    memory.add(["My name is Robert", "I live in Lisbon"], user_id="u-1")
    assert memory.answer("Where does Robert live?", user_id="u-1").text == "Lisbon"
    assert memory.answer("Where does Roberta live?", user_id="u-1").abstained


def test_a_display_name_is_nobody(memory: Memory) -> None:
    memory.add("I live in Lisbon", user_id="u-1")
    memory.add({"role": "mail", "name": "Robert", "content": "My name is Robert. Hello."}, user_id="u-1")
    memory.add({"role": "user", "name": "Robert", "content": "My name is Robert"}, user_id="u-1")
    answer = memory.answer("Where does Robert live?", user_id="u-1")
    assert answer.abstained
    assert "Lisbon" not in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Where does Ben live?", "What is Ben's name?", "Is Ben allergic to nuts?", "What does my sister do?",
        "Where does my brother live?", "¿Dónde vive Ben?", "Ben住在哪里？", "When is Ben's birthday?",
        "Where do you live?", "What is his name?",
    ],
)  # fmt: skip
def test_others_are_not_answered_with_the_users_facts(memory: Memory, question: str) -> None:
    memory.add(
        [
            "I live in Lisbon",
            "My name is Ada",
            "I'm allergic to nuts",
            "My birthday is on 5 May",
            "I work as a nurse",
        ],
        user_id="ada",
    )
    answer = memory.answer(question, user_id="ada")
    assert answer.abstained, answer


def test_what_the_user_says_of_another_is_an_answer(memory: Memory) -> None:
    memory.add(
        ["My friend Jonas is allergic to nuts, badly allergic.", "I'm allergic to celery."], user_id="ada"
    )
    assert memory.answer("What am I allergic to?", user_id="ada").text == "celery"
    other = memory.answer("What is Jonas allergic to?", user_id="ada")
    assert other.abstained or other.text.startswith("My friend Jonas")


def test_somebody_elses_memory_answers_nothing(memory: Memory) -> None:
    memory.add("I live in Lisbon", user_id="priya")
    memory.add("I like tea", user_id="bo")
    for question in ("Where do I live?", "Where does Priya live?", "Do I live in Lisbon?"):
        answer = memory.answer(question, user_id="bo")
        assert answer.abstained
        assert not answer.unverified
        assert not answer.citations


def test_nobody_at_all(memory: Memory) -> None:
    answer = memory.answer("Where do I live?", user_id="nobody")
    assert answer.abstained
    assert answer.missing
    assert answer.trace_id is None
