"""Times in words: what "last week" or 去年三月 means for somebody who says it at a known moment.

Precision is the width of the interval. A number that is no date is none; words that name a time which can't be
placed are kept without one. Language enters through the `[date]` part of the tables.

Rules, each a property test:
1. Nothing raises, whatever the text, anchor and offset; `start < end` where both are known.
2. An anchor a whole number of weeks later moves relative days and weeks by as much.
3. A date that is stated in full does not depend on the anchor.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, Final, NamedTuple

from affidavit.text.lang.tables import LANGUAGES, can_be
from affidavit.text.times.calendar import (
    DAY,
    EPOCH,
    MINUTE,
    Days,
    day_of,
    days,
    month_of,
    shifted,
    today,
    weekday,
    year_of,
)
from affidavit.text.times.date_words import Told, date_words
from affidavit.text.times.iso import iso_dates, placed, utc
from affidavit.text.view import View, view

_READ: Final = 20_000  # characters that are looked at
_MOST: Final = 1_000  # dates of one text
_AROUND: Final = 200  # characters around a date that may show its tense
_LEANS: Final = {"past": -1, "future": 1}
_YEARS: Final = 8  # years between two 29 Februaries, at most


class Dated(NamedTuple):
    """A time that words name: `[start, end)` in UTC microseconds.

    One end is None where the time is open ("since March"), both where it can't be placed. `text` stands at
    `at` in the text. `resolved` says that it was worked out from words and the moment they were said at.
    """

    start: int | None
    end: int | None
    text: str
    at: tuple[int, int]
    resolved: bool


class Found(NamedTuple):
    """A date and where it stands in the view, `core` without a word like "on" before it.

    `edge`: what the words round it make of it: `since`, `until`, `by`, `before`, `after`, `at` or nothing.
    """

    start: int
    end: int
    core: int
    dated: Dated
    edge: str


def dates_in(
    text: str, *, anchor: int, offset: int | None, languages: Sequence[str] | None = None
) -> list[Dated]:
    """The times that a text names, in order; at most a thousand, in its first 20,000 characters.

    `anchor`: when it was said, UTC microseconds. `offset`: minutes east of UTC of the speaker's local time, None
    for UTC. `languages`: codes of tables, None for all. Never raises.

    >>> from datetime import UTC, datetime
    >>> said = int(datetime(2026, 5, 6, tzinfo=UTC).timestamp()) * 1_000_000
    >>> found = dates_in("I moved to Madrid last week", anchor=said, offset=None)[0]
    >>> found.text, (found.end - found.start) // 86_400_000_000
    ('last week', 7)
    """
    seen = view(text[:_READ])
    codes = LANGUAGES if languages is None else [code for code in languages if code in LANGUAGES]
    found = find(seen, 0, len(seen.text), anchor=anchor, offset=offset or 0, languages=codes)
    return [one.dated for one in found]


def find(
    seen: View, start: int, end: int, *, anchor: int, offset: int, languages: Iterable[str], tense: str = ""
) -> list[Found]:
    """The dates in `[start, end)` of a view; `tense` (past, future) decides what "on Friday" is."""
    text, day = seen.text, today(anchor, offset)
    told = [_Candidate(a, b, a, when, "", False) for a, b, when in iso_dates(text, start, end, offset)]
    for code in languages:
        if not can_be(code, text):
            continue
        words = date_words(code)
        for one in islice(words.told(text, start, end), _MOST):
            leaning = tense or words.tense(text, max(start, one.start - _AROUND), min(end, one.end + _AROUND))
            if one.means.get("only", leaning) != leaning and leaning:
                continue
            stated = _is_stated(one)
            # Said at a moment outside the calendar: only what is stated in full has a meaning.
            found = _resolve(one, day or 1, leaning) if day or stated else None
            interval = None if found is None else _at_clock(utc(found, offset), one)
            told.append(_Candidate(one.start, one.end, one.core, interval, one.edge, not stated))
    return [_found(seen, one) for one in _apart(told)]


class _Candidate(NamedTuple):
    start: int
    end: int
    core: int
    interval: tuple[int, int] | None
    edge: str
    resolved: bool


def _apart(told: list[_Candidate]) -> list[_Candidate]:
    """In order and without overlaps: of two that overlap the longer one."""
    kept: list[_Candidate] = []
    for one in sorted(told, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end - one.start > kept[-1].end - kept[-1].start:
            kept[-1] = one
    return kept[:_MOST]


def _found(seen: View, one: _Candidate) -> Found:
    start, end = placed(one.interval)
    if one.edge in ("since", "from"):
        end = None
    elif one.edge in ("until", "by"):
        start = None
    elif one.edge == "before":
        start, end = None, start
    elif one.edge == "after":
        start, end = end, None
    first, last = seen.back(one.start, one.end)
    dated = Dated(start, end, seen.source[first:last], (first, last), one.resolved)
    return Found(one.start, one.end, one.core, dated, "since" if one.edge == "from" else one.edge)


def _at_clock(interval: tuple[int, int], one: Told) -> tuple[int, int]:
    """A day narrowed to the hour or minute that is said with it."""
    if one.clock is None or interval[1] - interval[0] != DAY:
        return interval
    hour, minute = one.clock
    start = interval[0] + (hour * 60 + (minute or 0)) * MINUTE
    return start, start + (60 if minute is None else 1) * MINUTE


def _is_stated(one: Told) -> bool:
    """Whether the words say the date in full."""
    return "year" in one.slots and one.kind in ("date", "month", "year")


def _resolve(one: Told, day: int, tense: str) -> Days | None:
    """The days that are meant when it is said on `day`."""
    means, slots = one.means, one.slots
    if one.kind == "unit":
        count = slots.get("n", 1)
        unit = slots.get("unit") or means["unit"]
        return shifted(str(unit), day, int(count) * int(means["by"]))
    if one.kind == "weekday":
        return _weekday(int(slots["weekday"]), day, means, tense)
    if one.kind == "year":
        return year_of(int(slots["year"]))
    if one.kind in ("month", "date"):
        return _date(one, day, tense)
    return None


def _weekday(wanted: int, day: int, means: Mapping[str, Any], tense: str) -> Days | None:
    ahead = (wanted - weekday(day)) % 7
    if "by" in means:
        return days(day - weekday(day) + wanted + 7 * int(means["by"]))
    near = means["near"] if "near" in means else _LEANS.get(tense)
    if near is None:
        return None
    if near == 0:
        return days(day + ahead)
    return days(day + (ahead or 7)) if near > 0 else days(day + ahead - 7)


def _date(one: Told, day: int, tense: str) -> Days | None:
    """A month, or a day of a month, in a year that is said, relative, or the one that fits best."""
    at, means = date.fromordinal(day), one.means
    monthday = int(one.slots["day"]) if "day" in one.slots else None
    month = one.slots.get("month")
    if month is None:
        whole = month_of(at.year, at.month + int(means["month_by"]))
        return None if whole is None or monthday is None else _in_month(whole, monthday)
    if "year" in one.slots or "year_by" in means:
        year = int(one.slots["year"]) if "year" in one.slots else at.year + int(means["year_by"])
        return _day_or_month(year, int(month), monthday)
    near = means["near"] if "near" in means else _LEANS.get(tense)
    if near is None:
        # "Since May" is over, "from May" may be to come.
        near = {"since": -1, "from": 1, "until": 1, "by": 1}.get(one.edge)
    years = range(at.year - _YEARS, at.year + _YEARS + 1)
    fitting = [found for year in years if (found := _day_or_month(year, int(month), monthday))]
    if "near" in means:
        # "Last March", said in March, is not the one that runs.
        fitting = [found for found in fitting if not found[0] <= day < found[1]]
    if near is None:
        return min(fitting, key=lambda found: abs(found[0] + found[1] - 1 - 2 * day), default=None)
    if near > 0:
        return next((found for found in fitting if found[1] > day), None)
    return next((found for found in reversed(fitting) if found[0] <= day), None)


def _day_or_month(year: int, month: int, monthday: int | None) -> Days | None:
    return month_of(year, month) if monthday is None else day_of(year, month, monthday)


def _in_month(whole: Days, monthday: int) -> Days | None:
    return days(whole[0] + monthday - 1) if 1 <= monthday <= whole[1] - whole[0] else None


def written(one: Dated, offset: int) -> str:
    """A time for people in the speaker's local time ("2026-05-05", "2026-05"); its words if it is open or unknown."""
    if one.start is None or one.end is None:
        return one.text
    first, last = ((us + offset * MINUTE) for us in (one.start, one.end))
    if first % DAY or last % DAY:
        clock = first % DAY // MINUTE
        return f"{_iso(first // DAY)} {clock // 60:02d}:{clock % 60:02d}"
    begin, end = first // DAY, last // DAY
    at = date.fromordinal(begin + EPOCH)
    whole = (begin + EPOCH, end + EPOCH)
    if whole == year_of(at.year):
        return f"{at.year:04d}"
    if whole == month_of(at.year, at.month):
        return f"{at.year:04d}-{at.month:02d}"
    return _iso(begin) if end == begin + 1 else f"{_iso(begin)} to {_iso(end - 1)}"


def _iso(day: int) -> str:
    return date.fromordinal(day + EPOCH).isoformat()
