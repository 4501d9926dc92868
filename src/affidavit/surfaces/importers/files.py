"""Files on disk: what format they are, and their streams, out of a .zip where need be."""

import json
import os
import re
import zipfile
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO

from affidavit.core.system_errors import told
from affidavit.errors import FileFormatError
from affidavit.surfaces.importers.chatgpt import read_chatgpt
from affidavit.surfaces.importers.claude import read_claude
from affidavit.surfaces.importers.items import Imported, ImportItem, ImportProblem
from affidavit.surfaces.importers.json_array import Element, read_elements
from affidavit.surfaces.importers.jsonl import read_jsonl
from affidavit.surfaces.importers.pieces import PIECE, SourceBrokenError, lines, pieces


class ImportFormat(StrEnum):
    """A format that can be imported."""

    JSONL = "jsonl"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"


_Opened = tuple[str, IO[bytes]]

_MEANINGS = (
    "jsonl (one message a line: "
    '{"role", "content", "at", "session", "name"}), chatgpt (conversations.json or the .zip it comes in), '
    "claude (conversations.json or the .zip it comes in)"
)
_READERS = {
    ImportFormat.JSONL: read_jsonl,
    ImportFormat.CHATGPT: read_chatgpt,
    ImportFormat.CLAUDE: read_claude,
}
_MEMBER = re.compile(r"conversations(-\d+)?\.json")
# Text packs five to twenty times; more than a hundred on tens of megabytes is made to fill memory or disk.
_LARGEST_UNPACKED = 8 << 30
_LARGEST_SUSPECT = 64 << 20
_LARGEST_RATIO = 100
_LOOK_AT = 20
_HINTS = (
    (ImportFormat.CHATGPT, re.compile(r'"mapping"\s*:\s*\{')),
    (ImportFormat.CLAUDE, re.compile(r'"chat_messages"\s*:\s*\[')),
)


def detect(path: str | os.PathLike[str]) -> ImportFormat:
    """The format of a file, judged by what it holds, not by its name.

    Raises FileFormatError: no such file, not readable, empty, or nothing that we know.
    """
    with closing(_streams(Path(path), None)) as streams:
        _, stream = next(streams)
        return _recognise(Path(path), stream)


def open_import(path: str | os.PathLike[str], format: str | None = None) -> Imported:  # noqa: A002
    """Items and problems of a file, read as it is walked through; `format` skips the detection.

    Raises FileFormatError at once if the file can't be opened or is no known format; afterwards whatever
    is wrong inside the file is a problem in the stream, never an exception.
    """
    where = Path(path)
    known = [str(one) for one in ImportFormat]
    if format is not None and format not in known:
        raise FileFormatError(f"format '{format}' is not known", hint=f"use one of {', '.join(known)}")
    chosen = ImportFormat(format) if format is not None else detect(where)
    streams = _streams(where, chosen)
    return _walk(next(streams), streams, chosen)


def _walk(first: _Opened, rest: Iterator[_Opened], chosen: ImportFormat) -> Imported:
    opened: _Opened | None = first
    while opened is not None:
        label, stream = opened
        yield from _labelled(label, _READERS[chosen](stream))
        try:
            opened = next(rest, None)
        except FileFormatError as error:
            yield ImportProblem(place="the rest of the file", reason=str(error))
            opened = None


def _labelled(label: str, found: Imported) -> Imported:
    for one in found:
        if not label:
            yield one
        elif isinstance(one, ImportItem):
            yield ImportItem(line_or_path=f"{label}, {one.line_or_path}", message=one.message, key=one.key)
        else:
            yield ImportProblem(place=f"{label}, {one.place}", reason=one.reason, kind=one.kind)


def _streams(path: Path, chosen: ImportFormat | None) -> Generator[_Opened, None, None]:
    """Open streams with a label for their places (empty when there is only one)."""
    with _readable(path):
        file = path.open("rb")
    with file:
        with _readable(path):
            packed = zipfile.is_zipfile(file)
            file.seek(0)
        if not packed:
            yield "", file
            return
        if chosen is ImportFormat.JSONL:
            raise FileFormatError(f"'{path}' is a .zip", hint="unpack it and import the JSON lines inside")
        with _readable(path):
            archive = zipfile.ZipFile(file)
        with archive:
            members = _members(path, archive)
            for member in members:
                with _readable(path):
                    stream = archive.open(member)
                with stream:
                    yield PurePosixPath(member.filename).name if len(members) > 1 else "", stream


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise FileFormatError(f"there is no file '{path}'", hint="check the path") from None
    except IsADirectoryError:
        raise FileFormatError(f"'{path}' is a folder", hint="name a file inside it") from None
    except OSError as error:
        raise told(error, FileFormatError, f"'{path}' can't be read") from None
    except (ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
        hint = "check that it is complete, not encrypted and may be read"
        raise FileFormatError(f"'{path}' can't be read ({error})", hint=hint) from None


def _members(path: Path, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    found = [
        member
        for member in archive.infolist()
        if _MEMBER.fullmatch(PurePosixPath(member.filename).name) and "__MACOSX" not in member.filename
    ]
    if not found:
        raise FileFormatError(
            f"the .zip '{path}' holds no conversations.json",
            hint=f"import the export as it was downloaded; known formats: {_MEANINGS}",
        )
    size = sum(member.file_size for member in found)
    packed = max(1, sum(member.compress_size for member in found))
    if size > _LARGEST_UNPACKED or (size > _LARGEST_SUSPECT and size > packed * _LARGEST_RATIO):
        raise FileFormatError(
            f"the .zip '{path}' would unpack {packed:,} bytes to {size:,}",
            hint="if that is truly an export, unpack conversations.json yourself and import that",
        )
    return sorted(found, key=lambda member: member.filename)


def _recognise(path: Path, stream: IO[bytes]) -> ImportFormat:
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
        found = None
    # A file that breaks off inside its first conversation still says what it is.
    found = found or next((known for known, sign in _HINTS if start in "[{" and sign.search(head)), None)
    if found is None:
        raise FileFormatError(
            f"'{path}' is none of the formats that can be imported", hint=f"known formats: {_MEANINGS}"
        )
    return found


def _head(path: Path, stream: IO[bytes]) -> str:
    try:
        return next((piece for piece in pieces(stream) if piece.strip()), "")
    except SourceBrokenError as error:
        raise FileFormatError(f"'{path}': {error}", hint="check that the file is complete") from None


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
