"""Filters equal a naive evaluation of the same conditions, row by row, in plain Python."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from affidavit.core.when import When
from affidavit.index.columns import NO_TIME, Coded
from affidavit.index.filters import Field, FieldType, compile_filters

FIELDS = {
    "kind": Field(type=FieldType.TEXT),
    "at": Field(type=FieldType.TIME),
    "size": Field(type=FieldType.NUMBER),
}
HOUR = 3_600_000_000
START = 1_704_067_200_000_000  # 2024-01-01T00:00Z
TEXTS = st.sampled_from(["a", "B", "ab", ""])
NUMBERS = st.integers(-2, 2) | st.sampled_from([0.5, -1.0])
DAYS = st.integers(1, 5).map(lambda day: f"2024-01-0{day}")
JSON = TEXTS | NUMBERS | st.booleans()


def conditions(field, values, *, ordered=None, within):
    one = [st.fixed_dictionaries({op: values}) for op in ("eq", "ne")]
    one += [st.fixed_dictionaries({op: st.lists(values, max_size=3)}) for op in ("in", "nin")]
    one += [st.fixed_dictionaries({"*": st.booleans()})]
    if ordered is not None:
        one += [st.fixed_dictionaries({op: ordered}) for op in ("gt", "gte", "lt", "lte")]
    if within:
        one += [st.fixed_dictionaries({op: TEXTS}) for op in ("contains", "icontains")]
    return st.one_of(*one).map(lambda condition: {field: condition})


LEAVES = st.one_of(
    conditions("kind", TEXTS | st.none(), within=True),
    conditions("size", NUMBERS | st.none(), ordered=NUMBERS, within=False),
    conditions("at", DAYS, ordered=DAYS, within=False),
    conditions("metadata.x", JSON, ordered=TEXTS | NUMBERS, within=True),
)
FILTERS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda members: {"AND": members}),
        st.lists(inner, min_size=1, max_size=3).map(lambda members: {"OR": members}),
        st.lists(inner, min_size=1, max_size=3).map(lambda members: {"NOT": members}),
        inner.map(lambda member: {"NOT": member}),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "kind": TEXTS | st.none(),
            "at": st.none() | st.integers(0, 6 * 24).map(lambda hours: START + hours * HOUR),
            "size": NUMBERS | st.none(),
            "metadata.x": JSON | st.none() | st.lists(JSON, max_size=2),
        }
    ),
    max_size=8,
)  # fmt: skip


def same(a, b):
    return type(a) is bool and a is b if isinstance(a, bool) or isinstance(b, bool) else a == b


def naive_one(value, operator, operand, *, time):
    if time and operator in ("eq", "ne", "in", "nin"):
        spans = [When.parse(each) for each in (operand if operator in ("in", "nin") else [operand])]
        inside = value is not None and any(span.start <= value < span.end for span in spans)
        return inside if operator in ("eq", "in") else not inside
    if operator == "eq":
        return same(value, operand)
    if operator == "ne":
        return not same(value, operand)
    if operator == "in":
        return any(same(value, each) for each in operand)
    if operator == "nin":
        return not any(same(value, each) for each in operand)
    if operator == "*":
        return (value is not None) == operand
    if operator in ("contains", "icontains"):
        if isinstance(value, list):
            if operator == "contains":
                return any(same(each, operand) for each in value)
            return any(isinstance(each, str) and each.lower() == operand.lower() for each in value)
        if not isinstance(value, str):
            return False
        return operand in value if operator == "contains" else operand.lower() in value.lower()
    if value is None or isinstance(value, (bool, list)):
        return False
    if time:
        span = When.parse(operand)
        bounds = {
            "gt": value >= span.end,
            "gte": value >= span.start,
            "lt": value < span.start,
            "lte": value < span.end,
        }
        return bounds[operator]
    if isinstance(value, str) != isinstance(operand, str):
        return False
    return {"gt": value > operand, "gte": value >= operand, "lt": value < operand, "lte": value <= operand}[
        operator
    ]


def naive(filters, row):
    if isinstance(filters, list):
        return all(naive(each, row) for each in filters)
    for name, value in filters.items():
        if name == "AND":
            holds = all(naive(each, row) for each in value)
        elif name == "OR":
            holds = any(naive(each, row) for each in value)
        elif name == "NOT":
            holds = not any(naive(each, row) for each in (value if isinstance(value, list) else [value]))
        else:
            holds = all(naive_one(row[name], op, operand, time=name == "at") for op, operand in value.items())
        if not holds:
            return False
    return True


@given(filters=FILTERS, rows=ROWS)
def test_a_mask_is_what_a_naive_reading_gives(filters, rows):
    values = list(dict.fromkeys(row["kind"] for row in rows))
    columns: dict[str, Any] = {
        "kind": Coded(np.array([values.index(row["kind"]) for row in rows], np.int32), values),
        "at": np.array([NO_TIME if row["at"] is None else row["at"] for row in rows], np.int64),
        "size": [row["size"] for row in rows],
        "metadata.x": [row["metadata.x"] for row in rows],
    }
    mask = compile_filters(filters, FIELDS).mask(columns.__getitem__, len(rows))
    assert mask.tolist() == [naive(filters, row) for row in rows]
