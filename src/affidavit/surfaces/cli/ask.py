"""`affidavit ask`: what may be said for certain, with its evidence."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.add import moment
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, verb

if TYPE_CHECKING:
    from affidavit.answer.results import Answer, Citation, Claim

_CONFIRM = " (`affidavit memory confirm` where it still holds)"
_EXAMPLE = """\
affidavit ask "Where do I live?" --user priya
affidavit ask "Where do I live?" --as-of 2026-04-01 --user priya"""


@verb(app, "ask", example=_EXAMPLE)
def ask(
    call: Call,
    *,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="A question in plain words.")],
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="Answer about this time, not about now.")
    ] = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", metavar="DATE", help="Answer by what was recorded until then.")
    ] = None,
    no_record: Annotated[bool, typer.Option("--no-record", help="Keep no trace of what was opened.")] = False,
) -> None:
    """Answer from what may be relied on, and cite it; else say that it is not known.

    What others claim is told as their claim, and is never an answer. No model takes part.
    """
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        answer = memory.answer(question, as_of=as_of, known_at=known_at, record=not no_record, **ids)
    call.give(answer.to_dict(), lambda: answer_lines(answer))


def answer_lines(answer: "Answer") -> Iterator[str]:
    """An answer for people, or that it is not known; with its quotes, and what is only claimed."""
    if answer.abstained:
        yield "not known"
        for missing in answer.missing:
            yield f"  what is missing: {show.line(missing)}"
    else:
        yield from show.block(answer.text, most=None)
    for one in answer.stale:
        yield f"possibly stale: {one}{_CONFIRM if one.startswith('mem_') else ''}"
    for number, citation in enumerate(answer.citations, 1):
        yield f"{number}. {_source(citation)}"
        yield from show.block(citation.quote)
        yield f"  {citation.id}"
    for conflict in answer.conflicts:
        yield f"in conflict: {conflict.id}, {show.count(len(conflict.members), 'memory', 'memories')}"
    for claim in answer.unverified:
        yield f"only claimed: {_source(claim)}"
        yield from show.block(claim.quote)


def _source(one: "Citation | Claim") -> str:
    who = getattr(one, "said_by", None) or getattr(one, "claimant", None)
    parts = [moment(one.said_at), str(one.role), str(one.authority)]
    if getattr(one, "stale", False):
        parts.append("possibly stale")
    if who:
        parts.insert(1, show.name(who))
    return " · ".join(show.line(part) for part in parts)
