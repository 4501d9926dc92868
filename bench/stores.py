"""Stores for measuring: where they lie, how they are filled, and an embedder that costs nothing."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from bench.texts import Message, Talk, batches
from numpy.typing import NDArray

from affidavit import Config, Memory

USER = "the-one"
BATCH = 1_000
DIMENSIONS = 384


class FreeEmbedder:
    """Unit vectors that follow from the text alone; `seconds` is what it took, to be left out of a result."""

    name = "bench-random"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.seconds = 0.0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        start = time.perf_counter()
        rows = np.empty((len(texts), DIMENSIONS), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = np.random.default_rng(crc32(text.encode())).standard_normal(DIMENSIONS, np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        self.seconds += time.perf_counter() - start
        return rows


def config(folder: Path, durability: str = "normal") -> Config:
    """Settings that leave the user's own store, keys and environment alone."""
    return Config.load(
        environ={}, home=folder / "home", key_dir=folder / "keys", embedder="none", durability=durability
    )


def open_memory(
    folder: Path, *, name: str = "memory.db", embedder: FreeEmbedder | None = None, durability: str = "normal"
) -> Memory:
    """A memory on a file of the folder."""
    return Memory(folder / name, embedder=embedder, config=config(folder, durability))


def fill(
    memory: Memory,
    messages: Sequence[Message],
    *,
    user: str = USER,
    batch: int = BATCH,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Add messages in batches, each of one session."""
    done = 0
    for session, part in batches(list(messages), batch):
        memory.add([one.given() for one in part], user_id=user, session_id=session, infer=False)
        done += len(part)
        if progress:
            progress(done)


def add_others(memory: Memory, users: Iterable[int], each: int = 10) -> None:
    """Other users with a few messages each."""
    numbers = list(users)
    talk = Talk(seed=99)
    messages = talk.messages(each * len(numbers), sessions=max(1, len(numbers)))
    for place, number in enumerate(numbers):
        part = messages[place * each : (place + 1) * each]
        memory.add([one.given() for one in part], user_id=f"other-{number}", session_id="s", infer=False)


def size_on_disk(folder: Path, name: str = "memory.db") -> int:
    """Bytes of a closed store, with whatever lies beside it."""
    return sum(file.stat().st_size for file in folder.glob(f"{name}*"))
