"""One changed byte anywhere in the file: verify names it, or what the database says is the same; never a traceback."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from affidavit import Config, Memory
from affidavit.errors import StoreError

CLOCK_START = 1_780_315_200_000_000
FAST = 400
"""Positions of the fast tier, spread over the file."""
ALL = 6_000
NOT_COVERED = ('INSERT INTO "trace"', 'INSERT INTO "job"')
"""Not memory: `docs/spec/ledger-v1.md`, section 11."""


class Clock:
    def __init__(self) -> None:
        self.us = CLOCK_START

    def now(self) -> int:
        self.us += 1_000
        return self.us


class Small:
    """A small sealed store, its file without a free byte and without a log beside it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "store" / "memory.db"
        self.config = Config.load(db=str(self.path), key_dir=folder / "keys", embedder="none")
        with Memory(config=self.config, clock=Clock()) as memory:
            memory.add("My sister Ana moved to Porto", user_id="priya", occurred_at="2026-03-10")
            gone = memory.add(
                [{"role": "assistant", "content": "noted"}, "forget me"], user_id="priya", agent_id="bot"
            )
            memory.add("we ship on Friday", user_id="leo", team_id="ops", metadata={"call": 7})
            memory.add("all of this goes", user_id="kim")
            memory.forget(user_id="priya", episode_id=gone.episodes[1].id)
            memory.forget(user_id="kim", everything=True)
        with closing(sqlite3.connect(self.path)) as conn:
            conn.execute("VACUUM")
            conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.bytes = self.path.read_bytes()
        self.dump = self.dumped()
        assert self.found() is None

    def dumped(self) -> list[str] | str:
        try:
            with closing(sqlite3.connect(self.path)) as conn:
                conn.text_factory = lambda data: data.decode("utf-8", "backslashreplace")
                return [line for line in conn.iterdump() if not line.startswith(NOT_COVERED)]
        except (sqlite3.Error, ValueError) as error:
            return f"{type(error).__name__}: {error}"

    def write(self, data: bytes | bytearray) -> None:
        for leftover in ("-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + leftover).unlink(missing_ok=True)
        self.path.write_bytes(data)

    def found(self) -> str | None:
        """What is told of the file: an error of ours, or the first problem; None if all is well."""
        try:
            memory = Memory(config=self.config, clock=Clock())
        except StoreError as error:
            return f"{error.code}: {error}"
        try:
            problems = memory.verify().problems
        finally:
            memory._rooms.store.close()
        return str(problems[0]) if problems else None

    def unseen(self, position: int, mask: int) -> str | None:
        """What a changed byte changed without being found."""
        data = bytearray(self.bytes)
        data[position] ^= mask
        self.write(data)
        if self.found() is not None:
            return None
        self.write(data)
        after = self.dumped()
        return None if after == self.dump else f"byte {position} ^ {mask:#x}: {_difference(self.dump, after)}"


def _difference(before: list[str] | str, after: list[str] | str) -> str:
    if isinstance(after, str):
        return after
    return "; ".join(sorted(set(before) ^ set(after))[:4])


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return Small(tmp_path_factory.mktemp("small"))


def _positions(size: int, count: int) -> list[int]:
    """Spread over the file, always with its header and the schema behind it."""
    step = max(1, size // count)
    return sorted({*range(0, size, step), *range(0, 100, 1 if count > FAST else 3)})


def test_one_changed_byte_is_found_or_changes_nothing(small):
    size = len(small.bytes)
    unseen = [small.unseen(at, 1 << (at % 8)) for at in _positions(size, FAST)]
    assert [case for case in unseen if case] == []


@pytest.mark.soak
@pytest.mark.parametrize("mask", [0x01, 0x80, 0xFF])
def test_any_byte(small, mask):
    size = len(small.bytes)
    unseen = [small.unseen(at, mask) for at in _positions(size, ALL)]
    assert [case for case in unseen if case] == []
