"""The one table of limits. Whatever is larger is refused with a clear error, never cut."""

import math
from collections.abc import Iterable
from typing import Any

from affidavit.errors import IdError, InputError, LimitError

MESSAGE_BYTES = 2 * 1024 * 1024
"""UTF-8 bytes of one message's text."""
DOCUMENT_BYTES = 64 * 1024 * 1024
"""UTF-8 bytes of one document, which is stored in chunks."""
BATCH_MESSAGES = 1_000
"""Messages in one `add`."""
ID_CHARACTERS = 256
"""Characters of an id or a name."""
METADATA_BYTES = 64 * 1024
"""UTF-8 bytes of one message's metadata as JSON."""
NESTING = 32
"""Levels of lists and objects inside each other."""
RESOURCES = 64
"""Resources of one message."""
QUERY_BYTES = 64 * 1024
"""UTF-8 bytes of one query."""
RESULTS = 1_000
"""Hits of one search."""
ARGUMENTS_BYTES = 256 * 1024
"""UTF-8 bytes of the arguments of one checked action as JSON."""
ACTION_VALUES = 256
"""Protected values in the arguments of one checked action."""
ERASED_TARGETS = 500
"""Targets that one `Erased` entry names; more are spread over several entries."""
_NUMBER = 10**ID_CHARACTERS
"""What whole numbers stay below: Python writes no number of more than 4,300 digits."""


def shown(value: object) -> str:
    """A value of a caller's as a message may show it: one short line, whatever it is."""
    if isinstance(value, int) and abs(value) >= _NUMBER:
        return "a number of that size"
    if isinstance(value, str):
        value = value[:60]
    try:
        text = repr(value)
    except RecursionError:
        return f"a deeply nested {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def check_id(value: object, what: str) -> str:
    """The caller's id or name as text: trimmed, integers coerced, 1 to 256 characters, compared exactly.

    Raises `IdError` for anything else: empty, too long, another type, NUL or lone surrogates inside.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) >= _NUMBER:
            raise IdError(f"{what} is too large a number", hint=f"at most {ID_CHARACTERS} digits are taken")
        value = str(value)
    if not isinstance(value, str):
        raise IdError(
            f"{what} is {type(value).__name__}, not text", hint="give a text of 1 to 256 characters"
        )
    text = value.strip()
    if not text:
        raise IdError(f"{what} is empty", hint="give a text of 1 to 256 characters")
    if len(text) > ID_CHARACTERS:
        raise IdError(f"{what} has {len(text)} characters", hint=f"at most {ID_CHARACTERS} are taken")
    if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
        raise IdError(
            f"{what} holds a NUL or a lone surrogate", hint="ids are compared exactly: give clean text"
        )
    return text


def check_optional_id(value: object, what: str) -> str | None:
    """`check_id`, letting None through."""
    return None if value is None else check_id(value, what)


def check_nesting(value: object, what: str) -> None:
    """Refuse JSON nested deeper than the table allows, or that is not JSON at all."""
    stack: list[tuple[object, int]] = [(value, 1)]
    while stack:
        node, depth = stack.pop()
        if depth > NESTING:
            raise LimitError(f"{what} is nested deeper than {NESTING} levels", hint="flatten it")
        if isinstance(node, dict):
            for key in node:
                if not isinstance(key, str):
                    raise InputError(f"{what} has a key that is not text: {key!r}", hint="JSON keys are text")
            children: Iterable[Any] = node.values()
        elif isinstance(node, list | tuple):
            children = node
        elif isinstance(node, int) and abs(node) >= _NUMBER:
            raise LimitError(f"{what} holds too large a number", hint="give it as text")
        elif node is None or isinstance(node, str | bool | int):
            continue
        elif isinstance(node, float):
            if not math.isfinite(node):
                raise InputError(
                    f"{what} holds {node}, which JSON can't express", hint="leave it out or use null"
                )
            continue
        else:
            raise InputError(f"{what} holds a {type(node).__name__}", hint="use JSON values only")
        stack.extend((child, depth + 1) for child in children)


def check_count(value: object, most: int, what: str) -> int:
    """A number of results: whole, from 1 to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InputError(
            f"{what} {shown(value)} can't be taken", hint=f"give a whole number from 1 to {most:,}"
        )
    return value


def check_size(size: int, limit: int, what: str, hint: str) -> None:
    """Refuse what is larger than `limit` bytes."""
    if size > limit:
        raise LimitError(f"{what} has {size:,} bytes; at most {limit:,} are taken", hint=hint)
