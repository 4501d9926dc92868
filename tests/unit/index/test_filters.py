"""Filters: what each operator means, how they join, and what is refused."""

from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest

from affidavit.core.when import When
from affidavit.errors import FilterError
from affidavit.index.columns import NO_TIME, Coded
from affidavit.index.filters import Field, FieldType, compile_filters

FIELDS = {
    "role": Field(type=FieldType.TEXT, choices=frozenset({"user", "assistant", "tool"})),
    "text": Field(type=FieldType.TEXT),
    "occurred_at": Field(type=FieldType.TIME),
    "size": Field(type=FieldType.NUMBER),
    "pinned": Field(type=FieldType.BOOL),
    "resources": Field(type=FieldType.TEXTS),
}


def us(text: str) -> int:
    start = When.parse(text).start
    assert start is not None
    return start


COLUMNS: dict[str, Any] = {
    "role": Coded(np.array([0, 1, 0, 2, 0], np.int32), ["user", "assistant", "tool"]),
    "text": ["The Red door", "a red door", "blue", None, "RED"],
    "occurred_at": np.array(
        [us("2024-04-30T23:59:59Z"), us("2024-05-01"), us("2024-05-31T12:00Z"), NO_TIME, us("2024-06-01")]
    ),
    "size": [1, 2.5, None, 4, -3],
    "pinned": [True, False, None, True, False],
    "resources": [["a", "b"], [], None, ["B"], ["c"]],
    "metadata.team": ["blue", None, "red", 7, True],
    "metadata.score": [1, 2, "2", None, 3.5],
    "metadata.tags": [["x", 1], ["y"], "xyz", None, []],
}


def met(filters):
    return np.flatnonzero(compile_filters(filters, FIELDS).mask(COLUMNS.__getitem__, 5)).tolist()


@pytest.mark.parametrize(
    "filters,rows",
    [
        ({}, [0, 1, 2, 3, 4]),
        ([], [0, 1, 2, 3, 4]),
        ({"role": "user"}, [0, 2, 4]),
        ({"role": {"eq": "user"}}, [0, 2, 4]),
        ({"role": {"ne": "user"}}, [1, 3]),
        ({"role": {"in": ["tool", "assistant"]}}, [1, 3]),
        ({"role": {"in": []}}, []),
        ({"role": {"nin": ["tool", "assistant"]}}, [0, 2, 4]),
        ({"text": {"contains": "red"}}, [1]),
        ({"text": {"icontains": "red"}}, [0, 1, 4]),
        ({"text": "*"}, [0, 1, 2, 4]),
        ({"text": {"*": True}}, [0, 1, 2, 4]),
        ({"text": {"*": False}}, [3]),
        ({"text": None}, [3]),
        ({"text": {"ne": None}}, [0, 1, 2, 4]),
        ({"text": {"ne": "blue"}}, [0, 1, 3, 4]),
        ({"text": {"nin": ["blue"]}}, [0, 1, 3, 4]),
        ({"text": {"in": ["blue", None]}}, [2, 3]),
        ({"size": 1}, [0]),
        ({"size": {"gt": 1}}, [1, 3]),
        ({"size": {"gte": 1}}, [0, 1, 3]),
        ({"size": {"lt": 1}}, [4]),
        ({"size": {"lte": 1}}, [0, 4]),
        ({"size": {"gte": 1, "lt": 4}}, [0, 1]),
        ({"pinned": True}, [0, 3]),
        ({"pinned": {"ne": True}}, [1, 2, 4]),
        ({"resources": {"contains": "b"}}, [0]),
        ({"resources": {"icontains": "b"}}, [0, 3]),
        ({"resources": "*"}, [0, 1, 3, 4]),
        ({"resources": None}, [2]),
        ({"resources": {"ne": None}}, [0, 1, 3, 4]),
        ({"metadata.team": "blue"}, [0]),
        ({"metadata.team": 7}, [3]),
        ({"metadata.team": True}, [4]),
        ({"metadata.team": "*"}, [0, 2, 3, 4]),
        ({"metadata.score": {"gte": 2}}, [1, 4]),
        ({"metadata.score": {"gte": "2"}}, [2]),
        ({"metadata.score": 1}, [0]),
        ({"metadata.tags": {"contains": "x"}}, [0, 2]),
        ({"occurred_at": "2024-05"}, [1, 2]),
        ({"occurred_at": {"ne": "2024-05"}}, [0, 3, 4]),
        ({"occurred_at": {"gt": "2024-05"}}, [4]),
        ({"occurred_at": {"gte": "2024-05"}}, [1, 2, 4]),
        ({"occurred_at": {"lt": "2024-05"}}, [0]),
        ({"occurred_at": {"lte": "2024-05"}}, [0, 1, 2]),
        ({"occurred_at": {"gte": "2024-05-01", "lt": "2024-06-01"}}, [1, 2]),
        ({"occurred_at": {"in": ["2024-04", "2024-06"]}}, [0, 4]),
        ({"occurred_at": "*"}, [0, 1, 2, 4]),
        ({"occurred_at": None}, [3]),
        ({"occurred_at": date(2024, 5, 1)}, [1]),
        ({"occurred_at": {"lt": datetime(2024, 5, 1, tzinfo=UTC)}}, [0]),
        ({"occurred_at": {"gt": "2024-04-30T23:59:59Z"}}, [1, 2, 4]),
        ({"role": "user", "size": {"lt": 2}}, [0, 4]),
        ([{"role": "user"}, {"size": {"lt": 2}}], [0, 4]),
        ({"AND": [{"role": "user"}, {"size": {"lt": 2}}]}, [0, 4]),
        ({"OR": [{"role": "tool"}, {"size": {"lt": 2}}]}, [0, 3, 4]),
        ({"NOT": {"role": "user"}}, [1, 3]),
        ({"NOT": [{"role": "tool"}, {"size": {"lt": 2}}]}, [1, 2]),
        ({"NOT": {"role": "user", "size": 1}}, [1, 2, 3, 4]),
        ({"role": "user", "OR": [{"size": 1}, {"size": -3}], "NOT": {"text": "RED"}}, [0]),
        ({"AND": [{"OR": [{"NOT": {"role": "user"}}, {"size": 1}]}]}, [0, 1, 3]),
    ],
)
def test_which_rows_meet_a_filter(filters, rows):
    assert met(filters) == rows


@pytest.mark.parametrize(
    "filters,message",
    [
        ({"rôle": "user"}, "no field 'rôle'.*known are occurred_at, pinned"),
        ({"metadata.": 1}, "no field 'metadata.'"),
        ({"metadata": {}}, "no field 'metadata'"),
        ({7: 1}, "no field 7"),
        ({"role": {"like": "u"}}, "no operator 'like'.*operators are eq, ne, gt"),
        ({"role": {"$eq": "user"}}, "no operator"),
        ({"role": {1: "user"}}, "no operator 1"),
        ({"role": {}}, "compared with nothing"),
        ({"role": ["user"]}, 'compared with a list.*"in"'),
        ({"role": 3}, "can't be compared with 3"),
        ({"role": "robot"}, "role is never 'robot': it is one of assistant, tool, user"),
        ({"role": {"in": "user"}}, "takes a list"),
        ({"resources": "a"}, 'resources is a list.*"contains"'),
        ({"resources": {"nin": ["a"]}}, 'resources is a list.*"contains"'),
        ({"resources": ["a"]}, 'compared with a list.*"contains"'),
        ({"role": {"in": ["user", 3]}}, "can't be compared with 3"),
        ({"role": {"*": 1}}, "takes True or False"),
        ({"role": {"gt": "a"}}, "can't be compared"),
        ({"text": {"contains": 3}}, "can't be compared"),
        ({"text": {"contains": None}}, "can't be compared"),
        ({"size": "3"}, "can't be compared"),
        ({"size": True}, "can't be compared"),
        ({"size": float("nan")}, "can't be compared"),
        ({"size": {"gt": None}}, "can't be compared"),
        ({"size": {"contains": "3"}}, "can't be compared"),
        ({"pinned": 1}, "can't be compared"),
        ({"pinned": {"gt": True}}, "can't be compared"),
        ({"metadata.x": {"y": 1}}, "no operator 'y'"),
        ({"metadata.x": {"gt": True}}, "can't be compared"),
        ({"metadata.x": object()}, "can't be compared"),
        ({"occurred_at": "next Tuesday"}, "occurred_at is a time"),
        ({"occurred_at": 1714521600}, "occurred_at is a time"),
        ({"occurred_at": {"contains": "2024"}}, "can't be compared"),
        ({"AND": {"role": "user"}}, "AND takes a list"),
        ({"OR": []}, "nothing to join"),
        ({"NOT": {}}, "nothing to join"),
        ({"OR": ["role"]}, "a filter is str"),
        ("role = user", "a filter is str"),
        (None, "a filter is NoneType"),
        ({"size": {"in": list(range(1001))}}, "at most 1000 values"),
        ([{"size": i} for i in range(1001)], "more than 1000 conditions"),
    ],
)
def test_what_is_refused(filters, message):
    with pytest.raises(FilterError, match=f"(?s){message}"):
        compile_filters(filters, FIELDS)


def test_deep_nesting_is_refused():
    filters: object = {"role": "user"}
    for _ in range(40):
        filters = {"NOT": filters}
    with pytest.raises(FilterError, match="nested deeper"):
        compile_filters(filters, FIELDS)


def test_only_the_named_columns_are_asked_for():
    compiled = compile_filters({"OR": [{"size": 1}, {"NOT": {"metadata.team": "*"}}], "role": "user"}, FIELDS)
    assert compiled.fields == {"size", "metadata.team", "role"}


def test_an_empty_space_has_an_empty_mask():
    compiled = compile_filters({"role": "user", "occurred_at": "2024"}, FIELDS)
    columns: dict[str, Any] = {"role": Coded(np.empty(0, np.int32), []), "occurred_at": np.empty(0, np.int64)}
    assert compiled.mask(columns.__getitem__, 0).tolist() == []
