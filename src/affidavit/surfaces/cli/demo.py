"""`affidavit demo`: the main job on the bundled conversation."""

from pathlib import Path
from typing import Annotated

import typer

from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, verb


@verb(app, "demo", example="affidavit demo\naffidavit demo --keep affidavit-demo")
def demo(
    call: Call,
    *,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Keep the demo's store in this new folder.")
    ] = None,
) -> int | None:
    """See it work on a bundled conversation.

    Imports six weeks of it, searches, asks what holds now and what held before, reads a mail that lies, asks before
    acting, verifies, tampers with copies, erases a part. Everything happens in a temporary folder; your own store is
    not touched. Exit 1 if anything of it does not hold.
    """
    from affidavit.surfaces.demo import run_demo

    ok, report = run_demo(keep, say=call.say if call.is_json else None)
    if call.is_json:
        call.give(report, lambda: ())
    return None if ok else 1
