"""F1: `delete_all(user_id="A")` took everybody's memories."""

from affidavit import Memory

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
