"""Dates and times written in digits that have one meaning, whatever the language."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from affidavit.text.times.calendar import DAY, EARLIEST, EPOCH, LATEST, MINUTE, Days, day_of, month_of

_HOUR: Final = 60 * MINUTE
_SECOND: Final = MINUTE // 60
# Neither a longer number, a version, an address nor an identifier.
_BEFORE: Final = r"(?<![\w.,:/+-])"
_AFTER: Final = r"(?![\w/:-]|[.,]\d)"
_TIME: Final = (
    r"(?:(?:t|\s|,\s)(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d{1,9})?)?"
    r"\s?(?P<zone>z|[+-]\d\d:?\d\d)?)?"
)
_ISO: Final = re.compile(
    rf"{_BEFORE}(?P<year>\d{{4}})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d){_TIME})?|/(?P<month_>\d\d?)/(?P<day_>\d\d?)){_AFTER}"
)
_OTHER: Final = re.compile(rf"{_BEFORE}(\d\d?)([/.-])(\d\d?)\2((?:1[89]|20|21)\d\d){_AFTER}")


class Written(NamedTuple):
    """A date in digits at `[start, end)`: its interval in UTC microseconds, None if it can't be told which it is."""

    start: int
    end: int
    interval: tuple[int, int] | None


def iso_dates(text: str, start: int, end: int, offset: int) -> Iterator[Written]:
    """Dates in digits within `[start, end)`; `offset` holds for those without their own."""
    for found in _ISO.finditer(text, start, end):
        year, month = int(found["year"]), int(found["month"] or found["month_"])
        day = found["day"] or found["day_"]
        days = day_of(year, month, int(day)) if day else month_of(year, month) if 1 <= month <= 12 else None
        if days is not None:
            yield Written(found.start(), found.end(), _interval(days, found, offset))
    for found in _OTHER.finditer(text, start, end):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        readings = {day_of(year, month, day) for day, month in ((first, second), (second, first))} - {None}
        if readings:
            only = readings.pop() if len(readings) == 1 else None
            yield Written(found.start(), found.end(), None if only is None else utc(only, offset))


def utc(days: Days, offset: int) -> tuple[int, int]:
    """Local days in UTC microseconds."""
    start, end = ((day - EPOCH) * DAY - offset * MINUTE for day in days)
    return start, end


def placed(interval: tuple[int, int] | None) -> tuple[int | None, int | None]:
    """Start and end; both None outside years 1 to 9999, the end None where it reaches the last of them."""
    if interval is None or not EARLIEST <= interval[0] <= LATEST:
        return None, None
    return interval[0], (interval[1] if interval[1] <= LATEST else None)


def _interval(days: Days, found: re.Match[str], offset: int) -> tuple[int, int]:
    if not found["hour"] or int(found["hour"]) > 23 or int(found["minute"]) > 59:
        return utc(days, offset)
    if found["zone"]:
        offset = 0 if found["zone"] == "z" else _minutes(found["zone"])
    begin = utc(days, offset)[0] + int(found["hour"]) * _HOUR + int(found["minute"]) * MINUTE
    if found["second"] and int(found["second"]) < 60:
        return begin + int(found["second"]) * _SECOND, begin + (int(found["second"]) + 1) * _SECOND
    return begin, begin + MINUTE


def _minutes(zone: str) -> int:
    size = int(zone[1:3]) * 60 + int(zone[-2:])
    return -size if zone[0] == "-" else size
