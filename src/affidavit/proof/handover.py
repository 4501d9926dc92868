"""The handover of a key, from the key folder's statement into the log."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from affidavit.core.changes import KeyRotated
from affidavit.store.keys import rotations
from affidavit.store.protocol import Store

if TYPE_CHECKING:
    from affidavit.proof.keys import Rotation


class TurningKeys(Protocol):
    """A key folder that may hold a handover nobody has logged yet."""

    def handover(self) -> "Rotation | None":
        """The handover to the key that signs now, if nobody has said yet that it is logged."""
        ...

    def turning(self) -> AbstractContextManager[None]:
        """Hold this while a handover is stated and logged: two at once would lose one, or log it after the next."""
        ...

    def handed_over(self) -> None:
        """Say that the handover is logged."""
        ...


def log_handover(store: Store, keys: TurningKeys) -> bool:
    """Log the handover that waits, and sign every head with the new key; whether there was one."""
    if keys.handover() is None:
        return False
    with keys.turning():
        turn = keys.handover()
        if turn is None:
            return False  # another process was first
        new = turn.new.public.to_text()
        if not _is_logged(store, new):
            change = KeyRotated(
                old=turn.old.to_text() if turn.old else None,
                new=new,
                by_old=turn.by_old.hex() if turn.by_old else None,
                by_new=turn.by_new.hex(),
            )
            store.hand_over(turn.new, change)
        keys.handed_over()
    return True


def _is_logged(store: Store, new: str) -> bool:
    """Whether we were killed right after logging it."""
    with store.snapshot() as reads:
        return any(entry.get("new") == new for entry in rotations(reads))
