"""How settings name models: `provider:model`. What a provider is: an address, a dialect, and whose key goes there."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Self

from affidavit.errors import ConfigError

_LONGEST: Final = 200


class Dialect(StrEnum):
    """How a provider is spoken to; also the name of the extra that brings the SDK."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Who serves models. `url` where it is unless the settings say otherwise; `key` the variable that holds its key."""

    url: str | None = None
    key: str | None = None
    dialect: Dialect = Dialect.OPENAI


PROVIDERS: Final[Mapping[str, Provider]] = MappingProxyType({
    "openai": Provider(url="https://api.openai.com/v1", key="OPENAI_API_KEY"),
    "anthropic": Provider(
        url="https://api.anthropic.com", key="ANTHROPIC_API_KEY", dialect=Dialect.ANTHROPIC
    ),
    "ollama": Provider(url="http://127.0.0.1:11434/v1"),
    "llamacpp": Provider(url="http://127.0.0.1:8080/v1"),
    "vllm": Provider(url="http://127.0.0.1:8000/v1"),
    "lmstudio": Provider(url="http://127.0.0.1:1234/v1"),
    "openai-compatible": Provider(),
})  # fmt: skip
"""By the name that stands before the colon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelName:
    """A provider's name and what it calls the model."""

    provider: str
    model: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a name as settings spell it. Raises `ConfigError`.

        >>> ModelName.of("ollama:qwen3:8b")
        ModelName(provider='ollama', model='qwen3:8b')
        """
        provider, _, model = text.partition(":")
        if provider not in PROVIDERS or not model:
            raise ConfigError(
                f"{text[:80]!r} names no model",
                hint=f"write PROVIDER:MODEL, such as ollama:qwen3; providers are {', '.join(PROVIDERS)}",
            )
        if len(model) > _LONGEST or not model.isprintable() or " " in model:
            raise ConfigError(
                f"{model[:80]!r} can't be the name of a model", hint="write it as its provider does"
            )
        return cls(provider=provider, model=model)

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"

    @property
    def where(self) -> Provider:
        """Its provider."""
        return PROVIDERS[self.provider]


def checked_url(text: str) -> str:
    """The address of a model server, as it may be kept and shown. Raises `ConfigError`.

    >>> checked_url("http://127.0.0.1:8080/v1/")
    'http://127.0.0.1:8080/v1'
    """
    scheme, separator, rest = text.partition("://")
    host = rest.partition("/")[0]
    if scheme not in ("http", "https") or not separator or not host or not text.isprintable() or " " in text:
        raise ConfigError(f"{text[:80]!r} is no address of a server", hint="write http://HOST:PORT/v1")
    if "@" in rest or "?" in rest or "#" in rest:
        raise ConfigError(
            "the address of a server holds more than host, port and path",
            hint="keys come from the environment only: AFFIDAVIT_LLM_KEY, AFFIDAVIT_EMBEDDER_KEY",
        )
    return text.rstrip("/")
