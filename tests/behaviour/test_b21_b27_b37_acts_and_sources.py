"""Behaviours 21, 27, 37, 45: what a user does with a memory, and taking back a source, through the public API."""

import pytest

from affidavit import Memory
from affidavit.errors import IdempotencyError, NotBelievedError, NotFoundError


def told(memory: Memory, text: str, **more: str) -> str:
    """Something that makes one memory; its id."""
    (made,) = (*(done := memory.add(text, user_id="ana", **more)).added, *done.updated)  # type: ignore[arg-type]
    return str(made.id)


def shown(memory: Memory, question: str) -> str:
    """All that any reader gives to a model for a question."""
    context = memory.recall(question, user_id="ana")
    return f"{context.render()} {memory.answer(question, user_id='ana').text}"


def test_21_an_update_makes_a_version_and_the_old_one_is_retrievable(memory: Memory) -> None:
    home = told(memory, "I live in Lisbon")
    done = memory.update(home, "I live in Porto", user_id="ana")
    assert (done.id, done.superseded) == (f"{home}@2", (f"{home}@1",))
    assert memory.get(f"{home}@1", user_id="ana").text == "The user lives in Lisbon."
    assert memory.answer("Where do I live?", user_id="ana").text == "Porto"
    with pytest.raises(NotBelievedError, match=f"its current version is {home}@2"):
        memory.update(f"{home}@1", "I live in Faro", user_id="ana")
    assert not memory.verify().problems


def test_27_a_confirmation_counts_once_under_its_key(memory: Memory) -> None:
    home, work = told(memory, "I live in Lisbon"), told(memory, "I work at Zalando")
    first = memory.confirm(home, user_id="ana", idempotency_key="k")
    again = memory.confirm(home, user_id="ana", idempotency_key="k")
    assert (again.repeated, again.episode_id) == (True, first.episode_id)
    with pytest.raises(IdempotencyError):
        memory.confirm(work, user_id="ana", idempotency_key="k")


def test_37_revoking_a_source_tells_all_that_fell_and_nothing_revives_it(memory: Memory) -> None:
    old = told(memory, "I live in Lisbon")
    fell = {
        told(memory, "I live in Porto", source_id="x"),
        told(memory, "I work at Zalando", source_id="x"),
    }
    done = memory.sources.revoke("x", user_id="ana")
    assert {one.partition("@")[0] for one in done.invalidated} == fell
    assert done.reopened == (f"{old}@1",)
    assert memory.sources.revoke("x", user_id="ana").invalidated == done.invalidated
    assert memory.add("I live in Porto", user_id="ana", source_id="x").added == ()
    assert memory.answer("Where do I live?", user_id="ana").text == "Lisbon"
    for question in ("Where do I live?", "Where do I work?"):
        assert "Porto" not in shown(memory, question)
        assert "Zalando" not in shown(memory, question)
    assert not memory.verify().problems


@pytest.mark.parametrize("act", ["retract", "revoke", "forget"])
def test_45_what_was_taken_back_does_not_come_back_through_the_raw_channel(memory: Memory, act: str) -> None:
    home = told(memory, "I live in Zanzibar", source_id="x")
    memory.confirm(home, user_id="ana")
    memory.add("the weather is fine", user_id="ana")
    assert "Zanzibar" in shown(memory, "Where do I live?")
    if act == "retract":
        memory.retract(home, user_id="ana")
    elif act == "revoke":
        memory.sources.revoke("x", user_id="ana")
        memory.retract(home, user_id="ana")  # her confirmation is evidence of its own
    else:
        memory.forget(memory_id=home, user_id="ana")
    assert "Zanzibar" not in shown(memory, "Where do I live? Zanzibar?")
    if act == "forget":
        assert "Zanzibar" not in repr(memory.search("Zanzibar", user_id="ana"))
        with pytest.raises(NotFoundError):
            memory.get(home, user_id="ana")
