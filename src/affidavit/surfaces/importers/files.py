"""Files on disk: their streams, out of a .zip or a folder where need be, and their reader."""

import os
import re
import zipfile
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO

from affidavit.core.system_errors import told
from affidavit.errors import FileFormatError
from affidavit.surfaces.importers.chatgpt import read_chatgpt
from affidavit.surfaces.importers.claude import read_claude
from affidavit.surfaces.importers.items import Imported, ImportItem, ImportProblem
from affidavit.surfaces.importers.jsonl import read_jsonl
from affidavit.surfaces.importers.mail import read_eml
from affidavit.surfaces.importers.mail_headers import MailOwner
from affidavit.surfaces.importers.mbox import read_mbox
from affidavit.surfaces.importers.recognise import MEANINGS, ImportFormat, recognise

_Opened = tuple[str, IO[bytes]]

_CHATS = {
    ImportFormat.JSONL: read_jsonl,
    ImportFormat.CHATGPT: read_chatgpt,
    ImportFormat.CLAUDE: read_claude,
}
_MAILS = {ImportFormat.MBOX: read_mbox, ImportFormat.EML: read_eml}
_NO_ONE = MailOwner()
_MEMBERS = {
    "conversations.json": (
        re.compile(r"conversations(-\d+)?\.json"),
        {ImportFormat.CHATGPT, ImportFormat.CLAUDE},
    ),
    "mailbox (.mbox)": (re.compile(r".+\.mbox", re.IGNORECASE), {ImportFormat.MBOX}),
    "mail (.eml)": (re.compile(r".+\.eml", re.IGNORECASE), {ImportFormat.EML}),
}
"""What is looked for in a .zip, in this order."""
# Text packs five to twenty times; more than a hundred on tens of megabytes is made to fill memory or disk.
_LARGEST_UNPACKED = 8 << 30
_LARGEST_SUSPECT = 64 << 20
_LARGEST_RATIO = 100


def detect(path: str | os.PathLike[str]) -> ImportFormat:
    """The format of a file, judged by what it holds, not by its name.

    Raises FileFormatError: no such file, not readable, empty, or nothing that we know.
    """
    with closing(_streams(Path(path), None)) as streams:
        _, stream = next(streams)
        return ImportFormat.EML if Path(path).is_dir() else recognise(Path(path), stream)


def open_import(
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    owner: MailOwner = _NO_ONE,
) -> Imported:
    """Items and problems of a file, read as it is walked through; `format` skips the detection.

    `owner`: whose mail it is, where it is mail.

    Raises FileFormatError at once if the file can't be opened or is no known format; afterwards whatever
    is wrong inside the file is a problem in the stream, never an exception.
    """
    where = Path(path)
    known = [str(one) for one in ImportFormat]
    if format is not None and format not in known:
        raise FileFormatError(f"format '{format}' is not known", hint=f"use one of {', '.join(known)}")
    chosen = ImportFormat(format) if format is not None else detect(where)
    streams = _streams(where, chosen)
    return _walk(next(streams), streams, chosen, owner)


def _walk(first: _Opened, rest: Iterator[_Opened], chosen: ImportFormat, owner: MailOwner) -> Imported:
    opened: _Opened | None = first
    while opened is not None:
        label, stream = opened
        mail = _MAILS.get(chosen)
        found = mail(stream, owner) if mail is not None else _CHATS[chosen](stream)
        yield from _labelled(label, found)
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
            yield replace(one, line_or_path=f"{label}, {one.line_or_path}")
        else:
            yield replace(one, place=f"{label}, {one.place}")


def _streams(path: Path, chosen: ImportFormat | None) -> Generator[_Opened, None, None]:
    """Open streams with a label for their places (empty when there is only one)."""
    if path.is_dir():
        yield from _folder(path, chosen)
        return
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
            members = _members(path, archive, chosen)
            for member in members:
                with _readable(path):
                    stream = archive.open(member)
                with stream:
                    yield PurePosixPath(member.filename).name if len(members) > 1 else "", stream


def _folder(path: Path, chosen: ImportFormat | None) -> Iterator[_Opened]:
    """The mails in a folder and the folders in it, in the order of their names."""
    with _readable(path):
        files = sorted(one for one in path.rglob("*") if one.suffix.lower() == ".eml" and one.is_file())
    if not files or chosen not in (None, ImportFormat.EML):
        raise FileFormatError(
            f"'{path}' is a folder", hint="name a file inside it, or a folder of .eml files"
        )
    for file in files:
        with _readable(file):
            opened = file.open("rb")
        with opened:
            yield file.relative_to(path).as_posix(), opened


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
    # Of an archive: encrypted (RuntimeError), packed in a way that is not known (NotImplementedError), damaged.
    except (ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
        hint = "check that it is complete, not encrypted and may be read"
        raise FileFormatError(f"'{path}' can't be read ({error})", hint=hint) from None


def _members(path: Path, archive: zipfile.ZipFile, chosen: ImportFormat | None) -> list[zipfile.ZipInfo]:
    looked_for = [one for one, formats in _MEMBERS.values() if chosen is None or chosen in formats]
    inside = [member for member in archive.infolist() if "__MACOSX" not in member.filename]
    found = next(filter(None, (_named(inside, one) for one in looked_for)), None)
    if found is None:
        raise FileFormatError(
            f"the .zip '{path}' holds no {', no '.join(_MEMBERS)}",
            hint=f"import the export as it was downloaded; known formats: {MEANINGS}",
        )
    size = sum(member.file_size for member in found)
    packed = max(1, sum(member.compress_size for member in found))
    if size > _LARGEST_UNPACKED or (size > _LARGEST_SUSPECT and size > packed * _LARGEST_RATIO):
        raise FileFormatError(
            f"the .zip '{path}' would unpack {packed:,} bytes to {size:,}",
            hint="if that is truly an export, unpack conversations.json yourself and import that",
        )
    return sorted(found, key=lambda member: member.filename)


def _named(members: list[zipfile.ZipInfo], name: re.Pattern[str]) -> list[zipfile.ZipInfo]:
    return [member for member in members if name.fullmatch(PurePosixPath(member.filename).name)]
