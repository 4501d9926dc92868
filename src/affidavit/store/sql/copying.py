"""A whole store, copied into another database: every row as it stands, so that its ledger and its proofs hold there.

Space by space, each in one transaction, so that a copy that was cut short goes on where it was. Until it is finished
the copy says that it is none: nobody can write on in half a store.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from affidavit.core.ids import DIRECTORY_ID
from affidavit.core.values import Head
from affidavit.errors import ConflictError
from affidavit.store.migrations import migrations
from affidavit.store.sql.connection import Connection
from affidavit.store.sql.reads import SqlReads
from affidavit.store.sql.store import COPYING_KEY, SqlStore

_TABLE: Final = re.compile(r"CREATE TABLE (\w+) \((.*?)\n\)", re.DOTALL)
_COLUMN: Final = re.compile(r"^  (\w+) (?:TEXT|INTEGER|BLOB)\b", re.MULTILINE)
_ADDED: Final = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+)")
_PASSES: Final = 5
_BATCH: Final = 500


class CopiedRows(NamedTuple):
    """How much was copied now; what was there from an earlier run is not in it."""

    spaces: int
    rows: int


def tables_of_spaces() -> dict[str, list[str]]:
    """Every table whose rows belong to a space, with its columns."""
    made = {name: _COLUMN.findall(body) for step in migrations() for name, body in _TABLE.findall(step.sql)}
    for name, column in (found for step in migrations() for found in _ADDED.findall(step.sql)):
        made[name].append(column)
    return {name: columns for name, columns in made.items() if columns[0] == "space_id"}


def copy_spaces(source: SqlStore, target: SqlStore) -> CopiedRows:
    """Copy what is not there yet, until nothing in the source has moved meanwhile.

    Raises `ConflictError` where it goes on being written, or where the target holds what the source has not.
    """
    spaces = rows = 0
    for _ in range(_PASSES):
        with source.raw() as conn:
            moved = _moved(SqlReads(conn), target)
            if not moved:
                target.receive(partial(_copy_seals, conn))
                return CopiedRows(spaces, rows)
            for head in moved:
                rows += target.receive(partial(_copy_space, conn, head))
        spaces += len(moved)
    raise ConflictError(
        f"{source.place} was written while it was copied",
        hint="stop what writes to it, and run the copy again",
    )


def finish_copy(target: SqlStore) -> None:
    """Say that the copy is whole: from here on it can be opened."""
    target.receive(lambda into: into.execute("DELETE FROM meta WHERE key = ?", (COPYING_KEY,)).rowcount)


def _copy_seals(conn: Connection, into: Connection) -> int:
    seals = conn.execute("SELECT seq, note FROM seal ORDER BY seq").fetchall()
    into.execute("DELETE FROM seal")
    into.executemany("INSERT INTO seal (seq, note) VALUES (?, ?)", seals)
    return len(seals)


def _moved(reads: SqlReads, target: SqlStore) -> list[Head]:
    """The spaces that the target has not as they are now, the directory last."""
    with target.raw() as conn:
        there = {head.space_id: head for head in _heads(SqlReads(conn))}
    here = _heads(reads)
    unknown = there.keys() - {head.space_id for head in here}
    if unknown:
        raise ConflictError(
            f"{target.place} holds spaces that are not in what is copied: {', '.join(sorted(unknown)[:3])}",
            hint="copy into an empty database",
        )
    return [head for head in here if there.get(head.space_id) != head]


def _heads(reads: SqlReads) -> list[Head]:
    return [*reads.heads(), *filter(None, [reads.head(DIRECTORY_ID)])]


def _copy_space(conn: Connection, head: Head, into: Connection) -> int:
    """All rows of a space, in place of whatever is there of it."""
    space_id, count = head.space_id, 0
    for table, columns in tables_of_spaces().items():
        into.execute(f"DELETE FROM {table} WHERE space_id = ?", (space_id,))
        listed, marks = ", ".join(columns), ", ".join("?" * len(columns))
        add = f"INSERT INTO {table} ({listed}) VALUES ({marks})"
        for batch in _batches(conn.execute(f"SELECT {listed} FROM {table} WHERE space_id = ?", (space_id,))):
            into.executemany(add, batch)
            count += len(batch)
    row = conn.execute(
        "SELECT id, kind, name, size, root, frontier, note, listed FROM space WHERE id = ?", (space_id,)
    ).fetchone()
    into.execute("DELETE FROM space WHERE id = ?", (space_id,))
    into.execute(
        "INSERT INTO space (id, kind, name, size, root, frontier, note, listed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        tuple(row),
    )
    return count


def _batches(rows: Any) -> Iterator[Sequence[Any]]:
    every = iter(rows)
    while batch := list(islice(every, _BATCH)):
        yield batch
