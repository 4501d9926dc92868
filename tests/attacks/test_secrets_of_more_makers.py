"""Keys whose makers gave them a shape of their own, and fields that are free text."""

import base64
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit import Config, Memory
from affidavit.errors import InputError
from affidavit.text.secrets.masking import mask
from tests.support_stores import kept_bytes

_BODY = "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2b"
_HEX = "0123456789abcdef" * 2
# A bot's token begins with its account's number, in base64.
_DISCORD = "MTA5ODc2NTQzMjEwOTg3NjU0" + f".GaBcDe.{_BODY}"


@pytest.mark.parametrize(
    "secret",
    [
        "12345678" + ":AA" + _BODY[:33],
        "hvs." + _BODY,
        "dp.pt." + _BODY,
        "AGE-SECRET-KEY-1" + "QPZRY9X8" * 6,
        "SK" + _HEX,
        "AC" + _HEX,
        "key-" + _HEX,
        _HEX + "-0123abcd-4567ef89",
        _DISCORD,
    ],
)
def test_a_key_is_known_by_its_shape(secret: str) -> None:
    masked = mask(f"use {secret}, please")[0]
    assert secret[-12:] not in masked
    assert masked.startswith("use [secret:")
    assert masked.endswith("], please")


@pytest.mark.parametrize(
    "text",
    [
        "at 12:AA",
        "12345678:AAB",
        "hvs. und so weiter",
        "dp.pt.x",
        f"md5 {_HEX}",
        f"commit {_HEX}01234567",
        f"SK{_HEX.upper()}",
        f"SK{_HEX}0",
        f"TASK{_HEX}",
        f"AC{_HEX[:31]}",
        f"cache-key-{_HEX}",
        f"key-{_HEX}0",
        f"{_HEX}-0123abcd",
        f"{_HEX}-0123abcd-4567ef89-0",
        "018f6a2e-7b3c-7d4e-8f5a-6b7c8d9e0f1a",
        # Three parts with dots, but the first is no number in base64.
        f"MTcom.example.package.GaBcDe.{_BODY}",
        f"MTAmodule_of_something_xx.GaBcDe.{_BODY}",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert mask(text)[0] == text


@given(st.from_regex(r"[0-9a-f]{7,128}", fullmatch=True) | st.from_regex(r"[0-9A-F]{7,128}", fullmatch=True))
def test_no_hash_is_taken_for_a_key(digest: str) -> None:
    assert mask(f"commit {digest}")[0] == f"commit {digest}"


@given(st.uuids(), st.uuids())
def test_no_uuids_are_taken_for_a_key(one: UUID, other: UUID) -> None:
    text = f"moved {one} to {other}, {one}-{other}"
    assert mask(text)[0] == text


@given(st.integers(10**16, 10**20 - 1), st.text("abzAZ019_-", min_size=6, max_size=6), st.integers(27, 38))
def test_the_token_of_every_bot_is_known(account: int, middle: str, length: int) -> None:
    first = base64.b64encode(str(account).encode()).decode().rstrip("=")
    secret = (_BODY * 2)[:length]
    assert mask(f"run it with {first}.{middle}.{secret} now")[0] == "run it with [secret:token] now"


def test_what_a_message_touched_is_masked_like_its_text(
    memory: Memory, config: Config, tmp_path: Path
) -> None:
    touched = ["https://bob:s3cr3t@db.example/app", "https://x.example/?api_key=abc123def456", "flight-7"]
    stored = memory.add("x", user_id="priya", resources=touched, idempotency_key="k").episodes[0]
    assert stored.resources == (
        "https://bob:[secret:password]@db.example/app",
        "https://x.example/?api_key=[secret:token]",
        "flight-7",
    )
    assert memory.add("x", user_id="priya", resources=touched, idempotency_key="k").repeated
    assert len(memory.search("x", user_id="priya", filters={"resources": {"contains": "flight-7"}})) == 1
    assert not [name for name, data in kept_bytes(config.database, tmp_path) if b"s3cr3t" in data]


def test_an_event_type_is_masked_like_a_name(memory: Memory) -> None:
    stored = memory.add("x", user_id="priya", event_type="token: ghp_" + "a1B2" * 8).episodes[0]
    assert stored.event_type == "token: [secret:token]"


def test_a_value_nested_too_deep_to_be_shown_is_refused(memory: Memory) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError):
        memory.add("x", user_id="priya", author=deep)
    with pytest.raises(InputError):
        memory.search("x", user_id="priya", limit=deep)
    while deep:  # or freeing it would recurse
        deep = deep.pop()
