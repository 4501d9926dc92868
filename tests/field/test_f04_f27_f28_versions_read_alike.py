"""F4 (mem0#4536, #5576, graphiti#1728), F27 (superlocalmemory#136), F28 (agent-memory-server#196), read by search.

One value is current, what was before is history and marked, and every verb of reading says the same.
"""

import pytest

from affidavit import Memory
from affidavit.core.memories import Kind
from tests.support_memories import Remembering


@pytest.fixture
def ana(memory: Memory) -> Remembering:
    """What Ana says; nothing is derived from it but what a test takes in."""
    return Remembering(memory, "ana", infer=False)


def current(ana: Remembering, question: str, **more: object) -> list[str]:
    """The texts of the memories found."""
    hits = ana.memory.search(question, user_id="ana", **more)  # type: ignore[arg-type]
    return [hit.text for hit in hits if hit.memory is not None]


def test_f4_love_turned_to_hate_is_one_current_value_with_history(ana: Remembering, clock) -> None:
    liked = ana.remember(
        "I love Chinese food", relation="like", object="Chinese food", kind=Kind.PREFERENCE,
        text="The user likes Chinese food.",
    )  # fmt: skip
    tea = ana.remember(
        "I love green tea", relation="like", object="green tea", text="The user likes green tea."
    )
    clock.forward(seconds=3_600)
    hated = ana.remember(
        "I hate Chinese food now", relation="dislike", object="Chinese food", kind=Kind.PREFERENCE,
        text="The user dislikes Chinese food.",
    )  # fmt: skip
    assert current(ana, "Chinese food") == ["The user dislikes Chinese food."]
    assert [one.version_id for one in ana.memory.history(hated, user_id="ana")] == [liked, hated]
    old = [
        hit
        for hit in ana.memory.search("love Chinese food", user_id="ana")
        if hit.text == "I love Chinese food"
    ]
    assert [(hit.standing, hit.superseded_by) for hit in old] == [("history", hated)]
    untouched = ana.memory.get(tea, user_id="ana").memory
    assert untouched is not None
    assert untouched.holds == "current"


def test_f4_another_value_of_somebody_else_leaves_an_unrelated_fact_alone(ana: Remembering, clock) -> None:
    first = {"role": "user", "content": "Ana uses Zed"}
    ana.remember(
        first, relation="favorite", qualifier="editor", object="Zed", subject="Ana", text="Ana uses Zed."
    )
    ana.remember("Zed is written in Rust", text="Zed is written in Rust.")
    clock.forward(seconds=60)
    ana.remember(
        "Ana uses Helix",
        relation="favorite",
        qualifier="editor",
        object="Helix",
        subject="Ana",
        text="Ana uses Helix.",
    )
    assert current(ana, "What does Ana use?") == ["Ana uses Helix."]
    assert current(ana, "What is Zed written in?")[0] == "Zed is written in Rust."


def test_f4_a_contradiction_that_no_rule_settles_is_shown(ana: Remembering) -> None:
    ana.remember("I am vegetarian", relation="diet", object="vegetarian", text="The user is vegetarian.")
    ana.remember(
        {"role": "tool", "content": "diet: meat eater"},
        relation="diet",
        object="meat eater",
        text="The user is a meat eater.",
    )
    result = ana.memory.search("Which diet is the user on, vegetarian or meat eater?", user_id="ana")
    [group] = result.conflicts
    assert {(one.text, one.authority) for one in group.members} == {
        ("The user is vegetarian.", "authorized"),
        ("The user is a meat eater.", "unendorsed"),
    }


def test_f27_every_verb_of_reading_says_the_same_of_a_superseded_fact(ana: Remembering, clock) -> None:
    old = ana.lives_in("Lisbon")
    clock.forward(seconds=60)
    new = ana.lives_in("Porto", "I moved to Porto")
    question = "Where do I live?"
    assert current(ana, question) == ["The user lives in Porto."]
    assert current(ana, question, granularity="fact") == ["The user lives in Porto."]
    item = ana.memory.get(old.split("@")[0], user_id="ana").memory
    assert item is not None
    assert item.version_id == new
    told = ana.memory.why(question, old, user_id="ana")
    assert (told.because, told.by) == ("superseded", new)
    versions = {one.version_id: one for one in ana.memory.history(old, user_id="ana")}
    listed = {
        one.memory.version_id: one.memory
        for one in ana.memory.list(user_id="ana", kinds=["fact"])
        if one.memory
    }
    for seen in (versions, listed):
        assert (seen[old].holds, seen[old].why, seen[old].grounded) == ("history", "superseded", False)
        assert (seen[new].holds, seen[new].why, seen[new].grounded) == ("current", None, True)


def test_f28_an_older_event_told_after_a_newer_one_stays_older(ana: Remembering) -> None:
    ana.lives_in("Porto", {"role": "user", "content": "I live in Porto", "at": "2026-03-01"})
    for _ in range(2):
        ana.lives_in("Lisbon", {"role": "user", "content": "I live in Lisbon", "at": "2025-03-01"})
        assert current(ana, "Where do I live?") == ["The user lives in Porto."]
        assert current(ana, "Where do I live?", as_of="2025-06") == ["The user lives in Lisbon."]


@pytest.mark.parametrize(
    "first, then, question, now",
    [
        (
            "I love Chinese food",
            "I hate Chinese food now",
            "Do I like Chinese food?",
            "I hate Chinese food now",
        ),
        ("I'm vegetarian", "I'm no longer vegetarian", "Am I vegetarian?", "I'm no longer vegetarian"),
        ("I live in Lisbon", "I moved to Porto", "Where do I live?", "Porto"),
        ("Vivo en Lisboa", "Me mudé a Oporto", "¿Dónde vivo?", "Oporto"),
    ],
)
def test_f27_search_recall_and_answer_say_the_same_of_what_was_only_told(
    memory: Memory, clock, first: str, then: str, question: str, now: str
) -> None:
    memory.add(["My sister's name is Ines", first], user_id="ana")
    clock.forward(seconds=3_600)
    memory.add(then, user_id="ana")
    answer = memory.answer(question, user_id="ana")
    assert now in answer.text
    assert [one.quote for one in answer.citations] == [then]
    grounded = memory.recall(question, user_id="ana").grounded
    cited = {episode for one in grounded for episode in one.episodes}
    old = memory.search(first, user_id="ana", granularity="raw").hits
    gone = {hit.id for hit in old if hit.text == first}
    assert len(gone) == 1
    assert cited.isdisjoint(gone)
    assert gone.isdisjoint(one.id for one in grounded)
    assert {hit.standing for hit in old if hit.id in gone} == {"history"}
    assert all(
        hit.memory is None or hit.memory.holds == "current" for hit in memory.search(question, user_id="ana")
    )
    assert memory.answer("What is my sister's name?", user_id="ana").text == "Ines"


@pytest.mark.parametrize("order", [("2026-03-01", "2025-03-01"), ("2025-03-01", "2026-03-01")])
def test_f28_an_older_message_that_comes_late_answers_nothing_about_now(
    memory: Memory, order: tuple[str, str]
) -> None:
    said = {"2026-03-01": "I live in Porto", "2025-03-01": "I live in Lisbon"}
    for day in (*order, *order):
        memory.add({"role": "user", "content": said[day], "at": day}, user_id="ana")
    assert memory.answer("Where do I live?", user_id="ana").text == "Porto"
    assert memory.answer("Where do I live?", user_id="ana", as_of="2025-06").text == "Lisbon"
    context = memory.recall("Where do I live?", user_id="ana")
    assert not any("Lisbon" in one.text for one in context.grounded)
