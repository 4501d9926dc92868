"""When something was: an interval of time that keeps how precisely it was said, and in which offset.

A `When` is half-open, `[start, end)`, in UTC microseconds since 1970 (before 1970: negative). Precision is
the width: "in 2026" is a year wide, `When.at(now)` a microsecond. Either end may be missing (open: "since
May"); with both missing only the words are known. Years 1 to 9999; what reaches that end is open.

Rules, each a property test:
1. `rfc3339` and `parse_rfc3339` are inverses on every microsecond of years 1 to 9999.
2. Reading an ISO text keeps the instant and the offset it was written in.
3. `overlaps` is symmetric, `intersect` gives the instants that both contain, `before` excludes overlap.
4. An unknown time contains, overlaps, precedes and follows nothing, and no operation on it raises.
"""

import re
from calendar import isleap, monthrange
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, Self, cast

from affidavit.core.limits import shown
from affidavit.errors import DateError

SECOND = 1_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3_600 * SECOND, 86_400 * SECOND
MAX_OFFSET = 24 * 60 - 1
"""Minutes east or west of UTC that an offset may have."""
SKEW = 5 * MINUTE
"""How far a clock may be ahead of ours."""
ZONE_SPREAD = 14 * HOUR
"""How long before UTC the earliest time zone begins its day."""

_EPOCH_UTC = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH = _EPOCH_UTC.replace(tzinfo=None)
_TICK = timedelta(microseconds=1)
EARLIEST = (datetime.min.replace(tzinfo=UTC) - _EPOCH_UTC) // _TICK
"""The first microsecond of year 1."""
LATEST = (datetime.max.replace(tzinfo=UTC) - _EPOCH_UTC) // _TICK
"""The last microsecond of year 9999."""

_FORMS = 'write "2026-03-10", "2026-03", "2026", "2026-03-10T12:45+08:00" or "2026-03-10T02:00:00Z"'
_BOUND = "give whole microseconds since 1970, or None for an open end"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
"""The form in which every time is written, in entries and results."""
_FLAGS = re.ASCII | re.IGNORECASE
_ISO_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?|(\d\d)(\d\d)|-?W(\d\d)(?:-?([1-7]))?)?", _FLAGS)
_ISO_TIME = re.compile(r"[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?", _FLAGS)
_ISO_ZONE = re.compile(r" ?(?:Z|([+-])(\d\d)(?::?(\d\d)(?::?(\d\d)(?:\.(\d{1,6}))?)?)?)", _FLAGS)
_YEAR_LAST = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](?:\d\d|\d{4})(?:[T ].*)?", re.ASCII)


class Basis(StrEnum):
    """How a time is known: given as such, worked out from words, or guessed from what surrounds them."""

    STATED = "stated"
    RESOLVED = "resolved"
    INFERRED = "inferred"


class Precision(StrEnum):
    """What a `When` is exact to; `interval` is any other width or an open end, `none` an unknown time."""

    YEAR = "year"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    HOUR = "hour"
    MINUTE = "minute"
    SECOND = "second"
    MILLISECOND = "millisecond"
    MICROSECOND = "microsecond"
    INTERVAL = "interval"
    NONE = "none"


_WIDTHS = dict(zip((7 * DAY, DAY, HOUR, MINUTE, SECOND, 1_000, 1), list(Precision)[2:9], strict=True))
_BASES = tuple(Basis)
_LENGTHS = {Precision.YEAR: 4, Precision.MONTH: 7, Precision.DAY: 10, Precision.MINUTE: 16}
"""Characters of `2026-03-10 12:45` that are shown for a precision."""


def rfc3339(us: int) -> str:
    """The instant as text, always with six fraction digits and `Z`; `ValueError` outside years 1 to 9999."""
    if type(us) is not int:
        raise ValueError(f"{us!r} is not a whole number of microseconds")
    try:
        return (_EPOCH + timedelta(0, 0, us)).isoformat("T", "microseconds") + "Z"
    except OverflowError:
        raise ValueError(f"{us} microseconds since 1970 lies outside years 1 to 9999") from None


def parse_rfc3339(text: str) -> int:
    """The inverse of `rfc3339`: takes exactly what that writes, else raises `ValueError`."""
    if RFC3339.fullmatch(text) is None:
        raise ValueError(f"{text!r} is not a time like 2026-03-10T12:45:00.000001Z")
    return (datetime.fromisoformat(text[:-1]) - _EPOCH) // _TICK


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """The half-open interval `[start, end)` in UTC microseconds since 1970.

    `text`: the words it came from. `basis`: how we know. `offset`: minutes east of UTC as it was written,
    None if none was. Raises `DateError` if the interval is empty, reversed or outside years 1 to 9999.
    """

    start: int | None
    end: int | None
    text: str | None = None
    basis: Basis = Basis.STATED
    offset: int | None = None

    def __post_init__(self) -> None:
        start, end = self.start, self.end  # no loop: there is one of these in everything that is found
        if start is not None and not (type(start) is int and EARLIEST <= start <= LATEST):
            raise DateError(f"start {shown(start)} is not a time of years 1 to 9999", hint=_BOUND)
        if end is not None and not (type(end) is int and EARLIEST <= end <= LATEST):
            raise DateError(f"end {shown(end)} is not a time of years 1 to 9999", hint=_BOUND)
        if start is not None and end is not None and start >= end:
            raise DateError("the interval ends before it has begun", hint="start must lie before end")
        if not (self.text is None or isinstance(self.text, str)) or not isinstance(self.basis, Basis):
            raise DateError("a time has words or a basis of the wrong type", hint="give text and a `Basis`")
        offset = self.offset
        if offset is not None and not (type(offset) is int and abs(offset) <= MAX_OFFSET):
            raise DateError(f"offset {shown(offset)} is not possible", hint="give -1439 to 1439 minutes")

    @classmethod
    def at(cls, us: int, basis: Basis = Basis.STATED, *, offset: int | None = None) -> Self:
        """The instant `us`, one microsecond wide."""
        return cls._span(us, 1, offset, basis)

    @classmethod
    def unknown(cls, text: str | None = None) -> Self:
        """A time that can't be placed; it keeps its words."""
        return cls(start=None, end=None, text=text)

    @classmethod
    def parse(cls, value: object) -> Self:
        """A date or time given by a caller; its width is the precision it is written in.

        Takes a day, month, year or ISO week; an ISO 8601 / RFC 3339 time to the hour or finer, with or
        without an offset; `datetime`, `date` and `When` objects. Without an offset (and for naive datetimes)
        UTC is meant and `offset` stays None, as for `-00:00`. Digits finer than a microsecond fall inside it.
        Numbers are refused: they may be seconds or milliseconds (see `parse_epoch`). Raises `DateError`.

        >>> When.parse("2025-07-25T12:45+08:00").local_text()
        '2025-07-25 12:45 +08:00'
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, date) and not isinstance(value, datetime):
            return cls._span(_midnight(value), DAY, None)
        if not isinstance(value, str | datetime):
            raise DateError(f"{shown(value)} is {type(value).__name__}, not a date", hint=_FORMS)
        try:
            read = _read_datetime(value) if isinstance(value, datetime) else _read_iso(value.strip())
        except ValueError as error:
            raise DateError(f"{shown(value)} can't be taken as a date: {error}", hint=_FORMS) from None
        return cls._span(*read)

    @classmethod
    def parse_epoch(cls, seconds: float) -> Self:
        """Seconds since 1970, as other programs write them: an int is a second wide, a float a tick."""
        if type(seconds) not in (int, float):
            raise DateError(f"{shown(seconds)} is not a number of seconds", hint="give seconds since 1970")
        if not EARLIEST / SECOND <= seconds <= LATEST / SECOND:
            hint = "if these are milliseconds, divide by 1000"
            raise DateError(f"{shown(seconds)} seconds since 1970 lies outside years 1 to 9999", hint=hint)
        whole = isinstance(seconds, int)
        return cls._span(round(seconds * SECOND), SECOND if whole else 1, 0)

    @classmethod
    def _span(cls, start: int, width: int, offset: int | None, basis: Basis = Basis.STATED) -> Self:
        end = start + width
        return cls(start=start, end=end if end <= LATEST else None, offset=offset, basis=basis)

    @property
    def width(self) -> int | None:
        """Microseconds from start to end; None if an end is open or nothing is known."""
        return None if self.start is None or self.end is None else self.end - self.start

    @property
    def is_known(self) -> bool:
        """Whether at least one end is placed in time."""
        return self.start is not None or self.end is not None

    @property
    def precision(self) -> Precision:
        """The calendar unit that the interval is, seen in its own offset."""
        if not self.is_known:
            return Precision.NONE
        if self.start is None or self.end is None:
            return Precision.INTERVAL
        width, shift = self.end - self.start, (self.offset or 0) * MINUTE
        first = self.start + shift
        if width in _WIDTHS:
            # 1970 began on a Thursday; weeks begin on Mondays.
            aligned = first % width == (4 * DAY if width == 7 * DAY else 0)
            return _WIDTHS[width] if aligned else Precision.INTERVAL
        if first % DAY == 0 and width % DAY == 0 and EARLIEST <= first <= LATEST:
            begin = _EPOCH + timedelta(microseconds=first)
            if begin.day == 1 and width == _days(begin.year, begin.month) * DAY:
                return Precision.MONTH
            if begin.day == begin.month == 1 and width == _days(begin.year, None) * DAY:
                return Precision.YEAR
        return Precision.INTERVAL

    def contains(self, us: int) -> bool:
        """Whether the instant lies inside."""
        begun = self.start is None or self.start <= us
        return self.is_known and begun and (self.end is None or us < self.end)

    def before(self, other: "When") -> bool:
        """Whether all of this lies before all of `other`."""
        return self.end is not None and other.start is not None and self.end <= other.start

    def after(self, other: "When") -> bool:
        """Whether all of this lies after all of `other`."""
        return other.before(self)

    def overlaps(self, other: "When") -> bool:
        """Whether some instant lies in both."""
        return self.is_known and other.is_known and not self.before(other) and not self.after(other)

    def intersect(self, other: "When") -> "When | None":
        """The instants that lie in both, None if there are none; known no better than the weaker one."""
        if not self.overlaps(other):
            return None
        start = max((w.start for w in (self, other) if w.start is not None), default=None)
        end = min((w.end for w in (self, other) if w.end is not None), default=None)
        unchanged = (start, end) == (self.start, self.end)
        return When(
            start=start,
            end=end,
            text=self.text if unchanged else None,
            basis=max(self.basis, other.basis, key=_BASES.index),
            offset=self.offset if unchanged or self.offset == other.offset else None,
        )

    def shift(self, us: int) -> "When":
        """The same interval `us` microseconds later, earlier if negative; its words no longer fit and go."""
        if not self.is_known:
            return self
        start = None if self.start is None else self.start + us
        end = None if self.end is None else self.end + us
        return replace(self, start=start, end=end, text=None)

    def to_dict(self) -> dict[str, str | int | None]:
        """JSON-ready, with RFC 3339 times; `from_dict` is its inverse."""
        start, end = (None if bound is None else rfc3339(bound) for bound in (self.start, self.end))
        basis = self.basis.value
        return {"start": start, "end": end, "text": self.text, "basis": basis, "offset": self.offset}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """A `When` from what `to_dict` made; `DateError` for anything else."""
        strange = sorted(set(data) - {"start", "end", "text", "basis", "offset"})
        if strange:
            raise DateError(f"a time has no field {strange[0]!r}", hint="use start, end, text, basis, offset")
        fields = cast(Mapping[str, Any], data)
        bounds = (fields.get("start"), fields.get("end"))
        try:
            start, end = (None if bound is None else parse_rfc3339(str(bound)) for bound in bounds)
            basis = Basis(fields.get("basis", Basis.STATED))
        except ValueError as error:
            raise DateError(str(error), hint="give times as `When.to_dict` writes them") from None
        return cls(start=start, end=end, text=fields.get("text"), basis=basis, offset=fields.get("offset"))

    def local_text(self) -> str:
        """For people, in its own offset: "2026-03", "2026-03-10 12:45 +08:00"; else the words."""
        if self.start is None and self.end is None:
            return self.text or "at an unknown time"
        shift = (self.offset or 0) * MINUTE
        minutes = abs(self.offset or 0)
        sign = "-" if shift < 0 else "+"
        zone = "" if self.offset is None else f" {sign}{minutes // 60:02d}:{minutes % 60:02d}"
        first, last = (None if us is None else us + shift for us in (self.start, self.end))
        if first is None or last is None:
            bound = last if first is None else first
            assert bound is not None
            return f"{'before' if first is None else 'since'} {_moment(bound)}{zone if bound % DAY else ''}"
        precision = self.precision
        length = _LENGTHS.get(precision)
        if length:
            return _stamp(first)[:length] + (zone if length > 10 else "")
        if precision in (Precision.SECOND, Precision.MILLISECOND, Precision.MICROSECOND):
            return _moment(first, 19) + zone
        if first % DAY == 0 and last % DAY == 0:
            return f"{_moment(first)} to {_moment(last - DAY)}"
        return f"{_moment(first, 16)} to {_moment(last, 16)}{zone}"


def check_not_future(when: When, now: int, skew: int = SKEW) -> None:
    """Refuse an `occurred_at` that lies in the future.

    It may begin up to `skew` microseconds after `now`. One that is written without an offset and is coarser
    than an hour may begin up to 14 hours after: a date is already tomorrow in Auckland. Raises `DateError`.
    """
    coarse = when.offset is None and when.width is not None and when.width > HOUR
    if when.start is not None and when.start > now + (max(skew, ZONE_SPREAD) if coarse else skew):
        hint = "give when it happened" + (", with the offset of a local time" if when.offset is None else "")
        raise DateError(f"{when.local_text()} lies in the future; it is {_stamp(now)[:16]} UTC", hint=hint)


def _days(year: int, month: int | None) -> int:
    """Days of the month, or of the year if no month is given."""
    return 365 + isleap(year) if month is None else monthrange(year, month)[1]


def _midnight(day: date) -> int:
    return (day.toordinal() - _EPOCH.toordinal()) * DAY


def _read_datetime(value: datetime) -> tuple[int, int, int | None]:
    delta = value.utcoffset()
    if delta is None:
        return (value.replace(tzinfo=None) - _EPOCH) // _TICK, 1, None
    start = (value - _EPOCH_UTC) // _TICK
    if not EARLIEST <= start <= LATEST:
        raise ValueError("in UTC it lies outside years 1 to 9999")
    # Zones of long ago have offsets with seconds: the instant is exact, the offset shown to the minute.
    return start, 1, int(delta / timedelta(minutes=1))


def _read_iso(text: str) -> tuple[int, int, int | None]:
    """Start, width and offset of an ISO 8601 text; `ValueError` says what is wrong with it."""
    match = _ISO_DATE.match(text)
    if match is None or (text.isdigit() and len(text) > 8):
        raise ValueError(_why_not(text))
    start, width = _read_date(match)
    at = match.end()
    clock = _ISO_TIME.match(text, at) if width == DAY else None
    if clock is not None:
        time, width = _read_time(clock)
        start, at = start + time, clock.end()
    zone = _ISO_ZONE.fullmatch(text, at)
    if zone is None and at < len(text):
        raise ValueError(_why_not(text))
    shift, offset = (0, None) if zone is None else _read_zone(zone)
    if not EARLIEST <= start - shift <= LATEST:
        raise ValueError("in UTC it lies outside years 1 to 9999")
    return start - shift, width, offset


def _why_not(text: str) -> str:
    if found := _YEAR_LAST.fullmatch(text):
        both = found[1] != found[2] and all(1 <= int(part) <= 12 for part in found.groups())
        return (
            "it may mean two different days" if both else "dates are written year-month-day, in 4-2-2 digits"
        )
    if text.isdigit():
        return "it is a number, which may be seconds or milliseconds"
    return "it is not written in a form that has one meaning" if text else "it is empty"


def _read_date(match: re.Match[str]) -> tuple[int, int]:
    year, month, day, compact_month, compact_day, week, weekday = match.groups()
    if week:
        first = date.fromisocalendar(int(year), int(week), int(weekday or 1))
        return _midnight(first), DAY if weekday else 7 * DAY
    first = date(int(year), int(month or compact_month or 1), int(day or compact_day or 1))
    days = 1 if day or compact_day else _days(first.year, first.month if month else None)
    return _midnight(first), days * DAY


def _read_time(match: re.Match[str]) -> tuple[int, int]:
    """The time of day in microseconds, and the width of the finest part that was written."""
    hour, minute, second, fraction = match.groups()
    if int(hour) > 23 or int(minute or 0) > 59 or int(second or 0) > 59:
        raise ValueError("the time of day goes from 00:00:00 to 23:59:59")
    time = int(hour) * HOUR + int(minute or 0) * MINUTE + int(second or 0) * SECOND
    if fraction:
        return time + int(fraction.ljust(6, "0")[:6]), 1_000 if len(fraction) <= 3 else 1
    return time, SECOND if second else MINUTE if minute else HOUR


def _read_zone(match: re.Match[str]) -> tuple[int, int | None]:
    """The offset in microseconds, and in whole minutes as shown; `-00:00` says that it is not known."""
    sign, hours, minutes, seconds, fraction = match.groups()
    if sign is None:
        return 0, 0
    if int(hours) > 23 or int(minutes or 0) > 59 or int(seconds or 0) > 59:
        raise ValueError("an offset goes from -23:59 to +23:59")
    shown = int(hours) * 60 + int(minutes or 0)
    size = shown * MINUTE + int(seconds or 0) * SECOND + int((fraction or "").ljust(6, "0"))
    if sign == "+":
        return size, shown
    return -size, -shown if size else None


def _stamp(us: int) -> str:
    # A local time may fall just outside the calendar: then its edge is shown.
    return rfc3339(min(max(us, EARLIEST), LATEST)).replace("T", " ")[:-1]


def _moment(us: int, least: int = 10) -> str:
    """A moment for people: as short as it is exact, but not under `least` characters."""
    exact = 10 if us % DAY == 0 else 16 if us % MINUTE == 0 else 19 if us % SECOND == 0 else 26
    return _stamp(us)[: max(exact, least)]
