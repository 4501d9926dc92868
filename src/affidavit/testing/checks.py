"""`check_store`: the life and the checks, one after another."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from affidavit.testing.compare import DiffersError, Pair
from affidavit.testing.house import GivenMemory
from affidavit.testing.life import Kept, Step, life
from affidavit.testing.ports import Drawn, StepClock, StoreFactory, WordVectors
from affidavit.testing.together import check_together


def check_store(make: StoreFactory, *, begin: Callable[[], None] | None = None) -> int:
    """Check the store that `make` opens; how many steps and checks it passed.

    `begin` makes room for a new one: it is called before each of three parts, after which `make` must begin a store
    anew; without it `make` may be called for one part only, and the last two are left out. Raises `DiffersError` with
    the first thing that is not as it must be; whatever else the store raises comes through.
    """
    passed = 0
    for part in (_signed_at_once, _signed_later, _together) if begin else (_signed_at_once,):
        if begin is not None:
            begin()
        folder = Path(tempfile.mkdtemp(prefix="affidavit-testing-"))
        try:
            passed += part(make, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return passed


def paired(make: StoreFactory, folder: Path, *, signing: str = "local", rows: bool = True) -> Pair:
    """The reference, in a file, and the store under test, both begun in the same way."""
    clocks = StepClock(), StepClock()
    ours, theirs = (
        GivenMemory(
            made,
            folder / name,
            clock=clock,
            entropy=Drawn("life"),
            embedder=WordVectors(),
            signing=signing,
        )
        for made, name, clock in ((None, "ours", clocks[0]), (make, "theirs", clocks[1]))
    )
    return Pair(ours, theirs, clocks, rows=rows)


def _signed_at_once(make: StoreFactory, folder: Path) -> int:
    return _lived(paired(make, folder))


def _signed_later(make: StoreFactory, folder: Path) -> int:
    """The same without a key: heads stay unsigned, and nothing else is different."""
    return _lived(paired(make, folder, signing="later", rows=False))


def _together(make: StoreFactory, folder: Path) -> int:
    return check_together(make, folder)


def _lived(pair: Pair) -> int:
    kept: dict[int, Kept] = {id(pair.ours): {}, id(pair.theirs): {}}
    try:
        for step in life():
            pair.do(step.name, _keeping(step, kept), seconds=step.seconds)
        pair.compare_rows()
    finally:
        pair.close()
    return pair.steps


def _keeping(step: Step, kept: dict[int, Kept]) -> Callable[[GivenMemory], Any]:
    def call(memory: GivenMemory) -> Any:
        own = kept[id(memory)]
        own[step.name] = step.call(memory, own)
        return own[step.name]

    return call


__all__ = ["DiffersError", "check_store", "paired"]
