"""`affidavit verify`: recompute everything, and say what does not fit."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affidavit.core.system_errors import explained
from affidavit.errors import (
    FileFormatError,
    InputError,
    KeyStoreError,
    StoreForeignError,
    StoreUnreadableError,
)
from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, must_exist, verb

if TYPE_CHECKING:
    from affidavit.config import Config

FAILED = 1
LEVELS = {0: "broken", 1: "self-consistent", 2: "signed"}
_SHOWN = 50
_EXAMPLE = """\
affidavit verify
affidavit verify --save checked.json
affidavit verify --since checked.json
affidavit verify --receipt receipt.json"""


@verb(app, "verify", example=_EXAMPLE)
def verify(
    call: Call,
    *,
    since: Annotated[
        Path | None,
        typer.Option("--since", metavar="FILE", help="A saved result: only what is new since is checked."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Keep the result, for a later --since.")
    ] = None,
    receipt: Annotated[
        Path | None,
        typer.Option("--receipt", metavar="FILE", help="Check the signatures of a receipt of an erasure."),
    ] = None,
) -> int | None:
    """Check that nothing was altered.

    Recomputes entries, trees, signed heads, seals and every row; exit 1 where something does not fit.
    Level 2: signed by a key trusted here. Level 1: self-consistent. Level 0: broken.
    What verify can't see: what was never recorded, and a host that lied about who spoke, or when.
    """
    config = call.config()
    if receipt is not None:
        if since is not None or save is not None:
            raise InputError("a receipt and a store at once", hint="check the receipt alone")
        return _receipt(call, config, receipt)
    marks = None if since is None else _marks(since)
    found = check(call, config, marks)
    if save is not None:
        write_json(save, found)
    call.give(found, lambda: lines(found))
    return None if found["ok"] else FAILED


def check(call: Call, config: "Config", marks: Mapping[str, Any] | None) -> dict[str, Any]:
    """The result of `Memory.verify`, also for a store that is too damaged to be opened.

    Raises `StorePlaceError` for a file that may not be read, and `StoreForeignError` for one that is no store, unless
    one was sealed in this place before: then it was overwritten, and that is a result.
    """
    from affidavit.memory import Memory

    try:
        must_exist(config)
        memory = Memory(config=config)
    except StoreUnreadableError as error:
        if isinstance(error, StoreForeignError) and not _was_a_store(config):
            raise
        from affidavit.proof.verify_result import damaged_result

        return damaged_result(error).to_dict()
    try:
        found: dict[str, Any] = memory.verify(since=marks).to_dict()
        return found
    finally:
        # Not `close`: that would seal, and whoever checks must change nothing.
        memory._rooms.store.close()


def _was_a_store(config: "Config") -> bool:
    from affidavit.proof.places import Places

    try:
        return Places(config.key_dir).known_at(config.place) is not None
    except KeyStoreError:
        return False


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The result for people."""
    level, problems = found["level"], found["problems"]
    yield f"level {level} ({LEVELS.get(level, 'higher')}): {show.count(found['size'], 'entry', 'entries')}"
    if found.get("unsealed"):
        yield f"not under a seal yet: {show.count(found['unsealed'], 'entry', 'entries')}"
    yield f"problems: {len(problems):,}" if problems else "no problems"
    missing = [problem for problem in problems if problem["where"] == "keys"]
    if missing:
        # Said once; every head and seal of that key fails alike.
        alike = [p for p in problems if p["code"] == "KEY_UNKNOWN" and p["where"] != "keys"]
        problems = [problem for problem in problems if problem not in (*missing, *alike)]
        yield from (f"{show.BAR}{p['code']}  {show.line(str(p['detail']))}" for p in missing)
        if alike:
            yield f"{show.BAR}KEY_UNKNOWN  … and so are {show.count(len(alike), 'head or seal', 'heads and seals')}"
    for problem in problems[:_SHOWN]:
        where, detail = show.line(str(problem["where"])), show.line(str(problem["detail"]))
        yield f"{show.BAR}{problem['code']}  {where}: {detail}"
    if len(problems) > _SHOWN:
        yield f"{show.BAR}… and {len(problems) - _SHOWN:,} more; -o json lists all"


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a result to a file. Raises `InputError` where that is not possible, `StoreFullError` for want of room."""
    with explained(InputError, f"{path} can't be written"):
        path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """An object from a file that we wrote. Raises `FileFormatError`."""
    try:
        with explained(FileFormatError, f"{path} can't be read"):
            value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise FileFormatError(f"{path} is not JSON", hint="give the file as it was written") from None
    if not isinstance(value, dict):
        raise FileFormatError(f"{path} holds no object", hint="give the file as it was written")
    return value


def _marks(path: Path) -> Mapping[str, Any]:
    marks = read_json(path).get("marks")
    if not isinstance(marks, dict):
        raise FileFormatError(f"{path} holds no marks", hint="give what `affidavit verify --save FILE` wrote")
    return marks


def _receipt(call: Call, config: "Config", path: Path) -> int | None:
    from affidavit.surfaces.cli.receipts import check_receipt

    found = check_receipt(call, config, read_json(path))
    call.give(found, lambda: _receipt_lines(found))
    return None if found["ok"] else FAILED


def _receipt_lines(found: Mapping[str, Any]) -> Iterator[str]:
    yield "the receipt is signed by a key trusted here" if found["ok"] else "the receipt can't be believed"
    for part in found["spaces"]:
        if part["ok"]:
            yield f"{show.BAR}{part['space_id']}: " + "; ".join(show.line(said) for said in part["lines"])
        else:
            yield f"{show.BAR}{show.line(str(part['space_id']))}: {show.line(str(part['why']))}"
