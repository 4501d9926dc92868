"""What the SQL of a store needs of a database: one connection, inside one transaction.

`sqlite3.Connection` is one. Statements are written for SQLite, with `?` and `?1` for values, and say nothing that
another database can't be told; what stands there for SQLite's planner alone (`INDEXED BY`, `CROSS JOIN … USING`) others
leave out.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Protocol

ACROSS: Final = "/* across spaces */ "
"""Stands before a statement that reads or writes rows of several spaces, and says so; every other names its space."""


class Cursor(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""
        ...

    def fetchone(self) -> Any:
        """The next row, None if there is none."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """Runs statements."""

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Cursor:
        """Run one statement."""
        ...

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Cursor:
        """Run one statement for each of several rows of values."""
        ...
