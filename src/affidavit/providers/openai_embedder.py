"""Embedders behind OpenAI's API: OpenAI itself, Ollama, vLLM, llama.cpp, LM Studio, any such server."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from affidavit.errors import EmbedderError, ModelError
from affidavit.providers.account import Account, PerProcess
from affidavit.providers.answers import object_of
from affidavit.providers.faults import NotTakenError, body_of, nonsense
from affidavit.providers.patient import Patience

MOST_BYTES: Final = 32_000_000
"""Bytes of an answer that are taken: 64 vectors of 4,096 numbers, as text."""
_BATCH: Final = 64
_LONGEST: Final = 8_000
"""Characters of a text that are embedded; where a model takes less, less."""
_SHORTEST: Final = 500


class OpenAiEmbedder:
    """An embedder behind `/embeddings`. A long text is embedded by its beginning; the stored text is whole."""

    def __init__(self, account: Account, patience: Patience) -> None:
        self._account = account
        self._patience = patience
        self._client: PerProcess[Any] = PerProcess(account.client)
        self._dimensions = 0

    @property
    def name(self) -> str:
        """Provider and model."""
        return str(self._account)

    @property
    def dimensions(self) -> int:
        """Width of a vector; 0 until the first one came, since nobody is asked for it."""
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit row a text, float32, in order. Raises `EmbedderError`."""
        rows = [self._part([text[:_LONGEST] or " " for text in texts[start : start + _BATCH]])
                for start in range(0, len(texts), _BATCH)]  # fmt: skip
        if not rows:
            return np.zeros((0, self._dimensions), np.float32)
        try:
            made = np.concatenate(rows)
        except ValueError:
            raise self._nonsense() from None
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not (lengths > 0).all():
            raise self._nonsense()
        self._dimensions = self._dimensions or made.shape[1]
        unit: NDArray[np.float32] = made / lengths
        return unit

    def _part(self, texts: list[str]) -> NDArray[np.float32]:
        """The vectors of a few texts. What the server does not take at once it may take in halves."""
        try:
            return self._patience.call(lambda: self._once(texts))[0]
        except NotTakenError as error:
            if len(texts) > 1:
                half = len(texts) // 2
                return np.concatenate([self._part(texts[:half]), self._part(texts[half:])])
            if len(texts[0]) < 2 * _SHORTEST:
                raise EmbedderError(error.what, hint=error.hint) from None
            return self._part([texts[0][: len(texts[0]) // 2]])
        except ModelError as error:
            raise EmbedderError(error.what, hint=error.hint) from None

    def _once(self, texts: list[str]) -> NDArray[np.float32]:
        account = self._account
        asked = {"model": account.named.model, "input": texts, "encoding_format": "float"}
        body = body_of(lambda: self._client.get().embeddings.with_raw_response.create(**asked), account)
        data = object_of(body, account).get("data")
        if not isinstance(data, list) or len(data) != len(texts):
            raise nonsense(account)
        try:
            rows = sorted(data, key=lambda one: int(one.get("index", 0)))
            made = np.array([one["embedding"] for one in rows], dtype=np.float32)
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            raise nonsense(account) from None
        if made.ndim != 2 or not made.shape[1]:
            raise nonsense(account)
        return made

    def _nonsense(self) -> EmbedderError:
        error = nonsense(self._account)
        return EmbedderError(error.what, hint=error.hint)
