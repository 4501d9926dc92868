"""Which format a file is in, judged by what it holds and not by its name."""

import json
import re
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import IO

from affidavit.errors import FileFormatError
from affidavit.surfaces.importers.json_array import Element, read_elements
from affidavit.surfaces.importers.pieces import PIECE, SourceBrokenError, lines, pieces


class ImportFormat(StrEnum):
    """A format that can be imported."""

    JSONL = "jsonl"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    MBOX = "mbox"
    EML = "eml"


MEANINGS = (
    "jsonl (one message a line: "
    '{"role", "content", "at", "session", "name"}), chatgpt (conversations.json or the .zip it comes in), '
    "claude (conversations.json or the .zip it comes in), mbox (a mailbox), eml (a mail, or a folder of them)"
)
_LOOK_AT = 20
_HINTS = (
    (ImportFormat.CHATGPT, re.compile(r'"mapping"\s*:\s*\{')),
    (ImportFormat.CLAUDE, re.compile(r'"chat_messages"\s*:\s*\[')),
    (ImportFormat.JSONL, re.compile(r'\A\s*\{\s*"(?:role|content)"\s*:\s*"')),
)
_MAILBOX = re.compile(r"\s*From [^\r\n]*\r?\n[!-9;-~]{1,200}:")
_FIELD = re.compile(r"([!-9;-~]{1,200}):[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*(?:\r?\n|\Z)")
_OF_MAIL = frozenset(
    {"from", "to", "date", "subject", "message-id", "received", "mime-version", "return-path", "cc"}
)
_FIELDS = 40


def recognise(path: Path, stream: IO[bytes]) -> ImportFormat:
    """The format of an open file. Raises `FileFormatError` where it is empty, or nothing that we know."""
    head = _head(path, stream)
    start = head.lstrip()[:1]
    if not start:
        raise FileFormatError(f"'{path}' is empty", hint="there is nothing to import")
    stream.seek(0)
    if start == "[":
        found = _of_elements(stream)
    elif start == "{":
        found = _of_lines(stream)
        if found is None:
            stream.seek(0)
            found = _of_elements(stream)
    else:
        found = _of_mail(head)
    # A file that breaks off inside its first conversation or message still says what it is.
    found = found or next((known for known, sign in _HINTS if start in "[{" and sign.search(head)), None)
    if found is None:
        raise FileFormatError(
            f"'{path}' is none of the formats that can be imported", hint=f"known formats: {MEANINGS}"
        )
    return found


def _head(path: Path, stream: IO[bytes]) -> str:
    try:
        return next((piece for piece in pieces(stream) if piece.strip()), "")
    except SourceBrokenError as error:
        raise FileFormatError(f"'{path}': {error}", hint="check that the file is complete") from None


def _of_mail(head: str) -> ImportFormat | None:
    """A mailbox, or a mail: at least two headers of one, and nothing but headers up to an empty line."""
    if _MAILBOX.match(head) is not None:
        return ImportFormat.MBOX
    known, place = set[str](), 0
    for _ in range(_FIELDS):
        field = _FIELD.match(head, place)
        if field is None:
            break
        known.add(field[1].lower())
        place = field.end()
    return ImportFormat.EML if len(known & _OF_MAIL) >= 2 else None


def _of_elements(stream: IO[bytes]) -> ImportFormat | None:
    for element in islice(read_elements(stream), _LOOK_AT):
        value = element.value if isinstance(element, Element) else None
        if isinstance(value, dict):
            if "mapping" in value:
                return ImportFormat.CHATGPT
            if "chat_messages" in value or isinstance(value.get("messages"), list):
                return ImportFormat.CLAUDE
    return None


def _of_lines(stream: IO[bytes]) -> ImportFormat | None:
    try:
        for _, line in islice(lines(stream), _LOOK_AT):
            if line and _is_message(line):
                return ImportFormat.JSONL
    except SourceBrokenError:
        return None
    return None


def _is_message(line: str) -> bool:
    """Whether a line is an object of ours, or nearly: one wrong field must not hide what the file is."""
    if len(line) > PIECE * 64:
        return False
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and ("role" in value or "content" in value)
