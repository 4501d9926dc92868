"""Keys whose makers gave them a shape of their own, and fields that are free text."""

from typing import Any

import pytest

from affidavit import Memory
from affidavit.errors import InputError
from affidavit.text.secrets import mask

_BODY = "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2b"


@pytest.mark.parametrize(
    "secret",
    ["12345678" + ":AA" + _BODY[:33], "hvs." + _BODY, "dp.pt." + _BODY, "AGE-SECRET-KEY-1" + "QPZRY9X8" * 6],
)
def test_a_key_is_known_by_its_shape(secret: str) -> None:
    masked = mask(f"use {secret}, please")[0]
    assert secret[-12:] not in masked
    assert masked.startswith("use [secret:")
    assert masked.endswith("], please")


@pytest.mark.parametrize("text", ["at 12:AA", "12345678:AAB", "hvs. und so weiter", "dp.pt.x"])
def test_ordinary_text_stays(text: str) -> None:
    assert mask(text)[0] == text


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
