"""The value of a frame: where it ends, and whether it looks like what the frame wants."""

import re
from typing import Final

from affidavit.text.tables import Shape, Table

DATE_MARK: Final = "\x1f"
"""Stands for each character of a date in a clause: white space to the templates, and what ends a value."""

_LONGEST: Final = 80
_AROUND: Final = re.compile(r"[\s.,!~*_\"'“”«»「」„-]+")
EDGES: Final = " \t\x1f.,!~*_\"'“”«»「」„-"
"""What may stand round a value and does not belong to it."""
_WORD: Final = re.compile(r"[^\W_][\w'.&+-]*")
_LETTERS: Final = re.compile(r"[^\W_]")
_UNCASED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def value_end(text: str, start: int, end: int, shape: Shape, table: Table) -> int:
    """Where the value that begins at `start` ends: at a date, at a word that can't belong to it, or with the clause."""
    date = text.find(DATE_MARK, start, end)
    if date >= 0:
        end = date
    cut = shape.cut.search(text, start, end)
    if cut is not None:
        end = cut.start()
    return _trimmed(text, start, end, table)


def _trimmed(text: str, start: int, end: int, table: Table) -> int:
    """Without "now", "as well" and the like at the end."""
    while True:
        end = start + len(text[start:end].rstrip(EDGES))
        tail = table.tail.search(text, start, end)
        if tail is None:
            return end
        end = tail.start()


def left_over(text: str, start: int, end: int, shape: Shape | None, table: Table) -> bool:
    """Whether something stands behind a value that is neither a date, nor filler, nor begun by a word that cuts."""
    around = _AROUND.match(text, start, end)
    start = around.end() if around else start
    if shape is not None and shape.cut.match(text, start, end):
        return False
    return _trimmed(text, start, end, table) > start


def is_value(folded: str, source: str, shape: Shape, table: Table, *, capitals: bool) -> bool:
    """Whether the words can be the value. `capitals`: the writer of the sentence uses capital letters."""
    if not source or len(source) > _LONGEST or source != source.strip() or not _LETTERS.search(source):
        return False
    if shape.known.fullmatch(folded):
        return True
    if shape.first.match(folded) or shape.never.search(folded) or shape.whole.fullmatch(folded):
        return False
    if _UNCASED.search(source):
        return len(source) <= shape.words * 3
    words = _WORD.findall(source)
    if not 1 <= len(words) <= shape.words:
        return False
    if not shape.proper:
        return True
    return _is_name(words, shape) if capitals else shape.joins.match(folded) is None


def _is_name(words: list[str], shape: Shape) -> bool:
    """Whether every word but small joining ones begins with a capital or a digit."""
    names = [word[0].isupper() or word[0].isdigit() for word in words]
    joined = (shape.joins.match(word) for word, named in zip(words, names, strict=True) if not named)
    return any(names) and all(joined)
