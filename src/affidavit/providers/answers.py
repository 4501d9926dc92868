"""The JSON that goes to a provider and comes back, of which nothing is taken for granted."""

import json
from collections.abc import Mapping
from typing import Any

from affidavit.providers.account import Account
from affidavit.providers.faults import nonsense


def object_of(body: bytes, account: Account) -> dict[str, Any]:
    """The JSON object that a body holds. Raises `ModelReplyError`."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise nonsense(account) from None
    if not isinstance(found, dict):
        raise nonsense(account)
    return found


def text_of(content: object) -> str:
    """The text of a message: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [one for one in content if isinstance(one, dict) and one.get("type") in ("text", "output_text")]
    return "".join(said for one in parts if isinstance(said := one.get("text"), str))


def tokens(usage: object, name: str) -> int | None:
    """A count of tokens, where the provider gives one that can be."""
    found = usage.get(name) if isinstance(usage, dict) else None
    return found if type(found) is int and 0 <= found < 1 << 40 else None


def closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with every object in it closed, as providers want it that hold a model to one.

    >>> closed({"type": "object", "properties": {"ids": {"type": "array"}}})["additionalProperties"]
    False
    """

    def of(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [of(one) for one in value]
        if not isinstance(value, Mapping):
            return value
        found = {name: of(one) for name, one in value.items()}
        if found.get("type") == "object" and isinstance(found.get("properties"), dict):
            found.setdefault("additionalProperties", False)
        return found

    made: dict[str, Any] = of(schema)
    return made
