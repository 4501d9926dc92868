"""A retriever against another, question by question, from what the scoring script wrote.

    python -m bench.paired FOLDER TASK BASE OTHER [OTHER …]      (files are TASK.NAME.all.json.gz)

For each measure: both means, the mean difference with a 95 % interval (bootstrap over questions, fixed seed), and
on how many questions the other was better, equal, worse.
"""

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

MEASURES = ("any@5", "rec@10", "all@10", "ndcg@10", "mrr")
_RESAMPLES = 10_000


def rows_of(path: Path) -> dict[str, dict[str, Any]]:
    """The scores of each question."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {row["id"]: row for row in json.load(file)["rows"]}


def compared(base: dict[str, dict[str, Any]], other: dict[str, dict[str, Any]], measure: str) -> list[str]:
    """One row of the table."""
    ids = sorted(base.keys() & other.keys())
    left = np.array([base[i][measure] for i in ids])
    right = np.array([other[i][measure] for i in ids])
    difference = right - left
    chance = np.random.default_rng(20260301)
    means = [float(difference[chance.integers(0, len(ids), len(ids))].mean()) for _ in range(_RESAMPLES)]
    low, high = np.quantile(means, [0.025, 0.975])
    better, worse = int((difference > 0).sum()), int((difference < 0).sum())
    return [
        measure,
        f"{left.mean():.3f}",
        f"{right.mean():.3f}",
        f"{difference.mean():+.3f} ({low:+.3f} … {high:+.3f})",
        f"{better} / {len(ids) - better - worse} / {worse}",
    ]


def main() -> int:
    """Print a table for each retriever."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("task")
    parser.add_argument("base")
    parser.add_argument("others", nargs="+")
    given = parser.parse_args()
    base = rows_of(given.folder / f"{given.task}.{given.base}.all.json.gz")
    for name in given.others:
        other = rows_of(given.folder / f"{given.task}.{name}.all.json.gz")
        print(f"\n### {given.task}: {name} against {given.base}, paired over {len(base)} questions\n")
        print(
            "| measure | base | other | difference (95 %) | better / equal / worse |\n|---|---|---|---|---|"
        )
        for measure in MEASURES:
            print("| " + " | ".join(compared(base, other, measure)) + " |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
