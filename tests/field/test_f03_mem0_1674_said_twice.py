"""F3: the same sentence added twice became two memories."""

from affidavit import Memory


def test_said_twice_is_one_memory_with_two_supports(memory: Memory) -> None:
    first = memory.add("I'm allergic to shellfish", user_id="ana")
    again = memory.add("I'm allergic to shellfish", user_id="ana")
    assert [one.id for one in again.supported] == [first.added[0].id]
    assert (again.added, again.updated) == ((), ())
    (item,) = memory.list(user_id="ana", kinds="fact").items
    assert item.memory is not None
    said = {first.episodes[0].id, again.episodes[0].id}
    assert {quote.episode_id for quote in item.memory.evidence} == said
    assert not memory.verify().problems
