"""`affidavit memory update|retract|confirm|endorse`: what a person says of a memory. `affidavit conflicts`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import conflicts as conflict_group
from affidavit.surfaces.cli.apps import memory as group
from affidavit.surfaces.cli.call import Call, verb

if TYPE_CHECKING:
    from affidavit.read.memories import ConflictGroup
    from affidavit.write.act import Acted

_ID = Annotated[str, typer.Argument(metavar="ID", help="mem_… (the version that holds), or mem_…@2.")]
_KEY = Annotated[
    str | None,
    typer.Option("--idempotency-key", metavar="KEY", help="The same key again does it once."),
]
_SESSION = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="The conversation in which it is said.")
]
_EXAMPLE_ID = "mem_019b76dac80074008000000000000000"


@verb(group, "update", example=f'affidavit memory update {_EXAMPLE_ID} "I live in Porto" --user priya')
def update(
    call: Call,
    *,
    memory_id: _ID,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What it should say from now on.")],
    session: _SESSION = None,
    idempotency_key: _KEY = None,
) -> None:
    """Give a memory a new version, in the user's own words; the old one stays in its history."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        done = memory.update(memory_id, text, session_id=session, idempotency_key=idempotency_key, **ids)
    call.give(done.to_dict(), lambda: _acted(done))


@verb(group, "retract", example=f"affidavit memory retract {_EXAMPLE_ID} --user priya")
def retract(call: Call, *, memory_id: _ID) -> None:
    """Believe a memory no longer. It stays in the history; `affidavit forget` erases."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        done = memory.retract(memory_id, **ids)
    call.give(done.to_dict(), lambda: _acted(done))


@verb(group, "confirm", example=f"affidavit memory confirm {_EXAMPLE_ID} --user priya")
def confirm(call: Call, *, memory_id: _ID, session: _SESSION = None, idempotency_key: _KEY = None) -> None:
    """Say that a memory still holds; it is no longer possibly stale."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        done = memory.confirm(memory_id, session_id=session, idempotency_key=idempotency_key, **ids)
    call.give(done.to_dict(), lambda: _acted(done))


@verb(group, "endorse", example=f"affidavit memory endorse {_EXAMPLE_ID} --user priya")
def endorse(call: Call, *, memory_id: _ID, session: _SESSION = None, idempotency_key: _KEY = None) -> None:
    """Stand by what somebody else said: it counts as the user's own word from then on."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        done = memory.endorse(memory_id, session_id=session, idempotency_key=idempotency_key, **ids)
    call.give(done.to_dict(), lambda: _acted(done))


@verb(conflict_group, "list", example="affidavit conflicts list --user priya")
def conflicts(call: Call) -> None:
    """List what cannot both hold, and what no rule may settle."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        found = memory.conflicts(**ids)
    call.give({"conflicts": [one.to_dict() for one in found]}, lambda: _conflicts(found))


@verb(
    conflict_group,
    "resolve",
    example=f"affidavit conflicts resolve cf_019b76dac80074008000000000000000 --keep {_EXAMPLE_ID}@2 --user priya",
)
def resolve(
    call: Call,
    *,
    conflict_id: Annotated[str, typer.Argument(metavar="ID", help="The conflict, cf_….")],
    keep: Annotated[str, typer.Option("--keep", metavar="ID", help="The version that holds.")],
    session: _SESSION = None,
    idempotency_key: _KEY = None,
) -> None:
    """Settle a conflict: one version holds, the others are history."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        done = memory.resolve(
            conflict_id, keep=keep, session_id=session, idempotency_key=idempotency_key, **ids
        )
    call.give(done.to_dict(), lambda: _acted(done))


def _acted(done: "Acted") -> Iterator[str]:
    again = " (it was so before)" if done.repeated else ""
    yield f"{done.act}: {done.id}  {done.status} · {done.authority}{again}"
    yield from show.block(done.text)
    for name in ("superseded", "retracted", "invalidated", "weakened", "reopened", "conflicts", "settled"):
        for one in getattr(done, name):
            yield f"  {name}: {one}"


def _conflicts(found: "tuple[ConflictGroup, ...]") -> Iterator[str]:
    if not found:
        yield "nothing is in conflict"
    for group_ in found:
        yield f"{group_.id}  {show.line(group_.relation or 'statements')}"
        for item in group_.members:
            yield f"  {item.version_id}  {item.authority} · {item.status}"
            yield from show.block(item.text)
