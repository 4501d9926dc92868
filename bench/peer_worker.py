"""One memory system in a process of its own, driven over standard input by `bench.peers`.

    python -m bench.peer_worker affidavit|veramem bare|vectors FOLDER

Each line is a request `{"add": [texts]}`, `{"search": [questions]}` or `{"size": true}`; each answer is one line of
JSON with the seconds it took. Both systems get the same texts as a user's messages in batches, the same questions and
limit, and record their traces as they do by default. `bare` is what each does where no model is there: ours goes by
words, VeraMem by words and its own hashed vectors, the making of which is part of what it does. With `vectors` both
get the same random unit vectors, and making them is never counted.
"""

import json
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384
USER = "the-one"


class System(Protocol):
    """What is compared."""

    def add(self, texts: Sequence[str]) -> None:
        """Keep the texts as messages of the user, without a language model."""

    def search(self, question: str) -> int:
        """Ten results; how many came."""


class Vectors:
    """Random unit vectors that follow from the text alone."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def of(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text."""
        start = time.perf_counter()
        rows = np.empty((len(texts), DIMENSIONS), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = np.random.default_rng(crc32(text.encode())).standard_normal(DIMENSIONS, np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        self.seconds += time.perf_counter() - start
        return rows


def affidavit(folder: Path, vectors: Vectors | None) -> System:
    """Ours, through its public face."""
    from affidavit import Config, Memory  # noqa: PLC0415

    class Embedder:
        name = "bench-random"
        dimensions = DIMENSIONS

        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            assert vectors is not None
            return vectors.of(texts)

    settings = Config.load(environ={}, home=folder / "home", key_dir=folder / "keys", embedder="none")
    memory = Memory(folder / "memory.db", embedder=Embedder() if vectors else None, config=settings)

    class Ours:
        def add(self, texts: Sequence[str]) -> None:
            memory.add([{"role": "user", "content": text} for text in texts], user_id=USER, infer=False)

        def search(self, question: str) -> int:
            return len(memory.search(question, user_id=USER, limit=10).hits)

    return Ours()


def veramem(folder: Path, vectors: Vectors | None) -> System:
    """VeraMem through its public face; `add` with a list is its bulk path (one embedding call, two transactions)."""
    os.environ["VERAMEM_HOME"] = str(folder)
    package, providers = import_module("veramem"), import_module("veramem.providers")
    base: Any = providers.Embedder

    class Random(base):  # type: ignore[misc]
        name = "bench-random"
        model = "random"
        dim = DIMENSIONS

        def embed(self, texts: list[str]) -> Any:
            assert vectors is not None
            return vectors.of(texts)

    embedder = Random() if vectors else providers.HashEmbedder()
    memory = package.Memory(
        str(folder / "veramem.db"),
        llm=providers.NoLLM(),
        embedder=embedder,
        llm_provider="none",
        embed_provider="hash",
    )

    class Theirs:
        def add(self, texts: Sequence[str]) -> None:
            memory.add([{"role": "user", "content": text} for text in texts], user_id=USER, infer=False)

        def search(self, question: str) -> int:
            return len(memory.search(question, user_id=USER, limit=10).hits)

    return Theirs()


def main(name: str, profile: str, folder: Path) -> None:
    """Answer requests until the input ends."""
    vectors = Vectors() if profile == "vectors" else None
    system = {"affidavit": affidavit, "veramem": veramem}[name](folder, vectors)

    def timed(act: Any, given: Any) -> float:
        before, start = vectors.seconds if vectors else 0.0, time.perf_counter()
        act(given)
        took = time.perf_counter() - start
        return took - (vectors.seconds - before if vectors else 0.0)

    for line in sys.stdin:
        request = json.loads(line)
        if "add" in request:
            answer: Any = timed(system.add, request["add"])
        elif "search" in request:
            answer = [timed(system.search, question) for question in request["search"]]
        else:
            answer = sum(file.stat().st_size for file in folder.glob("*.db*"))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
