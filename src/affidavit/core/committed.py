"""What a change tells its entry: values in clear, and values it only commits to."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

ClearValue: TypeAlias = str | int | bool | Sequence[str] | None


class Committed(NamedTuple):
    """What an entry commits to without showing it."""

    kind: str
    values: Sequence[str | int | bytes | None]
