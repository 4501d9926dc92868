import os
import subprocess
import sys
import threading
from base64 import b64encode
from pathlib import Path

import pytest

from affidavit.errors import FileFormatError, KeyLostError, KeyStoreError, KeyUnsafeError
from affidavit.ledger.note import Checkpoint, sign_checkpoint, verify_note
from affidavit.ledger.rotation import rotation_message
from affidavit.proof import keys as module
from affidavit.proof.key_export import KeyExport
from affidavit.proof.keys import ENVIRONMENT_KEY, KEYRING_SERVICE, KeyRing

STORE, SPACE = "st_1", "sp_1"
SEED = b64encode(bytes(range(32))).decode()
posix = pytest.mark.skipif(os.name != "posix", reason="file modes mean something on POSIX only")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keys" / "store"


def ring(folder: Path, **more: object) -> KeyRing:
    return KeyRing(folder, **{"environ": {}, **more})  # type: ignore[arg-type]


class FakeKeyring:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str, /) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str, /) -> None:
        self.kept[service, username] = password


def test_asking_makes_nothing(folder):
    keys = ring(folder)
    assert keys.signer() is None
    assert keys.public_keys() == []
    assert keys.checkpoint(STORE) is None
    assert not keys.tombstones(STORE).is_buried(SPACE, "x")
    assert not folder.parent.exists()


def test_a_new_key_signs_and_stays(folder):
    signer = ring(folder).create()
    assert signer.public.name == f"affidavit-{signer.public.raw[:4].hex()}"
    note = sign_checkpoint(Checkpoint("log", 3, bytes(32)), [signer])
    assert verify_note(note, ring(folder).public_keys()).checkpoint.size == 3
    again = ring(folder).signer()
    assert again is not None
    assert again.public == ring(folder).create().public == signer.public
    assert ring(folder).public_keys() == [signer.public]


def test_the_secret_is_in_no_text_of_the_signer(folder):
    signer = ring(folder).create()
    assert (folder / "signing.key").read_text().strip() not in repr(signer) + str(signer)


@posix
def test_files_are_for_the_owner_only(folder):
    old = os.umask(0)
    try:
        keys = ring(folder)
        keys.create()
        keys.tombstones(STORE).bury(SPACE, ["x"])
        keys.remember(STORE, "note", 1)
    finally:
        os.umask(old)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o077 for path in folder.iterdir()} == dict.fromkeys(
        (path.name for path in folder.iterdir()), 0
    )
    assert not list(folder.glob(".*"))


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_key_that_others_can_read_is_refused_with_the_remedy(folder, mode):
    ring(folder).create()
    (folder / "signing.key").chmod(mode)
    with pytest.raises(KeyUnsafeError, match=f"chmod 600 {folder / 'signing.key'}"):
        ring(folder).signer()
    with pytest.raises(KeyUnsafeError):
        ring(folder).create()


@posix
def test_a_folder_that_others_can_write_is_refused(folder):
    folder.mkdir(parents=True)
    folder.chmod(0o770)
    with pytest.raises(KeyUnsafeError, match="chmod 700"):
        ring(folder).create()


@pytest.mark.parametrize("data", [b"", b"short", b"\xff" * 44, SEED.encode()[:-8], b"!" + SEED.encode()])
def test_a_damaged_key_is_refused_and_never_replaced(folder, data):
    ring(folder).create()
    (folder / "signing.key").write_bytes(data)
    for act in (
        ring(folder).signer,
        ring(folder).create,
        ring(folder).public_keys,
        lambda: ring(folder).rotate(STORE),
    ):
        with pytest.raises(KeyUnsafeError, match="damaged"):
            act()
    assert (folder / "signing.key").read_bytes() == data


def test_damaged_public_keys_are_refused(folder):
    ring(folder).create()
    text = (folder / "public.txt").read_text()
    (folder / "public.txt").write_text(text.replace("affidavit-", "affidavit_"))
    with pytest.raises(KeyUnsafeError, match="damaged"):
        ring(folder).public_keys()


def test_environment_then_keyring_then_file(folder):
    in_file = ring(folder).create().public
    keyring = FakeKeyring()
    keyring.set_password(KEYRING_SERVICE, str(folder), b64encode(bytes(32)).decode())
    in_keyring = ring(folder, keyring=keyring).create().public
    in_environment = ring(folder, keyring=keyring, environ={ENVIRONMENT_KEY: SEED}).create().public
    assert len({in_file, in_keyring, in_environment}) == 3
    assert ring(folder, environ={ENVIRONMENT_KEY: SEED}).public_keys() == [in_file, in_environment]


def test_a_wrong_environment_is_an_error_and_not_skipped(folder):
    ring(folder).create()
    for text in ("", "nonsense", SEED[:-4]):
        with pytest.raises(KeyUnsafeError, match=ENVIRONMENT_KEY):
            ring(folder, environ={ENVIRONMENT_KEY: text}).signer()


def test_with_a_keyring_no_secret_is_in_a_file(folder):
    keyring = FakeKeyring()
    signer = ring(folder, keyring=keyring).create()
    assert ring(folder, keyring=keyring).create().public == signer.public
    assert not (folder / "signing.key").exists()
    assert ring(folder).public_keys() == [signer.public]  # who may only verify
    assert ring(folder).signer() is None


def test_of_many_creators_all_get_one_key(folder):
    start, made = threading.Barrier(8), []

    def make() -> None:
        start.wait()
        made.append(ring(folder).create().public)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8
    assert len(set(made)) == 1
    assert ring(folder).public_keys() == made[:1]


def test_of_two_processes_both_get_one_key(folder):
    code = (
        "import sys, pathlib; from affidavit.proof.keys import KeyRing;"
        "print(KeyRing(pathlib.Path(sys.argv[1]), environ={}).create().public.to_text())"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert len({process.communicate()[0] for process in running}) == 1


def test_a_failed_write_leaves_no_half_key(folder, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(28, "no room")

    ring(folder).remember(STORE, "note", 1)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(KeyStoreError, match="no room"):
            ring(folder).create()
        with pytest.raises(KeyStoreError, match="no room"):
            ring(folder).remember(STORE, "later", 2)
    assert ring(folder).signer() is None
    assert ring(folder).checkpoint(STORE) == "note"
    assert ring(folder).create().public.name


def test_what_a_killed_process_left_is_cleared(folder):
    ring(folder).create()
    (folder / ".new-0123").write_text("half a key")
    (folder / ".other").write_text("not ours")
    ring(folder).remember(STORE, "note", 1)
    assert not (folder / ".new-0123").exists()
    assert (folder / ".other").exists()


def test_rotation_is_signed_by_both_and_both_stay_trusted(folder):
    old = ring(folder).create()
    turn = ring(folder).rotate(STORE)
    message = rotation_message(STORE, old.public, turn.new.public)
    assert turn.old == old.public
    assert turn.by_old is not None
    assert old.public.verify(message, turn.by_old)
    assert turn.new.public.verify(message, turn.by_new)
    assert ring(folder).public_keys() == [old.public, turn.new.public]
    signer = ring(folder).signer()
    assert signer is not None
    assert signer.public == turn.new.public != old.public


def test_rotation_without_the_old_key_must_be_said(folder):
    with pytest.raises(KeyLostError, match="--lost"):
        ring(folder).rotate(STORE)
    first = ring(folder).create()
    (folder / "signing.key").unlink()
    with pytest.raises(KeyLostError, match="--lost"):
        ring(folder).rotate(STORE)
    turn = ring(folder).rotate(STORE, lost=True)
    assert (turn.old, turn.by_old) == (first.public, None)
    assert turn.new.public.verify(rotation_message(STORE, first.public, turn.new.public), turn.by_new)
    assert ring(folder).public_keys() == [turn.new.public]


def test_a_damaged_or_stolen_key_can_be_given_up(folder):
    ring(folder).create()
    (folder / "signing.key").write_text("damaged")
    turn = ring(folder).rotate(STORE, lost=True)
    assert ring(folder).public_keys() == [turn.new.public]
    assert ring(folder / "empty").rotate(STORE, lost=True).old is None


def test_a_key_of_the_environment_is_rotated_there(folder):
    with pytest.raises(KeyStoreError, match=ENVIRONMENT_KEY):
        ring(folder, environ={ENVIRONMENT_KEY: SEED}).rotate(STORE)


def test_a_checkpoint_grows_only(folder):
    keys = ring(folder)
    keys.remember(STORE, "origin\n5\nroot\n\n— a b\n", 5)
    keys.remember(STORE, "smaller", 4)
    assert ring(folder).checkpoint(STORE) == "origin\n5\nroot\n\n— a b\n"
    keys.remember(STORE, "signed again", 5)
    keys.remember("st_2", "another", 1)
    assert (keys.checkpoint(STORE), keys.checkpoint("st_2")) == ("signed again", "another")


def test_of_many_writers_the_largest_checkpoint_stays(folder):
    def write(sizes: range) -> None:
        for size in sizes:
            ring(folder).remember(STORE, f"note {size}", size)

    threads = [threading.Thread(target=write, args=(range(i, 20 + i, 3),)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ring(folder).checkpoint(STORE) == "note 21"


def test_a_damaged_checkpoint_is_not_taken_for_none(folder):
    ring(folder).remember(STORE, "note", 5)
    next(folder.glob("checkpoint-*")).write_text("no size")
    with pytest.raises(KeyUnsafeError, match="damaged"):
        ring(folder).checkpoint(STORE)
    with pytest.raises(KeyUnsafeError, match="damaged"):
        ring(folder).remember(STORE, "note", 1)


def test_what_is_buried_is_known_in_its_space_only(folder):
    marks = ring(folder).tombstones(STORE)
    marks.bury(SPACE, ["mail-17", "mail-18", "\ud800"])
    marks.bury("sp_2", ["mail-19"])
    fresh = ring(folder).tombstones(STORE)
    assert all(fresh.is_buried(SPACE, value) for value in ("mail-17", "mail-18", "\ud800"))
    assert not fresh.is_buried(SPACE, "mail-19")
    assert not fresh.is_buried("sp_2", "mail-17")
    assert not ring(folder).tombstones("st_2").is_buried(SPACE, "mail-17")


def test_marks_of_other_processes_are_seen_at_once(folder):
    reader = ring(folder).tombstones(STORE)
    assert not reader.is_buried(SPACE, "a")
    ring(folder).tombstones(STORE).bury(SPACE, ["a"])
    assert reader.is_buried(SPACE, "a")
    ring(folder).tombstones(STORE).bury(SPACE, ["b"])
    assert reader.is_buried(SPACE, "b")
    ring(folder).tombstones(STORE).drop_space(SPACE)
    assert not reader.is_buried(SPACE, "a")


def test_asking_again_reads_nothing(folder, monkeypatch):
    marks = ring(folder).tombstones(STORE)
    marks.bury(SPACE, ["a"])
    assert marks.is_buried(SPACE, "a")
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: pytest.fail("read again"))
    assert marks.is_buried(SPACE, "a")
    assert not marks.is_buried(SPACE, "b")


def test_marks_tell_nothing_and_are_gone_with_their_space(folder):
    marks = ring(folder).tombstones(STORE)
    marks.bury(SPACE, ["canary-4711"])
    marks.bury("sp_2", ["other"])
    marks.drop_space(SPACE)
    ring(folder).tombstones("st_2").drop_space(SPACE)
    everything = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"canary" not in everything
    assert SPACE.encode() not in everything
    assert ring(folder).tombstones(STORE).is_buried("sp_2", "other")


def test_a_line_cut_by_a_kill_harms_no_other(folder):
    marks = ring(folder).tombstones(STORE)
    marks.bury(SPACE, ["a"])
    path = next(folder.glob("erased-*"))
    with path.open("ab") as file:
        file.write(f"{SPACE} 0123".encode())
    marks.bury(SPACE, ["b"])
    fresh = ring(folder).tombstones(STORE)
    assert fresh.is_buried(SPACE, "a")
    assert fresh.is_buried(SPACE, "b")


def test_marks_without_their_key_are_not_taken_for_none(folder):
    ring(folder).tombstones(STORE).bury(SPACE, ["a"])
    (folder / "erasure.key").unlink()
    with pytest.raises(KeyLostError, match="erased"):
        ring(folder).tombstones(STORE).is_buried(SPACE, "a")
    with pytest.raises(KeyLostError, match="erased"):
        ring(folder).tombstones(STORE).bury(SPACE, ["b"])


def test_export_and_import_carry_all_keys(folder, tmp_path):
    keys = ring(folder)
    old = keys.create()
    turn = keys.rotate(STORE)
    keys.tombstones(STORE).bury(SPACE, ["a"])
    keys.exported().write(tmp_path / "keys.txt")
    text = (tmp_path / "keys.txt").read_text()
    assert "NOT ENCRYPTED" in text.splitlines()[1]
    if os.name == "posix":
        assert (tmp_path / "keys.txt").stat().st_mode & 0o777 == 0o600
    other = ring(tmp_path / "other")
    for _ in range(2):
        export = KeyExport.read(tmp_path / "keys.txt")
        assert export.signs == turn.new.public
        other.take(export)
        assert other.signer() == turn.new
    assert other.public_keys() == [old.public, turn.new.public]
    assert (tmp_path / "other" / "erasure.key").read_text() == (folder / "erasure.key").read_text()


def test_export_overwrites_nothing_and_needs_a_key(folder, tmp_path):
    with pytest.raises(KeyLostError):
        ring(folder).exported()
    ring(folder).create()
    (tmp_path / "keys.txt").write_text("mine")
    with pytest.raises(KeyStoreError, match="exists"):
        ring(folder).exported().write(tmp_path / "keys.txt")
    assert (tmp_path / "keys.txt").read_text() == "mine"


def test_import_replaces_no_other_key(folder, tmp_path):
    ring(folder).create()
    ring(folder).exported().write(tmp_path / "keys.txt")
    other = ring(tmp_path / "other")
    mine = other.create()
    with pytest.raises(KeyStoreError, match="nothing was imported"):
        other.take(KeyExport.read(tmp_path / "keys.txt"))
    assert other.public_keys() == [mine.public]
    marked = ring(tmp_path / "marked")
    ring(folder).tombstones(STORE).bury(SPACE, ["a"])
    marked.tombstones(STORE).bury(SPACE, ["a"])
    (tmp_path / "keys.txt").unlink()
    ring(folder).exported().write(tmp_path / "keys.txt")
    with pytest.raises(KeyStoreError, match="nothing was imported"):
        marked.take(KeyExport.read(tmp_path / "keys.txt"))


def test_import_refuses_what_is_not_whole(folder, tmp_path):
    ring(folder).create()
    path = tmp_path / "keys.txt"
    ring(folder).exported().write(path)
    text = path.read_text()
    for changed, error in (
        ("", FileFormatError),
        (text[:-10], KeyUnsafeError),
        (text.replace("signing ", "sinning "), KeyUnsafeError),
        (text.replace("signing ", "signing x"), KeyUnsafeError),
        (text.replace("public ", "public x"), KeyUnsafeError),
        (text.splitlines()[0], KeyUnsafeError),
        ("a\nb\n", FileFormatError),
    ):
        path.write_text(changed)
        with pytest.raises(error):
            KeyExport.read(path)
    with pytest.raises(FileFormatError, match="there is no file"):
        KeyExport.read(tmp_path / "missing.txt")


def test_an_export_gives_its_secret_away_in_no_text(folder):
    ring(folder).create()
    export = ring(folder).exported()
    assert export.signing not in repr(export) + str(export)


def test_an_erasure_key_without_marks_gives_way_to_the_exported_one(folder, tmp_path):
    ring(folder).create()
    ring(folder).tombstones(STORE).bury(SPACE, ["a"])
    other = ring(tmp_path / "other")
    other.tombstones(STORE).bury(SPACE, [])
    other.take(ring(folder).exported())
    assert (tmp_path / "other" / "erasure.key").read_text() == (folder / "erasure.key").read_text()
    other.tombstones(STORE).bury(SPACE, ["b"])
    assert ring(tmp_path / "other").tombstones(STORE).is_buried(SPACE, "b")


def test_imported_keys_go_where_new_ones_would(folder, tmp_path):
    """Else an older one in the system's keyring would go on signing."""
    keyring = FakeKeyring()
    old = ring(folder, keyring=keyring).create()
    before = ring(folder, keyring=keyring).exported()
    turn = ring(folder, keyring=keyring).rotate(STORE)
    newer = ring(folder, keyring=keyring).exported()
    ring(folder, keyring=keyring).take(newer)
    with pytest.raises(KeyStoreError, match="newer keys"):
        ring(folder, keyring=keyring).take(before)
    elsewhere = ring(tmp_path / "other", keyring=keyring)
    elsewhere.take(before)
    assert elsewhere.signer() == old
    elsewhere.take(newer)
    assert elsewhere.signer() == turn.new
    assert not (tmp_path / "other" / "signing.key").exists()


def test_a_key_of_the_environment_is_not_hidden_by_an_import(folder, tmp_path):
    ring(folder).create()
    with pytest.raises(KeyStoreError, match=ENVIRONMENT_KEY):
        ring(tmp_path / "other", environ={ENVIRONMENT_KEY: SEED}).take(ring(folder).exported())


def test_a_folder_that_is_none_is_explained(tmp_path):
    (tmp_path / "file").write_text("x")
    for act in (ring(tmp_path / "file").create, ring(tmp_path / "file" / "keys").signer):
        with pytest.raises(KeyStoreError, match="can't be used"):
            act()


def test_cryptography_is_loaded_only_to_sign():
    code = "import sys, affidavit.proof.keys; print('cryptography' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
    assert module.Keyring is not None
