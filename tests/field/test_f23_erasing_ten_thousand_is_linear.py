"""F23: erasing was quadratic (84 s at 6,000 memories); 10,000 must take under 20 s, and no more than linear."""

import time
from typing import Any

import pytest

from affidavit import Config, Memory


def fill(memory: Memory, user: str, size: int) -> None:
    for start in range(0, size, 500):
        batch = [
            {"role": "user", "content": f"note {n} of {user}: the {n % 97} boats left at {n % 24} o'clock"}
            for n in range(start, start + 500)
        ]
        memory.add(batch, user_id=user, session_id="s", source_id="x", idempotency_key=f"{user} {start}")


@pytest.mark.soak
@pytest.mark.parametrize("what", [{"everything": True}, {"session_id": "s"}, {"source_id": "x"}])
def test_twice_as_many_take_about_twice_as_long(config: Config, what: dict[str, Any]) -> None:
    taken = []
    with Memory(config=config) as memory:
        fill(memory, "kept", 2_000)
        for size in (2_500, 5_000, 10_000):
            user = f"user {size}"
            fill(memory, user, size)
            for _ in range(20):
                memory.search("boats", user_id=user)
            begun = time.perf_counter()
            receipt = memory.forget(user_id=user, **what)
            taken.append(time.perf_counter() - begun)
            assert receipt.episodes == size
            assert receipt.physical_at is not None
        assert not memory.verify().problems
        assert memory.list(user_id="kept").total == 2_000
    assert taken[2] < 20
    assert taken[2] < taken[0] * 4 * 2, taken
    assert taken[2] < taken[1] * 2 * 2, taken
