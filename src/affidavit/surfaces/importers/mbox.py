"""Mailboxes in one file (mbox): mail after mail, in bounded memory, from a file or out of a .zip.

A mail begins at a line `From … 10:31:00 2026` behind an empty line, with a header below it. Where a mail states its
length (`Content-Length`) and that ends exactly before such a line, lines like it inside are its own: a text that holds
one must not become another mail. Without it the program that wrote the file has put `>` before such lines.
"""

import re
import zipfile
import zlib
from collections import deque
from collections.abc import Iterator
from typing import IO

from affidavit.surfaces.importers.items import Imported, ImportProblem
from affidavit.surfaces.importers.mail import LARGEST_MAIL, read_mail
from affidavit.surfaces.importers.mail_headers import MailOwner

_BEGIN = re.compile(rb"From .*\d{1,2}:\d\d.*\d{4}|From - ")
_HEADER = re.compile(rb"[!-9;-~]{1,200}:|>From ")
_LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_LINE = 1 << 20
_AHEAD = 64
"""Stretches that are looked at for the end of a mail that states its length."""


def read_mbox(stream: IO[bytes], owner: MailOwner) -> Imported:
    """The items of every mail in a mailbox, in the order of the file."""
    number = 0
    try:
        for number, raw in enumerate(_mails(stream), 1):
            yield from read_mail(raw, f"mail {number}", owner)
    except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile) as error:
        yield ImportProblem(place=f"after mail {number}", reason=f"the file can't be read further ({error})")


def _mails(stream: IO[bytes]) -> Iterator[bytes]:
    """Each mail without its `From` line, and with what was escaped in it as it was."""
    rest = _stretches(stream)
    held: deque[bytes] = deque()
    while held or (first := next(rest, None)) is not None:
        start = held.popleft() if held else first
        assert start is not None
        joined = _whole(start, held, rest)
        mail = joined.partition(b"\n")[2] if joined.startswith(b"From ") else joined
        if mail.strip():
            yield _ESCAPED.sub(rb"\1", mail)


def _whole(start: bytes, held: deque[bytes], rest: Iterator[bytes]) -> bytes:
    """A mail with the stretches that its stated length reaches over; those that are not its own stay in `held`."""
    stated = _stated(start)
    if stated is None:
        return start
    size = len(start)
    for taken in range(_AHEAD):
        if size >= stated:
            if size - stated <= 2:
                return b"".join([start, *(held.popleft() for _ in range(taken))])
            return start
        if taken >= len(held):
            more = next(rest, None)
            if more is None:
                return start
            held.append(more)
        size += len(held[taken])
        if size > LARGEST_MAIL:
            return start
    return start


def _stated(stretch: bytes) -> int | None:
    """The length that a mail says it has, with its head; None where it says none, or is that long already."""
    head = _END_OF_HEAD.search(stretch, 0, _LINE)
    if head is None:
        return None
    length = _LENGTH.search(stretch, 0, head.start() + 1)
    whole = head.end() + int(length[1]) if length is not None else 0
    return whole if whole > len(stretch) else None


def _stretches(stream: IO[bytes]) -> Iterator[bytes]:
    """The file from one `From` line to the next. A mail that is too large is cut behind the largest size."""
    held: list[bytes] = []
    size = 0
    blank = whole = True
    line = stream.readline(_LINE)
    while line:
        after = stream.readline(_LINE)
        begins = whole and blank and _BEGIN.match(line) is not None and _HEADER.match(after) is not None
        if begins and held:
            yield b"".join(held)
            held, size = [], 0
        if size <= LARGEST_MAIL:
            held.append(line)
            size += len(line)
        blank = whole and not line.strip(b"\r\n")
        whole = line.endswith(b"\n")
        line = after
    if held:
        yield b"".join(held)
