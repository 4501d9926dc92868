"""What only tests about the file may know: the store behind a `Memory` as the one in a file."""

from affidavit import Memory
from affidavit.store.sqlite.store import SqliteStore


def file_store(memory: Memory) -> SqliteStore:
    """The store of a memory that lies in a file."""
    store = memory._rooms.store
    assert isinstance(store, SqliteStore)
    return store
