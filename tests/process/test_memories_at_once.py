"""Memories written by several processes at once, and by one that is killed: one history, and no half change."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.core.book import Book
from affidavit.core.chains import chain_of, settle
from affidavit.core.changes import Change
from tests.support_lives import Life


def test_eight_processes_state_eight_homes(config: Config, start: Callable[..., Any]) -> None:
    """One is current, seven are history, whoever was first."""
    days = [5, 3, 8, 1, 7, 2, 6, 4]
    workers = [start(mode="live", days=[day], late=True) for day in days]
    for worker in workers:
        worker.expect("ready")
    for worker in workers:
        worker.go()
    for worker in workers:
        told = worker.rest()
        assert worker.process.wait() == 0, worker.errors()
        assert [line["what"] for line in told] == ["added", "closed"]
    with Memory(config=config) as memory:
        life = Life(memory)
        rows = life.rows()
        assert sorted(row.version for row in rows) == list(range(1, 9))
        assert len({row.memory_id for row in rows}) == 1
        assert [row.object for row in rows if row.status == "active"] == ["home 8"]
        assert [row.status for row in rows].count("superseded") == 7
        assert life.timeline() == [(day, {f"home {day}"}) for day in range(1, 9)]
        result = memory.verify()
        assert (result.level, result.problems) == (2, ())


def test_four_processes_state_ten_each(config: Config, start: Callable[..., Any]) -> None:
    workers = [start(mode="live", days=list(range(n, 41, 4))) for n in (4, 2, 1, 3)]
    for worker in workers:
        worker.expect("ready")
        worker.go()
    for worker in workers:
        worker.rest()
        assert worker.process.wait() == 0, worker.errors()
    with Memory(config=config) as memory:
        assert Life(memory).timeline() == [(day, {f"home {day}"}) for day in range(1, 41)]
        assert not memory.verify().problems


def at_rest(life: Life) -> bool:
    """Whether settling every chain would change nothing: a half change would."""

    def prepared(view: Any) -> Sequence[Change]:
        book = Book(view)
        for row in life.items():
            settle(book, chain_of(book, row))
        return book.changes

    return life.store.preview(life.space_id, prepared) == ()


def rounds(config: Config, start: Callable[..., Any], seeds: range) -> None:
    erased: set[str] = set()
    there: set[str] = set()
    for seed in seeds:
        chance = random.Random(seed)
        worker = start(mode="lives", seed=seed)
        worker.expect("ready")
        worker.go()
        told = [worker.next() for _ in range(chance.randint(1, 30))]
        for _ in range(chance.randint(0, 30_000)):
            pass
        worker.process.kill()
        told += worker.rest()
        worker.process.wait()
        lines = [line for line in told if line is not None]
        there |= {version for line in lines if line["what"] == "taken" for version in line["versions"]}
        erased |= {line["version"] for line in lines if line["what"] == "erased"}
        maybe = {line["version"] for line in lines if line["what"] == "erasing"}
        with Memory(config=config) as memory:
            life = Life(memory)
            found = {row.id for row in life.items()}
            assert there - maybe - erased <= found
            assert not erased & found
            there = found
            assert at_rest(life)
            result = memory.verify()
            assert (result.level, result.problems) == (2, ()), seed


def test_a_few_kills_leave_no_half_change(config: Config, start: Callable[..., Any]) -> None:
    rounds(config, start, range(6))


@pytest.mark.soak
def test_a_hundred_kills_leave_no_half_change(config: Config, start: Callable[..., Any]) -> None:
    rounds(config, start, range(2_000, 2_100))
