"""`affidavit search`: what is remembered of it, and what was said about it, by whom, when."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.add import heading, json_option
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, verb

if TYPE_CHECKING:
    from affidavit.read.results import Hit, SearchResult

_EXAMPLE = """\
affidavit search "Where does Ana live?" --user priya
affidavit search "rent" --filter '{"role": "mail", "occurred_at": {"gte": "2026-03"}}'"""


@verb(app, "search", example=_EXAMPLE)
def search(
    call: Call,
    *,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Any words; nothing in it is an operator.")],
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many hits at most.")] = 10,
    filter_: Annotated[
        str | None,
        typer.Option("--filter", metavar="JSON", help="Conditions over fields, sources and metadata."),
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="Leave out what happened later.")
    ] = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", metavar="DATE", help="Leave out what was recorded later.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")] = False,
    no_record: Annotated[bool, typer.Option("--no-record", help="Keep no trace of what was shown.")] = False,
) -> None:
    """Find the memories and episodes that answer best.

    Only those that this caller may read are looked at.
    """
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        result = memory.search(
            query,
            limit=limit,
            filters=json_option(filter_, "--filter"),
            as_of=as_of,
            known_at=known_at,
            explain=explain,
            record=not no_record,
            **ids,
        )
    call.give(result.to_dict(), lambda: _lines(result))


def _lines(result: "SearchResult") -> Iterator[str]:
    if not result.hits:
        yield "nothing found"
    for number, hit in enumerate(result.hits, 1):
        yield from hit_lines(number, hit)


def hit_lines(number: int, hit: "Hit") -> Iterator[str]:
    """One hit for people: our line, the text behind bars, and where the rest of it is."""
    yield f"{number}. {heading(hit)}"
    yield from show.block(hit.text)
    rest = f"  the whole text: affidavit memory get {hit.id}" if len(hit.text) > show.SHORT else f"  {hit.id}"
    yield rest
    if hit.explain is not None:
        parts = ", ".join(f"{part} {value:.3f}" for part, value in hit.explain.items())
        yield f"  score {hit.score:.3f}: {show.line(parts)}"
