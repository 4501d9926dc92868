"""`affidavit forget --memory`: a memory goes with the words it was drawn from."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affidavit.surfaces.cli.run import run


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Any]:
    """Runs a command for Ana; the object it prints."""

    def call(*words: str) -> Any:
        capsys.readouterr()
        assert run([*words, "--user", "ana", "--db", str(tmp_path / "m.db"), "-o", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


def test_a_memory_and_its_evidence_go_and_another_one_stays(cli: Callable[..., Any]) -> None:
    cli("add", "I live in Lisbon now")
    kept = cli("add", "I'm allergic to shellfish")["added"][0]
    memory_id = cli("search", "Where do I live?")["hits"][0]["id"]
    told = cli("forget", "--memory", memory_id, "--dry-run")
    assert (told["episodes"], told["dry_run"]) == (1, True)
    done = cli("forget", "--memory", memory_id, "--yes")
    assert (done["episodes"], done["versions"]) == (1, 1)
    left = [item["text"] for item in cli("memory", "list")["items"]]
    assert left == ["I'm allergic to shellfish", kept["text"]]
    assert cli("verify")["level"] == 2
