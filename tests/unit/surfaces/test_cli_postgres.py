"""The command line over a database: made, found, erased, told of by doctor; no password is ever shown."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from affidavit import Config, Memory
from affidavit.surfaces.cli.run import run
from tests.support_postgres import OWNER, Server


@pytest.fixture
def address(postgres: Server) -> Iterator[str]:
    made = postgres.database()
    yield made
    postgres.drop(made)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], address: str) -> Callable[..., Any]:
    def call(*words: str, code: int = 0, db: str = address) -> Any:
        assert run([*words, "--db", db, "-o", "json"]) == code
        told = capsys.readouterr()
        assert "geheim" not in told.out + told.err
        return json.loads(told.out or told.err)

    return call


def text(capsys: pytest.CaptureFixture[str], address: str, *words: str) -> str:
    run([*words, "--db", address, "-o", "text"])
    told = capsys.readouterr()
    return told.out + told.err


def checks(told: Any) -> dict[str, Any]:
    return {check["name"]: check for check in told["checks"]}


def test_a_store_is_made_used_and_verified(cli: Callable[..., Any]) -> None:
    assert (
        "there is no store in postgresql://" in cli("search", "x", "--user", "ana", code=2)["error"]["what"]
    )
    assert cli("init", "--user", "ana")["made"] is True
    assert cli("init")["made"] is False
    cli("add", "I live in Lisbon")
    assert cli("ask", "Where do I live?")["text"] == "Lisbon"
    assert cli("verify")["level"] == 2
    assert cli("admin", "inspect")["path"].startswith(f"postgresql://{OWNER}@/")
    assert cli("keys", "show")["current"]


def test_doctor_before_there_is_a_store(cli: Callable[..., Any]) -> None:
    assert "none yet" in checks(cli("doctor"))["store"]["detail"]


def test_doctor_tells_of_server_role_and_schema(cli: Callable[..., Any], postgres: Server) -> None:
    cli("add", "I live in Lisbon", "--user", "ana")
    found = checks(cli("doctor", code=1))
    assert found["server"]["detail"].startswith("PostgreSQL 18")
    # The server of the tests is one that nobody should run.
    assert (found["server"]["ok"], "fsync" in found["server"]["detail"]) == (False, True)
    assert found["row-level security"]["ok"]
    assert OWNER in found["row-level security"]["detail"]
    assert found["schema"]["ok"]
    assert found["spaces"]["detail"] == "1 user"
    assert "psycopg" in found["versions"]["detail"]


def test_doctor_tells_where_policies_do_not_hold(cli: Callable[..., Any], address: str) -> None:
    cli("add", "I live in Lisbon", "--user", "ana")
    found = checks(cli("doctor", code=1, db=address.replace(f"{OWNER}@", "postgres:geheim@")))
    belt = found["row-level security"]
    assert not belt["ok"]
    assert belt["detail"] == "it does not hold: the role postgres is a superuser"
    assert "SUPERUSER" in belt["hint"]


TRIGGER = (
    "CREATE FUNCTION affidavit.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
    "CREATE TRIGGER t BEFORE INSERT ON affidavit.episode FOR EACH ROW EXECUTE FUNCTION affidavit.f()"
)


@pytest.mark.parametrize(
    "change, told",
    [
        ("ALTER TABLE affidavit.episode DISABLE ROW LEVEL SECURITY", "row-level security episode"),
        ("ALTER TABLE affidavit.episode NO FORCE ROW LEVEL SECURITY", "row-level security episode"),
        ("DROP POLICY of_spaces ON affidavit.item", "row-level security item"),
        ("ALTER POLICY of_spaces ON affidavit.item USING (true)", "row-level security item"),
        ("CREATE POLICY more ON affidavit.item USING (true)", "row-level security item"),
        ("ALTER TABLE affidavit.episode ADD COLUMN more TEXT", "episode.more"),
        ("ALTER TABLE affidavit.blind DROP COLUMN blind", "blind.blind"),
        (TRIGGER, "trigger t"),
        ("ALTER TABLE affidavit.entry DROP CONSTRAINT entry_pkey", "index entry_pkey"),
        ("ALTER TABLE affidavit.episode DROP CONSTRAINT episode_role_check", "checks episode"),
        ('ALTER TABLE affidavit.actor ALTER COLUMN who TYPE TEXT COLLATE "POSIX"', "column actor.who"),
        ("CREATE TABLE affidavit.extra (a TEXT)", "extra.a"),
        ("UPDATE affidavit.meta SET value = replace(value, ']', ' ]') WHERE key = 'schema'", "the hashes"),
        ("CREATE RULE r AS ON INSERT TO affidavit.episode DO INSTEAD NOTHING", "rule r"),
        ("DROP INDEX affidavit.episode_key", "index episode_key"),
        ("ALTER TABLE affidavit.episode ALTER COLUMN session_id TYPE VARCHAR(9)", "episode.session_id"),
    ],
)
def test_a_changed_schema_is_told_by_doctor_and_verify(
    cli: Callable[..., Any], address: str, change: str, told: str
) -> None:
    cli("add", "I live in Lisbon", "--user", "ana")
    with psycopg.connect(address.replace(f"{OWNER}@", "postgres@"), autocommit=True) as conn:
        conn.execute(change.encode())
    schema = checks(cli("doctor", code=1))["schema"]
    assert not schema["ok"]
    assert told in schema["detail"]
    assert any(told in problem["detail"] for problem in cli("verify", code=1)["problems"])


def test_a_receipt_says_what_a_server_may_still_hold(
    cli: Callable[..., Any], address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for session in "ab":
        cli("add", "I live in Lisbon", "--user", "ana", "--session", session)
    receipt = cli("forget", "--session", "a", "--user", "ana", "--yes")
    assert receipt["physical_at"] is None
    assert receipt["erased_at"]
    for word in ("dead rows", "write-ahead log", "replicas, backups"):
        assert any(word in one for one in receipt["not_reached"])
    assert "physical_at pending" in receipt["spaces"][0]["note"]
    told = text(capsys, address, "forget", "--session", "b", "--user", "ana", "--yes")
    assert "others were reading" not in told
    assert "no byte of it" not in told
    assert "the rows are gone" in told
    assert "not touched, may hold it still: dead rows" in told
    assert "clean" not in cli("admin", "inspect")["waiting"]
    assert "vacuumed" in text(capsys, address, "admin", "clean")
    assert cli("verify")["level"] == 2


def test_backup_says_whose_it_is(cli: Callable[..., Any], tmp_path: Path) -> None:
    cli("add", "I live in Lisbon", "--user", "ana")
    told = cli("admin", "backup", str(tmp_path / "copy.db"), code=2)["error"]
    assert "pg_dump" in told["hint"]
    assert not (tmp_path / "copy.db").exists()


def test_a_password_is_shown_nowhere(
    cli: Callable[..., Any], address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = address.replace(f"{OWNER}@", f"{OWNER}:geheim@")
    cli("add", "I live in Lisbon", "--user", "ana", db=secret)
    for words in (["doctor"], ["admin", "inspect"], ["verify"], ["init"], ["keys", "show"]):
        run([*words, "--db", secret, "-o", "json"])
        run([*words, "--db", secret, "-o", "text"])
    assert "geheim" not in "".join(capsys.readouterr())
    with Memory(config=Config.load(db=secret)) as memory:
        assert "geheim" not in memory.admin.inspect().path
        assert "geheim" not in repr(memory._rooms.config.describe())


def test_an_address_of_something_else(cli: Callable[..., Any]) -> None:
    assert "postgresql://" in cli("verify", code=2, db="mysql://a:geheim@b/c")["error"]["hint"]
