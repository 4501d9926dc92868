"""The command tree: the first page and its groups, still without commands."""

from typing import Annotated

import typer

from affidavit.surfaces.cli.call import takes_common


def _group(name: str, text: str, epilog: str | None = None) -> typer.Typer:
    return typer.Typer(
        name=name,
        help=text,
        epilog=epilog,
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


app = _group(
    "affidavit",
    "Long-term memory for AI agents that can show its evidence.",
    "Exit codes: 0 done, 1 the check failed (import: not all was taken), 2 bad input, "
    "3 trouble with provider or storage. "
    "Every command explains itself with --help.",
)
memory = _group("memory", "Single items: look one up, list them, say something of one.")
sources = _group("sources", "What came together, and taking it back.")
conflicts = _group("conflicts", "What cannot both hold.")
admin = _group("admin", "What an operator does with a store.")
keys = _group("keys", "The signing key, which lies apart from the store.")


def _tell_version(asked: bool) -> None:  # noqa: FBT001 - as the parser calls it
    if asked:
        from affidavit import __version__

        typer.echo(f"affidavit {__version__}")
        raise typer.Exit


_VERSION = Annotated[
    bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version.")
]

app.callback()(takes_common(version=_VERSION))
for group in (memory, sources, conflicts, admin, keys):
    group.callback()(takes_common())
    app.add_typer(group)
