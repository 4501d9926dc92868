"""Whether a sentence says, of something that was said before, that it is so no more. Pure.

This takes nothing down: it only tells that older words are not to be repeated as if nothing had been said since.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from affidavit.text.passages import plain, segments
from affidavit.text.question_words import supposes
from affidavit.text.sentences import asks
from affidavit.text.signs import denials, has, joints, language_of, relation_words
from affidavit.text.tables import package_table
from affidavit.text.whole import any_of


def ends(sentence: str, relation: str | None, *, names: Callable[[str], bool], own: bool, mine: bool) -> bool:
    """Whether a sentence ends or denies what was said.

    `names`: whether a part of it holds the value, or what is asked about; `own`: it says what its speaker does or is;
    `mine`: it speaks of him at all.

    >>> ends("I got fired.", "work", names=lambda part: False, own=True, mine=True)
    True
    >>> ends("I got a cat.", "work", names=lambda part: False, own=True, mine=True)
    False
    """
    said = plain(sentence)
    language = language_of(said)
    unsure = supposes(sentence, "en") or has("hedge", said, language) or has("hypothesis", said, language)
    if asks(sentence) or unsure:
        return False
    if own and relation is not None and _alone(relation).search(said) is not None:
        return True
    parts = [said[start:end] for start, end in segments(said, joints(language))]
    holding = [part for part in parts if names(part)] or ([said] if names(said) else [])
    if not holding:
        return False
    if _over().search(said) is not None:
        return True
    shown = relation is None or relation_words(relation, "shown", language).search(said) is not None
    return mine and shown and any(denials(part, language) for part in holding)


def turns(behind: str) -> bool:
    """Whether what stands behind a statement in its sentence takes it back: "… but came back to Rome"."""
    return _turned().search(plain(behind)) is not None


def denies_value(text: str, start: int) -> bool:
    """Whether a denial stands right before a value that begins there: "is not on 3 May".

    >>> denies_value("It's not on 3 May", 9), denies_value("No, it's on 3 May", 9)
    (True, False)
    """
    before = plain(text[:start]).rstrip()
    return any(len(before) == end for _, end in denials(before, language_of(before)))


def ending_words(relation: str | None) -> str:
    """Words by which such sentences are looked for."""
    words: Iterable[str] = _table()["over"]["words"]
    alone: Sequence[str] = _table()["relation"].get(relation or "", ())
    return " ".join(word.rstrip("*") for word in (*alone, *words))


@cache
def _table() -> Mapping[str, Any]:
    return package_table("endings")


@cache
def _over() -> re.Pattern[str]:
    return any_of(_table()["over"]["words"])


@cache
def _turned() -> re.Pattern[str]:
    return any_of(_table()["turned"]["words"])


@cache
def _alone(relation: str) -> re.Pattern[str]:
    return any_of(_table()["relation"].get(relation, ()))
