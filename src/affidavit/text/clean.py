"""Characters that no database or UTF-8 file can hold are replaced; nothing else is touched.

No Unicode normalisation, no trimming, no tag stripping: right-to-left marks, joined emoji and line endings
stay as they came. A derived view may fold them; the stored text may not.
"""

import re
import unicodedata

from affidavit.text.spans import Span, SpanKind, bounded

REPLACEMENT = "\ufffd"
_BAD = re.compile("[\x00\ud800-\udfff]")
_RUNS = re.compile("(\x00+)|[\ud800-\udfff]+")


def clean(text: str) -> tuple[str, tuple[Span, ...]]:
    r"""NUL and surrogates become U+FFFD, one for one, so that offsets stay; each run is a `REPLACED` span.

    >>> clean("a\0b")[0] == "a\ufffdb"
    True
    """
    if text.isascii():
        if "\x00" not in text:
            return text, ()
    elif _BAD.search(text) is None:
        return text, ()
    found = [(run.start(), run.end(), "nul" if run[1] else "surrogate") for run in _RUNS.finditer(text)]
    return _BAD.sub(REPLACEMENT, text), bounded(SpanKind.REPLACED, found)


def is_blank(text: str) -> bool:
    r"""Whether nothing in a text can be seen: white space, characters without width, marks of direction.

    >>> is_blank(" \u200b\u2060"), is_blank(" .")
    (True, False)
    """
    return not text.strip() or all(one.isspace() or unicodedata.category(one) == "Cf" for one in text)
