"""`affidavit check-action`: whether an agent may go ahead."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.add import json_option
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, verb

if TYPE_CHECKING:
    from affidavit.core.decision import Decision, DecisionReason

FAILED = 1
_EXAMPLE = """\
affidavit check-action --tool pay --args '{"to": "Ben", "amount": "50 EUR"}' --user priya
affidavit check-action --memory mem_019caa0f8ad47c118f3e6b2d9a40c715 --user priya"""


@verb(app, "check-action", example=_EXAMPLE)
def check_action(
    call: Call,
    *,
    tool: Annotated[str | None, typer.Option("--tool", metavar="NAME", help="The tool to be called.")] = None,
    args: Annotated[
        str | None, typer.Option("--args", metavar="JSON", help="Its arguments by name, as a JSON object.")
    ] = None,
    memory: Annotated[
        list[str] | None,
        typer.Option("--memory", metavar="ID", help="A memory that it rests on; may be given again."),
    ] = None,
    confirm: Annotated[
        str | None,
        typer.Option("--confirm", metavar="TOKEN", help="The confirmation of an earlier answer to ask."),
    ] = None,
) -> int | None:
    """Say whether a tool may be called with these arguments: allow, ask a person first, or deny.

    Exit 0 for allow, 1 for ask and deny. The values of protected arguments are traced to who said them; which
    arguments of which tools are protected is in the file that the setting `tools` names. The answer is logged.
    """
    config = call.config()
    ids = call.ids(config)
    with call.memory(config) as open_memory:
        decision = open_memory.check_action(
            tool, json_option(args, "--args"), memory_ids=memory or None, confirmation=confirm, **ids
        )
    call.give(decision.to_dict(), lambda: decision_lines(decision))
    return None if decision.accepted else FAILED


def decision_lines(decision: "Decision") -> Iterator[str]:
    """A decision for people: what came of it, why, and what to do."""
    yield f"{decision.outcome}  {decision.id}"
    for reason in decision.reasons:
        yield from _reason_lines(reason)
    if decision.suggested_action is not None:
        yield f"to do: {decision.suggested_action}"
    if decision.confirmation is not None:
        yield f"once a person agrees, until {decision.expires_at}: --confirm {decision.confirmation}"


def _reason_lines(reason: "DecisionReason") -> Iterator[str]:
    about = (
        "" if reason.argument is None else f"{show.line(reason.argument)} {show.name(reason.value or '')}: "
    )
    yield f"{show.BAR}{about}{reason.text}"
    if reason.quote is not None:
        yield f"{show.BAR}  {reason.authority} · {reason.source} · {show.name(reason.quote)}"
