"""A rich store to attack, and an attacker with plain SQLite who can write every byte of it, and no key."""

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from affidavit import Config, Memory
from affidavit.errors import StoreUnreadableError
from affidavit.proof.verify import VerifyResult, damaged_result
from affidavit.proof.verify_result import Code


class FakeEmbedder:
    """A vector from the hash of a text."""

    name = "fake-1"
    dimensions = 8

    def embed(self, texts):
        digests = [hashlib.sha256(text.encode()).digest() for text in texts]
        rows = np.array([list(digest[: self.dimensions]) for digest in digests], dtype=np.float32) + 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Clock:
    def __init__(self) -> None:
        self.us = 1_780_315_200_000_000

    def now(self) -> int:
        self.us += 1_000
        return self.us


@dataclass(frozen=True)
class Place:
    """A store with its keys, in a folder of its own."""

    folder: Path

    @property
    def db(self) -> Path:
        return self.folder / "store" / "memory.db"

    @property
    def config(self) -> Config:
        return Config.load(db=str(self.db), key_dir=self.folder / "keys", embedder="none")

    def open(self, clock: Clock | None = None, *, db: Path | None = None) -> Memory:
        """The store, or another one with keys in the same folder."""
        return Memory(db or self.db, config=self.config, clock=clock or Clock(), embedder=FakeEmbedder())

    def copy(self, folder: Path) -> "Place":
        """The same store, moved: what the key folder knows of places stays behind."""
        shutil.copytree(self.folder, folder)
        shutil.rmtree(folder / "keys" / "places", ignore_errors=True)
        return Place(folder)

    def verify(self, since=None) -> VerifyResult:
        """What `affidavit verify` would find, by a process that changes nothing."""
        try:
            memory = self.open()
        except StoreUnreadableError as error:
            return damaged_result(error)
        try:
            return memory.verify(since=since)
        finally:
            memory._rooms.store.close()

    def codes(self, since=None) -> set[Code]:
        return {problem.code for problem in self.verify(since).problems}

    @contextmanager
    def attacked(self) -> Iterator[sqlite3.Connection]:
        """The attacker's own connection; what he did is in the file afterwards."""
        with closing(sqlite3.connect(self.db, isolation_level=None)) as conn:
            conn.execute("PRAGMA ignore_check_constraints = ON")
            yield conn
            conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def build(place: Place) -> None:
    """Users, a team, an agent, batches, a document, erased episodes, an erased space, vectors, seals."""
    clock = Clock()
    place.db.parent.mkdir(parents=True)
    with place.open(clock) as memory:
        memory.add("My sister Ana moved to Porto", user_id="priya", session_id="s1", occurred_at="2026-03-10")
        memory.add(
            [
                {"role": "user", "content": "I'd like the window seat", "name": "Priya"},
                {"role": "assistant", "content": "Noted: a window seat"},
                {"role": "tool", "content": "seat 12A is free", "name": "seats"},
            ],
            user_id="priya",
            agent_id="bot",
            session_id="s2",
            metadata={"trip": "Lisbon"},
            resources=["flight-7"],
            event_type="booking",
            idempotency_key="book-1",
        )
        memory.add(
            document="# Rules\n\nReturn it in 30 days.\n\n# More\n\nKeep the box.",
            user_id="priya",
            source="rules",
        )
        memory.add(
            "From the team's weekly call: ship on Friday",
            team_id="ops",
            user_id="leo",
            derived_from="third_party",
        )
        memory.add(
            {"role": "mail", "content": "Your invoice is due", "name": "Ben"},
            user_id="leo",
            author="third_party",
            source="inbox",
            source_id="mail-9",
            occurred_at="2026-04-01T10:00:00+02:00",
        )
        memory.add("internal note", agent_id="bot", role="assistant")
        memory.add("Kim's words", user_id="kim")
        memory.add(
            [{"role": "user", "content": f"line {i} of many"} for i in range(9)],
            user_id="leo",
            session_id="long",
        )
        memory.search("window seat", user_id="priya")
        memory.admin.seal()
    with place.open(clock) as memory:
        memory.forget(user_id="kim", everything=True)
        gone = memory.add(
            [{"role": "user", "content": "to be forgotten"}, {"role": "user", "content": "kept"}],
            user_id="leo",
        )
        memory.forget(user_id="leo", episode_id=gone.episodes[0].id)
        memory.add("After the first seal", user_id="priya")
    with place.open(clock) as memory:
        memory.add("After the second seal", user_id="leo")


@pytest.fixture(scope="session")
def rich(tmp_path_factory):
    """The store; nobody may change it."""
    place = Place(tmp_path_factory.mktemp("rich") / "place")
    build(place)
    result = place.verify()
    assert (result.level, result.problems) == (2, ())
    return place


@pytest.fixture
def place(rich, tmp_path):
    """A copy of the store, to attack."""
    return rich.copy(tmp_path / "copy")


@pytest.fixture
def begin(tmp_path) -> Callable[[str], Place]:
    """Makes a place for a store of its own, with keys of its own."""

    def begun(name: str) -> Place:
        place = Place(tmp_path / name)
        place.db.parent.mkdir(parents=True)
        return place

    return begun
