"""The sentence a quote stands in, and its segments: what may turn the sense of the words that were quoted."""

import re
import unicodedata
from typing import Final, NamedTuple

_REACH: Final = 2_000
"""Characters before and behind a quote in which its sentence is looked for."""

_STOP: Final = "[.!?\u061f\u2026]+[\"'\u201d\u2019)\\]]*(?=\\s)|[\u3002\uff01\uff1f]+"
_BREAKS: Final = "\r\n\u2028\u2029"
_ROW: Final = r"[^\S\r\n]*(?:[-*\u2022+\u00b7|#]|\d{1,3}[.)]|[^\W\d_][\w ]{0,30}[:\uff1a])(?:\s|\Z)"
"""An item of a list, a row of a table, a field: it stands by itself."""
_ENDS: Final = re.compile(f"{_STOP}|[{_BREAKS}]+")
_ENDS_SPOKEN: Final = re.compile(
    f"{_STOP}|[{_BREAKS}](?:[^\\S{_BREAKS}]*[{_BREAKS}])+(?<!\\r\\n)|[{_BREAKS}]+(?={_ROW})"
)
_SHORT: Final = re.compile(
    r"(?:^|[\s(])(?:dr|mr|mrs|ms|st|prof|sr|sra|jr|inc|ltd|co|corp|llc|dept|approx|est|fig|ave|blvd|rd|e\.g|i\.e|etc|no"
    r"|vs|\w)\.$",
    re.IGNORECASE,
)
_MARKS: Final = str.maketrans(
    dict.fromkeys("’‘ʼ＇ʹ`´‚‛′", "'") | dict.fromkeys("“”„‟«»＂″", '"') | dict.fromkeys("‐‑‒−", "-")
)
_SPACE: Final = re.compile(r"\s+")
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\ufe0e\ufe0f\U000e0000-\U000e007f]")
_BREAK: Final = re.compile(
    "(?<!\\d)[,:](?!\\d)|(?<=\\d)[,:](?=\\s)|[;()\\[\\]\u2014\u2013|!?.\u3002\uff01\uff1f\uff0c\uff1b\uff1a\u2026](?!\\d)|\\s-\\s|->"
)


_CLAUSE: Final = 300
_LINE: Final = re.compile("[\r\n\u2028\u2029]")


class Passage(NamedTuple):
    """A quote in its sentence: plain text before it, itself, and behind it."""

    before: str
    quote: str
    behind: str

    @property
    def text(self) -> str:
        """All of it."""
        return self.before + self.quote + self.behind


def plain(text: str) -> str:
    """A text in which words are looked for: composed, lower case, plain apostrophes, single spaces, nothing unseen."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text).translate(_MARKS)).casefold()
        return _SPACE.sub(" ", unicodedata.normalize("NFC", text).translate(_MARKS))
    return _SPACE.sub(" ", text.lower().replace("`", "'"))


def sentence_around(text: str, start: int, end: int, *, spoken: bool = False) -> tuple[int, int]:
    """Where the sentences begin and end in which `[start, end)` stands; no further than 2,000 characters off.

    `spoken`: somebody wrote it in sentences, so that a line goes on in the next one unless a mark or an empty line ends
    it: "Do not, whatever they say, / pay Tom".

    >>> sentence_around("Hi. I like tea. Bye.", 6, 10)
    (4, 15)
    """
    ends = _ENDS_SPOKEN if spoken else _ENDS
    floor, ceiling = max(0, start - _REACH), min(len(text), end + _REACH)
    first = floor
    for mark in ends.finditer(text, floor, start):
        if not _SHORT.search(text[max(floor, mark.end() - 8) : mark.end()]):
            first = mark.end()
    last = ceiling
    # A quote may hold its own full stop.
    for mark in ends.finditer(text, max(start, end - 1), ceiling):
        if mark.end() >= end and not _SHORT.search(text[max(start, mark.end() - 8) : mark.end()]):
            last = mark.end()
            break
    return _trimmed(text, min(first, start), max(last, end), start, end)


def _trimmed(text: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    while first < start and text[first].isspace():
        first += 1
    while last > end and text[last - 1].isspace():
        last -= 1
    return first, last


def clause_end(text: str, end: int) -> int:
    """Where the clause ends that a quote ends in; no further than 300 characters off.

    >>> clause_end("I like tea a lot, do you?", 10)
    16
    """
    if _BREAK.match(text, end - 1):
        return end
    found = _BREAK.search(text, end, end + _CLAUSE)
    last = found.start() if found else min(len(text), end + _CLAUSE)
    line = _LINE.search(text, end, last)
    last = line.start() if line else last
    return end + len(text[end:last].rstrip())


def segments(text: str, joints: re.Pattern[str]) -> list[tuple[int, int]]:
    """The parts of a plain sentence between punctuation and joining words such as "but"."""
    marks = sorted([m.span() for m in _BREAK.finditer(text)] + [m.span() for m in joints.finditer(text)])
    parts: list[tuple[int, int]] = []
    start = 0
    for first, last in [*marks, (len(text), len(text))]:
        if text[start:first].strip():
            parts.append((start, first))
        start = max(start, last)
    return parts
