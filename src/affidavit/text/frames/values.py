"""The value of a frame: where it ends, and whether it looks like what the frame wants."""

import re
from typing import Final

from affidavit.text.frames.line import DATE_MARK
from affidavit.text.lang.tables import Shape, Table

_LONGEST: Final = 80
_AROUND: Final = re.compile(r"[\s.,!~*_\"'“”«»「」„-]+")
EDGES: Final = " \t\x1f.,!~*_\"'“”«»「」„-"
"""What may stand round a value and does not belong to it."""
_OPENING: Final = {"”": "“", "»": "«", "」": "「"}
_WORD: Final = re.compile(r"[^\W_][\w'.&+-]*")
_LETTERS: Final = re.compile(r"[^\W_]")
_LISTED: Final = re.compile(r",(?!\d)")  # "2,400" is one number
# A capital inside a word, or a digit; but "McAllen", "DeKalb" and "LaGrange" are names of places.
_DIGIT: Final = re.compile(r"\d")
_CAPITAL_INSIDE: Final = re.compile(r"\d|(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bLa)(?<!\bLe)(?<=[^\W_])[A-Z]")
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
        end += _closing(text, start, end)
        tail = table.tail.search(text, start, end)
        if tail is None:
            return end
        end = tail.start()


def _closing(text: str, start: int, end: int) -> int:
    """1 if a quotation mark that was opened inside the value is closed right behind it."""
    value, mark = text[start:end], text[end : end + 1]
    opened = (mark == '"' and value.count(mark) % 2) or (mark in _OPENING and _OPENING[mark] in value)
    return 1 if mark and opened and value[0] not in '"“«「„' else 0


def left_over(text: str, start: int, end: int, shape: Shape | None, table: Table) -> bool:
    """Whether something stands behind a value that is neither a date, nor filler, nor begun by a word that cuts."""
    around = _AROUND.match(text, start, end)
    start = around.end() if around else start
    if shape is not None and shape.after.search(text, start, end):
        return True
    if shape is not None and shape.cut.match(text, start, end):
        return False
    return _trimmed(text, start, end, table) > start


def is_hanging(text: str, start: int, end: int, shape: Shape) -> bool:
    """Whether only an adjective is left of the value before a comma."""
    if text[end : end + 1] != ",":
        return False
    return any(" " not in text[found.end() : end] for found in shape.hanging.finditer(text, start, end))


def is_value(folded: str, source: str, shape: Shape, *, capitals: bool) -> bool:
    """Whether the words can be the value. `capitals`: the writer of the sentence uses capital letters."""
    if not source or len(source) > _LONGEST or source != source.strip() or not _LETTERS.search(source):
        return False
    if shape.known.fullmatch(folded):
        return True
    if shape.first.match(folded) or shape.never.search(folded) or shape.whole.fullmatch(folded):
        return False
    if _UNCASED.search(source):
        return shape.least <= len(source) <= shape.words * 3
    words = _WORD.findall(source)
    if not 1 <= len(words) <= shape.words or (_LISTED.search(source) and not shape.series):
        return False
    return not shape.proper or _is_name(words, folded, shape, capitals=capitals)


def _is_name(words: list[str], folded: str, shape: Shape, *, capitals: bool) -> bool:
    """Whether every word but small joining ones begins with a capital, or with a digit and holds one."""
    if folded.isdigit() or (
        shape.plain and any(map((_CAPITAL_INSIDE if capitals else _DIGIT).search, words))
    ):
        return False
    if not capitals:
        return not shape.cased and shape.joins.match(folded) is None
    named = [word[0].isupper() or (word[0].isdigit() and not word.islower()) for word in words]
    joined = (shape.joins.match(word) for word, name in zip(words, named, strict=True) if not name)
    return any(named) and all(joined)
