"""Does any piece of what was erased still stand in these files? A look at raw bytes, below the database.

What is looked for: each erased byte string of at least 16 bytes, cut into windows of 16 bytes at every 16th
byte, and its last 16 bytes. So every fragment of 31 bytes or more that is left of a string holds one whole
window, and a string that is all there is found from 16 bytes on. Every byte offset of a file is compared.

What can't be found: strings under 16 bytes; windows of at most two different byte values (zeros, spaces, a
dashed line), which stand in files by themselves; a fragment under 31 bytes that holds no whole window; bytes
that were transformed (compressed, encrypted, another encoding); and what also stands in a row that survives,
which is excused because it is not residue.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from affidavit.errors import StoreUnreadableError

_READ: Final = 8 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Residue:
    """Erased bytes still in `file` from byte `offset` on, of which `sample_length` bytes were recognised."""

    file: str
    offset: int
    sample_length: int


def find_residue(
    files: Sequence[str | Path], erased: Iterable[bytes], surviving: Callable[[], Iterable[bytes]]
) -> list[Residue]:
    """Every place in `files` where a piece of `erased` stands that is no part of a surviving byte string.

    `surviving` gives the byte strings of the rows that are left (with log entries, and the schema's text if
    such words could have been erased); it is called at most once, and only if something was found. Touching
    pieces are one `Residue`. A file that is not there is skipped: a write-ahead log may vanish. Memory does
    not grow with the files. Raises `StoreUnreadableError` when a file is there and can't be read.
    """
    # Loads numpy: only where something is erased.
    from affidavit.privacy.windows import Windows, runs, scan, standing  # noqa: PLC0415

    windows = Windows(erased)
    if not len(windows):
        return []
    scanned = [(str(file), *scan(windows, _parts(file))) for file in files]
    if not any(len(offsets) for _, offsets, _ in scanned):
        return []
    excused = standing(windows, surviving())
    return [
        Residue(file=file, offset=start, sample_length=length)
        for file, offsets, which in scanned
        for start, length in runs(offsets[~excused[which]])
    ]


# SQLite's locks are POSIX locks: a process that closes any descriptor of a file drops all its locks on it. To
# read a live database under open connections, one descriptor a file is kept open until the file is deleted.
_kept: Final[dict[tuple[int, int], int]] = {}
_kept_lock: Final = threading.Lock()


def _parts(file: str | Path) -> Iterator[bytes]:
    try:
        descriptor = _descriptor(file)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unreadable(file, error) from error
    at = 0
    while True:
        try:
            part = os.pread(descriptor, _READ, at)
        except OSError as error:
            raise _unreadable(file, error) from error
        if not part:
            return
        at += len(part)
        yield part


def _descriptor(file: str | Path) -> int:
    with _kept_lock:
        for key, descriptor in list(_kept.items()):
            if not os.fstat(descriptor).st_nlink:
                os.close(_kept.pop(key))
        status = Path(file).stat()
        key = (status.st_dev, status.st_ino)
        if key not in _kept:
            descriptor = os.open(file, os.O_RDONLY)
            # Another file may have come into this place since; then ours is that one.
            status = os.fstat(descriptor)
            key = (status.st_dev, status.st_ino)
            _kept[key] = descriptor
        return _kept[key]


def _unreadable(file: str | Path, error: OSError) -> StoreUnreadableError:
    return StoreUnreadableError(
        f"{file} can't be read to look for remains ({error.strerror})",
        hint="give this process the right to read it, then run the scan again",
    )
