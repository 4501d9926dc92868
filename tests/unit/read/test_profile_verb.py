"""`profile`: the page about the user, as a value of its own."""

import asyncio

import pytest

from affidavit import AsyncMemory, Config, Memory, Profile
from affidavit.core.when import DAY
from affidavit.errors import DateError


def test_the_page_as_lines_and_as_markdown(memory, clock):
    memory.add("I live in Lisbon. I'm 41 years old.", user_id="ana")
    memory.add({"role": "mail", "name": "Bob", "content": "Ana lives in Minsk"}, user_id="ana")
    memory.add({"role": "assistant", "content": "You live in Oslo"}, user_id="ana")
    page = memory.profile(user_id="ana")
    assert isinstance(page, Profile)
    assert [(one.about, one.text, one.stale) for one in page] == [
        ("user", "The user lives in Lisbon.", False),
        ("user", "The user is 41 years old.", False),
    ]
    assert page.markdown == memory.recall(user_id="ana").profile
    assert page.to_dict()["markdown"] == page.markdown
    assert page.to_dict()["lines"][0]["id"] == page.lines[0].id
    clock.forward(seconds=200 * DAY / 1_000_000)
    assert [one.stale for one in memory.profile(user_id="ana")] == [False, True]


def test_a_line_is_edited_by_what_it_cites(memory):
    memory.add("I live in Lisbon.", user_id="ana")
    line = memory.profile(user_id="ana").lines[0]
    memory.update(line.id, "I live in Porto", user_id="ana")
    assert [one.text for one in memory.profile(user_id="ana")] == ["I live in Porto"]
    memory.retract(memory.profile(user_id="ana").lines[0].id, user_id="ana")
    assert memory.profile(user_id="ana").markdown == ""


def test_of_another_time_and_of_an_earlier_belief(memory, clock):
    memory.add({"role": "user", "content": "I moved to Madrid", "at": "2026-03-10"}, user_id="ana")
    clock.forward(seconds=DAY / 1_000_000)
    memory.add({"role": "user", "content": "I live in Lisbon", "at": "2026-06-02"}, user_id="ana")
    assert "Lisbon" in memory.profile(user_id="ana").markdown
    assert "Madrid" in memory.profile(user_id="ana", as_of="2026-04-01").markdown
    assert memory.profile(user_id="ana", known_at="2026-01-01").lines == ()
    with pytest.raises(DateError):
        memory.profile(user_id="ana", as_of="sometime")


def test_it_is_the_callers_own_page_and_keeps_no_trace(memory):
    memory.add({"role": "system", "content": "x"}, agent_id="bot")
    memory.add("I live in Lisbon.", user_id="ana")
    traces = memory.admin.inspect().rows["trace"]
    assert memory.profile(user_id="eve").lines == ()
    assert memory.profile(user_id="eve", agent_id="bot").lines == ()
    assert memory.profile(user_id="ana", agent_id="bot").lines
    assert memory.profile(team_id="x").lines == ()
    assert memory.admin.inspect().rows["trace"] == traces


def test_awaited(config: Config):
    async def main() -> str:
        async with AsyncMemory(config=config) as memory:
            await memory.add("I live in Lisbon.", user_id="ana")
            return (await memory.profile(user_id="ana")).markdown

    assert "The user lives in Lisbon." in asyncio.run(main())
    with Memory(config=config) as memory:
        assert "The user lives in Lisbon." in memory.profile(user_id="ana").markdown
