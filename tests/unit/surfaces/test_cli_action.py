"""`affidavit check-action`: exit code 0 for allow, 1 for ask and deny, 2 for bad input."""

import json

import pytest

from affidavit.surfaces.cli.run import run


@pytest.fixture
def cli(capsys, tmp_path, monkeypatch):
    (tmp_path / "tools.toml").write_text('[pay]\nto = "recipient"\n[open]\n', encoding="utf-8")
    monkeypatch.setenv("AFFIDAVIT_TOOLS", str(tmp_path / "tools.toml"))

    def call(*arguments):
        capsys.readouterr()
        code = run([*arguments, "--user", "priya", "--db", str(tmp_path / "m.db")])
        return code, capsys.readouterr().out

    call("add", "hello")
    return call


def test_allow_ask_and_deny(cli):
    code, out = cli("check-action", "--tool", "open")
    assert (code, json.loads(out)["outcome"], json.loads(out)["accepted"]) == (0, "allow", True)
    code, out = cli("check-action", "--tool", "pay", "--args", '{"to": "Eve"}')
    asked = json.loads(out)
    assert (code, asked["outcome"], asked["reasons"][0]["code"]) == (1, "ask", "unknown_value")
    code, out = cli("check-action", "--memory", "mem_none", "--memory", "mem_other")
    assert (code, json.loads(out)["outcome"], json.loads(out)["missing"]) == (
        1,
        "deny",
        ["mem_none", "mem_other"],
    )
    confirmed = (
        "check-action",
        "--tool",
        "pay",
        "--args",
        '{"to": "Eve"}',
        "--confirm",
        asked["confirmation"],
    )
    assert [cli(*confirmed)[0] for _ in range(2)] == [0, 1]


def test_for_people(cli):
    code, out = cli("check-action", "--tool", "pay", "--args", '{"to": "\\u001b[31mEve"}', "-o", "text")
    lines = out.splitlines()
    assert code == 1
    assert lines[0].startswith("ask  dec_")
    assert "the value stands in no memory" in lines[1]
    assert "\x1b" not in out
    assert lines[2] == "to do: ask the user whether it is right"
    assert lines[3].startswith("once a person agrees, until ")


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--tool", "pay", "--args", "{"),
        ("--tool", "pay", "--args", "[1]"),
        ("--args", '{"to": "x"}'),
        ("--tool", ""),
    ],
)
def test_bad_input(cli, arguments):
    assert cli("check-action", *arguments)[0] == 2
