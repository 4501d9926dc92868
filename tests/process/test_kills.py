"""Kill -9 at random points: what was acknowledged is there, a batch is whole or absent, everything verifies."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affidavit import Config, Memory


def kill_somewhere(start: Callable[..., Any], seed: int) -> list[dict[str, Any]]:
    """Run the churning worker, kill it at a point that the seed decides; what it told before."""
    chance = random.Random(seed)
    worker = start(mode="churn", seed=seed)
    worker.expect("ready")
    worker.go()
    told = []
    for _ in range(chance.randint(1, 60)):
        line = worker.next()
        assert line is not None, worker.errors()
        told.append(line)
    # A pause that no clock of ours measures: the worker goes on by a random bit of work.
    for _ in range(chance.randint(0, 30_000)):
        pass
    worker.process.kill()
    told += worker.rest()
    worker.process.wait()
    return told


def everything(memory: Memory, user: str) -> list[str]:
    texts: list[str] = []
    after: int | None = None
    while True:
        page = memory.list(user_id=user, limit=1_000, after=after)
        texts += [item.text for item in page]
        after = page.next
        if after is None:
            return texts


def check(memory: Memory, told: list[dict[str, Any]], before: set[str]) -> set[str]:
    """Compare what is there with what was told; every text that is there."""
    there = set(everything(memory, "ana") + everything(memory, "ben"))
    erased = {text for line in told if line["what"] in {"erasing", "erased"} for text in line["texts"]}
    surely = {text for line in told if line["what"] == "erased" for text in line["texts"]}
    added = {text for line in told if line["what"] == "added" for text in line["texts"]}
    tried = {text for line in told if line["what"] == "try" for text in line["texts"]}
    assert (added | before) - erased <= there
    assert not surely & there
    assert there <= added | before | tried
    for line in told:
        if line["what"] in {"try", "erasing"}:
            found = there & set(line["texts"])
            assert found in (set(), set(line["texts"])) or line["what"] == "erasing"
    return there


def rounds(config: Config, start: Callable[..., Any], seeds: range, folder: Path) -> None:
    there: set[str] = set()
    for seed in seeds:
        told = kill_somewhere(start, seed)
        with Memory(config=config) as memory:
            verified = memory.verify()
            assert not verified.problems, (seed, verified.problems)
            there = check(memory, told, there)
            for text in sorted(there)[:3]:
                owner = "ana" if memory.list(user_id="ana").total else "ben"
                assert memory.search(text, user_id=owner, limit=1_000).hits
            memory.admin.clean()
            gone = [text for line in told if line["what"] == "erased" for text in line["texts"]]
            data = b"\0".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())
            assert not [text for text in gone if text.encode() in data and text not in there]
            assert memory.add(f"after {seed}", user_id="ana").episodes
            there.add(f"after {seed}")
            assert not memory.verify().problems


def test_a_few_kills_lose_nothing(config: Config, start: Callable[..., Any], tmp_path: Path) -> None:
    rounds(config, start, range(6), tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("hundred", [1, 2])
def test_a_hundred_kills_lose_nothing(
    config: Config, start: Callable[..., Any], tmp_path: Path, hundred: int
) -> None:
    rounds(config, start, range(hundred * 1_000, hundred * 1_000 + 100), tmp_path)


def test_a_writer_killed_among_others_stops_nobody(config: Config, start: Callable[..., Any]) -> None:
    with Memory(config=config) as memory:
        memory.add("the first", user_id="ana")
        victims = [start(mode="churn", seed=seed) for seed in (501, 502)]
        for victim in victims:
            victim.expect("ready")
            victim.go()
        for n in range(10):
            memory.add(f"mine {n}", user_id="carl")
            for victim in victims:
                victim.next()
        for victim in victims:
            victim.process.kill()
        assert memory.add("mine at last", user_id="carl").episodes
        assert memory.list(user_id="carl").total == 11
        for victim in victims:
            victim.process.wait()
        assert not memory.verify().problems


def test_a_holder_of_the_lock_that_is_killed_lets_go(config: Config, start: Callable[..., Any]) -> None:
    with Memory(config=config) as memory:
        memory.add("the first", user_id="ana")
        worker = start(mode="hold")
        worker.expect("ready")
        worker.go()
        worker.expect("holding")
        worker.process.kill()
        worker.process.wait()
        assert memory.add("the second", user_id="ana").episodes
        assert not memory.verify().problems
