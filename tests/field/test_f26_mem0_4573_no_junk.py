"""F26: of 10,000 stored memories 97.8 % were boot prompts, heartbeats and boilerplate, said again and again."""

import pytest

from affidavit import Memory

JUNK = (
    "Review the conversation above and extract facts.",
    "HEARTBEAT_OK",
    "System: session resumed, 14 tools loaded.",
    "You are Nova, a helpful agent. You live in the terminal and work at Orbit.",
    "Read AGENTS.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.",
    "[cron] memory consolidation finished in 3.2 s",
)


@pytest.mark.parametrize("role", ["user", "system", "assistant", "tool"])
def test_fifty_times_the_same_boilerplate_makes_no_memory(memory: Memory, role: str) -> None:
    for text in JUNK:
        done = memory.add([{"role": role, "content": text}] * 50, user_id="ana")
        assert (done.added, done.updated, done.supported) == ((), (), ()), text
    kinds = ["fact", "preference", "event", "instruction"]
    assert memory.list(user_id="ana", kinds=kinds).total == 0
    assert memory.list(user_id="ana", kinds="episode").total == 50 * len(JUNK)
    assert memory.recall(user_id="ana").grounded == ()


def test_what_the_user_says_between_is_remembered(memory: Memory) -> None:
    for text in (*JUNK, "I live in Lisbon now", *JUNK):
        memory.add(text, user_id="ana")
    assert memory.answer("Where do I live?", user_id="ana").text == "Lisbon"
