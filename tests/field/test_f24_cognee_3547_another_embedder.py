"""F24: vectors of 64 dimensions, then an embedder of 128: searches found nothing, and said nothing."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from affidavit import Config, Memory
from affidavit.errors import EmbedderError, EmbedderMismatchError


class Hashed:
    """Vectors from hashes of words; `name` and width as told."""

    def __init__(self, dimensions: int, name: str | None = None) -> None:
        self.dimensions = dimensions
        self.name = name or f"hashed-{dimensions}"
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> Any:
        self.calls += 1
        matrix = np.full((len(texts), self.dimensions), 0.01, dtype=np.float32)
        for row, text in zip(matrix, texts, strict=True):
            for word in text.lower().split():
                row[int.from_bytes(sha256(word.encode()).digest()[:4]) % self.dimensions] += 1
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


SAID = ("my sister lives in Porto", "the boiler was repaired", "tea without sugar")


@pytest.fixture
def written(config: Config) -> Config:
    with Memory(config=config, embedder=Hashed(64)) as memory:
        for text in SAID:
            memory.add(text, user_id="ana")
        assert memory.search("sister", user_id="ana").plan["dense"] == "on: hashed-64"
    return config


@pytest.mark.parametrize("other", [Hashed(128), Hashed(64, "another-64")])
def test_one_line_names_both_and_says_what_to_do(written: Config, other: Hashed) -> None:
    with Memory(config=written, embedder=other) as memory:
        with pytest.raises(EmbedderMismatchError) as caught:
            memory.search("sister", user_id="ana")
        text = str(caught.value)
        assert "\n" not in text
        assert "hashed-64" in text
        assert other.name in text
        assert "admin embed" in caught.value.hint


def test_embedding_again_mends_it_and_nothing_was_lost(written: Config) -> None:
    with Memory(config=written, embedder=Hashed(128)) as memory:
        assert memory.admin.embed() == 3
        result = memory.search("sister", user_id="ana")
        assert result.hits[0].text == SAID[0]
        assert result.plan["dense"] == "on: hashed-128"
        assert memory.admin.embed() == 0
        assert memory.admin.inspect().rows["embedding"] == 3
        assert not memory.verify().problems


def test_without_an_embedder_words_find_it(written: Config) -> None:
    with Memory(config=written) as memory:
        assert memory.search("sister", user_id="ana").hits[0].text == SAID[0]


def test_adding_with_the_other_one_never_makes_a_search_empty(written: Config) -> None:
    with Memory(config=written, embedder=Hashed(128)) as memory:
        assert memory.add("a new message about my sister", user_id="ana").episodes
        assert len(memory.search("sister", user_id="ana").hits) >= 2
        memory.admin.embed(user_id="ana")
        assert len(memory.search("sister", user_id="ana").hits) >= 2
        assert memory.list(user_id="ana").total == 4


def test_a_warm_index_lives_through_the_change_made_by_another_process(written: Config) -> None:
    with Memory(config=written, embedder=Hashed(64)) as old, Memory(config=written) as plain:
        assert old.search("sister", user_id="ana").hits[0].text == SAID[0]
        assert plain.search("sister", user_id="ana").hits[0].text == SAID[0]
        with Memory(config=written, embedder=Hashed(128)) as new:
            new.add("a cousin, too", user_id="ana")
            new.admin.embed()
        with pytest.raises(EmbedderMismatchError, match="hashed-128"):
            old.search("sister", user_id="ana")
        assert plain.search("sister", user_id="ana").hits[0].text == SAID[0]
        assert old.admin.embed() == 4
        hits = old.search("sister cousin", user_id="ana", limit=50).hits
        assert len({hit.id for hit in hits}) == len(hits)
        assert hits[0].text in {SAID[0], "a cousin, too"}


def test_embedding_needs_an_embedder(memory: Memory) -> None:
    with pytest.raises(EmbedderError) as caught:
        memory.admin.embed()
    assert "affidavit[embed]" in caught.value.hint
