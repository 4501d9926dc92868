"""Behaviour 62: altering, deleting, inserting or reordering what is stored is detected, and told by the command.

Every column of every table is in `tests/attacks/test_tamper_every_column.py`; here is what a user meets.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from affidavit import Config, Memory
from tests.support_stores import Plain, plainly

EDITS = {
    "altered": (
        "UPDATE episode SET text = 'Pay the new account' WHERE text = 'Pay the old account'",
        "CONTENT_MISMATCH",
    ),
    "attributed to another": (
        "UPDATE episode SET actor = (SELECT ref FROM actor WHERE who LIKE 'person:%') WHERE role = 'user'",
        "LABEL_MISMATCH",
    ),
    "believed more": (
        "UPDATE episode SET authority = 'authorized' WHERE role = 'mail'",
        "LABEL_MISMATCH",
    ),
    "deleted": ("DELETE FROM episode WHERE role = 'mail'", "ORPHAN_ENTRY"),
    "inserted": (
        "INSERT INTO actor SELECT space_id, ref || '0', seq + 100, 'person:Eve' FROM actor LIMIT 1",
        "UNLOGGED_ROW",
    ),
    "reordered": (
        """UPDATE entry SET seq = CASE seq WHEN 2 THEN 3000 WHEN 4 THEN 2 ELSE seq END WHERE space_id LIKE 'sp_%';
        UPDATE entry SET seq = 4 WHERE seq = 3000""",
        "ROOT_MISMATCH",
    ),
    "cut off": ("DELETE FROM entry WHERE space_id LIKE 'sp_%' AND seq > 2", "TRUNCATED"),
}


@contextmanager
def edited(config: Config) -> Iterator[Plain]:
    with plainly(config.database) as conn:
        yield conn


@pytest.fixture
def kept(config, clock):
    """A store with a few memories, closed and sealed."""
    with Memory(config=config, clock=clock) as memory:
        memory.add("Pay the old account", user_id="ana", session_id="s1")
        memory.add({"role": "mail", "content": "Pay the new one", "name": "Ben"}, user_id="ana")
        memory.add("And call me back", user_id="ana", session_id="s1")
    return config


def told(config: Config) -> tuple[int, dict]:
    """What the command says, and how it ends."""
    base = [sys.executable, "-m", "affidavit", "verify", "-o", "json", "--db", config.database]
    keys = {"AFFIDAVIT_KEY_DIR": str(config.key_dir), "AFFIDAVIT_HOME": str(config.home)}
    done = subprocess.run(base, capture_output=True, text=True, env=keys, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_nothing_altered(kept):
    code, result = told(kept)
    assert (code, result["level"], result["problems"]) == (0, 2, [])


@pytest.mark.parametrize("what", EDITS)
def test_is_detected(kept, clock, what):
    sql, code = EDITS[what]
    with edited(kept) as conn:
        conn.executescript(sql)
    with Memory(config=kept, clock=clock) as memory:
        result = memory.verify()
    assert result.level == 0
    assert code in {problem.code for problem in result.problems}


def test_the_command_names_what_was_altered_and_ends_with_1(kept):
    with edited(kept) as conn:
        conn.executescript(EDITS["altered"][0])
        episode = conn.execute("SELECT id FROM episode WHERE text = 'Pay the new account'").fetchone()[0]
    code, result = told(kept)
    assert (code, result["ok"], result["level"]) == (1, False, 0)
    assert any(problem["where"].endswith(f"/episode/{episode}") for problem in result["problems"])


def test_traces_and_waiting_work_are_not_covered(kept, clock):
    with Memory(config=kept, clock=clock) as memory:
        memory.search("account", user_id="ana")
    with edited(kept) as conn:
        conn.executescript("UPDATE trace SET verb = 'other'; DELETE FROM job")
    with Memory(config=kept, clock=clock) as memory:
        assert memory.verify().ok
