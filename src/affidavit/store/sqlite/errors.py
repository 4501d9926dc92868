"""SQLite's errors in our words."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from affidavit.errors import (
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreadableError,
)

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
        return StoreUnreadableError(
            f"{path} can't be opened ({text})", hint="check the path and its permissions"
        )
    if isinstance(error, sqlite3.DatabaseError) and any(sign in low for sign in _DAMAGE):
        return StoreUnreadableError(
            f"{path} is damaged or not a database of ours ({text})", hint=DAMAGED_HINT
        )
    return StoreError(
        f"the database {path} failed: {text}", hint="nothing was written by this call; look at the disk"
    )


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Let no error of SQLite's through untranslated."""
    try:
        yield
    except UnicodeDecodeError as error:
        # Of a damaged schema even the message can't be read.
        raise StoreUnreadableError(f"{path} is damaged ({error.reason})", hint=DAMAGED_HINT) from error
    except sqlite3.Error as error:
        raise translate(error, path) from error
