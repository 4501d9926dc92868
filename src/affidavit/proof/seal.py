"""Seal: list what changed, sign the directory, and remember that seal beside the key."""

from typing import TYPE_CHECKING, Protocol

from affidavit.errors import AffidavitError, StoreReadOnlyError
from affidavit.ledger.note import parse_note
from affidavit.proof.handover import TurningKeys, log_handover
from affidavit.proof.places import Places
from affidavit.store.protocol import Store

if TYPE_CHECKING:
    from pathlib import Path


class SealingKeys(TurningKeys, Protocol):
    """Where seals are remembered, out of reach of whoever can write the database."""

    @property
    def folder(self) -> "Path":
        """Where they lie; its parent is the folder of all stores' keys."""
        ...

    def remember(self, store_id: str, note_text: str, size: int) -> None:
        """Keep the seal of a directory of `size` entries, unless a larger one is kept already."""
        ...


def seal(store: Store, keys: SealingKeys) -> str | None:
    """Seal the store; the signed note, or None where there is no key to sign with.

    The seal is remembered once it is committed: a crash in between leaves an older one to hold the store to.
    A handover of the key that was cut short is logged first.
    """
    log_handover(store, keys)
    note = store.seal()
    if note is not None:
        keys.remember(store.store_id, note, parse_note(note).checkpoint.size)
        for path in store.files()[:1]:
            Places(keys.folder.parent).keep(path, store.store_id)
    return note


class RestoringKeys(SealingKeys, Protocol):
    """A key folder that can be told that an older copy is the store now."""

    def drop_checkpoint(self, store_id: str) -> None:
        """Forget the remembered checkpoint."""
        ...


def accept_copy(store: Store, keys: RestoringKeys) -> str | None:
    """Take the store as it stands, at the place where it stands, for the right one: after a restore or a move.

    What was sealed later, if anything, is given up: nobody will be warned that it is gone. The new seal's note, or
    None where there is no key.
    """
    if store.read_only:
        raise StoreReadOnlyError(
            "the store can only be read", hint="check the permissions of its file and folder"
        )
    keys.drop_checkpoint(store.store_id)
    for path in store.files()[:1]:
        Places(keys.folder.parent).give(path, store.store_id)
    return seal(store, keys)


def seal_on_close(store: Store, keys: SealingKeys) -> None:
    """Seal if it can be done now. Closing never fails for it: what was committed is safe without a seal."""
    if store.read_only:
        return
    try:
        seal(store, keys)
    except AffidavitError:
        return
