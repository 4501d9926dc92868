"""`affidavit ask`: what may be said for certain, with its evidence."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.add import moment
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, verb

if TYPE_CHECKING:
    from affidavit.answer.results import Answer, Citation, Claim, Sentence, Step

_CONFIRM = " (`affidavit memory confirm` where it still holds)"
_EXAMPLE = """\
affidavit ask "Where do I live?" --user priya
affidavit ask "Where do I live?" --as-of 2026-04-01 --user priya"""


@verb(app, "ask", example=_EXAMPLE, model=True)
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

    What others claim is told as their claim, and is never an answer. A language model is asked only where one is set
    and rules find nothing; what it says is given only where it is what the quotes say.
    """
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        how: Any = {"as_of": as_of, "known_at": known_at, "record": not no_record, **ids}
        if call.is_json:
            call.give(memory.answer(question, **how).to_dict(), lambda: ())
        else:
            call.give({}, lambda: lines_as_they_come(memory.answer_stream(question, **how)))


def lines_as_they_come(events: "Iterable[Step | Sentence | Answer]") -> Iterator[str]:
    """An answer for people while it comes to be: its sentences, then what they rest on."""
    from affidavit.answer.results import Answer, Sentence

    for event in events:
        if isinstance(event, Sentence):
            yield from show.block(event.text, most=None)
        elif isinstance(event, Answer):
            yield from _grounds(event)


def answer_lines(answer: "Answer") -> Iterator[str]:
    """An answer for people, or that it is not known; with its quotes, and what is only claimed."""
    if not answer.abstained:
        yield from show.block(answer.text, most=None)
    yield from _grounds(answer)


def _grounds(answer: "Answer") -> Iterator[str]:
    """What an answer rests on, or misses."""
    if answer.abstained:
        yield "not known"
        for missing in answer.missing:
            yield f"  what is missing: {show.line(missing)}"
    for problem in answer.problems:
        yield f"not all went well: {show.line(problem)}"
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
