"""Expressions that find listed words in plain text: whole, or with any ending behind a star."""

import re
from collections.abc import Iterable

from affidavit.text.evidence.passages import plain


def any_of(words: Iterable[str]) -> re.Pattern[str]:
    """An expression that finds any of the words in a plain text, whole but for scripts without spaces.

    >>> any_of(["pay", "transfer*"]).findall("pay or payment: transferred")
    ['pay', 'transfer']
    """
    return re.compile("|".join(map(_whole, words)) or r"(?!)")


def _whole(word: str) -> str:
    stem = re.escape(plain(word.rstrip("*")))
    if word[0] >= "\u2e80":
        return stem
    return rf"(?<!\w){stem}" + ("" if word.endswith("*") else r"(?!\w)")
