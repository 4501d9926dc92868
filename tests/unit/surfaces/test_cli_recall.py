"""`affidavit recall`, run in this process through the same door as the real command."""

import json

import pytest

from affidavit.surfaces.cli.run import run

USER = ("--user", "priya")


@pytest.fixture
def cli(capsys, tmp_path):
    def call(*arguments):
        capsys.readouterr()
        code = run([*arguments, "--db", str(tmp_path / "m.db")])
        seen = capsys.readouterr()
        return code, seen.out, seen.err

    call("add", "I live in Lisbon", *USER)
    call("add", "Lisbon is expensive", "--role", "mail", "--source", "inbox", *USER)
    return call


def test_recall_gives_one_object_with_its_text(cli):
    code, out, _ = cli("recall", "Where do I live in Lisbon?", *USER)
    told = json.loads(out)
    assert code == 0
    assert told["grounded"][0]["text"] == "The user lives in Lisbon."
    assert told["unverified"][0]["text"] == "Lisbon is expensive"
    assert told["text"].startswith(f'<affidavit-context id="{told["trace_id"]}">')
    assert set(told) >= {"profile", "conflicts", "events", "earlier", "stale", "tokens"}


def test_as_text_it_is_ready_for_a_prompt(cli):
    code, out, _ = cli("recall", "Where do I live in Lisbon?", *USER, "-o", "text", "--no-record")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("<affidavit-context")
    assert lines[-1].startswith("</affidavit-context")
    assert any(line.startswith("- The user lives in Lisbon. [mem_") for line in lines)


def test_without_a_question_it_is_a_briefing(cli):
    told = json.loads(cli("recall", *USER)[1])
    assert [one["text"] for one in told["grounded"]] == ["The user lives in Lisbon."]
    assert told["unverified"] == []
    assert json.loads(cli("recall", *USER, "--as-of", "2020-01-01")[1])["grounded"] == []


@pytest.mark.parametrize(
    "options",
    [("--max-tokens", "5"), ("--max-tokens", "none"), ("--as-of", "someday"), ("--max-tokens", "0")],
)
def test_bad_options_are_refused(cli, options):
    code, out, _ = cli("recall", "Lisbon", *USER, *options)
    assert code == 2
    assert "hint" in json.loads(out).get("error", json.loads(out))
