"""What verify says of sound stores: levels, counts, seals, pending leaves, and stores that sign only at a seal."""

import json

import pytest

from affidavit import Config, Memory
from affidavit.core.ids import DIRECTORY_ID
from affidavit.errors import KeyLostError, StoreUnreadableError
from affidavit.ledger.note import parse_note
from affidavit.proof.verify import Code, damaged_result, verify_store
from affidavit.proof.verify_result import Findings
from tests.support_sqlite import file_store
from tests.support_stores import plainly


def found(result):
    return [(str(p.code), p.where) for p in result.problems]


def write(memory, sql, *values):
    """What an attacker does with plain SQLite."""
    with plainly(memory) as conn:
        conn.execute(sql, values)


def test_a_new_store_is_signed(memory):
    result = memory.verify()
    assert (result.level, result.size, result.spaces, result.unsealed, result.problems) == (2, 1, 0, 0, ())
    assert result.ok
    assert len(result.root) == 64


def test_counts_entries_of_all_logs(memory):
    memory.add(["one", "two"], user_id="ana")  # opened, actor, two episodes
    memory.add("three", team_id="ops", user_id="ana")  # opened, actor, episode
    result = memory.verify()
    assert (result.level, result.size, result.spaces) == (2, 1 + 2 + 4 + 3, 2)


def test_the_result_is_json(memory):
    memory.add("one", user_id="ana")
    told = memory.verify().to_dict()
    assert told["ok"] is True
    assert told["problems"] == []
    write(memory, "UPDATE episode SET text = 'other'")
    told = memory.verify().to_dict()
    assert told["ok"] is False
    assert told["level"] == 0
    assert told["marks"] == {}
    assert {p["code"] for p in told["problems"]} == {"CONTENT_MISMATCH", "DERIVED_STALE"}


@pytest.mark.file
def test_verify_writes_nothing(memory):
    memory.add("one", user_id="ana")
    memory.admin.seal()
    path = file_store(memory).path
    before = path.read_bytes(), sorted(path.parent.iterdir())
    memory.verify()
    assert (path.read_bytes(), sorted(path.parent.iterdir())) == before


@pytest.mark.file
def test_a_store_that_can_only_be_read(config, clock):
    with Memory(config=config, clock=clock) as memory:
        memory.add("one", user_id="ana")
        path = file_store(memory).path
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        with Memory(config=config, clock=clock) as memory:
            assert memory.verify().level == 2
    finally:
        path.parent.chmod(0o700)


def test_without_the_keys(config, clock, tmp_path):
    with Memory(config=config, clock=clock) as memory:
        memory.add("one", user_id="ana")
    elsewhere = Config.load(db=config.db, key_dir=tmp_path / "no keys here")
    with Memory(config=elsewhere, clock=clock) as memory:
        result = memory.verify()
        assert {p.code for p in result.problems} == {Code.KEY_UNKNOWN}
        with pytest.raises(KeyLostError):
            memory.add("two", user_id="ana")
    assert not (tmp_path / "no keys here").exists() or not list((tmp_path / "no keys here").rglob("*.key"))


class TestSeals:
    def test_seal_lists_what_changed_and_is_kept(self, memory):
        memory.add("one", user_id="ana")
        note = memory.admin.seal()
        rooms = memory._rooms
        with rooms.store.snapshot() as reads:
            assert [seal for _, seal in reads.seals()][1:] == [note]  # the first is of the store's birth
            assert reads.heads(unlisted=True) == []
        assert rooms.keys.checkpoint(rooms.store.store_id) == note
        assert memory.verify().ok

    def test_sealing_twice_makes_one_seal(self, memory):
        memory.add("one", user_id="ana")
        assert memory.admin.seal() == memory.admin.seal()
        with memory._rooms.store.snapshot() as reads:
            assert len(reads.seals()) == 2  # with that of the store's birth

    def test_closing_seals(self, config, clock):
        with Memory(config=config, clock=clock) as memory:
            memory.add("one", user_id="ana")
        with Memory(config=config, clock=clock) as memory, memory._rooms.store.snapshot() as reads:
            assert len(reads.seals()) == 2  # with that of the store's birth

    def test_closing_never_fails_for_the_seal(self, config, clock, monkeypatch):
        memory = Memory(config=config, clock=clock)
        memory.add("one", user_id="ana")
        monkeypatch.setattr(
            type(memory._rooms.store), "seal", lambda _: (_ for _ in ()).throw(KeyLostError("gone"))
        )
        memory.close()

    def test_a_checkpoint_that_is_damaged_is_a_problem(self, memory):
        memory.add("one", user_id="ana")
        memory.admin.seal()
        for path in memory._rooms.keys.folder.glob("checkpoint-*"):
            path.write_text("nonsense")
        assert found(memory.verify()) == [("SIG_INVALID", "keys/checkpoint")]

    def test_a_crash_between_the_seal_and_its_remembering(self, memory):
        memory.add("one", user_id="ana")
        memory.admin.seal()
        memory.add("two", user_id="ana")
        memory._rooms.store.seal()  # the seal is in the store, the checkpoint is the older one
        assert memory.verify().ok


class TestPendingLeaves:
    """A space whose leaf in the directory is still to come: told as unsealed, no alarm."""

    def test_a_birth(self, memory, monkeypatch):
        monkeypatch.setattr(type(memory._rooms.store), "_list_spaces", lambda _: None)
        memory.add("one", user_id="ana")
        result = memory.verify()
        assert (result.level, result.unsealed, result.problems) == (2, 1, ())
        monkeypatch.undo()
        memory.add("two", user_id="ben")
        assert memory.verify().unsealed == 0

    def test_an_erasure(self, memory, monkeypatch):
        memory.add("one", user_id="ana")
        monkeypatch.setattr(type(memory._rooms.store), "_list_spaces", lambda _: None)
        memory.forget(user_id="ana", everything=True)
        result = memory.verify()
        assert (result.level, result.unsealed, result.problems) == (2, 1, ())
        monkeypatch.undo()
        memory.admin.seal()
        assert (memory.verify().unsealed, memory.verify().problems) == (0, ())

    def test_a_birth_and_an_erasure(self, memory, monkeypatch):
        monkeypatch.setattr(type(memory._rooms.store), "_list_spaces", lambda _: None)
        memory.add("one", user_id="ana")
        memory.forget(user_id="ana", everything=True)
        result = memory.verify()
        assert (result.level, result.problems) == (2, ())
        monkeypatch.undo()
        memory.admin.seal()
        assert (memory.verify().unsealed, memory.verify().problems) == (0, ())

    def test_without_the_job_it_is_an_alarm(self, memory, monkeypatch):
        monkeypatch.setattr(type(memory._rooms.store), "_list_spaces", lambda _: None)
        memory.add("one", user_id="ana")
        write(memory, "DELETE FROM job WHERE kind = 'list'")
        assert [code for code, _ in found(memory.verify())] == ["UNLOGGED_ROW"]


class TestSignedOnlyAtASeal:
    """A store whose workers hold no key; another process seals."""

    @pytest.fixture
    def worker(self, config, clock):
        with Memory(
            config=Config.load(db=config.db, key_dir=config.key_dir, signing="later"), clock=clock
        ) as memory:
            yield memory

    def test_is_self_consistent_before_the_first_seal(self, worker):
        worker.add("one", user_id="ana")
        result = worker.verify()
        assert (result.level, result.problems) == (1, ())
        assert result.unsealed == result.size

    def test_is_signed_up_to_the_seal(self, worker, config, clock):
        worker.add("one", user_id="ana")
        worker._rooms.keys.create()
        note = worker.admin.seal()
        assert parse_note(note).checkpoint.size == 3  # opened, born, sealed
        result = worker.verify()
        assert (result.level, result.unsealed, result.problems) == (2, 0, ())
        worker.add("two", user_id="ana")
        worker.add("three", user_id="ben")  # opened, actor, episode; and a leaf in the directory
        result = worker.verify()
        assert (result.level, result.unsealed, result.problems) == (2, 1 + 3 + 1, ())

    def test_what_was_sealed_is_fixed(self, worker):
        worker.add("one", user_id="ana")
        worker._rooms.keys.create()
        worker.admin.seal()
        worker.add("two", user_id="ana")
        write(worker, "UPDATE space SET note = NULL")
        write(worker, "DELETE FROM seal")
        assert found(worker.verify()) == [("SIG_INVALID", "directory/head"), ("TRUNCATED", "seal")]

    def test_erased_between_two_seals(self, worker):
        worker.add(["one", "two", "three"], user_id="ana")
        worker._rooms.keys.create()
        worker.admin.seal()
        worker.add("four", user_id="ana")
        worker.forget(user_id="ana", everything=True)
        assert worker.verify().problems == ()
        worker.admin.seal()
        result = worker.verify()
        assert (result.level, result.unsealed, result.problems) == (2, 0, ())


class TestDamage:
    @pytest.mark.file
    def test_a_file_that_is_no_database(self, config, clock):
        with Memory(config=config, clock=clock) as memory:
            path = file_store(memory).path
        path.write_bytes(b"nonsense " * 1000)
        with pytest.raises(StoreUnreadableError) as caught:
            Memory(config=config, clock=clock)
        result = damaged_result(caught.value)
        assert (result.level, [p.code for p in result.problems]) == (0, [Code.DB_CORRUPT])

    @pytest.mark.file
    def test_text_that_is_not_utf8_is_told_and_reading_goes_on(self, memory):
        memory.add(["one", "two", "three"], user_id="ana")
        write(memory, "UPDATE episode SET text = CAST(x'6f74686572ff' AS TEXT) WHERE text = 'one'")
        codes = {code for code, _ in found(memory.verify())}
        assert codes == {"DB_CORRUPT", "CONTENT_MISMATCH", "DERIVED_STALE"}

    @pytest.mark.file
    def test_an_id_that_is_not_utf8_is_told_in_plain_text(self, memory):
        memory.add("one", user_id="ana")
        write(memory, "UPDATE space SET id = CAST(x'73705fff' AS TEXT) WHERE kind = 'user'")
        result = memory.verify()
        assert {"DB_CORRUPT", "SPACE_MISSING"} <= {code for code, _ in found(result)}
        json.dumps(result.to_dict(), ensure_ascii=False).encode()

    @pytest.mark.file
    def test_pages_that_are_overwritten(self, memory, config, clock):
        memory.add([f"message {i} with some words in it" for i in range(300)], user_id="ana")
        path = file_store(memory).path
        memory.close()
        data = bytearray(path.read_bytes())
        for page in range(5, len(data) // 4096, 3):
            data[page * 4096 : page * 4096 + 100] = b"\xaa" * 100
        path.write_bytes(data)
        try:
            memory = Memory(config=config, clock=clock)
        except StoreUnreadableError as error:
            result = damaged_result(error)
        else:
            result = memory.verify()
            memory._rooms.store.close()
        assert Code.DB_CORRUPT in {p.code for p in result.problems}

    def test_an_expected_error_of_the_keys_is_no_result(self, memory):
        """Keys that others can read are a fault of this machine, not of the store."""
        memory.add("one", user_id="ana")
        from affidavit.errors import KeyUnsafeError

        key = memory._rooms.keys.folder / "signing.key"
        key.chmod(0o644)
        with pytest.raises(KeyUnsafeError):
            verify_store(memory._rooms.store, type(memory._rooms.keys)(memory._rooms.keys.folder))


def test_many_alike_are_counted():
    findings = Findings()
    for number in range(1000):
        findings.add(Code.CONTENT_MISMATCH, f"sp_1/episode/{number}", "changed")
    findings.add(Code.GAP, "sp_1/entry/3", "missing")
    told = findings.all()
    assert len(told) == 22
    assert told[-1].detail == "and 980 more of this kind"


def test_the_directory_is_no_place_for_rows(memory):
    memory.add("one", user_id="ana")
    write(memory, "INSERT INTO actor VALUES (?, 'ac_1', 0, 'user:eve')", DIRECTORY_ID)
    assert found(memory.verify()) == [("UNLOGGED_ROW", f"{DIRECTORY_ID}/actor/ac_1")]
