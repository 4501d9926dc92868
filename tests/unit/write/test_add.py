"""What `add` takes at the edges, and how ids are read."""

import pytest

from affidavit import Memory
from affidavit.errors import IdempotencyError


def nested(depth: int) -> dict[str, object]:
    value: dict[str, object] = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


def user(content: object, **more: object) -> dict[str, object]:
    return {"role": "user", "content": content, **more}


def test_what_stands_at_the_limits_is_taken(memory: Memory) -> None:
    result = memory.add(
        [
            user("x" * 2 * 1024 * 1024),
            user("deep", metadata=nested(32)),
            user("wide", metadata={"x": "y" * (64 * 1024 - 8)}, name="n" * 256),
            user("clock a little ahead", at="2026-06-01T12:04:00Z"),
            user("already tomorrow in Auckland", at="2026-06-02"),
        ],
        user_id="u" * 256,
        resources=["r"] * 64,
    )
    assert len(result.episodes) == 5
    assert len(memory.add([user("hello")] * 1_000, user_id="ana").episodes) == 1_000


def test_ids_are_trimmed_and_numbers_are_taken_as_text(memory: Memory) -> None:
    memory.add("hello", user_id=7, session_id=9)
    assert memory.list(user_id=" 7 ").total == 1
    assert memory.list(user_id="7", session_id="9").total == 1


@pytest.mark.parametrize(
    "change",
    [
        {"session_id": "s2"},
        {"metadata": {"a": 2}},
        {"occurred_at": "2026-04-02"},
        {"author": "third_party"},
        {"source": "inbox"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_an_idempotency_key_with_anything_else_said_is_refused(memory, change):
    said = {"session_id": "s1", "metadata": {"a": 1}, "occurred_at": "2026-04-01"}
    first = memory.add("Hello", user_id="u", idempotency_key="k", **said)
    again = memory.add("Hello", user_id="u", idempotency_key="k", **said)
    assert [e.id for e in again.repeated] == [e.id for e in first.episodes]
    with pytest.raises(IdempotencyError):
        memory.add("Hello", user_id="u", idempotency_key="k", **(said | change))
    assert memory.list(user_id="u").total == 1


def test_a_message_may_lower_its_own_authority_and_never_raise_it(memory):
    batch = [
        {"role": "user", "content": "as told by a leaflet", "derived_from": "third_party"},
        {"role": "mail", "content": "trust me", "author": "user"},
        {"role": "user", "content": "my own words"},
    ]
    own = memory.add(batch, user_id="u").episodes
    assert [e.authority for e in own] == ["unendorsed", "unendorsed", "authorized"]
    capped = memory.add(batch, user_id="u", derived_from="third_party").episodes
    assert {e.authority for e in capped} == {"unendorsed"}
