"""Behaviour 64: every older file migrates, with a backup made first; a newer one is refused."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from affidavit import Config, Memory
from affidavit.errors import AffidavitError, StoreNewerError, StoreReadOnlyError
from affidavit.store import migrations as real
from affidavit.store.migrations import Migration
from tests.support_memories import Remembering

pytestmark = pytest.mark.file
NOW = len(real.migrations())
"""The schema of today; the tests add to it what a later version may."""
NEXT = Migration(
    NOW + 1,
    "next_test_only",
    "CREATE TABLE extra (id TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;\n"
    "ALTER TABLE trace ADD COLUMN note TEXT;\n"
    "INSERT INTO extra (id) SELECT id FROM episode;\n",
)
AFTER = Migration(NOW + 2, "after_test_only", "CREATE INDEX extra_id ON extra (id);\n")
BROKEN = Migration(NOW + 1, "broken", "CREATE TABLE half (id TEXT);\nINSERT INTO nowhere VALUES (1);\n")


def know(monkeypatch: pytest.MonkeyPatch, *more: Migration) -> None:
    known = (*real.migrations(), *more)
    for place in ("store", "audit"):
        monkeypatch.setattr(f"affidavit.store.sqlite.{place}.migrations", lambda: known)


@pytest.fixture
def old(config: Config) -> Config:
    with Memory(config=config) as memory:
        memory.add("the violet key", user_id="ana")
        memory.add("the green key", user_id="ben")
    return config


def version(path: str | Path) -> int:
    with sqlite3.connect(path) as conn:
        found = int(conn.execute("PRAGMA user_version").fetchone()[0])
    conn.close()
    return found


def take_back(path: str, schema: int) -> None:
    """The file as it would be with the first migrations alone: what the later ones made is empty, and goes."""
    before, now = (_made_by(real.migrations()[:n]) for n in (schema, NOW))
    with sqlite3.connect(path) as conn:
        for kind, name in sorted(now - before):
            conn.execute(f"DROP {kind} IF EXISTS {name}")
        for table, column in sorted(_columns(NOW) - _columns(schema)):
            if ("table", table) in before:
                conn.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        digests = json.dumps([one.digest for one in real.migrations()[:schema]])
        conn.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (digests,))
        conn.execute(f"PRAGMA user_version = {schema}")
    conn.close()


def _columns(schema: int) -> set[tuple[str, str]]:
    with sqlite3.connect(":memory:") as conn:
        for step in real.migrations()[:schema]:
            conn.executescript(step.sql)
        found = (
            "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        )
        return set(conn.execute(found))


def _made_by(steps: Sequence[Migration]) -> set[tuple[str, str]]:
    with sqlite3.connect(":memory:") as conn:
        for step in steps:
            conn.executescript(step.sql)
        return set(conn.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"))


def backups(config: Config) -> list[Path]:
    place = Path(config.database)
    return sorted(place.parent.glob(f"{place.name}.before-schema-*"))


def test_an_old_file_migrates_with_a_backup_made_first(old: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    know(monkeypatch, NEXT, AFTER)
    with Memory(config=old) as memory:
        assert [item.text for item in memory.list(user_id="ana")] == ["the violet key"]
        assert memory.add("the red key", user_id="ana").episodes
        assert memory.search("red", user_id="ana").hits
        assert memory.admin.inspect().schema == NOW + 2
        assert not memory.verify().problems
    assert version(old.database) == NOW + 2
    (backup,) = backups(old)
    assert backup.name.endswith(f".before-schema-{NOW + 1}")
    assert version(backup) == NOW
    monkeypatch.undo()
    with sqlite3.connect(backup) as conn:
        assert conn.execute("SELECT count(*) FROM episode").fetchone() == (2,)
        assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    conn.close()


@pytest.mark.parametrize("schema", range(1, NOW))
def test_a_file_of_every_earlier_schema_migrates(config: Config, schema: int) -> None:
    """As it was in its time; what came since is there afterwards, and all of it verifies."""
    with Memory(config=config) as memory:
        gone = memory.add("the violet key", user_id="ana", infer=False).episodes[0]
        memory.add("the green key", user_id="ben", infer=False)
        memory.admin.seal()
        marks = memory.verify().marks
    take_back(config.database, schema)
    assert version(config.database) == schema
    with Memory(config=config) as memory:
        assert memory.admin.inspect().schema == NOW
        assert (memory.verify().level, memory.verify().problems) == (2, ())
        assert memory.verify(since=marks).ok
        her = Remembering(memory)
        her.lives_in("Lisbon")
        her.lives_in("Porto")
        assert memory.search("violet", user_id="ana").hits
        memory.forget(user_id="ana", episode_id=gone.id)
        assert (memory.verify().level, memory.verify().problems) == (2, ())
    assert [version(backup) for backup in backups(config)] == [schema]


def test_a_backup_is_named_by_the_receipt_of_what_it_still_holds(
    old: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(monkeypatch, NEXT)
    with Memory(config=old) as memory:
        receipt = memory.forget(user_id="ana", everything=True)
    assert [Path(name).name for name in receipt.not_reached] == [backups(old)[0].name]


def test_opening_again_makes_no_second_backup(old: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    know(monkeypatch, NEXT)
    for _ in range(3):
        with Memory(config=old):
            pass
    assert len(backups(old)) == 1


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    old: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        know(patched, BROKEN)
        with pytest.raises(AffidavitError) as caught:
            Memory(config=old)
        assert caught.value.hint
    assert version(old.database) == NOW
    with Memory(config=old) as memory:
        assert memory.list(user_id="ana").total == 1
        assert not memory.verify().problems


def test_a_crash_while_the_backup_is_made_leaves_no_half_of_one(
    old: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(monkeypatch, NEXT)

    def killed(_: Path) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("affidavit.store.sqlite.schema._version_of", killed)
        with pytest.raises(KeyboardInterrupt):
            Memory(config=old)
    assert version(old.database) == NOW
    assert backups(old) == []
    with Memory(config=old) as memory:
        assert memory.admin.inspect().schema == NOW + 1
    assert [version(backup) for backup in backups(old)] == [NOW]


def test_several_at_once_migrate_once(old: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    know(monkeypatch, NEXT, AFTER)

    def opened(_: int) -> int:
        with Memory(config=old) as memory:
            memory.add("more", user_id="ana")
            return memory.admin.inspect().schema

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(opened, range(6))) == [NOW + 2] * 6
    with sqlite3.connect(old.database) as conn:
        assert conn.execute("SELECT count(*) FROM extra").fetchone() == (2,)
    conn.close()
    assert len(backups(old)) == 1
    with Memory(config=old) as memory:
        assert memory.list(user_id="ana").total == 7
        assert not memory.verify().problems


MIGRATE = """
import sys
from affidavit import Config, Memory
from affidavit.store import migrations as real
from affidavit.store.migrations import Migration
import affidavit.store.sqlite.store as store
known = (*real.migrations(), Migration(len(real.migrations()) + 1, "next_test_only", sys.argv[4]))
store.migrations = lambda: known
sys.stdin.readline()
config = Config.load(environ={}, home=sys.argv[1], db=sys.argv[2], key_dir=sys.argv[3], embedder="none")
with Memory(config=config) as m:
    print(m.admin.inspect().schema)
"""


def test_two_processes_at_once_migrate_once(old: Config) -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-c", MIGRATE, str(old.home), old.database, str(old.key_dir), NEXT.sql],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in running:
        out, err = process.communicate()
        assert (process.returncode, out.strip()) == (0, str(NOW + 1)), err
    assert len(backups(old)) == 1


def test_a_newer_file_is_refused_and_not_touched(old: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        know(patched, NEXT)
        with Memory(config=old):
            pass
    before = Path(old.database).read_bytes()
    with pytest.raises(StoreNewerError) as caught:
        Memory(config=old)
    assert f"schema {NOW + 1}" in caught.value.what
    assert "upgrade" in caught.value.hint
    assert Path(old.database).read_bytes() == before


def test_an_old_file_that_can_only_be_read_says_what_to_do(
    old: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(monkeypatch, NEXT)
    monkeypatch.setattr("affidavit.store.sqlite.file.is_writable", lambda _: False)
    with pytest.raises(StoreReadOnlyError) as caught:
        Memory(config=old)
    assert "writable" in caught.value.hint
    assert version(old.database) == NOW
    assert backups(old) == []


def test_the_released_migrations_are_numbered_and_hashed(old: Config) -> None:
    known = real.migrations()
    assert [step.number for step in known] == list(range(1, len(known) + 1))
    with Memory(config=old) as memory, memory._rooms.store.snapshot() as reads:
        stamped = reads.meta()["schema"]
    assert all(step.digest in stamped for step in known)
