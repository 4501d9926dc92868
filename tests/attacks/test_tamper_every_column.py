"""Attack 34 and design 11: for every column of every table a changed value, a deleted and an inserted row is named."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest

from affidavit.proof.verify_result import Code
from affidavit.store.migrations import migrations


def _columns() -> list[str]:
    """Every table.column of the schema as the migrations make it, read from a database."""
    with closing(sqlite3.connect(":memory:")) as conn:
        for step in migrations():
            conn.executescript(step.sql)
        tables = [name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [
            f"{table}.{row[1]}" for table in tables for row in conn.execute(f"PRAGMA table_info({table})")
        ]


COLUMNS = _columns()
TABLES = sorted({column.partition(".")[0] for column in COLUMNS})
NOT_COVERED = {"trace", "job", "rejection"}
"""Tables that are not memory: `docs/spec/ledger-v1.md`, section 11."""

VALID = {
    "unendorsed": ["authorized"],
    "attested": ["authorized", "unendorsed"],
    "authorized": ["attested"],
    "active": ["quarantined"],
    "user": ["system", "team"],
    "third_party": ["user"],
}
"""Other values that the schema allows."""
LABELS = {
    "seq", "actor", "authority", "status", "recorded_at", "removed", "closed_at", "closed_by", "closed_seq", "members",
    "opened_at", "resolved_at", "kept", "number", "granted_at", "ended_at", "outcome", "decided_at", "confirmed_at",
}  # fmt: skip
KEYS = {"space_id", "ref", "id", "target", "memory_id", "version", "support"}
EXPECTED = {
    "meta": {Code.DB_CORRUPT, Code.LABEL_MISMATCH},
    "space.id": {Code.SPACE_MISSING},
    "space.kind": {Code.CONTENT_MISMATCH, Code.LABEL_MISMATCH, Code.DB_CORRUPT},
    "space.name": {Code.CONTENT_MISMATCH, Code.LABEL_MISMATCH, Code.UNLOGGED_ROW},
    "space.size": {Code.TRUNCATED, Code.ROOT_MISMATCH},
    "space.root": {Code.ROOT_MISMATCH},
    "space.frontier": {Code.ROOT_MISMATCH},
    "space.note": {Code.SIG_INVALID},
    "space.listed": {Code.LABEL_MISMATCH},
    "entry.space_id": {Code.TRUNCATED},
    "entry.seq": {Code.GAP, Code.TRUNCATED},
    "entry.body": {Code.LEAF_MISMATCH},
    "blind": {Code.CONTENT_MISMATCH},
    "actor.who": {Code.CONTENT_MISMATCH},
    "episode.terms": {Code.DERIVED_STALE},
    "embedding.target_seq": {Code.LABEL_MISMATCH},
    "item.terms": {Code.DERIVED_STALE},
    "item.match_key": {Code.DERIVED_STALE},
    "item.closed_end": {Code.CONTENT_MISMATCH, Code.LABEL_MISMATCH},
    "support_part": {Code.CONTENT_MISMATCH, Code.UNLOGGED_ROW},
    "seal.seq": {Code.GAP},
    "seal.note": {Code.SIG_INVALID},
}
"""Codes of which one must be told when a column, or any column of a table, is changed."""


def _expected(table, name):
    for place in (f"{table}.{name}", table):
        if place in EXPECTED:
            return EXPECTED[place]
    if name in KEYS:
        return {Code.ORPHAN_ENTRY}
    return {Code.LABEL_MISMATCH} if name in LABELS else {Code.CONTENT_MISMATCH}


def _others(value):
    """Values that an attacker may put in place of another."""
    if isinstance(value, int):
        yield from (value + 1, 0 if value else 7, "text", None)
    elif isinstance(value, bytes):
        yield from (
            bytes([value[0] ^ 1]) + value[1:] if value else b"x",
            value + b"\0",
            value[:-1],
            b"",
            None,
        )
        yield value.decode("latin-1")
    elif isinstance(value, str):
        yield from (value + " ", value[:-1] + chr(ord(value[-1]) ^ 1) if value else "x", "", None, b"bytes")
        yield from VALID.get(value, [])
    else:
        yield from ("something", 1)


def _rows(conn, table, column):
    """Places to attack: one where the column is not empty, then the first, a middle and the last row."""
    keys = _key_columns(conn, table)
    rows = conn.execute(
        f"SELECT {', '.join(keys)}, {column} FROM {table} ORDER BY {', '.join(keys)}"
    ).fetchall()
    filled = [i for i, row in enumerate(rows) if row[-1] is not None][:1]
    picked = dict.fromkeys([*filled, 0, len(rows) // 2, len(rows) - 1])
    return keys, [(row[:-1], row[-1]) for row in (rows[i] for i in picked)]


def test_the_store_has_rows_in_every_table(place):
    with place.attacked() as conn:
        empty = [name for name in TABLES if not conn.execute(f"SELECT count(*) FROM {name}").fetchone()[0]]
    assert empty == []


@pytest.mark.parametrize("most", [1, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize("column", COLUMNS)
def test_a_changed_value_is_named(place, column, most):
    table, _, name = column.partition(".")
    original = place.db.read_bytes()
    with place.attacked() as conn:
        keys, rows = _rows(conn, table, name)
        before = _dumped(conn)
    where = " AND ".join(f"{key} = ?" for key in keys)
    unseen, tried, expected = [], 0, _expected(table, name)
    for row, value in rows[:most]:
        for other in _others(value):
            place.db.write_bytes(original)

            def change(conn, row=row, other=other):
                conn.execute(f"UPDATE {table} SET {name} = ? WHERE {where}", (other, *row))

            with place.attacked() as conn:
                try:
                    change(conn)
                except sqlite3.IntegrityError:
                    try:
                        _relaxed(conn, change)
                    except sqlite3.IntegrityError:
                        continue  # a doubled or empty primary key: SQLite has no form for it
                if _dumped(conn) == before:
                    continue
            tried += 1
            found = place.codes()
            if table not in NOT_COVERED and not found & expected and not _is_erased(place, column, row):
                unseen.append((row, value, other, found))
    assert tried
    assert unseen == []


def _is_erased(place, column, row):
    """The kind of an erased space: what its commitment covered is gone with its blind (see the spec)."""
    if column != "space.kind":
        return False
    with place.attacked() as conn:
        return conn.execute("SELECT name FROM space WHERE id = ?", row).fetchone() == (None,)


@pytest.mark.parametrize("table", [table for table in TABLES if table not in NOT_COVERED])
def test_a_deleted_row_is_named(place, table):
    original = place.db.read_bytes()
    with place.attacked() as conn:
        keys = _key_columns(conn, table)
        rows = conn.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall()
    where = " AND ".join(f"{key} = ?" for key in keys)
    unseen = []
    for row in rows:
        place.db.write_bytes(original)
        with place.attacked() as conn:
            conn.execute(f"DELETE FROM {table} WHERE {where}", row)
        if not place.verify().problems:
            unseen.append(row)
    assert unseen == []


@pytest.mark.parametrize("table", [table for table in TABLES if table not in NOT_COVERED])
def test_an_inserted_row_is_named(place, table):
    """A copy of a row with one value of its key changed."""
    original = place.db.read_bytes()
    with place.attacked() as conn:
        keys = _key_columns(conn, table)
        names = [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
        rows = conn.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
    marks = ", ".join("?" * len(names))
    unseen, tried = [], 0
    for row in (rows[0], rows[len(rows) // 2], rows[-1]):
        for key in keys:
            at = names.index(key)
            new = row[at] + 1000 if isinstance(row[at], int) else f"{row[at]}0"
            other = (*row[:at], new, *row[at + 1 :])
            place.db.write_bytes(original)

            def insert(conn, other=other):
                conn.execute(f"INSERT INTO {table} VALUES ({marks})", other)

            with place.attacked() as conn:
                try:
                    insert(conn)
                except sqlite3.IntegrityError:
                    _relaxed(conn, insert)
            tried += 1
            if not place.verify().problems:
                unseen.append(other)
    assert tried
    assert unseen == []


@pytest.mark.parametrize("table", TABLES)
def test_a_dropped_table_is_named(place, table):
    with place.attacked() as conn:
        conn.execute(f"DROP TABLE {table}")
    assert Code.DB_CORRUPT in place.codes()


def test_what_is_not_covered_is_not_an_alarm(place):
    with place.attacked() as conn:
        conn.execute("DELETE FROM trace")
        conn.execute("DELETE FROM job")
    result = place.verify()
    assert (result.level, result.problems) == (2, ())


def _relaxed(conn: sqlite3.Connection, change: Callable[[sqlite3.Connection], None]) -> None:
    """Make a change that the schema forbids, as somebody who edits bytes can."""
    schema = conn.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    conn.execute("PRAGMA writable_schema = ON")
    for name, sql in schema:
        loose = re.sub(r"(?<!IS )NOT NULL", " " * 8, sql).replace("CREATE UNIQUE INDEX", "CREATE  INDEX")
        conn.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (loose, name))
    conn.execute("PRAGMA writable_schema = RESET")
    try:
        change(conn)
    finally:
        conn.execute("PRAGMA writable_schema = ON")
        conn.executemany(
            "UPDATE sqlite_master SET sql = ? WHERE name = ?", [(sql, name) for name, sql in schema]
        )
        conn.execute("PRAGMA writable_schema = RESET")


def _key_columns(conn: sqlite3.Connection, table: str) -> list[str]:
    info = conn.execute(f"PRAGMA table_info({table})").fetchall()
    return [name for _, name, _, _, _, key in sorted(info, key=lambda row: row[5]) if key]


def _dumped(conn: sqlite3.Connection) -> str:
    return json.dumps(list(conn.iterdump()))
