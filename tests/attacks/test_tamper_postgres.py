"""The same in a database: whoever writes it without the key changes no value, adds and removes no row unseen."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from affidavit import Config, Memory
from affidavit.proof.verify_result import Code
from affidavit.store.sql.copying import tables_of_spaces
from tests.attacks.conftest import FakeEmbedder, remember
from tests.attacks.test_tamper_every_column import COLUMNS, NOT_COVERED, _expected
from tests.support_postgres import OWNER, Server
from tests.support_stores import Plain, plainly

pytestmark = pytest.mark.slow
COVERED = [column for column in COLUMNS if column.partition(".")[0] not in NOT_COVERED]
TABLES = sorted({column.partition(".")[0] for column in COVERED})


class Attacked(NamedTuple):
    memory: Memory
    conn: Plain


@pytest.fixture(scope="module")
def attacked(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """A store with a life in it, and somebody with every right in the database and no key."""
    address, keys = postgres.database(), tmp_path_factory.mktemp("attacked")
    config = Config.load(db=address, key_dir=keys, embedder="none")
    memory = Memory(config=config, embedder=FakeEmbedder())
    memory.add(
        [{"role": "user", "content": "I'd like the window seat", "name": "Priya"}, {"role": "tool", "content": "12A"}],
        user_id="priya", agent_id="bot", session_id="s2", metadata={"trip": "Lisbon"}, resources=["flight-7"],
        event_type="booking", idempotency_key="book-1", occurred_at="2026-03-10", source="desk", source_id="d-1",
    )  # fmt: skip
    memory.add(
        document="# Rules\n\nReturn it in 30 days.\n\n# More\n\nKeep the box.",
        user_id="priya",
        source="rules",
    )
    memory.add(
        "From the weekly call: ship on Friday", team_id="ops", user_id="leo", derived_from="third_party"
    )
    memory.add(
        {"role": "mail", "content": "Your invoice", "name": "Ben"}, user_id="leo", author="third_party"
    )
    memory.add("Kim's words", user_id="kim")
    remember(memory)
    memory.forget(user_id="kim", everything=True)
    memory.admin.seal()
    memory.admin.embed()
    memory.add("After the seal", user_id="priya")
    assert memory.verify().problems == ()
    with plainly(address) as conn:
        conn.loosen()
        yield Attacked(memory, conn)
    memory._rooms.store.close()
    postgres.drop(address)


def codes(memory: Memory) -> set[Code]:
    """What is told, but that the attacker took the checks of values away."""
    return {one.code for one in memory.verify().problems if not one.detail.startswith("checks ")}


def another(value: Any, kind: str) -> Any:
    if value is None:
        return {"bigint": 1, "bytea": b"x", "text": "something"}[kind]
    if isinstance(value, int):
        return value + 1
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:] if value else b"x"
    return f"{value[:-1]}{chr(ord(value[-1]) ^ 1)}" if value else "x"


def kind_of(conn: Plain, table: str, column: str) -> str:
    found = conn.conn.execute(
        "SELECT data_type FROM information_schema.columns WHERE table_schema = 'affidavit' AND table_name = %s"
        " AND column_name = %s",
        [table, column],
    ).fetchone()
    return str(found[0])


def rows(conn: Plain, table: str, column: str) -> list[tuple[Any, Any]]:
    """Where to attack, and what stands there: the first, a middle and the last row, and one where something stands."""
    # The kind of an erased space: what its commitment covered is gone with its blind (see the spec).
    living = " WHERE name IS NOT NULL" if (table, column) == ("space", "kind") else ""
    found = conn.conn.execute(f"SELECT ctid, {column} FROM {table}{living} ORDER BY 1").fetchall()
    picked = {0, len(found) // 2, len(found) - 1}
    picked.update([place for place, row in enumerate(found) if row[1] is not None][:1])
    return [found[place] for place in sorted(picked)]


@pytest.mark.parametrize("column", COVERED)
def test_a_changed_value_is_named(attacked: Attacked, column: str) -> None:
    memory, conn = attacked
    table, _, name = column.partition(".")
    tried = 0
    for place, value in rows(conn, table, name):
        other = another(value, kind_of(conn, table, name))
        change = f"UPDATE {table} SET {name} = %s WHERE ctid = %s RETURNING ctid"
        try:
            moved = conn.conn.execute(change, [other, place]).fetchone()
        except (psycopg.errors.UniqueViolation, psycopg.errors.NotNullViolation):
            continue
        tried += 1
        told = codes(memory)
        assert told & _expected(table, name), (value, other, told)
        conn.conn.execute(change, [value, moved[0]])
        assert codes(memory) == set()
    assert tried


@pytest.mark.parametrize("table", TABLES)
def test_a_removed_and_a_doubled_row_are_named(attacked: Attacked, table: str) -> None:
    memory, conn = attacked
    for place, *_ in rows(conn, table, "*"):
        row = conn.conn.execute(f"DELETE FROM {table} WHERE ctid = %s RETURNING *", [place]).fetchone()
        assert codes(memory), f"a row of {table} is gone unseen"
        marks = ", ".join(["%s"] * len(row))
        conn.conn.execute(f"INSERT INTO {table} VALUES ({marks})", row)
        assert codes(memory) == set()


@pytest.mark.parametrize("table", sorted(set(tables_of_spaces()) - NOT_COVERED))
def test_a_row_moved_to_another_space_is_named(attacked: Attacked, table: str) -> None:
    memory, conn = attacked
    spaces = [one for (one,) in conn.conn.execute("SELECT id FROM space WHERE name IS NOT NULL ORDER BY id")]
    place, space = rows(conn, table, "space_id")[-1]
    change = f"UPDATE {table} SET space_id = %s WHERE ctid = %s RETURNING ctid"
    moved = 0
    for other in spaces:
        if other == space:
            continue
        try:
            place = conn.conn.execute(change, [other, place]).fetchone()[0]
        except psycopg.errors.UniqueViolation:
            continue
        moved += 1
        assert codes(memory)
    place = conn.conn.execute(change, [space, place]).fetchone()[0]
    assert codes(memory) == set()
    assert moved


def test_the_attacker_is_not_our_role(attacked: Attacked) -> None:
    assert attacked.conn.conn.info.user == "postgres" != OWNER
    assert not Path(attacked.memory.admin.inspect().path).exists()
