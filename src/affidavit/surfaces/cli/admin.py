"""`affidavit admin`: what an operator does with a store."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.errors import InputError
from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.add import json_option
from affidavit.surfaces.cli.apps import admin as group
from affidavit.surfaces.cli.call import Call, verb

if TYPE_CHECKING:
    from affidavit.admin import Copied, Inspection
    from affidavit.write.results import Derived, Remembered


@verb(group, "seal", example="affidavit admin seal")
def seal(call: Call) -> None:
    """List what changed since the last seal in the signed directory, and remember it beside the key."""
    with call.memory(call.config()) as memory:
        note = memory.admin.seal()
    words = "sealed" if note is not None else "not sealed: the key of this store is elsewhere"
    call.give({"sealed": note is not None, "note": note}, lambda: [words])


@verb(group, "backup", example="affidavit admin backup copies/memory-monday.db")
def backup(
    call: Call,
    *,
    target: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; its folder must be there.")],
) -> None:
    """Write a sealed, consistent copy of the whole store. The key is not in it: see `affidavit keys export`."""
    with call.memory(call.config()) as memory:
        made = memory.admin.backup(target)
    bytes_ = made.stat().st_size
    call.give(
        {"path": str(made), "bytes": bytes_},
        lambda: [f"copied to {show.line(str(made))} ({show.size(bytes_)})"],
    )


_COPY = """\
affidavit admin copy --from project.db --to postgresql://affidavit@db.example/affidavit
affidavit admin copy --to moved.db"""


@verb(group, "copy", example=_COPY)
def copy(
    call: Call,
    *,
    to: Annotated[
        str, typer.Option("--to", metavar="PLACE", help="A new file, or the address of an empty database.")
    ],
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="PLACE", help="The store to copy; without it the one of --db."),
    ] = None,
) -> None:
    """Copy the whole store to another place, ledger and proofs intact; verified before it can be opened.

    Stop what writes to it first. A copy that was cut short goes on when it is run again. It is the same store, with
    the same keys: go on at the new place only.
    """
    config = (call if from_ is None else replace(call, db=from_)).config()
    with call.memory(config) as memory:
        done = memory.admin.copy(to)
    call.give(done.to_dict(), lambda: _copied(done))


def _copied(done: "Copied") -> Iterator[str]:
    yield f"copied to {show.line(done.path)}: {show.count(done.spaces, 'log')}, {show.count(done.rows, 'row')}"
    yield f"it verifies: level {done.level}, {show.count(done.entries, 'entry', 'entries')}"
    yield "go on there: what is still written at the old place makes a second history"


@verb(group, "inspect", example="affidavit admin inspect")
def inspect(call: Call) -> None:
    """Show what the store holds, in numbers."""
    with call.memory(call.config()) as memory:
        found = memory.admin.inspect()
    call.give(found.to_dict(), lambda: _inspection(found))


@verb(group, "clean", example="affidavit admin clean")
def clean(call: Call) -> None:
    """Finish erasures whose bytes could not be removed while others were reading; their receipts anew.

    In PostgreSQL: vacuum the tables, so that the room of dead rows is written over.
    """
    with call.memory(call.config()) as memory:
        receipts = memory.admin.clean()
        has_files = bool(memory._rooms.store.files())
    done = f"finished: {show.count(len(receipts), 'erasure')}"
    if not has_files:
        done += "; the tables were vacuumed, and nothing else of the server was touched"
    call.give(
        {"receipts": [receipt.to_dict() for receipt in receipts]},
        lambda: [
            done
            if has_files
            else f"{done}; the tables were vacuumed, the server's log and copies were not touched"
        ],
    )


@verb(
    group,
    "derive",
    example="affidavit admin derive --user priya --where model=ollama:qwen3 --dry-run",
    model=True,
)
def derive(
    call: Call,
    *,
    again: Annotated[
        bool, typer.Option("--again", help="Look again at what was looked at before, not only at what waits.")
    ] = False,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="NAME=VALUE",
            help="Look again at these only (extractor, model, language, role, session_id, source_id, since, until); "
            "several, or all as JSON.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the difference; write nothing.")] = False,
) -> None:
    """Make memories of the episodes that still wait; --again or --where: anew, and the difference told."""
    config = call.config()
    ids = call.ids(config)
    chosen = _chosen(where or [])
    given = ({} if chosen is None else chosen) if again or chosen is not None or dry_run else None
    with call.memory(config) as memory:
        done = memory.derive(where=given, dry_run=dry_run, **ids)
    call.give(done.to_dict(), lambda: _derived(done))


def _chosen(where: Sequence[str]) -> dict[str, object] | None:
    """By what to choose: JSON, or names with their values."""
    chosen: dict[str, object] = {}
    for one in where:
        name, mark, value = one.partition("=")
        if one.lstrip().startswith("{"):
            chosen |= json_option(one, "--where") or {}
        elif mark and name.strip():
            chosen[name.strip()] = value
        else:
            raise InputError(
                f"--where {show.name(one)} has no value", hint="write --where model=NAME, or give JSON"
            )
    return chosen or None


_MOST_SHOWN = 20
_DERIVED = ("added", "updated", "supported", "retracted", "withdrawn", "invalidated", "reopened", "conflicts")


def _derived(done: "Derived") -> Iterator[str]:
    yield f"{'would look' if done.dry_run else 'looked'} at {show.count(done.episodes, 'episode')}"
    if done.unchanged:
        yield f"found as before: {show.count(done.unchanged, 'support')}"
    for name in _DERIVED:
        found = getattr(done, name)
        if found:
            yield f"{name}: {len(found):,}"
            yield from _difference(found)
    for problem in done.problems:
        yield from show.fitted(f"problem: {show.line(problem)}")
    if done.rejected:
        yield f"refused by a check: {len(done.rejected):,}"
    elif not any(getattr(done, name) for name in _DERIVED):
        yield "nothing changes" if done.dry_run else "nothing changed"
    if done.overruled:
        yield f"choices of a model refused: {len(done.overruled):,}"


def _difference(found: "Sequence[Remembered | str]") -> Iterator[str]:
    """What is new, changed or gone, by its id and what it says."""
    for one in found[:_MOST_SHOWN]:
        if isinstance(one, str):
            yield f"  {one}"
        else:
            yield f"  {one.id}@{one.version}  {one.status}"
            yield from show.block(one.text)
    if len(found) > _MOST_SHOWN:
        yield f"  … and {len(found) - _MOST_SHOWN:,} more: -o json shows all"


@verb(group, "maintain", example="affidavit admin maintain")
def maintain(call: Call) -> None:
    """Set down in the log what has lapsed by its age alone. Nothing is deleted by ageing."""
    with call.memory(call.config()) as memory:
        done = memory.admin.maintain()
    call.give(done.to_dict(), lambda: [f"lapsed: {show.count(len(done.lapsed), 'memory', 'memories')}"])


@verb(group, "embed", example="affidavit admin embed --user priya")
def embed(call: Call) -> None:
    """Give every episode that has none its vector: of the named user, agent or team, else of all."""
    config = call.config()
    named = {"user_id": call.user, "agent_id": call.agent, "team_id": call.team}
    with call.memory(config) as memory:
        done = memory.admin.embed(**named, progress=_progress())
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    call.give({"embedded": done}, lambda: [f"embedded: {show.count(done, 'episode')}"])


def _progress() -> Callable[[int], None] | None:
    if not sys.stderr.isatty():
        return None

    def tell(done: int) -> None:
        sys.stderr.write(f"\r{done:,} episodes … ")
        sys.stderr.flush()

    return tell


def _inspection(found: "Inspection") -> Iterator[str]:
    yield f"store {found.store_id}, schema {found.schema}: {show.line(found.path)}"
    yield f"size: {show.size(found.bytes)}{', can only be read' if found.read_only else ''}"
    for title, counts in (
        ("spaces", found.spaces),
        ("rows", found.rows),
        ("relations", found.relations),
        ("waiting", found.waiting),
    ):
        listed = ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items()))
        yield f"{title}: {listed or 'none'}"
    if found.erased_spaces:
        yield f"erased whole: {show.count(found.erased_spaces, 'space')}"
