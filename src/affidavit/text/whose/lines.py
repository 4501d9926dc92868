"""Pieces of lines in which somebody else's words are looked for: times as chat programs write them, empty lines."""

import re
from typing import Final

TIME: Final = r"\d{1,2}[:.：]\d{2}(?:[:.：]\d{2})?(?:\s?[ap]\.?m\.?)?"
DAY: Final = r"(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?|today|yesterday|hoy|ayer|今天|昨天|上午|下午)"
EMPTY_LINE: Final = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)")

_LONGEST: Final = 20_000
"""Characters of a paragraph before a place that are looked at."""
_BROKEN: Final = ("\n\n", "\n\r\n", "\r\r")


def paragraph_end(text: str, place: int) -> int:
    """Where the paragraph ends that a place is in."""
    found = EMPTY_LINE.search(text, place)
    return len(text) if found is None else found.start()


def paragraph_begin(text: str, place: int) -> int:
    r"""Where the paragraph begins that a place is in; the text, where that is very far.

    >>> paragraph_begin("one\r\n\r\ntwo", 9), paragraph_begin("one\ntwo", 5)
    (7, 0)
    """
    floor = max(0, place - _LONGEST)
    found = ((text.rfind(mark, floor, place), len(mark)) for mark in _BROKEN)
    return max((at + length for at, length in found if at >= 0), default=0)
