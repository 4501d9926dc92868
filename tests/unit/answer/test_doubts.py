"""What was said later and speaks against an answer: it is not given as if nothing had been said since."""

from typing import Any

import pytest

from affidavit import Memory
from affidavit.core.cost import Cost
from affidavit.text.questions.asking import read_question
from affidavit.text.questions.question_words import speech


def told(memory: Memory, *said: Any) -> None:
    for one in said:
        memory.add(one, user_id="u-1")


ENDED = [
    ("My boss is Carla.", "Carla is no longer my boss. Dirk is.", "Who is my boss?"),
    ("My boss is Carla.", "Carla isn't my boss.", "Who is my boss?"),
    ("I work at Shell.", "They laid me off: I was laid off.", "Do I work at Shell?"),
    ("I work as a nurse.", "I retired last month.", "What do I do for a living?"),
    ("My sister Ana lives in Porto.", "Ana moved to Faro.", "Where does Ana live?"),
]  # fmt: skip


@pytest.mark.parametrize("first,later,question", ENDED)
def test_it_is_told_with_both_as_a_conflict(memory: Memory, first: str, later: str, question: str) -> None:
    told(memory, first)
    before = memory.answer(question, user_id="u-1")
    assert not before.abstained
    told(memory, later)
    answer = memory.answer(question, user_id="u-1")
    assert answer.text != before.text
    # Where a frame took it down, its words are the answer, or there is none; else both are told.
    words = speech(read_question(question, anchor=0).language)
    both = answer.text.startswith(words.conflict) and len(answer.citations) == 2
    ended = answer.abstained or any(one.quote in answer.text for one in answer.citations)
    assert both or ended
    assert answer.abstained or answer.citations[-1].quote.rstrip(".。") in later
    assert answer.cost == Cost()


# What the frames read as an end.
SETTLED = [
    ("I work at Shell.", "I got fired.", "Where do I work?"),
    ("I'm vegan.", "I gave up being vegan.", "Am I vegan?"),
    ("My flight to Rome is on 3 May 2027.", "My flight to Rome is cancelled.", "When is my flight to Rome?"),
    ("My flight to Rome is on 3 May 2027.", "My flight got called off.", "When is my flight to Rome?"),
    ("Trabajo en Shell.", "Me despidieron ayer.", "¿Dónde trabajo?"),
    ("我在壳牌工作。", "我上周被解雇了。", "我在哪里工作？"),
    ("I work at Shell.", "I was laid off last week.", "Where do I work?"),
    ("I work at Shell.", "I lost my job yesterday.", "Where do I work?"),
]


@pytest.mark.parametrize("first,later,question", SETTLED)
def test_it_is_told_as_ended(memory: Memory, first: str, later: str, question: str) -> None:
    told(memory, first)
    assert not memory.answer(question, user_id="u-1").abstained
    told(memory, later)
    answer = memory.answer(question, user_id="u-1")
    assert answer.abstained or [one.quote.rstrip(".。") in later for one in answer.citations] == [True]


def test_also_behind_it_in_its_own_sentence(memory: Memory) -> None:
    told(memory, "I live in Rome.", "I moved to Bari but came back to Rome.")
    assert memory.answer("Where do I live?", user_id="u-1").text != "Bari"


@pytest.mark.parametrize(
    "said,question,text",
    [
        (["I work at Shell.", "My brother got fired.", "I like my work at Shell."], "Where do I work?", "Shell"),
        (["I live in Rome.", "I don't like coffee.", "My flight is cancelled."], "Where do I live?", "Rome"),
        (["I live in Rome.", "I left my keys in the car."], "Where do I live?", "Rome"),
        (["My flight to Rome is on 3 May 2027.", "My exam is cancelled."], "When is my flight?", "on 3 May 2027"),
        (["I got fired.", "I work at BP now."], "Where do I work?", "BP"),
        (["I'm vegan.", "If I gave up being vegan I'd cry.", "Should I stop it?"], "What is my diet?", "vegan"),
        (["My boss is Carla.", "Carla likes cake."], "Who is my boss?", "Carla"),
        (["I work at Shell.", {"role": "mail", "name": "X", "content": "You got fired."}], "Where do I work?", "Shell"),
        (["I work at Shell.", {"role": "assistant", "content": "You got fired."}], "Where do I work?", "Shell"),
    ],
)  # fmt: skip
def test_what_ends_nothing_of_it_leaves_it_as_it_is(
    memory: Memory, said: list[Any], question: str, text: str
) -> None:
    told(memory, *said)
    assert memory.answer(question, user_id="u-1").text == text


def test_of_a_time_before_it_was_said_it_holds(memory: Memory) -> None:
    told(memory, {"role": "user", "content": "I work at Shell.", "at": "2026-01-10"})
    told(memory, {"role": "user", "content": "I got fired.", "at": "2026-03-10"})
    assert memory.answer("Where do I work?", user_id="u-1", as_of="2026-02-01").text == "Shell"


@pytest.mark.parametrize(
    "said",
    [
        "My flight to Rome is not on 3 May 2027.",
        "My flight to Rome isn't on 3 May 2027.",
        "My flight to Rome is never on 3 May 2027.",
    ],
)
def test_a_value_that_its_words_deny_is_not_given(memory: Memory, said: str) -> None:
    told(memory, said)
    answer = memory.answer("When is my flight to Rome?", user_id="u-1")
    assert answer.abstained or answer.text.rstrip(".") == said.rstrip(".")
