"""Replies of models are read however they are written; the rules of `affidavit.text.loose_json`."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.text.loose_json import items_in, object_in

plain = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = st.none() | st.booleans() | st.integers(-(10**12), 10**12) | plain
floats = st.floats(allow_nan=False, allow_infinity=False, width=32)
values = st.recursive(
    scalars | floats,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(plain, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(plain, values, min_size=1, max_size=4)
records = st.lists(st.dictionaries(plain, scalars, min_size=1, max_size=3), max_size=5)
prose = st.text(alphabet="abc .,:;\"'`#\n-*", max_size=30)


@given(value=objects, escaped=st.booleans(), indent=st.sampled_from([None, 2]), before=prose, after=prose)
def test_json_is_read_as_such_in_whatever_prose(value, escaped, indent, before, after) -> None:
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    assert object_in(text) == value
    assert object_in(f"{before}{text}{after}") == value
    assert object_in(f"<think>{before}{{'wrong': 1}}</think>\n```json\n{text}\n```{after}") == value
    assert object_in(f'{before}{{"wrong": 1}} </think> {text}') == value
    assert object_in(f'<think>{before}{{"wrong": 1}} {text}') == value


@given(value=objects)
def test_tags_of_reasoning_inside_a_string_are_text(value) -> None:
    told = {"quote": "the tag <think> breaks </think> my <thinking> parser", **value}
    assert object_in(json.dumps(told)) == told


@given(rows=records, data=st.data())
def test_of_a_list_that_is_cut_off_the_whole_items_are_kept(rows, data) -> None:
    pieces = [json.dumps(row) for row in rows]
    text = f'{{"statements": [{", ".join(pieces)}]}}'
    at = data.draw(st.integers(len('{"statements": ['), len(text) - 1))
    whole, end = 0, len('{"statements": [')
    for piece in pieces:
        end += len(piece)
        whole += end <= at
        end += 2
    found = items_in(text[:at], "statements")
    assert found is not None
    assert (found.items, found.cut, found.lost) == (rows[:whole], True, 0)


@given(
    rows=records,
    bad=st.sampled_from(['{"a": oops}', '{"a" "b"}', "{a: 1}", '{"a": [1, x]}', '{"a": {"b": }}']),
    at=st.integers(0, 5),
    comma=st.sampled_from(["", ","]),
)
def test_an_item_that_can_not_be_read_costs_none_of_the_others(rows, bad, at, comma) -> None:
    at = min(at, len(rows))
    pieces = [json.dumps(row) for row in rows]
    pieces.insert(at, bad)
    found = items_in(f'{{"statements": [{", ".join(pieces)}{comma}]}}', "statements")
    assert found is not None
    before, after = found.items[:at], found.items[at:]
    assert before == rows[:at]
    # The last one has no item behind it from which reading could go on.
    assert (after == rows[at:] and found.lost == 1) or (at == len(rows) and found.cut)


@given(
    text=st.text(
        alphabet=st.sampled_from("{}[]\",:\\/abu0919dD8-+.eE \n\t'<>thinkTrueNaN\ud83d\ude00é"), max_size=120
    )
)
def test_nothing_raises_and_every_value_is_json(text) -> None:
    for found in (object_in(text), items_in(text, "statements")):
        told: Any = found if found is None or isinstance(found, dict) else found.items
        json.dumps(told, ensure_ascii=False, allow_nan=False).encode("utf-8")


@pytest.mark.parametrize("characters", [50_000, pytest.param(400_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "piece",
    [
        "{", "[", '{"a":', '{"a":[', '"', "\\", '{"a":"\\', ",", ":", "<think>", "</think>", '[{"a" x', '[{"a": x},',
        '{"a": "x" y "z" ', '"a" ', " ", "lorem { ipsum ", "{'a'", "[1", '{"a":1}', "}", "[x},{", "9", '["a" "',
    ],
    ids=lambda value: repr(value)[:14],
)  # fmt: skip
def test_much_of_anything_is_read_in_a_moment(piece: str, characters: int, stopped_if_it_hangs: None) -> None:
    times = characters // len(piece)
    for text in (
        piece * times,
        '{"statements": [' + piece * times,
        '{"statements": [{"a": "' + piece * times,
    ):
        object_in(text)
        items_in(text, "statements")


@pytest.mark.parametrize(
    "reply, facts",
    [
        ('<think>{"facts":["wrong"]}</think>{"facts":["right"]}', ["right"]),
        ('<think>{"facts":["wrong"]} so: {"facts":["right"]}', ["right"]),
        ('so {"facts":["wrong"]}</think>{"facts":["right"]}', ["right"]),
        ('Sure! {"facts": ["right",]} Anything else?', ["right"]),
        ('{"facts": ["right \\ud83d"]}', ["right \ufffd"]),
        ('{"facts": ["it\\\'s \\x right"]}', ["it's x right"]),
        ('["right"]', ["right"]),
        ('{"memories": ["right"]}', ["right"]),
        ('{"facts": ["right"], "facts": ["too"]}', ["right", "too"]),
        ("{'facts': ['it's right', True, None, NaN]}", ["it's right", True, None, None]),
        ('{"facts": ["he said "right" to me"]}', ['he said "right" to me']),
        ('{"facts": []}', []),
    ],
)
def test_what_models_write_for_json(reply: str, facts: list[Any]) -> None:
    found = items_in(reply, "facts")
    assert found is not None
    assert found.items == facts


@pytest.mark.parametrize("reply", ["", "no", "[[[", '{"facts": 1}', "<think>{}</think>", "{1}", "\x00"])
def test_what_holds_no_list(reply: str) -> None:
    found = items_in(reply, "facts")
    assert found is None or not found.items
