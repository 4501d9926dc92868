"""Seal: list what changed, sign the directory, and remember that seal beside the key."""

from typing import TYPE_CHECKING, Protocol

from affidavit.core.ids import DIRECTORY_ID
from affidavit.errors import AffidavitError, KeyStoreError, StoreReadOnlyError
from affidavit.ledger.note import NoteError, parse_note
from affidavit.ledger.tree import Frontier, leaf_hash
from affidavit.proof.handover import TurningKeys, log_handover
from affidavit.proof.places import Places
from affidavit.store.keys import OLDER_COPY, OLDER_COPY_HINT
from affidavit.store.protocol import Store

if TYPE_CHECKING:
    from pathlib import Path


class SealingKeys(TurningKeys, Protocol):
    """Where seals are remembered, out of reach of whoever can write the database."""

    @property
    def folder(self) -> "Path":
        """Where they lie; its parent is the folder of all stores' keys."""
        ...

    def checkpoint(self, store_id: str) -> str | None:
        """The last seal that was remembered for the store."""
        ...

    def other_store(self, path: str, store_id: str) -> str | None:
        """The store that belongs at `path`, if it is another one than `store_id`."""
        ...

    def remember(self, store_id: str, note_text: str, size: int) -> None:
        """Keep the seal of a directory of `size` entries, unless a larger one is kept already."""
        ...


def seal(store: Store, keys: SealingKeys) -> str | None:
    """Seal the store; the signed note, or None where there is no key to sign with.

    The seal is remembered once it is committed: a crash in between leaves an older one to hold the store to.
    A handover of the key that was cut short is logged first.
    Raises `KeyStoreError` where the directory does not go on from the remembered seal: a new one would take its
    place, and with it the last sign that the store was put back or rewritten.
    """
    check_goes_on(store, keys)
    log_handover(store, keys)
    note = store.seal()
    if note is not None:
        keys.remember(store.store_id, note, parse_note(note).checkpoint.size)
        Places(keys.folder.parent).keep(store.place, store.store_id)
    return note


def check_goes_on(store: Store, keys: SealingKeys) -> None:
    """Hold the store against the seal that is remembered beside the key. Raises `KeyStoreError`."""
    note = keys.checkpoint(store.store_id)
    if note is None:
        return
    try:
        kept = parse_note(note).checkpoint
    except NoteError as error:
        raise KeyStoreError(
            f"the checkpoint beside the key is damaged ({error}); nothing was sealed",
            hint="run `affidavit verify`; if the store is right, run `affidavit keys accept`",
        ) from error
    with store.snapshot() as reads:
        head = reads.head(DIRECTORY_ID)
        size, root = (0, b"") if head is None else (head.size, head.root)
        there = any(sealed == note for _, sealed in reads.seals())
        if size > kept.size:
            bodies = (body for _, body in reads.entries(DIRECTORY_ID, 0, kept.size))
            root = Frontier.empty().extend(map(leaf_hash, bodies)).root()
    if size < kept.size or root != kept.root or not there:
        raise KeyStoreError(f"{OLDER_COPY}; so it is not sealed", hint=OLDER_COPY_HINT)


class RestoringKeys(SealingKeys, Protocol):
    """A key folder that can be told that an older copy is the store now."""

    def drop_checkpoint(self, store_id: str) -> None:
        """Forget the remembered checkpoint."""
        ...


def accept_copy(store: Store, keys: RestoringKeys) -> str | None:
    """Take the store as it stands, at the place where it stands, for the right one: after a restore or a move.

    What was sealed later, if anything, is given up: nobody will be warned that it is gone. The new seal's note, or
    None where there is no key: then the next seal takes it.
    """
    if store.read_only:
        raise StoreReadOnlyError(
            "the store can only be read", hint="check the permissions of its file and folder"
        )
    keys.drop_checkpoint(store.store_id)
    Places(keys.folder.parent).give(store.place, store.store_id)
    return seal(store, keys) if store.can_sign() else None


def seal_on_close(store: Store, keys: SealingKeys) -> None:
    """Seal if it can be done now. Closing never fails for it: what was committed is safe without a seal."""
    if store.read_only:
        return
    try:
        seal(store, keys)
    except AffidavitError:
        return
