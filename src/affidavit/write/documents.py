"""Documents: a file or a text, its pages where it has some, and its pieces along its structure."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from affidavit.core.limits import DOCUMENT_BYTES, check_size
from affidavit.core.system_errors import told
from affidavit.errors import FileFormatError, LimitError
from affidavit.text.documents.chunks import Chunk, chunk

_MARKDOWN: Final = {".md", ".markdown"}
_HTML: Final = {".html", ".htm", ".xhtml"}
_FEED: Final = "\f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    r"""A text to keep as a document, in chunks along its structure.

    `paged`: form feeds in `text` part its pages, and no chunk lies on two. `left_out` says in words what of a file is
    not in its text.

    >>> Document(text="# Returns\n\nWithin 30 days.", name="policy", markdown=True).name
    'policy'
    """

    text: str
    name: str | None = None
    markdown: bool = False
    paged: bool = False
    left_out: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Document":
        """A file of plain text, Markdown, HTML or a PDF, by its ending; the last two need the extra `documents`.

        Raises `FileFormatError` where it can't be read as that, `LimitError` where it is too large.
        """
        file = Path(path)
        try:
            with file.open("rb") as opened:
                raw = opened.read(DOCUMENT_BYTES + 1)
        except OSError as error:
            raise told(error, FileFormatError, f"{file} can't be read") from error
        if len(raw) > DOCUMENT_BYTES:
            raise LimitError(f"{file} has more than {DOCUMENT_BYTES:,} bytes", hint="split it")
        ending = file.suffix.lower()
        if ending in _HTML:
            return _page(raw, file)
        if ending == ".pdf" or raw.startswith(b"%PDF-"):
            return _paper(raw, file)
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FileFormatError(f"{file} is not UTF-8 text", hint="convert it to UTF-8 first") from error
        return cls(text=text, name=file.name, markdown=ending in _MARKDOWN)

    def check(self) -> None:
        """Refuse what is too large."""
        check_size(len(self.text.encode("utf-8", "surrogatepass")), DOCUMENT_BYTES, "a document", "split it")

    def chunks(self, text: str) -> Iterator[tuple[Chunk, int | None]]:
        """Its pieces with their page, counted from 1; `text` is its text as it is stored."""
        pages = text.split(_FEED) if self.paged else [text]
        counted = self.paged and len(pages) == self.text.count(_FEED) + 1  # else a secret reached over some
        start = 0
        for number, page in enumerate(pages, 1):
            for piece in chunk(page, markdown=self.markdown):
                yield (
                    replace(piece, start=piece.start + start, end=piece.end + start),
                    number if counted else None,
                )
            start += len(page) + len(_FEED)


def _page(raw: bytes, file: Path) -> Document:
    from affidavit.write.html import read_html  # noqa: PLC0415 - only where there is HTML

    page = read_html(raw, markdown=True)
    hidden = (f"{page.hidden:,} characters that the page hides",) if page.hidden else ()
    return Document(text=page.text, name=file.name, markdown=True, left_out=hidden)


def _paper(raw: bytes, file: Path) -> Document:
    from affidavit.write.pdf import read_pdf  # noqa: PLC0415 - only where there is a PDF

    paper = read_pdf(raw, str(file))
    empty = [number for number, text in enumerate(paper.pages, 1) if not text]
    named = ", ".join(map(str, empty[:20])) + (" …" if len(empty) > 20 else "")
    return Document(
        text=_FEED.join(page.replace(_FEED, "\n") for page in paper.pages),
        name=file.name,
        paged=True,
        left_out=(f"pages without text: {named}",) if empty else (),
    )
