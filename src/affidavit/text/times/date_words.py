"""The `[date]` part of a language's table: which words name a time, found in a text.

A `say` entry has templates and what they mean: `kind` (unit, weekday, month, date, year; `vague`: a time that can't
be placed; `none`: no time at all, though it looks like one) and numbers that `affidavit.text.times.dates` works with.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

from affidavit.text.lang.tables import table
from affidavit.text.lang.templates import Keys, Matchable, Pattern, Templates, Words
from affidavit.text.times.clock import Clock
from affidavit.text.view import folded

_EDGES: Final = ("since", "from", "until", "by", "before", "after", "at")
_LIKE: Final = {"by": "until", "from": "since"}
_MOST: Final = 1_000  # matches of one template
_YEARS: Final = range(1000, 3000)
_EDGE_LONGEST: Final = 24  # characters of the words before or behind a date that open or close it


class Told(NamedTuple):
    """Words that name a time, at `[start, end)` of the view, not yet resolved."""

    start: int
    end: int
    kind: str
    means: Mapping[str, Any]
    slots: Mapping[str, int | str]
    edge: str  # one of since, from, until, by, before, after, at, or empty
    core: int  # where the date itself begins
    clock: tuple[int, int | None] | None  # hour and minute said with it


class DateWords:
    """One language's words for times."""

    def __init__(self, raw: Mapping[str, Any], words: Mapping[str, Sequence[str]], *, spaced: bool) -> None:
        self._raw = raw
        self._spaced = spaced
        self._numbers: Mapping[str, int] = {folded(word): number for word, number in raw["numbers"].items()}
        self._powers: Mapping[str, int] = raw.get("powers", {})
        self._places = {
            name: {folded(word): number for number, names in enumerate(raw[name]) for word in names}
            for name in ("weekdays", "months")
        }
        self._units = {folded(word): unit for unit, names in raw["units"].items() for word in names}
        slot_keys = {
            "weekday": self._keys(self._places["weekdays"]),
            "month": self._keys(self._places["months"]),
            "unit": self._keys(self._units),
        }
        compiler = Templates(words, self._slots(), spaced=spaced, slot_keys=slot_keys)
        # No date begins inside a word, a longer number, an address or a version.
        start = r"(?<![\w.,'/:-])" if spaced else ""
        self._says = Matchable[Mapping[str, Any]](
            (Pattern(compiler, say, start=start), entry) for entry in raw["say"] for say in entry["say"]
        )
        self._compiler = compiler

    # Each is made when a text first names a time.

    @cached_property
    def _clock(self) -> Clock:
        return Clock(self._raw.get("clock", {}), self._number, self._slots()["day"], spaced=self._spaced)

    @cached_property
    def _before(self) -> re.Pattern[str]:
        return re.compile(_choices(self._compiler, self._raw["edge"], _EDGES, "before") + r"\Z")

    @cached_property
    def _behind(self) -> re.Pattern[str]:
        return re.compile(r"\s*+" + _choices(self._compiler, self._raw["edge"], _EDGES, "behind"))

    @cached_property
    def _past(self) -> re.Pattern[str]:
        endings = "|".join(map(re.escape, self._raw.get("past_endings", ())))
        regular = rf"|\w{{3,}}(?:{endings})(?!\w)" if endings else ""
        return re.compile(self._compiler.anywhere(self._raw["past"]).pattern + regular)

    @cached_property
    def _future(self) -> re.Pattern[str]:
        return self._compiler.anywhere(self._raw["future"])

    def told(self, text: str, start: int, end: int) -> Iterator[Told]:
        """Every time that is named within `[start, end)`."""
        for first, found, entry in self._apart(text, start, end):
            slots = {
                name: self._slot(name, value.strip()) for name, value in found.groupdict("").items() if value
            }
            if entry["kind"] == "none" or None in slots.values() or _is_no_year(entry, slots):
                continue
            clock, last = self._clock.read(text, first + len(found[0].rstrip()), end)
            begin, last, edge = self._edges(text, start, end, first, last)
            edge = entry.get("edge", edge)
            if "weak" in entry and _LIKE.get(edge, edge) not in entry["weak"]:
                continue
            kept = {name: value for name, value in slots.items() if value is not None}
            core = found.start("from") if "from" in found.re.groupindex else first
            yield Told(begin, last, entry["kind"], entry, kept, edge, core, clock)

    def _apart(
        self, text: str, start: int, end: int
    ) -> Iterator[tuple[int, re.Match[str], Mapping[str, Any]]]:
        """What the entries match, in order; of what overlaps the first, of what begins together the longest."""
        words = Words(text[start:end], spaced=self._spaced)
        every: list[tuple[int, int, int, re.Match[str], Mapping[str, Any]]] = []
        for number, pattern, entry in self._says.within(words):
            matches = pattern.regex.finditer(text, start, end)
            every.extend((m.start(), -m.end(), number, m, entry) for m in islice(matches, _MOST))
        done = start
        for first, last, _, found, entry in sorted(every, key=lambda one: one[:3]):
            if first >= done:
                yield first, found, entry
                done = -last

    def tense(self, text: str, start: int, end: int) -> str:
        """What the words of a sentence say of its time: `past`, `future` or nothing."""
        if self._future.search(text, start, end):
            return "future"
        return "past" if self._past.search(text, start, end) else ""

    def _edges(self, text: str, start: int, end: int, first: int, last: int) -> tuple[int, int, str]:
        edge = ""
        before = self._before.search(text, max(start, first - _EDGE_LONGEST), first)
        if before is not None:
            first, edge = before.start(), _kind(before)
        behind = self._behind.match(text, last, min(end, last + _EDGE_LONGEST))
        if behind is not None:
            last += len(behind[0].rstrip())
            edge = _kind(behind) if edge in ("", "at") else edge
        return first, last, edge

    def _keys(self, words: Mapping[str, Any]) -> Keys:
        return frozenset(word.split(" ")[0] for word in words)

    def _slots(self) -> dict[str, str]:
        raw = self._raw
        powers = "".join(self._powers)
        single = "".join(word for word in self._numbers if len(word) == 1) + powers
        words = "|".join(sorted(map(re.escape, self._numbers), key=len, reverse=True))
        number = r"\d{1,3}(?:,\d{3})++(?![,\d])|\d{1,9}+" + (f"[{powers}]?" if powers else "")
        if not self._spaced:
            number += f"|[{single}]{{1,12}}+"
        else:
            number += f"|{words}"
        years = r"\d{4}(?!\d|,\d)" + ("" if self._spaced else f"|[{single}]{{4}}")
        small = r"\d{1,2}" + (f"|[{single}]{{1,3}}" if not self._spaced else "")
        ordinal = "|".join(map(re.escape, raw.get("ordinals", ())))
        return {
            "n": f"(?:{number})",
            "big": r"\d{5,9}+",
            "year": f"(?:{years})",
            "day": f"(?:{small})(?:{ordinal})?",
            "unit": _longest_first(self._units),
            "weekday": _longest_first(self._places["weekdays"]),
            "month": _longest_first(self._places["months"]),
        }

    def _slot(self, name: str, text: str) -> int | str | None:
        if name == "unit":
            return self._units.get(text)
        if name == "weekday":
            return self._places["weekdays"].get(text)
        if name == "month":
            number = self._places["months"].get(text)
            return None if number is None else number + 1
        return self._number(text)

    def _number(self, text: str) -> int | None:
        plain = text.replace(",", "")
        if plain in self._numbers:
            return self._numbers[plain]
        for ordinal in self._raw.get("ordinals", ()):
            plain = plain.removesuffix(ordinal)
        if plain.isascii() and plain.isdigit():
            return int(plain)
        return self._counted(plain)

    def _counted(self, text: str) -> int | None:
        """A number of digits and powers (三十二, 十万, 二〇二六); None if it is no number."""
        if text and all(char in self._numbers for char in text):
            return int("".join(str(self._numbers[char]) for char in text))
        total = part = digit = 0
        for char in text:
            power = self._powers.get(char)
            if char in self._numbers:
                digit = self._numbers[char]
            elif char.isascii() and char.isdigit():
                digit = digit * 10 + int(char)
            elif power is None:
                return None
            elif power >= 10_000:
                total, part, digit = (total + part + digit or 1) * power, 0, 0
            else:
                part, digit = part + (digit or 1) * power, 0
        return total + part + digit


def _is_no_year(entry: Mapping[str, Any], slots: Mapping[str, Any]) -> bool:
    """A port or a room: alone, only what people call years is taken for one."""
    return entry["kind"] == "year" and slots["year"] not in _YEARS


def _kind(found: re.Match[str]) -> str:
    assert found.lastgroup is not None
    return found.lastgroup


def _choices(compiler: Templates, edges: Mapping[str, Any], names: Sequence[str], place: str) -> str:
    kinds = [(name, edges.get(name, {}).get(place, ())) for name in names]
    found = [f"(?P<{name}>{compiler.anywhere(words).pattern})" for name, words in kinds if words]
    return f"(?:{'|'.join(found)})" if found else "(?!)"


def _longest_first(words: Mapping[str, Any]) -> str:
    return f"(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})"


@cache
def date_words(code: str) -> DateWords:
    """The words for times of a language in `LANGUAGES`."""
    one = table(code)
    return DateWords(one.raw["date"], one.words, spaced=one.spaced)
