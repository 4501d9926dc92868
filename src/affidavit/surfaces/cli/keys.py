"""`affidavit keys`: the signing key."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affidavit.errors import InputError
from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import keys as group
from affidavit.surfaces.cli.call import Call, must_exist, verb

if TYPE_CHECKING:
    from affidavit.proof.keys import KeyRing
    from affidavit.rooms import Rooms


@contextmanager
def _rooms(call: Call) -> "Iterator[Rooms]":
    """The store without a seal at its end: a store whose key is missing must open too."""
    from affidavit.rooms import Rooms

    config = call.config()
    must_exist(config)
    rooms = Rooms(None, embedder=None, config=config, clock=None)
    try:
        yield rooms
    finally:
        rooms.store.close()


def _told(keys: "KeyRing", store_id: str) -> dict[str, Any]:
    current = keys.signer()
    return {
        "store_id": store_id,
        "folder": str(keys.folder),
        "current": None if current is None else current.public.to_text(),
        "trusted": [key.to_text() for key in keys.public_keys()],
    }


def _lines(told: dict[str, Any]) -> Iterator[str]:
    yield f"keys of store {told['store_id']} in {show.line(told['folder'])}"
    yield f"signs:    {show.line(told['current'] or 'nothing: there is no key here')}"
    for key in told["trusted"]:
        yield f"believed: {show.line(key)}"


@verb(group, "show", example="affidavit keys show")
def show_(call: Call) -> None:
    """Show where the keys lie and their public halves. Give these to whoever should check what you kept."""
    with _rooms(call) as rooms:
        told = _told(rooms.keys, rooms.store.store_id)
    call.give(told, lambda: _lines(told))


@verb(group, "export", example="affidavit keys export keys-of-my-store.txt")
def export(
    call: Call,
    *,
    target: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
) -> None:
    """Write all keys to a file, NOT encrypted, to keep in a safe place or to move to another machine.

    Do it again after `affidavit keys rotate`: an older export is of no use then.
    """
    if target.exists():
        raise InputError(f"{target} is there already", hint="name a new file")
    with _rooms(call) as rooms:
        rooms.admin.export_keys(target)
        told = _told(rooms.keys, rooms.store.store_id) | {"path": str(target)}
    call.give(told, lambda: [f"exported to {show.line(str(target))}: whoever has it can sign as this store"])


@verb(group, "import", example="affidavit keys import keys-of-my-store.txt")
def import_(
    call: Call,
    *,
    source: Annotated[Path, typer.Argument(metavar="FILE", help="What `keys export` wrote.")],
) -> None:
    """Bring the keys of this store back from an export.

    It goes in over older keys of the store. One from before the key was replaced is refused: it could sign nothing.
    """
    with _rooms(call) as rooms:
        rooms.admin.import_keys(source)
        told = _told(rooms.keys, rooms.store.store_id)
    call.give(told, lambda: _lines(told))


@verb(group, "rotate", example="affidavit keys rotate")
def rotate(
    call: Call,
    *,
    lost: Annotated[
        bool,
        typer.Option("--lost", help="The old key is gone or in wrong hands: it vouches for nothing new."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
) -> None:
    """Sign with another key from here on. With --lost the store's state is taken as it is."""
    if lost and not yes:
        call.confirm("Give the old key up? Whatever it did not seal is then signed as it stands.")
    with _rooms(call) as rooms:
        rooms.admin.rotate_key(lost=lost)
        told = _told(rooms.keys, rooms.store.store_id)
    call.give(told, lambda: _lines(told))


@verb(group, "accept", example="affidavit keys accept --yes")
def accept(call: Call, *, yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False) -> None:
    """Take the file as it stands for the right one: after you restored a backup, or moved the store."""
    if not yes:
        call.confirm("Give up whatever was sealed later and is not in this file?")
    with _rooms(call) as rooms:
        note = rooms.admin.accept_copy()
        told = {"store_id": rooms.store.store_id, "seal": note}
    done = "sealed" if note else "not sealed: its key is not here"
    call.give(told, lambda: [f"store {told['store_id']} is taken as it stands, and {done}"])
