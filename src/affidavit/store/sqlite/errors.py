"""SQLite's errors in our words, and the system's where it touches the files."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from affidavit.core.system_errors import told
from affidavit.errors import (
    StoreBusyError,
    StoreError,
    StoreForeignError,
    StoreFullError,
    StorePlaceError,
    StoreReadOnlyError,
    StoreUnreadableError,
)

APPLICATION_ID = 0x41464456
"""Written into the file's header: "AFDV"."""
_MAGIC, _ID_AT = b"SQLite format 3\0", 68

DAMAGED_HINT = "run `affidavit verify`, and restore from a backup made with `affidavit admin backup`"
_DAMAGE = ("malformed", "not a database", "corrupt", "utf-8", "encrypted", "no such table", "no such column")


def translate(error: sqlite3.Error, path: str) -> StoreError:
    """Our error for one of SQLite's."""
    text = str(error)
    low = text.lower()
    if "readonly" in low or "read-only" in low:
        return StoreReadOnlyError(
            f"{path} can't be written ({text})", hint="check the permissions of the file and of its folder"
        )
    if "disk is full" in low or "disk full" in low:
        return StoreFullError(
            f"the disk that holds {path} is full; this write did not happen, earlier ones are safe",
            hint="make room and repeat the call",
        )
    if "locked" in low or "busy" in low:
        return StoreBusyError(
            f"{path} was held by another process for too long",
            hint="repeat the call, or raise busy_timeout_s",
        )
    if "unable to open" in low:
        return StorePlaceError(
            f"{path} can't be opened ({text})",
            hint="check that it is there, and the permissions of it and of its folder",
        )
    if "not a database" in low and not was_ours(Path(path)):
        return foreign(path)
    if isinstance(error, sqlite3.DatabaseError) and any(sign in low for sign in _DAMAGE):
        return StoreUnreadableError(f"{path} is damaged ({text})", hint=DAMAGED_HINT)
    return StoreError(
        f"the database {path} failed: {text}", hint="nothing was written by this call; look at the disk"
    )


def was_ours(path: Path) -> bool:
    """Whether a file that is no database begins as ours do: then it is one that was damaged."""
    # Opened although that drops this process's locks on it (see `privacy.scan`): on no database there are none.
    try:
        with path.open("rb") as file:
            head = file.read(_ID_AT + 4)
    except OSError:
        return True
    return _MAGIC.startswith(head[: len(_MAGIC)]) or head[_ID_AT:] == APPLICATION_ID.to_bytes(4, "big")


def foreign(path: object) -> StoreForeignError:
    """The error for a file that was never a store."""
    return StoreForeignError(
        f"{path} is not an Affidavit store", hint="name another file; what is in this one was not touched"
    )


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Let no error of SQLite's or the system's through untranslated."""
    try:
        yield
    except UnicodeDecodeError as error:
        # Of a damaged schema even the message can't be read.
        raise StoreUnreadableError(f"{path} is damaged ({error.reason})", hint=DAMAGED_HINT) from error
    except sqlite3.Error as error:
        raise translate(error, path) from error
    except OSError as error:
        raise told(error, StoreError, f"{error.filename or path} can't be used") from error
