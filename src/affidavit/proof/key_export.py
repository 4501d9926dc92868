"""Keys out of their folder into a file, and back.

An import is held against the store, whose signed head says which key is in force:
1. Only that key is taken, or a newer one. An older one may sign nothing any more; in the folder it would only stand
   in the way of the right one.
2. It takes the place of an older key, and never that of one it knows nothing of.
3. Whatever is refused leaves the folder as it was.
"""

from dataclasses import dataclass
from pathlib import Path
from stat import S_IMODE
from typing import TYPE_CHECKING

from affidavit.errors import FileFormatError, KeyLostError, KeyStoreError, KeyUnsafeError
from affidavit.ledger.note import NoteError, PublicKey
from affidavit.proof.key_folder import explained, is_open_to_others, seed_of, write_new
from affidavit.proof.key_history import KeyHistory
from affidavit.proof.local_signer import signer_of
from affidavit.store.keys import KEY_LOST_HINT

if TYPE_CHECKING:
    from affidavit.proof.keys import KeyRing
    from affidavit.store.protocol import Store

_BEGIN, _END = "-----BEGIN AFFIDAVIT KEYS-----", "-----END AFFIDAVIT KEYS-----"
_WARNING = "NOT ENCRYPTED: whoever has this file can sign as this store. Keep it apart from the database."
_MOST_BYTES = 1 << 20
"""An export with ten thousand earlier keys is smaller."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class KeyExport:
    """The content of an export: secret keys as base64, and the public keys that are trusted."""

    signing: str
    erasure: str | None
    public: tuple[PublicKey, ...]

    @property
    def signs(self) -> PublicKey:
        """The public half of its signing key."""
        return signer_of(self.signing, "the signing key of the export").public

    def write(self, path: Path) -> None:
        """To a new file of mode 0600. It is NOT encrypted, and says so in its first lines."""
        lines = [f"signing {self.signing}", *([f"erasure {self.erasure}"] if self.erasure else [])]
        lines += [f"public {key.to_text()}" for key in self.public]
        with explained(path):
            write_new(path, "\n".join([_BEGIN, _WARNING, *lines, _END, ""]).encode("utf-8"))

    @classmethod
    def read(cls, path: Path) -> "KeyExport":
        """The export in a file.

        Raises `FileFormatError` for what is none, `KeyUnsafeError` for one that is damaged or that others can read.
        """
        text, mode = _content(path)
        lines = text.strip().splitlines()
        if lines[:1] != [_BEGIN]:
            raise FileFormatError(
                f"{path} is no export of keys", hint="give a file that `affidavit keys export FILE` wrote"
            )
        export = cls._parsed(path, lines)
        if is_open_to_others(mode):
            raise KeyUnsafeError(f"others can use {path} ({mode:o})", hint=f"run: chmod 600 {path}")
        return export

    @classmethod
    def _parsed(cls, path: Path, lines: list[str]) -> "KeyExport":
        parts = [line.partition(" ")[::2] for line in lines[2:-1]]
        secret = {kind: value for kind, value in parts if kind != "public"}
        public: tuple[PublicKey, ...] = ()
        whole = lines[-1] == _END and {"signing"} <= set(secret) <= {"signing", "erasure"}
        try:
            public = tuple(PublicKey.parse(value) for kind, value in parts if kind == "public")
            for value in secret.values():
                seed_of(value, path)
        except (KeyUnsafeError, NoteError):
            whole = False
        if not whole:
            raise KeyUnsafeError(
                f"{path} is a damaged export of keys; nothing was imported",
                hint="export the keys again, or use another copy of the file",
            )
        return cls(signing=secret["signing"], erasure=secret.get("erasure"), public=public)


def _content(path: Path) -> tuple[str, int]:
    """Text and mode of a file. Raises `FileFormatError`."""
    try:
        mode = S_IMODE(path.stat().st_mode)
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)
    except FileNotFoundError:
        raise FileFormatError(f"there is no file {path}", hint="check the path") from None
    except OSError as error:
        raise FileFormatError(
            f"{path} can't be read: {error.strerror}", hint="check the path, and who may read it"
        ) from None
    return data.decode("utf-8", "replace"), mode


def export_keys(store: "Store", keys: "KeyRing", path: Path) -> None:
    """Write the keys of a store to a new file. Raises `KeyLostError` where the one that signs it is not here."""
    if not store.can_sign():
        raise KeyLostError(
            f"the key that signs store {store.store_id} is not here; nothing was exported", hint=KEY_LOST_HINT
        )
    keys.exported().write(path)


def import_keys(store: "Store", keys: "KeyRing", path: Path) -> PublicKey:
    """Bring the keys of a store back from a file; the public half of the one that signs from here on.

    Raises `FileFormatError` for what is no export, `KeyUnsafeError` for a damaged or exposed one, `KeyStoreError` for
    an older one, for another store's, and where newer or other keys are here. Then nothing has changed.
    """
    export, history = KeyExport.read(path), KeyHistory.of(store)
    if history.notes:
        _check_fits(export, history, store.store_id, path)
    keys.take(export, replaced=history.replaced)
    return export.signs


def _check_fits(export: KeyExport, history: KeyHistory, store_id: str, path: Path) -> None:
    own = {*export.public, export.signs}
    in_force = history.in_force(own)
    if in_force in own and export.signs not in history.replaced:
        return
    if in_force is not None and history.leads(own, in_force):
        raise KeyStoreError(
            f"{path} was exported before the signing key was replaced: {in_force.name}, which signs this store now,"
            " is not in it; nothing was imported",
            hint="import a newer export; if there is none, give that key up with `affidavit keys rotate --lost`",
        )
    if own & history.replaced:
        raise KeyStoreError(
            f"the store says that the key in {path} was given up as lost before {in_force and in_force.name} signed;"
            " nothing was imported",
            hint="import a newer export; if nobody gave it up, the file was altered: put a backup in its place",
        )
    raise KeyStoreError(
        f"{path} holds the keys of another store: none of them signs {store_id}; nothing was imported",
        hint="give an export that was made of this store",
    )
