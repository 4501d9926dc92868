"""VeraMem 0.1.0 and Affidavit beside each other in one run: the same texts, questions and vectors.

    python -m bench.peers                          10,000 and 100,000 memories of one user
    python -m bench.peers --quick                  1,000: shows that it runs
    python -m bench.peers --veramem-python PATH    an interpreter that has veramem 0.1.0 already

Run it from the root of a checkout. Without the last option VeraMem is installed by pip into an environment of its
own in a temporary folder. Each system runs in its own process; batches and questions alternate between the two, so
that both meet the same load on the machine. Ratios are what counts.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, Self

from bench.table import Row, at_least, median, report, say
from bench.texts import Talk

ROOT = Path(__file__).resolve().parent.parent
WANTED = "veramem==0.1.0"
BATCH = 1_000
BLOCK = 50
FASTER = 20.0
BAR_FROM = 10_000  # the bar is for 10,000 and 100,000 memories
PROFILES = {"bare": "no model", "vectors": "vectors given"}


class Worker:
    """A system in its own process."""

    def __init__(self, python: str, name: str, profile: str, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        self.name = name
        self._process = subprocess.Popen(
            [python, "-m", "bench.peer_worker", name, profile, str(folder)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ask(self, **request: Any) -> Any:
        """Send one request, wait for its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = ""
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} ended without an answer; its error stands above")
        return json.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def install(folder: Path) -> str:
    """An environment with VeraMem and nothing of ours; its interpreter."""
    say(f"installing {WANTED} into an environment of its own")
    place = folder / "veramem"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", WANTED], check=True
    )
    return str(python)


def compare(ours: Worker, theirs: Worker, profile: str, size: int, questions: int) -> Iterator[Row]:
    """Fill both to `size`, then ask both the same questions."""
    talk = Talk()
    messages = talk.messages(size)
    asked = talk.questions(messages, questions)
    adding: dict[str, float] = {ours.name: 0.0, theirs.name: 0.0}
    for number, start in enumerate(range(0, size, BATCH)):
        texts = [one.text for one in messages[start : start + BATCH]]
        for worker in _turns(ours, theirs, number):
            adding[worker.name] += worker.ask(add=texts)
        if (start + BATCH) % 10_000 == 0:
            say(
                f"  {start + BATCH:,} added: ours {adding[ours.name]:.0f} s, theirs {adding[theirs.name]:.0f} s"
            )
    cold = {worker.name: worker.ask(search=asked[:1])[0] for worker in (ours, theirs)}
    blocks: dict[str, list[list[float]]] = {ours.name: [], theirs.name: []}
    for number, start in enumerate(range(0, len(asked), BLOCK)):
        for worker in _turns(ours, theirs, number):
            blocks[worker.name].append(worker.ask(search=asked[start : start + BLOCK]))
    repeat = f"python -m bench.peers --profile {profile} --sizes {size}"
    p50 = {name: median(time for block in every for time in block) * 1e3 for name, every in blocks.items()}
    disk = {worker.name: worker.ask(size=True) / size for worker in (ours, theirs)}
    at = f"at {size:,} memories, {PROFILES[profile]}"
    for worker in (ours, theirs):
        what = worker.name
        yield Row(
            what=f"{what}: `add` {at}, batches of {BATCH:,}",
            value=size / adding[what],
            unit="/s",
            repeat=repeat,
        )
        yield Row(what=f"{what}: `search` p50 {at}", value=p50[what], unit="ms", repeat=repeat)
        yield Row(
            what=f"{what}: first search after filling {at}", value=cold[what] * 1e3, unit="ms", repeat=repeat
        )
        yield Row(what=f"{what}: bytes on disk a memory {at}", value=disk[what], unit="bytes",
                  repeat=repeat)  # fmt: skip
    pairs = zip(blocks[ours.name], blocks[theirs.name], strict=True)
    ratios = [median(slow) / median(fast) for fast, slow in pairs]
    faster = f"`search` {at}: how many times faster"
    note = f"by block of {BLOCK} questions {min(ratios):.0f} to {max(ratios):.0f}"
    ratio = p50[theirs.name] / p50[ours.name]
    if size >= BAR_FROM:
        yield at_least(faster, ratio, "×", FASTER, repeat=repeat, note=note)
    else:
        yield Row(what=faster, value=ratio, unit="×", repeat=repeat, note=note)
    yield Row(what=f"`add` {at}: how many times faster", value=adding[theirs.name] / adding[ours.name], unit="×",
              repeat=repeat)  # fmt: skip


def _turns(ours: Worker, theirs: Worker, number: int) -> Sequence[Worker]:
    return (ours, theirs) if number % 2 == 0 else (theirs, ours)


def main() -> int:
    """Compare, print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.peers", description="VeraMem and Affidavit in one run."
    )
    parser.add_argument(
        "--sizes", type=int, nargs="+", help="memories of the one user (default 10000 100000)"
    )
    parser.add_argument("--profile", choices=PROFILES, help="only this (default both; see bench.peer_worker)")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--quick", action="store_true", help="1,000 memories: shows that it runs")
    parser.add_argument("--veramem-python", help="an interpreter that has veramem 0.1.0")
    parser.add_argument("--json", help="write the rows to this file too")
    given = parser.parse_args()
    sizes = given.sizes or ([1_000] if given.quick else [10_000, 100_000])
    questions = 20 if given.quick else given.questions
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="affidavit-peers-") as name:
        folder = Path(name)
        python = given.veramem_python or install(folder)
        for size, profile in product(sizes, [given.profile] if given.profile else PROFILES):
            say(f"peers: {size:,} memories, {PROFILES[profile]}")
            with (
                Worker(sys.executable, "affidavit", profile, folder / f"ours-{profile}-{size}") as ours,
                Worker(python, "veramem", profile, folder / f"theirs-{profile}-{size}") as theirs,
            ):
                rows += compare(ours, theirs, profile, size, questions)
    report(rows, given.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
