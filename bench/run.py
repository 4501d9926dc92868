"""Every benchmark, one after the other: what `make bench` calls.

    make bench                                  all
    make bench ARGS="--quick"                   all, small: shows that it runs
    make bench ARGS="--only speed"              one of locomo, speed, databases, peers, attacks

LoCoMo needs its data, which is not part of the project: a folder with `locomo/locomo10.json`, named by the variable
MEMDATA or found at `../shared/data` beside the checkout, and next to it `bench/retrieval_baselines.py`, which scores
stemmed BM25 and ours in one run. Without them that benchmark is left out, and said so.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.table import say

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("locomo", "speed", "databases", "peers", "attacks")


def data_folder() -> Path | None:
    """Where the data sets lie, if they are here."""
    named = os.environ.get("MEMDATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder if (folder / "locomo" / "locomo10.json").is_file() else None


def run(arguments: list[str], **environment: str) -> int:
    """A benchmark in its own process, its output passed on."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=variables, check=False).returncode


def locomo(*, quick: bool) -> int:
    """Evidence found in LoCoMo, beside stemmed BM25."""
    data = data_folder()
    script = data.resolve().parent / "bench" / "retrieval_baselines.py" if data else None
    if data is None or script is None or not script.is_file():
        say("locomo left out: no data (set MEMDATA to a folder that holds locomo/locomo10.json)")
        return 0
    retrievers = ["bm25_stem", "bench.retriever:affidavit_lexical"]
    if not quick:
        retrievers.append("bench.retriever:affidavit_embed")
    chosen = [word for name in retrievers for word in ("--retriever", name)]
    with tempfile.TemporaryDirectory(prefix="affidavit-locomo-") as out:
        task = "locomo_turn"
        code = run([str(script), "--task", task, "--out", out, *chosen], MEMDATA=str(data.resolve()))
        base, *others = [name.replace(":", ".") for name in retrievers]
        return code or run(["-m", "bench.paired", out, task, base, *others])


def main() -> int:
    """Run what was asked for; the worst exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.run", description="Affidavit's benchmarks.")
    parser.add_argument("--only", action="append", choices=PARTS, help="only this one (repeatable)")
    parser.add_argument("--without", action="append", choices=PARTS, default=[], help="leave this one out")
    parser.add_argument("--quick", action="store_true", help="small sizes: shows that it runs")
    given = parser.parse_args()
    quick = ["--quick"] if given.quick else []
    worst = 0
    chosen = [name for name in given.only or PARTS if name not in given.without]
    for number, name in enumerate(chosen, 1):
        say(f"benchmark {number} of {len(chosen)}: {name}")
        print(f"\n## {name}\n", flush=True)
        code = locomo(quick=given.quick) if name == "locomo" else run(["-m", f"bench.{name}", *quick])
        if code:
            say(f"{name} failed with exit code {code}")
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    raise SystemExit(main())
