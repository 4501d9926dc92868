"""`affidavit ask`: one JSON object with its spelling, or lines for people."""

import json
from pathlib import Path

import pytest

from affidavit.surfaces.cli.run import run


@pytest.fixture
def db(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """A store in which Priya said where she lives."""
    path = str(tmp_path / "memory.db")
    assert run(["init", "--db", path, "--user", "priya"]) == 0
    for at, text in ((["--at", "2026-03-10"], "I moved to Madrid last week"), ([], "I live in Lisbon now")):
        assert run(["add", text, *at, "--db", path, "--user", "priya"]) == 0
    told = "Your next rent is due on 1 July 2027."
    assert (
        run(["add", told, "--role", "mail", "--name", "Land\x1blord", "--db", path, "--user", "priya"]) == 0
    )
    capsys.readouterr()
    return path


def ask(db: str, capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What stdout holds."""
    assert run(["ask", *arguments, "--db", db, "--user", "priya"]) == code
    return capsys.readouterr().out


def test_json(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(ask(db, capsys, "Where does Priya live?", "-o", "json"))
    assert (answer["text"], answer["abstained"], answer["missing"]) == ("Lisbon", False, [])
    cited = answer["citations"][0]
    names = {"id", "quote", "episode_id", "start", "end", "authority", "role", "said_by", "said_at", "stale"}
    assert names == set(cited)
    assert cited["quote"] == "I live in Lisbon now"
    assert set(answer) >= {"unverified", "conflicts", "stale", "trace_id", "steps", "cost"}
    then = json.loads(ask(db, capsys, "Where does Priya live?", "--as-of", "2026-04-01", "-o", "json"))
    assert then["text"] == "Madrid"


def test_abstaining_is_no_failure(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(ask(db, capsys, "Who do I work for?", "-o", "json", "--no-record"))
    assert answer["abstained"]
    assert answer["missing"]
    assert answer["trace_id"] is None


def test_for_people(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = ask(db, capsys, "Where do I live?", "-o", "text")
    assert "    | Lisbon\n" in told
    assert "    | I live in Lisbon now\n" in told
    claimed = ask(db, capsys, "When is the next rent due?", "-o", "text")
    assert claimed.startswith("not known\n")
    assert "only claimed: " in claimed
    assert "\x1b" not in claimed


def test_bad_input(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    ask(db, capsys, "Where do I live?", "--as-of", "some day", code=2)
