"""What became of what real small models said of our messages: the recordings of `bench.record_models`, replayed.

    python -m bench.small_models

Labels are by reading (`tests/data/recorded/labels.md`): does the quote, as it stands there, carry the statement.
"""

import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.table import say
from tests.support_oracle import faults, stored_as
from tests.support_recorded import MODELS, Replayed, labels, recording, replay

REFUSED = ("quote_not_found", "question", "hedged", "hypothetical", "reported")


def measured(name: str) -> Counter[str]:
    """What is counted of one model."""
    count = Counter[str]()
    count["messages"] = len(recording(name, "messages").told)
    with tempfile.TemporaryDirectory(prefix="affidavit-bench-") as folder:
        for done in replay(Path(folder), name, "messages"):
            for one in done.memories:
                kept = "frames" if one.model is None else "quoted" if "“" in one.text else "worded"
                count[kept] += 1
                count["faults"] += len(list(faults(one, done.episodes)))
            for result in done.results:
                for refused in result.rejected:
                    count[refused.code if refused.code in REFUSED else "other"] += 1
            for label in labels():
                if (label["model"], label["id"]) == (name, done.told.id):
                    count[_fate(label, done)] += 1
    return count


def _fate(label: Mapping[str, Any], done: Replayed) -> str:
    """What became of a labelled statement."""
    about = "carried" if label["carried"] else "not carried"
    if stored_as(label["text"], done.memories):
        return f"{about}: worded"
    told = any(label["quote"].strip() in cited.text for one in done.memories for cited in one.evidence)
    return f"{about}: quoted" if told else f"{about}: gone"


def main() -> int:
    """Print the counts of each model."""
    for name in MODELS:
        say(f"{name}: {dict(sorted(measured(name).items()))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
