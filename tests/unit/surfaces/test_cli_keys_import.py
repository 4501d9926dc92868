"""`keys export` and `keys import`, in every order: what was verifiable stays so, and every refusal has a way out."""

import json
import os
import shutil
from pathlib import Path

import pytest

from affidavit import Config, Memory
from affidavit.surfaces.cli.run import run

posix = pytest.mark.skipif(os.name != "posix", reason="file modes mean something on POSIX only")


@pytest.fixture
def db(tmp_path):
    path = str(tmp_path / "m.db")
    with Memory(path) as memory:
        memory.add("The gate code is on the blue card", user_id="priya", idempotency_key="k")
    return path


@pytest.fixture
def cli(db, capsys):
    """Runs a command on this test's store; its JSON, once the exit code is as said."""

    def call(*words, code=0):
        capsys.readouterr()
        assert run([*words, "--db", db, "-o", "json"]) == code
        return json.loads(capsys.readouterr().out)

    return call


@pytest.fixture
def exports(cli, tmp_path):
    """Two exports of one store, before and after its key was replaced."""
    cli("keys", "export", str(tmp_path / "old.txt"))
    cli("keys", "rotate")
    cli("keys", "export", str(tmp_path / "new.txt"))
    return str(tmp_path / "old.txt"), str(tmp_path / "new.txt")


def lose_keys():
    shutil.rmtree(Config.load().key_dir)


def ring_folder():
    return next(path for path in Config.load().key_dir.iterdir() if path.name.startswith("st_"))


def keys_here():
    folder = Config.load().key_dir
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def works(cli):
    """The store takes writes, and all of its history verifies."""
    assert cli("add", "Said later", "--user", "priya")["episodes"]
    found = cli("verify")
    assert (found["level"], found["problems"]) == (2, [])


def test_an_older_export_is_refused_and_the_newer_one_goes_in_after_it(cli, exports):
    old, new = exports
    current = cli("keys", "show")["current"]
    lose_keys()
    error = cli("keys", "import", old, code=3)["error"]
    assert error["code"] == "key"
    assert "before the signing key was replaced" in error["what"]
    assert current.partition("+")[0] in error["what"], "the key that is missing is named"
    assert "rotate --lost" in error["hint"]
    assert cli("keys", "show")["current"] is None
    assert cli("keys", "import", new)["current"] == current
    works(cli)


def test_an_older_export_takes_nothing_from_newer_keys(cli, exports):
    old, new = exports
    before = keys_here()
    assert cli("keys", "import", old, code=3)["error"]["code"] == "key"
    assert keys_here() == before
    cli("keys", "import", new)
    works(cli)


def test_a_newer_export_goes_in_over_older_keys(cli, tmp_path):
    """A key folder put back from an older backup is continued by a newer export: no key is lost."""
    shutil.copytree(Config.load().key_dir, tmp_path / "before")
    cli("keys", "rotate")
    cli("keys", "rotate")
    trusted = cli("keys", "show")["trusted"]
    cli("keys", "export", str(tmp_path / "newest.txt"))
    lose_keys()
    shutil.copytree(tmp_path / "before", Config.load().key_dir)
    assert cli("keys", "import", str(tmp_path / "newest.txt"))["trusted"] == trusted
    works(cli)


def test_older_keys_in_the_folder_give_way_to_the_newer_export(cli, exports, tmp_path):
    """Only the file of the key was put back from an older backup: it must sign nothing, and give way."""
    old, new = exports
    seed = next(line for line in Path(old).read_text().splitlines() if line.startswith("signing "))
    (ring_folder() / "signing.key").write_text(seed.partition(" ")[2] + "\n")
    assert cli("add", "Said with an old key", "--user", "priya", code=3)["error"]["code"] == "key_lost"
    cli("keys", "import", new)
    works(cli)


def test_a_key_that_is_lost_after_an_older_import_was_tried_leaves_nothing_unverifiable(cli, exports):
    old, new = exports
    lose_keys()
    cli("keys", "import", old, code=3)
    cli("keys", "rotate", "--lost", "--yes")
    works(cli)
    error = cli("keys", "import", new, code=3)["error"]
    assert "given up as lost" in error["what"]
    works(cli)


def test_an_old_folder_put_back_whole_and_then_given_up(cli, db, tmp_path):
    shutil.copytree(Config.load().key_dir, tmp_path / "before")
    cli("keys", "rotate")
    cli("add", "Said under the second key", "--user", "priya")
    lose_keys()
    shutil.copytree(tmp_path / "before", Config.load().key_dir)
    assert cli("add", "x", "--user", "priya", code=3)["error"]["code"] == "key_lost"
    cli("keys", "rotate", "--lost", "--yes")
    works(cli)


def test_keys_of_another_store_are_refused(cli, tmp_path, capsys):
    other = str(tmp_path / "other.db")
    with Memory(other) as memory:
        memory.add("Something else", user_id="leo")
    assert run(["keys", "export", str(tmp_path / "other.txt"), "--db", other]) == 0
    for lost in (False, True):
        if lost:
            lose_keys()
        error = cli("keys", "import", str(tmp_path / "other.txt"), code=3)["error"]
        assert "another store" in error["what"]
        assert cli("keys", "show")["store_id"] in error["what"]


def test_another_stores_key_in_the_folder_is_not_named_as_the_lost_one(cli, db, tmp_path):
    """Else the seals of the key that signed would be unverifiable for good."""
    other = str(tmp_path / "other.db")
    with Memory(other) as memory:
        wrong = memory._rooms.keys.folder
    mine = next(f for f in Config.load().key_dir.glob("st_*") if f != wrong)
    shutil.rmtree(mine)
    shutil.copytree(wrong, mine)
    for place in mine.glob("checkpoint-*"):
        place.unlink()
    (mine / "place.txt").unlink(missing_ok=True)
    cli("keys", "rotate", "--lost", "--yes")
    assert cli("verify")["problems"] == []


def test_an_export_brings_back_a_damaged_key(cli, tmp_path):
    cli("keys", "export", str(tmp_path / "keys.txt"))
    for damaged in (b"damaged", b"\xff" * 44):
        (ring_folder() / "signing.key").write_bytes(damaged)
        assert cli("search", "gate code", "--user", "priya")["hits"], "reading needs no key"
        assert cli("add", "x", "--user", "priya", code=3)["error"]["code"] == "key_unsafe"
        assert cli("doctor", code=1)
        cli("keys", "import", str(tmp_path / "keys.txt"))
        works(cli)


def test_a_damaged_key_can_be_given_up(cli):
    (ring_folder() / "signing.key").write_text("damaged")
    cli("keys", "rotate", "--lost", "--yes")
    works(cli)


def test_a_newer_export_fits_an_older_copy_of_the_store(cli, db, tmp_path, exports):
    """On another machine: a backup from before the rotation, and the keys of today."""
    _, new = exports
    copy = tmp_path / "copy.db"
    cli("admin", "backup", str(copy))
    cli("keys", "rotate")
    cli("keys", "export", str(tmp_path / "newest.txt"))
    lose_keys()
    for end in ("", "-wal", "-shm"):
        Path(db + end).unlink(missing_ok=True)
    shutil.copy(copy, db)
    cli("keys", "import", str(tmp_path / "newest.txt"))
    works(cli)
    # … and the older export, which fits that copy as well, takes no newer key away.
    before = keys_here()
    assert cli("keys", "import", new, code=3)["error"]["code"] == "key"
    assert keys_here() == before


def test_nothing_is_marked_for_an_erasure_that_the_lost_key_stops(cli, tmp_path):
    """Else a new erasure key would lie in the folder, and the export would not fit any more."""
    cli("add", "To be forgotten", "--user", "priya", "--idempotency-key", "gone", "--session", "s")
    cli("forget", "--session", "s", "--user", "priya", "--yes")
    cli("keys", "export", str(tmp_path / "keys.txt"))
    lose_keys()
    episode = cli("memory", "list", "--user", "priya")["items"][0]["id"]
    assert (
        cli("forget", "--episode", episode, "--user", "priya", "--yes", code=3)["error"]["code"] == "key_lost"
    )
    cli("keys", "import", str(tmp_path / "keys.txt"))
    works(cli)


def test_what_is_wrong_with_the_file_is_said_in_a_sensible_order(cli, tmp_path):
    path = tmp_path / "keys.txt"
    ask = ("keys", "import", str(path))
    missing = cli(*ask, code=2)["error"]
    assert "there is no file" in missing["what"]
    assert str(path) in missing["what"]
    path.mkdir()
    assert "can't be read" in cli(*ask, code=2)["error"]["what"]
    path.rmdir()
    for junk in (b"", b"a letter\n", b"\xff\xfe\x00"):
        path.write_bytes(junk)
        path.chmod(0o644)
        wrong = cli(*ask, code=2)["error"]
        assert "is no export of keys" in wrong["what"]
        assert "keys export" in wrong["hint"]
    path.unlink()
    cli("keys", "export", str(path))
    whole = path.read_text()
    for cut in (whole[:-10], whole.replace("signing ", "sinning "), whole.replace("public ", "public x")):
        path.write_text(cut)
        damaged = cli(*ask, code=3)["error"]
        assert damaged["code"] == "key_unsafe"
        assert "damaged" in damaged["what"]
    path.write_text(whole)
    cli(*ask)


@posix
def test_an_export_that_others_can_read_is_refused_with_the_remedy(cli, tmp_path):
    path = tmp_path / "keys.txt"
    cli("keys", "export", str(path))
    path.chmod(0o644)
    error = cli("keys", "import", str(path), code=3)["error"]
    assert error["code"] == "key_unsafe"
    assert "644" in error["what"]
    assert f"chmod 600 {path}" in error["hint"]
    path.chmod(0o600)
    cli("keys", "import", str(path))


def test_keys_that_do_not_sign_this_store_are_not_exported_as_if_they_did(cli, tmp_path):
    lose_keys()
    error = cli("keys", "export", str(tmp_path / "keys.txt"), code=3)["error"]
    assert error["code"] == "key_lost"
    assert "first write makes one" not in error["hint"]
    assert not (tmp_path / "keys.txt").exists()


def test_the_same_from_python(db, tmp_path):
    from affidavit.errors import KeyStoreError

    with Memory(db) as memory:
        memory.admin.export_keys(tmp_path / "old.txt")
        new = memory.admin.rotate_key()
        memory.admin.export_keys(tmp_path / "new.txt")
    lose_keys()
    with Memory(db) as memory:
        with pytest.raises(KeyStoreError, match="before the signing key was replaced"):
            memory.admin.import_keys(tmp_path / "old.txt")
        assert memory.admin.import_keys(str(tmp_path / "new.txt")) == new
        memory.add("Said later", user_id="priya")
        assert memory.verify().level == 2
