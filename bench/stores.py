"""Stores for measuring: where they lie, and how they are filled."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from affidavit import Config, Memory
from bench.texts import USER, Message, Talk, batches
from bench.vectors import FreeEmbedder

BATCH = 1_000


def config(folder: Path, *, durability: str = "normal", embedder: str = "none") -> Config:
    """Settings that leave the user's own store, keys and environment alone."""
    return Config.load(
        environ={}, home=folder / "home", key_dir=folder / "keys", embedder=embedder, durability=durability
    )


def open_memory(
    folder: Path, *, name: str = "memory.db", embedder: FreeEmbedder | None = None, durability: str = "normal"
) -> Memory:
    """A memory on a file of the folder."""
    return Memory(folder / name, embedder=embedder, config=config(folder, durability=durability))


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
