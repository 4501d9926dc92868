"""Ask real small models what the memory asks them, and keep what they say for the tests to replay.

    python -m bench.record_models smollm2-135m messages
    TESTS_MODELS=FOLDER python -m bench.record_models qwen2.5-coder-0.5b questions

Takes the 300 messages or the 40 questions of `tests/support_recorded.py` through `Memory.add` and `Memory.answer`, each
in a store of its own, and writes `tests/data/recorded/<model>.<what>.jsonl`. What was cut short goes on where it was.
Allow half an hour for the smaller, two hours for the larger model. Labels are by what was said, so those of unchanged
replies still hold.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from affidavit import Config, Memory
from affidavit.providers.called import Called
from affidavit.providers.language_model import Answering
from bench.table import say
from tests.support_attacks import WHO, tell
from tests.support_llama import QWEN, SMOL, answer_of, serving
from tests.support_recorded import RECORDED, Noting, Told, messages, questions

WEIGHTS = {"smollm2-135m": SMOL, "qwen2.5-coder-0.5b": QWEN}
MOST_TOKENS = 240
"""Of one reply: small models don't know when to stop."""


def main() -> int:
    """Record one model."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.record_models", description="Record a small model."
    )
    parser.add_argument("name", choices=WEIGHTS)
    parser.add_argument("what", choices=("messages", "questions"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=6, help="how many are asked about at once")
    given = parser.parse_args()
    told = messages() if given.what == "messages" else questions()
    part = RECORDED / f"{given.name}.{given.what}.part"
    done = part.read_text(encoding="utf-8").splitlines() if part.exists() else []
    with (
        serving(WEIGHTS[given.name], threads=given.threads, at_once=given.at_once) as url,
        part.open("a", encoding="utf-8") as file,
        ThreadPoolExecutor(given.at_once) as pool,
    ):
        lines = pool.map(partial(_asked, partial(_said, url)), told[len(done) :])
        for number, line in enumerate(lines, len(done) + 1):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            file.flush()
            say(f"{number} of {len(told)}: {line['id']}")
    _finish(given.name, given.what, part)
    return 0


def _said(url: str, messages: Sequence[Mapping[str, str]], **options: Any) -> str:
    return answer_of(url, messages, **options | {"max_tokens": min(MOST_TOKENS, options["max_tokens"])})


def _asked(call: Answering, told: Told) -> dict[str, object]:
    """What the model says of one thing, and the prompts that it was asked by."""
    model = Noting(Called(call))
    with tempfile.TemporaryDirectory() as folder:
        config = Config.load(environ={}, home=Path(folder), key_dir=Path(folder, "keys"), embedder="none")
        with Memory(Path(folder, "m.db"), config=config, llm=model) as memory:
            tell(memory, told.messages)
            if told.question:
                memory.answer(told.question, user_id=WHO)
    line: dict[str, object] = {"id": told.id, "messages": list(told.messages), "replies": model.replies}
    prompts = {task: sorted(hashes) for task, hashes in model.prompts.items()}
    return line | ({"question": told.question} if told.question else {}) | {"prompts": prompts}


def _finish(name: str, what: str, part: Path) -> None:
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
    (RECORDED / f"{name}.{what}.jsonl").write_text(text, encoding="utf-8")
    part.unlink()


if __name__ == "__main__":
    raise SystemExit(main())
