"""A filter of another type than its field is an error where the type is known, and never an empty result."""

from typing import Any

import pytest

from affidavit import Memory
from affidavit.errors import FilterError
from affidavit.index.filters import FieldType
from affidavit.read.fields import FIELDS

WRONG: dict[FieldType, tuple[Any, ...]] = {
    FieldType.TEXT: (5, 1.5, True, {"a": 1}),
    FieldType.TIME: (5, True, "soon", "31.12.2025"),
    FieldType.TEXTS: (5, True, ["a"]),
    FieldType.BOOL: (5, "true", [True]),
}
OPERATORS = ("eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "icontains")


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("user", ["ana", "somebody without a word"])
def test_every_field_whose_type_is_known(memory: Memory, name: str, user: str) -> None:
    memory.add("the violet key", user_id="ana")
    for operator in OPERATORS:
        for value in WRONG[FIELDS[name].type]:
            operand = [value] if operator in {"in", "nin"} else value
            with pytest.raises(FilterError) as caught:
                memory.search("key", user_id=user, filters={name: {operator: operand}})
            assert name in caught.value.what
            assert caught.value.hint


@pytest.mark.parametrize("name", [name for name, field in FIELDS.items() if field.type is FieldType.TEXT])
def test_text_has_no_order(memory: Memory, name: str) -> None:
    with pytest.raises(FilterError):
        memory.search("key", user_id="ana", filters={name: {"gt": "a"}})


def test_metadata_has_no_type_and_another_one_is_just_not_met(memory: Memory) -> None:
    memory.add({"role": "user", "content": "rent", "metadata": {"n": 900, "s": "900"}}, user_id="ana")

    def found(condition: dict[str, Any]) -> int:
        return len(memory.search("rent", user_id="ana", filters=condition).hits)

    assert found({"metadata.n": 900.0}) == found({"metadata.s": "900"}) == 1
    assert (
        found({"metadata.n": "900"}) == found({"metadata.s": 900}) == found({"metadata.n": {"gt": "1"}}) == 0
    )
    assert found({"metadata.n": {"ne": "900"}}) == found({"metadata.s": {"nin": [900]}}) == 1
