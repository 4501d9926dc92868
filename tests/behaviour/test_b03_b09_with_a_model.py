"""Behaviours 2 to 4, 7 and 9 through a model's reply: short names, labels repaired, dates of our own."""

import pytest

from affidavit import Config, Memory
from tests.conftest import TestClock
from tests.support_replies import Replying, named, said, statement, texts

DENTIST = "The dentist sees me next Friday"


def added(config: Config, clock: TestClock, reply: str, *messages: str, **more):
    memory = Memory(config=config, clock=clock, llm=Replying(reply))
    done = memory.add([{"role": "user", "content": one} for one in messages], user_id="ana", **more)
    return memory, done


def test_b02_a_quote_that_stands_nowhere_is_refused_and_the_others_are_kept(config, clock) -> None:
    reply = said(
        statement("The user's bicycle is red.", "My bicycle is red"),
        statement("The user's bicycle is green.", "My bicycle is green"),
    )
    memory, done = added(config, clock, reply, "My bicycle is green")
    with memory:
        assert [one.code for one in done.rejected] == ["quote_not_found"]
        assert texts(memory) == ["The user's bicycle is green."]


@pytest.mark.parametrize("alias", ["m12", "m0", "e1", "M1", "ep_01", "", "1"])
def test_b03_an_unknown_name_is_repaired_by_the_words_or_refused_alone(config, clock, alias: str) -> None:
    reply = said(
        statement("The user's bicycle is green.", "My bicycle is green", alias),
        statement("The user's bicycle is blue.", "My bicycle is blue", alias),
    )
    memory, done = added(config, clock, reply, "My bicycle is green", "Hello to you all")
    with memory:
        assert texts(memory) == ["The user's bicycle is green."]
        assert [one.code for one in done.rejected] == ["unknown_episode"]
        (item,) = memory.list(user_id="ana", kinds="fact").items
        assert item.memory is not None
        assert item.memory.evidence[0].episode_id == done.episodes[0].id


def test_b03_what_was_said_before_is_shown_and_is_no_source(config: Config, clock: TestClock) -> None:
    model = Replying(said())
    with Memory(config=config, clock=clock, llm=model) as memory:
        memory.add("My bicycle is green", user_id="ana", session_id="s")
        memory.add("Something else entirely", user_id="ana", session_id="other")
        model.replies = [said(statement("The user's bicycle is green.", "My bicycle is green"))]
        done = memory.add("It stands in the shed", user_id="ana", session_id="s")
        shown = model.shown[-1]
        assert shown.index("My bicycle is green") < shown.index("New messages:") < shown.index("It stands")
        assert "Something else entirely" not in shown
        assert [one.code for one in done.rejected] == ["quote_not_found"]
        assert texts(memory) == []


def event(**fields):
    return said(statement("The dentist sees the user next Friday.", DENTIST, kind="event", **fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"date": "2026-05-15", "date_words": "next Friday"},
        {"date": "2026-05-22", "date_words": "next Friday"},
        {"date": "", "date_words": "next Friday"},
        {"date": "2026-05-15"},
        {"date": "15/05/2026", "date_words": "Friday"},
        {"date": "99999-99-99"},
        {"date": "in 100,000 years"},
    ],
)
def test_b09_a_date_is_what_the_words_say_whatever_the_model_makes_of_them(config, clock, fields) -> None:
    memory, _ = added(config, clock, event(**fields), DENTIST, occurred_at="2026-05-06")
    with memory:
        (item,) = memory.list(user_id="ana", kinds="event").items
        assert item.memory is not None
        occurred = item.memory.occurred
        assert occurred is not None
        assert (occurred.local_text(), occurred.text) == ("2026-05-15", "next Friday")


def test_b09_a_date_that_no_words_say_is_none(config, clock) -> None:
    reply = said(
        statement("The dentist sees the user.", "The dentist sees me", kind="event", date="2026-05-15")
    )
    memory, _ = added(config, clock, reply, "The dentist sees me", occurred_at="2026-05-06")
    with memory:
        (item,) = memory.list(user_id="ana", kinds=["event", "fact"]).items
        assert item.memory is not None
        assert item.memory.occurred is None or not item.memory.occurred.is_known


def test_the_calendar_has_the_days_round_the_day_it_was_said_in_its_own_offset(config, clock) -> None:
    model = Replying(said())
    with Memory(config=config, clock=clock, llm=model) as memory:
        memory.add(DENTIST, user_id="ana", occurred_at="2026-05-07T01:30+09:00")
        memory.add(DENTIST, user_id="ana", occurred_at="0001-01-01")
        memory.add(DENTIST, user_id="ana", occurred_at="2026-02-27")
    first, oldest, last = model.shown
    assert "said on Thursday 2026-05-07" in first
    assert "- next week: Monday 2026-05-11, " in first
    assert "Friday 2026-05-15" in first
    assert "said on Monday 0001-01-01" in oldest
    assert "Sunday 2026-03-01" in last
    assert named(first, DENTIST) == "m1"
