"""Cut a long document into pieces that can be found and quoted, along its own structure.

Headings, then blocks, then paragraphs, sentences, and last a cut that splits no written character. Every
piece is a verbatim slice of the document; only white space lies between pieces. Linear in its length.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.text.documents.blocks import BlockKind, blocks
from affidavit.text.documents.cutting import pieces

SIZE = 1200

_Piece = tuple[int, int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document: `document[start:end] == text`, under the headings that lead to it."""

    text: str
    start: int
    end: int
    headings: tuple[str, ...] = ()


def chunk(text: str, *, markdown: bool, size: int = SIZE) -> list[Chunk]:
    r"""The document in pieces of about `size` code points, in order; every character but white space in exactly one.

    A code fence or table is split only when it alone is longer than twice the size. Plain text has no headings.

    >>> [(c.text, c.headings) for c in chunk("# A\n\none\n\n# B\n\ntwo", markdown=True)]
    [('# A\n\none', ('A',)), ('# B\n\ntwo', ('B',))]
    """
    size = max(size, 1)
    found = (
        _packed(text, size)
        if markdown
        else ((*cut, ()) for cut in pieces(text, 0, len(text), size, lines=False))
    )
    chunks: list[Chunk] = []
    for start, end, headings in found:
        piece = text[start:end]
        inner = piece.strip()
        if inner:
            begin = start + len(piece) - len(piece.lstrip())
            chunks.append(Chunk(inner, begin, begin + len(inner), headings))
    return chunks


def _packed(text: str, size: int) -> Iterator[_Piece]:
    """Blocks joined up to the size. A heading begins a new piece, unless only headings stand in the open one."""
    start = end = 0
    headings: tuple[str, ...] = ()
    bare = True
    for block in blocks(text):
        heading = block.kind is BlockKind.HEADING
        if heading and not bare and end > start:
            yield start, end, headings
            start = block.start
        whole = block.kind is BlockKind.FENCE or block.kind is BlockKind.TABLE
        if whole and start < block.start and block.end - start > (2 * size if bare else size):
            yield start, block.start, headings
            start = block.start
        bare = (bare or start == block.start) and heading
        headings, end = block.headings, block.end
        if whole and size < end - start <= 2 * size:
            yield start, end, headings
            start = end
        elif end - start > size:
            cuts = list(pieces(text, start, end, size, lines=whole))
            for low, high in cuts[:-1]:
                yield low, high, headings
            start = cuts[-1][0]
    if end > start:
        yield start, end, headings
