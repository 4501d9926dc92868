"""What `add` takes at the edges, and how ids are read."""

from affidavit import Memory


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
