"""What a text says that is worded as memories are: "The user lives in Porto.", "Ana lives in Porto.".

The tables of `lang/` hold how a memory of a relation is worded; here the same templates are read the other way round.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import joints, language_of, signs
from affidavit.text.lang.tables import Table, tables

_VALUES: Final = {
    "{object}": r"(?P<object>\S(?:.{0,78}?\S)?)",
    "{qualifier}": r"(?P<qualifier>\S(?:.{0,38}?\S)?)",
}
_I: Final = {"es": "Yo", "zh": "我"}
_MINE: Final = {
    "you are": "I am", "you're": "I'm", "you were": "I was", "you've": "I've", "you'll": "I'll", "you": "I",
    "your": "my", "yours": "mine", "yourself": "myself", "你": "我", "您": "我",
}  # fmt: skip
_YOU: Final = re.compile(
    r"\b(?:you (?:are|were)|you['’](?:re|ve|ll)|yourself|yours|your|you)\b|[你您]", re.IGNORECASE
)
_SLOT: Final = re.compile(r"(\{\w+\})")
_MORE: Final = re.compile(r"[;:()!?。；：（）！？]|\.\s")


class Worded(NamedTuple):
    """What it says: the value, what it is of, whether it is denied."""

    object: str
    qualifier: str
    negated: bool


def worded(text: str, relation: str, subject: str | None) -> Worded | None:
    """What a text says of this relation, now; None where it is not worded so. `subject`: None for the user.

    >>> worded("The user lives in Alfama, Lisbon.", "home", None)
    Worded(object='Alfama, Lisbon', qualifier='', negated=False)
    >>> worded("Bob lives in Porto", "home", None) is None, worded("Ana lives in Faro", "home", "Ana").object
    (True, 'Faro')
    """
    line = " ".join(text.split())
    for lead, behind, negated in _templates(relation):
        whom = lead if subject is None else subject
        found = re.fullmatch(re.escape(whom) + behind, line, re.IGNORECASE)
        if found is not None and _is_one(found["object"]):
            return Worded(found["object"], found.groupdict().get("qualifier") or "", negated)
    return None


def in_first_person(text: str) -> str:
    """A text that begins with the words for the user, as he would say it himself: for whoever judges whose words it is.

    >>> in_first_person("The user writes with Vim.")
    'I writes with Vim.'
    """
    said = plain(text)
    found = signs("user", said)
    if not found or found[0][0] != 0 or said[found[0][1] - 2 : found[0][1]] == "'s":
        return text
    return _I.get(language_of(said), "I") + text[found[0][1] :]


def as_told_back(text: str) -> str:
    """What is said to the user of himself, as he would say it: English and Chinese; other texts stay as they are.

    >>> as_told_back("As you said, you're allergic to peanuts and your sister lives here.")
    "As I said, I'm allergic to peanuts and my sister lives here."
    """
    return _YOU.sub(lambda found: _MINE[found[0].lower().replace("’", "'")], text)


@cache
def _templates(relation: str) -> tuple[tuple[str, str, bool], ...]:
    """How it is said: the words for the user, an expression for what follows, whether it denies."""
    return tuple(one for table in tables() for one in _of_table(table, relation))


def _of_table(table: Table, relation: str) -> Iterator[tuple[str, str, bool]]:
    texts = [
        table.raw["text"].get(relation, {}),
        *(way.text for way in table.ways if way.relation == relation),
    ]
    for state in ("negated", "now"):
        for text in dict.fromkeys(one[state] for one in texts if state in one):
            user = signs("user", plain(text))
            if user and user[0][0] == 0 and "{object}" in text:
                end = user[0][1]
                pieces = _SLOT.split(text[end:].rstrip(".。"))
                behind = "".join(_VALUES.get(piece, re.escape(piece)) for piece in pieces)
                yield text[:end], behind + r"[.。]?", state == "negated"


def _is_one(value: str) -> bool:
    """Whether it is a value and nothing more: no further clause."""
    said = plain(value)
    return _MORE.search(said) is None and joints(language_of(said)).search(said) is None
