"""Trying again: what is busy may answer later. Bounded in tries and in time, and counted."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from affidavit.errors import ModelBusyError
from affidavit.providers.language_model import LanguageModel, Prompt, Reply

_FIRST_S: Final = 0.5
_LONGEST_S: Final = 30.0

T = TypeVar("T")


def _chance() -> float:
    return secrets.randbelow(1_000_000) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often, and for how many seconds in all, a call is tried. `chance` is in [0, 1)."""

    tries: int = 3
    total_s: float = 180.0
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = _chance
    clock: Callable[[], float] = time.monotonic

    def call(self, ask: Callable[[], T]) -> tuple[T, int]:
        """What `ask` gives, and how many tries came before. Raises its last `ModelBusyError`; every other at once."""
        started = self.clock()
        for number in range(self.tries):
            try:
                return ask(), number
            except ModelBusyError as error:
                error.retries += number
                wait = self._wait(number, error.after_s)
                left = self.total_s - (self.clock() - started)
                if number + 1 == self.tries or wait >= left:
                    raise
                self.sleep(wait)
        raise AssertionError("there is at least one try")

    def _wait(self, number: int, asked: float | None) -> float:
        """Longer each time, by chance up to a half more: many that failed at once don't come back at once."""
        wait: float = min(_FIRST_S * 2**number, _LONGEST_S) * (1 + self.chance() / 2)
        return wait if asked is None else max(wait, asked)


class Patient:
    """A language model that is asked again while it is busy."""

    def __init__(self, model: LanguageModel, patience: Patience) -> None:
        self._model = model
        self._patience = patience

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    def complete(self, prompt: Prompt) -> Reply:
        """The reply, with the tries that it took. Raises what the last try raised, its tries counted as well."""
        reply, before = self._patience.call(lambda: self._model.complete(prompt))
        return replace(reply, retries=reply.retries + before)
