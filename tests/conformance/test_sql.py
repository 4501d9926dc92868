"""All SQL of the store keeps to the rules for portable SQL and names its space; behind it stands row-level security.

What a statement is in the end is known when it runs. So a whole life is recorded on a real server, and every place in
the code that runs a statement must have been in it.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

import affidavit.store
from affidavit import Config, Memory
from affidavit.errors import AffidavitError
from affidavit.store.migrations import migrations
from affidavit.store.postgres.connections import SPACES, PostgresConnection
from affidavit.store.postgres.dialect import statement
from affidavit.store.postgres.store import PostgresStore
from affidavit.store.protocol import Job, Selection
from affidavit.store.sql.connection import ACROSS
from affidavit.testing.house import GivenMemory
from affidavit.testing.life import ANA, BEN, life
from affidavit.testing.ports import Drawn, Ports, StepClock, WordVectors
from tests.attacks.conftest import remember
from tests.support_postgres import OWNER, Server

STORE = Path(affidavit.store.__file__).parent
SHARED = STORE / "sql"
OF_NO_SPACE = {"space", "meta", "seal"}
"""Tables without a policy: how a space is found, and what belongs to none."""
SQLITE_ALONE = (
    r"json_each|INSERT OR|REPLACE INTO|IFNULL|GLOB|strftime|julianday|PRAGMA|AUTOINCREMENT|\browid\b|instr\("
    r"|group_concat|typeof"
)
POSTGRES_ALONE = (
    r"::|ILIKE|jsonb|ctid|\bANY\b|LISTEN|NOTIFY|advisory|RETURNING|FOR UPDATE|unnest|string_agg"
    r"|NULLS (FIRST|LAST)"
)


class Ran(NamedTuple):
    sql: str
    values: tuple[Any, ...]
    site: tuple[str, int]


def _tables() -> set[str]:
    return {name for step in migrations() for name in re.findall(r"CREATE TABLE (\w+)", step.sql)}


def _record(monkeypatch: pytest.MonkeyPatch, ran: list[Ran]) -> None:
    execute, executemany = PostgresConnection.execute, PostgresConnection.executemany

    def site() -> tuple[str, int]:
        frame = sys._getframe(2)
        return Path(frame.f_code.co_filename).name, frame.f_lineno

    def one(self: PostgresConnection, sql: str, parameters: Any = (), /) -> Any:
        ran.append(Ran(sql, tuple(parameters), site()))
        return execute(self, sql, parameters)

    def many(self: PostgresConnection, sql: str, parameters: Any, /) -> Any:
        rows, where = list(parameters), site()
        ran.extend(Ran(sql, tuple(row), where) for row in rows or [()])
        return executemany(self, sql, rows)

    monkeypatch.setattr(PostgresConnection, "execute", one)
    monkeypatch.setattr(PostgresConnection, "executemany", many)


class Lived(NamedTuple):
    """A store in which a life was lived and not ended, and what was run for it."""

    address: str
    ran: list[Ran]
    spaces: dict[str, str]


@pytest.fixture(scope="module")
def lived(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lived]:
    address, folder = postgres.database(), tmp_path_factory.mktemp("lived")
    ran: list[Ran] = []

    def opened(ports: Ports) -> PostgresStore:
        return PostgresStore(address, keys=ports.keys, clock=ports.clock, entropy=ports.entropy)

    with pytest.MonkeyPatch.context() as patched:
        _record(patched, ran)
        memory = GivenMemory(opened, folder, clock=StepClock(), entropy=Drawn("sql"), embedder=WordVectors())
        kept: dict[str, Any] = {}
        for step in life():
            if step.name in {"reset", "verified at the end"}:
                continue
            try:
                kept[step.name] = step.call(memory, kept)
            except AffidavitError:
                continue
        memory.close()
        memory = GivenMemory(
            opened, folder, clock=StepClock(), entropy=Drawn("sql again"), embedder=WordVectors()
        )
        _the_rest(memory)
        with memory.store.snapshot() as reads:
            spaces = {str(head.name): head.space_id for head in reads.heads() if head.name}
        memory.close()
        target = postgres.database()
        with Memory(config=Config.load(db=address, key_dir=folder / "keys", embedder="none")) as copied:
            copied.admin.copy(target)
        postgres.drop(target)
    yield Lived(address, ran, spaces)
    postgres.drop(address)


def _the_rest(memory: GivenMemory) -> None:
    """What no step of the life asks of a store."""
    remember(memory)
    for user in (ANA, BEN):
        said = memory.add("I live in Rome", session_id="last", source_id="m9", **user)
        memory.add("Maybe I live in Oslo", source_id="m10", **user)
        memory.sources.revoke("m10", **user)
        memory.search("Rome", **user)
        memory.check_action("mail", {"to": "Rome", "text": "x"}, **user)
        memory.admin.embed(**user)
        memory.confirm(said.added[0].id, **user)
    store = memory.store
    with store.snapshot() as reads:
        reads.spaces_with_actor("user:ana")
        for head in reads.heads():
            space = head.space_id
            stored = list(reads.select(space, Selection(newest=True)))
            ids, seqs = [one.row.id for one in stored], [one.seq for one in stored]
            items = list(reads.all_items(space))
            versions = [one.row.id for one in items]
            reads.episodes_at(space, seqs)
            reads.entries_at(space, [0, 1])
            reads.contributors(space)
            reads.column(space, "text")
            list(reads.vectors(space, seqs=seqs))
            list(reads.vectors(space, after=0))
            reads.items_at(space, [one.seq for one in items])
            reads.item_column(space, "text")
            list(reads.support_times(space, versions))
            list(reads.support_times(space))
            reads.quoting(space, ids)
            reads.resting(space, ids)
            reads.closed_by(space, versions)
            reads.conflicts(space, open_only=False)
            reads.rejections(space)
            reads.rejections(space, ids[0] if ids else "ep_none")
            reads.permits(space, tool="transfer")
            list(reads.wordings(space, [("Rome",)]))
            reads.gate_texts(space)
    store.add_jobs([Job(head.space_id, "embed", "ep_none", 1)])
    store.drop_jobs([Job(head.space_id, "embed", "ep_none", 1)])


def _sites() -> set[tuple[str, int, int]]:
    """Every place in the shared SQL that runs a statement: file, first and last line."""
    found = set()
    for path in sorted(SHARED.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in {"execute", "executemany"}
                and node.args
                and not (isinstance(node.args[0], ast.Constant) and node.args[0].value == "COMMIT")
            ):
                found.add((path.name, node.lineno, node.end_lineno or node.lineno))
    return found


def test_every_place_that_runs_a_statement_is_in_the_record(lived: Lived) -> None:
    ran = {one.site for one in lived.ran}

    def was(name: str, first: int, last: int) -> bool:
        return any((name, line) in ran for line in range(first, last + 1))

    assert len(_sites()) > 50
    missed = [f"{name}:{first}" for name, first, last in sorted(_sites()) if not was(name, first, last)]
    assert missed == []


def test_every_statement_names_its_space_or_says_that_it_goes_across(lived: Lived) -> None:
    of_spaces = _tables() - OF_NO_SPACE
    unnamed = {
        one.sql
        for one in lived.ran
        if not one.sql.startswith(ACROSS)
        and statement(one.sql).space is None
        and of_spaces & set(re.findall(r"\w+", one.sql.split("WHERE")[0] + one.sql))
    }
    assert unnamed == set()


def test_what_goes_across_is_little_and_known(lived: Lived) -> None:
    """A new one is thought about: it is answered by rows of every space."""
    across = {
        re.sub(r"\s+", " ", one.sql.removeprefix(ACROSS))[:60]
        for one in lived.ran
        if one.sql.startswith(ACROSS)
    }
    known = (
        "SELECT space_id, ref FROM actor WHERE who = ?",
        "SELECT space_id, kind, target, created_at, payload FROM job",
        "SELECT DISTINCT space_id FROM",
        "SELECT space_id, target FROM job WHERE kind = 'list'",
        "SELECT kind, count(*) FROM",
        "SELECT count(*) FROM",
        "SELECT relation, count(*) FROM item",
        "INSERT INTO trace",
    )
    assert [sql for sql in sorted(across) if not sql.strip().startswith(known)] == []


def test_a_value_that_names_the_space_is_one(lived: Lived) -> None:
    for one in lived.ran:
        place = statement(one.sql).space
        if place is not None and one.values:
            assert str(one.values[place]).startswith(("sp_", "directory")), one.sql


def _texts(folder: Path) -> Iterator[tuple[Path, int, str]]:
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                yield path, node.lineno, node.value


def test_the_shared_sql_is_neither_databases_own() -> None:
    own = re.compile(f"{SQLITE_ALONE}|{POSTGRES_ALONE}")
    found = [f"{path.name}:{line}: {text[:80]}" for path, line, text in _texts(SHARED) if own.search(text)]
    assert found == []


def test_no_statement_anywhere_leans_on_what_a_cluster_has_not() -> None:
    """Advisory locks are of one node: the only one is taken to make the tables. Nothing listens, nothing triggers."""
    never = re.compile(r"\b(LISTEN|NOTIFY|CREATE (CONSTRAINT )?TRIGGER|jsonb?_set|REFERENCES)\b")
    found = [f"{path.name}: {text[:60]}" for path, _, text in _texts(STORE) if never.search(text)]
    assert found == []
    locks = [path.name for path, _, text in _texts(STORE) if "advisory" in text]
    assert locks == ["schema.py"]


def test_the_tables_are_portable(lived: Lived) -> None:
    with psycopg.connect(lived.address) as conn:
        reserved = {
            word for (word,) in conn.execute("SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T')")
        }
    for step in migrations():
        code = re.sub(r"--.*", "", step.sql)
        assert not re.search(r"\b(TRIGGER|REFERENCES|JSONB?|REAL|NUMERIC|BOOLEAN)\b", code, re.IGNORECASE)
        names = re.findall(r"^  (\w+) (?:TEXT|INTEGER|BLOB)", step.sql, re.MULTILINE)
        names += re.findall(r"CREATE (?:TABLE|INDEX|UNIQUE INDEX) (\w+)", step.sql)
        names += re.findall(r"ADD COLUMN (\w+)", step.sql)
        # The one exception is older than the rule, and is no key word where it stands.
        assert set(names) & reserved <= {"end", "start"}
        for table, body in re.findall(r"CREATE TABLE (\w+) \((.*?)\n\)", step.sql, re.DOTALL):
            key = re.search(r"PRIMARY KEY \((\w+)|(\w+) \w+ NOT NULL PRIMARY KEY", body)
            assert key is not None, table
            assert (key[1] or key[2]) == ("space_id" if table not in OF_NO_SPACE else key[2])
        for index, table, first in re.findall(r"CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+) \((\w+)", step.sql):
            assert first == "space_id" or table in OF_NO_SPACE, index


# -- the second belt


PREDICATE = re.compile(r"((?:\w+\.)?space_id = \?\d*)")


def _asked(conn: "psycopg.Connection[Any]", sql: str, values: tuple[Any, ...]) -> Counter[tuple[Any, ...]]:
    made = statement(sql)
    return Counter(conn.execute(made.sql.encode(), made.values(values) or None).fetchall())


def _about(conn: "psycopg.Connection[Any]", *spaces: str) -> None:
    conn.execute("SET LOCAL search_path = affidavit")
    conn.execute(f"SELECT set_config('{SPACES}', %s, true)", [",".join(spaces)])


def _reads(lived: Lived) -> dict[str, Ran]:
    """Each read of a space, with the values of the last time."""
    reads = {
        one.sql: one
        for one in lived.ran
        if statement(one.sql).space is not None and one.sql.lstrip().startswith(("SELECT", "WITH"))
    }
    assert len(reads) > 60
    return reads


def _connected(address: str) -> "psycopg.Connection[Any]":
    conn: psycopg.Connection[Any] = psycopg.connect(address)
    from psycopg.types.numeric import Int8Dumper
    from psycopg.types.string import StrDumper

    conn.adapters.register_dumper(str, StrDumper)
    conn.adapters.register_dumper(int, Int8Dumper)
    return conn


def test_a_read_that_forgot_its_condition_finds_no_row_of_another_space(lived: Lived) -> None:
    more = 0
    owner, above = _connected(lived.address), _connected(lived.address.replace(f"{OWNER}@", "postgres@"))
    with owner, above:
        for sql, one in _reads(lived).items():
            forgot = PREDICATE.sub(r"(\1 OR true)", sql)
            place = statement(sql).space
            assert place is not None
            for user in ("ana", "ben"):
                space = lived.spaces[user]
                values = (*one.values[:place], space, *one.values[place + 1 :])
                _about(owner, space)
                asked, wrong = _asked(owner, sql, values), _asked(owner, forgot, values)
                # With the condition gone only the policy is left, and it says the same.
                assert wrong == asked, sql
                _about(above)
                more += _asked(above, forgot, values) != asked
        owner.rollback()
        above.rollback()
    assert more > 40, "without the policy these very statements do find rows of others"


def test_a_read_in_a_transaction_that_named_no_space_finds_nothing(lived: Lived) -> None:
    with _connected(lived.address) as owner:
        for table in sorted(_tables() - OF_NO_SPACE):
            for said in (None, "", "sp_none", "sp_", "%", lived.spaces["ana"][:-1], "'", ",,"):
                owner.execute("SET LOCAL search_path = affidavit")
                if said is not None:
                    _about(owner, said)
                row = owner.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
                assert row == (0,), (table, said)
                owner.rollback()


@pytest.mark.parametrize("table", sorted(_tables() - OF_NO_SPACE))
def test_a_write_that_forgot_its_condition_reaches_no_row_of_another_space(lived: Lived, table: str) -> None:
    ana, ben = lived.spaces["ana"], lived.spaces["ben"]
    count = f"SELECT count(*) FROM {table} WHERE space_id = '{ben}'".encode()
    with _connected(lived.address) as owner:
        _about(owner, ben)
        before = owner.execute(count).fetchone()
        assert before is not None
        _about(owner, ana)
        owner.execute(f"DELETE FROM {table}".encode())
        _about(owner, ben)
        assert owner.execute(count).fetchone() == before
        owner.rollback()
        _about(owner, ana, ben)
        row = owner.execute(f"SELECT * FROM {table} WHERE space_id = '{ben}' LIMIT 1".encode()).fetchone()
        if row is not None:
            _about(owner, ana)
            marks = ", ".join(["%s"] * len(row))
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
                owner.execute(f"INSERT INTO {table} VALUES ({marks})".encode(), row)
        owner.rollback()


def test_every_table_of_a_space_has_a_policy_that_holds_for_its_owner(lived: Lived) -> None:
    with _connected(lived.address) as owner:
        found = owner.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " JOIN pg_policy p ON p.polrelid = c.oid"
            " WHERE n.nspname = 'affidavit' AND c.relrowsecurity AND c.relforcerowsecurity"
        ).fetchall()
    assert {name for (name,) in found} == _tables() - OF_NO_SPACE


def test_spaces_named_together_are_the_only_ones_seen(lived: Lived) -> None:
    with _connected(lived.address) as owner:
        _about(owner, lived.spaces["ana"], lived.spaces["ben"])
        seen = {one for (one,) in owner.execute("SELECT DISTINCT space_id FROM affidavit.entry")}
        assert seen == {lived.spaces["ana"], lived.spaces["ben"]}
