"""The search for erased bytes in raw files."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from affidavit.errors import StoreUnreadableError
from affidavit.privacy import scan, windows
from affidavit.privacy.scan import Residue, find_residue

SECRET = b"the kiln code of the pottery is 4471, ask Ilse before noon"


def nothing():
    return ()


def never():
    raise AssertionError("surviving strings were asked for without need")


def write(path: Path, *parts: bytes) -> Path:
    path.write_bytes(b"".join(parts))
    return path


def noise(many: int) -> bytes:
    return bytes(n * n % 251 for n in range(many))


def test_a_whole_string_is_one_residue_with_its_place(tmp_path):
    file = write(tmp_path / "db", noise(1000), SECRET, noise(500))
    assert find_residue([file], [SECRET], nothing) == [
        Residue(file=str(file), offset=1000, sample_length=len(SECRET))
    ]


def test_clean_files_never_ask_for_surviving_rows(tmp_path):
    file = write(tmp_path / "db", noise(5000))
    assert find_residue([file], [SECRET], never) == []


def test_nothing_erased_and_nothing_to_read(tmp_path):
    file = write(tmp_path / "db", noise(100))
    assert find_residue([file], [], never) == []
    assert find_residue([], [SECRET], never) == []
    assert find_residue([write(tmp_path / "empty", b"")], [SECRET], never) == []


@pytest.mark.parametrize("start", range(len(SECRET) - 31 + 1))
def test_every_fragment_of_31_bytes_is_found(tmp_path, start):
    file = write(tmp_path / "db", noise(333), SECRET[start : start + 31], noise(333))
    (residue,) = find_residue([file], [SECRET], nothing)
    assert 333 + 0 <= residue.offset < 333 + 31
    assert residue.sample_length >= 16


@pytest.mark.parametrize("offset", range(24))
def test_every_offset_is_compared(tmp_path, offset):
    file = write(tmp_path / "db", bytes(offset), SECRET[:16])
    assert find_residue([file], [SECRET[:16]], nothing) == [
        Residue(file=str(file), offset=offset, sample_length=16)
    ]


def test_short_strings_and_those_without_information_are_not_looked_for(tmp_path):
    short, dashes, zeros = b"fifteen bytes..", b"-=" * 40, bytes(64)
    file = write(tmp_path / "db", short, dashes, zeros)
    assert find_residue([file], [short, dashes, zeros, b" " * 30, b""], never) == []


def test_what_also_survives_is_excused_at_any_offset(tmp_path):
    file = write(tmp_path / "db", noise(64), SECRET, noise(64))
    assert find_residue([file], [SECRET], lambda: [b"and " + SECRET + b" too"]) == []


def test_only_the_windows_that_survive_are_excused(tmp_path):
    file = write(tmp_path / "db", SECRET)
    (residue,) = find_residue([file], [SECRET], lambda: [b"x" + SECRET[:32]])
    assert (residue.offset, residue.sample_length) == (32, len(SECRET) - 32)


def test_two_surviving_strings_side_by_side_excuse_nothing(tmp_path):
    file = write(tmp_path / "db", SECRET[:16])
    halves = [b"it is said: " + SECRET[:8], SECRET[8:16] + b" (and so on)"]
    assert len(find_residue([file], [SECRET[:16]], lambda: halves)) == 1


def test_surviving_strings_are_asked_for_once_for_all_files(tmp_path):
    calls = []

    def surviving():
        calls.append(1)
        yield SECRET

    files = [write(tmp_path / name, SECRET) for name in ("db", "db-wal")]
    assert find_residue(files, [SECRET], surviving) == []
    assert calls == [1]


def test_a_vanished_file_is_skipped(tmp_path):
    there = write(tmp_path / "db", SECRET)
    found = find_residue([tmp_path / "db-wal", str(there)], [SECRET], nothing)
    assert [residue.file for residue in found] == [str(there)]


def test_a_folder_in_place_of_a_file_is_a_clear_error(tmp_path):
    with pytest.raises(StoreUnreadableError, match="can't be read to look for remains"):
        find_residue([tmp_path], [SECRET], nothing)


def test_pieces_across_the_seams_of_reading(tmp_path, monkeypatch):
    monkeypatch.setattr(scan, "_READ", 64)
    monkeypatch.setattr(windows, "_BLOCK", 48)
    for before in range(130):
        file = write(tmp_path / "db", noise(before), SECRET, noise(90))
        assert find_residue([file], [SECRET], nothing) == [
            Residue(file=str(file), offset=before, sample_length=len(SECRET))
        ]


def test_vectors_and_other_binary_strings(tmp_path):
    vector = bytes(n * 37 % 256 for n in range(384 * 4))
    file = write(tmp_path / "db", b"\0" * 4096, vector[700:800], b"\0" * 4096)
    (residue,) = find_residue([file], [vector], nothing)
    assert 4096 + 700 - 700 <= residue.offset <= 4096 + 15
    assert residue.sample_length >= 80


def test_a_file_that_is_replaced_is_read_anew(tmp_path):
    file = write(tmp_path / "db-wal", noise(100))
    assert find_residue([file], [SECRET], nothing) == []
    file.unlink()
    write(file, SECRET)
    assert len(find_residue([file], [SECRET], nothing)) == 1


def test_descriptors_of_deleted_files_are_let_go(tmp_path):
    for number in range(5):
        find_residue([write(tmp_path / str(number), noise(100))], [SECRET], nothing)
    ours = {(status.st_dev, status.st_ino) for status in map(os.stat, tmp_path.iterdir())}
    assert len(ours & scan._kept.keys()) == 5
    for file in tmp_path.iterdir():
        file.unlink()
    find_residue([write(tmp_path / "last", noise(100))], [SECRET], nothing)
    assert all(os.fstat(descriptor).st_nlink for descriptor in scan._kept.values())


@pytest.mark.skipif(os.name != "posix", reason="only POSIX locks fall with any descriptor of the file")
def test_scanning_a_live_database_leaves_its_locks_alone(tmp_path):
    """A process that opens and closes a file loses its locks on it: the scan must not do so to SQLite."""
    database = tmp_path / "live.db"
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE t (x)")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO t VALUES (1)")
    files = [database, f"{database}-wal", f"{database}-shm"]
    find_residue(files, [SECRET], nothing)
    other = (
        "import sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)\n"
        "try:\n"
        "    c.execute('BEGIN IMMEDIATE')\n"
        "    print('stolen')\n"
        "except sqlite3.OperationalError as error:\n"
        "    print(error)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", other, str(database)], capture_output=True, text=True, timeout=30
    ).stdout
    connection.execute("COMMIT")
    connection.close()
    assert "locked" in answer
