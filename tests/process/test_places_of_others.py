"""What another user may not read or write: each verb names the place, why, and what to do; nothing is our fault.

The commands run in a real process of another user, with real files and permissions.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions as on Unix")

NOBODY = 65534
AS_ANOTHER = """
import contextlib, importlib, io, json, os, pkgutil, sys
import affidavit
from affidavit import Memory
from affidavit.errors import AffidavitError
from affidavit.surfaces.cli.run import run
base, uid, calls = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
# Whoever he is then may not be able to read our modules: all are loaded before.
for one in pkgutil.walk_packages(affidavit.__path__, "affidavit."):
    if one.name != "affidavit.__main__":
        importlib.import_module(one.name)
def told(arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    return [code, out.getvalue(), err.getvalue()]
his = {name: os.environ[name] for name in ("AFFIDAVIT_HOME", "AFFIDAVIT_KEY_DIR")}
os.environ.update(AFFIDAVIT_HOME=base + "/warm/home", AFFIDAVIT_KEY_DIR=base + "/warm/keys")
for verb in (["add", "warm"], ["search", "warm"], ["verify"], ["doctor"], ["admin", "backup", base + "/warm/b.db"],
             ["nonsense"], ["forget", "--everything", "--yes"]):
    told([*verb, "--db", base + "/warm/m.db", "--user", "u"])
os.environ.update(his)
if os.getuid() == 0:
    os.setgroups([]); os.setgid(uid); os.setuid(uid)
answers = []
for call in calls:
    if call[0] == "python":
        try:
            memory = Memory(call[1])
            answers.append([0, call[2] == "open" or str(memory.admin.backup(call[2])), ""])
            memory._rooms.store.close()
        except AffidavitError as error:
            answers.append([error.exit_code, json.dumps({"error": error.to_dict()}), type(error).__name__])
    else:
        answers.append(told(call))
sys.stdout.write(json.dumps(answers))
"""


class Told(NamedTuple):
    """What one call gave."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> dict[str, str]:
        """The error on stdout; whole, and none that says that the fault is ours."""
        found: dict[str, str] = json.loads(self.out)["error"]
        assert found["what"]
        assert found["hint"]
        assert found["code"] != "unexpected"
        assert "fault of Affidavit" not in found["hint"]
        return found


class Another:
    """Another user beside a folder that is not his: his own home and keys, and what he is told."""

    def __init__(self, base: Path) -> None:
        self.shared, self.base = base / "shared", base
        self._own = base / "his"
        for folder in (self.shared, self._own, base / "warm"):
            folder.mkdir()
        if os.getuid() == 0:
            os.chown(self._own, NOBODY, NOBODY)

    @property
    def own(self) -> Path:
        """A folder where he may do anything."""
        return self._own

    def says(self, *calls: list[str]) -> list[Told]:
        """What he is told, call by call."""
        environ = os.environ | {
            "AFFIDAVIT_HOME": str(self._own / "home"), "AFFIDAVIT_KEY_DIR": str(self._own / "keys"),
            "AFFIDAVIT_EMBEDDER": "none", "AFFIDAVIT_USER": "u",
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", AS_ANOTHER, str(self.base), str(NOBODY), json.dumps(calls)],
            capture_output=True, text=True, check=False, env=environ,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [Told(*one) for one in json.loads(done.stdout)]


@pytest.fixture
def another(open_folder: Path) -> Another:
    return Another(open_folder)


def store_at(path: Path, run: Callable[..., Any]) -> Path:
    """A store with one message, made by us."""
    assert run("add", "the violet key", "--user", "u", "--db", str(path)) == 0
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., int]:
    from affidavit.surfaces.cli.run import run as door

    return lambda *arguments: door(list(arguments))


def test_a_folder_where_nothing_may_be_made(another: Another) -> None:
    another.shared.chmod(0o555)
    new = str(another.shared / "new.db")
    add, start, doctor, python, deep = another.says(
        ["add", "x", "--db", new],
        ["init", "--db", new],
        ["doctor", "--db", new],
        ["python", new, "open"],
        ["add", "x", "--db", str(another.shared / "a" / "b.db")],
    )
    for one in (add, start, python, deep):
        assert (one.code, one.error["code"]) == (3, "store_place")
        assert str(another.shared) in one.error["what"]
    assert python.err == "StorePlaceError"
    assert "may not write" in add.error["what"]
    assert doctor.code == 1
    bad = [check for check in json.loads(doctor.out)["checks"] if not check["ok"]]
    assert [check["name"] for check in bad] == ["store"]
    assert str(another.shared) in bad[0]["detail"]
    assert bad[0]["hint"]
    assert list(another.shared.iterdir()) == []


def test_a_copy_where_nothing_may_be_made(another: Another) -> None:
    another.shared.chmod(0o555)
    own, target = str(another.own / "m.db"), str(another.shared / "b.db")
    _, backup, python, save, receipt, keep = another.says(
        ["add", "x", "--db", own],
        ["admin", "backup", target, "--db", own],
        ["python", own, target],
        ["verify", "--save", target, "--db", own],
        ["forget", "--everything", "--yes", "--receipt", target, "--db", own],
        ["demo", "--keep", target],
    )
    for one in (backup, python, save, receipt, keep):
        assert (one.code, one.error["code"]) == (2, "input")
        assert target in one.error["what"]
        assert "permission denied" in one.error["what"]
    # What could not be written down was not done.
    assert json.loads(another.says(["memory", "list", "--db", own])[0].out)["total"] == 1


def test_a_store_that_may_not_be_read(another: Another, run: Callable[..., int]) -> None:
    place = store_at(another.shared / "m.db", run)
    place.chmod(0o000)
    db = ["--db", str(place)]
    verbs = (["verify"], ["search", "key"], ["add", "x"], ["memory", "list"], ["init"], ["admin", "seal"])
    *told, doctor, python = another.says(
        *([*verb, *db] for verb in verbs), ["doctor", *db], ["python", str(place), "open"]
    )
    for one in (*told, python):
        assert (one.code, one.error["code"]) == (3, "store_place")
        assert one.error["what"] == f"{place} can't be read: permission denied"
    assert doctor.code == 1
    assert "can't be read: permission denied" in doctor.out


def test_a_store_in_a_folder_that_may_not_be_entered(another: Another, run: Callable[..., int]) -> None:
    place = store_at(another.shared / "m.db", run)
    another.shared.chmod(0o000)
    db = ["--db", str(place)]
    verbs = (["verify"], ["search", "key"], ["add", "x"], ["init"])
    *told, doctor = another.says(*([*verb, *db] for verb in verbs), ["doctor", *db])
    another.shared.chmod(0o755)
    for one in told:
        assert (one.code, one.error["code"]) == (3, "store_place")
        assert "can't be looked at: permission denied" in one.error["what"]
    assert doctor.code == 1
    assert "can't be looked at: permission denied" in doctor.out


def test_files_that_may_not_be_read(another: Another) -> None:
    secret, own = another.shared / "secret.txt", ["--db", str(another.own / "m.db")]
    secret.write_text('{"role": "user", "content": "x"}\n')
    secret.chmod(0o000)
    told = another.says(
        ["add", "--file", str(secret), *own],
        ["add", "--document", str(secret), *own],
        ["import", str(secret), *own],
        ["verify", "--since", str(secret), *own],
    )
    for one in told:
        assert (one.code, one.error["code"]) == (2, "file_format")
        assert str(secret) in one.error["what"]
        assert "permission denied" in one.error["what"]
        assert "Errno" not in one.out


def test_settings_that_may_not_be_read(another: Another) -> None:
    home = another.own / "home"
    home.mkdir()
    (home / "config.toml").write_text('user = "ana"\n')
    (home / "config.toml").chmod(0o000)
    search, doctor = another.says(["search", "x"], ["doctor"])
    assert (search.code, search.error["code"]) == (2, "config")
    assert "can't be read: permission denied" in search.error["what"]
    assert "AFFIDAVIT_HOME" in search.error["hint"]
    assert doctor.code == 1
    assert "config.toml can't be read" in doctor.out


def test_a_full_disk_costs_neither_copy_nor_receipt(
    small_disk: Path, tmp_path: Path, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    place = store_at(tmp_path / "m.db", run)
    db = ["--db", str(place), "--user", "u"]
    (small_disk / "receipt.json").touch()
    (small_disk / "receipt.json").unlink()
    with (small_disk / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(b"x" * 4_096)
    capsys.readouterr()

    def told(*arguments: str) -> Told:
        code = run(*arguments)
        seen = capsys.readouterr()
        return Told(code, seen.out, seen.err)

    copy = told("admin", "backup", str(small_disk / "b.db"), *db)
    assert (copy.code, copy.error["code"]) == (3, "store_full")
    assert not (small_disk / "b.db").exists()
    saved = told("verify", "--save", str(small_disk / "checked.json"), *db)
    assert (saved.code, saved.error["code"]) == (3, "store_full")
    new = told("add", "x", "--user", "u", "--db", str(small_disk / "new.db"))
    assert (new.code, new.error["code"]) == (3, "store_full")
    # The erasure is done when its receipt finds no room: stdout is then the only one.
    erased = told("forget", "--everything", "--yes", "--receipt", str(small_disk / "receipt.json"), *db)
    assert erased.code == 3
    assert json.loads(erased.out)["episodes"] == 1
    assert "it was erased, but" in erased.err
