"""Results as JSON: one way for every typed value, so that names and spellings are the same on every surface."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from affidavit.core.when import When


@dataclass(frozen=True, slots=True)
class Result:
    """A typed result that can be shown as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-ready values; its names are API."""
        return {field.name: to_json(getattr(self, field.name)) for field in fields(self)}


def to_json(value: Any) -> Any:
    """Any of our values as JSON-ready values."""
    if isinstance(value, When | Result):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): to_json(inner) for key, inner in value.items()}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json(inner) for inner in value]
    return value
