"""`affidavit recall`: what is known, ready for a prompt; without a question a briefing."""

from typing import Annotated

import typer

from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, verb

_EXAMPLE = """\
affidavit recall "Where does Ana live?" --user priya -o text
affidavit recall --user priya --max-tokens 4000"""


@verb(app, "recall", example=_EXAMPLE, model=True)
def recall(
    call: Call,
    *,
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help="What it is about; without it, a briefing.")
    ] = None,
    max_tokens: Annotated[
        int,
        typer.Option("--max-tokens", metavar="N", help="The longest it may be; a byte counts as a token."),
    ] = 2_000,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="What held then, in place of now.")
    ] = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", metavar="DATE", help="What was believed then.")
    ] = None,
    no_record: Annotated[bool, typer.Option("--no-record", help="Keep no trace of what was shown.")] = False,
    rephrase: Annotated[
        bool, typer.Option("--rephrase", help="Let a language model join statements, word for word.")
    ] = False,
) -> None:
    """Give what is known as context for a prompt.

    It is parted by what may be done with it: known, dated, no longer so, contested, unverified. Without a question:
    what is due, to be confirmed, so now, and recent.
    """
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as memory:
        context = memory.recall(
            query,
            max_tokens=max_tokens,
            as_of=as_of,
            known_at=known_at,
            record=not no_record,
            rephrase=rephrase,
            **ids,
        )
    for problem in context.problems:
        call.say(problem)
    call.give(context.to_dict(), lambda: context.render().splitlines())
