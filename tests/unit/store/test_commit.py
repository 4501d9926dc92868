"""`commit`, the one door: what it refuses, and races it decides."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.core.access import Caller
from affidavit.core.authority import SpaceKind
from affidavit.core.changes import EpisodeStored, Erased, SpaceErased
from affidavit.core.values import Owner
from affidavit.errors import ConflictError, NotFoundError
from affidavit.privacy import erase
from affidavit.privacy.erasure import Erasure
from affidavit.store.migrations import migrations


def test_changes_made_for_another_head_are_refused(memory: Memory) -> None:
    memory.add("one", user_id="ana")
    store = memory._rooms.store
    with store.snapshot() as reads:
        head = reads.find_space(Owner(SpaceKind.USER, "ana"))
    assert head is not None
    memory.add("two", user_id="ana")
    before = memory.admin.inspect()
    for expected in ((head.size, head.root), (head.size + 1, head.root)):
        with pytest.raises(ConflictError):
            store.commit(head.space_id, [SpaceErased(space_id=head.space_id, episodes=2)], expect=expected)
    assert memory.admin.inspect() == before


def test_an_unknown_space_is_refused(memory: Memory) -> None:
    with pytest.raises(ConflictError):
        memory._rooms.store.commit("sp_nothing", lambda _: [])


def test_what_goes_wrong_while_preparing_leaves_nothing(memory: Memory) -> None:
    memory.add("one", user_id="ana")
    before = memory.admin.inspect()
    store = memory._rooms.store
    with store.snapshot() as reads:
        head = reads.find_space(Owner(SpaceKind.USER, "ana"))
    assert head is not None

    def broken(_: object) -> list[EpisodeStored]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.commit(head.space_id, broken)
    with pytest.raises((TypeError, LookupError)):
        store.commit(head.space_id, [Erased(targets=("ep_nothing",))])
    assert memory.admin.inspect() == before
    assert memory.add("two", user_id="ana").episodes
    assert not memory.verify().problems


def test_an_add_that_meets_the_erasure_of_its_user_goes_to_a_new_space(
    memory: Memory, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The space was found, then erased by another process, then written to."""
    memory.add("old", user_id="ana")
    with Memory(config=config) as other:
        store = memory._rooms.store
        opened = type(store).open_space
        erased: list[Any] = []

        def then_erased(self: object, owner: Owner) -> object:
            head = opened(store, owner)
            if not erased:
                erased.append(other.forget(user_id="ana", everything=True))
            return head

        monkeypatch.setattr(type(store), "open_space", then_erased)
        added = memory.add("new", user_id="ana")
        assert len(added.episodes) == 1
        assert added.space_id != erased[0].spaces[0].space_id
        assert [item.text for item in other.list(user_id="ana")] == ["new"]
        assert [hit.text for hit in memory.search("new", user_id="ana")] == ["new"]
        assert not other.verify().problems


@pytest.mark.parametrize("what", [{"everything": True}, {"session_id": "s"}, {"source_id": "x"}])
def test_of_two_erasures_at_once_one_finds_nothing(
    memory: Memory, config: Config, monkeypatch: pytest.MonkeyPatch, what: dict[str, object]
) -> None:
    memory.add("old", user_id="ana", session_id="s", source_id="x")
    with Memory(config=config) as other:
        eraser = memory._rooms._eraser
        counted = erase._count
        done: list[object] = []

        def then_erased(*arguments: Any) -> object:
            found = counted(*arguments)
            if not done:
                done.append(None)
                done.append(other.forget(user_id="ana", everything=True))
            return found

        monkeypatch.setattr(erase, "_count", then_erased)
        with pytest.raises(NotFoundError):
            eraser.forget(Caller.of("ana"), Erasure.of(**what))  # type: ignore[arg-type]
        assert not other.verify().problems
        assert memory.add("new", user_id="ana", session_id="s", source_id="x").episodes


def test_a_space_is_born_once_whoever_is_first(
    memory: Memory, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(config=config) as other:
        store = memory._rooms.store
        listed = type(store).commit
        done: list[object] = []

        def after_the_other(self: object, *arguments: object, **named: object) -> object:
            if not done:
                done.append(None)
                done.append(other.add("first", user_id="ana"))
            return listed(self, *arguments, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(type(store), "commit", after_the_other)
        memory.add("second", user_id="ana")
        assert [item.text for item in memory.list(user_id="ana")] == ["first", "second"]
        assert memory.admin.inspect().spaces == {"user": 1}
        assert not memory.verify().problems


def test_keys_come_first_in_tables_without_a_rowid() -> None:
    """Of others SQLite 3.40.1 says, in its own check of a sound file, that values are NULL which are not."""
    with closing(sqlite3.connect(":memory:")) as conn:
        for step in migrations():
            conn.executescript(step.sql)
        tables = conn.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'"
        ).fetchall()
        for name, _ in tables:
            info = conn.execute(f"PRAGMA table_info({name})").fetchall()
            keys = [key for *_, key in info if key]
            assert [key for *_, key in info[: len(keys)]] == list(range(1, len(keys) + 1)), name
    assert tables
