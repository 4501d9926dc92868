"""Behaviour 1: raw messages are stored and committed before anything is derived from them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from affidavit import Config, Memory
from affidavit.errors import EmbedderError, StoreBusyError


class Failing:
    """An embedder that does something else than embed, after looking at what is committed by then."""

    name = "failing-4"
    dimensions = 4

    def __init__(self, act: Callable[[Sequence[str]], Any]) -> None:
        self.act = act
        self.look: Callable[[], int] = lambda: 0
        self.seen: list[int] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.seen.append(self.look())
        return self.act(texts)


def good(texts: Sequence[str]) -> Any:
    return np.tile(np.array([1, 0, 0, 0], np.float32), (len(texts), 1))


def fails(_: Sequence[str]) -> Any:
    raise EmbedderError("the model is gone", hint="install it again")


def crashes(_: Sequence[str]) -> Any:
    raise ZeroDivisionError("a fault of the model's own")


def stops(_: Sequence[str]) -> Any:
    raise KeyboardInterrupt


def too_few(texts: Sequence[str]) -> Any:
    return good(texts)[:-1]


def too_wide(texts: Sequence[str]) -> Any:
    return np.tile(np.array([1, 0, 0, 0, 0], np.float32), (len(texts), 1))


def not_numbers(texts: Sequence[str]) -> Any:
    return np.full((len(texts), 4), np.nan, np.float32)


def nothing(_: Sequence[str]) -> Any:
    return None


@pytest.fixture
def reader(config: Config) -> Iterator[Memory]:
    with Memory(config=config) as memory:
        yield memory


@pytest.mark.parametrize("act", [fails, crashes, too_few, too_wide, not_numbers, nothing])
def test_whatever_the_embedder_does_the_episode_is_safe_and_told(
    config: Config, reader: Memory, act: Callable[[Sequence[str]], Any]
) -> None:
    embedder = Failing(act)
    embedder.look = lambda: reader.list(user_id="ana").total
    with Memory(config=config, embedder=embedder) as memory:
        result = memory.add("the violet key", user_id="ana")
        assert embedder.seen
        assert embedder.seen[0] == 1
        assert len(result.episodes) == 1
        assert result.pending.get("embed") == 1
        assert len(result.problems) == 1
        assert "admin embed" in result.problems[0]
        assert "\n" not in result.problems[0]
        hits = memory.search("violet", user_id="ana")
        assert hits.hits[0].text == "the violet key"
        assert hits.plan["dense"].startswith("off")
        assert not memory.verify().problems
    with Memory(config=config, embedder=Failing(good)) as memory:
        assert memory.admin.embed() == 1
        assert memory.search("violet", user_id="ana").plan["dense"] == "on: failing-4"
        assert not memory.verify().problems


def test_an_interruption_while_embedding_loses_nothing(config: Config, reader: Memory) -> None:
    with Memory(config=config, embedder=Failing(stops)) as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.add("the violet key", user_id="ana")
        assert [item.text for item in reader.list(user_id="ana")] == ["the violet key"]
        assert memory.admin.inspect().waiting["embed"] == 1
        assert not memory.verify().problems


@pytest.mark.parametrize("act", [fails, crashes, not_numbers])
def test_a_question_that_cannot_be_embedded_is_answered_by_words(
    config: Config, act: Callable[[Sequence[str]], Any]
) -> None:
    embedder = Failing(good)
    with Memory(config=config, embedder=embedder) as memory:
        memory.add("the violet key", user_id="ana")
        embedder.act = act
        result = memory.search("violet", user_id="ana")
        assert result.hits[0].text == "the violet key"
        assert result.plan["dense"].startswith("off")


def test_what_waits_for_extraction_is_counted_and_goes_on(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> list[object]:
        raise StoreBusyError("busy", hint="later")

    with monkeypatch.context() as failing:
        failing.setattr("affidavit.write.extract.Frames.extract", refuse)
        result = memory.add(
            [{"role": "user", "content": "I moved to Oslo"}, {"role": "system", "content": "be brief"}],
            user_id="ana",
        )
        assert result.pending == {"extract": 1}
        assert "nothing derived: busy" in result.problems[0]
        assert memory.admin.inspect().waiting["extract"] == 1
    assert memory.add("The weather is fine", user_id="ana", infer=False).pending == {}
    assert [one.text for one in memory.derive(user_id="ana").added] == ["The user lives in Oslo."]
    assert "extract" not in memory.admin.inspect().waiting


def test_each_episode_has_its_commitment_in_the_log(memory: Memory) -> None:
    added = memory.add([{"role": "user", "content": f"note {n}"} for n in range(5)], user_id="ana")
    with memory._rooms.store.snapshot() as reads:
        bodies = dict(reads.entries(added.space_id or ""))
    for episode in added.episodes:
        assert episode.id.encode() in bodies[episode.seq]
        assert b'"commit":"' in bodies[episode.seq]
        assert episode.text.encode() not in bodies[episode.seq]
