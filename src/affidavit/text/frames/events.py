"""When words for something planned may mean the same event: "the Rome flight", "flying to Rome"."""

import re
from functools import cache
from typing import Final, NamedTuple

from affidavit.text.lang.tables import package_table
from affidavit.text.view import folded

_WORD: Final = re.compile(r"[\u3400-\u9fff]+|(?:(?![\u3400-\u9fff])[^\W_])+")
_UNSPACED: Final = re.compile(r"[\u3400-\u9fff]")


class _Event(NamedTuple):
    """What kinds of event the words name, and what else they say."""

    kinds: frozenset[int]
    rest: frozenset[str]


def same_event(one: str, other: str) -> bool:
    """Whether the first may name the event that the second does: of its kind, and with nothing that the other lacks.

    >>> same_event("the Rome flight", "flying to Rome"), same_event("flight to Oslo", "flying to Rome")
    (True, False)
    """
    mine, its = _read(one), _read(other)
    if mine.kinds and its.kinds and not mine.kinds & its.kinds:
        return False
    if mine.kinds - its.kinds and not mine.rest:
        return False
    return bool(mine.kinds or mine.rest) and mine.rest <= its.rest


def _read(words: str) -> _Event:
    kinds, small = _table()
    found, rest = set[int](), set[str]()
    for word in _WORD.findall(folded(words)):
        for piece in _pieces(word):
            if piece in kinds:
                found.add(kinds[piece])
            elif piece not in small:
                rest.add(piece)
    return _Event(frozenset(found), frozenset(rest))


def _pieces(word: str) -> list[str]:
    """A word, or in a script without spaces what stands between the words that are known."""
    return [piece for piece in _known().split(word) if piece] if _UNSPACED.match(word) else [word]


@cache
def _table() -> tuple[dict[str, int], frozenset[str]]:
    raw = package_table("common")["events"]
    kinds = {folded(word): number for number, group in enumerate(raw["groups"]) for word in group}
    return kinds, frozenset(map(folded, raw["small"]))


@cache
def _known() -> re.Pattern[str]:
    kinds, small = _table()
    words = sorted((word for word in {*kinds, *small} if _UNSPACED.match(word)), key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, words))})")
