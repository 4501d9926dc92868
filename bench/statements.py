"""What is remembered of 320 labelled messages of ours: precision and recall by language (tests/data/statements.md).

    python -m bench.statements                 the table
    python -m bench.statements --show wrong    each memory that no label has; or: missed

Each message goes through `Memory.add` into a space of its own. A memory is right where a label of the message has its
relation (or one that says the same), its polarity and a value that overlaps with its own.
"""

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from affidavit import Config, Memory
from affidavit.core.memories import ItemRow
from affidavit.text.evidence.likeness import same_form

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "statements.jsonl"
_ALIKE = [
    {"work", "occupation"}, {"like", "favorite"}, {"dislike", "like"}, {"has", "pet", "family"},
    {"plan", "deadline"}, {"diet", "allergy", "dislike"}, {"home", "origin"}, {"age", "birthday"},
    {"instruction", "name"}, {"studies", "occupation"}, {"instruction", "language"},
]  # fmt: skip


def says(row: ItemRow, label: Mapping[str, Any]) -> bool:
    """Whether a memory is what a label expects."""
    wanted = label.get("ends") if label["relation"] == "no_longer" else label["relation"]
    alike = wanted in {row.relation, "other", None} or any(
        {wanted, row.relation} <= group for group in _ALIKE
    )
    mine, its = same_form(row.object or ""), same_form(label["value"])
    return alike and (mine in its or its in mine or _shared(mine, its))


def _shared(mine: str, its: str) -> bool:
    return bool(set(mine.split()) & set(its.split()))


def rows_of(memory: Memory, user: str) -> list[ItemRow]:
    """Every version in the user's space."""
    with memory._rooms.store.snapshot() as reads:  # noqa: SLF001 - rows, as the labels are of rows
        head = next((head for head in reads.heads() if head.name == user), None)
        return [] if head is None else [stored.row for stored in reads.all_items(head.space_id)]


def main() -> int:
    """Measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.statements")
    parser.add_argument("--show", choices=["wrong", "missed"])
    given = parser.parse_args()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        settings = Config.load(environ={}, home=folder, key_dir=Path(folder) / "keys", embedder="none")
        with Memory(Path(folder) / "store" / "m.db", config=settings) as memory:
            for line in DATA.read_text(encoding="utf-8").splitlines():
                one = json.loads(line)
                memory.add(one["text"], user_id=one["id"], occurred_at=one["at"])
                _judge(one, rows_of(memory, one["id"]), counts, given.show)
    print("| | memories | right | precision | labels | found | recall | plain ones found |")
    print("|---|---|---|---|---|---|---|---|")
    for name in ("en", "es", "zh", "all"):
        c = counts[name]
        print(
            f"| {name} | {c['made']} | {c['right']} | {c['right'] / max(1, c['made']):.3f} | {c['labels']} |"
            f" {c['found']} | {c['found'] / max(1, c['labels']):.2f} |"
            f" {c['plain found'] / max(1, c['plain']):.2f} |"
        )
    return 0


def _judge(
    one: Mapping[str, Any], rows: list[ItemRow], counts: dict[str, Counter[str]], show: str | None
) -> None:
    speaker = [label for label in one["expect"] if label["about"] == "speaker"]
    right = [row for row in rows if any(says(row, label) for label in speaker)]
    found = [label for label in speaker if any(says(row, label) for row in rows)]
    for name in (one["lang"], "all"):
        counts[name] += Counter(
            {"made": len(rows), "right": len(right), "labels": len(speaker), "found": len(found)}
        )
        if one.get("wording") == "plain":
            counts[name] += Counter({"plain": len(speaker), "plain found": len(found)})
    for row in rows if show == "wrong" else ():
        if row not in right:
            print(one["id"], one["trap"], "|", one["text"], "->", row.relation, row.object, row.negated)
    for label in speaker if show == "missed" else ():
        if label not in found:
            print(one["id"], "|", one["text"], "->", label["relation"], label["value"])


if __name__ == "__main__":
    raise SystemExit(main())
