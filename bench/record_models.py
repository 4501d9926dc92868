"""Ask real small models what the memory asks them, and keep what they say for the tests to replay.

    python -m bench.record_models smollm2-135m messages
    TESTS_MODELS=FOLDER python -m bench.record_models qwen2.5-coder-0.5b questions
    python -m bench.record_models smollm2-135m messages --anew

Takes the 300 messages or the 120 questions of `tests/support_recorded.py` through `Memory.add` or `Memory.answer`, each
in a store of its own, into `tests/data/recorded/<model>.<what>.jsonl`. What is there already is kept and what is
missing added, unless all is to be asked anew. Allow half an hour for the smaller and an hour for the larger model on a
machine that has nothing else to do. Labels are by what was said, so those of unchanged replies still hold.
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

from affidavit.providers.called import Called
from affidavit.providers.language_model import Answering
from bench.table import say
from tests.support_llama import QWEN, SMOL, answer_of, serving
from tests.support_recorded import RECORDED, Noting, Told, asked, messages, questions

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
    parser.add_argument("--anew", action="store_true", help="ask everything again")
    parser.add_argument("--most", type=int, help="how many to ask at most")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=2, help="how many are asked about at once")
    given = parser.parse_args()
    told = messages() if given.what == "messages" else questions()
    part = RECORDED / f"{given.name}.{given.what}.part"
    kept = {} if given.anew else _kept(given.name, given.what)
    known = {*kept, *(json.loads(line)["id"] for line in _lines(part))}
    missing = [one for one in told if one.id not in known][: given.most]
    if missing:
        with (
            serving(WEIGHTS[given.name], threads=given.threads, at_once=given.at_once) as url,
            part.open("a", encoding="utf-8") as file,
            ThreadPoolExecutor(given.at_once) as pool,
        ):
            for number, line in enumerate(pool.map(partial(_asked, partial(_said, url)), missing), 1):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                file.flush()
                say(f"{number} of {len(missing)}: {line['id']}")
    _finish(given.name, given.what, [one.id for one in told], kept)
    return 0


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _kept(name: str, what: str) -> dict[str, dict[str, Any]]:
    """What was recorded earlier, by id, with the prompts it was asked by."""
    lines = [json.loads(line) for line in _lines(RECORDED / f"{name}.{what}.jsonl")]
    return {line["id"]: line | {"prompts": lines[0]["prompts"]} for line in lines[1:]}


def _said(url: str, messages: Sequence[Mapping[str, str]], **options: Any) -> str:
    return answer_of(url, messages, **options | {"max_tokens": min(MOST_TOKENS, options["max_tokens"])})


def _asked(call: Answering, told: Told) -> dict[str, object]:
    """What the model says of one thing, and the prompts that it was asked by."""
    model = Noting(Called(call))
    with tempfile.TemporaryDirectory() as folder:
        asked(Path(folder), told, model)
    line: dict[str, object] = {"id": told.id, "messages": list(told.messages), "replies": model.replies}
    prompts = {task: sorted(hashes) for task, hashes in model.prompts.items()}
    return line | ({"question": told.question} if told.question else {}) | {"prompts": prompts}


def _finish(name: str, what: str, order: Sequence[str], kept: Mapping[str, dict[str, Any]]) -> None:
    """Put the recording in its place, with its first line."""
    part = RECORDED / f"{name}.{what}.part"
    lines = dict(kept) | {line["id"]: line for line in map(json.loads, _lines(part))}
    prompts: dict[str, set[str]] = defaultdict(set)
    for line in lines.values():
        for task, hashes in line.pop("prompts").items():
            prompts[task] |= set(hashes)
    first = {
        "model": WEIGHTS[name].name,
        "sha256": WEIGHTS[name].sha256,
        "recorded": f"{datetime.now(UTC):%Y-%m-%d}",
        "prompts": {task: sorted(hashes) for task, hashes in sorted(prompts.items())},
    }
    told = [lines[id_] for id_ in order if id_ in lines]
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in (first, *told))
    (RECORDED / f"{name}.{what}.jsonl").write_text(text, encoding="utf-8")
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    raise SystemExit(main())
