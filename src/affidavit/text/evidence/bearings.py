"""How one sentence bears on another: it says the same, more, or the contrary. Pure; nothing is guessed.

It is what holds when somebody who wants the worst claims that the one makes the other obsolete. So words decide, in
their order, and none may be left over: likeness is no sign ("allergic" and "not allergic" are as like as can be).

1. Every word counts, and every mark inside the sentence, but for those of `lang/bearings.toml` and the `s` of a verb.
2. *Same*: word for word, with as many denials in the same places. What is loved is not just liked.
3. *More*: it goes on behind a comma or a bracket, with nothing that denies, limits or doubts.
4. *Contrary*: the same words, of which one denies, or likes what the other dislikes. Two denials are no denial we read.
5. *Instead*: the same words up to a value, which took the place of the other's, and it says so.
6. *Partly*: it denies or turns the other's words, and goes on. It may be meant of a part only ("on Mondays").
7. Words that mean another thing or day whenever they are said ("she", "today") bear on nothing.
8. Numbers, dates, codes and amounts are never left over either. All else, and every language not in the table: other.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import UNSPACED, has, language_of
from affidavit.text.evidence.slots import values_of
from affidavit.text.lang.tables import package_table
from affidavit.text.lexicon.stopwords import GRAMMAR

_LONGEST: Final = 1_000
_NO, _LIKE, _DISLIKE, _INSTEAD = "\x01", "\x02", "\x03", "\x04"
_LIKINGS: Final = (_LIKE, _DISLIKE)
_SIGNS: Final = {
    "denial": _NO,
    "like": _LIKE,
    "dislike": _DISLIKE,
    "instead": _INSTEAD,
    "aside": " ",
    "tail": " ",
}
_TOKEN: Final = re.compile(r"[\x01-\x04]\S*|[^\W_]+(?:[-'._/@+&][^\W_]+)*|[^\s\w]")
_CONTRACTED: Final = re.compile(r"\b(?!ain't|can't stand)(\w+)n't\b")
_WHOLE: Final = {"ca": "can", "wo": "will"}
_END: Final = re.compile(r"[\s.!。！]+$")
_WEAKENS: Final = (
    "negation", "limit", "hedge", "hypothesis", "ended", "left", "past", "takeback", "irony", "report", "wish",
)  # fmt: skip
_VALUE: Final = 3
"""Words of a value that takes the place of another."""


class Bearing(StrEnum):
    """How a sentence bears on another."""

    SAME = "same"
    MORE = "more"
    CONTRARY = "contrary"
    INSTEAD = "instead"
    PARTLY = "partly"
    OTHER = "other"


def bearing(one: str, other: str) -> Bearing:
    """How the first sentence bears on the other.

    >>> bearing("The user no longer uses MySQL.", "The user uses MySQL"), bearing("A uses B", "B uses C")
    (<Bearing.CONTRARY: 'contrary'>, <Bearing.OTHER: 'other'>)
    """
    mine, its = _read(one), _read(other)
    if mine is None or its is None or mine.language != its.language:
        return Bearing.OTHER
    if len(mine.core) == len(its.core) and _alike(mine.core, its.core, mine.language):
        if values_of(one) != values_of(other):
            return Bearing.OTHER
        if len(mine.exact) == len(its.exact) and _alike(mine.exact, its.exact, mine.language):
            return Bearing.SAME
        return Bearing.CONTRARY if mine.turned(its) else Bearing.OTHER
    if not values_of(other) <= values_of(one):
        return Bearing.OTHER
    return _longer(mine, its)


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence as it is compared: `exact` are its words and signs; `core` those without denials, likings as one.

    `turn`: 1 as it stands, -1 denied; of what is liked 2, of what is not -2. `liking`: the word of it.
    """

    exact: tuple[str, ...]
    core: tuple[str, ...]
    turn: int
    liking: str
    language: str

    def turned(self, other: "_Read") -> bool:
        """Whether one denies what the other says. Who does not love a thing may like it."""
        if self.turn != -other.turn:
            return False
        denied = next((one.liking for one in (self, other) if _NO in one.exact), "")
        plain_ones = package_table("bearings")[self.language]["plain"]
        return not denied or denied[1:] in plain_ones or _alike([self.liking], [other.liking], self.language)


def _read(text: str) -> _Read | None:
    """The sentence, or None where its language or its sense can't be told."""
    if len(text) > _LONGEST:
        return None
    told = _END.sub("", plain(text).strip())
    language = language_of(told)
    if language not in package_table("bearings") or has("unnegated", told, language):
        return None
    if _pointing(language).search(told):
        return None
    told = _led(language).sub("", _CONTRACTED.sub(lambda one: f"{_WHOLE.get(one[1], one[1])} not", told))
    exact = tuple(_TOKEN.findall(_signs(language).sub(lambda one: _replaced(one[0], language), told)))
    exact = tuple(word for place, word in enumerate(exact) if not _helps(word, exact[place + 1 : place + 2]))
    likings = [word for word in exact if word[0] in _LIKINGS]
    turn = _turn(exact)
    core = tuple(_LIKE if word[0] in _LIKINGS else word for word in exact if word != _NO)
    return None if turn is None or not core else _Read(exact, core, turn, "".join(likings), language)


def _turn(exact: Sequence[str]) -> int | None:
    """See `_Read.turn`; None where it can't be told."""
    denials = [place for place, word in enumerate(exact) if word == _NO]
    likings = [place for place, word in enumerate(exact) if word[0] in _LIKINGS]
    if len(denials) > 1 or len(likings) > 1:
        return None
    if denials and not "".join(exact[denials[0] + 1 : denials[0] + 2]).lstrip(_LIKE + _DISLIKE)[:1].isalpha():
        return None  # "No, I do", "house no 12"
    if not likings:
        return -1 if denials else 1
    liked = exact[likings[0]][0] == _LIKE
    if not denials:
        return 2 if liked else -2
    return -2 if liked and denials[0] == likings[0] - 1 else None


def _longer(mine: _Read, its: _Read) -> Bearing:
    """How a sentence with other words, or more of them, bears on one."""
    size = len(its.exact)
    rest = mine.exact[size:]
    if len(rest) > 1 and _alike(mine.exact[:size], its.exact, mine.language):
        return (
            Bearing.MORE
            if rest[0] in {",", "，", "("} and not _weakens(rest, mine.language)
            else Bearing.OTHER
        )
    if _takes_place(mine, its):
        return Bearing.INSTEAD
    size = len(its.core)
    begun = len(mine.core) > size and _alike(mine.core[:size], its.core, mine.language)
    signs = [place for place, word in enumerate(mine.exact) if word[0] in {_NO, *_LIKINGS}]
    within = bool(signs) and max(signs) <= size
    return Bearing.PARTLY if begun and within and mine.turned(its) else Bearing.OTHER


def _weakens(rest: Sequence[str], language: str) -> bool:
    text = " ".join(rest)
    joined = set(rest) & set(package_table("bearings")[language]["joiner"])
    signs = any(word[0] in {_NO, *_LIKINGS, _INSTEAD} for word in rest)
    return signs or bool(joined) or any(has(name, text, language) for name in _WEAKENS)


def _takes_place(mine: _Read, its: _Read) -> bool:
    """Whether it says that its value stands where the other's stood: "uses A instead of B" of "uses B"."""
    places = [place for place, word in enumerate(mine.exact) if word == _INSTEAD]
    if len(places) != 1 or _NO in mine.exact + its.exact or _INSTEAD in its.exact:
        return False
    tail = mine.exact[places[0] + 1 :]
    head = its.exact[: len(its.exact) - len(tail)]
    new = mine.exact[len(head) : places[0]]
    if not tail or len(head) < _VALUE - 1 or not 0 < len(new) <= _VALUE:
        return False
    same = _alike(mine.exact[: len(head)], head, mine.language) and tail == its.exact[len(head) :]
    return same and not any(word in GRAMMAR or not word[0].isalnum() for word in (*new, *tail))


def _alike(one: Sequence[str], other: Sequence[str], language: str) -> bool:
    return all(a == b or (language == "en" and _same_verb(a, b)) for a, b in zip(one, other, strict=True))


def _same_verb(one: str, other: str) -> bool:
    """Whether two words differ by an `s` only, as "eat" and "eats" do."""
    short, long = sorted((one, other), key=len)
    return len(short) > 2 and short.isalpha() and long in {f"{short}s", f"{short}es"}


def _helps(word: str, behind: Sequence[str]) -> bool:
    """Whether a "do" is there for the denial behind it only."""
    return word in {"do", "does"} and tuple(behind) == (_NO,)


def _replaced(phrase: str, language: str) -> str:
    table: Mapping[str, Any] = package_table("bearings")[language]
    same = table["same"].get(phrase)
    name = next((name for name in _SIGNS if phrase in table[name]), "aside")
    word = phrase.replace(" ", "_") if _SIGNS[name] in _LIKINGS else ""
    return f" {_SIGNS[name] + word if same is None else same} "


@cache
def _signs(language: str) -> re.Pattern[str]:
    table: Mapping[str, Any] = package_table("bearings")[language]
    return re.compile(_any_of([*table["same"], *(word for name in _SIGNS for word in table[name])]))


@cache
def _pointing(language: str) -> re.Pattern[str]:
    return re.compile(_any_of(package_table("bearings")[language]["pointing"]))


@cache
def _led(language: str) -> re.Pattern[str]:
    return re.compile(rf"^(?:{_any_of(package_table('bearings')[language]['lead'])})[\s,，:：]+")


def _any_of(phrases: Sequence[str]) -> str:
    longest = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return "|".join(
        re.escape(one) if UNSPACED.match(one) else rf"(?<![\w']){re.escape(one)}(?![\w'])" for one in longest
    )
