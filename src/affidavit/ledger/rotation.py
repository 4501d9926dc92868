"""What two keys sign when one hands over to the other.

The statement is a `pae`, which begins with control characters, so it can never be taken for a note, nor a
note for it. It names the store: a handover of one store means nothing in another.
"""

from affidavit.ledger.encoding import pae
from affidavit.ledger.note import PublicKey


def rotation_message(store_id: str, old: PublicKey | None, new: PublicKey) -> bytes:
    """The bytes that the new key signs, and the old one too unless it is lost (None: not even known)."""
    return pae("KeyRotated", [store_id, old.to_text() if old else None, new.to_text()])
