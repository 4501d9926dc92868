import json
from collections.abc import Callable
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ledger.encoding import MAX_INTEGER, EntryError, commitment, entry_bytes, pae, parse_entry

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
KEYS = st.text(st.characters(max_codepoint=127), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
ENTRIES = st.dictionaries(KEYS, VALUES, max_size=6)
FIELDS = st.lists(
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | TEXTS
    | st.binary(max_size=6)
    # Texts and bytes that look like parts of the encoding itself.
    | st.sampled_from(["", "0", "n", "s\0\0\0\0\0\0\0\x01", b"", b"0", b"n\0\0\0\0\0\0\0\0", "affidavit/1"]),
    max_size=5,
)


@given(ENTRIES)
def test_entry_bytes_equals_rfc_8785(entry):
    assert entry_bytes(entry) == rfc8785.dumps(entry)


@given(ENTRIES)
def test_parse_entry_gives_back_what_was_written(entry):
    parsed = parse_entry(entry_bytes(entry))
    # Booleans equal 0 and 1 in Python: compare what they are, too.
    assert json.dumps(parsed, sort_keys=True) == json.dumps(entry, sort_keys=True)


@given(ENTRIES.filter(bool), st.data())
def test_a_changed_byte_never_passes_for_the_same_entry(entry, data):
    written = entry_bytes(entry)
    at = data.draw(st.integers(0, len(written) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != written[at]))
    changed = written[:at] + bytes([byte]) + written[at + 1 :]
    try:
        parsed = parse_entry(changed)
    except EntryError:
        return
    assert entry_bytes(parsed) == changed != written


@given(st.binary(max_size=60) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_either_are_canonical_or_are_refused(data):
    try:
        parsed = parse_entry(data)
    except EntryError:
        return
    assert entry_bytes(parsed) == data


@given(ENTRIES, st.sampled_from([{"indent": 1}, {"separators": (", ", ":")}, {"ensure_ascii": True}]))
def test_other_spellings_of_the_same_json_are_refused(entry, style):
    options = {"separators": (",", ":"), "sort_keys": True, "ensure_ascii": False} | style
    other = json.dumps(entry, **options).encode()
    if other != entry_bytes(entry):
        with pytest.raises(EntryError):
            parse_entry(other)


def typed(fields):
    return [(type(field), field) for field in fields]


@given(TEXTS, FIELDS, TEXTS, FIELDS)
def test_pae_is_injective(kind, fields, other_kind, other_fields):
    same = kind == other_kind and typed(fields) == typed(other_fields)
    assert (pae(kind, fields) == pae(other_kind, other_fields)) is same


READERS: dict[bytes, Callable[[bytes], Any]] = {
    b"s": bytes.decode,
    b"i": int,
    b"b": bytes,
    b"n": lambda _: None,
}


@given(TEXTS, FIELDS)
def test_pae_can_be_read_back(kind, fields):
    data, parts = pae(kind, fields), []
    while data:
        tag, length, data = data[:1], int.from_bytes(data[1:9], "big"), data[9:]
        content, data = data[:length], data[length:]
        parts.append(READERS[tag](content))
    assert typed(parts) == typed(["affidavit/1", kind, *fields])


@given(FIELDS, st.data())
def test_moving_a_border_between_fields_changes_the_commitment(fields, data):
    texts = ["x", *[field for field in fields if isinstance(field, str)], "y"]
    at = data.draw(st.integers(0, len(texts) - 2))
    merged = [*texts[:at], texts[at] + texts[at + 1], *texts[at + 2 :]]
    blind = bytes(32)
    assert commitment(blind, "k", texts) != commitment(blind, "k", merged)
    assert commitment(blind, "k", texts) != commitment(blind, "k", [*merged, ""])
