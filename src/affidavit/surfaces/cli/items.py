"""`affidavit memory`: single items."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.add import heading
from affidavit.surfaces.cli.apps import memory as group
from affidavit.surfaces.cli.call import Call, check_ids, verb

if TYPE_CHECKING:
    from affidavit.read.results import Item, Page


@verb(group, "get", example="affidavit memory get ep_019b76dac80074008000000000000000 --user priya")
def get(
    call: Call,
    *,
    item_id: Annotated[str, typer.Argument(metavar="ID", help="The item's id, as search and list show it.")],
) -> None:
    """Show one item whole."""
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        item = memory.get(item_id, **ids)
    call.give(item.to_dict(), lambda: _item(item, most=None))


@verb(group, "list", example="affidavit memory list --user priya --session tuesday --limit 20")
def list_(
    call: Call,
    *,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Only this conversation.")
    ] = None,
    source_id: Annotated[
        str | None, typer.Option("--source-id", metavar="ID", help="Only what came with this source id.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many items at most.")] = 100,
    after: Annotated[
        int | None, typer.Option("--after", metavar="N", help="Go on after this place (`next` of a page).")
    ] = None,
    newest: Annotated[bool, typer.Option("--newest", help="The last recorded first.")] = False,
) -> None:
    """List what is kept, in the order it was recorded."""
    check_ids({"--session": session, "--source-id": source_id})
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        page = memory.list(
            session_id=session, source_id=source_id, limit=limit, after=after, newest=newest, **ids
        )
    call.give(page.to_dict(), lambda: _page(page))


def _page(page: "Page") -> Iterator[str]:
    for item in page.items:
        yield from _item(item, most=show.SHORT)
    shown = f"{len(page.items):,} of {show.count(page.total, 'item')}"
    yield shown if page.next is None else f"{shown}; go on with --after {page.next}"


def _item(item: "Item", *, most: int | None) -> Iterator[str]:
    yield f"{item.id}  {heading(item)}"
    yield from show.block(item.text, most=most)
