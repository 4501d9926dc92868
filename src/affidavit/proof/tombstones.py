"""Marks of what was erased, beside the key: so that it does not come back when it is sent again."""

import hmac
import secrets
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path

from affidavit.errors import KeyLostError
from affidavit.proof.key_folder import KeyFolder, explained, seed_of

ERASURE_KEY = "erasure.key"


class Tombstones:
    """Marks of what was erased, so that it does not come back when it is sent again.

    A mark is an HMAC under a key that lies only here: who has the database can't guess what was erased.
    """

    def __init__(self, folder: KeyFolder, name: str) -> None:
        self._folder = folder
        self._path = folder.path / f"erased-{name}.txt"
        self._seen: tuple[object, dict[str, set[str]], bytes] | None = None

    def bury(self, space_id: str, values: Iterable[str]) -> None:
        """Mark source ids or idempotency keys of a space as erased. On disk when this returns."""
        with self._folder.locked():
            key = _erasure_key(self._folder, create=True)
            lines = "".join(f"{space_id} {_mark(key, space_id, value)}\n" for value in values)
            self._folder.append(self._path, lines.encode("utf-8"))

    def is_buried(self, space_id: str, value: str) -> bool:
        """Whether the value was marked in this space; the file is read again when it has changed."""
        with explained(self._path):
            marks, key = self._load()
        known = marks.get(space_id)
        return known is not None and _mark(key, space_id, value) in known

    def drop_space(self, space_id: str) -> None:
        """Remove every mark of a space: nothing of it stays."""
        if not self._path.exists():
            return
        with self._folder.locked():
            lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [line for line in lines if line.partition(" ")[0] != space_id]
            if kept != lines:
                self._folder.replace(self._path, "".join(kept).encode("utf-8"))

    @staticmethod
    def any_in(folder: Path) -> bool:
        """Whether a key folder holds marks."""
        return any(path.stat().st_size for path in folder.glob("erased-*.txt"))

    def _load(self) -> tuple[dict[str, set[str]], bytes]:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return {}, b""
        state = (found.st_mtime_ns, found.st_size, found.st_ino)
        if self._seen is None or self._seen[0] != state:
            marks: dict[str, set[str]] = {}
            for line in self._path.read_text(encoding="utf-8").splitlines():
                space_id, _, mark = line.partition(" ")
                marks.setdefault(space_id, set()).add(mark)
            self._seen = (state, marks, _erasure_key(self._folder, create=False) if marks else b"")
        return self._seen[1], self._seen[2]


def _erasure_key(folder: KeyFolder, *, create: bool) -> bytes:
    path = folder.path / ERASURE_KEY
    text = folder.read(path, secret=True)
    if text is not None:
        return seed_of(text, path)
    if not create or any(folder.path.glob("erased-*.txt")):
        raise KeyLostError(f"{path} is gone, so what was erased can't be recognised", hint="import an export")
    folder.replace(path, b64encode(key := secrets.token_bytes(32)) + b"\n")
    return key


def _mark(key: bytes, space_id: str, value: str) -> str:
    return hmac.digest(key, f"{space_id}\0{value}".encode("utf-8", "surrogatepass"), "sha256").hex()
