"""What two real small models said of 300 messages goes through the real parsing, checks, reconcile and commit again.

They copy the example of their orders, make up quotes, and quote truly what they then turn round: "I hate cilantro" for
"The user loves cilantro". Nothing of that may be remembered. `tests/support_oracle.py` judges it, and labels made by
hand (`tests/data/recorded/labels.md`).
"""

import json

import pytest

from tests.support_attacks import WHO, harm, opened
from tests.support_oracle import answer_faults, faults, same, stored_as
from tests.support_recorded import (
    AGAIN,
    MODELS,
    Noting,
    Replaying,
    labels,
    numbered_attacks,
    recorded_attacks,
    recording,
    replay,
    with_recorded,
)

LABELS = labels()
LIVE = 20


@pytest.mark.parametrize("name", MODELS)
def test_no_memory_says_what_its_quote_does_not(tmp_path, name):
    wrong, refused, kept = [], 0, 0
    for done in replay(tmp_path, name, "messages"):
        refused += sum(len(result.rejected) for result in done.results)
        kept += len(done.memories)
        for one in done.memories:
            wrong += [(done.told.id, fault, one.text) for fault in faults(one, done.episodes)]
        for label in LABELS:
            if (label["model"], label["id"]) == (name, done.told.id):
                wrong += [
                    (done.told.id, "not carried", one.text) for one in false_memories(label, done.memories)
                ]
    assert wrong == []
    assert refused > 50
    assert kept > 30


@pytest.mark.parametrize("name", MODELS)
def test_no_answer_says_what_it_does_not_cite(tmp_path, name):
    wrong, chosen = [], 0
    for done in replay(tmp_path, name, "questions"):
        answer = done.answer
        assert answer is not None
        wrong += [
            (done.told.id, fault, answer.text) for fault in answer_faults(answer, done.episodes, done.opened)
        ]
        chosen += "model" in {step.rung for step in answer.steps}
    assert wrong == []
    assert chosen >= 10


def false_memories(label, memories):
    """The memories that say what a reader says that the quote does not carry."""
    found = []
    if not label["carried"] and not same(label["text"], label["quote"]):
        found += stored_as(label["text"], memories)
    if label["triple"] is False:
        value = label["value"]
        found += [
            one
            for one in memories
            if (one.relation, one.negated) == (label["relation"], label["negated"])
            and same(one.object or "", value)
        ]
    return found


def test_the_labels_are_of_what_was_recorded():
    said = {
        (name, told.id): "\n".join(told.replies.get("extract", ()))
        for name in MODELS
        for told in recording(name, "messages").told
    }
    for label in LABELS:
        for words in (label["quote"], label["text"]):
            spelled = {json.dumps(words, ensure_ascii=plain)[1:-1] for plain in (True, False)}
            assert any(one in said[label["model"], label["id"]] for one in spelled)
    assert len(LABELS) >= 150


@pytest.mark.parametrize("name", MODELS)
def test_the_models_were_asked_as_they_would_be_today(tmp_path, name):
    """Where they were not, their recorded words are replayed all the same."""
    noting = Noting(Replaying(name))
    with opened(tmp_path, noting) as memory:
        memory.add("I like jazz", user_id=WHO)
    if sorted(noting.prompts["extract"]) != sorted(recording(name, "messages").prompts["extract"]):
        pytest.skip(f"{name} was asked otherwise then; {AGAIN} {name} messages")


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_the_attack_fails_with_what_a_real_model_said(tmp_path, name):
    attacks, said = numbered_attacks(), recorded_attacks(name)
    had = {id_: harm(tmp_path / id_, attacks[id_], with_recorded(name, one)) for id_, one in said.items()}
    assert {id_: what for id_, what in had.items() if what} == {}
    assert len(said) >= 15
