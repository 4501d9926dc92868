"""F12: two users, one question: each got the other's answer."""

from affidavit import Memory
from tests.support_memories import Remembering


def test_each_gets_his_own_answer_and_no_trace_of_the_other(memory: Memory) -> None:
    memory.add("I live in the USA", user_id="ann")
    memory.add("I live in France", user_id="bea")
    for n in range(5):
        memory.add(f"France is where holiday {n} was, I live for it", user_id="bea")

    for user, own, other in (("ann", "USA", "France"), ("bea", "France", "USA")):
        result = memory.search("Where do I live?", user_id=user, limit=100, explain=True)
        assert own in result.hits[0].text
        assert all(other not in hit.text for hit in result.hits)
        assert {hit.user_id for hit in result.hits} == {user}
        assert other not in repr(result.to_dict())
        total = memory.list(user_id=user, kinds="episode").total
        assert total == (1 if user == "ann" else 6)
        assert result.plan["rows"] == memory.list(user_id=user).total
        assert len(result.plan["spaces"]) == 1
        assert memory.search(other, user_id=user, limit=100).plan == result.plan


def test_a_user_who_is_not_here_gets_nothing(memory: Memory) -> None:
    memory.add("I live in the USA", user_id="ann")
    result = memory.search("Where do I live?", user_id="zoe")
    assert result.hits == ()
    assert result.trace_id is None
    assert result.plan["rows"] == 0
    assert memory.admin.inspect().spaces == {"user": 1}


def test_scores_do_not_depend_on_what_others_keep(memory: Memory) -> None:
    memory.add("I live in the USA", user_id="ann")
    memory.add("my dog likes the sea", user_id="ann")
    before = [(hit.id, hit.score) for hit in memory.search("Where do I live?", user_id="ann").hits]
    for n in range(20):
        memory.add(f"I live in house {n}", user_id=f"other {n}")
    after = [(hit.id, hit.score) for hit in memory.search("Where do I live?", user_id="ann").hits]
    assert [found for found, _ in after] == [found for found, _ in before]
    assert all(abs(a - b) < 1e-6 for (_, a), (_, b) in zip(after, before, strict=True))


def test_an_agent_brings_its_own_space_and_nobody_elses(memory: Memory) -> None:
    memory.add({"role": "system", "content": "the desk lives at the front"}, agent_id="concierge")
    memory.add("I live in the USA", user_id="ann")
    memory.add("I live in France", user_id="bea", agent_id="concierge")
    hits = memory.search(
        "who lives where, I live", user_id="ann", agent_id="concierge", limit=50, granularity="raw"
    ).hits
    assert {hit.text for hit in hits} == {"I live in the USA", "the desk lives at the front"}
    assert {(hit.user_id, hit.agent_id) for hit in hits} == {("ann", None), (None, "concierge")}
    assert memory.search("live", agent_id="concierge").plan["rows"] == 1


def test_each_gets_his_own_memory_with_counts_that_know_nothing_of_the_other(memory: Memory) -> None:
    for user, place in (("ann", "the USA"), ("bea", "France")):
        Remembering(memory, user, infer=False).lives_in(place)
    for user, own, other in (("ann", "USA", "France"), ("bea", "France", "USA")):
        for more in ({}, {"granularity": "fact"}, {"granularity": "raw"}, {"granularity": "dual"}):
            result = memory.search("Where do I live?", user_id=user, limit=100, **more)  # type: ignore[arg-type]
            assert own in result.hits[0].text
            assert other not in str(result.to_dict())
            assert result.plan["rows"] <= 2
        assert memory.list(user_id=user).total == 2


def test_each_gets_his_own_answer_from_every_verb(memory: Memory) -> None:
    memory.add("I live in the USA", user_id="ann")
    memory.add("I live in France", user_id="bea")
    for user, own, other in (("ann", "USA", "France"), ("bea", "France", "USA")):
        answer = memory.answer("Where do I live?", user_id=user)
        assert own in answer.text
        context = memory.recall("Where do I live? In the USA or in France?", user_id=user)
        for shown in (answer.to_dict(), context.to_dict(), memory.list(user_id=user).to_dict()):
            assert other not in repr(shown)
        assert memory.check_action("ship", {"address": other}, user_id=user).slots[0].memory_id is None
        assert memory.list(user_id=user).total == 2
