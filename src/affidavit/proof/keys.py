"""The key folder of a store, outside its database: keys, last checkpoint, erasure marks.

Whoever can write the database can't forge its history while this folder is out of his reach. Rules:
1. Where a signing key comes from, in this order: the environment, the system's keyring (if one is handed in),
   the file `signing.key`. The first that holds one wins; a damaged or exposed one is an error, never skipped.
2. Every file is replaced whole, or appended to in one piece, under the folder's lock: a killed process or a
   second one leaves nothing half written.
3. A checkpoint never gives way to one of a smaller log.
"""

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from affidavit.errors import KeyLostError, KeyStoreError, KeyUnsafeError
from affidavit.ledger.note import NoteError, PublicKey, Signer
from affidavit.ledger.rotation import rotation_message
from affidavit.proof.key_export import KeyExport
from affidavit.proof.key_folder import KeyFolder
from affidavit.proof.key_history import KeyHistory
from affidavit.proof.local_signer import LocalSigner, fresh_key, signer_of
from affidavit.proof.places import Places
from affidavit.proof.tombstones import ERASURE_KEY, Tombstones

ENVIRONMENT_KEY = "AFFIDAVIT_SIGNING_KEY"
"""Holds the 32 bytes of a signing key in base64."""
KEYRING_SERVICE = "affidavit"


class Keyring(Protocol):
    """What we need of the library `keyring`; the imported module is one."""

    def get_password(self, service: str, username: str, /) -> str | None:
        """The kept text, None if there is none."""

    def set_password(self, service: str, username: str, password: str, /) -> None:
        """Keep a text."""


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


class KeyRing:
    """The keys of one store, in `folder`; nothing is created before it is needed.

    `environ` stands in for the process's environment; with `keyring` new keys go there, not into a file.
    """

    def __init__(
        self,
        folder: Path,
        *,
        environ: Mapping[str, str] = os.environ,
        keyring: Keyring | None = None,
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._entropy = entropy
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
        return None if found is None else signer_of(*found)

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

    def rotate(self, store_id: str, *, lost: bool = False, history: KeyHistory | None = None) -> Rotation:
        """Replace the signing key. The old one stays trusted, unless it is `lost` (or was stolen).

        Which one is lost is what the store's `history` says, if it is given: an older one may lie here, or none.
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
            if lost and history is not None and history.notes:
                old = history.in_force(known)
            text, new = fresh_key(self._entropy)
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

    def other_store(self, path: str, store_id: str) -> str | None:
        """The store that belongs at `path` as far as the key folder knows, if it is another one than `store_id`."""
        return Places(self.folder.parent).other_store(path, store_id)

    def lies_at(self, path: str, store_id: str) -> None:
        """The store was moved to `path` by its owner: it belongs there from now on."""
        Places(self.folder.parent).give(path, store_id)

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

    def exported(self) -> KeyExport:
        """All keys, to write to a file. Raises `KeyLostError` if there is no signing key."""
        found = self._find()
        if found is None:
            raise KeyLostError("there is no signing key to export", hint="the first write makes one")
        erasure = self._folder.read(self._erasure, secret=True)
        return KeyExport(
            signing=found[0].strip(), erasure=erasure and erasure.strip(), public=tuple(self.public_keys())
        )

    def take(self, export: KeyExport, *, replaced: Collection[PublicKey] = ()) -> None:
        """Take over exported keys.

        Keys in `replaced` (another took over from them, as the store says) give way, and so does one that the export
        trusts itself. Raises `KeyStoreError` if others are here.
        """
        signer = signer_of(export.signing, "the signing key of the export")
        with self._folder.locked():
            here = self._given_up()
            if ENVIRONMENT_KEY in self._environ and here != signer:
                raise KeyStoreError(
                    "the environment gives another signing key", hint=f"unset {ENVIRONMENT_KEY}"
                )
            if here is not None and here.public not in {signer.public, *export.public, *replaced}:
                raise KeyStoreError(
                    f"{self.folder} has newer keys, or those of another store; nothing was imported",
                    hint="nothing is missing if `affidavit doctor` is content; else move that folder away first",
                )
            self._take_erasure(export)
            kept = [key for key in self._recorded() if key not in replaced]
            self._put(export.signing, signer, [*kept, *export.public])

    def _take_erasure(self, export: KeyExport) -> None:
        here = self._folder.read(self._erasure, secret=True)
        if not export.erasure or (here and here.strip() == export.erasure):
            return
        if here and Tombstones.any_in(self.folder):
            raise KeyStoreError(
                f"{self._erasure} is another one than in the export, and marks were made with it; nothing was imported",
                hint="move that folder away, and import into an empty one",
            )
        self._folder.replace(self._erasure, f"{export.erasure}\n".encode())

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
        text, signer = fresh_key(self._entropy)
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
            raise KeyUnsafeError(
                f"{path} is damaged",
                hint="run `affidavit verify`; if the store is right, run `affidavit keys accept`",
            )
        return int(size), note


def _public_of(line: str, path: Path) -> PublicKey:
    try:
        return PublicKey.parse(line)
    except NoteError as error:
        raise KeyUnsafeError(f"{path} is damaged: {error}", hint="restore it from an export") from None


def _name(store_id: str) -> str:
    return sha256(store_id.encode("utf-8")).hexdigest()[:32]
