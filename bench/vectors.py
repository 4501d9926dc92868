"""An embedder for measuring, which costs nothing. Numpy only, so that a peer's environment can use it too."""

import time
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384


class FreeEmbedder:
    """Unit vectors that follow from the text alone; `seconds` is what it took, to be left out of a result."""

    name = "bench-random"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.seconds = 0.0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        start = time.perf_counter()
        rows = np.empty((len(texts), DIMENSIONS), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = np.random.default_rng(crc32(text.encode())).standard_normal(DIMENSIONS, np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        self.seconds += time.perf_counter() - start
        return rows
