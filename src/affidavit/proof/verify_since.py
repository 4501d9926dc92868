"""Marks: how far an earlier verify came, so that the next one checks only what is new.

A mark holds the tree of each log as it was. The entries after it must lead to the head of today; what came before
was checked then. The marks are the caller's to keep: whoever can change them can make them accept another past.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from affidavit.core.replay import Live, State
from affidavit.core.values import json_text
from affidavit.errors import InputError
from affidavit.ledger.encoding import EntryError, parse_entry
from affidavit.ledger.tree import Frontier
from affidavit.store.audit_reads import Audit

_VERSION = 1
_KEYS = {"version", "store_id", "signing", "spaces", "seals", "rotations", "check"}
_HINT = "give the `marks` of an earlier result as they were, or none for a full check"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One log as it was: its tree, how the directory listed it last, whether it was erased, its signed head."""

    frontier: Frontier
    listed: int
    reason: str
    erased: bool
    note: str

    @property
    def size(self) -> int:
        """The number of entries."""
        return self.frontier.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """A whole store as it was."""

    store_id: str
    signing: str
    spaces: Mapping[str, Mark]
    seals: int
    rotations: tuple[tuple[int, Mapping[str, Any]], ...]

    def to_json(self) -> dict[str, Any]:
        """The marks as JSON-ready values."""
        body: dict[str, Any] = {
            "version": _VERSION,
            "store_id": self.store_id,
            "signing": self.signing,
            "seals": self.seals,
            "rotations": [[seq, dict(entry)] for seq, entry in self.rotations],
            "spaces": {
                space_id: {
                    "size": mark.size,
                    "peaks": mark.frontier.to_bytes().hex(),
                    "listed": mark.listed,
                    "reason": mark.reason,
                    "erased": mark.erased,
                    "note": mark.note,
                }
                for space_id, mark in self.spaces.items()
            },
        }
        return body | {"check": _check(body)}

    @classmethod
    def read(cls, value: object) -> "Marks":
        """The marks of an earlier result. Raises `InputError` for anything else."""
        if not isinstance(value, Mapping) or set(value) != _KEYS:
            raise InputError("these are no marks of an earlier verify", hint=_HINT)
        if value["version"] != _VERSION:
            raise InputError(f"marks of version {value['version']!r} can't be read", hint=_HINT)
        try:
            if value["check"] != _check({key: value[key] for key in _KEYS - {"check"}}):
                raise InputError("the marks were changed", hint=_HINT)
            return cls(
                store_id=str(value["store_id"]),
                signing=str(value["signing"]),
                spaces={str(space_id): _mark(mark) for space_id, mark in value["spaces"].items()},
                seals=int(value["seals"]),
                rotations=tuple((int(seq), dict(entry)) for seq, entry in value["rotations"]),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"the marks can't be read: {error}", hint=_HINT) from None


def note_digest(note: str | None) -> str:
    """What a mark keeps of a signed head: enough to see whether it is the same one."""
    return "" if note is None else hashlib.sha256(note.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _check(body: Mapping[str, Any]) -> str:
    # Against mistakes, not attackers: whoever changes the marks can change this, too.
    return hashlib.sha256(json_text(body).encode()).hexdigest()[:16]


def _mark(value: Mapping[str, Any]) -> Mark:
    return Mark(
        frontier=Frontier.from_bytes(int(value["size"]), bytes.fromhex(value["peaks"])),
        listed=int(value["listed"]),
        reason=str(value["reason"]),
        erased=bool(value["erased"]),
        note=str(value["note"]),
    )


def primed(
    audit: Audit, space_id: str, mark: Mark, entries: Iterator[tuple[Any, ...]], before: State | None
) -> tuple[State, Iterator[tuple[Any, ...]]]:
    """A state from which the entries after the mark can be replayed, and these entries.

    It knows of the past what they refer to: actors and episodes that have a row from before, and what they erase;
    of the directory's past what `before` says.
    """
    kept = list(entries)
    past = Live(seq=0, commit="", at="")
    state = State() if before is None else before
    state.size, state.space_id, state.opened = mark.size, space_id, past
    state.space_erased, state.partial = mark.erased, before is None
    actors, episodes, erased, born = _referred(body for _, body in kept)
    # What is erased now has no row any more; that it lived is taken from the entry.
    state.actors = dict.fromkeys((erased & actors) - born, past)
    state.episodes = dict.fromkeys(erased - actors - born, past)
    for table, ids, living in (("actor", actors, state.actors), ("episode", episodes, state.episodes)):
        for target, seq in audit.born(table, space_id, sorted(ids)).items():
            if isinstance(seq, int) and seq < mark.size:
                living[target] = Live(seq=seq, commit="", at="")
    return state, iter(kept)


def _is_raw(target: str) -> bool:
    """Whether it is an episode or an actor; the rest is of memories, and known by name."""
    return "@" not in target and not target.startswith(("cf_", "src_"))


def _referred(bodies: Iterator[object]) -> tuple[set[str], set[str], set[str], set[str]]:
    """The actors and episodes that entries refer to, what they erase, and what is born in them."""
    actors: set[str] = set()
    episodes: set[str] = set()
    erased: set[str] = set()
    born: set[str] = set()
    for body in bodies:
        try:
            entry = parse_entry(body) if isinstance(body, bytes) else {}
        except EntryError:
            continue
        match entry:
            case {"op": "EpisodeStored", "actor": str(actor), "target": str(target)}:
                actors.add(actor)
                episodes.add(target)
                born.add(target)
            case {"op": "ActorAdded", "target": str(target)}:
                actors.add(target)
                born.add(target)
            case {"op": "Embedded", "target": str(target)}:
                episodes.add(target)
            case {"op": "ItemAdded", "actor": str(actor)}:
                actors.add(actor)
            case {"op": "SupportAdded", "sources": list(sources)}:
                episodes.update(source for source in sources if isinstance(source, str) and "@" not in source)
            case {"op": "StatusSet", "target": str(target)} if "@" not in target:
                episodes.add(target)
            case {"op": "Erased", "targets": list(targets)}:
                erased.update(target for target in targets if isinstance(target, str) and _is_raw(target))
            case _:
                pass
    return actors, episodes, erased, born
