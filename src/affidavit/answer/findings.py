"""What a look into memories comes to: how it answers, and which memories say it. Pure."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from affidavit.read.memories import MemoryItem
from affidavit.text.evidence.likeness import same_form


class Says(StrEnum):
    """How a finding answers."""

    VALUES = "values"
    YES = "yes"
    NO = "no"
    QUOTE = "quote"
    """What is known, in its own words."""
    CONFLICT = "conflict"


class Finding(NamedTuple):
    """What the memories say: how, and which of them say it."""

    says: Says
    items: tuple[MemoryItem, ...]


def distinct(items: Iterable[MemoryItem]) -> Iterable[MemoryItem]:
    """Each value once."""
    return {same_form(one.object or one.text): one for one in items}.values()
