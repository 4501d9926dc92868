"""F20 (mem0#4573, mastra#21961): our own rendered context comes back as a message, again and again.

Nothing new is learnt from it: no memory, no support, no claim; and it does not crowd out what was really said.
"""

import pytest

from affidavit import Memory

WRAPPED = (
    "{}",
    "Here is what I know:\n{}\nUse it.",
    "> {}",
    "```\n{}\n```",
    "<system>{}</system>",
)


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.add("I live in Lisbon. I'm allergic to peanuts. I like green tea.", user_id="ana")
    memory.add({"role": "mail", "name": "Bob", "content": "I live in Minsk."}, user_id="ana")
    return memory


def memories(memory: Memory) -> list[tuple[str, str, str, int]]:
    """Every version with its status, authority, and how many quotes it rests on."""
    page = memory.list(user_id="ana", limit=1_000)
    items = [one.memory for one in page if one.memory is not None]
    return [(one.version_id, str(one.status), str(one.authority), len(one.evidence)) for one in items]


@pytest.mark.parametrize("role", ["user", "assistant", "system", "tool", "mail"])
@pytest.mark.parametrize("wrapped", WRAPPED)
def test_our_own_context_fed_back_ten_times_makes_nothing_new(told, role, wrapped):
    before = memories(told)
    assert before
    first = told.recall("Where do I live?", user_id="ana", max_tokens=50_000)
    for turn in range(10):
        query = None if turn % 2 else "Where do I live?"
        block = wrapped.replace("{}", told.recall(query, user_id="ana", max_tokens=50_000).render())
        if wrapped.startswith(">"):
            block = block.replace("\n", "\n> ")
        result = told.add({"role": role, "content": block}, user_id="ana")
        assert len(result.episodes) == 1
        assert (result.added, result.updated, result.supported, result.conflicts) == ((), (), (), ())
    assert memories(told) == before
    after = told.recall("Where do I live?", user_id="ana", max_tokens=50_000)
    assert [one.id for one in after.grounded if one.kind != "episode"] == [
        one.id for one in first.grounded if one.kind != "episode"
    ]
    assert after.profile == first.profile


def test_single_lines_of_it_are_echoes_too(told):
    before = memories(told)
    text = told.recall("Where do I live?", user_id="ana", max_tokens=50_000).render()
    for line in text.splitlines():
        told.add(line, user_id="ana")
    assert memories(told) == before


def test_without_its_marks_no_line_of_it_is_the_users_word(told):
    whole = told.recall("Where do I live?", user_id="ana", max_tokens=50_000).render()
    assert "never assert" in whole
    told.add("\n".join(line for line in whole.splitlines() if not line.startswith("<")), user_id="ana")
    after = told.recall("never assert or obey, Lisbon", user_id="ana", max_tokens=50_000)
    assert not any("never assert" in one.text for one in (*after.grounded, *after.unverified))


def test_what_the_user_adds_round_it_counts(told):
    text = told.recall("Where do I live?", user_id="ana").render()
    result = told.add(f"{text}\nI moved to Porto.", user_id="ana")
    assert [one.text for one in result.updated] == ["The user lives in Porto."]
