"""The demo shows what it says: all of it holds, nothing is left, no store but its own is touched."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from affidavit.errors import InputError
from affidavit.surfaces import demo_tamper
from affidavit.surfaces.demo import run_demo


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """One run, its words and its report."""
    base = tmp_path_factory.mktemp("demo")
    env = {
        **os.environ,
        "HOME": str(base / "home"),
        "AFFIDAVIT_EMBEDDER": "none",
        "TMPDIR": str(base / "tmp"),
    }
    env = {name: value for name, value in env.items() if name not in {"AFFIDAVIT_HOME", "AFFIDAVIT_KEY_DIR"}}
    (base / "tmp").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "affidavit", "demo"], capture_output=True, timeout=300, check=False, env=env
    )
    return base, done.stderr.decode(), json.loads(done.stdout), done.returncode


def test_everything_held(shown):
    _, words, report, code = shown
    assert report["failed"] == []
    assert (report["ok"], code) == (True, 0)
    assert "All of it held" in words


def test_the_questions_find_their_turns(shown):
    ranks = [one["rank"] for one in shown[2]["questions"]]
    assert len(ranks) >= 10
    assert None not in ranks


def test_a_change_of_mind_has_a_value_now_and_one_then(shown):
    answers = {(one["question"], one["as_of"]): one["answer"] for one in shown[2]["answers"]}
    home = "Where does Priya live?"
    assert (answers[home, None], answers[home, "2026-03-15"]) == ("Vienna", "Munich")
    told = shown[2]["history"]
    assert {"The user lives in Munich.", "The user lives in Vienna."} <= set(told["versions"])
    assert told["why_not"] == "superseded"
    assert f"{told['by']} took its place" in shown[1]


def test_what_was_never_said_is_not_known_and_neither_is_what_another_user_said(shown):
    unknown = shown[2]["unknown"]
    assert {one["answer"] for one in unknown} == {"I don't know."}
    assert {one["user"] for one in unknown} == {"priya", "leo"}


def test_the_mail_in_her_name_is_refused_kept_apart_and_not_acted_upon(shown):
    _, words, report, _ = shown
    assert report["mail"]["refused"] == [{"check": "permission", "code": "permission"}]
    assert not any("Graz" in text for text in report["mail"]["grounded"])
    context = words.partition("<affidavit-context")[2].partition("</affidavit-context")[0]
    asserted, _, kept_apart = context.partition("Unverified: never assert")
    assert "Graz" not in asserted
    assert "Graz" in kept_apart
    outcomes = [(next(iter(one["args"].values())), one["outcome"]) for one in report["actions"]]
    assert outcomes == [
        ("Vienna", "allow"),
        ("Munich", "deny"),
        ("Graz", "ask"),
        ("AT61 1904 3002 3457 3201", "ask"),
    ]
    assert "--confirm" not in words


def test_every_tampering_is_named_and_the_untouched_copy_is_clean(shown):
    clean, *altered = shown[2]["tampering"]
    assert (clean["codes"], clean["level"]) == ([], 2)
    assert len(altered) >= 8
    assert any("memory" in one["what"] and "QUOTE_MISMATCH" in one["codes"] for one in altered)
    assert all(one["codes"] and one["level"] == 0 for one in altered)


def test_what_was_erased_is_nowhere(shown):
    told = shown[2]["erasure"]
    assert told["in_files_before"]
    assert (told["in_files_after"], told["hits_after"]) == ([], 0)
    assert told["receipt"]["physical_at"]
    assert told["receipt"]["versions"] == 1
    assert all(space["note"] for space in told["receipt"]["spaces"])


def test_it_is_plain_text_and_leaves_nothing(shown):
    base, words, _, _ = shown
    assert "\x1b" not in words
    assert not (base / "home").exists()
    assert list((base / "tmp").iterdir()) == []


def test_a_kept_store_is_where_it_was_asked_for_and_nothing_is_overwritten(tmp_path):
    said: list[str] = []
    ok, report = run_demo(tmp_path / "kept", say=said.append)
    assert ok
    assert report["folder"] == str(tmp_path / "kept")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["keys", "store"]
    with pytest.raises(InputError, match="not an empty folder"):
        run_demo(tmp_path / "kept", say=said.append)
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError):
        run_demo(tmp_path / "file", say=said.append)


def test_a_demo_that_shows_something_false_says_so(tmp_path, monkeypatch):
    way = demo_tamper.Tampering(title="nothing, called something", apply=demo_tamper.leave, expected=("GAP",))
    monkeypatch.setattr(demo_tamper, "all_ways", lambda older: (way,))
    said: list[str] = []
    ok, report = run_demo(say=said.append)
    assert not ok
    assert report["failed"] == ["verify judges: nothing, called something"]
    assert any("Something did not hold" in line for line in said)


def test_the_forger_computes_the_tree_as_the_format_says():
    from affidavit.ledger.tree import Frontier, leaf_hash

    bodies = [bytes([n]) for n in range(13)]
    leaves = [leaf_hash(body) for body in bodies]
    assert demo_tamper._peaks(leaves) == list(Frontier.empty().extend(leaves).peaks)


def test_no_path_of_this_machine_stands_in_the_words(shown):
    assert str(Path.home()) not in shown[1]


def test_it_holds_in_ten_years(monkeypatch, tmp_path):
    monkeypatch.setattr("affidavit.rooms.SystemClock.now", lambda _: 2_111_000_000_000_000)
    held, report = run_demo(tmp_path / "kept", say=lambda _: None)
    assert (held, report["failed"]) == (True, [])
