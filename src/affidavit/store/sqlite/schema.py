"""Making a new file ours, bringing an old one up to date, refusing what is not ours or newer."""

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from affidavit.errors import StoreNewerError, StoreReadOnlyError, StoreUnreadableError
from affidavit.store.migrations import Migration
from affidavit.store.place import make_private
from affidavit.store.sqlite.errors import APPLICATION_ID, DAMAGED_HINT, foreign, was_ours

SCHEMA_KEY = "schema"
_TRIES = 200
_LEAST_BYTES = 512
"""The smallest page SQLite knows."""


def schema_version(conn: sqlite3.Connection, path: Path, known: Sequence[Migration]) -> int:
    """The file's schema version; 0 for an empty file. Raises for a file that is not ours, or newer."""
    if conn.in_transaction:
        return _version_here(conn, path, known)
    # Of one state: another process may make the file between one statement and the next.
    conn.execute("BEGIN")
    try:
        return _version_here(conn, path, known)
    finally:
        if conn.in_transaction:
            conn.execute("ROLLBACK")


def _version_here(conn: sqlite3.Connection, path: Path, known: Sequence[Migration]) -> int:
    version = int(conn.execute("PRAGMA user_version").fetchone()[0])
    application = int(conn.execute("PRAGMA application_id").fetchone()[0])
    empty = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if empty and version == 0 and application == 0:
        # Of a file shorter than its header SQLite says that it is empty, and would write over it.
        if 0 < path.stat().st_size < _LEAST_BYTES:
            raise _not_ours(path, damaged=was_ours(path))
        return 0
    if application != APPLICATION_ID or version < 1:
        ours = "SELECT count(*) FROM sqlite_master WHERE name IN ('space', 'entry', 'blind', 'episode')"
        has_our_tables = conn.execute(ours).fetchone()[0] == 4
        raise _not_ours(path, damaged=application == APPLICATION_ID or has_our_tables)
    if version > len(known):
        raise StoreNewerError(
            f"{path} has schema {version}, and this Affidavit knows {len(known)}", hint="upgrade affidavit"
        )
    return version


def _not_ours(path: Path, *, damaged: bool) -> StoreUnreadableError:
    if not damaged:
        return foreign(path)
    return StoreUnreadableError(f"{path} is damaged: its header is not ours", hint=DAMAGED_HINT)


def migrate(
    conn: sqlite3.Connection,
    path: Path,
    known: Sequence[Migration],
    *,
    begin_store: Callable[[sqlite3.Connection], None],
    read_only: bool,
) -> None:
    """Bring the file to the newest schema; of an older one a backup is made beside it first.

    Several processes may come here at once: what is missing is looked at again under the write lock.
    """
    version = schema_version(conn, path, known)
    if version == len(known):
        return
    if read_only:
        raise StoreReadOnlyError(
            f"{path} has schema {version} of {len(known)} and can't be migrated read-only",
            hint="make the file and its folder writable once",
        )
    if version:
        _backup_before(conn, path, version)
    else:
        _write_ahead(conn)
    conn.execute("BEGIN IMMEDIATE")
    try:
        version = schema_version(conn, path, known)
        for step in known[version:]:
            for statement in statements(step.sql):
                conn.execute(statement)
        if version < len(known):
            _stamp(conn, known)
        if not version:
            begin_store(conn)
        conn.execute("COMMIT")
    except BaseException:
        conn.execute("ROLLBACK")
        raise


def _stamp(conn: sqlite3.Connection, known: Sequence[Migration]) -> None:
    conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    conn.execute(f"PRAGMA user_version = {len(known)}")
    conn.execute(
        "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
        (SCHEMA_KEY, _digests(known)),
    )


def _digests(known: Sequence[Migration]) -> str:
    return json.dumps([step.digest for step in known])


def _backup_before(conn: sqlite3.Connection, path: Path, version: int) -> None:
    """The whole copy under its name, or none at all; of several processes at once the first one's is kept."""
    backup = path.with_name(f"{path.name}.before-schema-{version + 1}")
    if backup.exists():
        return
    part = path.with_name(f"{backup.name}-{secrets.token_hex(8)}")
    try:
        make_private(part)
        conn.execute("VACUUM INTO ?", (str(part),))
        # Another process may have migrated meanwhile: then its backup is the right one, not this copy.
        if _version_of(part) == version and not backup.exists():
            part.replace(backup)
    finally:
        part.unlink(missing_ok=True)


def _version_of(path: Path) -> int:
    copy = sqlite3.connect(path)
    try:
        return int(copy.execute("PRAGMA user_version").fetchone()[0])
    finally:
        copy.close()


def _write_ahead(conn: sqlite3.Connection) -> None:
    """Turn a new file to write-ahead logging. That fails at once where another process is at it, too.

    So we wait as one waits for a writer, and try again; `sqlite3.OperationalError` where it never becomes free.
    """
    for _ in range(_TRIES):
        try:
            conn.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            conn.execute("BEGIN IMMEDIATE")
            conn.execute("ROLLBACK")
        else:
            return
    conn.execute("PRAGMA journal_mode = WAL")


def statements(sql: str) -> Iterator[str]:
    """The single statements of a script, so that they run inside our own transaction."""
    waiting = ""
    for line in sql.splitlines(keepends=True):
        waiting += line
        if sqlite3.complete_statement(waiting):
            yield waiting
            waiting = ""
    if waiting.strip():
        raise ValueError(f"a statement has no end: {waiting[:60]!r}")


def check_shape(conn: sqlite3.Connection, known: Sequence[Migration]) -> list[str]:
    """What in the file's schema differs from what the migrations make; empty where nothing does."""
    fresh = sqlite3.connect(":memory:")
    try:
        for step in known:
            fresh.executescript(step.sql)
        # GLOB: in LIKE the underscore would stand for any character, and hide a trigger named sqliteX.
        query = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_*'"
        expected, found = set(fresh.execute(query)), set(conn.execute(query))
    finally:
        fresh.close()
    stamped = conn.execute("SELECT value FROM meta WHERE key = ?", (SCHEMA_KEY,)).fetchone()
    different = [f"{kind} {name}" for kind, name, *_ in sorted(expected ^ found, key=str)]
    if stamped != (_digests(known),):
        different.append("the hashes of the migrations")
    return different


__all__ = ["DAMAGED_HINT", "SCHEMA_KEY", "check_shape", "migrate", "schema_version", "statements"]
