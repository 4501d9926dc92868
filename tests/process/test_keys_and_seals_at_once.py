"""Rotations, seals and verify at the same time, as several processes do it: nothing false is told or left behind."""

import threading
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.store.sql.store import SqlStore
from affidavit.store.sqlite.audit import SqliteAudit


def test_keys_rotated_by_many_at_once_leave_a_store_that_verifies(config: Config) -> None:
    with Memory(config=config) as first:
        first.add("before", user_id="priya")
    failed: list[BaseException] = []
    start = threading.Barrier(4)

    def rotate(number: int) -> None:
        try:
            with Memory(config=config) as memory:
                start.wait()
                for turn in range(4):
                    memory.admin.rotate_key()
                    memory.add(f"{number} {turn}", user_id=f"user {number}")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=rotate, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with Memory(config=config) as last:
        result = last.verify()
    assert (result.level, result.problems) == (2, ())


def test_a_handover_is_logged_before_the_next_one_begins(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(config=config) as memory, Memory(config=config) as other:
        memory.add("one", user_id="priya")
        hand_over = SqlStore.hand_over

        def later() -> None:
            for _ in range(2):
                other.admin.rotate_key()

        second = threading.Thread(target=later)

        def waiting(store: SqlStore, *what: Any) -> None:
            if store is memory._rooms.store and second.ident is None:
                second.start()
                second.join(timeout=1)  # it may not get on before we are done
            hand_over(store, *what)

        monkeypatch.setattr(SqlStore, "hand_over", waiting)
        memory.admin.rotate_key()
        second.join()
        memory.add("two", user_id="priya")
        assert memory.verify().problems == ()


def test_a_seal_made_while_verify_runs_is_no_rollback(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(config=config) as memory, Memory(config=config) as other:
        memory.add("one", user_id="priya")
        memory.admin.seal()
        read = SqliteAudit.file

        def file(audit: SqliteAudit) -> None:
            read(audit)
            other.add("two", user_id="leo")
            other.admin.seal()

        with monkeypatch.context() as patch:
            patch.setattr(SqliteAudit, "file", file)
            assert memory.verify().problems == ()
        assert memory.verify().problems == ()
