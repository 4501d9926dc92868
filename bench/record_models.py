"""Ask real small models what the memory asks them, and keep what they say for the tests to replay.

    python -m bench.record_models smollm2-135m
    TESTS_MODELS=FOLDER python -m bench.record_models qwen2.5-coder-0.5b
    python -m bench.record_models smollm2-135m --from en-100     go on where it was cut short

Takes the 300 messages and 40 questions of `tests/support_recorded.py` through `Memory.add` and `Memory.answer`, each in
a space of its own, and writes `tests/data/recorded/<model>.jsonl`. Allow half an hour for the smaller, two for the
larger one. Labels in `tests/data/recorded/labels.jsonl` are by what was said, so those of unchanged replies still hold.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from affidavit import Config, Memory
from affidavit.providers.called import Called
from affidavit.providers.language_model import Answering
from bench.table import say
from tests.support_llama import QWEN, SMOL, answer_of, serving
from tests.support_recorded import RECORDED, Noting, Told, messages, questions

WEIGHTS = {"smollm2-135m": SMOL, "qwen2.5-coder-0.5b": QWEN}
QUESTIONS = 40


def main() -> int:
    """Record one model."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.record_models", description="Record a small model."
    )
    parser.add_argument("name", choices=WEIGHTS)
    parser.add_argument("--from", dest="start", help="the id to go on from; what is written is kept")
    parser.add_argument("--limit", type=int, help="how many, to try it out")
    given = parser.parse_args()
    told = [*messages(), *questions(QUESTIONS)]
    if given.start:
        told = told[[one.id for one in told].index(given.start) :]
    part = RECORDED / f"{given.name}.part"
    with (
        serving(WEIGHTS[given.name]) as url,
        part.open("a" if given.start else "w", encoding="utf-8") as file,
    ):
        call = partial(answer_of, url)
        for number, one in enumerate(told[: given.limit]):
            file.write(json.dumps(_asked(call, one), ensure_ascii=False) + "\n")
            file.flush()
            say(f"{number + 1} of {len(told)}: {one.id}")
    _finish(given.name, part)
    return 0


def _asked(call: Answering, told: Told) -> dict[str, object]:
    """What the model says of one thing, and the prompts that it was asked by."""
    model = Noting(Called(call))
    with tempfile.TemporaryDirectory() as folder:
        config = Config.load(environ={}, home=Path(folder), key_dir=Path(folder, "keys"), embedder="none")
        with Memory(Path(folder, "m.db"), config=config, llm=model) as memory:
            memory.add([dict(one) for one in told.messages], user_id="priya")
            if told.question:
                memory.answer(told.question, user_id="priya")
    line: dict[str, object] = {"id": told.id, "messages": list(told.messages), "replies": model.replies}
    prompts = {task: sorted(hashes) for task, hashes in model.prompts.items()}
    return line | ({"question": told.question} if told.question else {}) | {"prompts": prompts}


def _finish(name: str, part: Path) -> None:
    """Put the recording in its place, with its first line."""
    prompts: dict[str, set[str]] = defaultdict(set)
    lines = []
    for text in part.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        for task, hashes in line.pop("prompts").items():
            prompts[task] |= set(hashes)
        lines.append(line)
    first = {
        "model": WEIGHTS[name].name,
        "sha256": WEIGHTS[name].sha256,
        "recorded": f"{datetime.now(UTC):%Y-%m-%d}",
        "prompts": {task: sorted(hashes) for task, hashes in sorted(prompts.items())},
    }
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in (first, *lines))
    (RECORDED / f"{name}.jsonl").write_text(text, encoding="utf-8")
    part.unlink()


if __name__ == "__main__":
    raise SystemExit(main())
