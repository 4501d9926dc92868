"""Bytes that are hashed: the JSON profile of entries, the encoding of committed fields, and commitments.

An entry is turned into bytes once, when it happens; from then on the bytes are what is stored, hashed
and checked. `parse_entry` therefore accepts exactly the texts `entry_bytes` can make: two different
byte strings never mean the same entry.

Committed fields are values that an entry vouches for without showing them. `pae` gives each list of
fields one byte string that no other list has, and `commitment` keys it with a random blind, so that
nobody can test a guess once the blind is destroyed.

The format is described, for people who read no Python, in `docs/spec/ledger-v1.md`.
"""

import hmac
import json
from collections.abc import Mapping, Sequence
from typing import NoReturn, TypeAlias, cast

FORMAT = "affidavit/1"
"""Name and version of the format: the domain prefix of everything that is hashed."""

MAX_INTEGER = 2**53 - 1
"""Integers of an entry lie within plus or minus this, so that every JSON reader gets them exactly."""

MAX_DEPTH = 32
"""Lists and objects of an entry are nested at most this deep, the entry itself being the first."""

BLIND_BYTES = 32
"""Length of a blind."""

EntryValue: TypeAlias = "str | int | bool | Sequence[EntryValue] | Mapping[str, EntryValue] | None"
"""What an entry may hold. At run time dicts, lists and tuples; a tuple is read back as a list."""

Field: TypeAlias = str | int | bytes | None
"""What a commitment may cover. A flag is given as 0 or 1, an absent value as None (not as "")."""

_INT64 = 2**63


class EntryError(ValueError):
    """Bytes that are not an entry in the format's own form."""


def entry_bytes(fields: Mapping[str, EntryValue]) -> bytes:
    """The one byte form of an entry: UTF-8 JSON, keys sorted, no white space, nothing added.

    Raises ValueError for what the profile has no form for: floats, keys that are not ASCII text,
    integers beyond `MAX_INTEGER`, lone surrogates, other types, deeper nesting than `MAX_DEPTH`.
    """
    entry = dict(fields)
    _check(entry, 1)
    return _ENCODER.encode(entry).encode("utf-8")


def parse_entry(data: bytes) -> dict[str, EntryValue]:
    """The fields of an entry from its stored bytes.

    Raises EntryError unless `data` is exactly what `entry_bytes` makes of the result: so no doubled
    keys, other key order, white space, needless escapes, floats or broken UTF-8.
    """
    try:
        text = data.decode("utf-8")
        entry, end = _DECODER.raw_decode(text)
        if not text.isascii() or text.count("[") + text.count("{") > MAX_DEPTH:
            _check(entry, 1)
        # A doubled key, a needless escape or another order does not survive being written again.
        canonical = end == len(text) and _ENCODER.encode(entry) == text
    except (ValueError, RecursionError) as error:
        raise EntryError(f"not an entry: {error}") from None
    if type(entry) is not dict:
        raise EntryError("not an entry: it must be a JSON object")
    if not canonical:
        raise EntryError("not an entry: keys must be sorted, white space left out and escapes the shortest")
    return cast(dict[str, EntryValue], entry)


def pae(kind: str, fields: Sequence[Field]) -> bytes:
    """Unambiguous bytes of a kind and its fields in order ("pre-authentication encoding").

    Each part is a tag byte, its length as 8 bytes (big-endian) and its content; the first two parts
    are the format's name and `kind`. Different kinds or lists never give the same bytes: order,
    number, type and absence all count.
    Raises ValueError for booleans (give 0 or 1), integers outside 64 bits, lone surrogates, other types.
    """
    parts = [_PREFIX, _part(kind)]
    for value in fields:
        # Most fields are absent or short texts, and verify passes millions of them.
        if value is None:
            parts.append(_NONE)
        elif type(value) is str and (size := len(data := value.encode("utf-8"))) < _SHORT:
            parts += (_TEXT_HEADS[size], data)
        elif type(value) is int and -_INT64 <= value < _INT64:
            digits = b"%d" % value
            parts += (_INTEGER_HEADS[len(digits)], digits)
        else:
            parts.append(_part(value))
    return b"".join(parts)


def commitment(blind: bytes, kind: str, fields: Sequence[Field]) -> bytes:
    """HMAC-SHA-256 over `pae(kind, fields)` keyed with the blind (32 random bytes): 32 bytes.

    Raises ValueError for a blind of another length (HMAC would take a short one for a padded one).
    """
    if len(blind) != BLIND_BYTES:
        raise ValueError(f"a blind has {BLIND_BYTES} bytes, this has {len(blind)}")
    return hmac.digest(blind, pae(kind, fields), "sha256")


def _part(value: object) -> bytes:
    if isinstance(value, str):
        data = value.encode("utf-8")
        return b"s" + len(data).to_bytes(8, "big") + data
    if value is None:
        return _NONE
    if isinstance(value, bytes):
        return b"b" + len(value).to_bytes(8, "big") + value
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"a {type(value).__name__} can't be committed")  # noqa: TRY004
    if not -_INT64 <= value < _INT64:
        raise ValueError(f"a committed integer has at most 64 bits, not {value.bit_length() + 1}")
    data = b"%d" % value
    return b"i" + len(data).to_bytes(8, "big") + data


_NONE = b"n" + bytes(8)
_SHORT = 256
_TEXT_HEADS = tuple(b"s" + size.to_bytes(8, "big") for size in range(_SHORT))
_INTEGER_HEADS = tuple(b"i" + size.to_bytes(8, "big") for size in range(21))
_PREFIX = _part(FORMAT)


def _check(value: object, depth: int) -> None:
    """Raise ValueError unless the profile has a form for `value` (lone surrogates show when encoding)."""
    if value is None or isinstance(value, (str, bool)):
        return
    if isinstance(value, int):
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise ValueError(f"an integer of an entry must lie within ±{MAX_INTEGER}")
        return
    if depth > MAX_DEPTH:
        raise ValueError(f"an entry must not be nested deeper than {MAX_DEPTH}")
    if isinstance(value, dict):
        for key, member in value.items():
            if not isinstance(key, str) or not key.isascii():
                raise ValueError(f"a key of an entry must be ASCII text, not {key!r}")
            _check(member, depth + 1)
    elif isinstance(value, (list, tuple)):
        for member in value:
            _check(member, depth + 1)
    else:
        raise ValueError(f"an entry can't hold a {type(value).__name__}")  # noqa: TRY004


def _integer(digits: str) -> int:
    # The length first: it spares us converting what can't be in range.
    if len(digits) > 17 or abs(number := int(digits)) > MAX_INTEGER:
        raise EntryError(f"an integer of an entry must lie within ±{MAX_INTEGER}")
    return number


def _refuse_number(text: str) -> NoReturn:
    raise EntryError("an entry holds no floats, NaN or infinities")


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)
_DECODER = json.JSONDecoder(parse_float=_refuse_number, parse_int=_integer, parse_constant=_refuse_number)
