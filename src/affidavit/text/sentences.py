"""Sentences, and which of them ask. Language enters only through punctuation."""

import re
from collections.abc import Iterator
from typing import Final

_ASKS: Final = re.compile("[?\uff1f\u061f\u055e\u2047]")
_END: Final = re.compile("(?<=[.!?\u061f\u2026])[\"'\u201d\u2019)\\]]*\\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_LEAST: Final = 12  # characters of statements that are worth standing alone


def sentences(text: str) -> list[str]:
    """The text cut after full stops, question and exclamation marks, and at line breaks."""
    return [sentence for sentence in _END.split(text) if sentence]


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """Where each of the `sentences` stands, as offsets `(start, end)`."""
    start = 0
    for gap in _END.finditer(text):
        if gap.start() > start:
            yield start, gap.start()
        start = gap.end()
    if start < len(text):
        yield start, len(text)


def asks(text: str) -> bool:
    """Whether there is a question in the text."""
    return _ASKS.search(text) is not None


def statements(text: str) -> str:
    """What a text tells, for the embedder: its sentences without the questions; all of it if little else is there.

    "I just got back from Faro. Which sunscreen is best?" is about Faro: what was asked in passing draws a vector
    away from what was told, and it is what was told that is looked for later.

    >>> statements("I just got back from Faro. Which sunscreen is best?")
    'I just got back from Faro.'
    >>> statements("Which sunscreen is best?")
    'Which sunscreen is best?'
    """
    if not asks(text):
        return text
    told = " ".join(sentence for sentence in sentences(text) if not asks(sentence))
    return told if len(told) >= _LEAST else text
