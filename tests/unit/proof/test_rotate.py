"""Rotation: logged, cross-signed, every head signed anew, and whole again after a kill at any point."""

import shutil

import pytest

from affidavit import Memory
from affidavit.core.ids import DIRECTORY_ID
from affidavit.errors import KeyLostError, StoreReadOnlyError
from affidavit.ledger.encoding import parse_entry
from affidavit.ledger.note import Checkpoint, parse_note, sign_checkpoint
from affidavit.proof.keys import KeyRing
from affidavit.proof.rotate import rotate_key
from affidavit.proof.seal import seal
from affidavit.proof.verify import Code, verify_store
from affidavit.store.commit import origin_of


class Killed(BaseException):
    """Stands for a process that ends right here."""


def parts(memory):
    return memory._rooms.store, memory._rooms.keys


def ring(memory):
    """The key folder as a checker reads it, who was not there."""
    return KeyRing(memory._rooms.keys.folder)


def entries(store, op):
    with store.snapshot() as reads:
        found = [parse_entry(body) for _, body in reads.entries(DIRECTORY_ID)]
    return [entry for entry in found if entry["op"] == op]


def signers(store):
    with store.snapshot() as reads:
        notes = [head.note for head in [*reads.heads(), reads.head(DIRECTORY_ID)]]
    return {name for note in notes for name, *_ in parse_note(note).signatures}


def test_every_head_is_signed_by_the_new_key(memory):
    memory.add("one", user_id="ana")
    memory.add("two", user_id="ben")
    memory.forget(user_id="ben", everything=True)
    store, keys = parts(memory)
    old = keys.signer().public
    new = rotate_key(store, keys)
    assert new != old
    assert signers(store) == {new.name}
    (entry,) = entries(store, "KeyRotated")
    assert (entry["old"], entry["new"]) == (old.to_text(), new.to_text())
    assert entry["by_old"] is not None
    memory.add("three", user_id="ana")
    assert signers(store) == {new.name}
    assert (memory.verify().level, memory.verify().problems) == (2, ())
    assert keys.handover() is None


def test_a_checker_who_trusts_the_old_key_trusts_the_new_one(memory):
    memory.add("one", user_id="ana")
    store, keys = parts(memory)
    first = keys.signer().public
    for _ in range(3):
        rotate_key(store, keys)
        memory.add("more", user_id="ana")

    class Elsewhere:
        folder = keys.folder

        def public_keys(self):
            return [first]

        def checkpoint(self, store_id):
            return None

    result = verify_store(store, Elsewhere())
    assert (result.level, result.problems) == (2, ())


def test_the_old_key_is_good_for_what_it_signed_and_for_nothing_more(memory):
    memory.add("one", user_id="ana")
    store, keys = parts(memory)
    old = keys.signer()
    rotate_key(store, keys)
    memory.add("two", user_id="ana")
    with store._writing() as conn:
        space_id, size, root = conn.execute("SELECT id, size, root FROM space WHERE kind = 'user'").fetchone()
        note = sign_checkpoint(Checkpoint(origin_of(store.store_id, space_id), size, root), [old])
        conn.execute("UPDATE space SET note = ? WHERE id = ?", (note, space_id))
    assert [(p.code, p.where) for p in memory.verify().problems] == [(Code.SIG_INVALID, f"{space_id}/head")]


def test_a_forged_handover_is_named(memory):
    """Somebody who can write the file logs a handover to his own key: no key of ours signed it."""
    memory.add("one", user_id="ana")
    store, keys = parts(memory)
    from affidavit.core.changes import KeyRotated

    thief = KeyRing(keys.folder.parent / "thief").create()
    change = KeyRotated(
        old=keys.signer().public.to_text(), new=thief.public.to_text(), by_old="00" * 64, by_new="00" * 64
    )
    store.hand_over(thief, change)
    assert {Code.SIG_INVALID, Code.KEY_UNKNOWN} <= {p.code for p in memory.verify().problems}


class TestLost:
    def test_the_key_is_gone(self, memory, config, clock):
        memory.add("one", user_id="ana")
        memory.admin.seal()
        store, keys = parts(memory)
        (keys.folder / "signing.key").unlink()
        with pytest.raises(KeyLostError):
            rotate_key(store, ring(memory))
        memory._rooms.store.close()
        again = Memory(config=config, clock=clock)
        store, keys = parts(again)
        new = rotate_key(store, keys, lost=True)
        again.add("two", user_id="ana")
        assert (again.verify().level, again.verify().problems) == (2, ())
        (entry,) = entries(store, "KeyRotated")
        assert (entry["new"], entry["by_old"]) == (new.to_text(), None)
        assert entry["old"] is not None, "its public half is still known"
        again.close()

    def test_the_whole_key_folder_is_gone(self, config, clock):
        with Memory(config=config, clock=clock) as memory:
            memory.add("one", user_id="ana")
        shutil.rmtree(config.key_dir)
        again = Memory(config=config, clock=clock)
        with pytest.raises(KeyLostError):
            again.add("two", user_id="ana")
        assert {p.code for p in again.verify().problems} == {Code.KEY_UNKNOWN}
        store, keys = parts(again)
        rotate_key(store, keys, lost=True)
        again.add("two", user_id="ana")
        assert (again.verify().level, again.verify().problems) == (2, ())
        again.close()

    def test_a_stolen_key_signs_nothing_more(self, memory):
        memory.add("one", user_id="ana")
        store, keys = parts(memory)
        stolen = keys.signer()
        rotate_key(store, keys, lost=True)
        memory.add("two", user_id="ana")
        assert memory.verify().ok
        with store._writing() as conn:
            memory_head = conn.execute("SELECT id, size, root FROM space WHERE kind = 'user'").fetchone()
            space_id, size, root = memory_head
            note = sign_checkpoint(Checkpoint(origin_of(store.store_id, space_id), size, root), [stolen])
            conn.execute("UPDATE space SET note = ? WHERE id = ?", (note, space_id))
        assert not memory.verify().ok


class TestKilled:
    @pytest.mark.parametrize("lost", [False, True])
    @pytest.mark.parametrize("point", ["statement", "public", "key", "log", "done", "seal"])
    def test_at_every_point(self, config, clock, monkeypatch, point, lost):
        with Memory(config=config, clock=clock) as memory:
            memory.add("one", user_id="ana")
        memory = Memory(config=config, clock=clock)
        store, keys = parts(memory)
        first = keys.signer().public

        def killed(*_, **__):
            raise Killed

        match point:
            case "statement":
                monkeypatch.setattr(KeyRing, "_put", killed)
            case "public":
                write = KeyRing._write_public
                monkeypatch.setattr(
                    KeyRing, "_write_public", lambda self, known: (write(self, known), killed())
                )
            case "key":
                monkeypatch.setattr("affidavit.proof.rotate.log_handover", killed)
            case "log":
                monkeypatch.setattr(type(store), "hand_over", killed)
            case "done":
                monkeypatch.setattr(KeyRing, "handed_over", killed)
            case "seal":
                monkeypatch.setattr("affidavit.proof.rotate.seal", seal if not lost else killed)
                calls = []

                def second(*args):
                    calls.append(args)
                    return seal(*args) if len(calls) == 1 and not lost else killed()

                monkeypatch.setattr("affidavit.proof.rotate.seal", second)
        with pytest.raises(Killed):
            rotate_key(store, keys, lost=lost)
        monkeypatch.undo()
        store.close()

        with Memory(config=config, clock=clock) as memory:
            if not lost or point == "statement":
                memory.add("goes on at once", user_id="ana")
                assert memory.verify().ok or lost
            memory.admin.seal() if not lost else rotate_key(*parts(memory), lost=True)
            store, keys = parts(memory)
            assert (memory.verify().level, memory.verify().problems) == (2, ())
            # What was logged leads from the first key to the one that signs now.
            chain = [(entry["old"], entry["new"]) for entry in entries(store, "KeyRotated")]
            assert len(chain) == len(set(chain))
            signs = keys.signer().public
            assert signers(store) == {signs.name}
            if chain:
                assert chain[0][0] == first.to_text()
                assert chain[-1][1] == signs.to_text()
            else:
                assert signs == first


def test_other_processes_take_the_new_key(config, clock):
    """One that was open before goes on with the new key, though nobody told it."""
    with Memory(config=config, clock=clock) as one, Memory(config=config, clock=clock) as other:
        one.add("one", user_id="ana")
        other.add("two", user_id="ben")
        new = rotate_key(*parts(one))
        other.add("three", user_id="ben")
        other.add("four", user_id="cleo")
        assert signers(one._rooms.store) == {new.name}
        assert one.verify().ok


def test_read_only_is_told_before_anything_changed(memory):
    memory.add("one", user_id="ana")
    store, keys = parts(memory)
    before = ring(memory).public_keys()
    store._read_only = True  # whoever runs the tests as root may write everywhere
    with pytest.raises(StoreReadOnlyError):
        rotate_key(store, keys)
    assert ring(memory).public_keys() == before
