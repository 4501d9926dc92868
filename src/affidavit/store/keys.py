"""What a store needs to know of its keys, for every database: where they come from, and what its log says of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from affidavit.core.ids import DIRECTORY_ID
from affidavit.ledger.encoding import EntryError, parse_entry
from affidavit.ledger.note import NoteError, parse_note

if TYPE_CHECKING:
    from affidavit.ledger.note import PublicKey, Signer
    from affidavit.store.protocol import Reads

OTHERS_PLACE = "{path} is where store {other} belongs, and this is {store_id}"
OTHERS_PLACE_HINT = "put the right file back; if this one belongs there now, run `affidavit keys accept`"
KEY_LOST_HINT = (
    "bring the key back with `affidavit keys import FILE`, or give it up with `affidavit keys rotate --lost`"
)
OLDER_COPY = "the store is not the one that was sealed last: it is older, or was rewritten"
OLDER_COPY_HINT = (
    "run `affidavit verify`; if an older copy was put back on purpose, run `affidavit keys accept`"
)
_ROTATED = b'"op":"KeyRotated"'


class SigningKeys(Protocol):
    """Where a store's signing key comes from."""

    def signer(self) -> "Signer | None":
        """The key, if it is here."""
        ...

    def create(self) -> "Signer":
        """The key, made if there is none."""
        ...

    def public_keys(self) -> "list[PublicKey]":
        """The keys whose signatures are believed."""
        ...

    def checkpoint(self, store_id: str) -> str | None:
        """The last seal that was remembered for the store."""
        ...

    def other_store(self, path: str, store_id: str) -> str | None:
        """The store that belongs at `path`, if it is another one than `store_id`."""
        ...


def rotations(reads: "Reads") -> list[Mapping[str, Any]]:
    """Every `KeyRotated` of the directory, in order. Nothing in them has been checked."""
    found: list[Mapping[str, Any]] = []
    for _, body in reads.entries(DIRECTORY_ID):
        if _ROTATED not in body:
            continue
        try:
            entry = parse_entry(body)
        except EntryError:
            continue
        if entry.get("op") == "KeyRotated":
            found.append(entry)
    return found


def signer_names(note: object) -> set[str]:
    """The names of the keys that signed a note, unverified."""
    try:
        return {name for name, *_ in parse_note(note).signatures} if isinstance(note, str) else set()
    except NoteError:
        return set()
