"""Whether a sentence says, of something that was said before, that it is so no more. Pure.

This takes nothing down: it only tells that older words are not to be repeated as if nothing had been said since.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from affidavit.text.evidence.passages import plain, segments
from affidavit.text.evidence.signs import (
    UNSPACED,
    denials,
    has,
    joints,
    language_of,
    relation_words,
    takes_back,
)
from affidavit.text.lang.tables import package_table
from affidavit.text.lang.whole import any_of
from affidavit.text.questions.question_words import supposes
from affidavit.text.sentences import asks

_FEW: Final = 5
"""Words in which something is taken back, or corrected."""
_NAME: Final = 3
"""Words of a value that stands alone."""
_EDGE: Final = ' \t.,;:!-–—()（），。：；、！"“”'


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
        return not _leaves_out(said, names)
    parts = [said[start:end] for start, end in segments(said, joints(language))]
    holding = [part for part in parts if names(part)] or ([said] if names(said) else [])
    if not holding:
        return False
    if _words("over").search(said) is not None:
        return True
    shown = relation is None or relation_words(relation, "shown", language).search(said) is not None
    return mine and shown and any(denials(part, language) for part in holding)


def turns(behind: str) -> bool:
    """Whether what stands behind a statement in its sentence takes it back: "… but came back to Rome"."""
    return _words("turned").search(plain(behind)) is not None


def voids(behind: str) -> bool:
    """Whether a few words that stand behind a statement in its sentence say that it is void: "(postponed)".

    >>> voids(" (postponed)."), voids(", but my trip is postponed")
    (True, False)
    """
    said = plain(behind)
    few = _size(said) <= _FEW and not has("mine", said, language_of(said))
    return few and _words("voided").search(said) is not None


def void_time(text: str, start: int, end: int) -> bool:
    """Whether what stands before a time in its clause, or behind it, says that it is not then, or only was to be.

    >>> void_time("My flight was going to be on 3 May", 26, 34), void_time("No, it's on 3 May", 9, 17)
    (True, False)
    """
    if voids(text[end:]):
        return True
    before = plain(text[:start])
    language = language_of(before)
    parts = segments(before, joints(language))
    if not parts or parts[-1][1] < len(before.rstrip()):
        return False
    part = before[parts[-1][0] : parts[-1][1]]
    denied = denials(part, language) and not _words("unreal", "reminds").search(part)
    return bool(denied) or _words("unreal").search(part) is not None


def renews(sentence: str) -> bool:
    """Whether a sentence says that something has another value from now on: "The exam is now on 10 May"."""
    return _words("renewed").search(plain(sentence)) is not None


def corrects(sentence: str, *, value: Callable[[str], bool]) -> bool:
    """Whether what was said next corrects what was said before it; `value`: whether words hold a value of its kind.

    >>> corrects("Correction: Bari.", value=lambda rest: False), corrects("Sorry, it's 14 July.", value=bool)
    (True, True)
    >>> (
    ...     corrects("Sorry, it's raining.", value=lambda rest: False),
    ...     corrects("No, thank you so much.", value=bool),
    ... )
    (False, False)
    """
    said = plain(sentence).lstrip(_EDGE)
    sorry = _words("corrects", "sorry").match(said)
    rest = said[sorry.end() :].lstrip(_EDGE) if sorry else said
    if _words("corrects").match(rest) or _words("corrects").match(said):
        return True
    # "No vivo en Oslo" denies; "No, en Oslo" corrects.
    denies = sorry is not None and sorry[0] == "no" and said[sorry.end() : sorry.end() + 1] == " "
    if sorry is None or denies or _size(rest) > _FEW + 1:
        return False
    named = _words("corrects", "is").match(rest) is not None or _size(rest) <= _NAME
    return named and value(sentence[len(sentence.rstrip()) - len(rest.rstrip()) :])


def takes_all_back(sentence: str) -> bool:
    """Whether a short sentence says that what was said before it was not meant."""
    said = plain(sentence)
    return takes_back(sentence) or (
        _size(said) <= _FEW + 1 and _words("corrects", "taken_back").search(said) is not None
    )


def ends_of_other(sentence: str, relation: str) -> bool:
    """Whether a sentence about somebody who is named says that what was said of him has changed."""
    return any_of(_table()["other"].get(relation, ())).search(plain(sentence)) is not None


def denies_value(text: str, start: int) -> bool:
    """Whether a denial stands right before a value that begins there: "is not on 3 May".

    >>> denies_value("It's not on 3 May", 9), denies_value("No, it's on 3 May", 9)
    (True, False)
    """
    before = plain(text[:start]).rstrip()
    return any(len(before) == end for _, end in denials(before, language_of(before)))


def _leaves_out(said: str, names: Callable[[str], bool]) -> bool:
    found = _words("except").search(said)
    return found is not None and names(said[found.end() :])


def _size(said: str) -> int:
    return len(UNSPACED.findall(said)) // 2 or len(said.split())


def ending_words(relation: str | None) -> str:
    """Words by which such sentences are looked for."""
    words: Iterable[str] = _table()["over"]["words"]
    alone: Sequence[str] = _table()["relation"].get(relation or "", ())
    return " ".join(word.rstrip("*") for word in (*alone, *words))


@cache
def _table() -> Mapping[str, Any]:
    return package_table("endings")


@cache
def _words(section: str, name: str = "words") -> re.Pattern[str]:
    return any_of(_table()[section][name])


@cache
def _alone(relation: str) -> re.Pattern[str]:
    return any_of(_table()["relation"].get(relation, ()))
