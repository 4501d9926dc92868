"""F15 through `add`: the offset was dropped, local times became UTC, "in 2026" became the first of January."""

from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest

from affidavit import Config, Memory

CASES: list[tuple[Any, str, str, int | None, str]] = [
    ("2025-07-25T02:00Z", "2025-07-25T02:00:00.000000Z", "2025-07-25T02:01:00.000000Z", 0, "minute"),
    ("2025-07-25T12:45+08:00", "2025-07-25T04:45:00.000000Z", "2025-07-25T04:46:00.000000Z", 480, "minute"),
    ("2026", "2026-01-01T00:00:00.000000Z", "2027-01-01T00:00:00.000000Z", None, "year"),
    ("2026-03", "2026-03-01T00:00:00.000000Z", "2026-04-01T00:00:00.000000Z", None, "month"),
    (date(2026, 3, 10), "2026-03-10T00:00:00.000000Z", "2026-03-11T00:00:00.000000Z", None, "day"),
    (
        datetime(2025, 7, 25, 12, 45, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
        "2025-07-25T16:15:00.000000Z",
        "2025-07-25T16:15:00.000001Z",
        -210,
        "microsecond",
    ),
]


@pytest.mark.parametrize("given, start, end, offset, precision", CASES)
@pytest.mark.parametrize("way", ["message", "argument"])
def test_a_time_comes_back_as_it_was_given(
    config: Config, way: str, given: Any, start: str, end: str, offset: int | None, precision: str
) -> None:
    with Memory(config=config) as memory:
        if way == "message":
            memory.add({"role": "user", "content": "we met", "at": given}, user_id="ana")
        else:
            memory.add("we met", user_id="ana", occurred_at=given)
    with Memory(config=config) as memory:
        item = memory.list(user_id="ana").items[0].episode
        hit = memory.search("met", user_id="ana").hits[0].episode
        assert item is not None
        assert hit is not None
        listed, found = item.occurred, hit.occurred
        assert listed == found
        assert listed.precision == precision
        assert listed.to_dict() == {
            "start": start,
            "end": end,
            "text": None,
            "basis": "stated",
            "offset": offset,
        }


def test_a_message_without_a_time_happened_when_it_came(memory: Memory) -> None:
    episode = memory.add("hello", user_id="ana").episodes[0]
    assert episode.occurred.start == episode.recorded_at
    assert episode.occurred.basis == "inferred"


def test_the_messages_own_time_goes_before_the_calls(memory: Memory) -> None:
    first, second = memory.add(
        [{"role": "user", "content": "a", "at": "2020"}, {"role": "user", "content": "b"}],
        user_id="ana",
        occurred_at="2021",
    ).episodes
    assert (first.occurred.local_text(), second.occurred.local_text()) == ("2020", "2021")


def test_local_times_meet_filters_as_instants(memory: Memory) -> None:
    memory.add("the tide turned", user_id="ana", occurred_at="2025-07-25T00:30+08:00")
    day = {"occurred_at": {"gte": "2025-07-24", "lt": "2025-07-25"}}
    assert memory.search("tide", user_id="ana", filters=day).hits
    assert not memory.search("tide", user_id="ana", filters={"occurred_at": {"gte": "2025-07-25"}}).hits
    assert not memory.search("tide", user_id="ana", as_of="2025-07-24T16:29Z").hits
    assert memory.search("tide", user_id="ana", as_of="2025-07-24T16:30Z").hits


def test_a_year_that_somebody_names_stays_a_year_wide(memory: Memory) -> None:
    memory.add({"role": "user", "content": "I moved to Lisbon in 2024", "at": "2026-03-01"}, user_id="ana")
    (item,) = memory.list(user_id="ana", kinds="fact").items
    assert item.memory is not None
    assert item.memory.valid.text == "in 2024"
    assert item.memory.valid.start is not None
    assert memory.answer("Where do I live?", user_id="ana", as_of="2025-06").text == "Lisbon"
