"""The tables in a database: begun once, moved forward, never taken from others or from the future."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from affidavit import Config, Memory
from affidavit.errors import StoreForeignError, StoreNewerError, StorePlaceError, StoreReadOnlyError
from affidavit.store import migrations as real
from affidavit.store.migrations import Migration
from affidavit.store.postgres.dialect import statement
from affidavit.store.postgres.schema import tables_of
from tests.support_postgres import OWNER, Server
from tests.support_stores import plainly

NOW = len(real.migrations())
NEXT = Migration(
    NOW + 1,
    "next_test_only",
    "CREATE TABLE extra (\n  space_id TEXT NOT NULL,\n  id TEXT NOT NULL,\n  PRIMARY KEY (space_id, id)\n)"
    " WITHOUT ROWID;\n"
    "ALTER TABLE trace ADD COLUMN more TEXT;\n",
)
BROKEN = Migration(NOW + 1, "broken", "CREATE TABLE half (id TEXT);\nINSERT INTO nowhere VALUES (1);\n")


@pytest.fixture
def config(postgres: Server, tmp_path: Path) -> Iterator[Config]:
    address = postgres.database()
    yield Config.load(db=address, key_dir=tmp_path / "keys", embedder="none")
    postgres.drop(address)


def know(monkeypatch: pytest.MonkeyPatch, *known: Migration) -> None:
    for place in ("store", "audit", "findings"):
        monkeypatch.setattr(f"affidavit.store.postgres.{place}.migrations", lambda: known)


@pytest.mark.parametrize("first", range(1, NOW))
def test_a_database_of_every_earlier_schema_moves_forward(
    config: Config, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    with monkeypatch.context() as patched:
        know(patched, *real.migrations()[:first])
        Memory(config=config)._rooms.store.close()
    with Memory(config=config) as memory:
        assert memory.admin.inspect().schema == NOW
        memory.add("I live in Lisbon", user_id="ana")
        verified = memory.verify()
        assert (verified.level, verified.problems) == (2, ())


def test_a_next_schema_has_its_policy_and_the_older_program_refuses_it(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(config=config) as memory:
        memory.add("I live in Lisbon", user_id="ana")
    with monkeypatch.context() as patched:
        know(patched, *real.migrations(), NEXT)
        with Memory(config=config) as memory:
            assert memory.list(user_id="ana").total == 2
        with plainly(config.database) as conn:
            assert conn.execute(
                "SELECT relforcerowsecurity FROM pg_class WHERE relname = 'extra'"
            ).fetchone() == (True,)
    with pytest.raises(StoreNewerError, match=f"schema {NOW + 1}"):
        Memory(config=config)


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(config=config) as memory:
        memory.add("I live in Lisbon", user_id="ana")
    with monkeypatch.context() as patched:
        know(patched, *real.migrations(), BROKEN)
        with pytest.raises(Exception, match="nowhere"):
            Memory(config=config)
    with Memory(config=config) as memory, plainly(config.database) as conn:
        assert "half" not in conn.tables()
        assert memory.verify().problems == ()


def test_a_schema_of_somebody_else_is_not_touched(config: Config) -> None:
    with psycopg.connect(config.database, autocommit=True) as conn:
        conn.execute("CREATE SCHEMA affidavit")
        conn.execute("CREATE TABLE affidavit.meta (key TEXT, value TEXT)")
        conn.execute("INSERT INTO affidavit.meta VALUES ('schema', 'theirs')")
    with pytest.raises(StoreForeignError, match="not one of ours"):
        Memory(config=config)
    with plainly(config.database) as plain:
        assert plain.tables() == ["meta"]


def test_other_schemas_of_the_database_are_left_alone(config: Config) -> None:
    with psycopg.connect(config.database, autocommit=True) as conn:
        conn.execute("CREATE SCHEMA theirs")
        conn.execute("CREATE TABLE theirs.episode (id TEXT)")
        conn.execute(f"ALTER ROLE {OWNER} IN DATABASE {conn.info.dbname} SET search_path = theirs".encode())
    with Memory(config=config) as memory:
        memory.add("I live in Lisbon", user_id="ana")
        assert memory.verify().problems == ()
    with psycopg.connect(config.database) as conn:
        assert conn.execute("SELECT count(*) FROM theirs.episode").fetchone() == (0,)


def test_begun_by_many_at_once_there_is_one_store(config: Config) -> None:
    def opened(_: int) -> str:
        memory = Memory(config=config)
        memory._rooms.store.close()
        return memory._rooms.store.store_id

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(opened, range(6)))) == 1


def test_a_database_that_can_not_hold_every_text(postgres: Server, config: Config) -> None:
    name = "latin" + config.database.partition("/t")[2].partition("?")[0]
    postgres.run(f"CREATE DATABASE {name} OWNER {OWNER} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    place = f"postgresql://{OWNER}@/{name}?host={postgres.folder}"
    with pytest.raises(StorePlaceError, match="LATIN1"):
        Memory(place, config=config)
    postgres.drop(place)


def test_a_role_that_may_make_nothing(postgres: Server, config: Config) -> None:
    name = f"weak{config.database.partition('/t')[2].partition('?')[0]}"
    postgres.run(f"CREATE ROLE {name} LOGIN")
    with pytest.raises(StoreReadOnlyError, match="permission denied"):
        Memory(config.database.replace(f"{OWNER}@", f"{name}@"), config=config)
    postgres.run(f"DROP ROLE {name}")


def test_without_the_driver_it_is_said_what_to_install() -> None:
    code = (
        "import sys\nsys.modules['psycopg'] = None\nfrom affidavit import Memory\n"
        "from affidavit.errors import StorePlaceError\n"
        "try:\n    Memory('postgresql://x@/y')\nexcept StorePlaceError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "affidavit[postgres]" in done.stdout


@pytest.mark.parametrize(
    "sql, made",
    [
        ("SELECT a FROM t WHERE b = ?", "SELECT a FROM t WHERE b = %s"),
        ("SELECT '?' FROM t WHERE b LIKE '%x' AND c = ?", "SELECT '?' FROM t WHERE b ILIKE '%%x' AND c = %s"),
        ("SELECT a FROM t INDEXED BY i WHERE b = ?2 AND c = ?1", "SELECT a FROM t WHERE b = %s AND c = %s"),
        ("SELECT 1 FROM w CROSS JOIN t USING (a)", "SELECT 1 FROM w JOIN t USING (a)"),
        ("SELECT length(CAST(a AS BLOB))", "SELECT length(convert_to(a, 'UTF8'))"),
        ("SELECT 5 % 2", "SELECT 5 %% 2"),
    ],
)
def test_statements_are_translated(sql: str, made: str) -> None:
    assert statement(sql).sql == made


@pytest.mark.parametrize(
    "sql, space",
    [
        ("SELECT a FROM t WHERE space_id = ? AND b = ?", 0),
        ("SELECT a FROM t WHERE b = ? AND space_id = ?", 1),
        ("SELECT a FROM t WHERE b = ?3 AND t.space_id = ?2", 1),
        ("INSERT INTO t (space_id, a) VALUES (?, ?)", 0),
        ("INSERT INTO t (a, space_id) VALUES (?, ?)", None),
        ("SELECT a FROM t WHERE other_space_id = ?", None),
        ("SELECT a FROM t", None),
    ],
)
def test_which_value_is_the_space(sql: str, space: int | None) -> None:
    assert statement(sql).space == space


def test_every_table_of_a_space_is_made_with_its_policy() -> None:
    made = [one for step in real.migrations() for one in tables_of(step.sql)]
    assert not [one for one in made if "WITHOUT ROWID" in one or " BLOB" in one]
    secured = [one.split()[2] for one in made if one.endswith("FORCE ROW LEVEL SECURITY")]
    assert {"entry", "episode", "item", "permit", "trace", "job"} <= set(secured)
    assert not {"space", "meta", "seal"} & set(secured)
