"""When two values or texts count as the same: letter case, spaces, width and the punctuation at their ends aside."""

import hashlib
import re
import unicodedata

_SPACE = re.compile(r"\s+")
_EDGES = " \t\r\n.,;:!?\u3002\uff0c\uff01\uff1f\u3001\"'\u201c\u201d\u2018\u2019\u00ab\u00bb()"
_ARTICLE = re.compile(r"^(?:the|an?|el|la|los|las|un|una)\s+(?=\S)")


def same_form(text: str) -> str:
    """The form in which values are compared.

    >>> same_form(" The  São Paulo! ") == same_form("são paulo")
    True
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = _SPACE.sub(" ", unicodedata.normalize("NFC", folded)).strip(_EDGES)
    return _ARTICLE.sub("", folded)


def match_key(text: str) -> int:
    """63 bits of a hash of the form in which texts are compared: equal texts have equal keys."""
    digest = hashlib.sha256(same_form(text).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> 1
