"""F1: `delete_all(user_id="A")` took everybody's memories."""

from affidavit import Memory
from tests.support_memories import Remembering

SAID = ("I live in Oslo", "my cat is called Bo", "I work at the harbour")


def test_the_other_user_keeps_everything_in_every_channel(memory: Memory) -> None:
    for user in ("A", "B"):
        for text in SAID:
            memory.add(text, user_id=user, session_id="s")
    kept = memory.list(user_id="B").items
    assert memory.delete_all(user_id="A").episodes == 3

    assert memory.list(user_id="A").total == 0
    assert memory.get_all(user_id="A").items == ()
    assert memory.list(user_id="A", session_id="s").total == 0
    for text in SAID:
        assert memory.search(text, user_id="A").hits == ()
        assert memory.search(text, user_id="B").hits[0].evidence[0].text == text
    assert memory.list(user_id="B").items == kept
    assert [memory.get(item.id, user_id="B") for item in kept] == list(kept)
    assert memory.admin.inspect().rows["episode"] == 3
    assert not memory.verify().problems


def test_the_names_of_other_owners_do_not_protect_or_expose(memory: Memory) -> None:
    memory.add("of the user", user_id="A")
    memory.add("of the agent", agent_id="A", role="assistant")
    memory.add("of the team", user_id="B", team_id="A")
    memory.delete_all(user_id="A")
    assert memory.list(agent_id="A").total == 1
    assert memory.list(team_id="A").total == 1


def test_the_other_user_keeps_all_memories_with_all_they_rest_on(memory: Memory) -> None:
    for user in ("A", "B"):
        for text in SAID:
            memory.add(text, user_id=user, session_id="s", source_id="x")
        home = next(item.id for item in memory.list(user_id=user) if item.text == "The user lives in Oslo.")
        memory.update(home, "I live in Bergen", user_id=user)
    her = Remembering(memory, "B")
    kept = her.items(), [her.supports(row.id) for row in her.items()]
    assert len(kept[0]) >= 2
    memory.forget(user_id="A", session_id="s")
    memory.sources.revoke("x", user_id="B")
    memory.delete_all(user_id="A")
    assert Remembering(memory, "B").status(kept[0][-1].id) == ("active", "authorized")
    assert len(her.items()) == len(kept[0])
    assert memory.answer("Where do I live?", user_id="B").text == "Bergen"
    assert memory.answer("Where do I live?", user_id="A").text == memory.answer("?", user_id="A").text
    assert not memory.verify().problems
