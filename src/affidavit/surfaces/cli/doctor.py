"""`affidavit doctor`: what is set, where things are, and what is wrong."""

from collections.abc import Iterator, Mapping
from typing import Any

from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.apps import app
from affidavit.surfaces.cli.call import Call, verb

FAILED = 1


@verb(app, "doctor", example="affidavit doctor", model=True)
def doctor(call: Call) -> int | None:
    """Look at settings, store, key, embedder and model.

    Shows each setting with its origin, and says what to do about problems. Where an embedder or a model is set, it is
    asked once, and what that took is told. Changes nothing. Exit 1 where something is wrong.
    """
    from affidavit.surfaces.cli.checks import examine

    found = examine(call)
    call.give(found, lambda: _lines(found))
    return None if found["ok"] else FAILED


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    if found["settings"]:
        yield "settings (value, where it comes from)"
    for setting in found["settings"]:
        value = show.line(setting["value"]) or "not set"
        yield f"  {setting['name']:<18} {value}  ({show.line(setting['origin'])})"
    yield "checks"
    for check in found["checks"]:
        yield f"  {'ok ' if check['ok'] else 'BAD'} {check['name']:<13} {show.line(check['detail'])}"
        if check["hint"]:
            yield f"      {'':<13} {'what to do: ' if not check['ok'] else ''}{show.line(check['hint'])}"
    bad = sum(not check["ok"] for check in found["checks"])
    yield show.count(bad, "problem") if bad else "no problems"
