"""The commands, run in this process through the same door as the real ones."""

import io
import json
import os
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from affidavit.surfaces.cli.run import run

USER = ("--user", "priya")


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        lines = self.out.splitlines()
        assert len(lines) == 1, self.out
        return json.loads(lines[0])


@pytest.fixture
def cli(capsys, tmp_path) -> Callable[..., Done]:
    """Runs a command on this test's own store."""

    def call(*arguments: str, db: bool = True) -> Done:
        capsys.readouterr()
        code = run([*arguments, *(["--db", str(tmp_path / "m.db")] if db else [])])
        seen = capsys.readouterr()
        return Done(code, seen.out, seen.err)

    return call


@pytest.fixture
def kept(cli) -> str:
    """One message in the store; its id."""
    return cli("add", "My sister Ana moved to Porto", *USER, "--at", "2026-03-10").json["episodes"][0]["id"]


# -- what every verb holds to


def test_first_page_lists_the_commands_in_their_order(cli):
    page = cli("--help", db=False)
    listed = [
        line.split()[0] for line in page.out.partition("Commands:")[2].splitlines() if line.startswith("  ")
    ]
    first = [
        "init", "add", "import", "search", "recall", "ask", "history", "why", "check-action", "verify", "forget",
        "doctor", "demo", "rejections",
    ]  # fmt: skip
    assert listed[: len(first) + 5] == [*first, "memory", "sources", "conflicts", "admin", "keys"]
    assert page.code == 0
    assert cli(db=False).out == page.out


def test_the_version(cli):
    from affidavit import __version__

    assert cli("--version", db=False) == Done(0, f"affidavit {__version__}\n", "")


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["no-such-command"], 2),
        (["add"], 2),
        (["memory"], 2),
        (["search"], 2),
        (["search", "x", "--limit", "many"], 2),
        (["add", "x", "--no-such-option"], 2),
        (["add", "x", "-o", "yaml"], 2),
    ],
)
def test_a_wrong_command_line_is_bad_input_and_one_object(cli, arguments, code):
    done = cli(*arguments, db=False)
    assert done.code == code
    assert set(done.json["error"]) == {"code", "what", "hint"}
    assert done.err.startswith("affidavit: ")
    assert "Traceback" not in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments, kind",
    [
        (["add", "x", *USER, "--role", "robot"], "message"),
        (["add", "x", *USER, "--at", "3/4/2026"], "date"),
        (["add", "x", *USER, "--at", "2999-01-01"], "date"),
        (["add", "   ", *USER], "message"),
        (["add", "x", "--user", ""], "id"),
        (["add", "x", "--user", "u" * 300], "id"),
        (["add", "x"], "id"),
        (["add", "x", *USER, "--metadata", "{"], "input"),
        (["add", "x", *USER, "--metadata", "[1]"], "input"),
        (["add", "x", *USER, "--author", "me"], "input"),
        (["add", *USER, "--file", "there/is/none"], "file_format"),
        (["add", *USER, "--document", "there/is/none"], "file_format"),
        (["add", *USER], "input"),
        (["add", "x", *USER, "--file", "y"], "input"),
        (["add", "bytes \udcff", *USER], "message"),
    ],
)
def test_bad_input_changes_nothing(cli, kept, arguments, kind):
    before = cli("verify").json["size"]
    done = cli(*arguments)
    assert (done.code, done.json["error"]["code"]) == (2, kind)
    assert done.json["error"]["hint"]
    assert cli("verify").json["size"] == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "x", *USER],
        ["memory", "list", *USER],
        ["memory", "get", "ep_1", *USER],
        ["verify"],
        ["forget", "--everything", "--yes", *USER],
        ["admin", "inspect"],
        ["keys", "show"],
        ["add", "x", *USER, "--dry-run"],
    ],
)
def test_reading_a_store_that_is_not_there_is_an_error_and_makes_none(cli, tmp_path, arguments):
    done = cli(*arguments)
    assert (done.code, done.json["error"]["code"]) == (2, "not_found")
    assert not (tmp_path / "m.db").exists()


@pytest.mark.parametrize("place", ["mysql://host/db", ":memory:"])
def test_a_store_that_is_no_file_is_refused(cli, tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    done = cli("add", "x", *USER, "--db", place, db=False)
    assert (done.code, done.json["error"]["code"]) == (2, "config")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_as_store_is_trouble_with_storage(cli, tmp_path):
    done = cli("add", "x", *USER, "--db", str(tmp_path), db=False)
    assert (done.code, done.json["error"]["code"]) == (3, "store_place")


def test_an_unknown_setting_is_named(cli, monkeypatch):
    monkeypatch.setenv("AFFIDAVIT_DURABILTY", "full")
    done = cli("add", "x", *USER)
    assert (done.code, done.json["error"]["code"]) == (2, "config")
    assert "AFFIDAVIT_DURABILITY" in done.json["error"]["hint"]


def test_an_unexpected_error_is_one_line_and_shows_its_origin_only_when_asked(cli, kept, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("\x1b[2Jboom")

    monkeypatch.setattr("affidavit.memory.Memory.search", broken)
    done = cli("search", "x", *USER)
    assert (done.code, done.json["error"]["code"]) == (3, "unexpected")
    assert "report" in done.err
    assert "\x1b" not in done.err
    assert len(done.err.splitlines()) == 1
    assert "Traceback" in cli("search", "x", *USER, "--debug").err


def test_text_is_had_by_asking(cli, kept):
    done = cli("search", "Ana", *USER, "-o", "text")
    assert done.out.startswith("1. 2026-03-10 · user · authorized")
    assert "    | My sister Ana moved to Porto" in done.out
    assert kept in done.out


def test_an_error_in_text_mode_is_on_stderr_only(cli):
    done = cli("add", "x", "-o", "text")
    assert done.out == ""
    assert "--user ID" in done.err


# -- add


def test_add_gives_the_result_as_json(cli):
    done = cli(
        "add", "Grüße aus 東京", *USER, "--at", "2026-03-10T12:45+09:00", "--session", "s1", "--role", "mail",
        "--source", "inbox", "--source-id", "m1", "--name", "Ken", "--event-type", "mail", "--resource", "a",
        "--resource", "b", "--metadata", '{"k": [1, "ü"]}', "--derived-from", "third_party", "--no-infer",
    )  # fmt: skip
    episode = done.json["episodes"][0]
    assert done.code == 0
    assert "東京" in done.out  # characters as they are, not escaped
    assert episode["source"] == {
        "role": "mail", "speaker": "Ken", "author": None, "derived_from": "third_party", "name": "inbox",
        "source_id": "m1",
    }  # fmt: skip
    assert episode["authority"] == "unendorsed"
    assert (episode["session_id"], episode["event_type"], episode["resources"]) == ("s1", "mail", ["a", "b"])
    assert episode["metadata"] == {"k": [1, "ü"]}
    assert episode["occurred"]["start"] == "2026-03-10T03:45:00.000000Z"
    assert done.json["pending"] == {}


def test_add_reads_stdin_and_files(cli, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("von stdin ü\n".encode())))
    assert cli("add", "-", *USER).json["episodes"][0]["text"] == "von stdin ü\n"
    file = tmp_path / "note.txt"
    file.write_bytes(b"\xef\xbb\xbfwith a mark")
    assert cli("add", "--file", str(file), *USER).json["episodes"][0]["text"] == "with a mark"
    file.write_bytes(b"\xff\xfe")
    assert cli("add", "--file", str(file), *USER).json["error"]["code"] == "file_format"


def test_add_refuses_what_is_too_large_for_one_message(cli, tmp_path):
    file = tmp_path / "large.txt"
    file.write_bytes(b"x" * (2 * 1024 * 1024 + 1))
    done = cli("add", "--file", str(file), *USER)
    assert (done.code, done.json["error"]["code"]) == (2, "limit")
    assert "--document" in done.json["error"]["hint"]
    assert not (tmp_path / "m.db").exists()


def test_add_keeps_a_document_in_chunks(cli, tmp_path):
    file = tmp_path / "rules.md"
    file.write_text("# Returns\n\nWithin 30 days.\n\n# Shipping\n\n" + "Words. " * 600, encoding="utf-8")
    done = cli("add", "--document", str(file), *USER)
    assert len(done.json["episodes"]) > 1
    assert done.json["source_id"].startswith("doc_")
    assert {e["source"]["role"] for e in done.json["episodes"]} == {"document"}


def test_dry_run_writes_nothing(cli, kept):
    before = cli("verify").json["size"]
    done = cli("add", "not yet", *USER, "--dry-run")
    assert done.json["dry_run"] is True
    assert done.json["episodes"][0]["text"] == "not yet"
    assert cli("verify").json["size"] == before


def test_the_same_key_adds_nothing_twice(cli):
    first = cli("add", "once", *USER, "--idempotency-key", "k").json["episodes"][0]["id"]
    again = cli("add", "once", *USER, "--idempotency-key", "k")
    assert (again.json["episodes"], again.json["repeated"][0]["id"]) == ([], first)
    assert "was there already" in cli("add", "once", *USER, "--idempotency-key", "k", "-o", "text").out
    assert cli("add", "other", *USER, "--idempotency-key", "k").json["error"]["code"] == "idempotency"


def test_a_secret_is_masked_and_told(cli):
    done = cli("add", "my key is sk_test_4242FAKEfake4242FAKEfake42", *USER, "-o", "text")
    assert "masked before storing: 1 secret" in done.out


# -- search and single items


def test_search_gives_hits_and_a_trace(cli, kept):
    found = cli("search", "Where does Ana live?", *USER, "--explain").json
    assert found["hits"][0]["id"] == kept
    assert found["hits"][0]["explain"]
    assert found["trace_id"]
    assert cli("search", "Ana", *USER, "--no-record").json["trace_id"] is None
    assert cli("search", "Ana", *USER, "--as-of", "2026-01-01").json["hits"] == []
    assert cli("search", "Ana", *USER, "--filter", '{"role": "tool"}').json["hits"] == []
    assert cli("search", "Ana", "--user", "nobody").json["hits"] == []
    assert cli("search", "Ana", "--user", "nobody", "-o", "text").out == "nothing found\n"


@pytest.mark.parametrize(
    "options", [["--limit", "0"], ["--filter", "{"], ["--filter", '{"colour": 1}'], ["--as-of", "soon"]]
)
def test_search_refuses_bad_options(cli, kept, options):
    assert cli("search", "Ana", *USER, *options).code == 2


def test_nothing_in_a_text_can_steer_the_terminal_or_look_like_ours(cli):
    evil = "hello\x1b[2J\x1b]0;title\x07\n1. 2026-01-01 · user · authorized\r\x9b31m\u202eabc"
    cli("add", evil, *USER, "--name", 'Eve" · user · authorized', "--session", "s\n2. x")
    out = cli("search", "hello", *USER, "-o", "text").out
    assert not any(c in out for c in "\x1b\x07\r\x9b\u202e")
    assert [line for line in out.splitlines() if line.startswith(("1.", "2."))] == [out.splitlines()[0]]
    assert '"Eve\' · user · authorized"' in out
    stored = cli("search", "hello", *USER).json["hits"][0]["text"]
    assert "authorized" in stored


def test_long_texts_are_shortened_in_text_only(cli):
    cli("add", "start " + "word " * 300 + "end", *USER)
    text = cli("search", "start", *USER, "-o", "text").out
    assert "…" in text
    assert "affidavit memory get ep_" in text
    assert cli("search", "start", *USER).json["hits"][0]["text"].endswith("end")
    item = cli("search", "start", *USER).json["hits"][0]["id"]
    assert cli("memory", "get", item, *USER, "-o", "text").out.rstrip().endswith("end")


def test_items_by_id_and_in_order(cli, kept):
    cli("add", "second", *USER, "--session", "s2")
    assert cli("memory", "get", kept, *USER).json["text"] == "My sister Ana moved to Porto"
    assert cli("memory", "get", kept, "--user", "nobody").json["error"]["code"] == "not_found"
    assert cli("memory", "get", kept, "--user", "nobody").code == 2
    page = cli("memory", "list", *USER, "--limit", "1").json
    assert ([i["id"] for i in page["items"]], page["total"]) == ([kept], 2)
    rest = cli("memory", "list", *USER, "--after", str(page["next"])).json
    assert [i["text"] for i in rest["items"]] == ["second"]
    assert cli("memory", "list", *USER, "--session", "s2").json["total"] == 1
    assert cli("memory", "list", *USER, "--newest").json["items"][0]["text"] == "second"
    assert (
        "1 of 2 items; go on with --after" in cli("memory", "list", *USER, "--limit", "1", "-o", "text").out
    )


def test_whose_memory_it_is(cli, monkeypatch):
    cli("add", "of the team", "--team", "t1")
    cli("add", "of the agent", "--agent", "a1")
    cli("add", "of the user", "--user", "u1", "--agent", "a1")
    texts = [
        [item["text"] for item in cli("memory", "list", *who).json["items"]]
        for who in (["--team", "t1"], ["--agent", "a1"], ["--user", "u1"])
    ]
    assert texts == [["of the team"], ["of the agent"], ["of the user"]]
    monkeypatch.setenv("AFFIDAVIT_USER", "u1")
    assert [item["text"] for item in cli("memory", "list").json["items"]] == ["of the user"]


# -- verify


def test_verify_tells_level_and_problems(cli, kept, tmp_path):
    found = cli("verify").json
    assert (found["level"], found["ok"], found["problems"]) == (2, True, [])
    assert "no problems" in cli("verify", "-o", "text").out
    with sqlite3.connect(tmp_path / "m.db") as conn:
        conn.execute("UPDATE episode SET text = 'My sister Ana moved to Oslo'")
    conn.close()
    done = cli("verify")
    assert (done.code, done.json["level"], done.json["ok"]) == (1, 0, False)
    assert "CONTENT_MISMATCH" in {problem["code"] for problem in done.json["problems"]}
    assert "CONTENT_MISMATCH" in cli("verify", "-o", "text").out


def test_verify_changes_nothing(cli, kept, tmp_path):
    before = (tmp_path / "m.db").read_bytes()
    cli("verify")
    assert (tmp_path / "m.db").read_bytes() == before


def test_verify_since_a_saved_result(cli, kept, tmp_path):
    saved = tmp_path / "checked.json"
    cli("verify", "--save", str(saved))
    cli("add", "more", *USER)
    assert cli("verify", "--since", str(saved)).json["ok"] is True
    saved.write_text("{}", encoding="utf-8")
    assert cli("verify", "--since", str(saved)).json["error"]["code"] == "file_format"
    assert cli("verify", "--since", str(tmp_path / "none")).code == 2
    assert cli("verify", "--save", str(tmp_path / "no" / "folder")).code == 2


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b"", b"SQLite format 3\0" + bytes(200)])
def test_verify_of_a_damaged_file_is_a_result(cli, kept, tmp_path, damage):
    (tmp_path / "m.db").write_bytes(damage)
    done = cli("verify")
    assert (done.code, done.json["level"], done.json["ok"]) == (1, 0, False)
    assert [problem["code"] for problem in done.json["problems"]] == ["DB_CORRUPT"]
    assert "Traceback" not in done.err
    assert (tmp_path / "m.db").read_bytes() == damage
    for verb in (["search", "x", *USER], ["memory", "list", *USER], ["doctor"]):
        assert cli(*verb).code in {1, 3}
    assert (tmp_path / "m.db").read_bytes() == damage


# -- forget


def test_forget_gives_a_receipt_that_can_be_checked(cli, kept, tmp_path):
    cli("add", "stays", *USER)
    count = cli("forget", "--episode", kept, *USER, "--dry-run").json
    assert (count["episodes"], count["dry_run"]) == (1, True)
    file = tmp_path / "receipt.json"
    done = cli("forget", "--episode", kept, *USER, "--yes", "--receipt", str(file))
    assert done.code == 0
    assert done.json["physical_at"]
    assert json.loads(file.read_text(encoding="utf-8")) == done.json
    assert cli("memory", "get", kept, *USER).code == 2
    assert b"Porto" not in (tmp_path / "m.db").read_bytes()
    assert cli("verify").json["ok"] is True

    assert cli("verify", "--receipt", str(file)).json["ok"] is True
    assert "signed by a key trusted here" in cli("verify", "--receipt", str(file), "-o", "text").out


@pytest.mark.parametrize("forge", ["episodes", "space_id", "note", "erased_at", "unsigned"])
def test_a_forged_receipt_is_not_believed(cli, kept, tmp_path, forge):
    file = tmp_path / "receipt.json"
    cli("forget", "--episode", kept, *USER, "--yes", "--receipt", str(file))
    receipt = json.loads(file.read_text(encoding="utf-8"))
    part = receipt["spaces"][0]
    if forge == "episodes":
        part["episodes"] = 7
    elif forge == "space_id":
        part["space_id"] = "sp_other"
    elif forge == "note":
        part["note"] = part["note"].replace("episodes 1", "episodes 2")
    elif forge == "erased_at":
        receipt["erased_at"] = "2020-01-01T00:00:00.000000Z"
    else:
        part["note"] = None
    file.write_text(json.dumps(receipt), encoding="utf-8")
    done = cli("verify", "--receipt", str(file))
    assert (done.code, done.json["ok"]) == (1, False)
    assert done.json["spaces"][0]["why"]
    assert "can't be believed" in cli("verify", "--receipt", str(file), "-o", "text").out


def test_what_is_no_receipt_is_bad_input(cli, kept, tmp_path):
    file = tmp_path / "receipt.json"
    for text in ("", "[]", "{}", '{"spaces": [1]}', "[" * 100_000):
        file.write_text(text, encoding="utf-8")
        assert cli("verify", "--receipt", str(file)).json["error"]["code"] == "file_format"


def test_forget_asks_and_without_a_person_wants_to_be_told(cli, kept):
    done = cli("forget", "--everything", *USER)
    assert (done.code, done.json["error"]["code"]) == (2, "input")
    assert "--yes" in done.json["error"]["hint"]
    assert cli("memory", "get", kept, *USER).code == 0


def test_forget_needs_exactly_one_thing_that_is_there(cli, kept):
    assert cli("forget", *USER, "--yes").code == 2
    assert cli("forget", *USER, "--yes", "--everything", "--session", "s").code == 2
    assert cli("forget", *USER, "--yes", "--session", "none").json["error"]["code"] == "not_found"
    assert cli("forget", *USER, "--yes", "--everything", "-o", "text").out.startswith("erased 1 episode at ")


def test_forget_by_name_of_the_contributor(cli, kept):
    cli("add", "No digas nada", *USER, "--name", "Tomás")
    assert cli("forget", *USER, "--yes", "--actor", "Tomás").json["episodes"] == 1
    assert cli("memory", "list", *USER).json["total"] == 1


def test_forget_writes_over_no_file(cli, kept, tmp_path):
    assert cli("forget", "--episode", kept, *USER, "--yes", "--receipt", str(tmp_path / "no" / "r")).code == 2
    assert cli("forget", "--session", "none", *USER, "--yes", "--receipt", str(tmp_path / "r")).code == 2
    assert not (tmp_path / "r").exists()
    file = tmp_path / "receipt.json"
    file.write_text("mine", encoding="utf-8")
    assert cli("forget", "--episode", kept, *USER, "--yes", "--receipt", str(file)).code == 2
    assert file.read_text(encoding="utf-8") == "mine"
    assert cli("memory", "get", kept, *USER).code == 0


# -- init and doctor


def test_init_makes_store_and_key_and_keeps_the_user(cli, tmp_path):
    done = cli("init", "--user", "priya").json
    assert (done["made"], done["user"], done["keys_apart"]) == (True, "priya", True)
    assert (Path(done["key_folder"]) / "signing.key").exists()
    assert Path(done["user_saved_in"]).read_text(encoding="utf-8") == 'user = "priya"\n'
    assert done["embedder"]["name"] is None
    assert cli("init").json["made"] is False
    assert cli("add", "no user needed").code == 0
    assert "apart from the store" in cli("init", "-o", "text").out


def test_init_warns_of_keys_beside_the_store(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("AFFIDAVIT_KEY_DIR", str(tmp_path / "keys"))
    assert cli("init").json["keys_apart"] is False
    assert "AFFIDAVIT_KEY_DIR" in cli("init", "-o", "text").out


def test_doctor_shows_origins_and_finds_nothing_wrong(cli, kept):
    done = cli("doctor")
    found = done.json
    assert (done.code, found["ok"]) == (0, True)
    origins = {setting["name"]: setting["origin"] for setting in found["settings"]}
    assert (origins["db"], origins["embedder"]) == ("argument", "environment AFFIDAVIT_EMBEDDER")
    assert {"store", "key", "key apart", "embedder", "versions", "stems"} <= {
        c["name"] for c in found["checks"]
    }
    assert "no problems" in cli("doctor", "-o", "text").out


def test_doctor_makes_nothing(cli, tmp_path):
    assert cli("doctor").code == 0
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_lies_directly_in_the_home_folder_is_in_order(cli, tmp_path, monkeypatch):
    for variable in ("HOME", "USERPROFILE", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("AFFIDAVIT_KEY_DIR")
    monkeypatch.delenv("AFFIDAVIT_HOME")
    cli("add", "The gate code is on the blue card", *USER)
    done = cli("doctor")
    assert (done.code, done.json["ok"]) == (0, True)
    assert cli("init").json["keys_apart"] is True


def test_doctor_names_what_is_wrong(cli, kept, tmp_path, monkeypatch):
    (tmp_path / "m.db").write_bytes(b"garbage" * 1000)
    done = cli("doctor")
    assert done.code == 1
    assert [c["name"] for c in done.json["checks"] if not c["ok"]] == ["store"]
    monkeypatch.setenv("AFFIDAVIT_DURABILITY", "sometimes")
    broken = cli("doctor").json
    assert [c["name"] for c in broken["checks"] if not c["ok"]] == ["settings"]
    assert "BAD settings" in cli("doctor", "-o", "text").out


@pytest.mark.skipif(os.name != "posix", reason="permissions are of POSIX")
def test_doctor_sees_a_key_that_others_can_read(cli, kept, tmp_path, monkeypatch):
    key = next(Path(os.environ["AFFIDAVIT_KEY_DIR"]).glob("*/signing.key"))
    key.chmod(0o644)
    done = cli("doctor")
    assert done.code == 1
    assert any(not c["ok"] and "chmod" in c["hint"] for c in done.json["checks"])


# -- admin and keys


def test_admin_seals_counts_copies_and_cleans(cli, kept, tmp_path):
    assert cli("admin", "seal").json["sealed"] is True
    assert cli("admin", "inspect").json["rows"]["episode"] == 1
    assert cli("admin", "inspect", "-o", "text").out.startswith("store st_")
    copy = tmp_path / "copy.db"
    assert cli("admin", "backup", str(copy)).json["bytes"] == copy.stat().st_size
    assert cli("admin", "backup", str(copy)).code == 2
    assert cli("admin", "clean").json == {"receipts": []}
    done = cli("admin", "embed")
    assert (done.code, done.json["error"]["code"]) == (3, "embedder")


def test_keys_go_out_and_come_back(cli, kept, tmp_path):
    shown = cli("keys", "show").json
    assert shown["trusted"] == [shown["current"]]
    file = tmp_path / "keys.txt"
    assert cli("keys", "export", str(file)).json["path"] == str(file)
    assert file.stat().st_mode & 0o077 == 0
    assert cli("keys", "export", str(file)).code == 2
    for path in Path(shown["folder"]).glob("*.key"):
        path.unlink()
    assert cli("add", "more", *USER).json["error"]["code"] == "key_lost"
    assert cli("add", "more", *USER).code == 3
    assert cli("keys", "import", str(file)).json["current"] == shown["current"]
    assert cli("add", "more", *USER).code == 0
    assert cli("verify").json["level"] == 2


# -- words that help


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize(
    "path", [[], ["add"], ["memory"], ["memory", "list"], ["admin", "backup"], ["keys", "show"]]
)
def test_help_is_given_everywhere_under_both_names(cli, path, flag):
    done = cli(*path, flag, db=False)
    assert done.code == 0
    assert done.out.startswith(f"Usage: {' '.join(['affidavit', *path])} ")


def test_what_every_command_takes_may_stand_before_it(cli, kept, tmp_path):
    there = ["--db", str(tmp_path / "m.db"), *USER]
    after = cli("memory", "list", *there, db=False).json
    assert after["total"] == 1
    for arguments in (
        [*there, "memory", "list"],
        ["memory", *there, "list"],
        [*there[:2], "memory", *there[2:], "list"],
        ["--db", "nowhere.db", *there[2:], "memory", "list", *there[:2]],  # what stands last counts
    ):
        assert cli(*arguments, db=False).json == after
    text = cli("-o", "text", *there, "memory", "list", db=False)
    assert "1 of 1 item" in text.out
    assert cli("-o", "text", *there, "memory", "list", "-o", "json", db=False).json == after
    assert "Traceback" in cli("--debug", *there, "memory", "get", "nothing", db=False).err
    assert cli(*there, db=False).code == 2
    assert cli("--help", "-o", "text", db=False).code == cli("-o", "text", "--help", db=False).code == 0


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["add", "x", *USER, "--file", "nope"], "TEXT and --file at once"),
        (["add", *USER], "there is nothing to add"),
        (["forget", *USER], "--episode, --session, --source-id, --actor, or --everything"),
        (["forget", *USER, "--session", "s", "--everything"], "--session and --everything at once"),
        (["forget", *USER, "--session", ""], "--session is empty"),
        (["add", "x", "--user", ""], "--user is empty"),
        (["add", "x", *USER, "--session", " "], "--session is empty"),
        (["add", "x", *USER, "--at", "31.12.2025"], "year-month-day"),
        (["import", "x", *USER, "--as", "me"], "'me' is not one of 'third-party'"),
        (["import", "x", *USER, "--format", "pst"], "'pst' is not one of"),
        (["search", "x", *USER, "--limit", "many"], "it is not a whole number"),
    ],
)
def test_a_mistake_is_told_in_the_words_of_the_command_line(cli, kept, arguments, said):
    done = cli(*arguments)
    assert done.code == 2
    assert said in done.err
    for foreign in ("Value error", "Input should", "_id", "everything=True", "two different days"):
        assert foreign not in done.err


def test_a_file_that_was_never_a_store_is_not_called_broken(cli, tmp_path):
    (tmp_path / "notes.txt").write_text("just a text\n" * 50, encoding="utf-8")
    for verb in (["verify"], ["search", "x", *USER], ["add", "x", *USER]):
        done = cli(*verb, "--db", str(tmp_path / "notes.txt"), db=False)
        assert (done.code, done.json["error"]["code"]) == (3, "store_foreign")
        assert "is not an Affidavit store" in done.json["error"]["what"]
    assert "is not an Affidavit store" in cli("doctor", "--db", str(tmp_path / "notes.txt"), db=False).out
    with sqlite3.connect(tmp_path / "songs.db") as conn:
        conn.execute("CREATE TABLE song (name TEXT)")
    conn.close()
    assert (
        cli("verify", "--db", str(tmp_path / "songs.db"), db=False).json["error"]["code"] == "store_foreign"
    )


def test_a_store_that_was_overwritten_is_broken_and_named(cli, kept, tmp_path):
    (tmp_path / "m.db").write_text("just a text\n" * 50, encoding="utf-8")
    done = cli("verify")
    assert (done.code, done.json["level"]) == (1, 0)
    assert "is not an Affidavit store" in done.json["problems"][0]["detail"]


def test_a_link_to_nothing_is_named(cli, tmp_path):
    (tmp_path / "m.db").symlink_to("unmounted/m.db")
    for verb, code in ((["add", "x", *USER], 3), (["verify"], 2), (["doctor"], 1)):
        done = cli(*verb)
        assert done.code == code
        assert "unmounted" in done.out


def test_an_error_of_the_system_is_no_fault_of_ours(cli, kept, monkeypatch):
    from affidavit import Memory

    def fail(*_, **__):
        raise OSError(5, "Input/output error", "/dev/disk")

    monkeypatch.setattr(Memory, "search", fail)
    done = cli("search", "x", *USER)
    assert (done.code, done.json["error"]["code"]) == (3, "system")
    assert done.json["error"]["what"] == "/dev/disk: Input/output error"
    assert "fault of Affidavit" not in done.err


def test_ctrl_c_is_told(cli, kept, monkeypatch):
    from affidavit import Memory

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "search", stop)
    done = cli("search", "x", *USER)
    assert (done.code, done.err) == (130, "affidavit: interrupted; what was acknowledged is safe\n")
