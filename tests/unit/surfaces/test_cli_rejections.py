"""`affidavit rejections`, and the difference that `admin derive --where` shows."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.surfaces.cli.run import run
from tests.support_llm_server import Say, llm_server
from tests.support_replies import said, statement

USER = ("--user", "priya")
DOUBT, PLOT = "I might move to Oslo soon", "Our allotment is plot 14 by the canal"
TOLD = "The user's allotment is plot 14 by the canal."


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def cli(capsys, tmp_path):
    def call(*arguments: str) -> Done:
        capsys.readouterr()
        code = run([*arguments, "--db", str(tmp_path / "m.db")])
        seen = capsys.readouterr()
        return Done(code, seen.out, seen.err)

    return call


@pytest.fixture
def told(cli, monkeypatch):
    """A store to which a model proposed two statements, one of which was refused; and the model's server."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    reply = Say(said(statement("The user moves to Oslo soon.", DOUBT), statement(TOLD, PLOT)))
    with llm_server(reply) as server:
        monkeypatch.setenv("AFFIDAVIT_LLM", "vllm:tiny")
        monkeypatch.setenv("AFFIDAVIT_LLM_URL", server.url)
        done = cli("add", f"{DOUBT}. {PLOT}", *USER)
        assert (done.code, len(done.json["added"]), len(done.json["rejected"])) == (0, 1, 1)
        yield server


def test_what_was_refused_is_listed_with_its_words(cli, told) -> None:
    found = cli("rejections", *USER).json
    assert (found["total"], found["next"]) == (1, None)
    (one,) = found["items"]
    assert (one["check"], one["code"], one["quote"]) == ("certainty", "hedged", DOUBT)
    assert "tiny" in one["model"]
    assert cli("rejections", *USER, "--code", "question").json["items"] == []
    page = cli("rejections", *USER, "-o", "text")
    assert f"| {DOUBT}" in page.out
    assert "certainty: hedged" in page.out


def test_derive_shows_the_difference_before_it_makes_it(cli, told) -> None:
    (model,) = {one["model"] for one in cli("rejections", *USER).json["items"]}
    told.use(Say(said()))
    where = ("admin", "derive", *USER, "--where", f"model={model}")
    tried = cli(*where, "--dry-run")
    assert (tried.code, len(tried.json["withdrawn"]), tried.json["dry_run"]) == (0, 1, True)
    assert "withdrawn: 1" in cli(*where, "--dry-run", "-o", "text").out
    assert cli("rejections", *USER).json["total"] == 1
    assert len(cli(*where).json["invalidated"]) == 1
    assert cli("rejections", *USER).json["total"] == 0
    assert cli(*where, "--where", '{"role": "tool"}').json["episodes"] == 0


@pytest.mark.parametrize("where", ["model", "colour=red", "=x", '{"a"'])
def test_what_can_not_be_chosen_by_is_told(cli, told, where: str) -> None:
    done = cli("admin", "derive", *USER, "--where", where)
    assert done.code == 2
    assert done.err
