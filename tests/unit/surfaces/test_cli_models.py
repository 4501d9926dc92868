"""`init` finds models and says why it would choose one; `doctor` asks the one in use; no key is ever shown."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from affidavit.providers import nearby
from affidavit.surfaces.cli.run import run
from tests.support_llm_server import Endless, Fail, LlmServer, Reply, Say, Silent, llm_server

KEY = "sk-live-0123456789abcdef"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Any]:
    """Runs a command; its JSON, or its text."""

    def call(*arguments: str, code: int = 0, text: bool = False) -> Any:
        capsys.readouterr()
        made = run([*arguments, "--db", str(tmp_path / "m.db"), "-o", "text" if text else "json"])
        seen = capsys.readouterr()
        assert made == code, seen
        assert KEY not in seen.out + seen.err
        return seen.out if text else json.loads(seen.out)

    return call


def _near(monkeypatch: pytest.MonkeyPatch, server: LlmServer, name: str = "ollama") -> None:
    monkeypatch.setattr(nearby, "LOCAL", {name: urlsplit(server.root).port})


def _check(found: Any, name: str) -> Any:
    return next(one for one in found["checks"] if one["name"] == name)


def test_init_finds_a_server_and_sets_nothing_by_itself(cli, monkeypatch):
    with llm_server(models=("nomic-embed-text", "qwen3:8b")) as server:
        _near(monkeypatch, server)
        found = cli("init")["models"]
        assert (found["would_choose"], found["in_use"], found["saved"]) == ("ollama:qwen3:8b", None, None)
        assert found["found"][0]["models"] == ["nomic-embed-text", "qwen3:8b"]
        assert "nothing leaves it" in found["why"]
        assert not server.asked
        assert "affidavit init --llm ollama:qwen3:8b" in cli("init", text=True)


def test_init_writes_the_model_that_it_is_told(cli, monkeypatch):
    with llm_server(models=("qwen3",)) as server:
        _near(monkeypatch, server)
        assert cli("init", "--llm", "auto")["models"]["saved"] == "ollama:qwen3"
    assert "ollama:qwen3, from the settings" in cli("init", text=True)
    assert cli("init", "--llm", "none")["models"]["in_use"] is None
    assert cli("doctor")["ok"]


def test_a_model_here_goes_before_a_key(cli, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    found = cli("init")["models"]
    assert found["would_choose"].startswith("openai:")
    assert "api.openai.com" in found["why"]
    with llm_server(models=("qwen3",)) as server:
        _near(monkeypatch, server)
        assert cli("init")["models"]["would_choose"] == "ollama:qwen3"


def test_what_can_not_be_asked_is_not_chosen(cli, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(nearby, "find_spec", lambda name: None)
    found = cli("init")["models"]
    assert found["would_choose"] is None
    assert found["found"][0]["needs"] == "openai"
    assert "affidavit[openai]" in cli("init", text=True)
    assert cli("init", "--llm", "auto", code=2)["error"]["code"] == "config"


def test_a_name_that_means_nothing_makes_nothing(cli, tmp_path):
    assert "PROVIDER:MODEL" in cli("init", "--llm", "gpt-5", code=2)["error"]["hint"]
    assert "llm_url" in cli("init", "--llm", "openai-compatible:tiny", code=2)["error"]["hint"]
    assert not (tmp_path / "m.db").exists()


@pytest.mark.parametrize(
    "said", [b"<html>", b'{"data": 7}', b'{"data": [{"name": "x"}]}', b"[" * 50_000, b"\xff\x00"]
)
def test_whatever_else_answers_at_a_port_is_passed_over(cli, monkeypatch, said):
    with llm_server(models=said) as server:
        _near(monkeypatch, server)
        assert cli("init")["models"]["found"] == []


def test_doctor_asks_the_model_once_and_says_what_it_took(cli, monkeypatch):
    with llm_server('{"ok": true}') as server:
        monkeypatch.setenv("AFFIDAVIT_LLM_URL", server.url)
        monkeypatch.setenv("AFFIDAVIT_LLM_KEY", KEY)
        found = _check(cli("doctor", "--llm", "vllm:tiny"), "model")
        assert len(server.asked) == 1
        assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert found["ok"]
    assert "tokens in and 3 out" in found["detail"]
    assert found["hint"] == ""


TROUBLE: list[tuple[Reply, str]] = [
    (Fail(401, f"wrong key {KEY}"), "does not accept the key"),
    (Fail(404), "there is no tiny"),
    (Fail(500), "can't answer now"),
    (Silent(), "did not answer within"),
    (Endless(), "did not answer within|more than can be"),
]


@pytest.mark.parametrize("reply, words", TROUBLE, ids=[str(reply)[:16] for reply, _ in TROUBLE])
def test_doctor_says_what_is_wrong_with_the_model(cli, monkeypatch, reply, words):
    import re

    with llm_server(reply) as server:
        monkeypatch.setenv("AFFIDAVIT_LLM_URL", server.url)
        monkeypatch.setenv("AFFIDAVIT_LLM_KEY", KEY)
        monkeypatch.setenv("AFFIDAVIT_LLM_TIMEOUT_S", "0.4" if isinstance(reply, Silent | Endless) else "20")
        found = _check(cli("doctor", "--llm", "vllm:tiny", code=1), "model")
    assert re.search(words, found["detail"])
    assert found["hint"]


def test_doctor_says_of_a_chatterer_what_to_expect(cli, monkeypatch):
    with llm_server(Say("Sure! I am here.", usage=False)) as server:
        monkeypatch.setenv("AFFIDAVIT_LLM_URL", server.url)
        found = _check(cli("doctor", "--llm", "vllm:tiny"), "model")
    assert found["ok"]
    assert "expect little" in found["hint"]
    assert "does not say how many tokens" in found["detail"]


def test_doctor_asks_the_embedder_once(cli, monkeypatch):
    with llm_server() as server:
        monkeypatch.setenv("AFFIDAVIT_EMBEDDER", "ollama:nomic-embed-text")
        monkeypatch.setenv("AFFIDAVIT_EMBEDDER_URL", server.url)
        assert "16 dimensions" in _check(cli("doctor"), "embedder")["detail"]
        assert len(server.asked) == 1
    found = _check(cli("doctor", code=1), "embedder")
    assert "can't be reached" in found["detail"]
    assert "embedder_url" in found["hint"]


def test_without_a_model_doctor_asks_none(cli):
    found = _check(cli("doctor"), "model")
    assert (found["ok"], found["detail"]) == (True, "none: nothing is asked of a model")
