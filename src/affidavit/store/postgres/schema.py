"""The tables in a PostgreSQL database: those of the migrations, with its types, and a policy for each.

Texts are compared byte by byte, as SQLite does. The tables stand in a schema of their own, named `affidavit`.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from affidavit.errors import StoreForeignError, StoreNewerError, StorePlaceError, StoreReadOnlyError
from affidavit.store.migrations import Migration
from affidavit.store.postgres.connections import (
    SCHEMA,
    SNAPSHOT,
    SPACES,
    WRITING,
    Connections,
    PostgresConnection,
)
from affidavit.store.sqlite.schema import SCHEMA_KEY, statements

TYPES: Final = {"BLOB": "BYTEA", "INTEGER": "BIGINT", "TEXT": 'TEXT COLLATE "C"'}
_TYPE: Final = re.compile(r"(?<=\w )(BLOB|INTEGER|TEXT)\b(?! COLLATE)")
TABLE: Final = re.compile(r"CREATE TABLE (\w+)")
OF_SPACE: Final = re.compile(r"^  space_id ", re.MULTILINE)
_LOCK: Final = 0x41464456  # "AFDV"
POLICY: Final = (
    f"space_id = ANY (ARRAY(SELECT unnest(string_to_array(current_setting('{SPACES}', true), ','))))"
    f" OR current_setting('{SPACES}', true) LIKE '*%'"
)


def tables_of(sql: str) -> Iterator[str]:
    """The statements of a migration as PostgreSQL takes them."""
    for one in statements(sql):
        text = one.replace(" WITHOUT ROWID", "")
        yield _TYPE.sub(lambda found: TYPES[found[1]], text)
        table = TABLE.search(text)
        if table is not None and OF_SPACE.search(text):
            yield f"ALTER TABLE {table[1]} ENABLE ROW LEVEL SECURITY"
            yield f"ALTER TABLE {table[1]} FORCE ROW LEVEL SECURITY"
            yield f"CREATE POLICY of_spaces ON {table[1]} USING ({POLICY})"


def migrate(
    connections: Connections,
    place: str,
    known: Sequence[Migration],
    *,
    begin_store: Callable[[PostgresConnection], None],
) -> None:
    """Bring the database to the newest schema, or begin the store in it. Several processes may come here at once."""
    with connections.transaction(SNAPSHOT) as conn:
        version = _version(conn, place, known)
        read_only = _is_read_only(conn)
    if version == len(known):
        return
    if read_only:
        raise StoreReadOnlyError(
            f"{place} has schema {version} of {len(known)} and can only be read",
            hint="connect once to the primary, as a role that may create tables",
        )
    with connections.transaction(WRITING) as conn:
        conn.raw.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        version = _version(conn, place, known)
        if not version:
            _check_encoding(conn, place)
            conn.raw.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        for step in known[version:]:
            for one in tables_of(step.sql):
                conn.raw.execute(one)
        if version < len(known):
            conn.raw.execute(
                "INSERT INTO meta (key, value) VALUES (%s, %s)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [SCHEMA_KEY, digests(known)],
            )
        if not version:
            begin_store(conn)


def _check_encoding(conn: PostgresConnection, place: str) -> None:
    encoding = _one(conn, "SELECT current_setting(%s)", "server_encoding")
    if encoding != "UTF8":
        raise StorePlaceError(
            f"the database {place} keeps texts in {encoding}, which can't hold every one",
            hint="make a database with ENCODING 'UTF8'",
        )


def digests(known: Sequence[Migration]) -> str:
    """What `meta` says of the migrations that a database has."""
    return json.dumps([step.digest for step in known])


def _is_read_only(conn: PostgresConnection) -> bool:
    row = conn.raw.execute("SELECT pg_is_in_recovery()").fetchone()
    return bool(row and row[0])


def _version(conn: PostgresConnection, place: str, known: Sequence[Migration]) -> int:
    """How many migrations the database has; 0 for one that is empty. Raises for a newer one."""
    # Not `to_regclass`: it may still remember from before the lock was had that there is none.
    found = _one(
        conn,
        "SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %s AND c.relname = 'meta'",
        SCHEMA,
    )
    if found is None:
        return 0
    value = _one(conn, f"SELECT value FROM {SCHEMA}.meta WHERE key = %s", SCHEMA_KEY)
    try:
        digests = json.loads(str(value))
    except ValueError:
        digests = None
    ours = [step.digest for step in known]
    if not isinstance(digests, list) or digests[: len(ours)] != ours[: len(digests)]:
        raise StoreForeignError(
            f"the schema {SCHEMA} of {place} is not one of ours", hint="give the address of another database"
        )
    if len(digests) > len(ours):
        raise StoreNewerError(
            f"{place} has schema {len(digests)}, and this Affidavit knows {len(ours)}",
            hint="upgrade affidavit",
        )
    return len(digests)


def _one(conn: PostgresConnection, sql: str, value: str) -> Any:
    row = conn.raw.execute(sql, [value]).fetchone()
    return None if row is None else row[0]
