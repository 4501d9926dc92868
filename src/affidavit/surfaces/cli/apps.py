"""The command tree: the first page and its groups, still without commands."""

from typing import Annotated

import typer


def _group(name: str, text: str, epilog: str | None = None) -> typer.Typer:
    return typer.Typer(
        name=name,
        help=text,
        epilog=epilog,
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
    )


app = _group(
    "affidavit",
    "Long-term memory for AI agents that can show its evidence.",
    "Exit codes: 0 done, 1 the check failed, 2 bad input, 3 trouble with provider or storage. "
    "Every command explains itself with --help.",
)
memory = _group("memory", "Single items: look one up, list them.")
admin = _group("admin", "What an operator does with a store.")
keys = _group("keys", "The signing key, which lies apart from the store.")


def _tell_version(asked: bool) -> None:  # noqa: FBT001 - as the parser calls it
    if asked:
        from affidavit import __version__

        typer.echo(f"affidavit {__version__}")
        raise typer.Exit


@app.callback()
def first_page(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Long-term memory for AI agents that can show its evidence."""


for group in (memory, admin, keys):
    app.add_typer(group)
