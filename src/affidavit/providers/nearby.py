"""Which models could be used from here: servers on this machine, keys in the environment, and which SDKs are installed.

Looked for by `affidavit init` alone. Nothing leaves the machine by looking: only its own usual ports are asked, for a
moment, with the standard library.
"""

import json
import os
import socket
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final
from urllib.parse import urlsplit

from affidavit.core.model_names import PROVIDERS, ModelName
from affidavit.errors import ConfigError

LOCAL: Mapping[str, int] = {
    name: port
    for name, provider in PROVIDERS.items()
    if provider.url and provider.key is None and (port := urlsplit(provider.url).port)
}
"""Ports of this machine at which a provider usually is."""

_WAIT_S: Final = 0.3
_MOST_BYTES: Final = 200_000
_MOST_MODELS: Final = 50
_USUAL: Final = {"openai": "gpt-5-mini", "anthropic": "claude-haiku-4-5"}
_EMBEDDERS: Final = ("embed", "bge", "minilm", "e5-", "gte-", "rerank")


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearby:
    """A provider that could be asked: where it is (`127.0.0.1:11434`, or the variable with its key), and its models.

    `needs` is the extra that is missing to ask it, if one is.
    """

    provider: str
    where: str
    models: tuple[str, ...]
    needs: str | None

    @property
    def choice(self) -> str | None:
        """The model of it that would be chosen."""
        can = [one for one in self.models if not any(sign in one.lower() for sign in _EMBEDDERS)]
        return f"{self.provider}:{can[0]}" if can and self.needs is None else None

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine."""
        return self.provider in LOCAL


def look_around() -> list[Nearby]:
    """What is there, those on this machine first."""
    found: list[Nearby] = []
    for name, port in LOCAL.items():
        models = _models_at(name, port)
        if models is not None:
            found.append(_nearby(name, f"127.0.0.1:{port}", models))
    for name, usual in _USUAL.items():
        variable = PROVIDERS[name].key
        if variable and os.environ.get(variable, "").strip():
            found.append(_nearby(name, variable, (usual,)))
    return found


def choose(found: Iterable[Nearby]) -> tuple[str | None, str]:
    """The model that would be chosen, and why; None where there is none to choose."""
    can = [one for one in found if one.choice]
    first = next((one for one in can if one.is_here), next(iter(can), None))
    if first is None:
        return None, "no model was found that could be asked"
    if first.is_here:
        return first.choice, "it runs on this machine: nothing leaves it"
    host = urlsplit(PROVIDERS[first.provider].url or "").hostname
    return first.choice, f"its key is in {first.where}; the texts it is asked about go to {host}"


def _nearby(name: str, where: str, models: tuple[str, ...]) -> Nearby:
    extra = PROVIDERS[name].dialect
    return Nearby(provider=name, where=where, models=models, needs=None if find_spec(extra) else str(extra))


def _models_at(provider: str, port: int) -> tuple[str, ...] | None:
    """The models that a server on this machine says it has; None where none answers in time."""
    until = time.monotonic() + _WAIT_S
    got = b""
    try:
        # Not by `create_connection`: it would look the address up, and load what names need for that.
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as there:
            there.settimeout(_WAIT_S)
            there.connect(("127.0.0.1", port))
            there.sendall(b"GET /v1/models HTTP/1.0\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n")
            while len(got) < _MOST_BYTES and (left := until - time.monotonic()) > 0:
                there.settimeout(left)
                piece = there.recv(65_536)
                if not piece:
                    break
                got += piece
    except OSError:
        return None
    try:
        listed = json.loads(got.partition(b"\r\n\r\n")[2])["data"]
        names = [str(one["id"]) for one in listed[:_MOST_MODELS]]
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    return tuple(name for name in names if _is_name(provider, name))


def _is_name(provider: str, model: str) -> bool:
    try:
        ModelName.of(f"{provider}:{model}")
    except ConfigError:
        return False
    return True
