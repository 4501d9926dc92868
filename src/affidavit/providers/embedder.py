"""What turns text into vectors: the protocol, and how the one that is installed is found."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from affidavit.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """Texts to unit vectors. Must be usable from several threads at once."""

    @property
    def name(self) -> str:
        """Names model and weights: vectors of two embedders of one name can be compared."""
        ...

    @property
    def dimensions(self) -> int:
        """Width of a vector; 0 where only the first one will tell."""
        ...

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One unit row a text, float32, in order. Raises `EmbedderError`."""
        ...


def vectors_of(embedder: Embedder, texts: Sequence[str]) -> "NDArray[np.float32]":
    """The embedder's vectors, checked: one finite row of its width a text. Raises `EmbedderError` and nothing else."""
    import numpy as np

    again = "the texts are safe; mend the embedder, or use another one"
    try:
        made = np.asarray(embedder.embed(texts), dtype=np.float32)
    except EmbedderError:
        raise
    except Exception as error:
        # Its words may hold a key, and errors are shown: they stay with the cause.
        what = f"the embedder {embedder.name} failed ({type(error).__name__})"
        raise EmbedderError(what, hint=again) from error
    if made.shape != (len(texts), embedder.dimensions):
        raise EmbedderError(
            f"the embedder {embedder.name} gave vectors of shape {made.shape} for {len(texts)} texts"
            f" and {embedder.dimensions} dimensions",
            hint=again,
        )
    if not np.isfinite(made).all():
        raise EmbedderError(f"the embedder {embedder.name} gave vectors that are not numbers", hint=again)
    return made


def find_embedder() -> Embedder | None:
    """The embedder of the extra `embed`, or None when that is not installed. Loads no model yet.

    Raises `EmbedderError` when the extra is there in part, or its files are not the ones we pinned.
    """
    from affidavit.providers import minilm

    return minilm.MiniLM() if minilm.is_installed() else None
