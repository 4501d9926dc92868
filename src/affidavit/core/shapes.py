"""What an entry of each op looks like: its fields, their types and forms. Pure."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from affidavit.core.when import RFC3339

FORMAT: Final = "affidavit/1"
_DIGITS = re.compile(r"[0-9a-f]+", re.ASCII)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _maybe(value: object) -> bool:
    return value is None or isinstance(value, str)


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _digits(length: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and len(value) == length and bool(_DIGITS.fullmatch(value))


def _one_of(*values: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in values


def _some(value: object) -> bool:
    return _texts(value) and bool(value)


_AUTHORITY = _one_of("unendorsed", "attested", "authorized")
_STATUS = _one_of("active", "superseded", "retracted", "archived", "lapsed", "invalidated", "quarantined")
_REASON = _one_of(
    "supported", "weakened", "superseded", "corrected", "ended", "retracted", "revoked", "rederived", "lapsed",
    "archived",
    "resolved", "released", "reopened",
)  # fmt: skip
_HASH, _SIGNATURE = _digits(64), _digits(128)
_FIELDS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "SpaceOpened": {"target": _text, "commit": _HASH},
    "ActorAdded": {"target": _text, "commit": _HASH},
    "EpisodeStored": {
        "actor": _text,
        "authority": _AUTHORITY,
        "status": _one_of("active", "quarantined"),
        "target": _text,
        "commit": _HASH,
    },
    "Embedded": {"target": _text, "commit": _HASH},
    "ItemAdded": {
        "actor": _text,
        "authority": _AUTHORITY,
        "status": _STATUS,
        "target": _text,
        "commit": _HASH,
    },
    "SupportAdded": {
        "authority": _AUTHORITY,
        "sources": _some,
        "support": _number,
        "target": _text,
        "commit": _HASH,
    },
    "SupportRemoved": {
        "reason": _one_of("revoked", "rederived", "weakened"),
        "support": _number,
        "target": _text,
    },
    "ItemClosed": {"by": _maybe, "target": _text, "commit": _HASH},
    "StatusSet": {"authority": _AUTHORITY, "reason": _REASON, "status": _STATUS, "target": _text},
    "ConflictOpened": {"members": _some, "target": _text, "commit": _HASH},
    "ConflictResolved": {"kept": _maybe, "target": _text},
    "SourceRevoked": {"target": _text, "commit": _HASH},
    "PermitGranted": {"target": _text, "commit": _HASH},
    "PermitEnded": {"target": _text},
    "Decided": {"outcome": _one_of("allow", "ask", "deny"), "target": _text, "commit": _HASH},
    "Confirmed": {"target": _text},
    "Erased": {"targets": _texts},
    "SpaceErased": {"target": _text, "episodes": _number},
    "StoreOpened": {"target": _text, "signing": _one_of("commit", "seal")},
    "SpaceListed": {
        "target": _text,
        "size": _number,
        "root": _HASH,
        "reason": _one_of("born", "sealed", "erased"),
    },
    "KeyRotated": {
        "old": _maybe,
        "new": _text,
        "by_old": lambda value: value is None or _SIGNATURE(value),
        "by_new": _SIGNATURE,
    },
}
_OPENING: Final = frozenset({"SpaceOpened", "StoreOpened"})
_DIRECTORY: Final = frozenset({"StoreOpened", "SpaceListed", "KeyRotated"})


class Shape(NamedTuple):
    """What an entry of one op looks like; made once, as every entry is held against it."""

    names: frozenset[str]
    checks: tuple[tuple[str, Callable[[Any], bool]], ...]
    opens: bool
    directory: bool


_SHAPES: Final = {
    op: Shape(
        names=frozenset({"v", "op", "at", *fields}),
        checks=tuple(fields.items()),
        opens=op in _OPENING,
        directory=op in _DIRECTORY,
    )
    for op, fields in _FIELDS.items()
}


class ReplayError(ValueError):
    """An entry that can't follow the ones before it."""


def check_entry(entry: Mapping[str, Any]) -> None:
    """Hold one entry against the fields of its op. Raises `ReplayError`."""
    check_shape(entry, shape_of(entry))


def shape_of(entry: Mapping[str, Any]) -> Shape:
    """What the op of an entry demands. Raises `ReplayError` for an op that is not known."""
    op = entry.get("op")
    shape = _SHAPES.get(op) if isinstance(op, str) else None
    if shape is None:
        raise ReplayError(f"op {op!r} is not known")
    return shape


def check_shape(entry: Mapping[str, Any], shape: Shape) -> None:
    """Hold an entry against a shape. Raises `ReplayError`."""
    if entry.keys() != shape.names:
        raise ReplayError(f"fields {sorted(entry)} where {sorted(shape.names)} belong")
    if entry["v"] != FORMAT:
        raise ReplayError(f"the format {entry['v']!r} is not known")
    at = entry["at"]
    if not isinstance(at, str) or RFC3339.fullmatch(at) is None:
        raise ReplayError(f"at can't be {at!r}")
    for name, fits in shape.checks:
        if not fits(entry[name]):
            raise ReplayError(f"{name} can't be {entry[name]!r}")
