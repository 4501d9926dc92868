"""`AsyncMemory`: every verb of `Memory` as a coroutine, derived from it and not written again.

A call runs in an executor of its own with few threads, so the event loop never waits for the disk. Whoever
cancels an `await` gives up the result, never half a transaction: a call that has begun runs to its end, one
that still waits for a thread does not happen.
"""

import asyncio
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial, wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from affidavit.admin import Admin
from affidavit.answer.access import Access
from affidavit.errors import InputError, StoreError
from affidavit.memory import Memory
from affidavit.write.sources import SourceHandle

if TYPE_CHECKING:
    from affidavit.config import Config
    from affidavit.providers.embedder import Embedder
    from affidavit.providers.language_model import Answering, LanguageModel
    from affidavit.read.tokens import Tokenizer
    from affidavit.store.protocol import Clock

WORKERS = 4
"""Threads of one `AsyncMemory`, unless it is told otherwise."""

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")


class Workers(Generic[T]):
    """A few threads, and the object they work on: opened by the first of them that needs it."""

    def __init__(self, make: Callable[[], T], max_workers: int) -> None:
        if type(max_workers) is not int or not 1 <= max_workers <= 1_000:
            raise InputError(f"max_workers is {max_workers!r}", hint="give a whole number from 1 to 1000")
        self._make = make
        self._made: T | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(max_workers, thread_name_prefix="affidavit")

    async def run(self, work: Callable[[T], R]) -> R:
        """`work` on the object, in a thread. Raises `StoreError` once it is closed."""
        if self._closed:
            raise StoreError("this memory is closed", hint="open a new one")
        call = partial(copy_context().run, self._do, work)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def close(self, end: Callable[[T], None]) -> None:
        """Let the calls that were accepted finish, then `end` the object. Doing it again does nothing."""
        self._closed = True
        # Our own threads are the ones that are waited for, so this waits in one of the loop's.
        await asyncio.get_running_loop().run_in_executor(None, self._end, end)

    def _do(self, work: Callable[[T], R]) -> R:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            made = self._made
        return work(made)

    def _end(self, end: Callable[[T], None]) -> None:
        self._threads.shutdown(wait=True)
        with self._lock:
            made, self._made = self._made, None
            if made is not None:
                end(made)


class Derived(ABC, Generic[T]):
    """A class whose coroutines `_async` derives from the methods of `T`."""

    @abstractmethod
    async def _run(self, work: Callable[[T], R]) -> R:
        """`work` on the object behind it, in a thread."""


def _async(
    method: Callable[Concatenate[T, P], R],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]:
    """The coroutine of a method: the same name, parameters and docstring."""

    @wraps(method)
    async def call(self: Derived[T], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._run(lambda made: method(made, *args, **kwargs))

    return call


def _streamed(
    method: Callable[Concatenate[T, P], Iterator[R]],
) -> Callable[Concatenate[Any, P], AsyncIterator[R]]:
    """The asynchronous iterator of a method that gives one event after another; each is waited for in a thread."""

    @wraps(method)
    async def call(self: Derived[T], /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[R]:
        events = await self._run(lambda made: method(made, *args, **kwargs))
        while found := await self._run(lambda _: list(islice(events, 1))):
            yield found[0]

    return call


class AsyncAdmin(Derived[Admin]):
    """Operator's verbs of one store, as coroutines. A `progress` is called from a worker's thread."""

    def __init__(self, workers: Workers[Memory]) -> None:
        self._workers = workers

    async def _run(self, work: Callable[[Admin], R]) -> R:
        return await self._workers.run(lambda memory: work(memory.admin))

    seal = _async(Admin.seal)
    backup = _async(Admin.backup)
    copy = _async(Admin.copy)
    inspect = _async(Admin.inspect)
    clean = _async(Admin.clean)
    rotate_key = _async(Admin.rotate_key)
    export_keys = _async(Admin.export_keys)
    import_keys = _async(Admin.import_keys)
    accept_copy = _async(Admin.accept_copy)
    embed = _async(Admin.embed)
    maintain = _async(Admin.maintain)


class AsyncSources(Derived[SourceHandle]):
    """The sources of one store, as coroutines."""

    def __init__(self, workers: Workers[Memory]) -> None:
        self._workers = workers

    async def _run(self, work: Callable[[SourceHandle], R]) -> R:
        return await self._workers.run(lambda memory: work(memory.sources))

    list = _async(SourceHandle.list)
    revoke = _async(SourceHandle.revoke)
    add = _async(SourceHandle.add)


class AsyncAccess(Derived[Access]):
    """Permits of users, as coroutines. It must never be a tool of a model."""

    def __init__(self, workers: Workers[Memory]) -> None:
        self._workers = workers

    async def _run(self, work: Callable[[Access], R]) -> R:
        return await self._workers.run(lambda memory: work(memory.access))

    permit = _async(Access.permit)
    revoke = _async(Access.revoke)
    permits = _async(Access.permits)


class AsyncMemory(Derived[Memory]):
    """`Memory` for an event loop: the same verbs, parameters and results, awaited.

    The store is opened by the first call, or by `async with`. At most `max_workers` calls run at once; the
    rest wait their turn.
    """

    def __init__(
        self,
        db: str | os.PathLike[str] | None = None,
        *,
        llm: "LanguageModel | Answering | str | None" = None,
        embedder: "Embedder | str | None" = None,
        tokenizer: "Tokenizer | None" = None,
        config: "Config | None" = None,
        clock: "Clock | None" = None,
        tools: "Mapping[str, Mapping[str, object]] | str | os.PathLike[str] | None" = None,
        max_workers: int = WORKERS,
    ) -> None:
        make = partial(
            Memory,
            db,
            llm=llm,
            embedder=embedder,
            tokenizer=tokenizer,
            config=config,
            clock=clock,
            tools=tools,
        )
        self._workers: Workers[Memory] = Workers(make, max_workers)

    @classmethod
    def from_config(cls, *, max_workers: int = WORKERS, **settings: Any) -> Self:
        """A memory with these settings (see `Config`) over those of the environment and the settings file."""
        made = cls(max_workers=max_workers)
        made._workers = Workers(partial(Memory.from_config, **settings), max_workers)
        return made

    async def _run(self, work: Callable[[Memory], R]) -> R:
        return await self._workers.run(work)

    add = _async(Memory.add)
    search = _async(Memory.search)
    answer = _async(Memory.answer)
    answer_stream = _streamed(Memory.answer_stream)
    recall = _async(Memory.recall)
    profile = _async(Memory.profile)
    history = _async(Memory.history)
    why = _async(Memory.why)
    get = _async(Memory.get)
    list = _async(Memory.list)
    get_all = _async(Memory.get_all)
    rejections = _async(Memory.rejections)
    update = _async(Memory.update)
    retract = _async(Memory.retract)
    confirm = _async(Memory.confirm)
    endorse = _async(Memory.endorse)
    conflicts = _async(Memory.conflicts)
    resolve = _async(Memory.resolve)
    check_action = _async(Memory.check_action)
    forget = _async(Memory.forget)
    delete = _async(Memory.delete)
    delete_all = _async(Memory.delete_all)
    reset = _async(Memory.reset)
    verify = _async(Memory.verify)
    derive = _async(Memory.derive)

    @property
    def sources(self) -> AsyncSources:
        """What came together under one `source_id`: list, revoke; add through a credential."""
        return AsyncSources(self._workers)

    @property
    def access(self) -> AsyncAccess:
        """What users permit tools to do without asking: permit, revoke, permits."""
        return AsyncAccess(self._workers)

    @property
    def admin(self) -> AsyncAdmin:
        """What an operator does: seal, backup, inspect, clean, embed, keys."""
        return AsyncAdmin(self._workers)

    async def close(self) -> None:
        """Seal what changed and close the file. Nothing is lost without it."""
        await self._workers.close(Memory.close)

    async def __aenter__(self) -> Self:
        await self._run(lambda _: None)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()
