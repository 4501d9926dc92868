"""Where a named model is asked, and with which key: from the name, the settings and the environment."""

import os
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Final, Generic, TypeVar

from affidavit.core.model_names import Dialect, ModelName
from affidavit.errors import ConfigError, ModelError

T = TypeVar("T")

MOST_BYTES: Final = 4_000_000
"""Bytes of an answer that are taken; the text in it may be `consulting.LONGEST_REPLY` characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A model at a place. The key is read from the environment when it is needed, and kept nowhere.

    `variable` is the one of ours that holds a key for wherever `url` points. The provider's own variable
    (`OPENAI_API_KEY`) goes to the provider's own address and nowhere else.
    """

    named: ModelName
    url: str
    timeout_s: float
    variable: str = "AFFIDAVIT_LLM_KEY"
    setting: str = "llm_url"
    most_bytes: int = MOST_BYTES
    own: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "own", self.url == self.named.where.url)

    @classmethod
    def of(cls, name: str, url: str | None, **rest: Any) -> "Account":
        """The account of a name as settings spell it. Raises `ConfigError` where nobody says where it is."""
        named = ModelName.of(name)
        where = url or named.where.url
        if where is None:
            setting = rest.get("setting", "llm_url")
            raise ConfigError(
                f"{named} has no address", hint=f"set {setting} to that of the server: http://HOST:PORT/v1"
            )
        return cls(named=named, url=where, **rest)

    def __str__(self) -> str:
        return str(self.named)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that may hold its key, the first that is set counts."""
        key = self.named.where.key
        return (self.variable, key) if key and self.own else (self.variable,)

    def key(self) -> str | None:
        """Its key; None where none is needed. Raises `ModelError` where one is."""
        found = next((name for name in self.variables if os.environ.get(name, "").strip()), None)
        if found is None:
            if self.own and self.named.where.key:
                raise ModelError(f"there is no key for {self}", hint=f"set {self.variables[-1]}")
            return None
        key = os.environ[found].strip()
        if not key.isascii() or not key.isprintable() or " " in key:
            raise ModelError(
                f"{found} holds what can't be a key", hint="set it anew, without spaces or quotes"
            )
        return key

    def client(self) -> Any:
        """A client of the SDK: it tries once, within our bounds. Raises `ModelError` where the SDK is not installed."""
        dialect, key = self.named.where.dialect, self.key()
        if find_spec(dialect) is None:
            raise ModelError(
                f"{self} needs the package {dialect}", hint=f"pip install 'affidavit[{dialect}]'"
            )
        from affidavit.providers.bounded_http import bounded_client

        is_anthropic = dialect is Dialect.ANTHROPIC
        headers = (
            {} if key is None else {"x-api-key": key} if is_anthropic else {"authorization": f"Bearer {key}"}
        )
        http = bounded_client(self.url, headers=headers, timeout_s=self.timeout_s, most_bytes=self.most_bytes)
        given: dict[str, Any] = {
            "api_key": "set-elsewhere",
            "base_url": self.url,
            "http_client": http,
            "max_retries": 0,
            "timeout": self.timeout_s,
        }
        if is_anthropic:
            import anthropic

            client: Any = anthropic.Anthropic(**given, open_telemetry=False)
        else:
            import openai

            client = openai.OpenAI(**given)
        weakref.finalize(client, http.close)  # nobody closes a model; its connections go with it
        return client


class PerProcess(Generic[T]):
    """Something made when it is first needed, and anew in a forked child: connections can't be shared with one."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: tuple[int, T] | None = None

    def get(self) -> T:
        """The one of this process."""
        with self._lock:
            if self._made is None or self._made[0] != os.getpid():
                self._made = (os.getpid(), self._make())
            return self._made[1]
