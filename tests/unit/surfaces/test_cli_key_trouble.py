"""What doctor and verify say of a lost key and of an older copy, and that neither takes a write in silence."""

import json
import shutil
from pathlib import Path

import pytest

from affidavit import Config, Memory
from affidavit.errors import KeyStoreError, StoreReadOnlyError
from affidavit.surfaces.cli.run import run
from tests.support_sqlite import file_store


@pytest.fixture
def db(tmp_path):
    path = str(tmp_path / "m.db")
    with Memory(path) as memory:
        memory.add("The gate code is on the blue card", user_id="priya")
    return path


@pytest.fixture
def cli(db, capsys):
    """Runs a command on this test's store; what it prints, once the exit code is as said."""

    def call(*words, code=0, text=False, at=db):
        capsys.readouterr()
        assert run([*words, "--db", at, "-o", "text" if text else "json"]) == code
        out = capsys.readouterr().out
        return out if text else json.loads(out)

    return call


def bad(found):
    return [check for check in found["checks"] if not check["ok"]]


def put_back(copy, db):
    for end in ("", "-wal", "-shm"):
        Path(db + end).unlink(missing_ok=True)
    shutil.copy(copy, db)


@pytest.fixture
def rolled_back(cli, db, tmp_path):
    """A backup put back after more was said."""
    cli("admin", "backup", str(tmp_path / "copy.db"))
    cli("add", "Said after the backup", "--user", "priya")
    put_back(tmp_path / "copy.db", db)
    return db


@pytest.mark.parametrize("what", ["the folder", "the key"])
def test_doctor_names_a_lost_key_and_what_to_do(cli, what):
    folder = Config.load().key_dir
    if what == "the folder":
        shutil.rmtree(folder)
    else:
        next(folder.glob("*/signing.key")).unlink()
    (found,) = bad(cli("doctor", code=1))
    assert found["name"] == "signing key"
    assert "not here" in found["detail"]
    assert "keys import" in found["hint"]
    assert "rotate --lost" in found["hint"]
    assert "first write makes one" not in cli("doctor", code=1, text=True)
    cli("keys", "rotate", "--lost", "--yes")
    assert cli("doctor")["ok"]


def test_doctor_names_a_damaged_key(cli):
    next(Config.load().key_dir.glob("*/signing.key")).write_text("damaged")
    (found,) = bad(cli("doctor", code=1))
    assert "damaged" in found["detail"]
    assert "export" in found["hint"]


def test_doctor_names_an_older_copy_and_what_to_do(cli, rolled_back):
    (found,) = bad(cli("doctor", code=1))
    assert found["name"] == "history"
    assert "older" in found["detail"]
    assert "keys accept" in found["hint"]
    cli("keys", "accept", "--yes")
    assert cli("doctor")["ok"]


def test_doctor_names_another_store_in_the_place(cli, db, tmp_path):
    other = str(tmp_path / "other.db")
    cli("add", "Something else", "--user", "leo", at=other)
    put_back(other, db)
    (found,) = bad(cli("doctor", code=1))
    assert found["name"] == "place"
    assert "keys accept" in found["hint"]


def test_doctor_is_content_with_what_needs_no_key_here(tmp_path, tmp_path_factory, monkeypatch, cli):
    """A store that is sealed elsewhere, and one that nobody has sealed yet."""
    monkeypatch.setenv("AFFIDAVIT_SIGNING", "later")
    other = str(tmp_path / "later.db")
    cli("add", "Said where no key is", "--user", "leo", at=other)
    assert cli("doctor", at=other)["ok"]
    monkeypatch.setenv("AFFIDAVIT_SIGNING", "local")
    cli("admin", "seal", at=other)
    monkeypatch.setenv("AFFIDAVIT_SIGNING", "later")
    monkeypatch.setenv("AFFIDAVIT_KEY_DIR", str(tmp_path_factory.mktemp("elsewhere")))
    cli("add", "Said later", "--user", "leo", at=other)
    assert cli("doctor", at=other)["ok"]


def test_doctor_changes_nothing(cli, rolled_back):
    def everything():
        folders = (Config.load().key_dir, Path(rolled_back).parent)
        return {p: p.read_bytes() for f in folders for p in f.rglob("*") if p.is_file()}

    before = everything()
    cli("doctor", code=1)
    assert everything() == before


def test_verify_says_once_that_the_key_is_missing_and_how_to_get_it_back(cli, db):
    for n in range(30):
        cli("add", f"note {n}", "--user", "priya")
    shutil.rmtree(Config.load().key_dir)
    found = cli("verify", code=1)
    assert found["problems"][0]["where"] == "keys"
    assert {problem["code"] for problem in found["problems"]} == {"KEY_UNKNOWN"}
    assert sum("keys import" in problem["detail"] for problem in found["problems"]) == 1
    assert len(found["problems"]) > 10, "the result stays complete"
    shown = cli("verify", code=1, text=True)
    assert "keys import" in " ".join(shown.split())
    assert shown.count("KEY_UNKNOWN") == 2
    assert len(shown.splitlines()) < 12


def test_verify_tells_a_foreign_key_from_a_missing_one(cli, db):
    """A key is here, and another one signs: that may be a forgery, and giving the key up is no advice."""
    other = db.replace("m.db", "other.db")
    with Memory(other) as memory:
        wrong = memory._rooms.keys.folder
    mine = next(f for f in Config.load().key_dir.glob("st_*") if f != wrong)
    for name in ("signing.key", "public.txt"):
        shutil.copy(wrong / name, mine / name)
    first = cli("verify", code=1)["problems"][0]
    assert first["where"] == "keys"
    assert "rotate --lost" not in first["detail"]
    assert "backup" in first["detail"]


# -- an older copy takes no writes


def test_an_older_copy_takes_no_write_and_the_refusal_has_a_way_out(cli, rolled_back):
    error = cli("add", "Said to an older copy", "--user", "priya", code=3)["error"]
    assert error["code"] == "key"
    assert "older" in error["what"]
    assert "nothing was written" in error["what"]
    assert "keys accept" in error["hint"]
    assert cli("search", "gate code", "--user", "priya")["hits"], "reading goes on"
    assert cli("forget", "--everything", "--user", "priya", "--yes", code=3)["error"]["code"] == "key"
    cli("keys", "accept", "--yes")
    cli("add", "Said later", "--user", "priya")
    assert cli("verify")["level"] == 2


def test_the_same_from_python_and_every_write_is_refused_again(rolled_back):
    with Memory(rolled_back) as memory:
        for _ in range(2):
            with pytest.raises(KeyStoreError, match="older"):
                memory.add("Said to an older copy", user_id="leo")
        with pytest.raises(KeyStoreError, match="older"):
            memory.forget(user_id="priya", everything=True)
        with pytest.raises(KeyStoreError, match="older"):
            memory.reset()
        assert memory.get_all(user_id="leo").total == 0
        memory.admin.accept_copy()
        memory.add("Said later", user_id="leo")
        assert memory.verify().level == 2


def test_a_copy_that_was_never_sealed_since_is_taken(cli, db, tmp_path):
    cli("admin", "backup", str(tmp_path / "copy.db"))
    put_back(tmp_path / "copy.db", db)
    cli("add", "Said after the restore", "--user", "priya")
    assert cli("verify")["level"] == 2


def test_a_store_without_remembered_seals_is_taken(cli, rolled_back, tmp_path):
    """Keys brought to another machine know of no seal."""
    for path in Config.load().key_dir.glob("*/checkpoint-*"):
        path.unlink()
    cli("add", "Said later", "--user", "priya")
    assert cli("verify")["level"] == 2


def test_a_file_that_can_only_be_read_says_so(rolled_back):
    with Memory(rolled_back) as memory:
        file_store(memory)._read_only = True  # whoever runs the tests as root may write everywhere
        with pytest.raises(StoreReadOnlyError):
            memory.add("x", user_id="priya")
        assert memory.search("gate code", user_id="priya").hits


def test_the_store_is_compared_once_and_not_at_each_commit(db, monkeypatch):
    from affidavit.proof.keys import KeyRing

    asked = []
    real = KeyRing.checkpoint

    def counted(ring, store_id):
        asked.append(store_id)
        return real(ring, store_id)

    monkeypatch.setattr(KeyRing, "checkpoint", counted)
    memory = Memory(db)
    for n in range(5):
        memory.add(f"note {n}", user_id="priya")
    assert len(asked) == 1
    memory.close()


def test_an_older_copy_whose_key_is_lost_is_accepted_first_and_then_given_up(cli, rolled_back):
    next(Config.load().key_dir.glob("*/signing.key")).unlink()
    assert [check["name"] for check in bad(cli("doctor", code=1))] == ["signing key", "history"]
    assert "keys accept" in cli("keys", "rotate", "--lost", "--yes", code=3)["error"]["hint"]
    assert cli("keys", "accept", "--yes")["seal"] is None
    cli("keys", "rotate", "--lost", "--yes")
    cli("add", "Said later", "--user", "priya")
    assert cli("verify")["level"] == 2


def test_a_seal_is_on_disk_before_it_is_remembered(db):
    """Else a power failure could take it from the file alone, and the file would look like an older copy."""
    with Memory(db) as memory:
        memory.add("Said later", user_id="priya")
        told: list[str] = []
        with file_store(memory).raw() as conn:
            conn.set_trace_callback(told.append)
        memory.admin.seal()
        insert = next(n for n, sql in enumerate(told) if sql.startswith("INSERT INTO seal"))
        before = [sql for sql in told[:insert] if sql.startswith("PRAGMA synchronous")]
        assert before[-1].endswith("FULL")
        assert next(sql for sql in told[insert:] if not sql.startswith("INSERT")) == "COMMIT"
        assert told[-1].endswith("NORMAL")


def test_one_process_seals_while_another_begins(db):
    """The seal that is remembered last is never ahead of what the other sees."""
    with Memory(db) as one, Memory(db) as other:
        one.add("one", user_id="ana")
        one.admin.seal()
        other.add("two", user_id="ben")
        other.admin.seal()
        one.add("three", user_id="ana")
        one.admin.seal()
        assert one.verify().level == 2
