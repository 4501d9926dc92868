"""Behaviours 22, 26, 28, 29 and 30: denial, restating, refused changes, ageing, and values said more exactly."""

from typing import Any

import pytest

from affidavit import Memory, MemoryItem
from tests.support_models import Making, propose, stated

KINDS = ["fact", "preference", "event", "instruction"]
YEAR = 366 * 86_400


def versions(memory: Memory) -> list[MemoryItem]:
    """Every version of every memory, in log order."""
    return [one.memory for one in memory.list(user_id="ana", kinds=KINDS) if one.memory is not None]


def at_home(text: str, quote: str, place: str) -> Making:
    """What a model proposes of somebody's home, with a quote of the first message."""
    return lambda ids: [stated(text, (ids[0], quote), relation="home", object=place)]


@pytest.mark.parametrize(
    "said, denied, asked, shown",
    [
        (
            "I live in Lisbon",
            "I no longer live in Lisbon",
            "Do I live in Lisbon?",
            "No: “I no longer live in Lisbon”",
        ),
        ("I'm vegetarian", "I'm no longer vegetarian", "Am I vegetarian?", "No: “I'm no longer vegetarian”"),
        ("Vivo en Lisboa", "Ya no vivo en Lisboa", "¿Vivo en Lisboa?", "No: “Ya no vivo en Lisboa”"),
        ("我住在里斯本", "我不再住在里斯本了", "我住在里斯本吗？", "不是: “我不再住在里斯本了”"),
    ],
)
def test_b22_a_denial_retracts_the_old_and_is_its_successor(
    memory: Memory, clock: Any, said: str, denied: str, asked: str, shown: str
) -> None:
    old = memory.add(said, user_id="ana").added[0]
    clock.forward(seconds=3_600)
    done = memory.add(denied, user_id="ana")
    assert [(one.id, one.version) for one in done.retracted] == [(old.id, 1)]
    first, second = versions(memory)
    assert (first.holds, first.superseded_by, first.grounded) == ("history", second.version_id, False)
    assert (second.id, second.negated, second.holds, second.grounded) == (old.id, True, "current", True)
    answer = memory.answer(asked, user_id="ana")
    assert answer.text == shown
    assert [one.quote for one in answer.citations] == [denied]
    assert not memory.verify().problems


def test_b26_restating_is_a_support_more_and_no_second_memory(memory: Memory, clock: Any) -> None:
    for text in (
        "I live in Lisbon",
        "I live in Lisbon now",
        "As you know, I live in Lisbon.",
        "Vivo en Lisbon",
    ):
        memory.add(text, user_id="ana")
        clock.forward(seconds=60)
    (home,) = versions(memory)
    assert (home.version, len(home.evidence), home.authority) == (1, 4, "authorized")


@pytest.mark.parametrize(
    "who", [{"role": "mail", "name": "Bo"}, {"role": "tool", "name": "crm"}, {"role": "assistant"},
            {"role": "user", "name": "Eve"}],
)  # fmt: skip
def test_b26_what_others_repeat_does_not_make_it_fresh(
    memory: Memory, clock: Any, who: dict[str, str]
) -> None:
    memory.add("I live in Lisbon", user_id="ana")
    clock.forward(seconds=3 * YEAR)
    assert versions(memory)[0].stale
    said = "The user lives in Lisbon"
    propose(memory, at_home(f"{said}.", said, "Lisbon"))
    memory.add({**who, "content": said}, user_id="ana")
    mine = versions(memory)[0]
    assert (mine.authority, mine.stale, mine.holds) == ("authorized", True, "current")
    assert mine.version_id in memory.recall("Where do I live?", user_id="ana").stale


def test_b26_the_user_does(memory: Memory, clock: Any) -> None:
    memory.add("I live in Lisbon", user_id="ana")
    clock.forward(seconds=3 * YEAR)
    memory.add("I live in Lisbon", user_id="ana")
    assert [one.stale for one in versions(memory)] == [False]


def test_b28_a_refused_change_keeps_both_and_shows_them_as_contested(memory: Memory) -> None:
    mine = memory.add("I live in Lisbon", user_id="ana").added[0]
    said = "The user moved to Oslo"
    propose(memory, at_home(f"{said}.", said, "Oslo"))
    done = memory.add({"role": "tool", "name": "crm", "content": said}, user_id="ana")
    ours, theirs = versions(memory)
    assert (ours.id, ours.status, theirs.status) == (mine.id, "active", "active")
    assert ours.conflicts == theirs.conflicts == done.conflicts
    question = "Where do I live, in Lisbon or Oslo?"
    (group,) = memory.search(question, user_id="ana").conflicts
    assert [one.version_id for one in group.members] == sorted((ours.version_id, theirs.version_id))
    context = memory.recall(question, user_id="ana")
    (contested,) = context.conflicts
    assert {one.id for one in contested.members} == {ours.version_id, theirs.version_id}
    assert "contested" in context.render()
    assert memory.check_action("ship", {"address": "Oslo"}, user_id="ana").outcome == "ask"


def test_b28_between_equals_neither_is_asserted_alone(memory: Memory) -> None:
    for name, place in (("Bo", "Lisbon"), ("Cem", "Oslo")):
        said = f"The user lives in {place}"
        propose(memory, at_home(f"{said}.", said, place))
        memory.add({"role": "mail", "name": name, "content": said}, user_id="ana")
    one, other = versions(memory)
    assert (one.status, other.status) == ("active", "active")
    assert one.conflicts == other.conflicts != ()
    answer = memory.answer("Where do I live?", user_id="ana")
    assert answer.abstained
    assert {claim.claimant for claim in answer.unverified} == {"Bo", "Cem"}


def test_b29_what_passes_lapses_what_lasts_is_flagged_and_nothing_is_deleted(
    memory: Memory, clock: Any
) -> None:
    memory.add("I live in Lisbon. My birthday is 5 May 1990.", user_id="ana")
    memory.add("My dentist appointment is on 5 June 2026", user_id="ana")
    before = memory.list(user_id="ana").total
    clock.forward(seconds=3 * YEAR)
    for _ in range(2):
        seen = {one.relation: (one.holds, one.why, one.stale) for one in versions(memory)}
        assert seen["home"] == ("current", None, True)
        assert seen["birthday"] == ("current", None, False)
        assert seen["plan"] == ("history", "lapsed", False)
        assert memory.list(user_id="ana").total == before
        assert "dentist" not in memory.recall(user_id="ana").render()
        assert memory.search("dentist", user_id="ana").hits
        memory.admin.maintain()
    assert [one.status for one in versions(memory) if one.relation == "plan"] == ["lapsed"]
    assert memory.answer("Where do I live?", user_id="ana", as_of="2026-06-02").text == "Lisbon"
    assert not memory.verify().problems


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0), (1, 0, 1)])
def test_b30_the_more_exact_value_absorbs_the_shorter(
    memory: Memory, clock: Any, order: tuple[int, ...]
) -> None:
    values = ("Lisbon", "Lisbon, Portugal")
    for place in order:
        said = f"I live in {values[place]}"
        propose(memory, at_home(f"The user lives in {values[place]}.", said, values[place]))
        memory.add(said, user_id="ana")
        clock.forward(seconds=3_600)
    assert [one.object for one in versions(memory) if one.holds == "current"] == ["Lisbon, Portugal"]
    assert memory.conflicts(user_id="ana") == ()
    assert memory.answer("Where do I live?", user_id="ana").text == "Lisbon, Portugal"


def test_b30_what_is_not_the_same_accumulates(memory: Memory) -> None:
    for thing in ("tea", "green tea", "coffee"):
        memory.add(f"I like {thing}", user_id="ana")
    assert [(one.object, one.holds) for one in versions(memory)] == [
        ("tea", "current"), ("green tea", "current"), ("coffee", "current"),
    ]  # fmt: skip
