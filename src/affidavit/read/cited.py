"""Sentences that a model makes of statements it was shown under short names: their form, and how one is read. Pure."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

CITED: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "ids": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["text", "ids"],
    "additionalProperties": False,
}
"""The JSON Schema of one sentence: its text, and the names of what it rests on."""


class Cited(NamedTuple):
    """A sentence of a model's, and the names it gave that are known, each once and in its order. Nobody believes it."""

    text: str
    names: tuple[str, ...]


def cited(given: object, known: Mapping[str, object]) -> Cited | None:
    """One sentence of a reply; None where it has not this form, or names nothing that is known.

    >>> cited({"text": "You live in Lisbon.", "ids": ["m1", "m9", 7, "m1"]}, {"m1": "…"})
    Cited(text='You live in Lisbon.', names=('m1',))
    """
    text, ids = (given.get("text"), given.get("ids")) if isinstance(given, dict) else (None, None)
    if not isinstance(text, str) or not isinstance(ids, list):
        return None
    names = tuple(dict.fromkeys(one for one in ids if isinstance(one, str) and one in known))
    return Cited(text, names) if names else None
