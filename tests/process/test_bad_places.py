"""Files that can't be written, read or believed: a clear error with what to do, and nothing changed."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.core.addresses import is_address
from affidavit.errors import (
    AffidavitError,
    KeyLostError,
    StoreBusyError,
    StoreError,
    StoreForeignError,
    StoreFullError,
    StoreNewerError,
    StorePlaceError,
    StoreUnreadableError,
)
from tests.support_sqlite import file_store
from tests.support_stores import plainly

NOBODY = 65534
AS_ANOTHER = """
import json, os, sys
from affidavit import Config, Memory
from affidavit.errors import AffidavitError
base, db, keys, uid = sys.argv[1:]
out = []
# Whoever he is then may not be able to read our modules: all are loaded before.
with Memory(config=Config.load(environ={}, home=base, db=base + "/warm/m.db", key_dir=base + "/warm keys",
                               embedder="none")) as warm:
    warm.add("warm", user_id="ana")
    warm.search("warm", user_id="ana")
    warm.list(user_id="ana")
    warm.verify()
    warm.admin.inspect()
    warm.forget(user_id="ana", everything=True)
if os.getuid() == 0:
    os.setgid(int(uid)); os.setuid(int(uid))
def attempt(name, call):
    try:
        out.append([name, "done", str(call())])
    except AffidavitError as error:
        out.append([name, error.code, error.hint])
config = Config.load(environ={}, home=base, db=db, key_dir=keys, embedder="none")
try:
    memory = Memory(config=config)
except AffidavitError as error:
    print(json.dumps([["open", error.code, error.hint]])); sys.exit()
attempt("list", lambda: [item.text for item in memory.list(user_id="ana")])
attempt("search", lambda: [hit.text for hit in memory.search("key", user_id="ana")])
attempt("trace", lambda: memory.search("key", user_id="ana").trace_id)
attempt("inspect", lambda: memory.admin.inspect().read_only)
attempt("verify", lambda: len(memory.verify().problems))
attempt("add", lambda: memory.add("more", user_id="ana"))
attempt("forget", lambda: memory.forget(user_id="ana", everything=True))
attempt("seal", lambda: memory.admin.seal())
attempt("clean", lambda: memory.admin.clean())
attempt("close", lambda: memory.close())
print(json.dumps(out))
"""


ADD_AND_DIE = """
import os, sys
from affidavit import Config, Memory
home, db, keys = sys.argv[1:]
Memory(config=Config.load(environ={}, home=home, db=db, key_dir=keys, embedder="none")).add(
    "the red key", user_id="ana"
)
os._exit(0)
"""


def places_of_a_reader(config: Config) -> list[str]:
    """Home, store and keys of one who has no key: the store is all that is shared."""
    base = Path(config.database).parent.parent
    return [str(base / "his home"), config.database, str(base / "his keys")]


def as_another(config: Config) -> dict[str, tuple[str, str]]:
    """What a user who may only read gets for each verb."""
    done = subprocess.run(
        [sys.executable, "-c", AS_ANOTHER, *places_of_a_reader(config), str(NOBODY)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {name: (code, text) for name, code, text in json.loads(done.stdout)}


def attempt(call: Callable[[], Any]) -> tuple[Any, AffidavitError | None]:
    """What a call gave, or the error of ours it raised; any other error goes through."""
    try:
        return call(), None
    except AffidavitError as error:
        found = error
    assert found.hint
    return None, found


def bytes_of(path: str | Path) -> dict[str, bytes]:
    place = Path(path)
    return {file.name: file.read_bytes() for file in place.parent.glob(f"{place.name}*") if file.is_file()}


def dump(database: str) -> dict[str, list[object]]:
    """Every row of every table."""
    with plainly(database) as conn:
        return {
            table: sorted(conn.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
            for table in conn.tables()
        }


def keep(config: Config) -> None:
    """Two messages in the store of this configuration."""
    with Memory(config=config) as memory:
        memory.add("the violet key", user_id="ana", session_id="s")
        memory.add("the green key", user_id="ana")


@pytest.fixture
def kept(config: Config) -> Config:
    keep(config)
    return config


@pytest.mark.file
@pytest.mark.skipif(os.name != "posix", reason="permissions as on Unix")
@pytest.mark.parametrize("closed", ["file", "folder", "both", "log left over"])
def test_where_only_reading_is_allowed_reading_works_and_writing_says_so(
    open_folder: Path, closed: str
) -> None:
    kept = Config.load(db=str(open_folder / "store" / "memory.db"), key_dir=open_folder / "keys")
    keep(kept)
    place = Path(kept.database)
    leftover = None
    if closed == "log left over":
        leftover = subprocess.run(
            [
                sys.executable, "-c",
                ADD_AND_DIE,
                str(kept.home), kept.database, str(kept.key_dir),
            ],
            check=True,
        )  # fmt: skip
        assert place.with_name(f"{place.name}-wal").stat().st_size
    root = os.getuid() == 0
    if not root:
        place.parent.chmod(0o555 if closed != "file" else 0o755)
    place.chmod(0o444 if closed != "folder" else 0o644)
    for more in ("-wal", "-shm"):
        if place.with_name(place.name + more).exists():
            place.with_name(place.name + more).chmod(0o444)
    before = bytes_of(place)
    got = as_another(kept)
    texts = ["the violet key", "the green key", *(["the red key"] if leftover else [])]
    if not root:
        place.parent.chmod(0o755)
    if "open" in got:
        # Without the right to share the log's index SQLite can't read it: then that is what is said.
        assert closed == "log left over"
        assert got["open"][0].startswith("store")
        assert got["open"][1]
    else:
        assert got["list"] == ("done", str(texts))
        assert got["search"][0] == "done"
        assert got["trace"] == ("done", "None")
        assert got["inspect"] == ("done", "True")
        assert got["verify"][0] == "done"
        for verb in ("add", "forget", "seal"):
            assert got[verb][0] in {"store_read_only", "key_lost"}, (verb, got[verb])
            assert got[verb][1]
        assert got["close"][0] == "done"
    assert {name: data for name, data in bytes_of(place).items() if not name.endswith("-shm")} == {
        name: data for name, data in before.items() if not name.endswith("-shm")
    }
    with Memory(config=kept) as memory:
        assert [item.text for item in memory.list(user_id="ana")] == texts
        assert not memory.verify().problems


@pytest.mark.file
def test_a_folder_where_nothing_can_be_made(tmp_path: Path, config: Config) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(StorePlaceError) as caught:
        Memory(blocked / "memory.db", config=config)
    assert caught.value.hint
    assert blocked.read_text() == "in the way"


@pytest.mark.file
@pytest.mark.parametrize("place", ["", ".", "/", "\0", 5, b"memory.db", ["memory.db"]])
def test_a_place_that_is_no_file(config: Config, tmp_path: Path, place: Any) -> None:
    with pytest.raises(StorePlaceError) as caught:
        Memory(place, config=config)
    assert caught.value.hint
    with pytest.raises(StorePlaceError):
        Memory(tmp_path, config=config)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "address", [":memory:", "postgresql://someone@example.org/db", "sqlite:///memory.db"]
)
def test_an_address_is_not_taken_for_a_path(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StorePlaceError) as caught:
        Memory(address, config=config)
    assert caught.value.hint
    with pytest.raises(StorePlaceError):
        Memory(config=replace(config, db=address))
    assert list(tmp_path.iterdir()) == []


# -- full disks


def fill(memory: Memory, size: int = 100_000) -> StoreError:
    """Add until there is no room; the error."""
    for n in range(1_000):
        try:
            memory.add(f"note {n} " + f"{n}x" * size, user_id="ana")
        except StoreError as error:
            return error
    raise AssertionError("there was always room")


def assert_nothing_lost(memory: Memory, error: StoreError) -> None:
    assert isinstance(error, StoreFullError)
    assert error.hint
    page = memory.list(user_id="ana", limit=1_000)
    assert page.total >= 1
    assert memory.search(page.items[0].text[:9], user_id="ana").hits
    assert not memory.verify().problems


@pytest.mark.file
def test_a_database_that_may_not_grow(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add("note before", user_id="ana")
        conn = file_store(memory)._connections.get()
        pages = conn.execute("PRAGMA page_count").fetchone()[0]
        conn.execute(f"PRAGMA max_page_count = {pages + 60}")
        before = memory.list(user_id="ana").total
        error = fill(memory)
        # A search never fails for want of room for its trace: then there is none.
        conn.execute(f"PRAGMA max_page_count = {conn.execute('PRAGMA page_count').fetchone()[0]}")
        assert any(memory.search("note", user_id="ana").trace_id is None for _ in range(3_000))
        assert_nothing_lost(memory, error)
        assert memory.list(user_id="ana", limit=1_000).total >= before
        conn.execute("PRAGMA max_page_count = 1000000")
        assert memory.add("there is room again", user_id="ana").episodes
        assert not memory.verify().problems


@pytest.mark.file
def test_a_full_disk(config: Config, tmp_path: Path) -> None:
    """A small disk of memory, where this process may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if mount is None or subprocess.run([mount, "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)], check=False,
                                       capture_output=True).returncode:  # fmt: skip
        pytest.skip("no right to mount a small disk")
    try:
        with Memory(config=replace(config, db=str(disk / "memory.db"))) as memory:
            memory.add("note before", user_id="ana")
            (disk / "filler").write_bytes(b"x" * 4_000_000)
            error = fill(memory)
            with (disk / "last").open("wb", buffering=0) as last, suppress(OSError):
                while True:
                    last.write(b"x" * 4_096)
            assert_nothing_lost(memory, error)
            (disk / "filler").unlink()
            memory.forget(user_id="ana", everything=True)
            assert memory.add("there is room again", user_id="ana").episodes
            assert not memory.verify().problems
    finally:
        subprocess.run([shutil.which("umount") or "umount", "-l", str(disk)], check=True)


LIMITED = """
import json, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from affidavit import Config, Memory
from affidavit.errors import StoreError
base, db, keys = sys.argv[1:]
memory = Memory(config=Config.load(environ={}, home=base, db=db, key_dir=keys, embedder="none"))
memory.add("note before", user_id="ana")
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
told = {"added": 1}
for n in range(100):
    try:
        memory.add(f"note {n} " + f"{n}x" * 20_000, user_id="ana")
        told["added"] += 1
    except StoreError as error:
        told |= {"code": error.code, "hint": error.hint}
        break
told["listed"] = memory.list(user_id="ana", limit=1000).total
told["found"] = len(memory.search("note before", user_id="ana").hits) > 0
print(json.dumps(told))
"""


@pytest.mark.file
@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="no limit of file sizes here")
def test_a_limit_of_the_size_of_files(config: Config) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(config.home), config.database, str(config.key_dir)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["code"] in {"store_full", "store"}
    assert told["hint"]
    assert told["listed"] == told["added"]
    assert told["found"]
    with Memory(config=config) as memory:
        assert memory.list(user_id="ana", limit=1_000).total == told["added"]
        assert memory.add("there is room again", user_id="ana").episodes
        assert not memory.verify().problems


# -- files that are not ours, or damaged


def refused(config: Config, kind: type[AffidavitError]) -> None:
    before = bytes_of(config.database)
    for _ in range(2):
        with pytest.raises(AffidavitError) as caught:
            Memory(config=config)
        assert type(caught.value) is kind, caught.value
        assert caught.value.hint
        assert "\n" not in str(caught.value)
    after = bytes_of(config.database)
    assert after.pop(f"{Path(config.database).name}-wal", b"") == b""
    after.pop(f"{Path(config.database).name}-shm", None)
    assert after == before


@pytest.mark.file
@pytest.mark.parametrize(
    "content", [b"just a text\n" * 1_000, b"x", b"\0" * 8_192, os.urandom(9_000), b"SQLite format 3\0"]
)
def test_a_file_that_is_no_database(config: Config, content: bytes) -> None:
    place = Path(config.database)
    place.parent.mkdir(parents=True)
    place.write_bytes(content)
    refused(config, StoreUnreadableError if content.startswith(b"SQLite") else StoreForeignError)


@pytest.mark.file
@pytest.mark.parametrize("version", [0, 1, 7])
def test_a_database_of_another_program(config: Config, version: int) -> None:
    place = Path(config.database)
    place.parent.mkdir(parents=True)
    with sqlite3.connect(place) as conn:
        conn.executescript(
            f"CREATE TABLE song (name TEXT); INSERT INTO song VALUES ('x'); PRAGMA user_version = {version};"
        )
    conn.close()
    refused(config, StoreForeignError)
    assert dump(str(place)) == {"song": [("x",)]}


@pytest.mark.file
def test_a_database_of_a_newer_version(kept: Config) -> None:
    with sqlite3.connect(kept.database) as conn:
        conn.execute("PRAGMA user_version = 99")
    conn.close()
    refused(kept, StoreNewerError)


@pytest.mark.file
@pytest.mark.parametrize("start, size", [(0, 4), (68, 4), (60, 4)])
def test_our_own_file_with_a_damaged_header_is_damaged_and_not_foreign(
    kept: Config, start: int, size: int
) -> None:
    place = Path(kept.database)
    raw = bytearray(place.read_bytes())
    raw[start : start + size] = b"\0" * size
    place.write_bytes(raw)
    refused(kept, StoreUnreadableError)


@pytest.mark.file
@pytest.mark.parametrize("keep", [10, 100, 4_096, 10_000])
def test_a_file_that_was_cut(kept: Config, keep: int) -> None:
    place = Path(kept.database)
    place.write_bytes(place.read_bytes()[:keep])
    refused(kept, StoreUnreadableError)


@pytest.mark.file
def test_a_file_with_damaged_pages_never_gives_a_traceback(kept: Config) -> None:
    whole = Path(kept.database).read_bytes()
    damaged = 0
    for start in range(100, len(whole) - 64, len(whole) // 40):
        Path(kept.database).write_bytes(whole[:start] + b"\xa5" * 64 + whole[start + 64 :])
        memory, error = attempt(lambda: Memory(config=kept))
        if error is not None:
            damaged += 1
            continue
        verbs: tuple[Callable[[Memory], Any], ...] = (
            lambda m: m.list(user_id="ana"),
            lambda m: m.search("violet key", user_id="ana"),
            lambda m: m.add("more", user_id="ana"),
            lambda m: m.admin.inspect(),
            lambda m: m.forget(user_id="ana", session_id="s"),
            lambda m: m.close(),
        )
        for verb in verbs:
            damaged += attempt(partial(verb, memory))[1] is not None
        memory._rooms.store.close()
    assert damaged


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE episode SET metadata = '{'",
        "UPDATE episode SET spans = '[[1]]'",
        "UPDATE episode SET resources = 'x'",
        "UPDATE episode SET occurred_start = 5, occurred_end = 1",
        pytest.param("UPDATE episode SET occurred_start = 'soon'", marks=pytest.mark.file),
        "UPDATE episode SET role = 'king'",
        "UPDATE episode SET authority = 'absolute'",
        "UPDATE episode SET terms = x'ff'",
        pytest.param("UPDATE episode SET text = x'ff'", marks=pytest.mark.file),
        "UPDATE space SET frontier = x'00' WHERE kind = 'user'",
        "UPDATE space SET root = x'00' WHERE kind = 'user'",
        "UPDATE space SET note = 'nonsense'",
        "UPDATE space SET size = -1 WHERE kind = 'user'",
        "UPDATE space SET size = 99 WHERE kind = 'user'",
        "UPDATE space SET kind = 'king' WHERE kind = 'user'",
        "DELETE FROM entry",
        "DELETE FROM actor",
        "DELETE FROM space",
        "DROP TABLE blind",
        "DROP TABLE episode",
    ],
)
def test_rows_that_were_edited_by_hand_never_give_a_traceback(kept: Config, edit: str) -> None:
    with plainly(kept.database) as conn:
        conn.loosen()
        conn.execute(edit)
    verbs: list[Callable[[Memory], Any]] = [
        lambda m: m.list(user_id="ana"),
        lambda m: m.search("violet key", user_id="ana"),
        lambda m: m.search("key", user_id="ana", filters={"resources": {"contains": "x"}, "metadata.a": 1}),
        lambda m: m.add("more", user_id="ana"),
        lambda m: m.forget(user_id="ana", session_id="s"),
        lambda m: m.admin.inspect(),
        lambda m: m.admin.seal(),
        lambda m: m.close(),
    ]
    for verb in verbs:
        memory, error = attempt(lambda: Memory(config=kept))
        if error is None:
            attempt(partial(verb, memory))
            memory._rooms.store.close()


# -- keys, locks, closed handles


def test_without_the_key_reading_goes_on_and_writing_says_what_to_do(kept: Config) -> None:
    shutil.rmtree(kept.key_dir)
    before = dump(kept.database)
    with Memory(config=kept) as memory:
        assert memory.list(user_id="ana").total == 2
        assert memory.search("violet", user_id="ana", record=False).hits
        for write in (
            lambda: memory.add("more", user_id="ana"),
            lambda: memory.add("more", user_id="new"),
            lambda: memory.forget(user_id="ana", everything=True),
            lambda: memory.forget(user_id="ana", session_id="s"),
            memory.admin.seal,
        ):
            with pytest.raises(KeyLostError) as caught:
                write()
            assert "keys" in caught.value.hint
        assert memory.add("more", user_id="ana", dry_run=True).episodes
        if not is_address(kept.database):
            assert memory.admin.backup(Path(kept.database).with_name("copy.db")).exists()
    assert dump(kept.database) == before
    assert not (kept.key_dir / "signing.key").exists()


def test_a_key_of_another_store_does_not_sign_this_one(kept: Config, tmp_path: Path) -> None:
    with Memory(config=kept) as memory:
        folder = kept.key_dir / memory._rooms.store.store_id
    for file in ("signing.key", "public.txt"):
        (folder / file).unlink()
    with Memory(config=replace(kept, db=str(tmp_path / "other" / "memory.db"))) as other:
        strange = kept.key_dir / other._rooms.store.store_id
    for file in ("signing.key", "public.txt"):
        shutil.copy(strange / file, folder / file)
    with Memory(config=kept) as memory:
        with pytest.raises(KeyLostError):
            memory.add("more", user_id="ana")
        assert memory.list(user_id="ana").total == 2


def test_a_store_that_is_held_too_long(kept: Config, start: Callable[..., Any]) -> None:
    holder = start(mode="hold")
    holder.expect("ready")
    holder.go()
    holder.expect("holding")
    with Memory(config=replace(kept, busy_timeout_s=0.05)) as memory:
        for write in (
            lambda: memory.add("more", user_id="ana"),
            lambda: memory.add("more", user_id="new"),
            lambda: memory.forget(user_id="ana", session_id="s"),
        ):
            with pytest.raises(StoreBusyError) as caught:
                write()
            assert "busy_timeout_s" in caught.value.hint
        assert memory.list(user_id="ana").total == 2
        result = memory.search("violet", user_id="ana")
        assert result.hits[0].text == "the violet key"
        assert result.trace_id is not None
        holder.go()
        holder.expect("closed")
        memory.add("now it goes", user_id="ana")
        assert memory.admin.inspect().rows["trace"] == 1
        assert memory.list(user_id="ana").total == 3
        assert not memory.verify().problems


def test_a_closed_memory_says_that_it_is_closed(kept: Config) -> None:
    memory = Memory(config=kept)
    memory.list(user_id="ana")
    memory.close()
    for verb in (
        lambda: memory.list(user_id="ana"),
        lambda: memory.search("violet", user_id="ana"),
        lambda: memory.get("ep_1", user_id="ana"),
        lambda: memory.add("more", user_id="ana"),
        lambda: memory.forget(user_id="ana", everything=True),
        memory.admin.inspect,
        memory.admin.seal,
    ):
        with pytest.raises(StoreError) as caught:
            verb()
        assert "closed" in caught.value.what
        assert "Memory" in caught.value.hint
    memory.close()


def test_closing_twice_and_opening_again_changes_nothing(kept: Config) -> None:
    before = dump(kept.database)
    memory = Memory(config=kept)
    memory.close()
    memory.close()
    with Memory(config=kept):
        pass
    assert dump(kept.database) == before


@pytest.mark.file
def test_a_file_that_was_taken_away_while_open(kept: Config) -> None:
    with Memory(config=kept) as memory:
        memory.list(user_id="ana")
        shutil.rmtree(Path(kept.database).parent)
        for verb in (lambda: memory.add("more", user_id="ana"), lambda: memory.list(user_id="ana")):
            attempt(verb)
