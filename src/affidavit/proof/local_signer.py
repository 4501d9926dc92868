"""A signing key in this process's memory, and the text it is kept as."""

import os
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affidavit.ledger.note import PublicKey
from affidavit.proof.key_folder import seed_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


@dataclass(frozen=True, slots=True)
class LocalSigner:
    """A signing key in memory. Its text shows only the public half."""

    public: PublicKey
    _key: "Ed25519PrivateKey" = field(repr=False, compare=False)

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature (64 bytes) over `message`."""
        return self._key.sign(message)


def fresh_key(entropy: Callable[[int], bytes] = os.urandom) -> tuple[str, LocalSigner]:
    """A new signing key, as text and as signer."""
    text = b64encode(entropy(32)).decode("ascii")
    return text, signer_of(text, "a new key")


def signer_of(text: str, origin: object) -> LocalSigner:
    """The signer of a key text; its name is `affidavit-` and the first 8 digits of its public key."""
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - slow to load

    key = ed25519.Ed25519PrivateKey.from_private_bytes(seed_of(text, origin))
    raw = key.public_key().public_bytes_raw()
    return LocalSigner(PublicKey(f"affidavit-{raw[:4].hex()}", raw), key)
