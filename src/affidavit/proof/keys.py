"""The key folder of a store, outside its database: keys, last checkpoint, erasure marks.

Whoever can write the database can't forge its history while this folder is out of his reach. Rules:
1. Where a signing key comes from, in this order: the environment, the system's keyring (if one is handed in),
   the file `signing.key`. The first that holds one wins; a damaged or exposed one is an error, never skipped.
2. Every file is replaced whole, or appended to in one piece, under the folder's lock: a killed process or a
   second one leaves nothing half written.
3. A checkpoint never gives way to one of a smaller log.
"""

import hmac
import os
import secrets
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from affidavit.errors import KeyLostError, KeyStoreError, KeyUnsafeError
from affidavit.ledger.note import NoteError, PublicKey, Signer
from affidavit.ledger.rotation import rotation_message
from affidavit.proof.key_folder import KeyFolder, explained, write_new

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ENVIRONMENT_KEY = "AFFIDAVIT_SIGNING_KEY"
"""Holds the 32 bytes of a signing key in base64."""
KEYRING_SERVICE = "affidavit"
ERASURE_KEY = "erasure.key"
_BEGIN, _END = "-----BEGIN AFFIDAVIT KEYS-----", "-----END AFFIDAVIT KEYS-----"
_WARNING = "NOT ENCRYPTED: whoever has this file can sign as this store. Keep it apart from the database."


class Keyring(Protocol):
    """What we need of the library `keyring`; the imported module is one."""

    def get_password(self, service: str, username: str, /) -> str | None:
        """The kept text, None if there is none."""

    def set_password(self, service: str, username: str, password: str, /) -> None:
        """Keep a text."""


@dataclass(frozen=True, slots=True)
class LocalSigner:
    """A signing key in memory. Its text shows only the public half."""

    public: PublicKey
    _key: "Ed25519PrivateKey" = field(repr=False, compare=False)

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature (64 bytes) over `message`."""
        return self._key.sign(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """A handover: both keys' signatures over `rotation_message`; `by_old` is None for a lost one."""

    old: PublicKey | None
    new: Signer
    by_old: bytes | None
    by_new: bytes

    def to_text(self) -> str:
        """The handover as four lines, without the keys' secrets."""
        old, by_old = self.old and self.old.to_text(), self.by_old and self.by_old.hex()
        return f"{old or ''}\n{self.new.public.to_text()}\n{by_old or ''}\n{self.by_new.hex()}\n"

    @classmethod
    def from_text(cls, text: str, signer: Signer) -> "Rotation | None":
        """The handover that `to_text` wrote, if it is one to this signer. Raises `ValueError`."""
        old, new, by_old, by_new, _ = text.split("\n")
        if PublicKey.parse(new) != signer.public:
            return None
        return cls(
            old=PublicKey.parse(old) if old else None,
            new=signer,
            by_old=bytes.fromhex(by_old) if by_old else None,
            by_new=bytes.fromhex(by_new),
        )


class Tombstones:
    """Marks of what was erased, so that it does not come back when it is sent again.

    A mark is an HMAC under a key that lies only here: who has the database can't guess what was erased.
    """

    def __init__(self, folder: "KeyFolder", name: str) -> None:
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
        with self._folder.locked():
            if self._path.exists():
                lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
                kept = [line for line in lines if line.partition(" ")[0] != space_id]
                self._folder.replace(self._path, "".join(kept).encode("utf-8"))

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


class KeyRing:
    """The keys of one store, in `folder`; nothing is created before it is needed.

    `environ` stands in for the process's environment; with `keyring` new keys go there, not into a file.
    """

    def __init__(
        self, folder: Path, *, environ: Mapping[str, str] = os.environ, keyring: Keyring | None = None
    ) -> None:
        self.folder = folder
        self._folder = KeyFolder(folder)
        self._environ = environ
        self._keyring = keyring
        self._file, self._erasure = folder / "signing.key", folder / ERASURE_KEY
        self._public, self._turn = folder / "public.txt", folder / "handover.txt"
        self._tombstones: dict[str, Tombstones] = {}
        self._turning = threading.RLock()
        self._turns = 0

    @contextmanager
    def turning(self) -> Iterator[None]:
        """One handover at a time, of all processes: from its statement until it is logged. May be nested."""
        with self._turning:
            self._turns += 1
            try:
                with self._folder.locked("turn") if self._turns == 1 else nullcontext():
                    yield
            finally:
                self._turns -= 1

    def signer(self) -> Signer | None:
        """The signing key, None if there is none; `KeyUnsafeError` if it is damaged or others can read it."""
        found = self._find()
        return None if found is None else _signer_of(*found)

    def create(self) -> Signer:
        """The signing key, made if there is none; of two processes at once, both get the first one's."""
        with self._folder.locked():
            return self.signer() or self._make(self._recorded())

    def public_keys(self) -> list[PublicKey]:
        """The keys whose signatures are believed here: earlier ones, then the current."""
        keys = dict.fromkeys(self._recorded())
        signer = self.signer()
        current = [] if signer is None else [signer.public]
        return [key for key in keys if key not in current] + current

    def rotate(self, store_id: str, *, lost: bool = False) -> Rotation:
        """Replace the signing key. The old one stays trusted, unless it is `lost` (or was stolen).

        The handover is kept (see `handover`) until `handed_over` says that it is logged.
        Raises `KeyLostError` if the old key is not here and is not said to be lost.
        """
        if ENVIRONMENT_KEY in self._environ:
            raise KeyStoreError("the environment gives the signing key", hint=f"change {ENVIRONMENT_KEY}")
        with self._folder.locked():
            signer = self._given_up() if lost else self.signer()
            if signer is None and not lost:
                raise KeyLostError("there is no old key here", hint="use `affidavit keys rotate --lost`")
            known = self._known(signer)
            old = known[-1] if known else None
            text, new = _fresh()
            message = rotation_message(store_id, old, new.public)
            by_old = None if lost or signer is None else signer.sign(message)
            turn = Rotation(old=old, new=new, by_old=by_old, by_new=new.sign(message))
            # The statement first: after a crash the old key can't sign it any more.
            self._folder.replace(self._turn, turn.to_text().encode())
            self._put(text, new, known)
            if lost:
                self._write_public([new.public])
        return turn

    def handover(self) -> Rotation | None:
        """The handover to the key that signs now, if nobody has said yet that it is logged."""
        text = self._folder.read(self._turn)
        signer = self.signer() if text is not None else None
        if text is None or signer is None:
            return None
        try:
            return Rotation.from_text(text, signer)
        except ValueError:
            raise KeyUnsafeError(f"{self._turn} is damaged", hint="remove it, and rotate again") from None

    def handed_over(self) -> None:
        """Say that the handover is logged."""
        with self._folder.locked():
            turn = self.handover()
            if turn is not None and turn.by_old is None:
                self._write_public([turn.new.public])
            self._turn.unlink(missing_ok=True)

    def checkpoint(self, store_id: str) -> str | None:
        """The last sealed checkpoint that was remembered for the store, None if there was none."""
        kept = self._remembered(store_id)
        return None if kept is None else kept[1]

    def remember(self, store_id: str, note_text: str, size: int) -> None:
        """Keep a sealed checkpoint of a log of `size` entries, unless a larger one is kept already."""
        with self._folder.locked():
            kept = self._remembered(store_id)
            if kept is None or kept[0] <= size:
                path = self.folder / f"checkpoint-{_name(store_id)}.txt"
                self._folder.replace(path, f"{size}\n{note_text}".encode())

    def drop_checkpoint(self, store_id: str) -> None:
        """Forget the remembered checkpoint: an older copy of the store is to be taken as it is."""
        with self._folder.locked():
            (self.folder / f"checkpoint-{_name(store_id)}.txt").unlink(missing_ok=True)

    def tombstones(self, store_id: str) -> Tombstones:
        """The erasure marks of the store."""
        return self._tombstones.setdefault(store_id, Tombstones(self._folder, _name(store_id)))

    def export(self, path: Path) -> None:
        """Write all keys to a new file of mode 0600. It is NOT encrypted, and says so in its first lines."""
        found = self._find()
        if found is None:
            raise KeyLostError("there is no signing key to export", hint="the first write makes one")
        erasure = self._folder.read(self._erasure, secret=True)
        lines = [f"signing {found[0].strip()}", *([f"erasure {erasure.strip()}"] if erasure else [])]
        lines += [f"public {key.to_text()}" for key in self.public_keys()]
        with explained(path):
            write_new(path, "\n".join([_BEGIN, _WARNING, *lines, _END, ""]).encode("utf-8"))

    def import_(self, path: Path) -> Signer:
        """Take over the keys of an exported file. Raises `KeyStoreError` if other keys are here already."""
        lines = (KeyFolder(path.parent).read(path, secret=True) or "").strip().split("\n")
        parts = [line.partition(" ")[::2] for line in lines[2:-1]]
        seeds = {kind: value for kind, value in parts if kind != "public"}
        if (lines[0], lines[-1]) != (_BEGIN, _END) or not {"signing"} <= set(seeds) <= {"signing", "erasure"}:
            raise KeyUnsafeError(f"{path} is missing or no whole export", hint="export them again")
        signer = _signer_of(seeds["signing"], path)
        public = [_public_of(value, path) for kind, value in parts if kind == "public"]
        erasure = seeds.get("erasure", "")
        with self._folder.locked():
            current, marks = self.signer(), self._folder.read(self._erasure, secret=True)
            same = not (marks and erasure) or _seed(marks, self._erasure) == _seed(erasure, path)
            if not same or (current is not None and current.public != signer.public):
                raise KeyStoreError(f"{self.folder} has other keys", hint="import into an empty folder")
            self._write_public([*self._recorded(), *public])
            if erasure:
                self._folder.replace(self._erasure, f"{erasure}\n".encode())
            self._folder.replace(self._file, f"{seeds['signing']}\n".encode())
        return signer

    def _find(self) -> tuple[str, object] | None:
        """The text of the signing key, and where it was found."""
        given = self._environ.get(ENVIRONMENT_KEY)
        if given is not None:
            return given, f"the environment variable {ENVIRONMENT_KEY}"
        kept = self._keyring and self._keyring.get_password(KEYRING_SERVICE, str(self.folder))
        if kept:
            return kept, "the entry in the system's keyring"
        text = self._folder.read(self._file, secret=True)
        return None if text is None else (text, self._file)

    def _make(self, trusted: Iterable[PublicKey]) -> LocalSigner:
        text, signer = _fresh()
        self._put(text, signer, trusted)
        return signer

    def _put(self, text: str, signer: LocalSigner, trusted: Iterable[PublicKey]) -> None:
        # The public half first: a key that is trusted and lost is harmless, one that signs untrusted is not.
        self._write_public([*trusted, signer.public])
        if self._keyring is not None:
            self._keyring.set_password(KEYRING_SERVICE, str(self.folder), text)
        else:
            self._folder.replace(self._file, f"{text}\n".encode())

    def _given_up(self) -> Signer | None:
        """The key that is said to be lost: it may be here, or damaged."""
        try:
            return self.signer()
        except KeyUnsafeError:
            return None

    def _known(self, signer: Signer | None) -> list[PublicKey]:
        """The trusted keys, the one that signs (or did) last; without one that a killed rotation never made."""
        given_up = (self._folder.read(self._turn) or "\n").split("\n")[1]
        current = [] if signer is None else [signer.public]
        recorded = [key for key in self._recorded() if key not in current]
        return [key for key in recorded if key.to_text() != given_up] + current

    def _recorded(self) -> list[PublicKey]:
        text = self._folder.read(self._public) or ""
        return [_public_of(line, self._public) for line in text.splitlines()]

    def _write_public(self, keys: Iterable[PublicKey]) -> None:
        text = "".join(f"{key.to_text()}\n" for key in dict.fromkeys(keys))
        self._folder.replace(self._public, text.encode("utf-8"))

    def _remembered(self, store_id: str) -> tuple[int, str] | None:
        path = self.folder / f"checkpoint-{_name(store_id)}.txt"
        text = self._folder.read(path)
        if text is None:
            return None
        size, separator, note = text.partition("\n")
        if not separator or not size.isdecimal():
            raise KeyUnsafeError(f"{path} is damaged", hint="verify the store, then remove that file")
        return int(size), note


def _seed(text: str, origin: object) -> bytes:
    try:
        seed = b64decode(text.strip().encode("ascii"), validate=True)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise KeyUnsafeError(f"{origin} is damaged: not 32 bytes in base64", hint="restore it from an export")
    return seed


def _fresh() -> tuple[str, LocalSigner]:
    """A new signing key, as text and as signer."""
    text = b64encode(secrets.token_bytes(32)).decode("ascii")
    return text, _signer_of(text, "a new key")


def _signer_of(text: str, origin: object) -> LocalSigner:
    """The signer of a key text; its name is `affidavit-` and the first 8 digits of its public key."""
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - slow to load

    key = ed25519.Ed25519PrivateKey.from_private_bytes(_seed(text, origin))
    raw = key.public_key().public_bytes_raw()
    return LocalSigner(PublicKey(f"affidavit-{raw[:4].hex()}", raw), key)


def _public_of(line: str, path: Path) -> PublicKey:
    try:
        return PublicKey.parse(line)
    except NoteError as error:
        raise KeyUnsafeError(f"{path} is damaged: {error}", hint="restore it from an export") from None


def _name(store_id: str) -> str:
    return sha256(store_id.encode("utf-8")).hexdigest()[:32]


def _erasure_key(folder: KeyFolder, *, create: bool) -> bytes:
    path = folder.path / ERASURE_KEY
    text = folder.read(path, secret=True)
    if text is not None:
        return _seed(text, path)
    if not create or any(folder.path.glob("erased-*.txt")):
        raise KeyLostError(f"{path} is gone, so what was erased can't be recognised", hint="import an export")
    folder.replace(path, b64encode(key := secrets.token_bytes(32)) + b"\n")
    return key


def _mark(key: bytes, space_id: str, value: str) -> str:
    return hmac.digest(key, f"{space_id}\0{value}".encode("utf-8", "surrogatepass"), "sha256").hex()
