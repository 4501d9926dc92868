"""Statements about a log's head, signed with the store's key: receipts now, whatever else is stated later."""

from collections.abc import Iterable
from dataclasses import dataclass

from affidavit.core.values import Head
from affidavit.errors import StoreUnreadableError
from affidavit.ledger.note import Checkpoint, NoteError, PublicKey, Signer, sign_checkpoint, verify_note
from affidavit.store.commit import origin_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Signing:
    """Signs statements for one store; without a signer there are none."""

    store_id: str
    signer: Signer | None
    keys: tuple[PublicKey, ...] = ()
    """Those that are trusted here, besides the signer's own: a head may still be signed by the one before it."""

    def state(self, head: Head, lines: tuple[str, ...]) -> str | None:
        """A signed checkpoint of this head with these extension lines, or None without a key."""
        if self.signer is None:
            return None
        checkpoint = Checkpoint(
            origin=origin_of(self.store_id, head.space_id), size=head.size, root=head.root, extensions=lines
        )
        return sign_checkpoint(checkpoint, [self.signer])

    def check_signed(self, head: Head) -> None:
        """A statement must not vouch for a head that was put into the file. Raises `StoreUnreadableError`."""
        if self.signer is None:
            return
        try:
            found = verify_note(head.note or "", [*self.keys, self.signer.public]).checkpoint
        except NoteError:
            found = None
        if found is None or (found.size, found.root) != (head.size, head.root):
            raise StoreUnreadableError(
                f"the head of space {head.space_id} is not the one that was signed; no receipt was given",
                hint="run `affidavit verify`, and restore from a backup made with `affidavit admin backup`",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A statement that was signed by a trusted key: about which log, at which size, and its lines."""

    origin: str
    size: int
    root: str
    lines: tuple[str, ...]
    key: str


def check_statement(text: str, keys: Iterable[PublicKey]) -> Stated | str:
    """The statement, if one of `keys` signed it; else why it can't be believed."""
    try:
        note = verify_note(text, keys)
    except NoteError as error:
        return f"{error.reason}: {error}"
    checkpoint = note.checkpoint
    return Stated(
        origin=checkpoint.origin,
        size=checkpoint.size,
        root=checkpoint.root.hex(),
        lines=checkpoint.extensions,
        key=note.keys[0].to_text(),
    )
