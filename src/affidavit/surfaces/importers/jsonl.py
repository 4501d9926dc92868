"""Our own JSON lines: one message an object, one object a line."""

import hashlib
import json
from typing import NoReturn

from affidavit.core.authority import Party, Role
from affidavit.surfaces.importers.items import (
    Imported,
    ImportItem,
    ImportProblem,
    describe,
    shown,
)
from affidavit.surfaces.importers.pieces import LONGEST_LINE, SourceBrokenError, Stream, is_damaged, lines

FIELDS = (
    "role",
    "content",
    "at",
    "session",
    "name",
    "metadata",
    "source",
    "source_id",
    "author",
    "derived_from",
    "tool_calls",
    "tool_call_id",
)
_ROLES = tuple(str(role) for role in Role)
_PARTIES = tuple(str(party) for party in Party)

_IDS = ("session", "source_id", "tool_call_id")
_TEXTS = ("at", "name", "source")


class _RefusedError(Exception):
    """A line that is no message; the text says why."""


def read_jsonl(stream: Stream) -> Imported:
    """Messages from JSON lines; every line that is none becomes a problem, blank lines are skipped.

    The key of an item is a hash of its line number and text: a file that has grown at its end, and is
    read again, gives the same keys for the lines it had.
    """
    number = 0
    try:
        for number, line in lines(stream):
            place = f"line {number}"
            if line is None:
                yield ImportProblem(place=place, reason=f"longer than {LONGEST_LINE:,} characters")
            elif text := line.strip(" \t\r"):
                try:
                    message = _message(text)
                except _RefusedError as error:
                    yield ImportProblem(place=place, reason=str(error))
                else:
                    yield ImportItem(line_or_path=place, message=message, key=_key(number, text))
    except SourceBrokenError as error:
        yield ImportProblem(place=f"after line {number}", reason=str(error))


def _key(number: int, text: str) -> str:
    raw = f"{number}\n{text}".encode("utf-8", "surrogatepass")
    return f"jsonl:{hashlib.sha256(raw).hexdigest()}"


def _message(text: str) -> dict[str, object]:
    if is_damaged(text):
        raise _RefusedError("holds bytes that are not UTF-8")
    fields = _parse(text)
    unknown = [field for field in fields if field not in FIELDS]
    if unknown:
        named = ", ".join(shown(field) for field in unknown[:5])
        raise _RefusedError(f"unknown field {named}; known: {', '.join(FIELDS)}")
    message: dict[str, object] = {"role": _role(fields), "content": _content(fields)}
    for field in FIELDS[2:]:
        value = fields.get(field)
        if value is not None:
            message[field] = _checked(field, value)
    return message


def _parse(text: str) -> dict[str, object]:
    try:
        value = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
    except RecursionError:
        raise _RefusedError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise _RefusedError(f"not valid JSON ({error.msg}, character {error.pos + 1})") from None
    except ValueError:
        raise _RefusedError("holds a number with too many digits") from None
    if not isinstance(value, dict):
        raise _RefusedError(f"an object with role and content was expected, this is {describe(value)}")
    return value


def _no_constant(word: str) -> NoReturn:
    raise _RefusedError(f"{word} is not JSON")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # JSON parsers disagree on which of two equal fields counts, and a role decides what is believed.
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _RefusedError(f"the field {shown(twice)} stands twice in one object")
    return fields


def _role(fields: dict[str, object]) -> str:
    role = fields.get("role")
    if "role" not in fields:
        raise _RefusedError("it has no role")
    if not isinstance(role, str):
        raise _RefusedError(f"the role is {describe(role)}")
    if role not in _ROLES:
        raise _RefusedError(f"unknown role {shown(role)}; known: {', '.join(_ROLES)}")
    return role


def _content(fields: dict[str, object]) -> object:
    content = fields.get("content")
    if "content" not in fields and not fields.get("tool_calls"):
        raise _RefusedError("it has no content")
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise _RefusedError(f"the content is {describe(content)}; text, a list of parts or null was expected")
    for part in content:
        if not isinstance(part, (str, dict)):
            raise _RefusedError(f"a part of the content is {describe(part)}; text or an object was expected")
    return content


def _checked(field: str, value: object) -> object:
    if field in _IDS and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if field in _IDS or field in _TEXTS:
        return _typed(field, value, str, "text")
    if field == "metadata":
        return _typed(field, value, dict, "an object")
    if field == "tool_calls":
        return _typed(field, value, list, "a list")
    if not isinstance(value, str) or value not in _PARTIES:
        what = shown(value) if isinstance(value, str) else describe(value)
        raise _RefusedError(f"{field} is {what}; known: {', '.join(_PARTIES)}")
    return value


def _typed(field: str, value: object, kind: type, expected: str) -> object:
    if not isinstance(value, kind):
        raise _RefusedError(f"{field} is {describe(value)}; {expected} was expected")
    return value
