"""F29 (hindsight#3477): two items were merged, and one of their dates was lost."""

import pytest

from affidavit import Memory, When
from tests.support_choices import choosing, operations, said_by
from tests.support_models import propose, stated


def instants(*days: str) -> set[int | None]:
    """When days begin."""
    return {When.parse(day).start for day in days}


def test_what_is_said_twice_keeps_the_day_of_each_saying(memory: Memory) -> None:
    for day in ("2026-01-10", "2026-04-20"):
        memory.add({"role": "user", "content": "I'm allergic to shellfish", "at": day}, user_id="ana")
    (item,) = memory.list(user_id="ana", kinds="fact").items
    assert item.memory is not None
    said = [memory.get(quote.episode_id, user_id="ana").episode for quote in item.memory.evidence]
    assert {one.occurred.start for one in said if one is not None} == instants("2026-01-10", "2026-04-20")
    assert item.memory.valid.start == When.parse("2026-01-10").start


@pytest.mark.parametrize(
    "first, second", [("on 5 June 2026", "on 12 June 2026"), ("on 12 June 2026", "on 5 June 2026")]
)
def test_the_same_event_on_two_days_is_two(memory: Memory, first: str, second: str) -> None:
    for when in (first, second):
        memory.add(f"My dentist appointment is {when}", user_id="ana")
    items = [one.memory for one in memory.list(user_id="ana", kinds="event")]
    days = {one.occurred.start for one in items if one is not None and one.occurred is not None}
    assert days == instants("2026-06-05", "2026-06-12")
    assert len(items) == 2
    shown = memory.recall("When is my dentist appointment?", user_id="ana").render()
    assert "2026-06-05" in shown
    assert "2026-06-12" in shown


def test_a_text_made_of_two_messages_quotes_both_with_their_days(memory: Memory) -> None:
    first, second = "I met Bo in Rome", "I met Cem in Oslo"
    text = "The user met Bo in Rome, met Cem in Oslo."
    propose(memory, lambda ids: [stated(text, (ids[0], first), (ids[1], second))])
    batch = [
        {"role": "user", "content": first, "at": "2026-01-10"},
        {"role": "user", "content": second, "at": "2026-04-20"},
    ]
    memory.add(batch, user_id="ana")
    (item,) = memory.list(user_id="ana", kinds=["fact", "event"]).items
    assert item.memory is not None
    said = [memory.get(quote.episode_id, user_id="ana").episode for quote in item.memory.evidence]
    assert [one.occurred.local_text() for one in said if one is not None] == ["2026-01-10", "2026-04-20"]


@pytest.mark.parametrize("op", ["UPDATE", "DELETE", "NOOP"])
def test_a_model_that_merges_two_days_into_one_is_overruled(memory: Memory, op: str) -> None:
    choosing(memory, lambda shown: operations((op, "c1", "m1")))
    for day in ("2026-06-05", "2026-06-12"):
        time = When.parse(day)
        said_by(
            memory,
            f"I met Bo in Rome on {day}",
            f"The user met Bo in Rome on {day}.",
            kind="event",
            occurred=time,
        )
    found = [one.memory for one in memory.list(user_id="ana", kinds="event").items]
    assert {one.occurred.start for one in found if one is not None and one.occurred} == instants(
        "2026-06-05", "2026-06-12"
    )
    assert all(one.status == "active" for one in found if one is not None)


def test_a_home_said_of_two_days_is_found_on_each(memory: Memory) -> None:
    memory.add({"role": "user", "content": "I live in Lisbon", "at": "2025-02-01"}, user_id="ana")
    memory.add({"role": "user", "content": "I live in Porto", "at": "2025-08-01"}, user_id="ana")
    memory.add({"role": "user", "content": "I live in Lisbon", "at": "2026-02-01"}, user_id="ana")
    days = ("2025-03", "2025-09", "2026-03")
    held = [memory.answer("Where do I live?", user_id="ana", as_of=day).text for day in days]
    assert held == ["Lisbon", "Porto", "Lisbon"]
