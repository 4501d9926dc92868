"""Which key signs the heads of a store, and when. The key itself never lies in the database."""

from typing import TYPE_CHECKING

from affidavit.core.ids import DIRECTORY_ID
from affidavit.core.values import Head
from affidavit.errors import KeyLostError, KeyStoreError, StoreUnreadableError
from affidavit.ledger.note import NoteError, verify_note
from affidavit.store.commit import origin_of, sign_head
from affidavit.store.directory import is_signed
from affidavit.store.keys import (
    KEY_LOST_HINT,
    OLDER_COPY,
    OLDER_COPY_HINT,
    OTHERS_PLACE,
    OTHERS_PLACE_HINT,
    SigningKeys,
    rotations,
    signer_names,
)
from affidavit.store.protocol import Reads
from affidavit.store.sql.connection import Connection
from affidavit.store.sql.reads import SqlReads

if TYPE_CHECKING:
    from affidavit.ledger.note import Signer


_MOST_KNOWN = 4096
"""Of how many spaces the last signed head is remembered, so that it need not be verified again."""


class Heads:
    """Signs the heads of one store: at each commit, or only at a seal."""

    def __init__(self, keys: SigningKeys, store_id: str, *, every_commit: bool, damaged_hint: str) -> None:
        self._keys, self._store_id = keys, store_id
        self.every_commit = every_commit
        self._damaged_hint = damaged_hint
        self.signer: Signer | None = None
        self._goes_on = False
        self._known: dict[str, tuple[str | None, int, bytes]] = {}

    def begin(self) -> None:
        """A new store's key, made if there is none. One that is sealed elsewhere needs none here."""
        if self.every_commit:
            self.signer = self._keys.signer() or self._keys.create()

    def find(self, note: object, reads: Reads) -> None:
        """Take the key of a store whose directory is signed like this.

        A fresh key must not sign on where another one signed before: that would hide the loss. Nor may one that
        another took over from, if it is put back.
        """
        signed_by = signer_names(note)
        known = {key.name for key in self._keys.public_keys()}
        signer = self._keys.signer() if not signed_by or signed_by & known else None
        if signer is not None and signed_by and signer.public.name not in signed_by:
            replaced = {entry.get("old") for entry in rotations(reads)}
            signer = None if signer.public.to_text() in replaced else signer
        self.signer = signer

    def follow(self, conn: Connection, place: str, *, sealing: bool = False) -> None:
        """Under the lock: another process may have replaced the key since we looked. Raises `KeyLostError`."""
        if not self.every_commit and not sealing:
            return
        row = conn.execute("SELECT note FROM space WHERE id = ?", (DIRECTORY_ID,)).fetchone()
        note = row[0] if row else None
        if self.signer is None or (note is not None and self.signer.public.name not in signer_names(note)):
            self.find(note, SqlReads(conn))
        if self.signer is None and self.every_commit:
            raise KeyLostError(
                f"the heads of {place} are signed by a key that is not here; nothing was written",
                hint=KEY_LOST_HINT,
            )

    def check_goes_on(self, conn: Connection, place: str) -> None:
        """Under the lock of the first commit: an older copy, or another store's place, must not be written on.

        That it holds the seal remembered last is the cheap part of what the next seal checks, and tells every copy
        that is older. Seals are remembered once they are committed, so a process that seals meanwhile is no alarm.
        Raises `KeyStoreError`.
        """
        if self._goes_on:
            return
        note = self._keys.checkpoint(self._store_id)
        if note is not None and not conn.execute("SELECT 1 FROM seal WHERE note = ?", (note,)).fetchone():
            raise KeyStoreError(f"{OLDER_COPY}; nothing was written", hint=OLDER_COPY_HINT)
        other = self._keys.other_store(place, self._store_id)
        if other is not None:
            told = OTHERS_PLACE.format(path=place, other=other, store_id=self._store_id)
            raise KeyStoreError(f"{told}; nothing was written", hint=OTHERS_PLACE_HINT)
        self._goes_on = True

    def note(self, space_id: str, size: int, root: bytes, before: str | None) -> str | None:
        """The note of a head that a commit has just moved."""
        if self.signer is None or not self.every_commit:
            return before
        note = sign_head(self.signer, self._store_id, space_id, size, root)
        self._keep(space_id, (note, size, root))
        return note

    def check(self, head: Head) -> None:
        """In a store that signs each commit: what the next one builds on must be what was signed before.

        Else whoever rewrites a log in the file would only have to wait until we sign what comes next.
        Raises `StoreUnreadableError`.
        """
        here = (head.note, head.size, head.root)
        if not self.every_commit or self.signer is None or self._known.get(head.space_id) == here:
            return
        why = "it is not signed" if head.note is None else self._unlike(head, head.note)
        if why:
            raise StoreUnreadableError(
                f"the head of space {head.space_id} is not the one that was signed ({why}); nothing was written",
                hint=self._damaged_hint,
            )
        self._keep(head.space_id, here)

    def _unlike(self, head: Head, note: str) -> str:
        """How a head differs from its signed note; empty where it does not."""
        try:
            signed = verify_note(note, self._keys.public_keys()).checkpoint
        except NoteError as error:
            return str(error)
        if signed.origin != origin_of(self._store_id, head.space_id):
            return "the signed head is another log's"
        if signed.extensions:
            return "a statement stands where the signed head belongs"
        if signed.size != head.size:
            return f"{signed.size} entries were signed, the head has {head.size}"
        return "" if signed.root == head.root else "another root was signed"

    def _keep(self, space_id: str, signed: tuple[str | None, int, bytes]) -> None:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[space_id] = signed

    def sign_all(self, conn: Connection, signer: "Signer", *, again: bool = False) -> None:
        """Sign every head that has moved since it was signed (`again`: every head), the directory's too."""
        reads = SqlReads(conn)
        for head in [*reads.heads(), *filter(None, [reads.head(DIRECTORY_ID)])]:
            if again or not is_signed(head):
                note = sign_head(signer, self._store_id, head.space_id, head.size, head.root)
                conn.execute("UPDATE space SET note = ? WHERE id = ?", (note, head.space_id))
