"""Kill -9 while memories are made, updated, retracted, revoked and erased: all of a change is there, or none of it."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.core.memories import MemoryStatus
from tests.support_memories import Remembering


def whole(her: Remembering) -> None:
    """Nothing rests on what is not there, and nothing is believed that stands on nothing."""
    versions = {row.id for row in her.items()}
    with her.store.snapshot() as reads:
        for row in her.items():
            supports = her.supports(row.id)
            assert supports
            sources = {source for support in supports for source in support.sources}
            quoted = {source for source in sources if "@" not in source}
            assert reads.episodes(her.space_id, sorted(quoted)).keys() == quoted
            assert sources - quoted <= versions
            counted = any(support.removed is None for support in supports)
            assert counted or row.status != MemoryStatus.ACTIVE
    for conflict in her.conflicts(open_only=False):
        assert versions.issuperset(conflict.members)


def rounds(config: Config, start: Callable[..., Any], seeds: range, folder: Path) -> None:
    for seed in seeds:
        chance = random.Random(seed)
        worker = start(mode="unmake", seed=seed)
        worker.expect("ready")
        worker.go()
        told = [worker.next() for _ in range(chance.randint(1, 25))]
        for _ in range(chance.randint(0, 30_000)):
            pass
        worker.process.kill()
        told += worker.rest()
        worker.process.wait()
        assert None not in told, worker.errors()
        with Memory(config=config) as memory:
            result = memory.verify()
            assert (result.level, result.problems) == (2, ()), seed
            her = Remembering(memory)
            whole(her)
            memory.admin.clean()
            gone = [text for line in told for text in line.get("texts", ())]
            data = b"\0".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())
            assert [text for text in gone if text.encode() in data] == []
            her.verified()


def test_a_few_kills_leave_no_half_change(config: Config, start: Callable[..., Any], tmp_path: Path) -> None:
    rounds(config, start, range(3), tmp_path)


@pytest.mark.soak
def test_a_hundred_kills_leave_no_half_change(
    config: Config, start: Callable[..., Any], tmp_path: Path
) -> None:
    rounds(config, start, range(3_000, 3_100), tmp_path)
