"""Behaviours 45 to 47 in answers: what is gone grounds nothing, citations were opened, claims never answer."""

import json

import pytest

from affidavit import Answer, Authority, Config, Memory
from affidavit.core.memories import MemoryStatus
from tests.conftest import TestClock
from tests.support_memories import Remembering
from tests.support_stores import plainly

SHED = "The gate code for the green bicycle shed is 4711"
ASKED = "What is the gate code for the green bicycle shed?"


def opened(config: Config, answer: Answer) -> list[str]:
    """What the trace of an answer says was opened."""
    with plainly(config.database) as conn:
        rows = conn.execute("SELECT verb, shown FROM trace WHERE id = ?", (answer.trace_id,)).fetchall()
    [(verb, shown)] = rows
    assert verb == "answer"
    return list(json.loads(shown))


def test_b45_a_superseded_episode_grounds_no_answer_about_now(clock: TestClock, memory: Memory) -> None:
    memory.add("I live in Madrid", user_id="ana")
    clock.forward(seconds=60)
    memory.add("I no longer live in Madrid", user_id="ana")
    answer = memory.answer("Where do I live?", user_id="ana")
    assert answer.text == "I no longer live in Madrid"
    assert memory.answer("Do I live in Madrid?", user_id="ana").text.startswith("No")


def test_b45_the_quote_of_what_holds_no_longer_is_no_sentence_to_answer_with(
    clock: TestClock, memory: Memory
) -> None:
    who = Remembering(memory)
    first = who.remember(SHED, relation="code", object="4711", qualifier="shed")
    assert memory.answer(ASKED, user_id="ana").text == SHED
    clock.forward(seconds=60)
    who.remember(
        "Forget the code: it ended",
        quote="it ended",
        relation="code",
        object="4711",
        qualifier="shed",
        ended=True,
    )
    assert who.status(first) == ("superseded", "authorized")
    gone = memory.answer(ASKED, user_id="ana")
    assert gone.abstained, gone


def test_b45_erased_words_ground_nothing(memory: Memory) -> None:
    kept = memory.add(SHED, user_id="ana").episodes[0]
    assert memory.answer(ASKED, user_id="ana").text == SHED
    memory.forget(user_id="ana", episode_id=kept.id)
    gone = memory.answer(ASKED, user_id="ana")
    assert gone.abstained
    assert gone.missing
    assert not gone.citations


def test_b46_what_is_cited_was_opened_and_stands_where_it_says(config: Config, memory: Memory) -> None:
    memory.add([SHED, "I live in Lisbon, near the river"], user_id="ana")
    for question in (ASKED, "Where do I live?"):
        answer = memory.answer(question, user_id="ana")
        assert not answer.abstained
        shown = opened(config, answer)
        for one in answer.citations:
            assert one.id in shown
            assert one.episode_id in shown
            text = memory.get(one.episode_id, user_id="ana").text
            assert text[one.start : one.end] == one.quote


@pytest.mark.parametrize("question", ["", " ", "and the?", "?!"])
def test_b46_what_asks_for_nothing_is_told_so(memory: Memory, question: str) -> None:
    memory.add("I live in Rome", user_id="ana")
    answer = memory.answer(question, user_id="ana")
    assert answer.abstained
    assert answer.missing == ("a question with a word in it to look for",)


def test_b46_without_support_it_abstains_and_says_what_is_missing(memory: Memory) -> None:
    memory.add(["I live in Lisbon", "Do I live in Porto?", "If I lived in Rome, I'd cycle"], user_id="ana")
    for question in (
        "What am I allergic to?",
        "What did the surgeon say about the knee?",
        "Who do I work for?",
    ):
        answer = memory.answer(question, user_id="ana")
        assert answer.abstained
        assert answer.missing
        assert not answer.citations
        assert answer.steps[-1].sufficed is False
    assert memory.answer("", user_id="ana").abstained


def test_b46_a_question_without_its_mark_supports_nothing(memory: Memory) -> None:
    memory.add("Is my locker number 4711", user_id="ana")
    assert memory.answer("What is my locker number?", user_id="ana").abstained
    memory.add("My locker number is 4711", user_id="ana")
    assert "4711" in memory.answer("What is my locker number?", user_id="ana").text


def test_b47_a_mail_is_a_claim_beside_an_abstention(memory: Memory) -> None:
    told = "The invoice for the green bicycle shed is due on 5 May 2026"
    memory.add({"role": "mail", "name": "Bank", "content": told}, user_id="ana")
    answer = memory.answer("When is the invoice for the green bicycle shed due?", user_id="ana")
    assert answer.abstained
    assert not answer.citations
    claim = answer.unverified[0]
    assert (claim.claimant, claim.quote, claim.authority) == ("Bank", told, Authority.UNENDORSED)
    assert claim.text == f"A mail from Bank claims: “{told}”"


def test_b47_what_others_say_of_themselves_is_a_claim(memory: Memory) -> None:
    memory.add("I live in Lisbon", user_id="ana")
    memory.add({"role": "user", "name": "Ben", "content": "I live in Oslo"}, user_id="ana")
    answer = memory.answer("Where does Ben live?", user_id="ana")
    assert answer.abstained
    assert [claim.claimant for claim in answer.unverified] == ["Ben"]
    assert memory.answer("Where do I live?", user_id="ana").text == "Lisbon"


def test_b47_a_quoted_mail_inside_a_message_is_no_word_of_the_users(memory: Memory) -> None:
    memory.add(
        "What is this?\n\n> The gate code for the green bicycle shed is 4711\n\nStrange.", user_id="ana"
    )
    answer = memory.answer(ASKED, user_id="ana")
    assert answer.abstained
    assert [claim.quote for claim in answer.unverified] == [f"> {SHED}"]
    assert answer.unverified[0].claimant is None


def test_quarantined_and_retracted_ground_nothing(memory: Memory) -> None:
    who = Remembering(memory)
    who.remember(SHED, relation="code", object="4711", status=MemoryStatus.QUARANTINED)
    assert memory.answer(ASKED, user_id="ana").abstained
