"""Incremental verify: what is new is checked in full, what is old must be the same history."""

import copy
import json
import shutil

import pytest

from affidavit import Config, Memory
from affidavit.core.changes import Embedded
from affidavit.errors import InputError
from affidavit.proof.verify import Code
from tests.support_stores import audit_of, plainly


def codes(result):
    return {p.code for p in result.problems}


def write(memory, sql, *values):
    with plainly(memory) as conn:
        conn.execute(sql, values)


@pytest.fixture
def marked(memory):
    """A memory with some past, and the marks of it as a client keeps them."""
    memory.add(["one", "two", "three"], user_id="ana", agent_id="bot")
    memory.add("to be erased", user_id="ben")
    memory.add({"role": "assistant", "content": "four"}, user_id="ana", agent_id="bot")
    memory.forget(user_id="ben", everything=True)
    memory.admin.seal()
    marks = json.loads(json.dumps(memory.verify().marks))
    return memory, marks


def test_nothing_new(marked):
    memory, marks = marked
    result = memory.verify(since=marks)
    assert (result.level, result.problems) == (2, ())
    assert result.marks == marks


def test_everything_that_can_happen_after_a_mark(marked):
    memory, marks = marked
    store = memory._rooms.store
    first = memory.list(user_id="ana").items[0]
    added = memory.add({"role": "tool", "content": "five", "name": "clock"}, user_id="ana")
    memory.add({"role": "assistant", "content": "six"}, user_id="ana", agent_id="bot")
    memory.add("a new person", user_id="cleo")
    vector = b"\0\0\x80?" * 4
    for target in (first.id, added.episodes[0].id):
        store.commit(added.space_id, [Embedded(target=target, model="m", dimensions=4, vector=vector)])
    memory.forget(user_id="ana", episode_id=memory.list(user_id="ana").items[1].id)
    memory.forget(user_id="ana", actor="agent:bot")
    memory.admin.seal()
    result = memory.verify(since=marks)
    assert (result.level, result.problems) == (2, ())
    assert result.marks == memory.verify().marks
    memory.forget(user_id="ana", everything=True)
    memory.forget(user_id="cleo", everything=True)
    second = memory.verify(since=result.marks)
    assert (second.level, second.problems) == (2, ())
    assert memory.verify(since=marks).problems == ()
    assert memory.verify().problems == ()


def test_only_new_rows_are_read(marked, monkeypatch):
    memory, marks = marked
    memory.add("five", user_id="ana")
    read = []
    kind = audit_of(memory)
    rows = kind._rows

    def counting(self, *args):
        for row in rows(self, *args):
            read.append(row)
            yield row

    monkeypatch.setattr(kind, "_rows", counting)
    assert memory.verify(since=marks).ok
    few = len(read)
    read.clear()
    assert memory.verify().ok
    assert few < len(read) / 2


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE episode SET text = 'other' WHERE text = 'five'",
        "UPDATE episode SET authority = 'attested' WHERE text = 'five'",
        "UPDATE episode SET terms = x'00' WHERE text = 'five'",
        "DELETE FROM episode WHERE text = 'five'",
        "DELETE FROM blind WHERE (space_id, seq) IN (SELECT space_id, seq FROM episode WHERE text = 'five')",
        "INSERT INTO blind SELECT space_id, 1000, blind FROM blind LIMIT 1",
        (
            "UPDATE entry SET body = body || x'20' WHERE (space_id, seq) IN"
            " (SELECT space_id, seq FROM episode WHERE text = 'five')"
        ),
        "DELETE FROM seal",
        "UPDATE space SET note = NULL WHERE kind = 'user' AND name IS NOT NULL",
        "UPDATE space SET root = zeroblob(32) WHERE kind = 'user' AND name IS NOT NULL",
        "UPDATE space SET listed = 1 WHERE kind = 'user' AND name IS NOT NULL",
        "DELETE FROM space WHERE name IS NULL AND kind = 'user'",
        "DELETE FROM space WHERE kind = 'directory'",
        "INSERT INTO meta VALUES ('more', 'x')",
    ],
)
def test_what_is_wrong_with_the_new_part_is_named(marked, sql):
    memory, marks = marked
    memory.add("five", user_id="ana")
    write(memory, sql)
    assert memory.verify(since=marks).problems


def test_an_erased_row_put_back(marked):
    memory, marks = marked
    victim = memory.list(user_id="ana").items[0]
    with plainly(memory) as conn:
        conn.execute("CREATE TEMP TABLE kept AS SELECT * FROM episode WHERE id = ?", (victim.id,))
        memory.forget(user_id="ana", episode_id=victim.id)
        conn.execute("INSERT INTO episode SELECT * FROM kept")
    assert codes(memory.verify(since=marks)) == {Code.UNLOGGED_ROW}


class TestAnotherHistory:
    def test_an_older_store(self, config, clock, tmp_path, copied):
        with Memory(config=config, clock=clock) as memory:
            memory.add("one", user_id="ana")
        older = copied(config)
        with Memory(config=config, clock=clock) as memory:
            memory.add("two", user_id="ana")
            marks = memory.verify().marks
        other = Config.load(db=older, key_dir=tmp_path / "other keys")
        shutil.copytree(config.key_dir, other.key_dir)
        for path in other.key_dir.rglob("checkpoint-*"):
            path.unlink()
        with Memory(config=other, clock=clock) as memory:
            assert memory.verify().ok, "nothing here says that there was more"
            assert Code.ROLLED_BACK in codes(memory.verify(since=marks))

    def test_a_store_that_went_another_way(self, config, clock, tmp_path, copied):
        """Two copies of one store, both signed by its key: found by whoever saw the other one."""
        with Memory(config=config, clock=clock) as memory:
            memory.add("one", user_id="ana")
        other = Config.load(db=copied(config), key_dir=tmp_path / "other keys")
        shutil.copytree(config.key_dir, other.key_dir)
        with Memory(config=config, clock=clock) as memory:
            memory.add("two", user_id="ana")
            marks = memory.verify().marks
        with Memory(config=other, clock=clock) as memory:
            memory.add("three", user_id="ana")
            memory.add("four", user_id="ana")
            assert memory.verify().ok
            assert Code.FORK in codes(memory.verify(since=marks))

    def test_another_store(self, marked, tmp_path, clock):
        _, marks = marked
        other = Config.load(db=str(tmp_path / "other.db"), key_dir=tmp_path / "other keys")
        with Memory(config=other, clock=clock) as memory:
            memory.add("one", user_id="ana")
            assert Code.FORK in codes(memory.verify(since=marks))


class TestMarksThatAreNone:
    @pytest.mark.parametrize("value", [{}, {"version": 1}, [], "marks", 7, {"spaces": {}}])
    def test_other_things(self, memory, value):
        with pytest.raises(InputError, match="marks"):
            memory.verify(since=value)

    def test_every_value_changed(self, marked):
        memory, marks = marked
        space = next(iter(marks["spaces"]))
        for path in ([key] for key in marks), *(["spaces", space, name] for name in marks["spaces"][space]):
            for keys in path if not isinstance(path, list) else [path]:
                changed = copy.deepcopy(marks)
                inner = changed
                for key in keys[:-1]:
                    inner = inner[key]
                inner[keys[-1]] = "0" if inner[keys[-1]] != "0" else "1"
                with pytest.raises(InputError, match="marks"):
                    memory.verify(since=changed)

    def test_another_version(self, marked):
        memory, marks = marked
        with pytest.raises(InputError, match="version 2"):
            memory.verify(since=marks | {"version": 2})
