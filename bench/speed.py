"""Speed and size of Affidavit on this machine, as a table; every row says how to repeat it.

    python -m bench.speed                        everything, at full size
    python -m bench.speed --quick                everything, small: shows that it runs
    python -m bench.speed --part search --sizes 10000
    python -m bench.speed --json result.json

Run it from the root of a checkout. Texts are synthetic and the same in every run; vectors are random, and the
time it takes to make them is left out. Absolute figures are those of this machine at this moment.
"""

import argparse
import gc
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from affidavit import Memory, VerifyResult
from affidavit.ledger.note import verify_note
from affidavit.ledger.tree import Frontier, leaf_hash
from bench import stores
from bench.stores import add_others, fill, open_memory, size_on_disk
from bench.table import Row, at_least, at_most, both, median, number, percentile, report, say, seconds
from bench.texts import USER, Talk
from bench.vectors import FreeEmbedder

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much of everything."""

    sizes: tuple[int, ...]
    others: int
    queries: int
    singles: int
    batched: int
    sessions: tuple[int, ...]
    starts: int
    folder: Path

    def place(self, name: str) -> Path:
        """A folder of its own for one measurement."""
        made = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))
        made.chmod(0o700)
        return made


def command(part: str) -> str:
    return f"python -m bench.speed --part {part}"


# -- starting


def starting(plan: Plan) -> Iterator[Row]:
    """The import, and the first `add` and `search`, each in fresh processes."""
    repeat = command("start")
    empty, ours = [], []
    for _ in range(plan.starts):
        empty.append(_process("pass"))
        ours.append(_process("import affidavit"))
    yield at_most("`import affidavit` over an empty process", (median(ours) - median(empty)) * 1e3, "ms", 100,
                  repeat=repeat)  # fmt: skip
    yield Row(
        what="… as a ratio to `python -c pass`", value=median(ours) / median(empty), unit="×", repeat=repeat
    )
    code = (
        "import sys; from pathlib import Path; from bench.stores import config; from affidavit import Memory\n"
        "folder = Path(sys.argv[1]); memory = Memory(folder / 'memory.db', config=config(folder))\n"
        "memory.add('My sister Ana moved to Porto', user_id='priya', infer=False)\n"
        "assert memory.search('Where does Ana live?', user_id='priya').hits\n"
        "memory.close()\n"
    )
    first = [_process(code, str(plan.place("first"))) for _ in range(plan.starts)]
    yield at_most("first `add` and `search` in a fresh process on a new file, no embedder", median(first), "s", 1.0,
                  repeat=repeat)  # fmt: skip


def _process(code: str, *arguments: str) -> float:
    run = [sys.executable, "-c", code, *arguments]
    return seconds(lambda: subprocess.run(run, check=True, cwd=ROOT, stdout=subprocess.DEVNULL))


# -- adding


def adding(plan: Plan) -> Iterator[Row]:
    """Episodes a second, one at a time and in batches of 1,000."""
    for durability, single_bar, batch_bar in (("normal", 1_000, 5_000), ("full", 0, 0)):
        repeat = command("add")
        what = f"`add(infer=False)`, durability {durability}"
        talk = Talk()
        with open_memory(plan.place("add"), durability=durability) as memory:
            memory.add("warm", user_id=USER, infer=False)
            messages = talk.messages(plan.singles)
            took = both(lambda: fill(memory, messages, batch=1))  # noqa: B023 - called here
            yield _rate(f"{what}, single", plan.singles, took, single_bar, repeat)
        with open_memory(plan.place("add"), durability=durability) as memory:
            memory.add("warm", user_id=USER, infer=False)
            messages = talk.messages(plan.batched, sessions=max(1, plan.batched // stores.BATCH))
            took = both(lambda: fill(memory, messages))  # noqa: B023
            yield _rate(f"{what}, batches of {stores.BATCH:,}", plan.batched, took, batch_bar, repeat)
    embedder = FreeEmbedder()
    with open_memory(plan.place("add"), embedder=embedder) as memory:
        memory.add("warm", user_id=USER, infer=False)
        messages = Talk().messages(plan.batched // 4, sessions=max(1, plan.batched // 4 // stores.BATCH))
        embedder.seconds = 0.0
        wall, used = both(lambda: fill(memory, messages))
        took = (wall - embedder.seconds, used - embedder.seconds)
        what = "… with vectors (embedding not counted), batches"
        yield _rate(what, len(messages), took, 5_000, command("add"))


def _rate(what: str, many: int, took: tuple[float, float], bar: float, repeat: str) -> Row:
    value = many / took[0]
    note = f"{number(many / took[1])}/s of processor time"
    if bar:
        return at_least(what, value, "/s", bar, repeat=repeat, note=note)
    return Row(what=what, value=value, unit="/s", repeat=repeat, note=note)


# -- searching


def searching(plan: Plan) -> Iterator[Row]:
    """Warm and cold searches by words, and by words and vectors; the same with nobody else in the file."""
    bars = {10_000: (5.0, 200.0), 100_000: (30.0, 1_500.0)}
    for size in plan.sizes:
        warm, cold = bars.get(size, (0.0, 0.0))
        for dense in (False, True):
            yield from _searching(plan, size, warm, cold, dense=dense)
    yield from _flat(plan, min(plan.sizes))


def _searching(plan: Plan, size: int, warm: float, cold: float, *, dense: bool) -> Iterator[Row]:
    embedder = FreeEmbedder() if dense else None
    folder = plan.place("search")
    talk = Talk()
    messages = talk.messages(size)
    questions = talk.questions(messages, plan.queries)
    kind = "words and vectors" if dense else "words"
    say(f"search: filling {size:,} episodes ({kind}) beside {plan.others:,} other users")
    with open_memory(folder, embedder=embedder) as memory:
        add_others(memory, range(plan.others))
        fill(memory, messages, progress=_every(20_000))
    firsts = [_first_search(folder, questions[n], dense=dense) for n in range(3)]
    repeat = f"{command('search')} --sizes {size}"
    with open_memory(folder, embedder=embedder) as memory:
        times = search_times(memory, questions, embedder)
        after_add = _searches_after_add(memory, questions[:40], embedder)
    what = f"`search` at {size:,} episodes, {plan.others:,} other users, {kind}"
    yield _bounded(f"{what}: p50 warm", percentile(times, 0.5) * 1e3, warm, repeat)
    yield Row(what=f"{what}: p95 warm", value=percentile(times, 0.95) * 1e3, unit="ms", repeat=repeat)
    yield Row(
        what=f"{what}: p50 right after an `add`", value=median(after_add) * 1e3, unit="ms", repeat=repeat
    )
    yield _bounded(f"{what}: first on a fresh handle", median(firsts) * 1e3, cold, repeat)


def _every(step: int) -> Callable[[int], None]:
    """Tells how far it came, once in `step`."""
    told = [0]

    def progress(done: int) -> None:
        if done // step > told[0]:
            told[0] = done // step
            say(f"  {done:,}")

    return progress


def _bounded(what: str, value: float, bar: float, repeat: str) -> Row:
    if bar:
        return at_most(what, value, "ms", bar, repeat=repeat)
    return Row(what=what, value=value, unit="ms", repeat=repeat)


def _first_search(folder: Path, question: str, *, dense: bool) -> float:
    gc.collect()
    embedder = FreeEmbedder() if dense else None
    with open_memory(folder, embedder=embedder) as memory:
        memory.search(
            "warm", user_id="other-0"
        )  # opens the file, loads the code: not the space that is measured
        return search_times(memory, [question], embedder, warm=0)[0]


def search_times(
    memory: Memory, questions: list[str], embedder: FreeEmbedder | None = None, warm: int = 3
) -> list[float]:
    """Seconds of each search, traces recorded, without what the embedder took."""
    for question in questions[:warm]:
        memory.search(question, user_id=USER)
    times = []
    for question in questions:
        before = embedder.seconds if embedder else 0.0
        start = perf_counter()
        memory.search(question, user_id=USER)
        took = perf_counter() - start
        times.append(took - ((embedder.seconds - before) if embedder else 0.0))
    return times


def _searches_after_add(memory: Memory, questions: list[str], embedder: FreeEmbedder | None) -> list[float]:
    """As agents do: something is said, then something is looked up."""
    times = []
    for question in questions:
        memory.add(f"somebody asked: {question}", user_id=USER, session_id="asked", infer=False)
        times += search_times(memory, [question], embedder, warm=0)
    return times


def _flat(plan: Plan, size: int) -> Iterator[Row]:
    talk = Talk()
    messages = talk.messages(size)
    questions = talk.questions(messages, plan.queries)
    alone, crowded = plan.place("flat"), plan.place("flat")
    say(f"search: {size:,} episodes alone and beside {plan.others:,} other users")
    for folder, others in ((alone, 0), (crowded, plan.others)):
        with open_memory(folder) as memory:
            add_others(memory, range(others))
            fill(memory, messages)
    with open_memory(alone) as one, open_memory(crowded) as many:
        ratios = []
        for start in range(0, len(questions), 20):
            part = questions[start : start + 20]
            ratios.append(median(search_times(many, part)) / median(search_times(one, part)))
    yield at_most(f"`search` at {size:,}: with {plan.others:,} other users over alone", median(ratios), "×", 1.25,
                  repeat=command("search"), note="median of ratios of alternating blocks")  # fmt: skip


# -- verifying


def verifying(plan: Plan) -> Iterator[Row]:
    """Entries a second: the full check, and the check of what is new."""
    size = max(plan.sizes)
    folder = plan.place("verify")
    say(f"verify: filling {size:,} episodes")
    with open_memory(folder) as memory:
        fill(memory, Talk().messages(size))
    repeat = command("verify")
    with open_memory(folder) as memory:
        found: list[VerifyResult] = []
        took, used = both(lambda: found.append(memory.verify()))
        result = found[0]
        if result.problems:
            raise SystemExit(f"verify found problems in a sound store: {result.problems[:3]}")
        entries = entries_of(folder)
        yield at_least(
            "`verify()`, full with replay",
            entries / took,
            "entries/s",
            20_000,
            repeat=repeat,
            note=f"{number(entries / used)}/s of processor time",
        )
        yield at_least("tree and signatures alone", entries / _tree_seconds(folder, memory), "entries/s", 150_000,
                       repeat=repeat)  # fmt: skip
        new = max(100, size // 100)
        fill(memory, Talk(seed=3).messages(new, sessions=1))
        part = seconds(lambda: memory.verify(since=result.marks))
        yield Row(what=f"`verify(since=…)` after {new:,} new episodes, share of the full check", value=part / took,
                  unit="×", bar=f"about {new / size:.2g}", repeat=repeat)  # fmt: skip


def entries_of(folder: Path) -> int:
    """Entries in the store, counted by SQL."""
    connection = sqlite3.connect(folder / "memory.db")
    try:
        return int(connection.execute("SELECT count(*) FROM entry").fetchone()[0])
    finally:
        connection.close()


def _tree_seconds(folder: Path, memory: Memory) -> float:
    """What an auditor does who has only the file and the public key: hash every leaf, fold every tree, check heads."""
    keys = memory._rooms.keys.public_keys()  # noqa: SLF001 - an auditor would be given them
    connection = sqlite3.connect(folder / "memory.db")
    try:
        start = perf_counter()
        for space_id, root, note in connection.execute("SELECT id, root, note FROM space").fetchall():
            bodies = connection.execute("SELECT body FROM entry WHERE space_id = ? ORDER BY seq", (space_id,))
            tree = Frontier.empty().extend(leaf_hash(body) for (body,) in bodies)
            signed = verify_note(note, keys).checkpoint
            if not tree.root() == root == signed.root:
                raise SystemExit(f"the tree of {space_id} is not that of its head")
        return perf_counter() - start
    finally:
        connection.close()


# -- size


def sizing(plan: Plan) -> Iterator[Row]:
    """Bytes on disk for each short memory, the store closed."""
    size = min(plan.sizes)
    messages = Talk().messages(size)
    for embedder, bar, what in ((None, 3_000, "without vectors"), (FreeEmbedder(), 4_500, "with vectors")):
        folder = plan.place("size")
        with open_memory(folder, embedder=embedder) as memory:
            fill(memory, messages)
        mean = sum(len(one.text.encode()) for one in messages) / size
        yield at_most(f"bytes on disk a short memory (mean text {mean:.0f} bytes), {what}",
                      size_on_disk(folder) / size, "bytes", bar, repeat=command("size"))  # fmt: skip


# -- forgetting


def forgetting(plan: Plan) -> Iterator[Row]:
    """Erasing a session, with physical cleaning; linear means the time an episode stays the same."""
    each = {}
    for size in plan.sessions:
        folder = plan.place("forget")
        talk = Talk()
        with open_memory(folder) as memory:
            fill(memory, talk.messages(2_000))
            add_others(memory, range(20))
            lot = talk.messages(size, sessions=1)
            for start in range(0, size, stores.BATCH):
                part = [one.given() for one in lot[start : start + stores.BATCH]]
                memory.add(part, user_id=USER, session_id="the-long-one", infer=False)
            start_at = perf_counter()
            receipt = memory.forget(user_id=USER, session_id="the-long-one")
            took = perf_counter() - start_at
        if receipt.episodes != size:
            raise SystemExit(f"forget erased {receipt.episodes} of {size}")
        each[size] = took / size
        what = f"`forget` of a session of {size:,} episodes"
        if size == 10_000:
            yield at_most(what, took, "s", 20, repeat=command("forget"))
        else:
            yield Row(what=what, value=took, unit="s", repeat=command("forget"))
    yield at_most("… time an episode, longest over shortest session", each[max(each)] / each[min(each)], "×", 1.5,
                  repeat=command("forget"))  # fmt: skip


PARTS: dict[str, Callable[[Plan], Iterator[Row]]] = {
    "start": starting,
    "add": adding,
    "search": searching,
    "verify": verifying,
    "size": sizing,
    "forget": forgetting,
}


def main() -> int:
    """Measure what was asked for, print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description="Speed and size of Affidavit.")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part (repeatable)")
    parser.add_argument("--sizes", type=int, nargs="+", help="episodes of the user (default 10000 100000)")
    parser.add_argument("--others", type=int, help="other users in the file (default 1000)")
    parser.add_argument("--quick", action="store_true", help="small sizes: shows that it runs")
    parser.add_argument("--json", help="write the rows to this file too")
    given = parser.parse_args()
    quick = given.quick
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="affidavit-bench-") as folder:
        plan = Plan(
            sizes=tuple(given.sizes or ([2_000] if quick else [10_000, 100_000])),
            others=given.others if given.others is not None else (50 if quick else 1_000),
            queries=40 if quick else 200,
            singles=300 if quick else 3_000,
            batched=2_000 if quick else 20_000,
            sessions=(250, 500, 1_000) if quick else (2_500, 5_000, 10_000),
            starts=3 if quick else 15,
            folder=Path(folder),
        )
        for name in given.part or PARTS:
            say(f"{name}: {PARTS[name].__doc__}")
            for row in PARTS[name](plan):
                say(f"  {row.what}: {row.value:.4g} {row.unit}")
                rows.append(row)
    report(rows, given.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
