"""What an importer yields: items to record, and problems to list. Nothing is written here."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from affidavit.surfaces.importers.pieces import is_damaged
from affidavit.text.spans import Found

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,80}")
# Seconds beyond the year 5138: whoever writes such a number means milliseconds or something else.
_LARGEST_UNIX_SECONDS = 1e11


class ProblemKind(StrEnum):
    """`unreadable`: something is wrong with the file. `left_out`: by rule, nothing is wrong.

    `stored_otherwise`: it is stored from before in another form, and was left as it is.
    """

    UNREADABLE = "unreadable"
    LEFT_OUT = "left_out"
    STORED_OTHERWISE = "stored_otherwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportItem:
    """One message to record.

    `line_or_path` is its place in words for people ("line 12", "conversation 3, message 5").
    `message` has our message shape: `role`, `content` and, where known, `at`, `session`, `name`,
    `metadata`, `source`, `source_id`, `author`, `derived_from`. No `at` means the file gave no date.
    `key` is the same whenever the same file is read again. `letter` and `foreign` are what `affidavit.text.prepare` is
    told of it: whether it is a letter, and which stretches of its content are known to be somebody else's words.
    """

    line_or_path: str
    message: dict[str, object]
    key: str
    letter: bool = False
    foreign: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProblem:
    """Something that was not imported, or not whole: where it stands and why."""

    place: str
    reason: str
    kind: ProblemKind = ProblemKind.UNREADABLE


Imported = Iterator[ImportItem | ImportProblem]


def left_out(place: str, reason: str) -> ImportProblem:
    """A problem that is only a note: left out by rule, nothing is broken."""
    return ImportProblem(place=place, reason=reason, kind=ProblemKind.LEFT_OUT)


def describe(value: object) -> str:
    """The JSON type of a value in words, for reasons: "a number", "a list", "null"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "an object"


def shown(text: str, most: int = 40) -> str:
    """A short quoted form of foreign text for a reason, safe to print anywhere."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return repr(cut.encode("utf-8", "replace").decode("utf-8"))


def stable_key(kind: str, *parts: str) -> str:
    """An idempotency key from the ids a file gives; ids that are long or odd are hashed, never cut."""
    if parts and all(_PLAIN_ID.fullmatch(part) for part in parts) and sum(map(len, parts)) <= 200:
        return ":".join((kind, *parts))
    # JSON escapes what UTF-8 can't encode, and keeps ("a", "b") apart from ("ab", "").
    digest = hashlib.sha256(json.dumps(parts).encode("ascii")).hexdigest()
    return f"{kind}:{digest}"


def instant(value: object) -> tuple[str | None, str | None]:
    """A date of an export as RFC 3339 text, and what is wrong with it; numbers are Unix seconds in UTC.

    `(at, None)`; `(None, None)` if there is no date; `(None, reason)` if it can't be read.
    """
    if value is None or value == "" or (isinstance(value, (int, float)) and value == 0):
        return None, None
    if isinstance(value, str):
        try:
            datetime.fromisoformat(value)
        except ValueError:
            return None, f"the date {shown(value)} can't be read"
        return value, None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None, f"the date is {describe(value)}"
    if not 0 < value < _LARGEST_UNIX_SECONDS:
        return None, f"the date {value!r} is no time in Unix seconds"
    return (_EPOCH + timedelta(seconds=value)).isoformat().replace("+00:00", "Z"), None


def text_of(value: object) -> str:
    """The value if it is text, else empty."""
    return value if isinstance(value, str) else ""


def holds_escaped_bytes(value: object) -> bool:
    """Whether a parsed value holds bytes that were not UTF-8, as the reader escapes them."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            if is_damaged(one):
                return True
        elif isinstance(one, dict):
            stack.extend(one.keys())
            stack.extend(one.values())
        elif isinstance(one, list):
            stack.extend(one)
    return False
