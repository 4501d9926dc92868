"""A `Memory` over a given store, with a given clock, random bytes and keys."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

from affidavit.config import Config
from affidavit.memory import Memory
from affidavit.proof.keys import KeyRing
from affidavit.providers.embedder import Embedder
from affidavit.rooms import Rooms
from affidavit.store.protocol import Clock, Entropy, Store
from affidavit.testing.ports import Ports, StoreFactory

if TYPE_CHECKING:
    from affidavit.store.postgres.store import PostgresStore
    from affidavit.store.sqlite.store import SqliteStore

TOOLS = {
    "transfer": {"to": "recipient", "amount": "amount", "note": False},
    "mail": {"to": "recipient", "text": False},
}


class _House(Rooms):
    """The rooms over whatever store the factory opens; without one, over a file."""

    def __init__(
        self,
        make: StoreFactory | None,
        *,
        config: Config,
        clock: Clock,
        entropy: Entropy,
        embedder: Embedder | None,
    ) -> None:
        self._make = make
        super().__init__(None, embedder=embedder, config=config, clock=clock, entropy=entropy, tools=TOOLS)

    def _opened(self, db: object, *, receiving: str | None = None) -> "SqliteStore | PostgresStore":
        if self._make is None:
            return super()._opened(db, receiving=receiving)
        ports = Ports(keys=self.keys_of, clock=self.clock, entropy=self.entropy, signing=self.config.signing)
        # The rooms use nothing of a store but the protocol.
        return cast("SqliteStore", self._make(ports))

    def keys_of(self, store_id: str) -> KeyRing:
        """Keys in files, drawn from the same bytes as all else."""
        return KeyRing(self.config.key_dir / store_id, environ={}, entropy=self.entropy)


class GivenMemory(Memory):
    """`Memory` over the store of a factory; without one, over a file in `folder`. Its keys lie in `folder`."""

    def __init__(
        self,
        make: StoreFactory | None,
        folder: Path,
        *,
        clock: Clock,
        entropy: Entropy,
        embedder: Embedder | None = None,
        signing: str = "local",
    ) -> None:
        config = Config.load(
            environ={},
            home=folder,
            db=str(folder / "store" / "memory.db"),
            key_dir=folder / "keys",
            embedder="none",
            signing=signing,
        )
        self._rooms = _House(make, config=config, clock=clock, entropy=entropy, embedder=embedder)

    @property
    def store(self) -> Store:
        """The store under it."""
        return self._rooms.store
