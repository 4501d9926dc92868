"""Two memories that are given the same calls, and must be alike in everything."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from affidavit.core.ids import DIRECTORY_ID
from affidavit.core.jsonable import to_json
from affidavit.errors import AffidavitError
from affidavit.store.protocol import Store
from affidavit.testing.house import GivenMemory
from affidavit.testing.ports import StepClock

_OF_PLACE = {"path", "bytes", "physical_at", "not_reached"}
"""Fields that speak of where a store lies: a file has a path, and only of files it is known when they are clean."""
_META = "schema"


class DiffersError(AssertionError):
    """The store under test does something else than ours."""


def outcome(memory: GivenMemory, call: Callable[[GivenMemory], object]) -> object:
    """What a call gave or raised, as JSON-ready values, without what belongs to the place of the store."""
    try:
        return {"gave": _plain(to_json(call(memory)))}
    except AffidavitError as error:
        told = {key: text.replace(memory.store.place, "…") for key, text in error.to_dict().items()}
        return {"raised": type(error).__name__, **told}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _statement(inner) if key == "note" else _plain(inner)
            for key, inner in value.items()
            if key not in _OF_PLACE
        }
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _statement(note: object) -> object:
    """The note of a receipt without its line about the files, and without the signature over it."""
    if not isinstance(note, str) or "\nphysical_at " not in note:
        return note
    return [line for line in note.split("\n") if not line.startswith(("physical_at ", "— "))]


def kept(store: Store) -> dict[str, Any]:
    """Every row that a store keeps, by its table and space; what its database could not read is there too."""
    with store.audit() as audit:
        found: dict[str, Any] = {
            "meta": sorted(row for row in audit.meta() if row[0] != _META),
            "space": list(audit.spaces()),
            "seal": list(audit.seals()),
            "unlisted": sorted(audit.unlisted()),
            "strays": list(audit.strays()),
        }
        for space_id in [DIRECTORY_ID, *(row[0] for row in found["space"])]:
            for table, rows in (
                ("entry", audit.entries(space_id, 0)),
                ("blind", audit.blinds(space_id, 0)),
                ("actor", audit.actors(space_id, 0)),
                ("episode", audit.episodes(space_id, 0)),
                ("embedding", audit.embeddings(space_id, 0)),
                ("item", audit.items(space_id, 0)),
                ("support", audit.supports(space_id, 0)),
                ("support_part", audit.support_parts(space_id, 0)),
                ("conflict", audit.conflicts(space_id, 0)),
                ("revoked_source", audit.revoked_sources(space_id, 0)),
                ("permit", audit.permits(space_id, 0)),
                ("decision", audit.decisions(space_id, 0)),
                ("last_number", audit.last_numbers(space_id)),
            ):
                found[f"{space_id}/{table}"] = list(rows)
        found["damage"] = list(audit.damage)
    with store.snapshot() as reads:
        found["job"] = [tuple(job) for job in reads.jobs() if job.kind != "clean"]
        for head in reads.heads():
            found[f"{head.space_id}/rejection"] = reads.rejections(head.space_id)
    return found


class Pair:
    """The reference and the store under test. Both clocks go forward with each step.

    `rows` False compares the rows only when `compare_rows` is called.
    """

    def __init__(
        self,
        ours: GivenMemory,
        theirs: GivenMemory,
        clocks: tuple[StepClock, StepClock],
        *,
        rows: bool = True,
    ) -> None:
        self.ours, self.theirs = ours, theirs
        self._clocks, self._rows = clocks, rows
        self.steps = 0

    def do(self, name: str, call: Callable[[GivenMemory], object], *, seconds: float = 60.0) -> Any:
        """Do the same in both. What it gave, or raised, as JSON-ready values. Raises `DiffersError`."""
        for clock in self._clocks:
            clock.forward(seconds)
        self.steps += 1
        mine, other = outcome(self.ours, call), outcome(self.theirs, call)
        if mine != other:
            raise DiffersError(f"{name}: {difference(mine, other)}")
        if self._rows:
            self.compare_rows(name)
        return mine

    def compare_rows(self, name: str = "rows") -> None:
        """Every row and every byte of the ledger is the same. Raises `DiffersError`."""
        mine, other = kept(self.ours.store), kept(self.theirs.store)
        for table in sorted({*mine, *other}):
            if mine.get(table) != other.get(table):
                raise DiffersError(f"after {name}, {table}: {difference(mine.get(table), other.get(table))}")

    def close(self) -> None:
        """Close both."""
        for memory in (self.ours, self.theirs):
            with suppress(AffidavitError):
                memory.close()


def difference(mine: object, other: object) -> str:
    """The first place where two values differ, in words."""
    for where, one, another in _differing(mine, other, ""):
        return f"{where or 'the whole'} is {_shown(another)}, and {_shown(one)} in the reference"
    return "they compare as different, and look alike"


def _differing(mine: Any, other: Any, where: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(mine, dict) and isinstance(other, dict):
        for key in [*mine, *(key for key in other if key not in mine)]:
            yield from _differing(mine.get(key), other.get(key), f"{where}.{key}")
    elif isinstance(mine, list | tuple) and isinstance(other, list | tuple) and len(mine) == len(other):
        for number, (one, another) in enumerate(zip(mine, other, strict=True)):
            yield from _differing(one, another, f"{where}[{number}]")
    elif type(mine) is not type(other) or mine != other:
        yield where, mine, other


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 300 else f"{text[:300]}…"
