"""`keys rotate` and `keys accept`: another key, a lost key, an older copy put back."""

import json
import shutil
from pathlib import Path

from affidavit import Config, Memory
from affidavit.surfaces.cli.run import run


def told(capsys, *words, code=0):
    assert run([*words, "-o", "json"]) == code
    return json.loads(capsys.readouterr().out)


def filled(path, text="The gate code is on the blue card"):
    with Memory(path) as memory:
        memory.add(text, user_id="priya")


def test_after_a_rotation_both_keys_are_believed_and_the_store_verifies(tmp_path, capsys):
    db = str(tmp_path / "m.db")
    filled(db)
    before = told(capsys, "keys", "show", "--db", db)
    after = told(capsys, "keys", "rotate", "--db", db)
    assert after["current"] != before["current"]
    assert set(after["trusted"]) == {before["current"], after["current"]}
    filled(db, "The spare key is with Ana")
    assert told(capsys, "verify", "--db", db)["level"] == 2


def test_a_lost_key_stops_writing_until_it_is_given_up(tmp_path, capsys):
    db = str(tmp_path / "m.db")
    filled(db)
    shutil.rmtree(Config.load().key_dir)
    refused = told(capsys, "add", "More", "--user", "priya", "--db", db, code=3)
    assert refused["error"]["code"] == "key_lost"
    assert told(capsys, "search", "gate code", "--user", "priya", "--db", db)["hits"]
    assert {p["code"] for p in told(capsys, "verify", "--db", db, code=1)["problems"]} == {"KEY_UNKNOWN"}
    assert told(capsys, "keys", "rotate", "--lost", "--db", db, code=2)["error"]["code"] == "input"
    told(capsys, "keys", "rotate", "--lost", "--yes", "--db", db)
    told(capsys, "add", "More", "--user", "priya", "--db", db)
    assert told(capsys, "verify", "--db", db)["level"] == 2


def test_an_older_copy_is_an_alarm_until_it_is_accepted(tmp_path, capsys):
    db, backup = str(tmp_path / "m.db"), tmp_path / "backup.db"
    filled(db)
    told(capsys, "admin", "backup", str(backup), "--db", db)
    filled(db, "Said after the backup")
    for end in ("", "-wal", "-shm"):
        Path(db + end).unlink(missing_ok=True)
    shutil.copy(backup, db)
    assert "ROLLED_BACK" in {p["code"] for p in told(capsys, "verify", "--db", db, code=1)["problems"]}
    assert told(capsys, "keys", "accept", "--db", db, code=2)["error"]["code"] == "input"
    assert told(capsys, "keys", "accept", "--yes", "--db", db)["seal"]
    assert told(capsys, "verify", "--db", db)["level"] == 2
