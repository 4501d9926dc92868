"""Runs one command and turns whatever happens into an exit code and words; never a traceback unless asked for."""

import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import Any, TextIO

from affidavit.core.system_errors import why
from affidavit.errors import AffidavitError
from affidavit.surfaces.cli.call import Output, StoppedError, as_json, say
from affidavit.surfaces.cli.show import line

BAD_INPUT = 2
TROUBLE = 3
INTERRUPTED = 130
_PARSER_WORDS = re.compile(r"Value error, |(?P<int>Input should be a valid integer[^.;]*)")
"""How the library behind the parser says things."""
_REPORT = "this is a fault of Affidavit: please report it with what --debug shows"


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name; its exit code."""
    _set_up(sys.stdout, utf8=_wants_json(arguments))
    _set_up(sys.stderr, utf8=False)
    try:
        return _run(list(arguments) or ["--help"])
    except AffidavitError as error:
        return _failed(arguments, error, error.to_dict(), error.exit_code)
    except BrokenPipeError:
        # Whoever read our output has gone; Python must not try to flush what is left.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, StoppedError) as stop:
        say(f"affidavit: interrupted; {str(stop) or 'what was acknowledged is safe'}")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - whatever it is, people get words
        if (usage := _usage(error)) is not None:
            return _failed(arguments, error, usage, BAD_INPUT)
        if isinstance(error, OSError):
            return _failed(arguments, error, _system(error), TROUBLE)
        what = f"{type(error).__name__}: {error}"
        return _failed(arguments, error, {"code": "unexpected", "what": what, "hint": _REPORT}, TROUBLE)


def _run(arguments: list[str]) -> int:
    from typer.main import get_command

    from affidavit.surfaces.cli.app import app

    try:
        code = get_command(app).main(args=arguments, prog_name="affidavit", standalone_mode=False)
    except Exception as error:
        if type(error).__name__ == "Abort":
            raise KeyboardInterrupt from None
        raise
    return code if isinstance(code, int) else 0


def _usage(error: Exception) -> dict[str, str] | None:
    """A wrong command line, in our words; None where the error is something else."""
    message: Any = getattr(error, "format_message", None)
    if message is None:
        return None
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "affidavit"
    if type(error).__name__ == "NoArgsIsHelpError":
        return {"code": "usage", "what": f"`{path}` needs a command", "hint": f"see `{path} --help`"}
    what = _PARSER_WORDS.sub(lambda found: "it is not a whole number" if found["int"] else "", str(message()))
    return {"code": "usage", "what": what.rstrip("."), "hint": f"see `{path} --help`"}


def _system(error: OSError) -> dict[str, str]:
    """What the system refused where nobody expected it: no fault of ours, and nothing that a report would mend."""
    reason, hint = why(error)
    return {"code": "system", "what": f"{error.filename or 'the system'}: {reason}", "hint": hint}


def _failed(arguments: Sequence[str], error: Exception, told: dict[str, str], code: int) -> int:
    """Tell what went wrong: a line on stderr, and an object on stdout where JSON is read."""
    if "--debug" in arguments:
        traceback.print_exception(error)
    if _wants_json(arguments):
        sys.stdout.write(as_json({"error": told}) + "\n")
        sys.stdout.flush()
    hint = f"; {told['hint']}" if told["hint"] else ""
    say(line(f"affidavit: {told['what']}{hint}"))
    return code


def _wants_json(arguments: Sequence[str]) -> bool:
    """What `-o` says, read without a parser: it must be known when parsing fails too."""
    said: str | None = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument in {"-o", "--output"} and place + 1 < len(arguments):
            said = arguments[place + 1]
        elif argument.startswith("--output="):
            said = argument.partition("=")[2]
        elif argument.startswith("-o") and not argument.startswith("--") and argument[2:]:
            said = argument[2:].removeprefix("=")
    return not sys.stdout.isatty() if said not in set(Output) else said == Output.JSON


def _set_up(stream: TextIO, *, utf8: bool) -> None:
    """JSON is UTF-8 whatever the terminal speaks; what a stream can't encode is escaped, never an error."""
    reconfigure: Any = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        if utf8 or not stream.isatty():
            reconfigure(encoding="utf-8", errors="backslashreplace")
        else:
            reconfigure(errors="backslashreplace")
