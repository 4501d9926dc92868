"""A folder of secrets, as files: who may read them, and how one takes the place of another."""

import os
import secrets
import stat
import sys
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from affidavit.errors import KeyStoreError, KeyUnsafeError


class KeyFolder:
    """A folder of secrets: 0700, files 0600, replaced whole, one writer at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def locked(self, name: str = "lock") -> Iterator[None]:
        """Hold the folder's lock (or another one in it); it is made if it is not there."""
        with explained(self.path):
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.name == "posix" and self.path.stat().st_mode & 0o022:
                raise KeyUnsafeError(f"others can write in {self.path}", hint=f"run: chmod 700 {self.path}")
            handle = os.open(self.path / name, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _lock(handle)
                for stale in self.path.glob(".new-*") if name == "lock" else ():
                    stale.unlink()  # what a killed process was about to put in place
                yield
            finally:
                os.close(handle)

    def read(self, path: Path, *, secret: bool = False) -> str | None:
        """The file's text, None if there is none; a secret is refused if others can read it."""
        with explained(path):
            try:
                mode = stat.S_IMODE(path.stat().st_mode)
                if secret and is_open_to_others(mode):
                    raise KeyUnsafeError(f"others can use {path} ({mode:o})", hint=f"run: chmod 600 {path}")
                return path.read_text(encoding="utf-8")
            except FileNotFoundError:
                return None
            except UnicodeDecodeError:
                raise KeyUnsafeError(f"{path} is damaged", hint="restore it from an export") from None

    def replace(self, path: Path, data: bytes) -> None:
        """Put a file in place whole, on disk when this returns."""
        temporary = path.with_name(f".new-{secrets.token_hex(8)}")
        try:
            write_new(temporary, data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        self._settle()

    def append(self, path: Path, data: bytes) -> None:
        """Add to a file in one piece, on disk when this returns."""
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            size = os.lseek(handle, 0, os.SEEK_END)
            if size and os.lseek(handle, -1, os.SEEK_END) >= 0 and os.read(handle, 1) != b"\n":
                data = b"\n" + data  # a writer was killed within its last line
            _write_all(handle, data)
        finally:
            os.close(handle)
        self._settle()

    def _settle(self) -> None:
        if os.name == "posix":
            handle = os.open(self.path, os.O_RDONLY)
            os.fsync(handle)
            os.close(handle)


def is_open_to_others(mode: int) -> bool:
    """Whether a file of this mode can be read or written by others, where modes mean something."""
    return os.name == "posix" and mode & 0o077 != 0


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Errors of the system as `KeyStoreError`s."""
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise KeyStoreError(f"{path} can't be used: {why}", hint="check folder and disk") from error


def seed_of(text: str, origin: object) -> bytes:
    """The 32 bytes of a secret key that is kept as base64. Raises `KeyUnsafeError` with its `origin`."""
    try:
        seed = b64decode(text.strip().encode("ascii"), validate=True)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise KeyUnsafeError(f"{origin} is damaged: not 32 bytes in base64", hint="restore it from an export")
    return seed


def _lock(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - there is one of each kind of system

        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
    else:
        import fcntl  # noqa: PLC0415 - there is one of each kind of system

        fcntl.flock(handle, fcntl.LOCK_EX)


def write_new(path: Path, data: bytes) -> None:
    """A new file of mode 0600."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        _write_all(handle, data)
    finally:
        os.close(handle)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
    os.fsync(handle)
