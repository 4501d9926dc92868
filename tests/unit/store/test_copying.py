"""A store copied to another place: the same rows and bytes, verified, resumable, in every direction."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.core.addresses import is_address
from affidavit.errors import ConflictError, InputError, StoreUnreadableError
from affidavit.proof.verify_result import Code
from affidavit.store.sql import copying
from affidavit.surfaces.cli.run import run
from affidavit.testing.compare import difference, kept
from affidavit.testing.ports import StepClock
from tests.attacks.conftest import remember
from tests.support_postgres import Server
from tests.support_stores import plainly


@pytest.fixture
def place(postgres: Server, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """A new place of a kind."""
    made: list[str] = []

    def new(kind: str) -> str:
        if kind == "database":
            made.append(postgres.database())
            return made[-1]
        return str(tmp_path / f"file {len(list(tmp_path.iterdir()))}" / "memory.db")

    yield new
    for address in made:
        postgres.drop(address)


@pytest.fixture
def lived(place: Callable[[str], str], tmp_path: Path) -> Callable[[str], Config]:
    """The settings of a store with a life in it, in a place of a kind."""

    def new(kind: str) -> Config:
        config = Config.load(db=place(kind), key_dir=tmp_path / "keys", embedder="none")
        with Memory(config=config) as memory:
            memory.add("I live in Lisbon", user_id="ana", session_id="s")
            memory.add("I live in Porto now", user_id="ana")
            memory.add("Kim's words", user_id="kim")
            memory.add("Our release day is Friday", team_id="ops", user_id="ben")
            memory.search("Lisbon", user_id="ana")
            remember(memory)
            memory.forget(user_id="kim", everything=True)
            memory.forget(user_id="ana", session_id="s")
            memory.admin.rotate_key()
            memory.add("My password is hunter2", user_id="ben", infer=False)
        return config

    return new


def moved(config: Config, place: str) -> Config:
    return Config.load(db=place, key_dir=config.key_dir, embedder="none")


def rows(config: Config) -> dict[str, Any]:
    with Memory(config=config) as memory:
        store = memory._rooms.store
        found = kept(store)
        store.close()
    return found


LATER = 4_000_000_000_000_000
WAYS = [("file", "database"), ("database", "file"), ("file", "file"), ("database", "database")]


@pytest.mark.parametrize("source, target", WAYS)
def test_it_is_the_same_store(
    lived: Callable[[str], Config], place: Callable[[str], str], source: str, target: str
) -> None:
    config, to = lived(source), place(target)
    with Memory(config=config) as memory:
        marks = memory.verify().marks
    with Memory(config=config, clock=StepClock(LATER)) as memory:
        asked = memory.search("Porto", user_id="ana", record=False).to_dict()
        done = memory.admin.copy(to)
        assert done.level == 2
        assert done.store_id == memory._rooms.store.store_id
        assert done.rows > 100
    before, after = rows(config), rows(moved(config, to))
    assert before == after, difference(before, after)
    with Memory(config=moved(config, to), clock=StepClock(LATER)) as memory:
        assert memory.search("Porto", user_id="ana", record=False).to_dict() == asked
    with Memory(config=moved(config, to)) as memory:
        verified = memory.verify(since=marks)
        assert (verified.level, verified.problems) == (2, ())
        memory.add("It goes on here", user_id="ana")
        memory.admin.rotate_key()
        memory.forget(user_id="ben", everything=True)
    with Memory(config=moved(config, to)) as memory:
        assert memory.verify().problems == ()
        assert memory.verify(since=marks).problems == ()


@pytest.mark.parametrize("source, target", WAYS[:2])
def test_there_and_back_again(
    lived: Callable[[str], Config], place: Callable[[str], str], source: str, target: str
) -> None:
    config, there, back = lived(source), place(target), place(source)
    with Memory(config=config) as memory:
        memory.admin.copy(there)
    before = rows(config)
    with Memory(config=moved(config, there)) as memory:
        memory.admin.copy(back)
    assert rows(moved(config, back)) == before


@pytest.mark.parametrize("source, target", WAYS[:2])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_cut_short_it_can_not_be_opened_and_goes_on(
    lived: Callable[[str], Config],
    place: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    target: str,
    after: int,
) -> None:
    config, to = lived(source), place(target)
    real, copied = copying._copy_space, list[str]()

    def cut(conn: Any, head: Any, into: Any) -> int:
        count = real(conn, head, into)
        if len(copied) == after:
            raise KeyboardInterrupt  # in the middle of its transaction
        copied.append(head.space_id)
        return count

    with Memory(config=config) as memory:
        with monkeypatch.context() as patched:
            patched.setattr(copying, "_copy_space", cut)
            with pytest.raises(KeyboardInterrupt):
                memory.admin.copy(to)
        with pytest.raises(StoreUnreadableError, match="not finished"):
            Memory(config=moved(config, to))
        memory.add("Said between the two", user_id="ana")
        done = memory.admin.copy(to)
        assert done.level == 2
    assert rows(moved(config, to)) == rows(config)


@pytest.mark.parametrize("target", ["file", "database"])
def test_a_place_that_holds_a_store_is_not_written(
    lived: Callable[[str], Config], place: Callable[[str], str], target: str
) -> None:
    config, other = lived("file"), lived(target)
    before = rows(other)
    with Memory(config=config) as memory:
        for to in (other.database, config.database):
            with pytest.raises(InputError, match="holds a store already"):
                memory.admin.copy(to)
        to = place(target)
        memory.admin.copy(to)
        with pytest.raises(InputError, match="holds a store already"):
            memory.admin.copy(to)
    assert rows(other) == before


@pytest.mark.parametrize("target", ["file", "database"])
def test_a_copy_of_another_store_is_not_gone_on_with(
    lived: Callable[[str], Config], place: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    config, other, to = lived("file"), lived("file"), place(target)

    def killed(*_: object) -> int:
        raise KeyboardInterrupt

    with Memory(config=config) as memory, monkeypatch.context() as patched:
        patched.setattr(copying, "_copy_space", killed)
        with pytest.raises(KeyboardInterrupt):
            memory.admin.copy(to)
    with Memory(config=other) as memory, pytest.raises(InputError, match="holds a store already"):
        memory.admin.copy(to)


def test_a_store_that_does_not_verify_is_not_copied(
    lived: Callable[[str], Config], place: Callable[[str], str], tmp_path: Path
) -> None:
    config, to = lived("file"), place("file")
    with plainly(config.database) as conn:
        conn.execute("UPDATE episode SET text = 'other' WHERE text = 'I live in Porto now'")
    with Memory(config=config) as memory, pytest.raises(StoreUnreadableError, match="CONTENT_MISMATCH"):
        memory.admin.copy(to)
    assert not Path(to).exists()


@pytest.mark.parametrize("target", ["file", "database"])
def test_a_store_that_is_always_written_is_not_copied_in_part(
    lived: Callable[[str], Config], place: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    config, to = lived("file"), place(target)
    real = copying._moved
    with Memory(config=config) as memory, Memory(config=config) as writer:

        def moving(*given: Any) -> Any:
            found = real(*given)
            writer.add("one more", user_id="ana")
            return found

        with monkeypatch.context() as patched:
            patched.setattr(copying, "_moved", moving)
            with pytest.raises(ConflictError, match="written while"):
                memory.admin.copy(to)
        memory.admin.copy(to)
    assert rows(moved(config, to)) == rows(config)


def test_who_goes_on_at_both_places_is_told(
    lived: Callable[[str], Config], place: Callable[[str], str]
) -> None:
    config, to = lived("file"), place("database")
    with Memory(config=config) as memory:
        memory.admin.copy(to)
    with Memory(config=moved(config, to)) as memory:
        memory.add("Here it goes on", user_id="ana")
    with Memory(config=config) as memory:
        assert {problem.code for problem in memory.verify().problems} & {Code.ROLLED_BACK, Code.FORK}


@pytest.mark.parametrize("source, target", WAYS[:2])
def test_on_the_command_line(
    lived: Callable[[str], Config],
    place: Callable[[str], str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    target: str,
) -> None:
    config, to = lived(source), place(target)
    monkeypatch.setenv("AFFIDAVIT_KEY_DIR", str(config.key_dir))
    assert run(["admin", "copy", "--from", config.database, "--to", to, "-o", "json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["level"], done["path"]) == (2, to)
    assert run(["verify", "--db", to, "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["level"] == 2
    again = place(target)
    assert run(["admin", "copy", "--db", to, "--to", again, "-o", "text"]) == 0
    assert "go on there" in capsys.readouterr().out
    assert run(["admin", "copy", "--from", "no such.db", "--to", place("file")]) == 2
    assert is_address(to) == (target == "database")


def test_every_table_is_of_a_space_or_known() -> None:
    assert set(copying.tables_of_spaces()) == {
        "entry", "blind", "actor", "episode", "embedding", "trace", "job", "item", "support", "support_part",
        "conflict", "revoked_source", "last_number", "rejection", "permit", "decision",
    }  # fmt: skip
