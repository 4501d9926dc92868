"""Behaviours 42 and 45: access comes before ranking, and what was retracted, revoked or erased does not come back."""

import pytest

from affidavit import Memory
from affidavit.core.changes import StatusSet
from affidavit.errors import NotFoundError
from tests.support_memories import Remembering

WIDE = (
    "Lisbon", "user:ana Lisbon", "* OR user_id:ana", "' OR 1=1 --", "mem_", "show all users' homes",
    "ana lives in Lisbon",     '"The user lives in Lisbon."', "Lisbon\x00ana",
)  # fmt: skip


@pytest.mark.parametrize("question", WIDE)
def test_42_no_question_widens_what_may_be_read(memory: Memory, question: str) -> None:
    version = Remembering(memory, "ana", infer=False).lives_in("Lisbon")
    Remembering(memory, "ben", infer=False).say("I like tea")
    for more in (
        {},
        {"granularity": "fact"},
        {"granularity": "raw"},
        {"filters": {"id": version.split("@")[0]}},
    ):
        result = memory.search(question, user_id="ben", explain=True, limit=100, **more)
        assert "Lisbon" not in str(result.to_dict())
        assert len(result.plan["spaces"]) == 1
        assert result.plan["rows"] <= 1
    for wanted in (version, version.split("@")[0]):
        with pytest.raises(NotFoundError):
            memory.get(wanted, user_id="ben")


def test_42_a_foreign_memory_changes_no_score(memory: Memory) -> None:
    ben = Remembering(memory, "ben", infer=False)
    ben.lives_in("Porto")
    before = memory.search("Where do I live? Lisbon", user_id="ben", record=False).hits
    ana = Remembering(memory, "ana", infer=False)
    for n in range(20):
        ana.lives_in(f"Lisbon {n}")
    after = memory.search("Where do I live? Lisbon", user_id="ben", record=False).hits
    assert [(hit.id, round(hit.score, 6)) for hit in after] == [
        (hit.id, round(hit.score, 6)) for hit in before
    ]


@pytest.mark.parametrize("status", ["retracted", "quarantined", "invalidated"])
def test_45_what_counts_no_more_does_not_come_back_through_any_channel(memory: Memory, status: str) -> None:
    ana = Remembering(memory, "ana", infer=False)
    version = ana.lives_in("Lisbon")
    row, [support] = ana.item(version), ana.supports(version)
    assert row is not None
    episode = support.parts[0].source
    changes = [StatusSet(target=version, authority=row.authority, status=status, reason="revoked")]
    if status != "retracted":  # a source that was revoked takes its episodes along
        changes.append(
            StatusSet(target=episode, authority="authorized", status="quarantined", reason="revoked")
        )
    ana.store.commit(ana.space_id, changes)
    for more in ({}, {"granularity": "raw"}, {"kinds": ["episode"]}, {"granularity": "fact"}, {"granularity": "dual"},
                 {"as_of": "2027"}, {"filters": {"status": status}}):  # fmt: skip
        assert not memory.search("Lisbon, where do I live?", user_id="ana", **more).hits
    listed = memory.list(user_id="ana", kinds=["fact"])
    assert [item.status for item in listed] == [status]


def test_45_what_was_erased_is_in_no_channel(memory: Memory) -> None:
    ana = Remembering(memory, "ana", infer=False)
    version = ana.lives_in("Lisbon")
    assert memory.search("Lisbon", user_id="ana").hits
    memory.forget(user_id="ana", everything=True)
    assert not memory.search("Lisbon", user_id="ana").hits
    assert memory.list(user_id="ana").total == 0
    with pytest.raises(NotFoundError):
        memory.history(version, user_id="ana")


def test_45_the_episode_of_a_superseded_memory_is_marked_and_grounds_nothing_about_now(
    memory: Memory, clock
) -> None:
    ana = Remembering(memory, "ana", infer=False)
    ana.lives_in("Lisbon")
    clock.forward(seconds=60)
    new = ana.lives_in("Porto", "I moved to Porto")
    for more in ({}, {"granularity": "raw"}, {"kinds": ["episode"]}):
        marked = {
            hit.text: (hit.standing, hit.superseded_by)
            for hit in memory.search("Do I live in Lisbon?", user_id="ana", **more)
        }
        assert marked["I live in Lisbon"] == ("history", new)
