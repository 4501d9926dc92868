"""F2: `delete_all` stopped after its first page."""

from affidavit import Memory
from tests.support_memories import Remembering, admitted
from tests.support_stores import assert_physical


def test_1205_are_gone_and_reported(memory: Memory) -> None:
    for start in range(0, 1_205, 241):
        batch = [{"role": "user", "content": f"note {n} of the long list"} for n in range(start, start + 241)]
        assert len(memory.add(batch, user_id="A").episodes) == 241
    memory.add("note of another", user_id="B")
    assert memory.list(user_id="A", limit=1).total == 1_205

    receipt = memory.delete_all(user_id="A")

    assert receipt.episodes == 1_205
    assert_physical(memory, receipt)
    assert memory.list(user_id="A").total == 0
    assert memory.search("note", user_id="A", limit=1_000).hits == ()
    assert memory.admin.inspect().rows["episode"] == 1
    assert not memory.verify().problems


def test_a_session_of_1205_goes_in_one_commit_and_leaves_the_others(memory: Memory) -> None:
    batch = [{"role": "user", "content": f"note {n}"} for n in range(1_000)]
    memory.add(batch, user_id="A", session_id="long")
    memory.add(batch[:205], user_id="A", session_id="long")
    memory.add("a short one", user_id="A", session_id="short")
    assert memory.forget(user_id="A", session_id="long").episodes == 1_205
    assert [item.text for item in memory.list(user_id="A")] == ["a short one"]
    assert not memory.verify().problems


def test_1205_memories_are_gone_and_reported(memory: Memory) -> None:
    his, hers = Remembering(memory, "A"), Remembering(memory, "B")
    for start in range(0, 1_205, 241):
        batch = [
            {"role": "user", "content": f"I keep note {n} of the list"} for n in range(start, start + 241)
        ]
        said = memory.add(batch, user_id="A", session_id="long", infer=False).episodes
        his.take(*(admitted(episode) for episode in said))
    kept = hers.remember("I keep note 7 of the list")
    receipt = his.forget(session_id="long", dry_run=True)
    assert (receipt.episodes, receipt.versions) == (1_205, 1_205)
    receipt = memory.delete_all(user_id="A")
    assert (receipt.episodes, receipt.versions) == (1_205, 1_205)
    assert memory.list(user_id="A").total == 0
    assert memory.search("note", user_id="A", limit=1_000).hits == ()
    assert [row.id for row in hers.items()] == [kept]
    assert not memory.verify().problems
