"""`affidavit.testing` finds the faults that an adapter may have, and says what differs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from affidavit.core.values import Head, Owner
from affidavit.store.protocol import Commit, Job, Trace
from affidavit.store.sql.reads import SqlReads
from affidavit.store.sqlite.store import SqliteStore
from affidavit.testing import DiffersError, Ports, check_store

pytestmark = pytest.mark.slow


class LosesTraces(SqliteStore):
    def save_trace(self, trace: Trace) -> bool:
        return True


class LosesJobs(SqliteStore):
    def add_jobs(self, jobs: Any) -> None:
        list(jobs)

    def drop_jobs(self, jobs: Any) -> None:
        list(jobs)


class DrawsInAnotherOrder(SqliteStore):
    def commit(self, space_id: str, changes: Any, *, expect: Any = None) -> Commit:
        self._entropy(1)
        return super().commit(space_id, changes, expect=expect)


class ForgetsWhatIsExpected(SqliteStore):
    def commit(self, space_id: str, changes: Any, *, expect: Any = None) -> Commit:
        return super().commit(space_id, changes)


class TwoBirths(SqliteStore):
    """Each object makes a space of its own for every owner."""

    def open_space(self, owner: Owner) -> Head:
        if owner.name.startswith("born"):
            owner = Owner(owner.kind, f"{owner.name} {id(self)}")
        return super().open_space(owner)


class ReadsAnotherOrder(SqliteStore):
    @contextmanager
    def snapshot(self) -> Iterator[SqlReads]:
        with super().snapshot() as reads:
            yield _Backwards(reads.conn)


class _Backwards(SqlReads):
    def select(self, space_id: str, selection: Any) -> Any:
        return iter(list(super().select(space_id, selection))[::-1])


class LeavesErasedRows(SqliteStore):
    def commit(self, space_id: str, changes: Any, *, expect: Any = None) -> Commit:
        done = super().commit(space_id, changes, expect=expect)
        if any(change.op == "Erased" for change in done.changes):
            self.add_jobs([Job(space_id, "extract", "left over", 0)])
        return done


class StaysOpen(SqliteStore):
    def close(self) -> None:
        pass


def places(kind: Any, folder: Path) -> tuple[Callable[[Ports], Any], Callable[[], None]]:
    number = [0]

    def begin() -> None:
        number[0] += 1

    def opened(ports: Ports) -> Any:
        path = folder / f"{number[0]}.db"
        return kind(path, keys=ports.keys, clock=ports.clock, entropy=ports.entropy, signing=ports.signing)

    return opened, begin


@pytest.mark.parametrize(
    "kind, told",
    [
        (LosesTraces, "counted: .gave.rows.trace is 0"),
        (LosesJobs, "earlier erasure had not been finished"),
        (DrawsInAnotherOrder, "home: "),
        (ForgetsWhatIsExpected, "expects an older head is taken"),
        (TwoBirths, "several spaces"),
        (ReadsAnotherOrder, " is "),
        (LeavesErasedRows, "after forgot session, job"),
        (StaysOpen, "closed"),
    ],
)
def test_a_fault_is_found_and_named(tmp_path: Path, kind: Any, told: str) -> None:
    opened, begin = places(kind, tmp_path)
    with pytest.raises(DiffersError) as caught:
        check_store(opened, begin=begin)
    assert told in str(caught.value)


def test_without_a_place_for_more_only_the_life_is_run(tmp_path: Path) -> None:
    opened, _ = places(SqliteStore, tmp_path)
    assert 60 < check_store(opened) < 100


def test_it_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    (tmp_path / "stores").mkdir()
    opened, begin = places(SqliteStore, tmp_path / "stores")
    check_store(opened, begin=begin)
    assert list((tmp_path / "temporary").iterdir()) == []
