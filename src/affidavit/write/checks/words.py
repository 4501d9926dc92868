"""Words of a candidate's text and of its quote, compared."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from affidavit.text.evidence.signs import UNSPACED, WORD, has, signs, stems

DIGIT: Final = re.compile(r"\d")


class Word(NamedTuple):
    """A word of a plain text, where it stands, and its stems."""

    text: str
    start: int
    end: int
    stems: frozenset[str]


def words_of(text: str, language: str) -> list[Word]:
    """The words of a plain text, in order; a run of an unspaced script is one."""
    return [Word(m[0], m.start(), m.end(), stems(m[0], language)) for m in WORD.finditer(text)]


def blotted(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with spaces in place of some stretches; offsets stay."""
    pieces, done = [], 0
    for start, end in sorted(spans):
        if end > done:
            first = max(start, done)
            pieces += [text[done:first], " " * (end - first)]
            done = end
    return "".join([*pieces, text[done:]])


def content_words(text: str, language: str) -> list[Word]:
    """The words that say something: no grammar, no denial, none that names the user, no value."""
    text = blotted(text, signs("user", text, language))
    return [
        word for word in words_of(text, language) if UNSPACED.match(word.text) or _says(word.text, language)
    ]


def _says(word: str, language: str) -> bool:
    free = len(word) == 1 or DIGIT.search(word) or has("free", f" {word} ", language)
    # Denials are compared by themselves: "don't" and "does not" are one.
    return not free and not has("negation", f" {word} ", language)
