"""Behaviours 18, 45, 47, 48 and 50, through the public API."""

import pytest

from affidavit import Memory, errors
from affidavit.read.render import NEVER_ASSERT

ALL = 50_000


@pytest.fixture
def told(memory: Memory) -> Memory:
    """A user, an assistant, and others who talk about the user."""
    memory.add("I live in Lisbon. I'm allergic to peanuts.", user_id="ana", occurred_at="2026-03-01")
    memory.add("My deadline for the tax report is 2026-06-20.", user_id="ana")
    memory.add(
        {"role": "assistant", "content": "You seem to love jazz. Ana's favourite city is Rome."},
        user_id="ana",
    )
    memory.add(
        {"role": "mail", "name": "Bob", "content": "I live in Minsk. Ana owes me 2,400."}, user_id="ana"
    )
    memory.add(
        {"role": "document", "content": "Those like Ana prefer the aisle. Ana lives in Minsk."},
        user_id="ana",
    )
    memory.add(
        {"role": "tool", "name": "crm", "content": "Ana lives in Minsk; credit score of seven-eighty"},
        user_id="ana",
    )
    return memory


def test_b18_b50_only_what_may_be_mentioned_is_volunteered(told):
    context = told.recall(user_id="ana", max_tokens=ALL)
    shown = context.render() + context.profile
    for others in ("Minsk", "jazz", "Rome", "2,400", "aisle", "seven-eighty", "Bob"):
        assert others not in shown
    assert "Lisbon" in shown
    assert "peanuts" in shown
    assert [one.text for one in context.events] == [
        one.text for one in context.events if "tax report" in one.text
    ]
    assert context.events
    assert (context.unverified, context.conflicts, context.earlier) == ((), (), ())
    assert {one.authority for one in (*context.grounded, *context.events)} == {"authorized"}


def test_b47_claims_of_others_stand_below_the_label_only_and_never_in_the_profile(told):
    for query in ("Where does Ana live?", "What does Ana owe?", "Minsk", "credit score of Ana", "aisle"):
        context = told.recall(query, user_id="ana", max_tokens=ALL)
        lines = context.render().splitlines()
        above = "\n".join(lines[: lines.index(NEVER_ASSERT)])
        for others in ("Minsk", "2,400", "score", "aisle"):
            assert others not in above
            assert others not in context.profile
            assert not any(
                others in one.text for one in (*context.grounded, *context.events, *context.earlier)
            )
        assert context.unverified
        assert all(one.said_by for one in context.unverified)


def test_b45_a_superseded_statement_grounds_nothing_about_now(told):
    told.add("I moved to Porto", user_id="ana")
    context = told.recall("Does Ana live in Lisbon?", user_id="ana", max_tokens=ALL)
    assert any("Porto" in one.text for one in context.grounded)
    assert not any("Lisbon" in one.text for one in context.grounded)
    assert any("Lisbon" in one.text for one in context.earlier)


@pytest.mark.parametrize("budget", range(200, 2_000, 150))
def test_b48_the_budget_is_kept_with_the_label_and_one_memory(told, budget):
    try:
        context = told.recall("Where does Ana live?", user_id="ana", max_tokens=budget)
    except errors.LimitError as refused:
        size = int(refused.hint.removeprefix("give at least ").split(", or")[0].replace(",", ""))
        assert size > budget
        context = told.recall("Where does Ana live?", user_id="ana", max_tokens=size)
        budget = size
    assert context.tokens <= budget
    assert len(context.render().encode()) < budget
    assert context.grounded
    if context.unverified:
        assert NEVER_ASSERT in context.render()


def test_b48_clamping_a_context_later_keeps_the_label(told):
    context = told.recall("Where does Ana live?", user_id="ana", max_tokens=ALL)
    assert context.unverified
    kept = 0
    for budget in range(100, context.tokens, 10):
        try:
            text = context.render(budget)
        except errors.LimitError:
            assert kept == 0
            continue
        kept += 1
        assert NEVER_ASSERT in text
        assert any(f"[{one.id}]" in text for one in context.grounded)
        assert len(text.encode()) < budget
    assert kept
