"""What a store is opened with, and the clock, random bytes and vectors that are the same at each run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from affidavit.store.keys import SigningKeys
from affidavit.store.protocol import Clock, Entropy, Store

if TYPE_CHECKING:
    from numpy.typing import NDArray

START = 1_780_315_200_000_000
"""2026-06-01T12:00:00Z, when each life begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """What a store gets: whose keys sign it (by its id), the time, random bytes, and when it is signed.

    A store draws its random bytes in the order in which ours do: for ids ten, for the blind of each commitment 32.
    """

    keys: Callable[[str], SigningKeys]
    clock: Clock
    entropy: Entropy
    signing: str = "local"


StoreFactory: TypeAlias = Callable[[Ports], Store]
"""Opens the store under test; begins it where it is not there, and opens the same one where it is."""


class StepClock:
    """Stands still until it is moved."""

    def __init__(self, us: int = START) -> None:
        self.us = us

    def now(self) -> int:
        """UTC microseconds since 1970."""
        return self.us

    def forward(self, seconds: float) -> None:
        """Let time pass."""
        self.us += int(seconds * 1_000_000)


class Drawn:
    """Bytes that look like chance and are the same at each run."""

    def __init__(self, seed: str) -> None:
        self._seed, self._drawn = seed, 0

    def __call__(self, count: int) -> bytes:
        """That many bytes more."""
        made = b""
        while len(made) < count:
            made += sha256(f"{self._seed} {self._drawn}".encode()).digest()
            self._drawn += 1
        return made[:count]


class WordVectors:
    """Vectors from the words of a text: texts that share words are near each other."""

    name = "affidavit-testing-1"
    dimensions = 16

    def embed(self, texts: Sequence[str]) -> "NDArray[Any]":
        """One unit row a text."""
        import numpy as np

        rows = np.full((len(texts), self.dimensions), 0.01, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[sha256(word.encode()).digest()[0] % self.dimensions] += 1
        made: NDArray[Any] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return made
