"""The Merkle tree of a log, hashed as RFC 6962 says (SHA-256).

A log is a list of entries that only grows. `Frontier` is what must be kept to append to it and to know
its root: the roots of the perfect subtrees it divides into, largest first, one for each 1 bit of the
size. `root_of` computes the same root from all leaves by the definition itself.

Inclusion and consistency proofs belong beside this module, in one of their own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

HASH_BYTES = 32
"""Length of a SHA-256 hash."""

EMPTY_ROOT = sha256(b"").digest()
"""Root of the tree without leaves."""


def leaf_hash(data: bytes) -> bytes:
    """Hash of a leaf, from the entry's bytes as stored."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash of an inner node, from those of its two children."""
    return sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Frontier:
    """A tree of `size` leaves, as the roots of its perfect subtrees, largest (leftmost) first."""

    size: int
    peaks: tuple[bytes, ...]

    def __post_init__(self) -> None:
        if self.size < 0 or self.size.bit_count() != len(self.peaks):
            raise ValueError(f"a tree of {self.size} leaves does not have {len(self.peaks)} peaks")

    @classmethod
    def empty(cls) -> "Frontier":
        """The tree without leaves."""
        return cls(0, ())

    def append(self, leaf: bytes) -> "Frontier":
        """The tree with one more leaf, given as its `leaf_hash`."""
        return self.extend((leaf,))

    def extend(self, leaves: Iterable[bytes]) -> "Frontier":
        """The tree with more leaves, given in order as their `leaf_hash`es."""
        size, peaks = self.size, list(self.peaks)
        for leaf in leaves:
            # Each trailing 1 bit of the size is a perfect subtree that the new one joins.
            peak, bits = leaf, size
            while bits & 1:
                peak = node_hash(peaks.pop(), peak)
                bits >>= 1
            peaks.append(peak)
            size += 1
        return Frontier(size, tuple(peaks))

    def root(self) -> bytes:
        """Root of the whole tree, 32 bytes."""
        if not self.peaks:
            return EMPTY_ROOT
        root = self.peaks[-1]
        for peak in self.peaks[-2::-1]:
            root = node_hash(peak, root)
        return root

    def to_bytes(self) -> bytes:
        """The peaks one after another, to be stored beside the size."""
        return b"".join(self.peaks)

    @classmethod
    def from_bytes(cls, size: int, data: bytes) -> "Frontier":
        """The frontier that `to_bytes` wrote. Raises ValueError if `data` can't belong to that size."""
        if len(data) % HASH_BYTES:
            raise ValueError(f"peaks come in {HASH_BYTES} bytes each, {len(data)} is not a multiple")
        peaks = tuple(data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES))
        return cls(size, peaks)


def root_of(leaves: Iterable[bytes]) -> bytes:
    """Root of the tree over these `leaf_hash`es, straight from the definition in RFC 6962."""
    hashes = list(leaves)
    return _root_of(hashes, 0, len(hashes)) if hashes else EMPTY_ROOT


def _root_of(hashes: Sequence[bytes], start: int, end: int) -> bytes:
    count = end - start
    if count == 1:
        return hashes[start]
    middle = start + (1 << ((count - 1).bit_length() - 1))  # the largest power of two below count
    return node_hash(_root_of(hashes, start, middle), _root_of(hashes, middle, end))
