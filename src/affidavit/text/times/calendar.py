"""Arithmetic on days, weeks, months and years: half-open intervals of local days, years 1 to 9999.

A day is its number in the proleptic Gregorian calendar (`date.toordinal`). What falls outside is None.
"""

from datetime import date
from typing import Final

DAY: Final = 86_400_000_000
MINUTE: Final = 60_000_000
EPOCH: Final = date(1970, 1, 1).toordinal()
LAST: Final = date.max.toordinal()
EARLIEST: Final = (1 - EPOCH) * DAY
LATEST: Final = (LAST + 1 - EPOCH) * DAY - 1

Days = tuple[int, int]
"""Days `[first, end)`."""


def today(anchor: int, offset: int) -> int | None:
    """The local day of an instant."""
    day = (anchor + offset * MINUTE) // DAY + EPOCH
    return day if 1 <= day <= LAST else None


def days(first: int, count: int = 1) -> Days | None:
    """Days from `first` on."""
    return (first, first + count) if first >= 1 and first + count - 1 <= LAST else None


def day_of(year: int, month: int, day: int) -> Days | None:
    """One day by its date; None if there is no such day."""
    try:
        return days(date(year, month, day).toordinal())
    except (ValueError, OverflowError):
        return None


def month_of(year: int, month: int) -> Days | None:
    """A month; one below 1 or above 12 counts into the years around."""
    years, month = divmod(year * 12 + month - 1, 12)
    if not 1 <= years <= 9999:
        return None
    first = date(years, month + 1, 1).toordinal()
    end = (
        LAST + 1
        if (years, month) == (9999, 11)
        else date(years + (month == 11), (month + 1) % 12 + 1, 1).toordinal()
    )
    return first, end


def year_of(year: int) -> Days | None:
    """A year."""
    first, last = month_of(year, 1), month_of(year, 12)
    return (first[0], last[1]) if first and last else None


def weekday(day: int) -> int:
    """0 for Monday."""
    return (day - 1) % 7


def shifted(unit: str, day: int, by: int) -> Days | None:
    """The day, week, weekend, month or year that lies `by` of them after the one of `day`."""
    if abs(by) > LAST or not 1 <= day <= LAST:
        return None
    if unit == "day":
        return days(day + by)
    if unit in ("week", "weekend"):
        monday = day - weekday(day) + 7 * by
        return days(monday, 7) if unit == "week" else days(monday + 5, 2)
    at = date.fromordinal(day)
    return month_of(at.year, at.month + by) if unit == "month" else year_of(at.year + by)
