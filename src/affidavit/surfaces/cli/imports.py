"""`affidavit import`: a file of conversations, item by item."""

import shlex
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, Ids, verb

if TYPE_CHECKING:
    from affidavit.surfaces.importers import ImportProblem
    from affidavit.surfaces.importing import ImportResult

_SHOWN = 20
_INCOMPLETE = 1
_NOTHING = 2
_INTERRUPTED = 130
_TITLES = (
    ("unreadable", "not imported"),
    ("left_out", "left out by rule"),
    ("stored_otherwise", "stored already in another form, left as it is"),
)
_EXAMPLE = """\
affidavit import conversations.zip --user priya
affidavit import mail.mbox --user priya --own-address priya@mail.example
affidavit import forum.jsonl --user priya --as third-party --assume-date 2026-03"""


class Format(StrEnum):
    """What a file is; `auto` finds out from what it holds."""

    AUTO = "auto"
    JSONL = "jsonl"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    MBOX = "mbox"
    EML = "eml"


class Standing(StrEnum):
    """How the whole file counts."""

    THIRD_PARTY = "third-party"


@verb(app, "import", example=_EXAMPLE, model=True)
def import_(
    call: Call,
    *,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="JSON lines, an export of ChatGPT or Claude (.json, .zip), mail (.mbox, .eml, a folder of .eml).",
        ),
    ],
    format_: Annotated[
        Format,
        typer.Option("--format", metavar="auto|jsonl|chatgpt|claude|mbox|eml", help="What the file is."),
    ] = Format.AUTO,
    standing: Annotated[
        Standing | None,
        typer.Option(
            "--as", metavar="third-party", help="Nothing in the file counts as the user's own word."
        ),
    ] = None,
    assume_date: Annotated[
        str | None,
        typer.Option("--assume-date", metavar="DATE", help="For messages of which the file gives no date."),
    ] = None,
    own_address: Annotated[
        list[str] | None,
        typer.Option(
            "--own-address",
            metavar="ADDRESS",
            help="Mail sent from it is the user's own. May be given again.",
        ),
    ] = None,
    sent: Annotated[
        bool,
        typer.Option("--sent", help="The file holds only mail that the user sent, as a folder Sent does."),
    ] = False,
) -> int | None:
    """Keep every message of a file of conversations.

    Lists what could not be read, with its place and reason; then the exit code is 1, and 2 where nothing could.
    Importing the same file again adds nothing twice: an import that was cut off goes on. With other options
    what is stored stays as it is, and is listed: erase it first to have it otherwise.
    """
    from affidavit.surfaces.importing import import_file

    config = call.config()
    ids = call.ids(config)
    with call.memory(config, make=True) as memory:
        try:
            result = import_file(
                memory,
                file,
                format=None if format_ is Format.AUTO else str(format_),
                third_party=standing is Standing.THIRD_PARTY,
                assume_date=assume_date,
                own_addresses=tuple(own_address or ()),
                sent=sent,
                progress=_progress(),
                **ids,
            )
        except KeyboardInterrupt:
            _end_of_line()
            call.say("interrupted: what was counted is kept; the same command again goes on")
            return _INTERRUPTED
    _end_of_line()
    call.give(result.to_dict(), lambda: lines(result))
    for note in result.notes:
        call.say(f"note: {show.line(note)}")
    if result.stored_otherwise:
        call.say(f"note: {_way_out(result, ids)}")
    if result.imported + result.repeated + result.stored_otherwise == 0:
        call.say("affidavit: nothing could be imported; the reasons are listed")
        return _NOTHING
    return None if all(one.kind == "left_out" for one in result.problems) else _INCOMPLETE


def _way_out(result: "ImportResult", ids: Ids) -> str:
    """What to do about items that are stored in another form than this import gives them."""
    whose = next(f"--{name} {shlex.quote(value)}" for name, value in _owner(ids))
    said = (
        f"{show.count(result.stored_otherwise, 'message')} stayed as stored. To have this form instead: "
        f"`affidavit forget --everything {whose}`, which erases all of this memory, then import again"
    )
    if result.format != Format.JSONL:
        return said
    return (
        f"{said}. Or erase only what is listed (`affidavit forget --episode ID {whose}`) and import a copy of the "
        "file under another name: under the old one it does not come back"
    )


def _owner(ids: Ids) -> Iterator[tuple[str, str]]:
    """Whose space is written: the team's, else the user's, else the agent's."""
    for name, value in (("team", ids["team_id"]), ("user", ids["user_id"]), ("agent", ids["agent_id"])):
        if value is not None:
            yield name, value


def lines(result: "ImportResult") -> Iterator[str]:
    """What an import did, for people."""
    sessions = f" in {show.count(result.sessions, 'session')}" if result.sessions else ""
    yield f"imported {show.count(result.imported, 'message')} ({result.format}){sessions}"
    if result.repeated:
        yield f"{show.count(result.repeated, 'message')} already here from before: nothing was added twice"
    if result.masked:
        yield f"masked before storing: {show.count(result.masked, 'secret')}"
    if result.remembered:
        yield f"remembered from them: {show.count(result.remembered, 'memory', 'memories')}"
    if result.refused:
        yield f"not remembered, refused by a check: {result.refused:,} (`affidavit why QUESTION EPISODE` says why)"
    if result.undated:
        yield f"without a date: {show.count(result.undated, 'message')} (--assume-date gives one)"
    for kind, title in _TITLES:
        yield from _problems(title, [one for one in result.problems if one.kind == kind])


def _problems(title: str, problems: "list[ImportProblem]") -> Iterator[str]:
    if problems:
        yield f"{title}: {len(problems):,}"
    for problem in problems[:_SHOWN]:
        yield f"{show.BAR}{show.line(problem.place)}: {show.line(problem.reason)}"
    if len(problems) > _SHOWN:
        yield f"{show.BAR}… and {len(problems) - _SHOWN:,} more; -o json lists all"


def _progress() -> Callable[[int, int], None] | None:
    """A line that counts, where somebody watches. The length of a file in messages is known only at its end."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, problems: int) -> None:
        trouble = f", {problems:,} not readable" if problems else ""
        sys.stderr.write(f"\r{done:,} messages{trouble} … ")
        sys.stderr.flush()

    return tell


def _end_of_line() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
