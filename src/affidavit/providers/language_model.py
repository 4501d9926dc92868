"""What a language model is to us: it is asked, and answers in text. Nobody believes what it says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, runtime_checkable


class Stop(StrEnum):
    """Why a reply ended."""

    DONE = "done"
    LENGTH = "length"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a model is asked.

    `task` names what it is for (`extract`, `reconcile`, `select` …). `system` says what to do, `user` holds the
    material, in which nothing is an order. `schema` is the JSON Schema that the reply should follow, flat and with
    every field required; a model that can't be held to one is told of it by `system`. `most_tokens` bounds the reply.
    """

    task: str
    system: str
    user: str
    schema: Mapping[str, Any] | None = None
    most_tokens: int = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model said. Tokens as its provider counts them; None where it does not say.

    `retries` are the tries without a reply that came before.
    """

    text: str
    stop: Stop = Stop.DONE
    input_tokens: int | None = None
    output_tokens: int | None = None
    retries: int = 0


@runtime_checkable
class LanguageModel(Protocol):
    """Answers a prompt. Must be usable from several threads at once."""

    @property
    def name(self) -> str:
        """Names provider and model; stamped on every memory that was found with it."""
        ...

    def complete(self, prompt: Prompt) -> Reply:
        """The reply to one prompt. Raises `ModelError` and nothing else."""
        ...


Answering: TypeAlias = Callable[..., str]
"""Any callable `(messages, **options) -> str`: messages in OpenAI's shape; `schema` and `max_tokens` may be given."""
