"""The demo: the main job on the bundled conversation, in a folder of its own, with what is seen explained.

It shows only what it has checked: each step adds its findings to the report, and `ok` says whether all held.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit.core.system_errors import explained
from affidavit.errors import InputError
from affidavit.surfaces import demo_memories, demo_tamper
from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.add import heading
from affidavit.surfaces.demo_run import USER, Demo

if TYPE_CHECKING:
    from affidavit.read.results import Hit, SearchResult

_LIMIT = 10
_SHOWN = 150
_LANGUAGES = {
    "en": "English", "es": "Spanish", "de": "German", "zh": "Chinese", "hi": "Hindi", "ja": "Japanese", "ar": "Arabic",
}  # fmt: skip


def run_demo(
    keep: Path | None = None, *, say: Callable[[str], None] | None = None
) -> tuple[bool, dict[str, Any]]:
    """Run it, telling each step through `say` (default: lines on stdout); whether all held, and the report.

    `keep` is a new or empty folder to leave the store in; without it nothing is left.
    """
    tell = say or _to_stdout
    resource = files("affidavit.surfaces") / "demo_data"
    data = json.loads((resource / "questions.json").read_text(encoding="utf-8"))
    with _place(keep) as folder, as_file(resource / "conversation.jsonl") as conversation:
        demo = Demo(folder, tell, data)
        _import(demo, conversation)
        _search(demo)
        demo_memories.steps(demo)
        _verify(demo)
        _tamper(demo)
        _erase(demo, conversation)
        _end(demo, keep)
    report = {
        "ok": not demo.failed,
        "failed": demo.failed,
        "folder": str(keep) if keep else None,
        **demo.report,
    }
    return not demo.failed, report


def _to_stdout(text: str) -> None:
    for piece in show.fitted(text):
        sys.stdout.write(f"{piece}\n")
    sys.stdout.flush()


@contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="affidavit-demo-") as folder:
            yield Path(folder)
        return
    with explained(InputError, f"{keep} can't be made"):
        if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
            raise InputError(f"{keep} is not an empty folder", hint="name a new one")
        keep.mkdir(parents=True, exist_ok=True)
    yield keep.absolute()


def _import(demo: Demo, conversation: Path) -> None:
    from affidavit.surfaces.cli.imports import lines
    from affidavit.surfaces.importing import import_file

    demo.tell(
        "Affidavit keeps what was said as evidence: who said it, when, and proof that nobody changed it."
    )
    demo.step(
        1,
        "Import six weeks of an assistant's conversation",
        "Two people, three mails that only look right, tool results, code; secrets that slipped in.",
    )
    with demo.open() as memory:
        done = import_file(memory, conversation, user_id=USER)
    demo.block(lines(done))
    spoken = dict.fromkeys(_LANGUAGES[one["language"]] for one in demo.data["questions"])
    demo.tell(f"   languages asked about below: {', '.join(spoken)}")
    leaked = demo.raw_holds(demo.data["secrets"])
    demo.check(not leaked and done.masked >= len(demo.data["secrets"]), "secrets are masked")
    demo.check(done.imported > 0 and not done.problems, "the conversation is imported whole")
    demo.tell(
        f"   searched the raw files for the {len(demo.data['secrets'])} secrets: "
        + ("in them!" if leaked else "none is there, they were masked before anything was stored")
    )
    demo.report["import"] = done.to_dict()


def _search(demo: Demo) -> None:
    demo.step(
        2,
        f"Ask {len(demo.data['questions'])} questions",
        "What is found are turns as they were said, and what was remembered of them, with time, speaker and how far",
        "each may be relied on:",
        "authorized (the user's own word), attested (the assistant's), unendorsed (anybody else's).",
    )
    asked = []
    with demo.open() as memory:
        for one in demo.data["questions"]:
            found = memory.search(one["question"], user_id=USER, limit=_LIMIT)
            rank = _rank(found, one)
            demo.check(rank is not None, f"found: {one['question']}")
            demo.tell("")
            demo.tell(f"   {one['question']}   ({one['about']})")
            _show_hit(demo, found, rank)
            asked.append({"question": one["question"], "rank": rank})
    first = sum(one["rank"] == 1 for one in asked)
    met = sum(one["rank"] is not None for one in asked)
    demo.tell("")
    demo.tell(
        f"   {met} of {len(asked)} answers are among the first {_LIMIT} found, {first} of them the very first"
    )
    demo.report["questions"] = asked


def _rank(found: "SearchResult", one: Mapping[str, Any]) -> int | None:
    """The place, from 1, of what was looked for: a turn, or a memory with the words it was said in."""
    for rank, hit in enumerate(found.hits, 1):
        said = (hit.text, *(quote.text for quote in hit.evidence))
        if any(one["expect"] in words for words in said) and one.get("speaker") in (None, hit.speaker):
            return rank
    return None


def _show_hit(demo: Demo, found: "SearchResult", rank: int | None) -> None:
    if not found.hits:
        demo.tell("   nothing found")
        return
    hit: Hit = found.hits[(rank or 1) - 1]
    place = f"number {rank} of {len(found.hits)}" if rank else "not found; the first of the others"
    demo.tell(f"   {place}: {heading(hit)}")
    demo.block(show.block(hit.text, most=_SHOWN))


def _verify(demo: Demo) -> None:
    from affidavit.surfaces.cli.verify import lines

    demo.step(
        8,
        "Verify",
        "Recomputed from the bytes: every entry, the Merkle tree of each log, signed heads, each row against the log.",
    )
    with demo.open() as memory:
        found = memory.verify().to_dict()
    demo.block(lines(found))
    demo.check(found["level"] == 2 and not found["problems"], "the untouched store verifies at level 2")
    demo.report["verify"] = {name: found[name] for name in ("level", "ok", "size", "problems")}


def _tamper(demo: Demo) -> None:
    demo.step(
        9,
        "Tamper with copies, as somebody could who can write the file but has no key",
        "The same key folder judges each copy.",
    )
    older = demo.folder / "older.db"
    shutil.copyfile(demo.store / "memory.db", older)
    with demo.open() as memory:
        memory.add("One more thing, so that the copy just made is an older one.", user_id=USER, role="system")
    told = []
    for way in demo_tamper.all_ways(older):
        place = demo.folder / "copy"
        shutil.copytree(demo.store, place / "store")
        shutil.copytree(demo.folder / "keys", place / "keys")
        way.apply(place / "store" / "memory.db")
        found = _verify_only(demo, place)
        shutil.rmtree(place)
        codes = list(dict.fromkeys(problem["code"] for problem in found["problems"]))
        held = bool(set(codes) & set(way.expected)) if way.expected else not codes
        demo.check(held, f"verify judges: {way.title}")
        word = ("found" if way.expected else "clean") if held else "WRONGLY JUDGED"
        demo.tell(f"   {word}: {way.title}")
        if found["problems"]:
            problem = next((p for p in found["problems"] if p["code"] in way.expected), found["problems"][0])
            demo.tell(f"{show.BAR}{', '.join(codes)}")
            where = problem["where"].partition("/")[2]
            demo.tell(f"{show.BAR}{show.line(where)}: {show.line(problem['detail'])}")
        told.append({"what": way.title, "level": found["level"], "codes": codes})
    older.unlink()
    demo.report["tampering"] = told


def _verify_only(demo: Demo, place: Path) -> dict[str, Any]:
    """Verify a copy, without sealing it at the end."""
    from affidavit.errors import StoreUnreadableError
    from affidavit.proof.verify_result import damaged_result

    try:
        memory = demo.open(place)
    except StoreUnreadableError as error:
        return damaged_result(error).to_dict()
    with closing(memory._rooms.store):
        found: dict[str, Any] = memory.verify().to_dict()
        return found


def _erase(demo: Demo, conversation: Path) -> None:
    from affidavit.surfaces.importing import import_file

    erase = demo.data["erase"]
    demo.step(
        10,
        "Erase what Tomás told in confidence",
        "The copies are gone already: an erasure reaches our files, and no copies elsewhere.",
    )
    before = demo.raw_holds(erase["canaries"])
    demo.tell(
        f"   before: {len(before)} of {len(erase['canaries'])} of his words looked for stand in the raw files"
    )
    with demo.open() as memory:
        receipt = memory.forget(user_id=USER, session_id=erase["session"])
        found = memory.search(erase["question"], user_id=USER, limit=_LIMIT)
        hits = [hit.id for hit in found.hits if any(word in hit.text for word in erase["canaries"])]
        claims = memory.answer(erase["claim"], user_id=USER).unverified
        again = import_file(memory, conversation, user_id=USER)
        checked = memory.verify().to_dict()
    after = demo.raw_holds(erase["canaries"])
    drawn = receipt.versions or 0
    demo.tell(
        f"   erased {show.count(receipt.episodes, 'message')} and {show.count(drawn, 'memory', 'memories')} drawn "
        f"from them: rows at {receipt.erased_at},"
    )
    demo.tell(f"   the last byte in our files at {receipt.physical_at}")
    for space in receipt.spaces:
        demo.tell("   the receipt, signed:")
        demo.block(f"{show.BAR}{show.line(one)}" for one in (space.note or "not signed").strip().split("\n"))
    demo.tell(f"   after: {len(after)} of {len(erase['canaries'])} stand in the raw files")
    demo.tell(f"   search for it: {len(hits)} turns")
    demo.tell(f'   ask "{erase["claim"]}": {show.count(len(claims), "claim")}')
    demo.tell(
        f"   importing the same file again: {again.imported} new, {again.repeated} there already, "
        f"{len(again.problems)} refused as erased"
    )
    demo.tell(f"   verify: level {checked['level']}, {show.count(len(checked['problems']), 'problem')}")
    _erased_as_told(demo, before, after, hits)
    demo.check(drawn > 0 and not claims, "what was drawn from the messages goes with them")
    demo.check(receipt.physical_at is not None, "the erasure is physical")
    demo.check(again.imported == 0 and len(again.problems) == receipt.episodes, "nothing erased comes back")
    demo.check(checked["level"] == 2 and not checked["problems"], "the store verifies after the erasure")
    demo.report["erasure"] = {
        "receipt": receipt.to_dict(), "in_files_before": before, "in_files_after": after, "hits_after": len(hits),
    }  # fmt: skip


def _erased_as_told(demo: Demo, before: Sequence[str], after: Sequence[str], hits: Sequence[str]) -> None:
    demo.check(len(before) == len(demo.data["erase"]["canaries"]), "the words were there before")
    demo.check(not after, "no word is left in the files")
    demo.check(not hits, "search finds nothing of it")


def _end(demo: Demo, keep: Path | None) -> None:
    demo.tell("")
    if demo.failed:
        demo.tell("Something did not hold: " + "; ".join(demo.failed))
        return
    demo.tell("All of it held. Next, with your own words:")
    demo.tell("   affidavit init --user YOU")
    demo.tell('   affidavit add "I live in Porto"')
    demo.tell('   affidavit ask "Where do I live?"')
    demo.tell("   affidavit import conversations.zip     (an export of ChatGPT or Claude)")
    if keep is not None:
        demo.tell(f"The demo's store is in {show.line(str(keep))}.")
