"""A folded view of a text in which words are looked for, and the way back to the text.

Folded: lower case, accents off, typographic apostrophes plain, wide digits and letters narrow, characters without
width gone, line ends one character. Offsets of the view can be turned into offsets of the text.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_APART: Final = "\n\n"
_APOSTROPHES: Final = frozenset("’ʼ＇ʹ‘`´")
_ENDS: Final = frozenset("！？")  # sentences end at them with no white space behind


@dataclass(frozen=True, slots=True)
class View:
    """The folded text and, for each of its characters, where it stands in the text; one place more for its end."""

    text: str
    places: Sequence[int]
    source: str

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the text for a stretch of the view, accents that were dropped behind it included."""
        first, last = self.places[start], self.places[end - 1] + 1
        while last < len(self.source) and not _folded(self.source[last]):
            last += 1
        return first, last


def view(text: str, refused: Sequence[tuple[int, int]] = ()) -> View:
    """The view of a text without some stretches of it; an empty line stands for each of those."""
    if not refused and text.isascii() and "\r" not in text:
        return View(text.lower(), range(len(text) + 1), text)
    folded: list[str] = []
    places: list[int] = []
    for start, end, kept in _pieces(text, refused):
        if not kept:
            folded.extend(_APART)
            places.extend([start] * len(_APART))
            continue
        for place in range(start, end):
            plain = _folded(text[place])
            if plain == "\r":  # line ends are one character here
                plain = "" if text.startswith("\n", place + 1) else "\n"
            if plain:
                folded.append(plain)
                places.append(place)
    places.append(len(text))
    return View("".join(folded), places, text)


def own_length(text: str, refused: Sequence[tuple[int, int]]) -> int:
    """Characters of a text that lie in no refused stretch."""
    return sum(end - start for start, end, kept in _pieces(text, refused) if kept)


def folded(text: str) -> str:
    """A text as it stands in a view."""
    return view(text).text


def _pieces(text: str, refused: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """`(start, end, whether it is kept)` over the whole text."""
    done = 0
    for start, end in sorted(refused):
        first, last = max(start, done), min(end, len(text))
        if first >= last:
            continue
        if first > done:
            yield done, first, True
        yield first, last, False
        done = last
    if done < len(text):
        yield done, len(text), True


@lru_cache(maxsize=8192)
def _folded(char: str) -> str:
    """One character as one of the view, or none."""
    if char in _APOSTROPHES:
        return "'"
    if char in _ENDS:
        return char
    if char.isascii():
        return char.lower()
    if unicodedata.category(char) in ("Mn", "Cf"):
        return ""
    base = unicodedata.normalize("NFKD", char)
    plain = "".join(c for c in base if unicodedata.category(c) != "Mn").lower()
    return plain if len(plain) == 1 else char
