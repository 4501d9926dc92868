"""`affidavit rejections`: why something was not remembered."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import app as group
from affidavit.surfaces.cli.call import Call, check_ids, verb

if TYPE_CHECKING:
    from affidavit.read.rejections import Rejections


@verb(group, "rejections", example="affidavit rejections --user priya --newest --limit 20")
def rejections(
    call: Call,
    *,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Only of this conversation.")
    ] = None,
    episode: Annotated[
        str | None, typer.Option("--episode", metavar="ID", help="Only of this message or chunk.")
    ] = None,
    check: Annotated[
        str | None,
        typer.Option("--check", metavar="NAME", help="Only what this check refused (quote, certainty, …)."),
    ] = None,
    code: Annotated[
        str | None, typer.Option("--code", metavar="NAME", help="Only for this reason (hedged, question, …).")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many at most.")] = 100,
    after: Annotated[
        int | None, typer.Option("--after", metavar="N", help="Go on after this place (`next` of a page).")
    ] = None,
    newest: Annotated[bool, typer.Option("--newest", help="Of the last recorded first.")] = False,
) -> None:
    """Show why something was not remembered: which check refused it, for what reason, and what would do."""
    check_ids({"--session": session, "--episode": episode, "--check": check, "--code": code})
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        found = memory.rejections(
            session_id=session,
            episode_id=episode,
            check=check,
            code=code,
            limit=limit,
            after=after,
            newest=newest,
            **ids,
        )
    call.give(found.to_dict(), lambda: _listed(found))


def _listed(found: "Rejections") -> Iterator[str]:
    for one in found:
        model = "" if one.model is None else f"  by {show.name(one.model)}"
        yield f"{one.episode_id}  {one.check}: {one.code}  {one.at[:19].replace('T', ' ')}{model}"
        if one.quote is not None:
            yield from show.block(one.quote)
        yield from show.fitted(f"    {show.line(one.hint)}")
    shown = f"{len(found):,} of {show.count(found.total, 'rejection')}"
    yield shown if found.next is None else f"{shown}; go on with --after {found.next}"
