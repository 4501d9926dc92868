"""The numbered migrations. What has been released is never edited: each file's hash is kept in every store."""

import hashlib
from functools import cache
from importlib import resources
from typing import NamedTuple


class Migration(NamedTuple):
    """One step from one schema version to the next."""

    number: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        """SHA-256 of the file, as kept in the store's `meta`."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


@cache
def migrations() -> tuple[Migration, ...]:
    """All migrations, in order, numbered from 1 without a gap."""
    found = sorted(
        (item for item in resources.files(__name__).iterdir() if item.name.endswith(".sql")),
        key=lambda item: item.name,
    )
    steps = tuple(
        Migration(int(item.name[:4]), item.name.removesuffix(".sql"), item.read_text(encoding="utf-8"))
        for item in found
    )
    if [step.number for step in steps] != list(range(1, len(steps) + 1)):
        raise RuntimeError(f"migrations are not numbered 1..{len(steps)}: {[step.name for step in steps]}")
    return steps
