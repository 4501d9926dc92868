"""A trace is written in the snapshot that it is of, and where that can't be, as soon as it can."""

import sqlite3
from contextlib import closing

import pytest

from affidavit import Config, Memory
from affidavit.core.authority import SpaceKind
from affidavit.core.values import Owner
from affidavit.store.protocol import Trace
from tests.support_sqlite import file_store

pytestmark = pytest.mark.file


def kept(memory: Memory) -> set[str]:
    with closing(sqlite3.connect(file_store(memory).path)) as conn:
        return {row[0] for row in conn.execute("SELECT id FROM trace")}


def trace_of(memory: Memory, name: str) -> Trace:
    with file_store(memory).snapshot() as reads:
        head = reads.find_space(Owner(SpaceKind.USER, "ana"))
    assert head is not None
    return Trace(head.space_id, name, 1, "search", "[]", b"", None)


def test_a_search_is_one_transaction(memory: Memory) -> None:
    memory.add("the gate code is on the blue card", user_id="ana")
    memory.search("gate", user_id="ana")
    told: list[str] = []
    with file_store(memory)._connections.using() as conn:
        conn.set_trace_callback(told.append)
        found = memory.search("gate code", user_id="ana")
        conn.set_trace_callback(None)
    assert found.trace_id in kept(memory)
    assert [line for line in told if line.startswith(("BEGIN", "COMMIT", "ROLLBACK"))] == ["BEGIN", "COMMIT"]


def test_a_trace_ends_its_snapshot(memory: Memory) -> None:
    memory.add("one", user_id="ana")
    trace, store = trace_of(memory, "tr_1"), file_store(memory)
    with store.snapshot() as reads, store._connections.using() as conn:
        assert reads.meta()
        assert store.save_trace(trace)
        assert not conn.in_transaction
    assert kept(memory) == {"tr_1"}


def test_a_trace_is_kept_where_another_wrote_meanwhile(memory: Memory, config: Config) -> None:
    memory.add("one", user_id="ana")
    trace, store = trace_of(memory, "tr_1"), file_store(memory)
    with Memory(store.path, config=config) as other, store.snapshot() as reads:
        assert reads.meta()
        other.add("two", user_id="ana")
        assert store.save_trace(trace)
    assert kept(memory) == {"tr_1"}


def test_a_trace_waits_for_a_writer_that_holds_on(memory: Memory) -> None:
    memory.add("one", user_id="ana")
    trace, store = trace_of(memory, "tr_1"), file_store(memory)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other, store.snapshot() as reads:
        assert reads.meta()
        other.execute("BEGIN IMMEDIATE")
        assert store.save_trace(trace)
        assert kept(memory) == set()
        other.execute("ROLLBACK")
    memory.add("two", user_id="ana")
    assert kept(memory) == {"tr_1"}


def test_a_search_sees_what_another_committed_and_not_what_was_erased(memory: Memory, config: Config) -> None:
    memory.add("one apple", user_id="ana")
    assert len(memory.search("apple", user_id="ana").hits) == 1
    with Memory(file_store(memory).path, config=config) as other:
        second = other.add("two apples", user_id="ana").episodes[0]
        assert len(memory.search("apple", user_id="ana").hits) == 2
        other.forget(user_id="ana", episode_id=second.id)
        assert [hit.text for hit in memory.search("apple", user_id="ana").hits] == ["one apple"]
