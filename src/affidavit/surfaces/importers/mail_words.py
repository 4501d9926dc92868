"""A header of a mail as it reads: encoded words decoded, on one line."""

from email.errors import HeaderParseError
from email.header import decode_header

from affidavit.text.clean import clean
from affidavit.text.documents.charsets import decoded


def header_text(value: object) -> str:
    """A header as it reads: on one line, with encoded words decoded; what can't be read becomes U+FFFD."""
    raw = str(value or "")
    try:
        parts = decode_header(raw)
    except (HeaderParseError, ValueError, LookupError):
        parts = [(raw, None)]
    said = "".join(_part(one, charset) for one, charset in parts)
    return " ".join(clean(said)[0].split())


def _part(one: bytes | str, charset: str | None) -> str:
    raw = one.encode("utf-8", "surrogateescape") if isinstance(one, str) else one
    return decoded(raw, charset if isinstance(one, bytes) else None)[0]
