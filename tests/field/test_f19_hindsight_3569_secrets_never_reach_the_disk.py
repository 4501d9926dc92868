"""F19 through the API: secrets are masked before hash, index, log and trace; raw bytes never hold them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.write.documents import Document
from tests.support_stores import kept_bytes

KEY = "sk_test_ABCDEFGHabcdefgh12345678"
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"
PASSWORD = "Tr0ub4dor-zebra-91"
PEM = (
    "-----BEGIN PRIVATE KEY-----\n"
    + "".join(
        f"{chr(65 + n % 26) * 3}kF9sQ{n:02d}wErTyUiOpAsDfGhJkLzXcVbNm1234567890abcdefghijk\n"
        for n in range(60)
    )
    + "-----END PRIVATE KEY-----"
)
MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": f"凭证为{KEY}，请记住"},
    {"role": "user", "content": f"token:{TOKEN} for the build"},
    {"role": "user", "content": f"here it is\n{PEM}\nkeep it"},
    {"role": "user", "content": f"remember my password is {PASSWORD}"},
    {"role": "tool", "content": json.dumps({"config": {"password": PASSWORD, "token": TOKEN}})},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "type": "function",
                "function": {"name": "login", "arguments": json.dumps({"password": PASSWORD})},
            }
        ],
    },
    {"role": "user", "name": f"token {TOKEN}", "content": "my name is odd"},
    {
        "role": "user",
        "content": "see metadata",
        "metadata": {"password": PASSWORD, "nested": [{"note": KEY}], KEY: 1},
    },
]


def pieces(secret: str) -> list[bytes]:
    lines = secret.split("\n") if "\n" in secret else [secret]
    return [line.encode() for line in lines if not line.startswith("-----")]


def test_no_secret_is_on_disk_in_results_or_traces(config: Config, tmp_path: Path) -> None:
    shown = replace(config, keep_queries=True)
    with Memory(config=shown) as memory:
        result = memory.add(MESSAGES, user_id="ana", metadata={"api_key": KEY}, source=f"inbox token {TOKEN}")
        assert result.masked >= 5
        for query in (f"is my password {PASSWORD}?", f"password: {PASSWORD}", KEY, TOKEN, "password token"):
            memory.search(query, user_id="ana", explain=True)
        everything = repr(result) + repr(memory.list(user_id="ana")) + json.dumps(result.to_dict())
        for secret in (KEY, TOKEN, PASSWORD, PEM):
            for piece in pieces(secret):
                assert piece.decode() not in everything
                for file, data in kept_bytes(config.database, tmp_path):
                    assert piece not in data, (file, piece)
        assert not memory.verify().problems
    for secret in (KEY, TOKEN, PASSWORD, PEM):
        for piece in pieces(secret):
            assert not [file for file, data in kept_bytes(config.database, tmp_path) if piece in data]


def test_a_masked_stretch_is_recorded_and_the_rest_is_found(memory: Memory) -> None:
    episode = memory.add(f"my password is {PASSWORD} for the boiler", user_id="ana").episodes[0]
    masked = [span for span in episode.spans if span.kind == "masked"]
    assert len(masked) == 1
    assert episode.text[masked[0].start : masked[0].end].startswith("[secret:")
    assert memory.search("boiler", user_id="ana").hits[0].id == episode.id


@pytest.mark.parametrize("padding", range(0, 1_400, 200))
def test_a_secret_across_the_border_of_two_chunks_is_masked(
    config: Config, tmp_path: Path, padding: int
) -> None:
    before = "An introduction. " * (padding // 17)
    text = f"{before}\n\n{PEM}\n\nThe end of it."
    with Memory(config=config) as memory:
        result = memory.add(document=Document(text=text, name="deploy.md", markdown=True), user_id="ana")
        whole = "".join(episode.text for episode in result.episodes)
    for piece in pieces(PEM):
        assert piece.decode() not in whole
        assert not [file for file, data in kept_bytes(config.database, tmp_path) if piece in data]


def test_a_secret_in_a_heading_or_a_file_name_is_masked(config: Config, tmp_path: Path) -> None:
    text = f"# Staging\n\n## token: {TOKEN}\n\nUse it with care.\n"
    with Memory(config=config) as memory:
        memory.add(
            document=Document(text=text, name=f"password is {PASSWORD}.md", markdown=True), user_id="ana"
        )
        assert memory.list(user_id="ana").total >= 1
    for piece in (TOKEN.encode(), PASSWORD.encode()):
        assert not [file for file, data in kept_bytes(config.database, tmp_path) if piece in data]


def test_a_documents_offsets_point_into_what_is_stored(memory: Memory) -> None:
    text = f"First, remember my password is {PASSWORD}.\n\n" + "Then a paragraph of plain words. " * 120
    episodes = memory.add(document=text, user_id="ana").episodes
    assert len(episodes) > 2
    places = [episode.document for episode in episodes]
    for episode, place in zip(episodes, places, strict=True):
        assert place is not None
        assert place.end - place.start == len(episode.text)
