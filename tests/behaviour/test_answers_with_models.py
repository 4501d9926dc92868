"""The labelled questions, asked with an honest model and with one that would answer anything with everything."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from affidavit import Answer, Config, Memory
from tests.conftest import TestClock
from tests.support_answers import Answers, Says, Shown, reply, to_you

_DATA = Path(__file__).parents[1] / "data" / "questions.jsonl"
LINES = [json.loads(line) for line in _DATA.read_text(encoding="utf-8").splitlines()]
_DAY = 86_400


def _is_right(line: dict[str, Any], answer: Answer) -> bool:
    wanted = line["answer"]
    return wanted is not None and not answer.abstained and wanted.casefold() in answer.text.casefold()


def _us(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp() * 1_000_000)


def _honest(line: dict[str, Any]) -> Says:
    """Knows which statement holds the labelled answer."""
    wanted = line["answer"]

    def says(shown: Shown, question: str) -> str:
        found = (
            [] if wanted is None else [n for n, text in shown.items() if wanted.casefold() in text.casefold()]
        )
        return reply(*((to_you(shown[name]), [name]) for name in found[:1]), sufficient=bool(found))

    return says


def _everything(shown: Shown, question: str) -> str:
    return reply(*((text, [name]) for name, text in shown.items()))


def _asked(place: Path, line: dict[str, Any], says: Says) -> tuple[Answer, Answer]:
    """The answer of the rules, and with a model."""
    clock, user = TestClock(0), line["id"]
    config = Config.load(environ={}, home=place, key_dir=place / "keys", embedder="none")
    with (
        Memory(config=config, clock=clock) as memory,
        Memory(config=config, clock=clock, llm=Answers(says)) as other,
    ):
        for message in line["setup"]:
            clock.us = _us(message["at"])
            memory.add({"role": "user", "content": message["text"], "at": message["at"]}, user_id=user)
        clock.forward(seconds=_DAY)
        asked = {"user_id": user, "as_of": line["as_of"]}
        return memory.answer(line["question"], **asked), other.answer(line["question"], **asked)


@pytest.mark.slow
def test_an_honest_model_answers_more_and_says_nothing_where_there_is_nothing(tmp_path: Path) -> None:
    right = ruled_right = 0
    for line in LINES:
        ruled, answer = _asked(tmp_path, line, _honest(line))
        right += _is_right(line, answer)
        ruled_right += _is_right(line, ruled)
        assert ruled.abstained or answer.text == ruled.text
        assert line["answer"] is not None or answer.abstained == ruled.abstained
    assert right > ruled_right


@pytest.mark.slow
def test_a_model_that_answers_with_everything_tells_only_what_was_said(tmp_path: Path) -> None:
    for line in LINES:
        ruled, answer = _asked(tmp_path, line, _everything)
        assert ruled.abstained or answer.text == ruled.text
        said = " ".join(message["text"] for message in line["setup"])
        assert all(one.quote in said for one in answer.citations)
