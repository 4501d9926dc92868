"""Embedders on a server, over the real SDK and a real server: vectors, faults, and what a search does without them."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from affidavit import Config, Memory
from affidavit.errors import EmbedderError, EmbedderMismatchError
from affidavit.providers.embedder import Embedder, vectors_of
from affidavit.providers.finding import embedder_of
from tests.support_llm_server import (
    DIMENSIONS,
    Fail,
    Half,
    LlmServer,
    Raw,
    Reply,
    Silent,
    llm_server,
    vector_of,
)


def _embedder(server: LlmServer, *, timeout_s: float = 20.0) -> Embedder:
    found = embedder_of("vllm:words", url=server.url, timeout_s=timeout_s)
    assert found is not None
    return found


def _memory(config: Config, server: LlmServer, name: str = "vllm:words") -> Memory:
    given = {setting: getattr(config, setting) for setting in ("db", "key_dir")}
    return Memory(config=Config.load(**given, embedder=name, embedder_url=server.url, embedder_timeout_s=20))


SAID = ("my sister lives in Porto", "the boiler was repaired", "tea without sugar")


def test_rows_are_unit_vectors_in_order() -> None:
    with llm_server() as server:
        embedder = _embedder(server)
        assert embedder.dimensions == 0
        texts = [f"text number {number}" for number in range(150)]
        rows = vectors_of(embedder, texts)
        assert rows.shape == (150, DIMENSIONS)
        assert embedder.dimensions == DIMENSIONS
        wanted = np.array([vector_of(text) for text in texts], dtype=np.float32)
        assert np.allclose(rows, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-5)
        assert [len(asked.body["input"]) for asked in server.asked] == [64, 64, 22]
        assert embedder.embed([]).shape == (0, DIMENSIONS)


def test_what_is_too_much_at_once_is_asked_in_parts() -> None:
    def embed(texts: Sequence[str]) -> list[list[float]] | Reply:
        if sum(map(len, texts)) > 3_000:
            return Fail(400, code="context_length_exceeded")
        return [vector_of(text) for text in texts]

    with llm_server(embed=embed) as server:
        rows = _embedder(server).embed(["word " * 2_000, "short"])
        assert rows.shape == (2, DIMENSIONS)
        assert np.allclose(rows[1], vectors_of(_embedder(server), ["short"])[0])


FAULTS: list[tuple[Reply, str]] = [
    (Fail(401), "AFFIDAVIT_EMBEDDER_KEY"),
    (Fail(404), "embedder_url"),
    (Fail(400), "did not take"),
    (Half("x"), "broke off|no answer"),
    (Raw(b'{"data": []}'), "no answer"),
    (Raw(b'{"data": [{"embedding": [1, "a"]}]}'), "no answer"),
    (Raw(b'{"data": [{"embedding": [NaN, 1]}]}'), "no answer"),
    (Raw(b'{"data": [{"embedding": [0, 0]}]}'), "no answer"),
    (Raw(b'{"data": [{"embedding": []}]}'), "no answer"),
    (Raw(b'{"data": [{"embedding": 7, "index": "x"}]}'), "no answer"),
    (Raw(b"hello"), "no answer"),
]


@pytest.mark.parametrize("fault, words", FAULTS, ids=[str(fault)[:50] for fault, _ in FAULTS])
def test_every_fault_is_one_clear_error(fault: Reply, words: str) -> None:
    with llm_server(embed=lambda texts: fault) as server:
        with pytest.raises(EmbedderError, match=words) as caught:
            _embedder(server).embed(["hello"])
        assert caught.value.hint


def test_a_server_that_never_answers_is_cut() -> None:
    with llm_server(embed=lambda texts: Silent()) as server:
        with pytest.raises(EmbedderError, match=r"within 0\.2 s"):
            _embedder(server, timeout_s=0.2).embed(["hello"])
        assert server.client_left.wait(10)


def test_messages_are_found_by_what_they_mean(config: Config) -> None:
    with llm_server() as server, _memory(config, server) as memory:
        for text in SAID:
            memory.add(text, user_id="ana")
        result = memory.search("sister Porto", user_id="ana")
        assert result.plan["dense"] == "on: vllm:words"
        assert result.hits[0].text == SAID[0]
        assert not memory.verify().problems


def test_without_its_embedder_a_search_goes_by_words_and_says_so(config: Config) -> None:
    with llm_server() as server:
        with _memory(config, server) as memory:
            memory.add(SAID[0], user_id="ana")
        fresh = _memory(config, server)
    with fresh:
        result = fresh.search("sister", user_id="ana")
        assert result.hits[0].text == SAID[0]
        assert "can't be reached" in str(result.plan["dense"])
        assert fresh.add(SAID[1], user_id="ana").episodes
        assert fresh.search("boiler", user_id="ana").hits[0].text == SAID[1]
        assert fresh.admin.inspect().waiting["embed"] == 1


def test_meaning_is_back_when_its_embedder_is(config: Config) -> None:
    faults: list[Reply] = []

    def embed(texts: Sequence[str]) -> list[list[float]] | Reply:
        return faults[0] if faults else [vector_of(text) for text in texts]

    with llm_server(embed=embed) as server:
        with _memory(config, server) as memory:
            memory.add(SAID[0], user_id="ana")
        with _memory(config, server) as memory:
            faults.append(Fail(404))
            assert str(memory.search("sister", user_id="ana").plan["dense"]).startswith("off: ")
            faults.clear()
            assert memory.search("sister", user_id="ana").plan["dense"] == "on: vllm:words"


def test_another_embedder_says_what_to_do_and_embeds_anew_where_it_was_cut_short(config: Config) -> None:
    left = 1_000

    def embed(texts: Sequence[str]) -> list[list[float]] | Reply:
        nonlocal left
        left -= len(texts)
        return Fail(404) if left < 0 else [[1.0, *vector_of(text)] for text in texts]

    with llm_server() as server, _memory(config, server) as memory:
        memory.add(
            [{"role": "user", "content": f"note {number} of the boiler"} for number in range(300)],
            user_id="ana",
        )
    with llm_server(embed=embed) as server, _memory(config, server, "vllm:wider") as memory:
        with pytest.raises(EmbedderMismatchError) as caught:
            memory.search("boiler", user_id="ana")
        assert "admin embed" in caught.value.hint
        left = 280
        with pytest.raises(EmbedderError):
            memory.admin.embed()
        assert memory.search("boiler", user_id="ana").hits
        kept = 300 - memory.admin.inspect().waiting["embed"]
        assert kept == 256
        left = 1_000
        assert memory.admin.embed() == 300 - kept
        assert memory.search("boiler", user_id="ana").plan["dense"] == "on: vllm:wider"
        assert memory.admin.embed() == 0
        assert not memory.verify().problems


def _wider(texts: Sequence[str]) -> list[list[float]]:
    return [[1.0, *vector_of(text)] for text in texts]


def test_another_width_under_the_same_name_is_told_and_embedded_anew(config: Config) -> None:
    with llm_server() as server, _memory(config, server) as memory:
        for text in SAID:
            memory.add(text, user_id="ana")
    with llm_server(embed=_wider) as server:
        with _memory(config, server) as memory:
            for _ in range(2):
                with pytest.raises(EmbedderMismatchError) as caught:
                    memory.search("sister", user_id="ana")
                assert f"vllm:words ({DIMENSIONS} dimensions)" in str(caught.value)
                assert f"vllm:words ({DIMENSIONS + 1} dimensions)" in str(caught.value)
                assert "admin embed" in caught.value.hint
        with _memory(config, server) as memory:
            assert memory.admin.embed() == len(SAID)
            assert memory.search("sister Porto", user_id="ana").plan["dense"] == "on: vllm:words"
            assert memory.search("sister Porto", user_id="ana").hits[0].text == SAID[0]
            assert memory.admin.embed() == 0
            assert not memory.verify().problems


def test_vectors_of_two_widths_under_one_name_are_not_mixed_up(config: Config) -> None:
    with llm_server() as server, _memory(config, server) as memory:
        memory.add(SAID[0], user_id="ana")
    with llm_server(embed=_wider) as server, _memory(config, server) as memory:
        memory.add(SAID[1], user_id="ana")
        found = memory.search("boiler", user_id="ana")
        assert found.hits[0].text == SAID[1]
        assert (
            found.plan["dense"]
            == f"on: vllm:words; not compared: vectors of vllm:words ({DIMENSIONS} dimensions)"
        )
        assert memory.search("sister", user_id="ana").hits[0].text == SAID[0]
    with llm_server(embed=_wider) as server, _memory(config, server) as fresh:
        assert fresh.search("boiler", user_id="ana").hits[0].text == SAID[1]
        assert fresh.admin.embed() == 1
        assert fresh.search("sister", user_id="ana").plan["dense"] == "on: vllm:words"


@pytest.mark.parametrize("name", ["anthropic:claude-x", "nobody:x", "ollama:"])
def test_a_setting_that_means_no_embedder_is_refused(name: str) -> None:
    from affidavit.errors import ConfigError

    with pytest.raises(ConfigError) as caught:
        Config.load(embedder=name)
    assert caught.value.hint


def test_the_query_is_not_asked_with_the_models_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFIDAVIT_LLM_KEY", "key-of-the-model")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-openai")
    check: Callable[[LlmServer], bool] = lambda server: "key-of" in str(server.asked)  # noqa: E731
    with llm_server() as server:
        _embedder(server).embed(["hello"])
        assert not check(server)
        monkeypatch.setenv("AFFIDAVIT_EMBEDDER_KEY", "key-of-the-embedder")
        _embedder(server).embed(["hello"])
        assert server.asked[-1].headers["authorization"] == "Bearer key-of-the-embedder"
