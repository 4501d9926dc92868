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
from typing import Any

from bench.texts import USER
from bench.vectors import DIMENSIONS, FreeEmbedder


class System:
    """What is compared, through its public face: the two take the same words."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def add(self, texts: Sequence[str]) -> None:
        """Keep the texts as messages of the user, without a language model."""
        messages = [{"role": "user", "content": text} for text in texts]
        self._memory.add(messages, user_id=USER, infer=False)

    def search(self, question: str) -> int:
        """Ten results; how many came."""
        return len(self._memory.search(question, user_id=USER, limit=10).hits)


def affidavit(folder: Path, embedder: FreeEmbedder | None) -> Any:
    """Ours."""
    from bench.stores import open_memory  # noqa: PLC0415 - not there in VeraMem's environment

    return open_memory(folder, embedder=embedder)


def veramem(folder: Path, embedder: FreeEmbedder | None) -> Any:
    """VeraMem; its `add` with a list is its bulk path (one embedding call, two transactions)."""
    os.environ["VERAMEM_HOME"] = str(folder)
    package, providers = import_module("veramem"), import_module("veramem.providers")
    base: Any = providers.Embedder

    class Random(base):  # type: ignore[misc]
        name = "bench-random"
        model = "random"
        dim = DIMENSIONS

        def embed(self, texts: list[str]) -> Any:
            assert embedder is not None
            return embedder.embed(texts)

    return package.Memory(
        str(folder / "veramem.db"),
        llm=providers.NoLLM(),
        embedder=Random() if embedder else providers.HashEmbedder(),
        llm_provider="none",
        embed_provider="hash",
    )


def main(name: str, profile: str, folder: Path) -> None:
    """Answer requests until the input ends."""
    embedder = FreeEmbedder() if profile == "vectors" else None
    system = System({"affidavit": affidavit, "veramem": veramem}[name](folder, embedder))

    def timed(act: Any, given: Any) -> float:
        before, start = embedder.seconds if embedder else 0.0, time.perf_counter()
        act(given)
        took = time.perf_counter() - start
        return took - (embedder.seconds - before if embedder else 0.0)

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
