import sys
from enum import IntEnum, StrEnum
from typing import Any

import pytest

from affidavit.ledger.encoding import (
    BLIND_BYTES,
    FORMAT,
    MAX_DEPTH,
    MAX_INTEGER,
    EntryError,
    commitment,
    entry_bytes,
    pae,
    parse_entry,
)

BLIND = bytes(range(BLIND_BYTES))


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


def nested(depth) -> dict[str, Any]:
    value: Any = 1
    for _ in range(depth - 1):
        value = [value]
    return {"a": value}


def test_the_format_has_this_name_for_ever():
    assert FORMAT == "affidavit/1"


def test_entry_bytes_sorts_and_writes_without_white_space():
    assert entry_bytes({"b": 1, "a": [True, None, "ü"]}) == '{"a":[true,null,"ü"],"b":1}'.encode()


def test_entry_bytes_adds_nothing_and_leaves_its_argument_alone():
    fields: dict[str, Any] = {"z": 1, "a": {"y": 2, "b": 3}}
    assert entry_bytes(fields) == b'{"a":{"b":3,"y":2},"z":1}'
    assert list(fields) == ["z", "a"]


def test_enums_are_written_as_their_values():
    fields: dict[str, Any] = {"c": Colour.RED, "l": Level.HIGH}
    assert entry_bytes(fields) == b'{"c":"red","l":3}'


@pytest.mark.parametrize(
    "fields",
    [
        {"a": 1.0},
        {"a": float("nan")},
        {"a": [0.5]},
        {"ä": 1},
        {"a": {"ä": 1}},
        {"a": [{"ä": 1}]},
        {1: "a"},
        {None: "a"},
        {"a": MAX_INTEGER + 1},
        {"a": -MAX_INTEGER - 1},
        {"a": [10**300]},
        {"a": "\ud800"},
        {"a": "\udfff tail"},
        {"\ud800": 1},
        {"a": b"bytes"},
        {"a": {1, 2}},
        {"a": NotImplemented},
        nested(MAX_DEPTH + 1),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_entry_bytes_refuses_what_has_no_form(fields):
    with pytest.raises(ValueError, match=r"."):
        entry_bytes(fields)


def test_a_value_that_holds_itself_is_refused():
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="nested"):
        entry_bytes({"a": loop})


def test_nesting_up_to_the_limit_is_kept():
    fields: dict[str, Any] = nested(MAX_DEPTH)
    assert parse_entry(entry_bytes(fields)) == fields


def test_many_lists_side_by_side_are_not_deep():
    fields: dict[str, Any] = {"a": [[number] for number in range(200)]}
    assert parse_entry(entry_bytes(fields)) == fields


@pytest.mark.parametrize("opener", [b"[", b'{"a":'])
def test_hostile_nesting_is_refused_not_a_crash(opener):
    with pytest.raises(EntryError):
        parse_entry(b'{"a":' + opener * (sys.getrecursionlimit() * 20))


@pytest.mark.parametrize("literal", [b"1.0", b"1e2", b"-0", b"01", b"+1", b"NaN", b"-Infinity", b"1" * 9999])
def test_parse_entry_refuses_numbers_it_would_not_write(literal):
    with pytest.raises(EntryError):
        parse_entry(b'{"a":' + literal + b"}")


@pytest.mark.parametrize("sign", [1, -1])
def test_parse_entry_keeps_the_largest_integers(sign):
    fields = {"a": sign * MAX_INTEGER}
    assert parse_entry(entry_bytes(fields)) == fields


def test_an_escaped_pair_of_surrogates_is_not_the_written_form():
    with pytest.raises(EntryError, match="escapes"):
        parse_entry(b'{"a":"\\ud83e\\udd89"}')


@pytest.mark.parametrize("data", [b"1", b'"a"', b"null", b"[]", b"true"])
def test_only_an_object_is_an_entry(data):
    with pytest.raises(EntryError, match="object"):
        parse_entry(data)


def test_pae_is_spelled_out():
    assert pae("k", ["a", 7, b"\x00", None]) == (
        b"s\0\0\0\0\0\0\0\x0baffidavit/1"
        b"s\0\0\0\0\0\0\0\x01k"
        b"s\0\0\0\0\0\0\0\x01a"
        b"i\0\0\0\0\0\0\0\x017"
        b"b\0\0\0\0\0\0\0\x01\0"
        b"n\0\0\0\0\0\0\0\0"
    )


def test_pae_takes_enums_as_their_values():
    assert pae("k", [Colour.RED, Level.HIGH]) == pae("k", ["red", 3])


@pytest.mark.parametrize(
    "value", [True, False, 1.0, 2**63, -(2**63) - 1, "\ud800", ["a"], bytearray(b"a")], ids=ascii
)
def test_pae_refuses_what_it_can_not_tell_apart_or_keep(value):
    with pytest.raises(ValueError, match=r"."):
        pae("k", [value])


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_blind_has_one_length(length):
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(bytes(length), "k", ["a"])


def test_a_commitment_depends_on_blind_kind_and_every_field():
    base = commitment(BLIND, "k", ["a", None])
    assert len(base) == 32
    others = {
        commitment(bytes(32), "k", ["a", None]),
        commitment(BLIND, "K", ["a", None]),
        commitment(BLIND, "k", ["a", ""]),
        commitment(BLIND, "k", ["a"]),
        commitment(BLIND, "k", [None, "a"]),
    }
    assert len(others | {base}) == 6
