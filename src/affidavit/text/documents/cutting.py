"""Cut an over-long stretch: after a paragraph, a line or a sentence, else at a space, else between characters."""

import re
import unicodedata
from collections.abc import Iterator

# Swallow every run of marks, so that a text of nothing but dots is read once.
_SENTENCE = re.compile(r"[.!?…]++[\"'”’)\]]*+\s*+|[。！？｡．؟।॥]++[」』”’）\"]*+\s*+")
_PARAGRAPH = re.compile(r"\n[^\S\n]*+\n\s*+")
_LINE = re.compile(r"\n\s*+")
_SPACE = re.compile(r"\s++")
_JOINER = "\u200d"
_FURTHEST = 64


def pieces(text: str, start: int, end: int, size: int, *, lines: bool) -> Iterator[tuple[int, int]]:
    """`[start, end)` in consecutive pieces of at most `size`; `lines` for code and tables, where lines matter most."""
    while end - start > size:
        cut = _border(text, start, start + size, lines=lines)
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _border(text: str, start: int, limit: int, *, lines: bool) -> int:
    """The best place to cut in `(start, limit]`; one in the first quarter would leave a crumb."""
    least = start + (limit - start) // 4
    for pattern in (_PARAGRAPH, _LINE) if lines else (_PARAGRAPH, _SENTENCE, _LINE, _SPACE):
        best = _last(pattern, text, least, limit)
        if best > start:
            return best
    return _safe(text, start, limit)


def _last(pattern: re.Pattern[str], text: str, least: int, limit: int) -> int:
    for mark in reversed(list(pattern.finditer(text, least, limit))):
        if pattern is _SENTENCE and not _ends_sentence(text, mark, limit):
            continue
        if mark.end() == len(text) or not _joined(text, mark.end()):
            return mark.end()
    return -1


def _ends_sentence(text: str, mark: re.Match[str], limit: int) -> bool:
    """A dot inside "3.14" ends no sentence; one at the very limit is judged by what follows it."""
    if mark[0][0] not in ".!?…" or mark[0][-1].isspace():
        return True
    return mark.end() == limit and (limit >= len(text) or text[limit].isspace())


def _safe(text: str, start: int, limit: int) -> int:
    """The last place at or before `limit` that does not split a written character (looking back 64 at most)."""
    for place in range(limit, max(start, limit - _FURTHEST), -1):
        if place >= len(text) or not _joined(text, place):
            return place
    return limit


def _joined(text: str, place: int) -> bool:
    """Whether the characters on both sides of `place` belong together."""
    before, after = text[place - 1], text[place]
    if before < "\u0300" and after < "\u0300":
        return before == "\r" and after == "\n"
    if _JOINER in (before, after) or unicodedata.category(after)[0] == "M":
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    if _is_flag(before) and _is_flag(after):
        return _flags_before(text, place) % 2 == 1
    # Hangul written in parts: a vowel or a final consonant belongs to what is before it.
    return "\u1160" <= after <= "\u11ff" and "\u1100" <= before <= "\ud7a3"


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, place: int) -> int:
    count = 0
    while count < _FURTHEST and place - count > 0 and _is_flag(text[place - count - 1]):
        count += 1
    return count
