"""Signed heads of logs: C2SP checkpoints (tlog-checkpoint) in C2SP signed notes, with Ed25519.

A note is a text, an empty line, and one line for each signature. The text of ours is a checkpoint:
the log's origin, its size, its root. Whoever holds the public key can check one without us.

`parse_note` trusts nothing and accepts only the one spelling of a note that `sign_checkpoint` writes
(or another implementation of the same specification). `verify_note` believes a note only for keys that
the caller already trusts; signatures by others are ignored, as the specification demands.
"""

import re
from base64 import b64encode
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from affidavit.ledger.tree import HASH_BYTES

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Reason: TypeAlias = Literal["malformed", "unknown_key", "bad_signature"]

KEY_BYTES = 32
SIGNATURE_BYTES = 64
MAX_SIGNATURES = 64
MAX_SIZE = 2**63 - 1

_ED25519 = b"\x01"
_DASH = "\u2014 "
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_KEY = re.compile(r"([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)", re.ASCII)
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f]")


class NoteError(ValueError):
    """A note, checkpoint or key text that can't be read, or a note that can't be believed.

    `reason` is `malformed` (not a note of this form), `unknown_key` (signed by none of the given keys)
    or `bad_signature` (names a given key, but that key did not sign this text).
    """

    def __init__(self, message: str, reason: Reason = "malformed") -> None:
        self.reason: Reason = reason
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        return (NoteError, (str(self), self.reason))


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An Ed25519 public key (32 bytes) and the name under which it signs."""

    name: str
    raw: bytes

    def __post_init__(self) -> None:
        _require_name(self.name)
        if len(self.raw) != KEY_BYTES:
            raise NoteError(f"an Ed25519 public key has {KEY_BYTES} bytes, this has {len(self.raw)}")

    @property
    def key_hash(self) -> bytes:
        """The 4 bytes that stand for name and key in a signature line; a hint, not a proof."""
        return sha256(self.name.encode("utf-8") + b"\n" + _ED25519 + self.raw).digest()[:4]

    def to_text(self) -> str:
        """The key as one line: name, key hash and key, joined by plus signs."""
        return f"{self.name}+{self.key_hash.hex()}+{b64encode(_ED25519 + self.raw).decode('ascii')}"

    @classmethod
    def parse(cls, text: str) -> "PublicKey":
        """The key that `to_text` wrote. Raises NoteError for anything else."""
        match = _KEY.fullmatch(text)
        if match is None:
            raise NoteError("a public key is written name+hash+key")
        data = _base64(match[3], "a public key")
        if data[:1] != _ED25519:
            raise NoteError("a public key must be an Ed25519 key (type 1)")
        key = cls(match[1], data[1:])
        if key.key_hash.hex() != match[2]:
            raise NoteError("a public key's hash does not match its name and key")
        return key

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Whether this key made `signature` (64 bytes) over `message`."""
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - not loaded until needed

        try:
            _loaded(self.raw).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class Signer(Protocol):
    """Who can sign heads: a key in memory, a service, a device."""

    @property
    def public(self) -> PublicKey:
        """The key with which the signatures are checked."""
        ...

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature (64 bytes) over `message`."""
        ...


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Head of a log: its origin, its number of entries and the root of their tree (32 bytes)."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for line in (self.origin, *self.extensions):
            if not line or "\n" in line or not _is_plain(line):
                raise NoteError("a line of a checkpoint is not empty and has no control characters")
        if not 0 <= self.size <= MAX_SIZE:
            raise NoteError(f"a log has between 0 and {MAX_SIZE} entries, not {self.size}")
        if len(self.root) != HASH_BYTES:
            raise NoteError(f"a root has {HASH_BYTES} bytes, this has {len(self.root)}")

    def body(self) -> str:
        """The text that is signed: origin, size, root and extensions, a line each."""
        root = b64encode(self.root).decode("ascii")
        return "\n".join((self.origin, str(self.size), root, *self.extensions, ""))


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it was read: nothing in it has been verified.

    `signatures` holds (key name, key hash, signature); `body` is the exact text they are over.
    """

    checkpoint: Checkpoint
    signatures: tuple[tuple[str, bytes, bytes], ...]
    body: str


@dataclass(frozen=True, slots=True)
class VerifiedNote:
    """A note that every key in `keys` has signed; `keys` holds at least one."""

    checkpoint: Checkpoint
    keys: tuple[PublicKey, ...]
    body: str


def sign_checkpoint(checkpoint: Checkpoint, signers: Sequence[Signer]) -> str:
    """The whole note: the checkpoint and one signature line for each signer, in their order.

    Raises ValueError without signers, with one key twice, or for a signature of the wrong length.
    """
    keys = [signer.public for signer in signers]
    if not 1 <= len(set(keys)) == len(keys) <= MAX_SIGNATURES:
        raise ValueError(f"a note is signed by 1 to {MAX_SIGNATURES} different keys")
    body = checkpoint.body()
    lines = [body, "\n"]
    for key, signer in zip(keys, signers, strict=True):
        signature = signer.sign(body.encode("utf-8"))
        if len(signature) != SIGNATURE_BYTES:
            raise ValueError(f"an Ed25519 signature has {SIGNATURE_BYTES} bytes, this has {len(signature)}")
        lines.append(f"{_DASH}{key.name} {b64encode(key.key_hash + signature).decode('ascii')}\n")
    return "".join(lines)


def parse_note(text: str) -> Note:
    """The parts of a note, unverified. Raises NoteError for every text that is not one."""
    if not _is_plain(text):
        raise NoteError("a note is valid Unicode text without control characters other than line ends")
    head, separator, tail = text.rpartition("\n\n")
    if not separator or not tail.endswith("\n"):
        raise NoteError("a note is a text, an empty line, and signature lines, each ended by a line end")
    lines = tail[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise NoteError(f"a note has at most {MAX_SIGNATURES} signatures")
    return Note(_parse_body(head), tuple(map(_parse_signature, lines)), head + "\n")


def verify_note(text: str, keys: Iterable[PublicKey]) -> VerifiedNote:
    """The note, once a key of `keys` has signed it and no signature in the name of one is wrong.

    Raises NoteError; its `reason` says which: `malformed`, `unknown_key` or `bad_signature`.
    """
    note = parse_note(text)
    known: dict[tuple[str, bytes], list[PublicKey]] = {}
    for key in keys:
        known.setdefault((key.name, key.key_hash), []).append(key)
    message = note.body.encode("utf-8")
    signed: dict[PublicKey, None] = {}
    for name, key_hash, signature in note.signatures:
        # Key hashes are short: two keys of one name may share one, and either may have signed.
        candidates = known.get((name, key_hash), [])
        makers = [key for key in candidates if key.verify(message, signature)]
        if candidates and not makers:
            raise NoteError(f"key {name} did not sign this text", "bad_signature")
        signed.update(dict.fromkeys(makers))
    if not signed:
        raise NoteError("the note is signed by none of the keys that are trusted here", "unknown_key")
    return VerifiedNote(note.checkpoint, tuple(signed), note.body)


def _parse_body(head: str) -> Checkpoint:
    lines = head.split("\n")
    if len(lines) < 3:
        raise NoteError("a checkpoint has at least three lines: origin, size, root")
    origin, size, root, *extensions = lines
    if _SIZE.fullmatch(size) is None:
        raise NoteError("a checkpoint's size is a decimal number without leading zeros")
    return Checkpoint(origin, int(size), _base64(root, "a root"), tuple(extensions))


def _parse_signature(line: str) -> tuple[str, bytes, bytes]:
    name, separator, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not separator:
        raise NoteError("a signature line is a dash, a key name and a signature, one space between")
    _require_name(name)
    data = _base64(encoded, "a signature")
    if len(data) <= 4:
        raise NoteError("a signature has more than the 4 bytes of its key hash")
    return name, data[:4], data[4:]


def _base64(text: str, what: str) -> bytes:
    """Bytes of padded standard base64 in its one canonical spelling."""
    try:
        data = a2b_base64(text.encode("ascii"), strict_mode=True)
    except (Base64Error, ValueError):
        raise NoteError(f"{what} must be written in standard base64") from None
    if b64encode(data).decode("ascii") != text:
        raise NoteError(f"{what} must be written in canonical base64")
    return data


def _require_name(name: str) -> None:
    if not name or "+" in name or any(map(str.isspace, name)) or not _is_plain(name):
        raise NoteError("a key name is not empty and has no spaces, plus signs or control characters")


def _is_plain(text: str) -> bool:
    """Whether a text is valid Unicode and holds no control characters but line feeds."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return _CONTROLS.search(text) is None


@lru_cache(maxsize=64)
def _loaded(raw: bytes) -> "Ed25519PublicKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 - not loaded until needed
        Ed25519PublicKey,
    )

    return Ed25519PublicKey.from_public_bytes(raw)
