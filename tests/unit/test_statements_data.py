"""The labelled messages and questions under `tests/data` keep the shape that `statements.md` describes."""

import json
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[1] / "data"

RELATIONS = {
    "name", "home", "origin", "birthday", "age", "work", "occupation", "studies", "diet", "allergy", "like",
    "dislike", "favorite", "language", "timezone", "family", "pet", "has", "instruction", "plan", "deadline",
    "no_longer", "other",
}  # fmt: skip
TRAPS = {
    "question", "hypothesis", "hedge", "report", "quoted", "code", "roleplay", "translate", "idiom", "sarcasm",
    "negation", "other_person", "one_off", "past_only", "wish", "example", "ambiguous",
}  # fmt: skip
TIMES = {"now", "past", "past_start", "future"}
CERTAINTIES = {"asserted", "hedged"}
WHY_NULL = {"never_said", "other_person", "asked_only", "hypothetical"}

MESSAGES_PER_LANGUAGE = {"en": 200, "es": 60, "zh": 60}
QUESTIONS_PER_LANGUAGE = {"en": 80, "es": 20, "zh": 20}

MESSAGE_KEYS = {"id", "lang", "at", "text", "trap", "wording", "expect"}
STATEMENT_KEYS = {"about", "relation", "value", "quote", "time", "certainty", "negated"}
EXTRA_KEYS = {"favorite": {"of"}, "deadline": {"of"}, "no_longer": {"ends"}}
QUESTION_KEYS = {"id", "lang", "setup", "question", "answer", "why_null", "as_of"}


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


MESSAGES = rows("statements.jsonl")
QUESTIONS = rows("questions.jsonl")
STATEMENTS = [(message, statement) for message in MESSAGES for statement in message["expect"]]


def is_utc_second(text: str) -> bool:
    moment = datetime.fromisoformat(text)
    return moment.tzinfo == UTC and moment.strftime("%Y-%m-%dT%H:%M:%SZ") == text


@pytest.mark.parametrize("found", [MESSAGES, QUESTIONS], ids=["statements", "questions"])
def test_ids_are_unique_and_say_the_language(found):
    ids = [row["id"] for row in found]
    assert len(set(ids)) == len(ids)
    assert all(f"{row['lang']}-" in row["id"] for row in found)


def test_counts_by_language():
    assert Counter(row["lang"] for row in MESSAGES) == MESSAGES_PER_LANGUAGE
    assert Counter(row["lang"] for row in QUESTIONS) == QUESTIONS_PER_LANGUAGE


def test_a_message_has_its_keys_and_words():
    for message in MESSAGES:
        name = message["id"]
        assert set(message) == MESSAGE_KEYS, name
        assert is_utc_second(message["at"]), name
        assert message["text"].strip(), name
        assert message["trap"] is None or message["trap"] in TRAPS, name
        assert len(message["expect"]) <= 3, name
        assert message["wording"] in ({"plain", "hard"} if message["expect"] else {None}), name


def test_a_statement_is_verbatim_and_uses_the_label_words():
    for message, statement in STATEMENTS:
        name, relation = message["id"], statement["relation"]
        assert relation in RELATIONS, name
        assert set(statement) == STATEMENT_KEYS | EXTRA_KEYS.get(relation, set()), name
        assert statement["quote"] in message["text"], name
        assert statement["value"], name
        assert statement["value"] in statement["quote"], name
        assert statement["about"] == "speaker" or statement["about"] in message["text"], name
        assert statement["time"] in TIMES, name
        assert statement["certainty"] in CERTAINTIES, name
        assert isinstance(statement["negated"], bool), name
        assert statement.get("of") is None or statement["of"] in statement["quote"], name


def test_what_ended_is_past_and_what_is_planned_lies_ahead():
    for message, statement in STATEMENTS:
        name, relation = message["id"], statement["relation"]
        if relation == "no_longer":
            assert statement["ends"] in RELATIONS - {"no_longer"}, name
            assert (statement["negated"], statement["time"]) == (True, "past"), name
        assert (relation in {"plan", "deadline"}) == (statement["time"] == "future"), name


def test_no_message_is_there_twice_and_no_statement_is_labelled_twice():
    texts = [message["text"].casefold() for message in MESSAGES]
    assert len(set(texts)) == len(texts)
    for message in MESSAGES:
        labels = [(each["about"], each["relation"], each["value"]) for each in message["expect"]]
        assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("lang", MESSAGES_PER_LANGUAGE)
def test_at_least_45_percent_of_each_language_states_nothing_and_every_trap_is_among_it(lang):
    mine = [message for message in MESSAGES if message["lang"] == lang]
    empty = Counter(message["trap"] for message in mine if not message["expect"])
    assert empty.total() >= 0.45 * len(mine)
    assert set(empty) - {None} == TRAPS
    per_trap = [count for trap, count in empty.items() if trap]
    assert max(per_trap) <= 2 * min(per_trap)


@pytest.mark.parametrize("lang", MESSAGES_PER_LANGUAGE)
def test_every_relation_is_used_and_six_in_ten_are_worded_plainly(lang):
    mine = [message for message in MESSAGES if message["lang"] == lang and message["expect"]]
    assert {each["relation"] for message in mine for each in message["expect"]} == RELATIONS
    plain = sum(message["wording"] == "plain" for message in mine)
    assert 0.55 <= plain / len(mine) <= 0.65


def test_a_question_is_answered_verbatim_or_says_why_not():
    for question in QUESTIONS:
        name, setup = question["id"], question["setup"]
        assert set(question) == QUESTION_KEYS, name
        assert question["question"].strip(), name
        if question["answer"] is None:
            assert question["why_null"] in WHY_NULL, name
            assert question["as_of"] is None, name
        else:
            assert question["why_null"] is None, name
            assert question["answer"], name
            assert any(question["answer"] in each["text"] for each in setup), name
            assert question["as_of"] is None or is_utc_second(question["as_of"]), name


def test_the_messages_before_a_question_are_one_to_five_in_order():
    for question in QUESTIONS:
        name, setup = question["id"], question["setup"]
        assert 1 <= len(setup) <= 5, name
        assert all(set(each) == {"at", "text"} and is_utc_second(each["at"]) for each in setup), name
        moments = [each["at"] for each in setup]
        assert moments == sorted(set(moments)), name


@pytest.mark.parametrize("lang", QUESTIONS_PER_LANGUAGE)
def test_half_of_the_questions_have_no_answer_for_each_of_the_reasons(lang):
    mine = [question for question in QUESTIONS if question["lang"] == lang]
    reasons = Counter(question["why_null"] for question in mine)
    assert 2 * reasons[None] == len(mine)
    assert set(reasons) == WHY_NULL | {None}


def test_the_page_gives_the_counts_that_the_files_have():
    page = (DATA / "statements.md").read_text(encoding="utf-8")
    relations = Counter(statement["relation"] for _, statement in STATEMENTS)
    traps = Counter(message["trap"] or "none" for message in MESSAGES if not message["expect"])
    reasons = Counter(question["why_null"] for question in QUESTIONS if question["why_null"])
    for counted in (relations, traps, reasons):
        assert [w for w, n in counted.items() if not re.search(rf"\b{w} {n}\b", page)] == []
