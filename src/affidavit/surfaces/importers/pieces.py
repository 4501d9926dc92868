"""The bytes of a file as pieces of text, and the pieces as lines: bounded memory, linear time."""

import codecs
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

Stream = IO[bytes] | IO[str]

PIECE = 1 << 16
# A message may hold 2 MiB, and every character of it may be written as a six-character escape.
LONGEST_LINE = 32 << 20

_DAMAGE = re.compile("[\udc80-\udcff]")


class SourceBrokenError(Exception):
    """The file can't be read any further; the text says why. Never leaves this package."""


def is_damaged(raw: str) -> bool:
    """Whether text, as `pieces` reads it, held bytes that are not UTF-8."""
    return _DAMAGE.search(raw) is not None


def pieces(stream: Stream) -> Iterator[str]:
    """The text of a stream, piece by piece, without a byte-order mark.

    UTF-8, or UTF-16 when its mark says so (some shells write it). Bytes that are not UTF-8 become
    U+DC80…U+DCFF, so that only the item that holds them is refused. Raises SourceBrokenError.
    """
    decoder: codecs.IncrementalDecoder | None = None
    first = True
    while True:
        try:
            raw = stream.read(PIECE)
            if isinstance(raw, str):
                text = raw
            else:
                decoder = decoder or _decoder_for(raw)
                text = decoder.decode(raw, final=not raw)
        except UnicodeError as error:
            raise SourceBrokenError(f"the file is not text in its own encoding ({error})") from error
        except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile) as error:
            raise SourceBrokenError(f"the file can't be read further ({error})") from error
        if first and text:
            text, first = text.removeprefix("\ufeff"), False
        if text:
            yield text
        if not raw:
            return


def _decoder_for(start: bytes) -> codecs.IncrementalDecoder:
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return codecs.getincrementaldecoder("utf-16")("strict")
    return codecs.getincrementaldecoder("utf-8")("surrogateescape")


def lines(stream: Stream) -> Iterator[tuple[int, str | None]]:
    """Lines with their number from 1. `None` stands for a line longer than `LONGEST_LINE` characters.

    Only the line feed ends a line: JSON text may hold U+2028 and its like unescaped.
    """
    number, held, size = 1, list[str](), 0
    for piece in pieces(stream):
        parts = piece.split("\n")
        for place, part in enumerate(parts):
            size += len(part)
            if size <= LONGEST_LINE:
                held.append(part)
            else:
                held.clear()
            if place < len(parts) - 1:
                yield number, None if size > LONGEST_LINE else "".join(held)
                number, held, size = number + 1, [], 0
    if size:
        yield number, None if size > LONGEST_LINE else "".join(held)
