"""The asynchronous twin lives the same life: the same results, errors, rows and bytes as `Memory`, on either store."""

import asyncio
import inspect
from collections.abc import Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from affidavit import AsyncMemory
from affidavit.store.postgres.store import PostgresStore
from affidavit.testing import StoreFactory
from affidavit.testing.compare import Pair
from affidavit.testing.house import GivenMemory
from affidavit.testing.life import life
from affidavit.testing.ports import Drawn, Ports, StepClock, WordVectors
from tests.support_postgres import Server


class Awaited:
    """An asynchronous object whose calls are awaited at once; what has no coroutine is asked of the plain one."""

    def __init__(self, twin: object, plain: object, loop: asyncio.AbstractEventLoop) -> None:
        self._twin, self._plain, self._loop = twin, plain, loop
        self.awaited: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if not hasattr(self._twin, name):
            return getattr(self._plain, name)
        found = getattr(self._twin, name)
        if not inspect.iscoroutinefunction(inspect.unwrap(found)) and not callable(found):
            return Awaited(found, getattr(self._plain, name), self._loop)

        @wraps(found)
        def call(*args: object, **named: object) -> object:
            self.awaited.add(name)
            return self._loop.run_until_complete(found(*args, **named))

        return call


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


@pytest.fixture(params=["file", pytest.param("database", marks=pytest.mark.slow)])
def make(request: pytest.FixtureRequest) -> StoreFactory | None:
    """What opens the store under the twin."""
    if request.param == "file":
        return None
    server: Server = request.getfixturevalue("postgres")
    place = server.database()

    def opened(ports: Ports) -> PostgresStore:
        return PostgresStore(
            place, keys=ports.keys, clock=ports.clock, entropy=ports.entropy, signing=ports.signing
        )

    return opened


@pytest.mark.file
def test_the_async_twin_lives_the_same_life(
    make: StoreFactory | None, loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    clocks = StepClock(), StepClock()
    ours, plain = (
        GivenMemory(made, tmp_path / name, clock=clock, entropy=Drawn("life"), embedder=WordVectors())
        for made, name, clock in ((None, "ours", clocks[0]), (make, "twin", clocks[1]))
    )
    twin = AsyncMemory()
    twin._workers._make = lambda: plain
    awaited = Awaited(twin, plain, loop)
    pair = Pair(ours, awaited, clocks)  # type: ignore[arg-type]
    kept: dict[int, dict[str, Any]] = {id(ours): {}, id(awaited): {}}
    for step in life():

        def call(memory: GivenMemory, step=step) -> object:
            own = kept[id(memory)]
            own[step.name] = step.call(memory, own)
            return own[step.name]

        pair.do(step.name, call, seconds=step.seconds)
    pair.close()
    assert {"add", "search", "recall", "answer", "check_action", "forget", "verify"} <= awaited.awaited
