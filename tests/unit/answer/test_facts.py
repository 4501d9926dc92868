"""What memories of a relation say: values, lists, yes and no, before, ended, conflicts."""

import pytest

from affidavit import Authority, Memory
from tests.conftest import TestClock
from tests.support_memories import Remembering


def tell(memory: Memory, clock: TestClock, *texts: str) -> None:
    """Say things, a day apart."""
    for text in texts:
        clock.forward(seconds=86_400)
        memory.add(text, user_id="ana")
    clock.forward(seconds=60)


@pytest.mark.parametrize(
    "told, question, text",
    [
        (["My name is Ada Lovelace"], "What's my name?", "Ada Lovelace"),
        (["I work at Nokia"], "Who do I work for?", "Nokia"),
        (["I work at Nokia"], "who do i work for again", "Nokia"),
        (["I come from Ghana", "I live in Leipzig"], "Where am I from?", "Ghana"),
        (["I'm 33", "I'm 34"], "How old am I?", "34"),
        (["I'm vegetarian"], "What diet do I follow?", "vegetarian"),
        (["My favorite color is teal", "My favorite editor is Vim"], "What is my favorite editor?", "Vim"),
        (["I'm allergic to shellfish", "I'm allergic to nuts"], "What am I allergic to?", "shellfish, nuts"),
        (["I love hiking", "I hate mushrooms"], "What do I like?", "hiking"),
        (["I love hiking", "I hate mushrooms", "I don't like olives"],
            "What do I dislike?", "mushrooms, I don't like olives"),
        (["My sister's name is Ana", "My dog is called Rex"], "What is my sister's name?", "Ana"),
        (["My sister's name is Ana", "My dog is called Rex"], "What is my dog called?", "Rex"),
        (["Always answer in English.", "Always answer in French."],
            "In which language should you answer me?", "Always answer in French"),
        (["I live in Rome", "I live in Turin", "I live in Oslo"], "Where did I live before Oslo?", "Turin"),
        (["I live in Rome", "I live in Turin", "I live in Oslo"], "Where did I live before Turin?", "Rome"),
        (["I live in Rome", "I live in Turin"], "Where did I live before?", "Rome"),
        (["I live in Rome", "I live in Turin"], "Where did I use to live?", "Rome"),
        (["My favorite editor is Emacs", "My favorite editor is Zed"],
            "What was my favorite editor before Zed?", "Emacs"),
    ],
)  # fmt: skip
def test_a_value(memory: Memory, clock: TestClock, told: list[str], question: str, text: str) -> None:
    tell(memory, clock, *told)
    answer = memory.answer(question, user_id="ana")
    assert (answer.text, answer.abstained) == (text, False)
    assert len(answer.citations) >= 1


@pytest.mark.parametrize(
    "told, question, begins",
    [
        (["I'm allergic to shellfish"], "Am I allergic to shellfish?", "Yes: “I'm allergic to shellfish”"),
        (["I'm not allergic to nuts"], "Am I allergic to nuts?", "No: “I'm not allergic to nuts”"),
        (["I'm allergic to tree nuts"], "Am I allergic to nuts?", "I'm allergic to tree nuts"),
        (["I live in Rome", "I live in Turin"], "Do I live in Rome?", "No: “I live in Turin”"),
        (["I live in Rome", "I live in Turin"], "Have I ever lived in Rome?", "Yes: “I live in Rome”"),
        # Whether Lisbon lies in Portugal is not known here.
        (["I live in Lisbon"], "Do I live in Portugal?", "I live in Lisbon"),
        (["I love hiking"], "Do I like hiking?", "Yes: “I love hiking”"),
        (["I hate mushrooms"], "Do I like mushrooms?", "No: “I hate mushrooms”"),
        (["I'm vegan"], "Am I vegan?", "Yes: “I'm vegan”"),
        (["I have two cats"], "Do I have a cat?", "I have two cats"),
        (["Soy alérgica a los frutos secos"], "¿Soy alérgica a los frutos secos?", "Sí: “Soy alérgica"),
    ],
)  # fmt: skip
def test_yes_and_no(memory: Memory, clock: TestClock, told: list[str], question: str, begins: str) -> None:
    tell(memory, clock, *told)
    answer = memory.answer(question, user_id="ana")
    assert answer.text.startswith(begins), answer.text


@pytest.mark.parametrize(
    "told, question",
    [
        (["I'm allergic to shellfish"], "Am I allergic to penicillin?"),
        (["My sister's name is Ana"], "What is my brother's name?"),
        (["My favorite color is teal"], "What is my favorite wine?"),
        (["I live in Turin"], "Where did I live before Turin?"),
        (["I live in Turin"], "Where did I live before Oslo?"),
        (["I'm flying to Lisbon on 12 July 2026"], "On which day do I fly back from Lisbon?"),
        (["Suppose I were allergic to latex"], "What am I allergic to?"),
        (["Maybe I'll move to Oslo"], "Where do I live?"),
        (["I live in Turin"], "Do I work at Turin?"),
    ],
)
def test_nothing_is_made_up(memory: Memory, clock: TestClock, told: list[str], question: str) -> None:
    tell(memory, clock, *told)
    answer = memory.answer(question, user_id="ana")
    assert answer.abstained, answer.text
    assert answer.missing


def test_dates_are_told_with_what_they_came_to(memory: Memory, clock: TestClock) -> None:
    memory.add(
        {"role": "user", "content": "The report is due next Friday", "at": "2026-06-01T10:00Z"}, user_id="ana"
    )
    answer = memory.answer("When is the report due?", user_id="ana")
    assert answer.text == "next Friday (2026-06-12)", answer


def test_a_later_word_goes_before_an_older_memory(memory: Memory, clock: TestClock) -> None:
    tell(
        memory,
        clock,
        "The deadline for the report is 5 July 2026.",
        "The deadline for the report was moved to 12 July 2026.",
    )
    assert "12 July" in memory.answer("When is the report due?", user_id="ana").text


def test_two_of_equal_authority_that_disagree_are_a_conflict(memory: Memory) -> None:
    who = Remembering(memory)
    first = who.remember(
        {"role": "user", "content": "My home is Rome"}, relation="home", object="Rome",
        authority=Authority.ATTESTED, claimant="agent a",
    )  # fmt: skip
    who.remember(
        {"role": "user", "content": "My home is Turin"}, relation="home", object="Turin",
        authority=Authority.ATTESTED, claimant="agent b",
    )  # fmt: skip
    assert who.conflicts(), first
    answer = memory.answer("Where do I live?", user_id="ana")
    assert answer.text in {"In conflict: Turin, Rome", "In conflict: Rome, Turin"}
    assert len(answer.citations) == 2
    assert len(answer.conflicts) == 1
    assert len(answer.conflicts[0].members) == 2


def test_higher_authority_speaks_and_the_conflict_is_told(memory: Memory) -> None:
    who = Remembering(memory)
    who.lives_in("Rome")
    who.remember(
        "The agent noted: Turin", quote="Turin", relation="home", object="Turin",
        authority=Authority.ATTESTED, claimant="agent b",
    )  # fmt: skip
    answer = memory.answer("Where do I live?", user_id="ana")
    assert answer.text == "Rome"
    assert [len(one.members) for one in answer.conflicts] == ([2] if who.conflicts() else [])


def test_a_plan_without_a_time_holds_at_no_instant(memory: Memory) -> None:
    memory.add("I'm going to move to Oslo", user_id="ana")
    assert memory.answer("Where do I live?", user_id="ana").abstained
