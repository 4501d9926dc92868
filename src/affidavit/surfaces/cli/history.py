"""`affidavit history` and `affidavit why`: how a memory came to be as it is, and why something is found or is not."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.add import json_option
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, verb

if TYPE_CHECKING:
    from affidavit.read.history import History
    from affidavit.read.memories import MemoryItem
    from affidavit.read.why import Explanation


@verb(app, "history", example="affidavit history mem_019b76dac80074008000000000000000 --user priya")
def history(
    call: Call,
    *,
    memory_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="The memory, mem_…, or one of its versions."),
    ],
) -> None:
    """Show every version of a memory with its quotes, and what happened to each."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        found = memory.history(memory_id, **ids)
    call.give(found.to_dict(), lambda: history_lines(found))


@verb(
    app,
    "why",
    example='affidavit why "Where do I live?" mem_019b76dac80074008000000000000000 --user priya',
)
def why(
    call: Call,
    *,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question of the search.")],
    item_id: Annotated[
        str, typer.Argument(metavar="ID", help="A memory, one of its versions, or an episode.")
    ],
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many hits the search gives.")] = 10,
    filter_: Annotated[
        str | None, typer.Option("--filter", metavar="JSON", help="Conditions, as for `search`.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="The time asked about.")
    ] = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", metavar="DATE", help="What was believed then.")
    ] = None,
) -> None:
    """Say why a search finds something, or why it does not."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        told = memory.why(
            query,
            item_id,
            limit=limit,
            filters=json_option(filter_, "--filter"),
            as_of=as_of,
            known_at=known_at,
            **ids,
        )
    call.give(told.to_dict(), lambda: _why(told))


def history_lines(found: "History") -> Iterator[str]:
    """A memory through time for people: each version with its quotes, then what happened."""
    for item in found.versions:
        yield from version_lines(item)
    for one in found.happenings:
        told = " ".join(
            str(part) for part in (one.reason, one.by, one.status, one.authority) if part is not None
        )
        yield f"  {show.line(str(one.to_dict()['at']))}  {one.version_id}  {one.what} {told}".rstrip()


def version_lines(item: "MemoryItem") -> Iterator[str]:
    """One version for people: our line, its text, and the quotes it stands on."""
    stale = " · possibly stale" if item.stale else ""
    yield f"{item.version_id}  {item.valid.local_text()} · {item.holds} · {item.status} · {item.authority}{stale}"
    yield from show.block(item.text)
    for quote in item.evidence:
        yield f"  from {quote.episode_id} ({quote.authority}):"
        yield from show.block(quote.text)


def _why(told: "Explanation") -> Iterator[str]:
    yield f"{told.because}: {show.line(told.text)}"
    for part, value in told.parts.items():
        yield f"  {show.line(part)} {value:.3f}"
    for one in told.refused:
        yield f"  not remembered ({one.start} to {one.end}): {one.check}, {one.code}; {show.line(one.hint)}"
