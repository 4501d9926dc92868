"""`affidavit forget`: erase, for good, with a receipt."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from affidavit.errors import AffidavitError
from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, check_ids, exactly_one, verb
from affidavit.surfaces.cli.verify import write_json

if TYPE_CHECKING:
    from affidavit.privacy.receipt import Receipt

_EXAMPLE = """\
affidavit forget --episode ep_019b76dac80074008000000000000000 --user priya
affidavit forget --memory mem_019b76dac80074008000000000000000 --user priya --dry-run
affidavit forget --everything --user priya --yes --receipt receipt.json"""


class What(TypedDict):
    """What to erase, as `Memory.forget` takes it."""

    memory_id: str | None
    episode_id: str | None
    session_id: str | None
    source_id: str | None
    actor: str | None


@verb(app, "forget", example=_EXAMPLE)
def forget(
    call: Call,
    *,
    memory_id: Annotated[
        str | None,
        typer.Option("--memory", metavar="ID", help="A memory, with the episodes it was drawn from."),
    ] = None,
    episode: Annotated[str | None, typer.Option("--episode", metavar="ID", help="One episode.")] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help="A conversation.")] = None,
    source_id: Annotated[
        str | None, typer.Option("--source-id", metavar="ID", help="All that came with this source id.")
    ] = None,
    actor: Annotated[
        str | None,
        typer.Option("--actor", metavar="WHO", help="All that one contributor said, by name or id."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="All of this user, agent or team.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would go.")] = False,
    receipt: Annotated[
        Path | None, typer.Option("--receipt", metavar="FILE", help="Write the receipt to a file as well.")
    ] = None,
) -> int | None:
    """Erase, physically and for good, with a signed receipt.

    There is no way back. What was erased does not come back when it is sent again under the same source id or
    idempotency key.
    """
    named = {
        "--memory": memory_id, "--episode": episode, "--session": session, "--source-id": source_id, "--actor": actor,
    }  # fmt: skip
    exactly_one(
        named | {"--everything": everything},
        none="it is not said what to forget",
        hint="give one of --memory, --episode, --session, --source-id, --actor, or --everything",
    )
    from affidavit.store.place import reserved

    check_ids(named)
    config = call.config()
    scope = call.ids(config)
    what: What = {
        "memory_id": memory_id, "episode_id": episode, "session_id": session, "source_id": source_id, "actor": actor,
    }  # fmt: skip
    with call.memory(config) as memory:
        count = memory.forget(**scope, **what, everything=everything, dry_run=True)
        if dry_run:
            call.give(count.to_dict(), lambda: _lines(count))
            return None
        if not yes:
            call.confirm(
                f"Erase {show.count(count.episodes, 'episode')} for good?",
                without="--yes erases without asking, --dry-run only counts",
                unchanged="nothing was erased",
            )
        # Before anything is erased: afterwards it is too late to find no place for the receipt.
        with nullcontext() if receipt is None else reserved(receipt, mode=0o666):
            done = memory.forget(**scope, **what, everything=everything)
        has_files = bool(memory._rooms.store.files())
    code = None if receipt is None else _write_receipt(call, receipt, done)
    call.give(done.to_dict(), lambda: _lines(done))
    if done.physical_at is None:
        call.say(_LEFT_IN_FILES if has_files else _LEFT_IN_SERVER)
    return code


_LEFT_IN_FILES = (
    "note: others were reading, so bytes are left in the files; `affidavit admin clean` finishes it"
)
_LEFT_IN_SERVER = (
    "note: the rows are gone; what the server keeps beside them is its operator's, see docs/postgres.md"
)


def _write_receipt(call: Call, path: Path, receipt: "Receipt") -> int | None:
    """Once the erasure is done its receipt must not be lost to a full disk: then stdout is the only one."""
    try:
        write_json(path, receipt.to_dict())
    except AffidavitError as error:
        call.say(f"affidavit: it was erased, but {show.line(error.what)}; keep the receipt that stdout holds")
        return error.exit_code
    return None


def _also(receipt: "Receipt") -> Iterator[str]:
    """What else goes with it: other memories that the same episodes carry."""
    for one in receipt.also:
        yield f"  with it: {one}"


def _lines(receipt: "Receipt") -> Iterator[str]:
    if receipt.dry_run:
        yield f"would erase {show.count(receipt.episodes, 'episode')}"
        yield from _also(receipt)
        return
    yield f"erased {show.count(receipt.episodes, 'episode')} at {receipt.erased_at}"
    yield from _also(receipt)
    if receipt.physical_at is not None:
        yield f"no byte of it is left in our files: {receipt.physical_at}"
    for space in receipt.spaces:
        whole = ", the whole space" if space.whole else ""
        signed = "signed" if space.note else "not signed: no key here"
        yield f"{show.BAR}{space.space_id}: {show.count(space.episodes, 'episode')}{whole}; {signed}"
    for name in receipt.not_reached:
        yield f"not touched, may hold it still: {show.line(name)}"
