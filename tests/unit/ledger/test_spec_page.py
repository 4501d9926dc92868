"""The page that auditors read against the code: the same ops, fields, kinds and orders."""

import re
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args

import pytest

from affidavit.core import changes, gates, memories, values
from affidavit.core.authority import Authority, SpaceKind
from affidavit.core.shapes import _FIELDS, _SHAPES
from affidavit.store.migrations import migrations

PAGE = (Path(__file__).parents[3] / "docs" / "spec" / "ledger-v1.md").read_text(encoding="utf-8")


def table(heading, skip=2):
    """Cells of the table rows from `skip` lines after the first line that starts with these cells."""
    lines = PAGE.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith(heading))
    rows = []
    for line in lines[at + skip :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def names(cell):
    return re.findall(r"`(\w+)`", cell)


NAMED: Any = values.EpisodeRow._make(values.EPISODE_COLUMNS)
"""A row whose every value is the name of its column."""
NAMED_ITEM: Any = memories.ItemRow._make(memories.ITEM_COLUMNS)
ROWS: dict[str, Any] = {
    "ItemAdded": NAMED_ITEM,
    "PermitGranted": gates.PermitRow._make(gates.PermitRow._fields),
    "Decided": gates.DecisionRow._make(gates.DecisionRow._fields),
}
PARTS = (memories.Part("ep_1", 0, 5, "quote"), memories.Part("mem_1@1"))

CHANGES = {kind.op: kind for kind in get_args(changes.Change)}
OPS = {names(row[0])[0]: row for row in table("| op | log |")}
ORDER = [names(row[1])[0] for row in table("| no. | field of `episode` |")]
ITEM_ORDER = [names(row[1])[0] for row in table("| no. | field of `item` |")]


def sample(op):
    """A change of this op whose values don't matter here."""
    filled: dict[str, Any] = {
        "owner": values.Owner(SpaceKind.USER, "name"),
        "row": ROWS.get(op, NAMED),
        "parts": PARTS,
        "members": ("mem_1@1", "mem_2@1"),
        "targets": ("ep_1",),
        "vector": b"1234",
        "dimensions": 1,
        "size": 1,
        "episodes": 1,
    }
    kind: Any = CHANGES[op]
    required = [field.name for field in fields(kind) if field.default is MISSING]
    return kind(**{name: filled.get(name, name) for name in required})


def test_the_page_lists_every_op_and_no_other():
    assert set(OPS) == set(CHANGES) == set(_FIELDS)


def test_the_page_lists_the_fields_of_each_op():
    for op, row in OPS.items():
        change = sample(op)
        assert names(row[2]) == sorted(change.fields()), op
        committed = change.committed()
        assert names(row[3]) == ([committed.kind] if committed else []), op
        expected = {*names(row[2])} | ({"commit"} if committed else set())
        assert set(_FIELDS[op]) == expected, op


def test_the_page_lists_the_fields_of_every_entry():
    common = [names(row[0])[0] for row in table("| field | value |")]
    assert all({*common} - {"commit"} == shape.names - set(_FIELDS[op]) for op, shape in _SHAPES.items())


def test_the_page_lists_the_committed_fields_of_an_episode_in_order():
    assert tuple(ORDER) == values.COMMITTED_EPISODE_COLUMNS
    assert values.committed_episode(NAMED) == ORDER
    assert f"the {len(ORDER)} fields below" in PAGE


def test_the_page_lists_the_committed_fields_of_a_version_in_order():
    assert tuple(ITEM_ORDER) == memories.COMMITTED_ITEM_COLUMNS
    assert memories.committed_item(NAMED_ITEM) == ITEM_ORDER
    assert f"the {len(ITEM_ORDER)} fields below" in PAGE
    types = {names(row[1])[0]: row[2] for row in table("| no. | field of `item` |")}
    for name, declared in _declared("item").items():
        if name in types:
            assert types[name].startswith("integer" if declared.startswith("INTEGER") else "text"), name
            assert ("absent" in types[name]) == ("NOT NULL" not in declared), name


def _declared(table):
    """The columns of a table, as the migrations declare them."""
    sql = "".join(step.sql for step in migrations())
    body = sql.partition(f"CREATE TABLE {table} (")[2].partition("\n)")[0]
    return dict(re.findall(r"^  (\w+) ([A-Z][^\n]*)$", body, re.MULTILINE))


def test_the_other_kinds_commit_to_what_the_page_says():
    kinds = {names(row[0])[0]: row[1].count("; ") + 1 for row in table("| kind | fields, in order |")}
    lists = {"episode", "item", "support"}
    ops = {
        "SpaceOpened": "space", "ActorAdded": "actor", "Embedded": "embedding", "ItemClosed": "closing",
        "ConflictOpened": "conflict", "SourceRevoked": "source", "PermitGranted": "permit", "Decided": "decision",
    }  # fmt: skip
    assert set(kinds) == lists | set(ops.values())
    for op, kind in ops.items():
        committed = sample(op).committed()
        assert (committed.kind, len(committed[1])) == (kind, kinds[kind])


def test_a_support_commits_to_each_part_in_order():
    assert "of each part in order: source (text); start (integer or absent); end" in PAGE
    committed = sample("SupportAdded").committed()
    assert committed.values == ["ep_1", 0, 5, "quote", "mem_1@1", None, None, None]


@pytest.mark.parametrize(
    "field, op, name, known",
    [
        ("`authority`", "ItemAdded", "authority", list(Authority)),
        ("`status` of an episode", "EpisodeStored", "status", list(values.Status)),
        ("`status` of a version", "ItemAdded", "status", list(memories.MemoryStatus)),
        ("`reason` of `StatusSet`", "StatusSet", "reason", list(memories.Reason)),
        ("`reason` of `SupportRemoved`", "SupportRemoved", "reason", ["revoked", "rederived", "weakened"]),
        ("`outcome`", "Decided", "outcome", ["allow", "ask", "deny"]),
    ],
)
def test_the_page_lists_the_words_that_a_field_may_have(field, op, name, known):
    (row,) = [row for row in table("| `target`, `actor` |", skip=0) if row[0] == field]
    words = re.findall(r"`\"(\w+)\"`", row[1])
    assert sorted(words) == sorted(map(str, known))
    fits = _FIELDS[op][name]
    assert all(fits(word) for word in words)
    assert not any(fits(word) for word in ("", "other", None, 1, ["active"]))


def test_the_page_says_what_is_not_covered():
    assert set(re.findall(r"every column of `(\w+)`", PAGE)) == {"trace", "rejection", "job"}
