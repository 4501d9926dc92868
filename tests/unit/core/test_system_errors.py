"""What the system refuses, in our words."""

import errno
import os

import pytest

from affidavit.core.system_errors import explained, told, why
from affidavit.errors import FileFormatError, InputError, StoreFullError


@pytest.mark.parametrize(
    "code, said",
    [
        (errno.EACCES, "permission denied"),
        (errno.EPERM, "permission denied"),
        (errno.ENOENT, "not there"),
        (errno.EISDIR, "is a folder"),
        (errno.ENOTDIR, "a file and not a folder"),
        (errno.EROFS, "only be read"),
        (errno.ENAMETOOLONG, "too long"),
    ],
)
def test_each_known_refusal_says_why_and_what_to_do(code, said):
    error = told(OSError(code, os.strerror(code), "/a/b"), FileFormatError, "/a/b can't be read")
    assert type(error) is FileFormatError
    assert error.what.startswith("/a/b can't be read: ")
    assert said in error.what
    assert error.hint
    assert "Errno" not in str(error)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_want_of_room_is_its_own_kind(code):
    assert type(told(OSError(code, "no room"), InputError, "x can't be written")) is StoreFullError


@pytest.mark.parametrize(
    "error, said",
    [
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
        (OSError("something odd"), "something odd"),
        (OSError(), "OSError"),
    ],
)
def test_what_is_not_known_is_passed_on(error, said):
    assert why(error)[0] == said
    assert why(error)[1]


def test_only_the_systems_errors_are_explained(tmp_path):
    with pytest.raises(InputError, match="or a folder above it") as caught, explained(InputError, "unopened"):
        (tmp_path / "none").read_bytes()
    assert isinstance(caught.value.__cause__, FileNotFoundError)
    with pytest.raises(KeyError), explained(InputError, "x"):
        raise KeyError
