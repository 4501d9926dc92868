"""F23: erasing was quadratic (84 s at 6,000 memories); 10,000 must take no more than linear work.

Work is counted, not timed: steps of the database's machine and calls of Python. `python -m bench.speed` has the times.
"""

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from affidavit import Config, Memory
from tests.support_memories import Remembering, admitted


def fill(memory: Memory, user: str, size: int, *, remember: bool = False) -> None:
    for start in range(0, size, 500):
        batch = [
            {"role": "user", "content": f"note {n} of {user}: the {n % 97} boats left at {n % 24} o'clock"}
            for n in range(start, start + 500)
        ]
        done = memory.add(
            batch, user_id=user, session_id="s", source_id="x", idempotency_key=f"{user} {start}", infer=False
        )
        if remember:
            one = Remembering(memory, user)
            one.take(*(admitted(episode, text=f"It says {episode.text}") for episode in done.episodes))


class Work:
    """Counts what is done on every connection opened while it is installed, and the calls in this thread."""

    def __init__(self) -> None:
        self.steps = 0
        self.calls = 0

    def connect(self, real: Callable[..., sqlite3.Connection]) -> Callable[..., sqlite3.Connection]:
        def counting(*args: Any, **options: Any) -> sqlite3.Connection:
            connection = real(*args, **options)
            connection.set_progress_handler(self._step, 100)
            return connection

        return counting

    def _step(self) -> int:
        self.steps += 100
        return 0

    def _call(self, _frame: FrameType, event: str, _arg: object) -> None:
        self.calls += event in {"call", "c_call"}

    @contextmanager
    def counted(self) -> Iterator[None]:
        self.steps = self.calls = 0
        sys.setprofile(self._call)
        try:
            yield
        finally:
            sys.setprofile(None)


@pytest.mark.soak
@pytest.mark.parametrize("remember", [False, True])
@pytest.mark.parametrize("what", [{"everything": True}, {"session_id": "s"}, {"source_id": "x"}])
def test_twice_as_many_take_about_twice_the_work(
    config: Config, what: dict[str, Any], remember: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, done = Work(), []
    monkeypatch.setattr(sqlite3, "connect", work.connect(sqlite3.connect))
    with Memory(config=config) as memory:
        fill(memory, "kept", 2_000)
        for size in (2_500, 5_000, 10_000):
            user = f"user {size}"
            fill(memory, user, size, remember=remember)
            for _ in range(20):
                memory.search("boats", user_id=user)
            with work.counted():
                receipt = memory.forget(user_id=user, **what)
            done.append((work.steps, work.calls))
            assert (receipt.episodes, receipt.versions) == (size, size if remember else 0)
            assert receipt.physical_at is not None
        assert not memory.verify().problems
        assert memory.list(user_id="kept").total == 2_000
    for small, middle, large in zip(*done, strict=True):
        assert 0 < large < small * 4 * 1.5, done
        assert large < middle * 2 * 1.5, done
