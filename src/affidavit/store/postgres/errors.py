"""PostgreSQL's errors in our words."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import errors as pg

from affidavit.errors import (
    AffidavitError,
    ConflictError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StorePlaceError,
    StoreReadOnlyError,
    StoreUnreadableError,
)

DAMAGED_HINT: Final = "run `affidavit verify`, and restore the database from a backup"
_AGAIN: Final = (pg.SerializationFailure, pg.DeadlockDetected)
_PASSWORD: Final = re.compile(r"(?<=://)([^/@:]*):[^/@]*@|password=\S+")


def may_try_again(error: BaseException) -> bool:
    """Whether the same transaction may succeed when it is run once more."""
    return isinstance(error, _AGAIN)


def without_password(text: str) -> str:
    """An address or a message without the password in it.

    >>> without_password("postgresql://ana:secret@db/affidavit")
    'postgresql://ana@db/affidavit'
    """
    return _PASSWORD.sub(lambda found: f"{found[1]}@" if found[1] else "", text)


def translate(error: psycopg.Error, place: str) -> AffidavitError:
    """Our error for one of PostgreSQL's."""
    text = without_password(" ".join(str(error).split()))
    match error:
        case pg.ReadOnlySqlTransaction():
            return StoreReadOnlyError(
                f"{place} can't be written ({text})", hint="connect to the primary, as a role that may write"
            )
        case pg.InsufficientPrivilege():
            return StoreReadOnlyError(
                f"{place} refuses this ({text})", hint="grant the role its rights on the tables of the store"
            )
        case pg.DiskFull():
            return StoreFullError(
                f"the disk of {place} is full; this write did not happen, earlier ones are safe",
                hint="make room and repeat the call",
            )
        case pg.LockNotAvailable() | pg.QueryCanceled() | pg.SerializationFailure() | pg.DeadlockDetected():
            return StoreBusyError(
                f"{place} was held by others for too long", hint="repeat the call, or raise busy_timeout_s"
            )
        case pg.UniqueViolation():
            return ConflictError(f"another process wrote the same to {place} first", hint="repeat the call")
        case pg.DataCorrupted() | pg.IndexCorrupted() | pg.UndefinedTable() | pg.UndefinedColumn():
            return StoreUnreadableError(f"{place} is damaged ({text})", hint=DAMAGED_HINT)
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return StorePlaceError(
                f"{place} can't be reached ({text})",
                hint="nothing was lost that was acknowledged; check that the server runs, and repeat the call",
            )
    return StoreError(f"the database {place} failed: {text}", hint="nothing was written by this call")


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn what PostgreSQL raises inside into an `AffidavitError`."""
    try:
        yield
    except psycopg.Error as error:
        raise translate(error, place) from error
