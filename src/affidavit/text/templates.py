"""Word templates: how the tables under `lang/` spell what a clause may look like, and how that is matched.

    live in            the words, in this order
    (live|reside) in   either of them
    [just] moved       with or without it
    {adv}              an entry of the table's list `adv`; entries are templates themselves
    {adv}*             any number of them
    {object}           a slot: whatever stands there
    {object=diet}      a slot that takes an entry of a list, or what another slot takes
    {from}             takes nothing; marks a place

A template becomes one regular expression without nested repetition, and is only ever matched against a clause of
bounded length: the time for a text grows with its length, whatever the text is.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from affidavit.text.view import folded

_PART: Final = re.compile(
    r"\{(?P<name>\w+)(?:=(?P<list>\w+))?\}(?P<many>\*?)|(?P<mark>[()\[\]|])|(?P<word>[^\s{}()\[\]|]+)"
)
# After a word: the word may not go on (but "sister's" is "sister" and "'s"); white space is passed over.
_SPACED: Final = r"(?!\w|-\w|'(?!s\b))\s*+"
_UNSPACED: Final = r"\s*+"
_PLACE: Final = "from"
ANYTHING: Final = r"[^\n]{1,60}?"
"""A slot for whatever stands there."""


class Templates:
    """Compiles templates with the lists of one table; `slots` are expressions for slots with a fixed form."""

    def __init__(self, words: Mapping[str, Sequence[str]], slots: Mapping[str, str], *, spaced: bool) -> None:
        self._words = {name: [folded(entry) for entry in entries] for name, entries in words.items()}
        self._slots = slots
        self._end = _SPACED if spaced else _UNSPACED
        self._start = r"(?<![\w'])" if spaced else ""
        self._lists: dict[str, str] = {}

    def pattern(self, template: str) -> re.Pattern[str]:
        """An expression that matches the template at a place."""
        return re.compile(self._read(folded(template)))

    def anywhere(self, templates: Sequence[str]) -> re.Pattern[str]:
        """An expression that finds any of the templates, whole words only; nothing if there are none."""
        return re.compile(self._start + self._any(templates) if templates else r"(?!)")

    def repeated(self, templates: Sequence[str]) -> re.Pattern[str]:
        """An expression that matches as many of the templates as stand in a row, at least one."""
        return re.compile(f"{self._any(templates)}++" if templates else r"(?!)")

    def _any(self, templates: Sequence[str]) -> str:
        # The longest first, so that "in the end" is not taken for "in".
        ordered = sorted(map(folded, templates), key=len, reverse=True)
        return f"(?:{'|'.join(map(self._read, ordered))})"

    def _list(self, name: str) -> str:
        if name not in self._lists:
            if name not in self._words:
                raise ValueError(f"no list {name!r} in this table")
            self._lists[name] = self._any(self._words[name])
        return self._lists[name]

    def _read(self, template: str) -> str:
        open_marks: list[str] = []
        pieces: list[str] = []
        for part in _PART.finditer(template):
            if part["word"]:
                pieces.append(re.escape(part["word"]) + self._end)
            elif part["name"]:
                pieces.append(self._named(part))
            elif part["mark"] in "([":
                open_marks.append(part["mark"])
                pieces.append("(?:")
            elif part["mark"] == "|":
                pieces.append("|")
            else:
                pieces.append(")" if open_marks.pop() == "(" else ")?+")
        if open_marks:
            raise ValueError(f"a bracket is left open in {template!r}")
        return "".join(pieces)

    def _named(self, part: re.Match[str]) -> str:
        name, filled = part["name"], part["list"]
        if filled and filled not in self._slots:
            return f"(?P<{name}>{self._list(filled)})"
        if filled or name in self._slots:
            return f"(?P<{name}>{self._slots[filled or name]}){self._end}"
        if name == _PLACE:
            return f"(?P<{_PLACE}>)"
        return self._list(name) + ("*" if part["many"] else "")
