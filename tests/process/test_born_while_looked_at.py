"""A file that another process makes just now is empty or ours to whoever opens it, and never damaged."""

import sqlite3
from pathlib import Path

import pytest

from affidavit import Config, Memory
from affidavit.store.migrations import migrations
from affidavit.store.sqlite.schema import schema_version

pytestmark = pytest.mark.file


@pytest.mark.parametrize("asked", ["user_version", "application_id", "sqlite_master"])
def test_the_version_is_that_of_one_moment(asked: str, config: Config) -> None:
    path = Path(config.database)
    path.parent.mkdir(parents=True, exist_ok=True)
    conn = sqlite3.connect(path, isolation_level=None)
    conn.execute("PRAGMA journal_mode = WAL")
    made: list[str] = []

    def another_makes_it(statement: str) -> None:
        if asked in statement and not made:
            made.append(statement)
            Memory(config=config).close()

    conn.set_trace_callback(another_makes_it)
    try:
        # Where the other one came first it is ours; what was looked at before it came is empty.
        assert schema_version(conn, path, migrations()) in (0, len(migrations()))
        assert made
        assert schema_version(conn, path, migrations()) == len(migrations())
    finally:
        conn.close()
