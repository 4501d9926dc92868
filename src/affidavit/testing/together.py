"""What one life can't show: several at once, one state for a reader, all of a commit or nothing."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final

from affidavit.core.authority import SpaceKind
from affidavit.core.changes import Change
from affidavit.core.values import Owner
from affidavit.errors import AffidavitError, ConflictError, StoreError
from affidavit.rooms import SystemClock
from affidavit.store.protocol import Selection, View
from affidavit.testing.compare import DiffersError
from affidavit.testing.house import GivenMemory
from affidavit.testing.ports import StoreFactory

_WRITERS: Final = 8
_EACH: Final = 12


class _Stop(Exception):  # noqa: N818 - no error: what a caller's own code may raise
    pass


def check_together(make: StoreFactory, folder: Path) -> int:
    """Run every check on one store; how many. Raises `DiffersError`."""
    checks: tuple[Callable[[GivenMemory, GivenMemory], None], ...] = (
        _one_space,
        _spaces_of_their_own,
        _one_birth,
        _one_state,
        _all_or_nothing,
        _what_was_expected,
    )
    ours = GivenMemory(make, folder, clock=SystemClock(), entropy=os.urandom)
    other = GivenMemory(make, folder, clock=SystemClock(), entropy=os.urandom)
    try:
        _must(ours.store.store_id == other.store.store_id, "a store that is opened again is another one")
        for check in checks:
            check(ours, other)
            found = ours.verify().problems
            _must(not found, f"after {check.__name__.strip('_')} it does not verify: {found[:3]}")
    finally:
        ours.close()
        other.close()
    with suppress(StoreError):
        ours.add("x", user_id="closed")
        raise DiffersError("a store that was closed still takes what it is given")
    return len(checks) + 2


def _must(holds: bool, what: str) -> None:  # noqa: FBT001 - reads like an assertion
    if not holds:
        raise DiffersError(what)


def _write(memories: Sequence[GivenMemory], user: Callable[[int], str]) -> None:
    def work(number: int) -> None:
        memory = memories[number % len(memories)]
        for n in range(_EACH):
            memory.add(f"note {number}x{n} of the day", user_id=user(number))

    with ThreadPoolExecutor(_WRITERS) as pool:
        for done in [pool.submit(work, number) for number in range(_WRITERS)]:
            done.result()


def _log_of(memory: GivenMemory, user: str) -> list[int]:
    with memory.store.snapshot() as reads:
        head = reads.find_space(Owner(SpaceKind.USER, user))
        if head is None:
            return []
        seqs = [seq for seq, _ in reads.entries(head.space_id)]
        _must(len(seqs) == head.size, f"the head says {head.size} entries, and there are {len(seqs)}")
        return seqs


def _one_space(ours: GivenMemory, other: GivenMemory) -> None:
    _write((ours, other), lambda _: "one")
    seqs = _log_of(ours, "one")
    _must(seqs == list(range(len(seqs))), "writers of one space left a gap in its log")
    total = ours.list(user_id="one").total
    _must(total == _WRITERS * _EACH, f"of {_WRITERS * _EACH} episodes of one space {total} are there")


def _spaces_of_their_own(ours: GivenMemory, other: GivenMemory) -> None:
    _write((ours, other), lambda number: f"own {number}")
    for number in range(_WRITERS):
        seqs = _log_of(other, f"own {number}")
        _must(seqs == list(range(len(seqs))), "a writer of a space of its own left a gap in its log")
        total = other.list(user_id=f"own {number}").total
        _must(total == _EACH, f"of {_EACH} episodes of a space {total} are there")


def _one_birth(ours: GivenMemory, other: GivenMemory) -> None:
    for n in range(4):
        owner = Owner(SpaceKind.USER, f"born {n}")
        with ThreadPoolExecutor(_WRITERS) as pool:
            born = [
                pool.submit((ours, other)[number % 2].store.open_space, owner) for number in range(_WRITERS)
            ]
            spaces = {done.result().space_id for done in born}
        _must(len(spaces) == 1, "one owner got several spaces from births at the same time")


def _one_state(ours: GivenMemory, other: GivenMemory) -> None:
    space = ours.store.open_space(Owner(SpaceKind.USER, "state")).space_id
    with ours.store.snapshot() as reads:
        before = reads.count(space, Selection())
        other.add("a word more", user_id="state")
        _must(reads.count(space, Selection()) == before, "a snapshot shows what was committed since it began")
    with ours.store.snapshot() as reads:
        _must(reads.count(space, Selection()) == before + 1, "a snapshot does not show what was committed")


def _all_or_nothing(ours: GivenMemory, other: GivenMemory) -> None:
    head = ours.store.open_space(Owner(SpaceKind.USER, "state"))

    def fails(view: View) -> Sequence[Change]:
        _must(view.space_id == head.space_id, "a view is about another space than the commit")
        raise _Stop

    with suppress(_Stop):
        ours.store.commit(head.space_id, fails)
    with other.store.snapshot() as reads:
        _must(reads.head(head.space_id) == ours.store.open_space(Owner(SpaceKind.USER, "state")), "it moved")
    other.add("the lock of a commit that failed is free again", user_id="state")


def _what_was_expected(ours: GivenMemory, other: GivenMemory) -> None:
    head = ours.store.open_space(Owner(SpaceKind.USER, "state"))
    other.add("one more", user_id="state")
    try:
        ours.store.commit(head.space_id, (), expect=(head.size, head.root))
    except ConflictError:
        return
    except AffidavitError as error:
        raise DiffersError(f"a head that moved raises {type(error).__name__}, not ConflictError") from error
    raise DiffersError("a commit that expects an older head is taken")
