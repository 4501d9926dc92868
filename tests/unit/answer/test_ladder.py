"""The ladder: what each rung opens, replies to questions, the assistant's words, teams; what stays hidden."""

from affidavit import Authority, Memory
from affidavit.core.cost import Cost
from tests.conftest import TestClock
from tests.support_memories import Remembering

LOCKER = "What is the locker number at the climbing gym?"


def test_a_reply_is_understood_by_the_question_before_it(memory: Memory) -> None:
    memory.add(
        [
            {"role": "assistant", "content": "What is your locker number at the climbing gym?"},
            {"role": "user", "content": "My number is 118."},
        ],
        user_id="ana",
        session_id="gym",
    )
    answer = memory.answer(LOCKER.replace("the locker", "my locker"), user_id="ana")
    assert answer.text == "My number is 118."
    assert [step.rung for step in answer.steps if step.sufficed] == ["replies"]
    assert [one.role for one in answer.citations] == ["user", "assistant"]


def test_a_reply_of_somebody_else_is_none(memory: Memory) -> None:
    memory.add(
        [
            {"role": "assistant", "content": "What is your locker number at the climbing gym?"},
            {"role": "user", "name": "Ben", "content": "My number is 118."},
        ],
        user_id="ana",
        session_id="gym",
    )
    assert memory.answer(LOCKER.replace("the locker", "my locker"), user_id="ana").abstained


def test_retracted_words_come_back_by_no_rung(memory: Memory, clock: TestClock) -> None:
    who = Remembering(memory)
    asked = {"role": "assistant", "content": "What is your locker number at the climbing gym?"}
    who.say(asked, session_id="gym")
    version = who.remember(
        "My locker number at the climbing gym is 118.",
        relation="locker",
        object="118",
        more={"session_id": "gym"},
    )
    question = "What is my locker number at the climbing gym?"
    assert "118" in memory.answer(question, user_id="ana").text
    who.acts.retract(who.caller, version)
    gone = memory.answer(question, user_id="ana")
    assert (gone.abstained, gone.citations, gone.unverified) == (True, (), ())


def test_the_assistant_is_quoted_only_where_it_is_asked_about(memory: Memory) -> None:
    told = "I recommend the Orchid Garden restaurant for the anniversary dinner."
    memory.add({"role": "assistant", "content": told}, user_id="ana")
    answer = memory.answer("Which restaurant did you recommend for the anniversary dinner?", user_id="ana")
    assert answer.text == f"The assistant said: “{told}”"
    assert answer.citations[0].authority is Authority.ATTESTED
    assert memory.answer("Which restaurant is good for the anniversary dinner?", user_id="ana").abstained


def test_in_a_team_words_are_their_speakers(memory: Memory) -> None:
    memory.add("I live in Lisbon", user_id="ben", team_id="crew")
    mine = memory.answer("Where do I live?", user_id="ben", team_id="crew")
    assert mine.text == "ben said: “I live in Lisbon”"
    assert memory.answer("Where does Ben live?", user_id="ann", team_id="crew").text == mine.text
    assert memory.answer("Where do I live?", user_id="ann", team_id="crew").abstained
    assert memory.answer("Where do I live?", user_id="ben").abstained


def test_what_was_said_later_is_not_looked_at(memory: Memory, clock: TestClock) -> None:
    memory.add(
        {"role": "user", "content": "My locker number at the climbing gym is 118.", "at": "2026-05-01"},
        user_id="ana",
    )
    question = "What is my locker number at the climbing gym?"
    assert not memory.answer(question, user_id="ana").abstained
    assert memory.answer(question, user_id="ana", as_of="2026-04-01").abstained
    assert memory.answer(question, user_id="ana", known_at="2026-05-31").abstained


def test_the_steps_tell_where_it_looked(memory: Memory) -> None:
    memory.add("I live in Lisbon", user_id="ana")
    found = memory.answer("Where do I live?", user_id="ana")
    assert [(step.rung, step.sufficed) for step in found.steps] == [("relation", True)]
    lost = memory.answer("Where do I work?", user_id="ana")
    assert [step.rung for step in lost.steps] == ["relation", "memories", "episodes", "replies"]
    assert not any(step.sufficed for step in lost.steps)
    assert found.cost == Cost()
