"""The text of a PDF, page by page. Needs the extra `documents`.

A PDF is a program of drawing commands, and its text what its writer says that was drawn: letters in the colour of the
paper or behind a picture are in it too. It is a document like any other: nobody's word but its writer's.
"""

import logging
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final

from affidavit.core.limits import DOCUMENT_BYTES
from affidavit.errors import AffidavitError, FileFormatError, LimitError
from affidavit.text.clean import clean
from affidavit.text.documents.hidden import unseen_dropped

if TYPE_CHECKING:
    from pypdf import PdfReader

MOST_PAGES: Final = 5_000
_SAVE_TEXT: Final = "save its text alone with a program that opens it, and add that"


@dataclass(frozen=True, slots=True)
class Paper:
    """The text of each page, and the title that the file gives itself."""

    pages: tuple[str, ...]
    title: str


def read_pdf(raw: bytes, name: str) -> Paper:
    """The pages of a PDF; `name` is what errors call it.

    Raises `FileFormatError` where it is broken, locked or holds pictures only, and where the extra is not installed;
    `LimitError` where it holds too much.
    """
    try:
        from pypdf import PdfReader  # noqa: PLC0415 - only where there is a PDF
    except ImportError as error:
        raise FileFormatError(
            "a PDF needs pypdf", hint="install it: pip install 'affidavit[documents]'"
        ) from error
    # What it makes of odd files is told by our errors; its own log is for its makers.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        return _read(PdfReader(BytesIO(raw), strict=False), name)
    except AffidavitError:
        raise
    except RecursionError as error:
        raise FileFormatError(f"{name} is nested too deeply", hint=_SAVE_TEXT) from error
    except Exception as error:
        raise FileFormatError(
            f"{name} is broken ({type(error).__name__}: {error})", hint=_SAVE_TEXT
        ) from error


def _read(reader: "PdfReader", name: str) -> Paper:
    if reader.is_encrypted and not reader.decrypt(""):
        raise FileFormatError(
            f"{name} is locked with a password", hint="save a copy without one, and add that"
        )
    if reader.is_encrypted and not reader.decrypt(""):
        raise FileFormatError(
            f"{name} is locked with a password", hint="save a copy without one, and add that"
        )
    count = len(reader.pages)
    if count > MOST_PAGES:
        raise LimitError(f"{name} has {count:,} pages; at most {MOST_PAGES:,} are taken", hint="split it")
    pages: list[str] = []
    size = 0
    for page in reader.pages:
        text = unseen_dropped(clean(page.extract_text())[0]).strip()
        size += len(text.encode())
        if size > DOCUMENT_BYTES:
            raise LimitError(f"{name} holds more than {DOCUMENT_BYTES:,} bytes of text", hint="split it")
        pages.append(text)
    if not any(pages):
        raise FileFormatError(
            f"{name} holds no text, only pictures or nothing",
            hint="have its text recognised (OCR), and add that",
        )
    title = reader.metadata.title if reader.metadata is not None else None
    return Paper(tuple(pages), unseen_dropped(clean(str(title or ""))[0]).strip()[:250])
