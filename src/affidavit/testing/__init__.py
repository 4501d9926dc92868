"""For whoever writes a store: does it do what ours do?

`check_store` takes a function that opens the store, and runs a whole life through it beside one in a file: the same
calls with the same clock, random bytes and keys. Every result, every error, every row and every byte of the ledger must
be the same. Then it checks what one life can't show: several writers at once, snapshots, commits that fail.

>>> from pathlib import Path
>>> from affidavit.store.sqlite.store import SqliteStore
>>> def opened(ports: Ports) -> SqliteStore:
...     return SqliteStore(
...         "mine.db", keys=ports.keys, clock=ports.clock, entropy=ports.entropy, signing=ports.signing
...     )
>>> check_store(opened, begin=lambda: Path("mine.db").unlink(missing_ok=True)) > 50
True

It needs no test framework: what differs is raised as `DiffersError`, an `AssertionError`.
"""

from affidavit.testing.checks import check_store
from affidavit.testing.compare import DiffersError, Pair
from affidavit.testing.ports import Ports, StoreFactory

__all__ = ["DiffersError", "Pair", "Ports", "StoreFactory", "check_store"]
