"""How a store stands with its keys: what would stop its next write or seal, without writing anything."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from affidavit.errors import KeyLostError, KeyStoreError
from affidavit.proof.seal import SealingKeys, check_goes_on
from affidavit.store.keys import KEY_LOST_HINT, OTHERS_PLACE, OTHERS_PLACE_HINT
from affidavit.store.protocol import Store

if TYPE_CHECKING:
    from collections.abc import Callable


def troubles(store: Store, keys: SealingKeys) -> Iterator[tuple[str, KeyStoreError]]:
    """What is wrong, each with a short name: the key is not here, an older copy was put back, another store's place."""
    looks: tuple[tuple[str, Callable[[Store, SealingKeys], None]], ...] = (
        ("signing key", _check_key),
        ("history", check_goes_on),
        ("place", _check_place),
    )
    for name, look in looks:
        try:
            look(store, keys)
        except KeyStoreError as error:
            yield name, error


def _check_key(store: Store, _: SealingKeys) -> None:
    if not store.can_sign() and store.signs_commits:
        raise KeyLostError(
            "the key that signs this store is not here: it can be read, and nothing can be written",
            hint=KEY_LOST_HINT,
        )


def _check_place(store: Store, keys: SealingKeys) -> None:
    other = keys.other_store(store.place, store.store_id)
    if other is not None:
        told = OTHERS_PLACE.format(path=store.place, other=other, store_id=store.store_id)
        raise KeyStoreError(told, hint=OTHERS_PLACE_HINT)
