"""Another key signs from here on: both keys state it, the directory logs it, and every head is signed anew.

The order survives a kill at any point:
1. Seal, so that all the old key signed is listed (not where it is lost).
2. The key folder keeps the statement, then trusts the new key, then holds it. From here on that one signs.
3. One transaction logs the handover and signs every head with the new key. Other processes notice it under the
   lock of their next commit, and take the new key.
4. Let go of the statement; seal again, and remember that.
Killed between 2 and 4, the statement is still there: the next seal or rotation logs it first.
"""

from typing import TYPE_CHECKING, Protocol

from affidavit.errors import KeyLostError, StoreReadOnlyError
from affidavit.proof.handover import log_handover
from affidavit.proof.key_history import KeyHistory
from affidavit.proof.seal import SealingKeys, check_goes_on, seal
from affidavit.store.keys import KEY_LOST_HINT
from affidavit.store.protocol import Store

if TYPE_CHECKING:
    from affidavit.ledger.note import PublicKey
    from affidavit.proof.keys import Rotation


class RotatingKeys(SealingKeys, Protocol):
    """A key folder whose signing key can be replaced."""

    def rotate(self, store_id: str, *, lost: bool = False, history: "KeyHistory | None" = None) -> "Rotation":
        """Replace the signing key."""
        ...


def rotate_key(store: Store, keys: RotatingKeys, *, lost: bool = False) -> "PublicKey":
    """Replace the key that signs this store; the new one, for whoever checks the store from elsewhere.

    `lost`: the old key is gone, or in wrong hands; it vouches for nothing new, and whoever trusted it must be told
    of the new one. A rotation that was killed is finished instead of beginning another.
    Raises `KeyLostError` where the old key is not here, `StoreReadOnlyError` before anything has changed.
    """
    if store.read_only:
        raise StoreReadOnlyError(
            "the store can only be read", hint="check the permissions of its file and folder"
        )
    with keys.turning():
        check_goes_on(store, keys)
        unfinished = keys.handover()
        if unfinished is not None:
            log_handover(store, keys)
            seal(store, keys)
            return unfinished.new.public
        if not lost and seal(store, keys) is None:
            raise KeyLostError("there is no old key here", hint=KEY_LOST_HINT)
        turn = keys.rotate(store.store_id, lost=lost, history=KeyHistory.of(store))
        log_handover(store, keys)
        seal(store, keys)
        return turn.new.public
