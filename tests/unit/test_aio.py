import asyncio
import contextvars
import inspect
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from affidavit.admin import Admin
from affidavit.aio import AsyncAccess, AsyncAdmin, AsyncMemory, AsyncSources, Derived, Workers, _async
from affidavit.answer.access import Access
from affidavit.errors import InputError, StoreError
from affidavit.memory import Memory
from affidavit.write.sources import SourceHandle

PAIRS = [(Memory, AsyncMemory), (Admin, AsyncAdmin), (Access, AsyncAccess), (SourceHandle, AsyncSources)]
STREAMED = {"answer_stream"}
WRITTEN_BY_HAND = {"from_config", "close"}


def public(kind: type) -> dict[str, Any]:
    own = [base for base in reversed(kind.__mro__) if base.__module__.startswith("affidavit.")]
    return {name: value for base in own for name, value in vars(base).items() if not name.startswith("_")}


@pytest.mark.parametrize("sync,derived", PAIRS)
def test_both_have_the_same_names(sync, derived):
    assert set(public(derived)) == set(public(sync))
    assert hasattr(sync, "__enter__") == hasattr(derived, "__aenter__")
    assert hasattr(sync, "__exit__") == hasattr(derived, "__aexit__")


@pytest.mark.parametrize("sync,derived", PAIRS)
def test_every_verb_has_the_same_parameters_and_docstring(sync, derived):
    for name, value in public(sync).items():
        twin = public(derived)[name]
        assert twin.__doc__ == value.__doc__, name
        if isinstance(value, property):
            assert isinstance(twin, property), name
        elif name not in WRITTEN_BY_HAND:
            kinds = inspect.iscoroutinefunction, inspect.isasyncgenfunction
            assert kinds[name in STREAMED](twin), name
            assert inspect.signature(twin) == inspect.signature(value), name
            assert twin.__wrapped__ is value, name


def test_what_is_written_by_hand_adds_only_the_number_of_threads():
    for name in ("__init__", "from_config"):
        own = inspect.signature(getattr(Memory, name)).parameters
        twin = dict(inspect.signature(getattr(AsyncMemory, name)).parameters)
        assert twin.pop("max_workers").kind is inspect.Parameter.KEYWORD_ONLY
        assert twin == dict(own)
    assert inspect.iscoroutinefunction(AsyncMemory.close)


class Plain:
    """A sample whose work can be held up."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        self.done: list[str] = []
        self.threads: set[str] = set()
        self.ended = 0

    def work(self, name: str, *, wait: bool = False) -> str:
        """Do something."""
        self.threads.add(threading.current_thread().name)
        if wait:
            self.begun.set()
            assert self.go.wait(10)
        self.done.append(name)
        return name.upper()

    def fail(self) -> None:
        raise StoreError("broken")

    def end(self) -> None:
        self.ended += 1


class AsyncPlain(Derived[Plain]):
    def __init__(self, plain: Plain, max_workers: int = 2) -> None:
        self.made = 0
        self.plain = plain
        self.workers: Workers[Plain] = Workers(self._make, max_workers)

    def _make(self) -> Plain:
        self.made += 1
        return self.plain

    async def _run(self, work: Callable[[Plain], Any]) -> Any:
        return await self.workers.run(work)

    work = _async(Plain.work)
    fail = _async(Plain.fail)


def test_f31_a_call_is_handed_over_and_the_loop_goes_on():
    async def main() -> None:
        plain = Plain()
        both = AsyncPlain(plain)
        slow = asyncio.create_task(both.work("slow", wait=True))
        while not plain.begun.is_set():
            await asyncio.sleep(0)  # the loop turns while the thread waits
        assert await both.work("quick") == "QUICK"
        assert not slow.done()
        plain.go.set()
        assert await slow == "SLOW"
        assert threading.current_thread().name not in plain.threads
        assert all(name.startswith("affidavit") for name in plain.threads)
        await both.workers.close(Plain.end)

    asyncio.run(main())


def test_f31_opening_the_store_is_handed_over_too():
    async def main() -> None:
        here = threading.current_thread()
        seen: list[threading.Thread] = []

        def make() -> object:
            seen.append(threading.current_thread())
            return object()

        workers: Workers[object] = Workers(make, 1)
        assert seen == []
        await workers.run(lambda _: None)
        assert len(seen) == 1
        assert seen[0] is not here
        await workers.close(lambda _: None)

    asyncio.run(main())


def test_at_most_so_many_run_at_once_and_open_once():
    async def main() -> None:
        plain = Plain()
        both = AsyncPlain(plain, max_workers=2)
        await asyncio.gather(*(both.work(str(i)) for i in range(30)))
        assert len(plain.threads) <= 2
        assert both.made == 1
        assert sorted(plain.done, key=int) == [str(i) for i in range(30)]
        await both.workers.close(Plain.end)

    asyncio.run(main())


def test_a_cancelled_await_gives_up_the_result_and_not_the_work():
    async def main() -> None:
        plain = Plain()
        both = AsyncPlain(plain, max_workers=1)
        begun = asyncio.create_task(both.work("begun", wait=True))
        while not plain.begun.is_set():
            await asyncio.sleep(0)
        queued = asyncio.create_task(both.work("queued"))
        await asyncio.sleep(0)
        for task in (begun, queued):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        plain.go.set()
        await both.workers.close(Plain.end)
        assert plain.done == ["begun"]

    asyncio.run(main())


def test_closing_lets_what_was_accepted_finish_and_then_refuses():
    async def main() -> None:
        plain = Plain()
        both = AsyncPlain(plain, max_workers=1)
        tasks = [asyncio.create_task(both.work("a", wait=True)), asyncio.create_task(both.work("b"))]
        while not plain.begun.is_set():
            await asyncio.sleep(0)
        closing = asyncio.create_task(both.workers.close(Plain.end))
        await asyncio.sleep(0)
        with pytest.raises(StoreError, match="closed"):
            await both.work("late")
        plain.go.set()
        await closing
        assert [await task for task in tasks] == ["A", "B"]
        await both.workers.close(Plain.end)
        assert (plain.done, plain.ended) == (["a", "b"], 1)

    asyncio.run(main())


def test_closing_what_was_never_opened_opens_nothing():
    async def main() -> None:
        both = AsyncPlain(Plain())
        await both.workers.close(Plain.end)
        assert (both.made, both.plain.ended) == (0, 0)

    asyncio.run(main())


def test_errors_arrive_as_they_are_and_opening_is_tried_again():
    async def main() -> None:
        both = AsyncPlain(Plain())
        with pytest.raises(StoreError, match="broken"):
            await both.fail()
        tries: list[int] = []

        def make() -> int:
            tries.append(1)
            if len(tries) == 1:
                raise StoreError("not yet")
            return 7

        workers: Workers[int] = Workers(make, 1)
        with pytest.raises(StoreError, match="not yet"):
            await workers.run(lambda made: made)
        assert await workers.run(lambda made: made) == 7
        await workers.close(lambda _: None)
        await both.workers.close(Plain.end)

    asyncio.run(main())


def test_context_variables_reach_the_thread():
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name")

    async def main() -> None:
        workers: Workers[int] = Workers(lambda: 1, 1)
        name.set("ada")
        assert await workers.run(lambda _: name.get()) == "ada"
        await workers.close(lambda _: None)

    asyncio.run(main())


@pytest.mark.parametrize("number", [0, -1, 1001, 1.5, True, "4", None])
def test_a_wrong_number_of_threads_is_refused(number):
    with pytest.raises(InputError, match="max_workers"):
        AsyncMemory(max_workers=number)


USER_CODE = """
from affidavit.aio import AsyncMemory

async def main() -> None:
    async with AsyncMemory("m.db", max_workers=2) as memory:
        await memory.add("hello", user_id="ada")
        hits = (await memory.search("hello", user_id="ada", limit=3)).hits
        reveal_type(hits[0].text)
        reveal_type((await memory.admin.inspect()).path)
        await memory.search("hello", {wrong})
        await memory.search(5)
        memory.search("hello").hits
"""


@pytest.mark.slow
def test_strict_user_code_type_checks_with_the_real_parameters(tmp_path):
    path = tmp_path / "user_code.py"
    path.write_text(USER_CODE.replace("{wrong}", "limits=3"))
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(tmp_path / "cache"),
    ]
    out = subprocess.run([*command, str(path)], capture_output=True, text=True, cwd=tmp_path).stdout
    lines = [line for line in out.splitlines() if line.startswith("user_code.py") or str(path) in line]
    errors = [line for line in lines if ": error:" in line]
    assert (
        sum('Revealed type is "str"' in line or 'Revealed type is "builtins.str"' in line for line in lines)
        == 2
    )
    assert [any(f":{number}: error:" in line for line in errors) for number in (10, 11, 12)] == [True] * 3
    assert all(any(f":{number}: " in line for number in (10, 11, 12)) for line in errors), errors
