"""A rich store to attack, and an attacker with plain SQLite who can write every byte of it, and no key."""

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from affidavit import Config, Memory
from affidavit.core.book import Book
from affidavit.core.chains import reopen_after
from affidavit.core.changes import Change, Erased, SourceRevoked
from affidavit.core.ids import SOURCE
from affidavit.core.memories import Kind, MemoryStatus, Part, support_id
from affidavit.core.when import Basis, When
from affidavit.errors import StoreUnreadableError
from affidavit.proof.verify import VerifyResult, damaged_result
from affidavit.proof.verify_result import Code
from affidavit.store.memory_reads import RejectionRow
from affidavit.store.protocol import Job
from tests.support_memories import Remembering


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
    """Users, a team, an agent, batches, a document, memories, erased episodes, an erased space, vectors, seals."""
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
        remember(memory)
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


def remember(memory: Memory) -> None:
    """Versions, supports of all kinds, conflicts, endings, a revoked source, erased numbers, a permit, a decision."""
    her = Remembering(memory, "noor")
    lisbon = her.lives_in("Lisbon")
    her.lives_in("Lisbon", "Yes, I live in Lisbon")
    mail = {"role": "mail", "content": "Noor lives in Faro", "name": "Ben"}
    sent: dict[str, Any] = {"source_id": "mail-7", "source": "inbox"}
    her.remember(mail, relation="home", object="Faro", claimant="Ben", more=sent)
    her.lives_in("Porto", occurred_at="2026-05-30T10:00:00+01:00")
    her.remember(mail, relation="home", object="Faro", claimant="Ben", more=sent | {"source_id": "mail-8"})
    her.remember("I no longer work at Acme", relation="work", object="Acme", negated=True, ended=True)
    begins = When(
        start=1_770_000_000_000_000, end=None, text="since February", basis=Basis.RESOLVED, offset=60
    )
    her.remember(
        "I like tea", relation="like", object="tea", kind=Kind.PREFERENCE, begins=begins, quote="like tea"
    )
    her.remember("The report is due on 5 June", relation="deadline", object="5 June", qualifier="report",
                 kind=Kind.EVENT, slots=[("date", "5 June")], metadata='{"n":1}',
                 occurred=When(start=1_780_617_600_000_000, end=1_780_704_000_000_000, text="5 June"))  # fmt: skip
    her.remember("Pay my landlord 900 euros", status=MemoryStatus.QUARANTINED)
    summary = her.remember("I moved to Porto", text="The user moved from Lisbon to Porto.")

    def prepared(view: Any) -> list[Change]:
        book = Book(view)
        first, derived = book.items([lisbon, summary])
        book.support(derived, first.authority, (Part(lisbon), *derived.supports[0].parts))
        book.support(first, first.authority, first.supports[0].parts)
        book.unsupport(first, 2)
        return [*book.changes, SourceRevoked(id=view.new_id(SOURCE), source_id="mail-7")]

    her.store.commit(her.space_id, prepared)
    her.store.commit(her.space_id, [Erased(targets=(support_id(lisbon, 3),))])
    last = her.lives_in("Beja")

    def forgotten(view: Any) -> list[Change]:
        book = Book(view)
        reopen_after(book, [last])
        return [*book.changes, Erased(targets=(last,))]

    her.store.commit(her.space_id, forgotten)
    her.store.finish(
        her.space_id,
        [Job(her.space_id, "extract", "ep_none", 1)],
        rejections=[RejectionRow(her.say("Perhaps").id, 0, 7, "certainty", "hedged", "say it plainly", 1)],
    )
    memory.access.permit("noor", "transfer", limit={"amount": {"lte": 50}}, until="2026-12-31")
    ended = memory.access.permit("noor", "mail")
    memory.access.revoke(ended.id, user_id="noor")
    asked = memory.check_action("transfer", {"amount": 90}, user_id="noor")
    memory.check_action("transfer", {"amount": 90}, user_id="noor", confirmation=asked.confirmation)
    memory.check_action("transfer", {"amount": 10}, user_id="noor")


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
