"""What can be filtered on: a name for every column of an episode and its source, and `metadata.*`."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from affidavit.core.authority import Authority, Party, Role
from affidavit.core.values import Status
from affidavit.errors import StoreUnreadableError
from affidavit.index.columns import NO_TIME
from affidavit.index.filters import Field, FieldType
from affidavit.read.indexes import LoadedSpace
from affidavit.store.protocol import Reads

_TEXT = Field(type=FieldType.TEXT)
_TIME = Field(type=FieldType.TIME)
FIELDS: Final[Mapping[str, Field]] = {
    "id": _TEXT,
    "session_id": _TEXT,
    "speaker": _TEXT,
    "role": Field(type=FieldType.TEXT, choices=frozenset(Role)),
    "authority": Field(type=FieldType.TEXT, choices=frozenset(Authority)),
    "status": Field(type=FieldType.TEXT, choices=frozenset(Status)),
    "occurred_at": _TIME,
    "recorded_at": _TIME,
    "author": Field(type=FieldType.TEXT, choices=frozenset(Party)),
    "derived_from": Field(type=FieldType.TEXT, choices=frozenset(Party)),
    "actor": _TEXT,
    "agent": _TEXT,
    "source": _TEXT,
    "source_id": _TEXT,
    "event_type": _TEXT,
    "resources": Field(type=FieldType.TEXTS),
    "idempotency_key": _TEXT,
    "text": _TEXT,
}
_INDEXED: Final = {
    "id": "id",
    "session_id": "session",
    "speaker": "speaker",
    "role": "role",
    "authority": "authority",
    "status": "status",
    "occurred_at": "occurred_start",
    "recorded_at": "recorded_at",
}
_METADATA: Final = "metadata."


def columns_of(loaded: LoadedSpace, reads: Reads) -> Callable[[str], Any]:
    """The column behind a field, one value a row of the index."""
    names: dict[str, str] = {}

    def column(field: str) -> Any:
        if field in _INDEXED:
            return loaded.index.column(_INDEXED[field])
        if field.startswith(_METADATA):
            path = field.removeprefix(_METADATA).split(".")
            return [_inside(_parsed(text), path) for text in loaded.column(reads, "metadata")]
        values = loaded.column(reads, field)
        if field == "resources":
            return [_parsed(text) or None for text in values]  # an empty list is no resource
        if field in {"actor", "agent"}:
            names.update(names or reads.actors(loaded.space_id))
            return [names.get(ref) if ref else None for ref in values]
        return values

    return column


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, TypeError) as error:
        raise StoreUnreadableError(
            f"a row that the filter looks at is damaged ({error})", hint="run `affidavit verify`"
        ) from error


def _inside(value: Any, path: Sequence[str]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def said_by(loaded: LoadedSpace, *, as_of: int | None, known_at: int | None) -> Any:
    """The rows that had been said by `as_of` and recorded by `known_at` (UTC microseconds), as a mask or None."""
    if as_of is None and known_at is None:
        return None

    recorded = np.asarray(loaded.index.column("recorded_at"))
    mask = np.ones(loaded.index.size, dtype=np.bool_)
    if known_at is not None:
        mask &= recorded <= known_at
    if as_of is not None:
        occurred = np.asarray(loaded.index.column("occurred_start"))
        mask &= np.where(occurred == NO_TIME, recorded, occurred) <= as_of
    return mask
