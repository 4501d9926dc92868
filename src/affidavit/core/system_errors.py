"""Errors of the operating system in our words: the one place where an `OSError` becomes an error of ours.

Whoever touches a file says what could not be done to it; why, and what to do, is the same everywhere.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from affidavit.errors import AffidavitError, StoreFullError

_MAY_NOT: Final = (
    "permission denied",
    "check the permissions of it and of its folder, or name another place",
)
_FULL: Final = ("there is no room on the disk", "make room, then repeat the call")
_WORDS: Final = {
    errno.ENOENT: ("it, or a folder above it, is not there", "check the path"),
    errno.EACCES: _MAY_NOT,
    errno.EPERM: _MAY_NOT,
    errno.EISDIR: ("it is a folder", "name a file"),
    errno.ENOTDIR: ("a part of its path is a file and not a folder", "check the path"),
    errno.EEXIST: ("it is there already", "name a new file"),
    errno.EROFS: ("the disk can only be read", "name a place on another disk"),
    errno.ELOOP: ("its links lead in a circle", "correct the links"),
    errno.ENAMETOOLONG: ("its name is too long", "give a shorter one"),
    errno.EMFILE: ("this process has too many files open", "close some, or raise the limit"),
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
}
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def why(error: OSError) -> tuple[str, str]:
    """What the system says, and what to do about it.

    >>> why(PermissionError(errno.EACCES, "Permission denied"))[0]
    'permission denied'
    """
    known = _WORDS.get(error.errno or 0)
    return known or (error.strerror or str(error) or type(error).__name__, "look at the path and its disk")


def told(error: OSError, kind: type[AffidavitError], what: str) -> AffidavitError:
    """Our error of a kind for one of the system's; a full disk is a `StoreFullError` whatever was written to it."""
    reason, hint = why(error)
    chosen = StoreFullError if error.errno in _NO_ROOM else kind
    return chosen(f"{what}: {reason}", hint=hint)


@contextmanager
def explained(kind: type[AffidavitError], what: str) -> Iterator[None]:
    """Turn whatever the system refuses inside into our error; `what` says what could not be done."""
    try:
        yield
    except OSError as error:
        raise told(error, kind, what) from error
