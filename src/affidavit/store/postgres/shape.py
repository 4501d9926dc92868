"""Is a database's schema what the migrations make: columns, keys, checks, indexes, policies; no triggers, no rules.

The server shows each of them in words of its own, which differ between versions in casts and brackets only: both sides
are compared without.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from affidavit.store.migrations import Migration
from affidavit.store.postgres.connections import SCHEMA, PostgresConnection
from affidavit.store.postgres.schema import OF_SPACE, POLICY, TABLE, TYPES, digests
from affidavit.store.sqlite.schema import SCHEMA_KEY, statements

_COLUMN: Final = re.compile(r"^  (\w+) (TEXT|INTEGER|BLOB)( NOT NULL)?(?: (PRIMARY KEY))?", re.MULTILINE)
_ADDED: Final = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+) (TEXT|INTEGER|BLOB)( NOT NULL)?")
_KEY: Final = re.compile(r"^  PRIMARY KEY \((.*?)\)", re.MULTILINE)
_INDEX: Final = re.compile(r"CREATE (?:UNIQUE )?INDEX (\w+) ON")
_LITERAL: Final = re.compile(r"'([^']*)'")
_NOISE: Final = re.compile(r"::\w+(?:\[\])?|\busing btree\b|\bas unnest\b|[\s()\[\]\";]")
_OURS: Final = f"relnamespace = '{SCHEMA}'::regnamespace"

Shape = dict[tuple[str, str], str]
"""What there is, by kind and name."""


def differences(conn: PostgresConnection, known: Sequence[Migration]) -> list[str]:
    """What in the database's schema differs from what the migrations make; empty where nothing does."""
    wanted, found = dict(_wanted(known)), dict(_found(conn))
    different = [
        f"{kind} {name}"
        for kind, name in sorted({*wanted, *found})
        if wanted.get((kind, name)) != found.get((kind, name))
    ]
    stamped = conn.execute("SELECT value FROM meta WHERE key = ?", (SCHEMA_KEY,)).fetchone()
    if stamped != (digests(known),):
        different.append("the hashes of the migrations")
    return different


def _wanted(known: Sequence[Migration]) -> Iterator[tuple[tuple[str, str], str]]:
    for sql in (one for step in known for one in statements(step.sql)):
        index, table = _INDEX.search(sql), TABLE.search(sql)
        if index is not None:
            yield ("index", index[1]), _plain(sql[index.start() :])
        for name, column, kind, needed in _ADDED.findall(sql):
            yield ("column", f"{name}.{column}"), _column(TYPES[kind].split()[0].lower(), needed=bool(needed))
        if table is None:
            continue
        name = table[1]
        for column, kind, needed, _ in _COLUMN.findall(sql):
            yield ("column", f"{name}.{column}"), _column(TYPES[kind].split()[0].lower(), needed=bool(needed))
        key = _KEY.search(sql)
        columns = key[1] if key else next(one[0] for one in _COLUMN.findall(sql) if one[3])
        yield ("index", f"{name}_pkey"), _plain(f"CREATE UNIQUE INDEX {name}_pkey ON {name} ({columns})")
        checks = " ".join(re.findall(r"CHECK \(.*? IN\s*\((.*?)\)\)", sql, re.DOTALL))
        yield ("checks", name), " ".join(sorted(_LITERAL.findall(checks)))
        secured = OF_SPACE.search(sql) is not None
        yield ("row-level security", name), _plain(POLICY) if secured else ""


def _found(conn: PostgresConnection) -> Iterator[tuple[tuple[str, str], str]]:
    for table, column, kind, needed, collation in _rows(
        conn,
        "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, l.collname FROM pg_class c"
        " JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_collation l ON l.oid = a.attcollation"
        f" WHERE c.{_OURS} AND c.relkind IN ('r', 'v', 'm', 'f', 'p') AND a.attnum > 0 AND NOT a.attisdropped",
    ):
        yield ("column", f"{table}.{column}"), _column(kind, needed=needed, collation=collation)
    for name, definition, valid in _rows(
        conn,
        "SELECT c.relname, pg_get_indexdef(c.oid), i.indisvalid FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid"
        f" WHERE c.{_OURS}",
    ):
        yield ("index", name), _plain(definition) if valid else "not valid"
    tables = _rows(
        conn,
        "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity,"
        " ARRAY(SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'),"
        " ARRAY(SELECT concat_ws(' ', CASE WHEN p.polcmd <> '*' OR NOT p.polpermissive OR p.polroles <> '{0}'"
        " THEN 'other' END, pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid))"
        f" FROM pg_policy p WHERE p.polrelid = c.oid) FROM pg_class c WHERE c.{_OURS} AND c.relkind = 'r'",
    )
    for table, secured, checks, policies in tables:
        yield ("checks", table), " ".join(sorted(_LITERAL.findall(" ".join(checks))))
        yield ("row-level security", table), " and ".join(map(_plain, policies)) if secured else ""
    for kind, name in _rows(
        conn,
        "SELECT 'trigger', t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        f" WHERE c.{_OURS} AND NOT t.tgisinternal UNION ALL SELECT 'rule', r.rulename FROM pg_rewrite r"
        f" JOIN pg_class c ON c.oid = r.ev_class WHERE c.{_OURS}",
    ):
        yield (kind, name), "there"


def _column(kind: str, *, needed: bool, collation: str | None = "C") -> str:
    return f"{kind}{' C' if kind == 'text' and collation == 'C' else ''}{' needed' if needed else ''}"


def _plain(words: str) -> str:
    return _NOISE.sub("", words.lower().replace(f"{SCHEMA}.", "").replace("~~", "like"))


def _rows(conn: PostgresConnection, sql: str) -> Any:
    return conn.raw.execute(sql.encode()).fetchall()
