"""PostgreSQL's errors in our words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import psycopg
from psycopg import errors as pg

from affidavit.core.addresses import without_password
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


def may_try_again(error: BaseException) -> bool:
    """Whether the same transaction may succeed when it is run once more."""
    return isinstance(error, _AGAIN)


class EndUnknownError(psycopg.OperationalError):
    """The connection broke while a transaction was being committed: nobody here knows whether it was."""


class _Ours(NamedTuple):
    """What one of PostgreSQL's errors is for us: `{place}` and `{text}`, its own words, are filled in."""

    theirs: tuple[type[psycopg.Error], ...]
    ours: type[AffidavitError]
    what: str
    hint: str


# The first that fits counts.
_TABLE: Final = (
    _Ours(
        (pg.ReadOnlySqlTransaction,),
        StoreReadOnlyError,
        "{place} can't be written ({text})",
        "connect to the primary, as a role that may write",
    ),
    _Ours(
        (pg.InsufficientPrivilege,),
        StoreReadOnlyError,
        "{place} refuses this ({text})",
        "grant the role its rights on the schema and tables of the store",
    ),
    _Ours(
        (pg.DiskFull,),
        StoreFullError,
        "the disk of {place} is full; this write did not happen, earlier ones are safe",
        "make room and repeat the call",
    ),
    _Ours(
        (pg.LockNotAvailable, pg.QueryCanceled, pg.SerializationFailure, pg.DeadlockDetected),
        StoreBusyError,
        "{place} was held by others for too long",
        "repeat the call, or raise busy_timeout_s",
    ),
    _Ours(
        (pg.TooManyConnections,),
        StoreBusyError,
        "{place} has no connection left ({text})",
        "repeat the call, or let fewer processes connect",
    ),
    _Ours(
        (pg.UniqueViolation,),
        ConflictError,
        "another process wrote the same to {place} first",
        "repeat the call",
    ),
    _Ours(
        (pg.DataCorrupted, pg.IndexCorrupted, pg.UndefinedTable, pg.UndefinedColumn),
        StoreUnreadableError,
        "{place} is damaged ({text})",
        DAMAGED_HINT,
    ),
    _Ours(
        (pg.InvalidCatalogName, pg.InvalidPassword, pg.InvalidAuthorizationSpecification),
        StorePlaceError,
        "{place} can't be opened ({text})",
        "check the address: user, password and name of the database",
    ),
    _Ours(
        (EndUnknownError,),
        StorePlaceError,
        "{place} was lost while this write was being committed ({text}); whether it happened is not known",
        "look, or repeat the call with the same idempotency_key: then it is not written twice",
    ),
    _Ours(
        (psycopg.OperationalError, psycopg.InterfaceError),
        StorePlaceError,
        "{place} can't be reached ({text})",
        "nothing was lost that was acknowledged; check that the server runs, and repeat the call",
    ),
    _Ours(
        (psycopg.Error,),
        StoreError,
        "the database {place} failed: {text}",
        "nothing was written by this call",
    ),
)


def translate(error: psycopg.Error, place: str) -> AffidavitError:
    """Our error for one of PostgreSQL's."""
    text = without_password(" ".join(str(error).split()))
    found = next(one for one in _TABLE if isinstance(error, one.theirs))
    return found.ours(found.what.format(place=place, text=text), hint=found.hint)


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn what PostgreSQL raises inside into an `AffidavitError`."""
    try:
        yield
    except psycopg.Error as error:
        raise translate(error, place) from error
