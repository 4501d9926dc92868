"""The page that auditors read against the code: the same ops, fields, kinds and orders."""

import re
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args

from affidavit.core import changes, values
from affidavit.core.authority import SpaceKind
from affidavit.core.shapes import _FIELDS, _SHAPES

PAGE = (Path(__file__).parents[3] / "docs" / "spec" / "ledger-v1.md").read_text(encoding="utf-8")


def table(heading):
    """Cells of the first table whose header row starts with these cells."""
    lines = PAGE.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith(heading))
    rows = []
    for line in lines[at + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def names(cell):
    return re.findall(r"`(\w+)`", cell)


NAMED: Any = values.EpisodeRow._make(values.EPISODE_COLUMNS)
"""A row whose every value is the name of its column."""

CHANGES = {kind.op: kind for kind in get_args(changes.Change)}
OPS = {names(row[0])[0]: row for row in table("| op | log |")}
ORDER = [names(row[1])[0] for row in table("| no. | field of `episode` |")]


def sample(op):
    """A change of this op whose values don't matter here."""
    filled: dict[str, Any] = {
        "owner": values.Owner(SpaceKind.USER, "name"),
        "row": NAMED,
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


def test_the_other_kinds_commit_to_what_the_page_says():
    kinds = {names(row[0])[0]: row[1].count("; ") + 1 for row in table("| kind | fields, in order |")}
    assert sorted(kinds) == ["actor", "embedding", "episode", "space"]
    for op, kind in (("SpaceOpened", "space"), ("ActorAdded", "actor"), ("Embedded", "embedding")):
        assert len(sample(op).committed()[1]) == kinds[kind]
