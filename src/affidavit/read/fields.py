"""What can be filtered on: a name for every column of an episode, its source and a memory, and `metadata.*`."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from affidavit.core.authority import Authority, Party, Role
from affidavit.core.memories import Kind, MemoryStatus
from affidavit.core.values import Status
from affidavit.errors import StoreUnreadableError
from affidavit.index.columns import NO_TIME, Coded
from affidavit.index.filters import Field, FieldType
from affidavit.read.indexes import LoadedSpace
from affidavit.read.memories import View
from affidavit.read.plan import EPISODE, KINDS
from affidavit.store.protocol import Reads
from affidavit.text.frames.statement import Certainty

_TEXT = Field(type=FieldType.TEXT)
_TIME = Field(type=FieldType.TIME)
FIELDS: Final[Mapping[str, Field]] = {
    "id": _TEXT,
    "kind": Field(type=FieldType.TEXT, choices=frozenset(KINDS)),
    "session_id": _TEXT,
    "speaker": _TEXT,
    "role": Field(type=FieldType.TEXT, choices=frozenset(Role)),
    "authority": Field(type=FieldType.TEXT, choices=frozenset(Authority)),
    "status": Field(type=FieldType.TEXT, choices=frozenset(map(str, (*Status, *MemoryStatus)))),
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
    "subject": _TEXT,
    "relation": _TEXT,
    "object": _TEXT,
    "qualifier": _TEXT,
    "certainty": Field(type=FieldType.TEXT, choices=frozenset(Certainty)),
    "negated": Field(type=FieldType.BOOL),
    "claimant": _TEXT,
    "valid_from": _TIME,
    "valid_until": _TIME,
    "language": _TEXT,
    "extractor": _TEXT,
    "model": _TEXT,
}
_INDEXED: Final = {
    "id": "id",
    "session_id": "session",
    "speaker": "speaker",
    "role": "role",
    "kind": "role",
    "authority": "authority",
    "status": "status",
    "occurred_at": "occurred_start",
    "recorded_at": "recorded_at",
}
_OF_BOTH: Final = frozenset({"actor", "text", "metadata"})
_OF_MEMORIES: Final = {
    name: name
    for name in (
        "subject", "relation", "object", "qualifier", "certainty", "negated", "claimant", "language", "extractor",
        "model",
    )
} | {"valid_from": "valid_start"}  # fmt: skip
_KINDS: Final = frozenset(map(str, Kind))
_OF_SOURCES: Final = frozenset({"session_id", "role"})
_LABELS: Final = frozenset({"authority", "status"})
_METADATA: Final = "metadata."


def columns_of(loaded: LoadedSpace, reads: Reads, view: View | None = None) -> Callable[[str], Any]:
    """The column behind a field, one value a row of the index.

    What only an episode has (its session, role, source …) a memory has from the episode that it was first drawn from.
    A `view` of an earlier moment shows the labels that memories had then.
    """
    names: dict[str, str] = {}

    def column(field: str) -> Any:
        if field in _LABELS and view is not None and view.beliefs is not None:
            return _believed(loaded, reads, view, field)
        if field in _INDEXED:
            return _indexed(loaded, field)
        if field.startswith(_METADATA):
            path = field.removeprefix(_METADATA).split(".")
            return [_inside(_parsed(text), path) for text in _joined(loaded, reads, "metadata")]
        values = _joined(loaded, reads, field)
        if field == "resources":
            return [
                _parsed(text) or None if text else None for text in values
            ]  # an empty list is no resource
        if field in {"actor", "agent"}:
            names.update(names or reads.actors(loaded.space_id))
            return [names.get(ref) if ref else None for ref in values]
        if field == "negated":
            return [None if value is None else bool(value) for value in values]
        return values

    return column


def _indexed(loaded: LoadedSpace, field: str) -> Any:
    column = loaded.index.column(_INDEXED[field])
    if not loaded.index.memories or field not in {"kind", *_OF_SOURCES}:
        return _only_episodes(column) if field == "kind" else column
    assert isinstance(column, Coded)
    if field == "kind":
        return Coded(column.codes, [value if value in _KINDS else EPISODE for value in column.values])
    memories, sources = loaded.memory_rows()
    codes = column.codes.copy()
    codes[memories] = np.where(sources >= 0, column.codes[sources], len(column.values))
    return Coded(codes, [*column.values, None])


def _believed(loaded: LoadedSpace, reads: Reads, view: View, field: str) -> list[str | None]:
    """The authority or the status of every row, as it was believed."""
    column = loaded.index.column(field)
    assert isinstance(column, Coded)
    values = [column.values[code] for code in column.codes.tolist()]
    for stored in map(view.believed, reads.all_items(loaded.space_id)):
        if stored is not None:
            values[loaded.index.row_of(stored.seq)] = getattr(stored.row, field)
    return values


def _only_episodes(column: Any) -> Coded:
    return Coded(column.codes, [EPISODE] * len(column.values))


def _joined(loaded: LoadedSpace, reads: Reads, field: str) -> Sequence[Any]:
    """A column of the episodes and one of the memories as one, in the order of the rows."""
    if not loaded.index.memories:
        if field in _OF_MEMORIES or field == "valid_until":
            return [None] * loaded.index.size
        return loaded.column(reads, field)
    memories, sources = loaded.memory_rows()
    values = np.full(loaded.index.size + 1, None, dtype=object)  # the last one is of no source
    if field not in _OF_MEMORIES and field != "valid_until":
        values[np.flatnonzero(loaded.index.episodes)] = _objects(loaded.column(reads, field))
    if field == "valid_until":
        ends = zip(
            loaded.column(reads, "valid_end", "item"), loaded.column(reads, "closed_end", "item"), strict=True
        )
        values[memories] = _objects(
            [min((end for end in both if end is not None), default=None) for both in ends]
        )
    elif field in _OF_MEMORIES or field in _OF_BOTH:
        values[memories] = _objects(loaded.column(reads, _OF_MEMORIES.get(field, field), "item"))
    else:
        values[memories] = values[sources]
    joined: list[Any] = values[:-1].tolist()
    return joined


def _objects(values: Sequence[Any]) -> Any:
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


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
    """The episodes that had been said by `as_of`, and whatever was recorded by `known_at` (UTC microseconds).

    A mask, or None where all rows are meant.
    """
    if as_of is None and known_at is None:
        return None
    index = loaded.index
    recorded = np.asarray(index.column("recorded_at"))
    mask = np.ones(index.size, dtype=np.bool_)
    if known_at is not None:
        mask &= recorded <= known_at
    if as_of is not None:
        occurred = np.asarray(index.column("occurred_start"))
        said = np.where(occurred == NO_TIME, recorded, occurred) <= as_of
        mask &= said | ~index.episodes
    return mask
