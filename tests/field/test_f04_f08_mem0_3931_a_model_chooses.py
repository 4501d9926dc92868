"""F4 (mem0#4536, mem0#5576, graphiti#1728), F8 (mem0#3931): what a model chooses of what changed, right or wrong."""

import json
from typing import Any

import pytest

from affidavit import AddResult, Memory, MemoryStatus
from tests.support_choices import choosing, operations, said_by, told


def current(memory: Memory) -> set[str]:
    """What is believed now."""
    items = [one.memory for one in memory.list(user_id="ana", kinds=["fact", "preference"]).items]
    return {one.text for one in items if one is not None and one.status is MemoryStatus.ACTIVE}


def test_love_becomes_hate_with_one_current_value_and_its_history(memory: Memory) -> None:
    model = choosing(memory, lambda shown: operations(("UPDATE", "c1", told(shown, "loves"))))
    said_by(memory, "I really love Chinese food from Hunan", "The user really loves Chinese food from Hunan.")
    said_by(memory, "I love tea in the garden", "The user loves tea in the garden.")
    assert model.shown == [], "where nothing is near nothing is asked"
    done = said_by(
        memory, "I really hate Chinese food from Hunan", "The user really hates Chinese food from Hunan."
    )
    assert len(model.shown) == 1
    assert done.cost.model_calls == 1
    assert [one.version for one in done.updated] == [2]
    assert [one.version for one in done.retracted] == [1]
    assert current(memory) == {
        "The user really hates Chinese food from Hunan.",
        "The user loves tea in the garden.",
    }, "what has nothing to do with it is untouched"
    history = memory.history(done.updated[0].id, user_id="ana")
    assert [one.text.split()[3] for one in history] == ["loves", "hates"]
    assert memory.verify().problems == ()


@pytest.mark.parametrize("op", ["UPDATE", "DELETE", "NOOP"])
def test_a_uses_b_and_b_uses_c_are_two(memory: Memory, op: str) -> None:
    choosing(memory, lambda shown: operations((op, "c1", "m1")))
    said_by(memory, "Atlas uses Boreas", "Atlas uses Boreas.", subject="Atlas")
    said_by(memory, "Boreas uses Ceto", "Boreas uses Ceto.", subject="Boreas")
    assert current(memory) == {"Atlas uses Boreas.", "Boreas uses Ceto."}


def test_what_is_named_as_replaced_is(memory: Memory) -> None:
    choosing(memory, lambda shown: operations(("DELETE", "", "m1"), ("ADD", "c1", "")))
    said_by(memory, "Atlas uses MySQL", "Atlas uses MySQL.", subject="Atlas")
    done = said_by(
        memory,
        "Atlas uses Postgres instead of MySQL",
        "Atlas uses Postgres instead of MySQL.",
        subject="Atlas",
    )
    assert len(done.updated) == 1
    assert current(memory) == {"Atlas uses Postgres instead of MySQL."}


def changed(memory: Memory, reply: Any) -> AddResult:
    """What is said after `Atlas uses MySQL`, of which a model chooses by this reply."""
    choosing(memory, lambda shown: reply if isinstance(reply, str) else operations(*reply))
    said_by(memory, "Atlas uses MySQL", "Atlas uses MySQL.", subject="Atlas")
    return said_by(memory, "Atlas no longer uses MySQL", "Atlas no longer uses MySQL.", subject="Atlas")


def test_f08_an_id_of_nothing_is_refused_and_the_others_are_applied(memory: Memory) -> None:
    done = changed(memory, [("UPDATE", "c1", "12"), ("UPDATE", "c1", "m1"), ("MERGE", "c1", "m1")])
    assert [one.code for one in done.overruled] == ["unknown_alias", "unknown_operation"]
    assert all(one.hint for one in done.overruled)
    assert len(done.updated) == 1
    assert current(memory) == {"Atlas no longer uses MySQL."}


@pytest.mark.parametrize(
    "reply",
    [
        [],
        [("ADD", "c1", "")],
        [("UPDATE", "c1", "12")],
        [("NOOP", "c1", "m1")],
        [("NOOP", "c1", "m1"), ("DELETE", "c1", "m1")],
        [("DELETE", "c1", f"m{n}") for n in range(2, 3000)],
        "",
        "I'd rather not.",
        '{"operations": 7}',
        '{"operations": [null, 5, {"operation": null}, {"operation": {"a": 1}, "candidate": [], "memory": 3}]}',
        "[" * 5_000,
        json.dumps({"operations": [{"operation": "DELETE", "candidate": "c1", "memory": "mem_x@1"}]}),
    ],
)
def test_f08_whatever_is_replied_nothing_is_lost_and_nothing_waits(memory: Memory, reply: Any) -> None:
    done = changed(memory, reply)
    assert done.pending.get("extract", 0) == 0
    assert current(memory) == {"Atlas uses MySQL.", "Atlas no longer uses MySQL."}
    assert len(done.added) == 1
    assert memory.verify().problems == ()


def test_f08_a_model_that_fails_is_told(memory: Memory) -> None:
    done = changed(memory, "nothing of use")
    (problem,) = done.problems
    assert "chose nothing" in problem
    assert done.cost.model_calls == 2
    assert done.cost.repairs == 1
