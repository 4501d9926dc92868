"""Every store does what the one in a file does: the same results, errors, rows and bytes."""

from collections.abc import Callable
from pathlib import Path

from affidavit.store.postgres.store import PostgresStore
from affidavit.store.sqlite.store import SqliteStore
from affidavit.testing import Ports, check_store
from tests.support_postgres import Server


class Places:
    """A place for a new store, as often as it is asked for."""

    def __init__(self, new: Callable[[], str], make: Callable[[str, Ports], object]) -> None:
        self._new, self._make = new, make
        self.place = ""

    def begin(self) -> None:
        self.place = self._new()

    def opened(self, ports: Ports):
        return self._make(self.place, ports)


def test_the_store_in_a_file(tmp_path: Path) -> None:
    numbers = iter(range(9))
    places = Places(
        lambda: str(tmp_path / f"{next(numbers)}.db"),
        lambda place, p: SqliteStore(place, keys=p.keys, clock=p.clock, entropy=p.entropy, signing=p.signing),
    )
    assert check_store(places.opened, begin=places.begin) > 150


def test_the_store_in_a_database(postgres: Server) -> None:
    places = Places(
        postgres.database,
        lambda place, p: PostgresStore(
            place, keys=p.keys, clock=p.clock, entropy=p.entropy, signing=p.signing
        ),
    )
    assert check_store(places.opened, begin=places.begin) > 150
