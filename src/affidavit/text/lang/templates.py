"""Word templates: how the tables under `lang/` spell what a clause may look like, and how that is matched.

    live in            the words, in this order
    (live|reside) in   either of them
    [just] moved       with or without it
    {adv}              an entry of the table's list `adv`; entries are templates themselves
    {adv}*             any number of them
    {object}           a slot: whatever stands there
    {object=diet}      a slot that takes an entry of a list, or what another slot takes
    {from}             takes nothing; marks a place

A template becomes one regular expression, when a text first holds a word that the template can't do without. It is
only ever matched against texts of bounded length: the time for a text grows with its length, whatever the text is.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Generic, NamedTuple, TypeVar

from affidavit.text.view import folded

T = TypeVar("T")
_PART: Final = re.compile(
    r"\{(?P<name>\w+)(?:=(?P<list>\w+))?\}(?P<many>\*?)|(?P<mark>[()\[\]|])|(?P<word>[^\s{}()\[\]|]+)"
)
# After a word: the word may not go on (but "sister's" is "sister" and "'s"); white space is passed over.
_SPACED: Final = r"(?!\w|-\w|'(?!s\b))\s*+"
_UNSPACED: Final = r"\s*+"
_UNNAMED: Final = frozenset({"any", "number", "grown", "figure", "code"})
"""Slots of which nobody asks what they took."""
_PLACE: Final = "from"
_PIECE: Final = re.compile(r"\w+")
ANYTHING: Final = r"[^\n]{1,60}?"
"""A slot for whatever stands there."""

Keys = frozenset[str]
"""Words of which a text must hold one; empty if there is no such set."""
_NO_KEYS: Final[Keys] = frozenset()
_NOTHING: Final = re.compile(r"(?!)")


class _Item(NamedTuple):
    """One element of a template: a word, a named list or slot, or a choice between sequences."""

    word: str = ""
    name: str = ""
    filled: str = ""
    many: bool = False
    choice: tuple[tuple["_Item", ...], ...] = ()
    optional: bool = False


class Words:
    """The words of one text, to tell quickly which templates can't match there."""

    def __init__(self, text: str, *, spaced: bool) -> None:
        self._text = text
        self._pieces = frozenset(_PIECE.findall(text)) if spaced else None

    def may_match(self, keys: Keys) -> bool:
        """Whether one of the keys is there, or none is needed."""
        if not keys:
            return True
        if self._pieces is not None:
            return not keys.isdisjoint(self._pieces)
        return any(key in self._text for key in keys)

    def held(self, keys: Collection[str]) -> list[str]:
        """Those of the keys that are there."""
        if self._pieces is None:
            return [key for key in keys if key in self._text]
        return [piece for piece in self._pieces if piece in keys]  # a text has fewer words than a table keys

    def pattern(self, gated: "Gated") -> re.Pattern[str]:
        """The expression to look for; one that finds nothing where that can't match."""
        return gated.regex if self.may_match(gated.keys) else _NOTHING


class Gated:
    """An expression that is made when a text first holds one of its `keys`, words without which it can't match."""

    def __init__(self, keys: Keys, make: Callable[[], re.Pattern[str]]) -> None:
        self.keys = keys
        self._make = make

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The expression."""
        return self._make()


class Pattern:
    """One template; `keys` are words without which it can't match. `start` is an expression before it."""

    def __init__(self, templates: "Templates", template: str, *, start: str = "") -> None:
        self._templates = templates
        self._start = start
        self._items = _parsed(folded(template))
        self.keys = templates.keys_of(self._items)

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The expression, made when it is first needed."""
        return re.compile(self._start + self._templates.regex_of(self._items))


class Matchable(Generic[T]):
    """Patterns, each with what it stands for, found by their keys: of hundreds a text may match a few."""

    def __init__(self, entries: Iterable[tuple[Pattern, T]]) -> None:
        self._entries = tuple(entries)
        self._by_key: dict[str, list[int]] = {}
        self._always = [n for n, (pattern, _) in enumerate(self._entries) if not pattern.keys]
        for n, (pattern, _) in enumerate(self._entries):
            for key in pattern.keys:
                self._by_key.setdefault(key, []).append(n)

    def within(self, words: Words) -> list[tuple[int, Pattern, T]]:
        """Those that a text with these words may match, in their order and with their number."""
        found = set(self._always)
        for key in words.held(self._by_key):
            found.update(self._by_key[key])
        return [(n, *self._entries[n]) for n in sorted(found)]


class Templates:
    """Compiles templates with the lists of one table; `slots` are expressions for slots with a fixed form.

    `slot_keys` are the words of slots that take certain words only.
    """

    def __init__(
        self,
        words: Mapping[str, Sequence[str]],
        slots: Mapping[str, str],
        *,
        spaced: bool,
        slot_keys: Mapping[str, Keys] | None = None,
    ) -> None:
        self._words = words
        self._slots = slots
        self._slot_keys = slot_keys or {}
        self._spaced = spaced
        self._end = _SPACED if spaced else _UNSPACED
        self._lists: dict[str, str] = {}
        self._list_keys: dict[str, Keys] = {}

    def anywhere(self, templates: Sequence[str]) -> re.Pattern[str]:
        """An expression that finds any of the templates, whole words only; nothing if there are none."""
        start = r"(?<![\w'])" if self._spaced else ""
        return re.compile(start + self._any(templates) if templates else r"(?!)")

    def repeated(self, templates: Sequence[str]) -> re.Pattern[str]:
        """An expression that matches as many of the templates as stand in a row, at least one."""
        return re.compile(f"{self._any(templates)}++" if templates else r"(?!)")

    def regex_of(self, items: Sequence[_Item]) -> str:
        """The expression for a sequence of elements."""
        return "".join(map(self._regex, items))

    def keys_of(self, items: Sequence[_Item]) -> Keys:
        """The rarest words of which every text that matches holds one."""
        found = [self._keys(item) for item in items if not (item.optional or item.many)]
        # Long words are rare ones.
        return max((keys for keys in found if keys), key=lambda keys: min(map(len, keys)), default=_NO_KEYS)

    def keys_of_any(self, templates: Sequence[str]) -> Keys:
        """Words of which every text that any of the templates matches holds one."""
        return self._all_keys([_parsed(folded(template)) for template in templates])

    def _any(self, templates: Sequence[str]) -> str:
        # The longest first, so that "in the end" is not taken for "in".
        ordered = sorted(map(folded, templates), key=len, reverse=True)
        return f"(?:{'|'.join(self.regex_of(_parsed(template)) for template in ordered)})"

    def _list(self, name: str) -> str:
        if name not in self._lists:
            self._lists[name] = self._any(self._words[name])
        return self._lists[name]

    def _regex(self, item: _Item) -> str:
        if item.word:
            return re.escape(item.word) + self._end
        if item.choice:
            branches = "|".join(map(self.regex_of, item.choice))
            return f"(?:{branches}){'?+' if item.optional else ''}"
        if item.name == _PLACE:
            return f"(?P<{_PLACE}>)"
        slot = item.filled or item.name
        if slot in self._slots:
            group = "?:" if slot in _UNNAMED and not item.filled else f"?P<{item.name}>"
            return f"({group}{self._slots[slot]}){self._end}"
        if item.filled:
            return f"(?P<{item.name}>{self._list(slot)})"
        return self._list(slot) + ("*" if item.many else "")

    def _keys(self, item: _Item) -> Keys:
        if item.word:
            piece = item.word if not self._spaced else next(iter(_PIECE.findall(item.word)), "")
            return frozenset((piece,)) if piece else _NO_KEYS
        if item.choice:
            return self._all_keys(item.choice)
        name = item.filled or item.name
        if name in self._words and name not in self._slots:
            if name not in self._list_keys:
                self._list_keys[name] = self.keys_of_any(self._words[name])
            return self._list_keys[name]
        return self._slot_keys.get(name, _NO_KEYS)

    def _all_keys(self, choices: Sequence[Sequence[_Item]]) -> Keys:
        """Keys of any of several sequences; none if one of them has none."""
        each = [self.keys_of(choice) for choice in choices]
        return frozenset[str]().union(*each) if all(each) else _NO_KEYS


def _parsed(template: str) -> tuple[_Item, ...]:
    parts = iter(_PART.finditer(template))
    choices = _choices(parts, "")
    if len(choices) > 1:
        raise ValueError(f"{template!r}: write a choice in brackets")
    return choices[0]


def _choices(parts: Iterator[re.Match[str]], closing: str) -> tuple[tuple[_Item, ...], ...]:
    """What stands up to the closing bracket."""
    choices: list[list[_Item]] = [[]]
    for part in parts:
        mark = part["mark"]
        if mark and mark == closing:
            return tuple(map(tuple, choices))
        if mark == "|":
            choices.append([])
        elif mark in ("(", "["):
            inner = _choices(parts, ")" if mark == "(" else "]")
            choices[-1].append(_Item(choice=inner, optional=mark == "["))
        elif mark:
            raise ValueError(f"a {mark!r} closes nothing in {part.string!r}")
        elif part["word"]:
            choices[-1].append(_Item(word=part["word"]))
        else:
            choices[-1].append(_Item(name=part["name"], filled=part["list"] or "", many=bool(part["many"])))
    if closing:
        raise ValueError(f"a {closing!r} is missing")
    return tuple(map(tuple, choices))
