"""Behaviours 21, 23, 24, 25: versions stay, the past gives what held then, the future waits, old news stays old."""

import pytest

from affidavit import Memory
from affidavit.core.changes import StatusSet
from affidavit.core.when import When
from tests.support_memories import Remembering

HOME = "Where do I live?"


@pytest.fixture
def ana(memory: Memory) -> Remembering:
    """What Ana says; nothing is derived from it but what a test takes in."""
    return Remembering(memory, "ana", infer=False)


def homes(ana: Remembering, question: str = HOME, **more: object) -> list[str]:
    """The homes found, as memories, without the words around."""
    hits = ana.memory.search(question, user_id="ana", **more)  # type: ignore[arg-type]
    return [hit.memory.object or "" for hit in hits if hit.memory is not None]


def said(ana: Remembering, place: str, day: str) -> str:
    """Ana tells on a day where she lives."""
    return ana.lives_in(place, {"role": "user", "content": f"I live in {place}", "at": day})


def test_21_an_update_makes_a_version_and_the_old_one_is_closed_and_retrievable(ana: Remembering) -> None:
    old = said(ana, "Lisbon", "2025-01-10")
    new = said(ana, "Porto", "2026-01-10")
    assert homes(ana) == ["Porto"]
    closed = ana.memory.get(old, user_id="ana").memory
    assert closed is not None
    assert (closed.holds, closed.status, closed.superseded_by) == ("history", "superseded", new)
    assert closed.valid.end == When.parse("2026-01-10").start
    assert [one.version for one in ana.memory.history(new, user_id="ana")] == [1, 2]


def test_23_the_past_gives_the_value_then_held(ana: Remembering) -> None:
    said(ana, "Lisbon", "2024-01-10")
    said(ana, "Porto", "2025-01-10")
    said(ana, "Faro", "2026-01-10")
    days = ("2023-06", "2024-06", "2025-06", "2026-05")
    assert [homes(ana, as_of=day) for day in days] == [[], ["Lisbon"], ["Porto"], ["Faro"]]


def test_23_corrected_values_are_fenced_and_revoked_ones_left_out(ana: Remembering) -> None:
    wrong = said(ana, "Lisbon", "2024-01-10")
    ana.remember(
        {"role": "user", "content": "Sorry, I meant Lagos", "at": "2024-01-11"}, relation="home", object="Lagos",
        text="The user lives in Lagos.", correction=True,
    )  # fmt: skip
    assert homes(ana, as_of="2024-06") == ["Lagos"]
    held = ana.memory.get(wrong, user_id="ana").memory
    assert held is not None
    assert (held.holds, held.why, held.grounded) == ("fenced", "corrected", False)
    row = ana.item(wrong)
    assert row is not None
    ana.store.commit(
        ana.space_id,
        [StatusSet(target=wrong, authority=row.authority, status="invalidated", reason="revoked")],
    )
    assert homes(ana, as_of="2024-06") == ["Lagos"]


def test_24_a_fact_of_the_future_is_not_asserted_until_its_date(ana: Remembering, clock) -> None:
    said(ana, "Lisbon", "2025-01-10")
    future = ana.remember(
        "I live in Porto from 1 September", relation="home", object="Porto", text="The user lives in Porto.",
        begins=When.parse("2026-09-01"),
    )  # fmt: skip
    assert homes(ana) == ["Lisbon"]
    waiting = ana.memory.get(future, user_id="ana").memory
    assert waiting is not None
    assert (waiting.holds, waiting.grounded, waiting.mentionable) == ("future", False, False)
    assert homes(ana, as_of="2026-10") == ["Porto"]
    clock.forward(seconds=100 * 86_400)
    assert homes(ana) == ["Porto"]


def test_25_a_backdated_statement_does_not_displace_a_newer_one(ana: Remembering) -> None:
    said(ana, "Porto", "2026-01-10")
    said(ana, "Lisbon", "2024-01-10")
    assert homes(ana) == ["Porto"]
    assert homes(ana, as_of="2025-06") == ["Lisbon"]
