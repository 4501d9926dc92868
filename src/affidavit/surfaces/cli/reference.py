"""The page about the command line, made from the commands themselves."""

from collections.abc import Iterator
from typing import Any

_HEAD = """\
# The command line

This page is made from the commands by `scripts/cli_page.py`; change their help texts, not the page.

Every command takes the options of the first table, before or after its name; what stands last counts. `-h` and `--help`
explain it. Where stdout is not a terminal, and with `-o json` anywhere,
stdout holds exactly one JSON object in UTF-8; whatever is said to people goes to stderr. An error is then
`{"error": {"code", "what", "hint"}}`.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | the check failed (`verify`, `doctor`, `demo`, `check-action`), or not all of a file was taken (`import`) |
| 2 | bad input: nothing was written |
| 3 | trouble with provider or storage; a place where no store can be, or be reached |
| 130 | interrupted: what was acknowledged is safe |

Whose memory it is: `--user` (with `--agent` for the agent that acts), `--team`, or `--agent` alone for the agent's
own; where none is given, the `user` of the settings (`affidavit init --user ID`, or `AFFIDAVIT_USER`).

`python -m affidavit` is the same command, `affidavit --version` says which one it is. More on files to import is in
[import.md](import.md), on `--filter` in [filters.md](filters.md), on settings in [configuration.md](configuration.md).
"""


def page() -> str:
    """The whole page as Markdown."""
    from typer.main import get_command

    from affidavit.surfaces.cli.app import app

    commands = list(_commands(get_command(app), "affidavit"))
    common = set.intersection(*({_spelled(option) for option in _options(one)} for _, one in commands))
    first = commands[0][1]
    parts = [
        _HEAD,
        "## What every command takes\n",
        _table(o for o in _options(first) if _spelled(o) in common),
    ]
    for path, command in commands:
        parts.append(_section(path, command, common))
    return "\n".join(parts)


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every command that does something, with its words."""
    children = getattr(command, "commands", None)
    if children is None:
        yield path, command
        return
    for name, child in children.items():
        yield from _commands(child, f"{path} {name}")


def _options(command: Any) -> list[Any]:
    return [one for one in command.params if one.param_type_name == "option" and "--help" not in one.opts]


def _arguments(command: Any) -> list[Any]:
    return [one for one in command.params if one.param_type_name == "argument"]


def _spelled(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    if option.is_flag:
        return names
    return f"{names} {str(option.metavar).replace('|', chr(92) + '|')}"


def _table(options: Any) -> str:
    rows = [f"| {_spelled(one)} | {_cell(one)} |" for one in options]
    return "\n".join(["| option | meaning |", "|---|---|", *rows, ""])


def _cell(option: Any) -> str:
    text = str(option.help).replace("|", "\\|")
    given = option.default
    plain = given if isinstance(given, str | int) and not isinstance(given, bool) else None
    return text if plain is None else f"{text} (`{plain}` if not given)"


def _section(path: str, command: Any, common: set[str]) -> str:
    arguments = _arguments(command)
    usage = " ".join([path, *(f"[{a.metavar}]" if not a.required else str(a.metavar) for a in arguments)])
    lines = [f"## `{usage}`\n", str(command.help).strip(), ""]
    lines += [f"- `{one.metavar}`: {one.help}" for one in arguments] + ([""] if arguments else [])
    own = [one for one in _options(command) if _spelled(one) not in common]
    if own:
        lines.append(_table(own))
    example = str(command.epilog).partition("Example:\n")[2]
    lines += ["```sh no-run", *(line.removeprefix("  ") for line in example.splitlines()), "```", ""]
    return "\n".join(lines)
