"""F14: "100,000 years ago" in a text, or a year past the calendar, raised for ever after."""

import pytest

from affidavit import Memory
from affidavit.errors import DateError, FilterError
from affidavit.text.times.dates import dates_in

TEXTS = (
    "Humans painted here 100,000 years ago",
    "十万年前の洞窟の話をした",
    "The temple was built in 500 BC",
    "Our plan ends in the year 12000",
    "13.8 billion years ago it all began",
    "on 31 February 2026 at 25:61 I will call you",
    "in -99999999999999999999 seconds",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_about_such_a_time_is_kept_found_listed_and_verified(memory: Memory, text: str) -> None:
    episode = memory.add(text, user_id="ana").episodes[0]
    assert episode.text == text
    assert memory.list(user_id="ana").items[0].text == text
    assert memory.search(text, user_id="ana").hits[0].id == episode.id
    memory.search(text, user_id="ana", as_of="9999", known_at="9999-12-31T23:59:59.999999Z")
    memory.search(text, user_id="ana", filters={"occurred_at": {"gt": "0001", "lt": "9999"}})
    memory.admin.inspect()
    assert not memory.verify().problems


@pytest.mark.parametrize(
    "date", ["12000", "12000-01-01", "-0500", "100,000 years ago", "500 BC", "十万年前", "0000-01-01"]
)
def test_a_callers_date_past_the_calendar_is_refused(memory: Memory, date: str) -> None:
    with pytest.raises(DateError):
        memory.add("hello", user_id="ana", occurred_at=date)
    with pytest.raises(DateError):
        memory.search("hello", user_id="ana", as_of=date)
    with pytest.raises(FilterError):
        memory.search("hello", user_id="ana", filters={"occurred_at": {"lt": date}})
    assert memory.list(user_id="ana").total == 0


@pytest.mark.parametrize("date", ["0001-01-01", "0001", "1582-10-10", "1969-12-31T23:59:59.999999Z"])
def test_the_edges_of_the_calendar_work_everywhere(memory: Memory, date: str) -> None:
    memory.add("the first day", user_id="ana", occurred_at=date)
    hit = memory.search("first day", user_id="ana", as_of="2026").hits[0]
    assert hit.episode is not None
    assert hit.episode.occurred.contains(hit.episode.occurred.start or 0)
    assert memory.search("first day", user_id="ana", filters={"occurred_at": {"lte": "2000"}}).hits
    assert hit.to_dict()["episode"]["occurred"]["start"].startswith(date[:4])
    assert not memory.verify().problems


@pytest.mark.parametrize("text", TEXTS)
def test_such_a_time_is_read_without_a_place_on_the_calendar(text: str) -> None:
    for said in (0, -(10**20), 10**20):
        for found in dates_in(text, anchor=said, offset=None):
            assert (found.start, found.end) == (None, None)
            assert text[slice(*found.at)] == found.text
