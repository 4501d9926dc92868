"""Several at once on one server: nothing is lost, and what the server ends for another's sake is done again."""

import gc
import threading
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from affidavit import Config, Memory
from affidavit.core.authority import SpaceKind
from affidavit.core.changes import Change
from affidavit.core.values import Owner
from affidavit.errors import ConflictError, StoreBusyError, StoreError, StorePlaceError
from affidavit.store.protocol import View
from tests.process.conftest import Worker
from tests.support_postgres import Server


@pytest.fixture
def config(served: Config) -> Config:
    return served


def raw(view: View) -> "psycopg.Connection[Any]":
    """The connection that a `prepare` runs on."""
    conn: psycopg.Connection[Any] = view.conn.raw  # type: ignore[attr-defined]
    return conn


def space_of(memory: Memory, user: str) -> str:
    return memory._rooms.store.open_space(Owner(SpaceKind.USER, user)).space_id


def fail_with(view: View, code: str) -> None:
    raw(view).execute(
        f"DO $$ BEGIN RAISE EXCEPTION 'made by a test' USING ERRCODE = '{code}'; END $$".encode()
    )


def nobody_is_connected(config: Config) -> bool:
    """Whether only we are; a backend ends a moment after its client has gone."""
    count = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    with psycopg.connect(config.database, autocommit=True) as conn:
        return any(conn.execute(count).fetchone() == (0,) for _ in range(1_000))


@pytest.mark.parametrize("spaces", [1, 8])
def test_eight_processes_leave_no_gap_and_lose_nothing(
    config: Config, start: Callable[..., Worker], spaces: int
) -> None:
    workers = [start(mode="add", mark=f"w{n}", user=f"u{n % spaces}", count=25, late=True) for n in range(8)]
    for worker in workers:
        worker.expect("ready")
    for worker in workers:
        worker.go()
    told = [worker.rest() for worker in workers]
    assert [worker.process.wait() for worker in workers] == [0] * 8, [w.errors() for w in workers]
    with Memory(config=config) as memory:
        assert memory.admin.inspect().spaces == {"user": spaces}
        for n in range(8):
            page = memory.list(user_id=f"u{n % spaces}", limit=1_000)
            assert [one.text for one in page if f"w{n}x" in one.text] == [
                f"note w{n}x{i} of the day" for i in range(25)
            ]
            assert {line["ids"][0] for line in told[n][:-1]} <= {one.id for one in page}
        with memory._rooms.store.snapshot() as reads:
            for head in reads.heads():
                assert [seq for seq, _ in reads.entries(head.space_id)] == list(range(head.size))
        verified = memory.verify()
        assert (verified.level, verified.problems) == (2, ())


@pytest.mark.parametrize("code", ["40001", "40P01"])
def test_a_commit_that_the_server_ends_is_prepared_again(config: Config, code: str) -> None:
    with Memory(config=config) as memory:
        memory.add("one", user_id="ana")
        space, runs = space_of(memory, "ana"), list[int]()

        def prepared(view: View) -> Sequence[Change]:
            runs.append(1)
            if len(runs) < 3:
                fail_with(view, code)
            return ()

        memory._rooms.store.commit(space, prepared)
        assert len(runs) == 3


@pytest.mark.parametrize("code", ["40001", "40P01", "55P03"])
def test_it_is_not_tried_for_ever(config: Config, code: str) -> None:
    with Memory(config=config) as memory:
        memory.add("one", user_id="ana")
        space, runs = space_of(memory, "ana"), list[int]()

        def prepared(view: View) -> Sequence[Change]:
            runs.append(1)
            fail_with(view, code)
            return ()

        with pytest.raises(StoreBusyError):
            memory._rooms.store.commit(space, prepared)
        # A lock that was waited for as long as the settings say is not waited for again.
        assert len(runs) == (1 if code == "55P03" else 3)
        assert memory.add("two", user_id="ana").episodes


def test_two_that_wait_for_each_other_both_get_through(config: Config) -> None:
    with Memory(config=config) as memory, ThreadPoolExecutor(2) as pool:
        for user in ("ana", "ben"):
            memory.add("one", user_id=user)
        spaces = [space_of(memory, user) for user in ("ana", "ben")]
        both, runs = threading.Barrier(2), list[str]()

        def locking(other: str) -> Callable[[View], Sequence[Change]]:
            def prepared(view: View) -> Sequence[Change]:
                runs.append(other)
                if len(runs) <= 2:
                    both.wait(30)
                raw(view).execute("SELECT id FROM space WHERE id = %s FOR UPDATE", [other])
                return ()

            return prepared

        store = memory._rooms.store
        for done in [
            pool.submit(store.commit, spaces[0], locking(spaces[1])),
            pool.submit(store.commit, spaces[1], locking(spaces[0])),
        ]:
            done.result()
        assert len(runs) > 2  # the server ended one of them, or both


def test_traces_of_a_commit_that_failed_wait_on(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add("the violet key", user_id="ana")
        store, space = memory._rooms.store, space_of(memory, "ana")
        holder = psycopg.connect(config.database)
        holder.execute("SELECT id FROM affidavit.space WHERE id = %s FOR UPDATE", [space])
        assert memory.search("violet", user_id="ana").hits
        assert memory.admin.inspect().rows["trace"] == 0
        holder.close()

        def fails(view: View) -> Sequence[Change]:
            fail_with(view, "22012")
            return ()

        with pytest.raises(StoreError):
            store.commit(space, fails)
        memory.add("more", user_id="ana")
        assert memory.admin.inspect().rows["trace"] == 1


def test_births_and_writes_while_the_key_is_replaced(config: Config) -> None:
    with Memory(config=config) as memory, Memory(config=config) as other, ThreadPoolExecutor(5) as pool:
        memory.add("one", user_id="u0")
        stop = threading.Event()

        def born(number: int) -> int:
            n = 0
            while not stop.is_set():
                other.add(f"note {n}", user_id=f"u{number}-{n % 7}")
                n += 1
            return n

        writers = [pool.submit(born, number) for number in range(4)]
        for _ in range(6):
            memory.admin.rotate_key()
        stop.set()
        written = [writer.result() for writer in writers]
        assert min(written) > 0
        assert memory.admin.inspect().rows["episode"] == sum(written) + 1
        memory.admin.seal()
        verified = memory.verify()
        assert (verified.level, verified.problems) == (2, ())


def test_one_owner_born_by_many_processes_gets_one_space(
    config: Config, start: Callable[..., Worker]
) -> None:
    workers = [start(mode="add", mark=f"w{n}", user="ana", count=1, late=True) for n in range(6)]
    for worker in workers:
        worker.expect("ready")
    for worker in workers:
        worker.go()
    for worker in workers:
        worker.rest()
        assert worker.process.wait() == 0, worker.errors()
    with Memory(config=config) as memory:
        assert memory.admin.inspect().spaces == {"user": 1}
        assert memory.list(user_id="ana").total == 6


def test_a_lock_that_is_held_too_long_is_told(config: Config) -> None:
    short = Config.load(db=config.database, key_dir=config.key_dir, embedder="none", busy_timeout_s=0.05)
    with Memory(config=short) as memory, psycopg.connect(config.database) as holder:
        memory.add("one", user_id="ana")
        memory.add("one", user_id="ben")
        holder.execute("SELECT id FROM affidavit.space WHERE id = %s FOR UPDATE", [space_of(memory, "ana")])
        with pytest.raises(StoreBusyError, match="busy_timeout_s"):
            memory.add("two", user_id="ana")
        memory.add("two", user_id="ben")
        assert memory.list(user_id="ana").total == 1
        holder.rollback()
        memory.add("two", user_id="ana")


def test_more_threads_than_connections(config: Config) -> None:
    with Memory(config=config) as memory, ThreadPoolExecutor(40) as pool:
        memory.add("the violet key", user_id="ana")

        def work(number: int) -> None:
            memory.add(f"note {number}", user_id=f"u{number % 5}")
            assert memory.search("violet", user_id="ana").hits

        for done in [pool.submit(work, number) for number in range(120)]:
            done.result()
        assert memory.admin.inspect().rows["episode"] == 121
        with psycopg.connect(config.database) as conn:
            row = conn.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            ).fetchone()
        assert row is not None
        assert row[0] <= 17


def test_a_closed_store_says_so_and_leaves_no_connection(config: Config) -> None:
    memory = Memory(config=config)
    memory.add("one", user_id="ana")
    memory.close()
    for call in (lambda: memory.add("two", user_id="ana"), lambda: memory.list(user_id="ana"), memory.verify):
        with pytest.raises(StoreError, match="closed"):
            call()
    assert nobody_is_connected(config)


def test_a_store_that_was_let_go_without_closing_leaves_no_connection(config: Config) -> None:
    memory = Memory(config=config)
    memory.add("one", user_id="ana")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        del memory
        gc.collect()
    assert not told
    assert nobody_is_connected(config)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://nobody_at_all@/{name}?host={host}",
        "postgresql://affidavit_tests@/no_such_database?host={host}",
        "postgresql://affidavit_tests:geheim@/db?host=/nowhere/at/all",
        "postgresql://affidavit_tests:geheim@localhost:1/db?connect_timeout=2",
    ],
)
def test_where_no_database_is_it_is_told_at_once_and_without_the_password(
    config: Config, postgres: Server, tmp_path: Path, address: str
) -> None:
    place = address.format(name="postgres", host=postgres.folder)
    with pytest.raises(StorePlaceError) as caught:
        Memory(place, config=config)
    assert caught.value.hint
    assert "geheim" not in str(caught.value)
    assert not list(tmp_path.rglob("signing.key"))


def test_the_head_that_was_expected(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add("one", user_id="ana")
        with memory._rooms.store.snapshot() as reads:
            head = reads.find_space(Owner(SpaceKind.USER, "ana"))
        assert head is not None
        memory.add("two", user_id="ana")
        with pytest.raises(ConflictError):
            memory._rooms.store.commit(head.space_id, (), expect=(head.size, head.root))
