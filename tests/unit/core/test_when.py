import timeit
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from affidavit.core import when as module
from affidavit.core.when import (
    DAY,
    EARLIEST,
    HOUR,
    LATEST,
    MINUTE,
    SECOND,
    Basis,
    Precision,
    When,
    check_not_future,
    parse_rfc3339,
    rfc3339,
)
from affidavit.errors import DateError

NOON = parse_rfc3339("2026-03-10T12:00:00.000000Z")


@pytest.mark.parametrize(
    "text,start,width,precision,offset,shown",
    [
        ("2026", "2026-01-01T00:00:00", 365 * DAY, "year", None, "2026"),
        ("2024", "2024-01-01T00:00:00", 366 * DAY, "year", None, "2024"),
        ("0001", "0001-01-01T00:00:00", 365 * DAY, "year", None, "0001"),
        ("2024-02", "2024-02-01T00:00:00", 29 * DAY, "month", None, "2024-02"),
        ("2026-W11", "2026-03-09T00:00:00", 7 * DAY, "week", None, "2026-03-09 to 2026-03-15"),
        ("2026-03-10", "2026-03-10T00:00:00", DAY, "day", None, "2026-03-10"),
        ("20260310", "2026-03-10T00:00:00", DAY, "day", None, "2026-03-10"),
        ("2026-W11-2", "2026-03-10T00:00:00", DAY, "day", None, "2026-03-10"),
        ("2026W112", "2026-03-10T00:00:00", DAY, "day", None, "2026-03-10"),
        ("2026-03-10+08:00", "2026-03-09T16:00:00", DAY, "day", 480, "2026-03-10"),
        ("2026-03-10T12", "2026-03-10T12:00:00", HOUR, "hour", None, "2026-03-10 12:00 to 2026-03-10 13:00"),
        ("2025-07-25T02:00Z", "2025-07-25T02:00:00", MINUTE, "minute", 0, "2025-07-25 02:00 +00:00"),
        ("2025-07-25T12:45+08:00", "2025-07-25T04:45:00", MINUTE, "minute", 480, "2025-07-25 12:45 +08:00"),
        ("2025-07-25 12:45 +08:00", "2025-07-25T04:45:00", MINUTE, "minute", 480, "2025-07-25 12:45 +08:00"),
        ("20250725T124501+0530", "2025-07-25T07:15:01", SECOND, "second", 330, "2025-07-25 12:45:01 +05:30"),
        ("2025-07-25t02:00:00z", "2025-07-25T02:00:00", SECOND, "second", 0, "2025-07-25 02:00:00 +00:00"),
        ("2025-07-25T02:00:00-00:00", "2025-07-25T02:00:00", SECOND, "second", None, "2025-07-25 02:00:00"),
        (
            "2025-07-25T02:00:00-03",
            "2025-07-25T05:00:00",
            SECOND,
            "second",
            -180,
            "2025-07-25 02:00:00 -03:00",
        ),
        ("2025-07-25T02:00:00.25", "2025-07-25T02:00:00.250000", 1000, "millisecond", None, None),
        ("2025-07-25T02:00:00,000250", "2025-07-25T02:00:00.000250", 1, "microsecond", None, None),
        ("2025-07-25T02:00:00.123456789Z", "2025-07-25T02:00:00.123456", 1, "microsecond", 0, None),
        ("  2026-03-10\n", "2026-03-10T00:00:00", DAY, "day", None, "2026-03-10"),
    ],
)
def test_a_date_is_as_wide_as_it_is_written(text, start, width, precision, offset, shown):
    when = When.parse(text)
    assert when.start == parse_rfc3339(f"{start if '.' in start else start + '.000000'}Z")
    assert (when.width, when.precision, when.offset, when.basis) == (width, precision, offset, Basis.STATED)
    assert when.text is None
    if shown is not None:
        assert when.local_text() == shown


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "   ",
            "yesterday",
            "10/03/2026",
            "10.03.2026",
            "10-03-26",
            "2026/03/10",
            "March 2026",
            "in 2026",
        ),
        *("0000", "0000-01-01", "10000-01-01", "12000", "-500", "500 BC", "100,000 years ago", "十万年前"),
        *("2026-13", "2026-02-30", "2025-02-29", "2026-W54", "2026-W11-8", "2026-3-1", "202603", "2026-0310"),
        *("2026-03-10T24:00", "2026-03-10T12:60", "2026-03-10T23:59:60Z", "2026-03-10T12:45+24:00"),
        *("2026-03-10T12:45+08:99", "2026-03-10T", "2026-03-10Tnoon", "2026-03T12:00", "2026-W11T12:00"),
        *(
            "1772000000",
            "20260310124500",
            "２０２６-03-10",
            "2026-03-10\x00",
            "2026-03-10T12:45 Europe/Berlin",
        ),
        *("0001-01-01T00:00+01:00", "9999-12-31T23:59-01:00", "2026-03-10T12:45:00.1234567891", "\ud800"),
    ],
)
def test_other_texts_are_refused_and_the_forms_are_named(text):
    with pytest.raises(DateError) as caught:
        When.parse(text)
    assert repr(text)[:57] in caught.value.what
    assert '"2026-03-10"' in caught.value.hint
    str(caught.value).encode("utf-8")


@pytest.mark.parametrize("value", [1772000000, 1772000000.5, True, None, [], {}, b"2026-03-10", object])
def test_what_is_no_date_is_refused(value):
    with pytest.raises(DateError, match="not a date"):
        When.parse(value)


def test_a_refusal_says_why():
    with pytest.raises(DateError, match="two different days"):
        When.parse("10/03/2026")
    with pytest.raises(DateError, match="seconds or milliseconds"):
        When.parse("1772000000")
    with pytest.raises(DateError, match="month must be"):
        When.parse("2026-13-01")


def test_datetimes_and_dates_are_taken():
    berlin = datetime(2026, 7, 1, 9, 30, tzinfo=timezone(timedelta(hours=2)))
    assert When.parse(berlin) == When.at(parse_rfc3339("2026-07-01T07:30:00.000000Z"), offset=120)
    assert When.parse(datetime(2026, 3, 10, 12)) == When.at(NOON)  # noqa: DTZ001 - naive on purpose
    assert When.parse(datetime(2026, 3, 10, 12, tzinfo=UTC)) == When.at(NOON, offset=0)
    assert When.parse(date(2026, 3, 10)) == When.parse("2026-03-10")
    assert When.parse(date(9999, 12, 31)).end is None
    when = When.parse("2026")
    assert When.parse(when) is when


def test_an_offset_with_seconds_keeps_the_instant_and_is_shown_to_the_minute():
    old = datetime(1930, 6, 1, 12, tzinfo=ZoneInfo("Europe/Amsterdam"))
    when = When.parse(old)
    assert when.start == (old - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert When.parse(old.isoformat()).start == when.start
    assert When.parse(old.isoformat()).offset == when.offset == 79


def test_datetimes_outside_the_calendar_in_utc_are_refused():
    for edge in (
        datetime.min.replace(tzinfo=timezone(timedelta(hours=1))),
        datetime.max.replace(tzinfo=timezone(-timedelta(hours=1))),
    ):
        with pytest.raises(DateError, match="outside years 1 to 9999"):
            When.parse(edge)


def test_seconds_since_1970_of_other_programs():
    assert When.parse_epoch(1772000000) == When(start=1772000000 * SECOND, end=1772000001 * SECOND, offset=0)
    assert When.parse_epoch(1772000000.25) == When.at(1772000000_250000, offset=0)
    assert When.parse_epoch(-1).start == -SECOND
    with pytest.raises(DateError, match="divide by 1000"):
        When.parse_epoch(1772000000000)


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), -float("inf"), 1e308, 10**400, True, "1772000000", None]
)
def test_seconds_that_are_none_are_refused(value):
    with pytest.raises(DateError):
        When.parse_epoch(value)


@pytest.mark.parametrize(
    "fields",
    [
        {"start": 5, "end": 5},
        {"start": 6, "end": 5},
        {"start": EARLIEST - 1, "end": 0},
        {"start": 0, "end": LATEST + 1},
        {"start": 0.0, "end": 1},
        {"start": True, "end": 2},
        {"start": "0", "end": 2},
        {"start": 0, "end": 1, "offset": 1440},
        {"start": 0, "end": 1, "offset": 1.5},
        {"start": 0, "end": 1, "basis": "stated"},
        {"start": 0, "end": 1, "text": 7},
    ],
)
def test_impossible_times_can_not_be_made(fields):
    with pytest.raises(DateError):
        When(**fields)


def test_what_reaches_the_end_of_the_calendar_is_open():
    for text in ("9999", "9999-12", "9999-12-31"):
        when = When.parse(text)
        assert when.end is None
        assert when.contains(LATEST)
        assert When.from_dict(when.to_dict()) == when
    assert When.at(LATEST).contains(LATEST)


def test_an_open_end_is_shown_as_since_or_before():
    since, until = When(start=NOON, end=None), When(start=None, end=NOON)
    assert (since.width, since.precision, since.local_text()) == (None, "interval", "since 2026-03-10 12:00")
    assert until.local_text() == "before 2026-03-10 12:00"
    assert When(start=NOON - 12 * HOUR, end=None, offset=0).local_text() == "since 2026-03-10"
    assert until.before(since)
    assert since.after(until)
    assert not since.overlaps(until)
    assert since.contains(LATEST)
    assert until.contains(EARLIEST)
    assert not until.contains(NOON)


def test_the_intersection_keeps_what_still_fits():
    year = When.parse("2026")
    day = When(start=NOON, end=NOON + DAY, text="that day", basis=Basis.INFERRED, offset=60)
    assert day.intersect(year) == day
    both = year.intersect(day)
    assert both is not None
    assert (both.start, both.end, both.text, both.basis, both.offset) == (
        NOON,
        NOON + DAY,
        None,
        Basis.INFERRED,
        None,
    )
    assert year.intersect(When.parse("2027")) is None


def test_shifting_moves_both_ends_and_drops_the_words():
    day = When(start=NOON, end=NOON + DAY, text="that day")
    assert day.shift(-DAY) == When(start=NOON - DAY, end=NOON)
    with pytest.raises(DateError, match="years 1 to 9999"):
        day.shift(LATEST)


def test_precision_is_seen_in_its_own_offset():
    local_day = When.parse("2026-03-10+08:00")
    assert local_day.precision is Precision.DAY
    assert When(start=local_day.start, end=local_day.end).precision is Precision.INTERVAL
    assert When(start=NOON, end=NOON + DAY).precision is Precision.INTERVAL
    assert When(start=NOON, end=NOON + 3 * DAY).local_text() == "2026-03-10 12:00 to 2026-03-13 12:00"
    assert When.unknown().precision is Precision.NONE


def test_dictionaries_are_checked():
    good = When.parse("2025-07-25T12:45+08:00")
    assert good.to_dict() == {
        "start": "2025-07-25T04:45:00.000000Z",
        "end": "2025-07-25T04:46:00.000000Z",
        "text": None,
        "basis": "stated",
        "offset": 480,
    }
    for change in (
        {"start": 5},
        {"start": "2025-07-25"},
        {"basis": "sure"},
        {"zone": 1},
        {"offset": "480"},
        {"text": 1},
    ):
        with pytest.raises(DateError):
            When.from_dict({**good.to_dict(), **change})


@pytest.mark.parametrize("us", [EARLIEST - 1, LATEST + 1, 10**30, -(10**30), 1.0, True, "0", None])
def test_text_of_an_instant_outside_the_calendar_is_refused(us):
    with pytest.raises(ValueError, match="microseconds"):
        rfc3339(us)


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026-03-10T12:45:00Z", "2026-03-10T12:45:00.00001Z", "2026-03-10 12:45:00.000001Z"),
        *("2026-03-10T12:45:00.000001z", "2026-03-10T12:45:00.000001+00:00", "2026-03-10T12:45:00.000001Z\n"),
        *("2026-02-30T12:45:00.000001Z", "0000-03-10T12:45:00.000001Z", "2026-03-10T24:00:00.000000Z"),
        "２026-03-10T12:45:00.000001Z",
    ],
)
def test_only_the_exact_form_is_an_entry_time(text):
    with pytest.raises(ValueError, match=r".+"):
        parse_rfc3339(text)


def test_writing_a_time_is_fast():
    best = min(timeit.repeat(lambda: rfc3339(NOON + 1), number=2_000, repeat=15)) / 2_000
    assert best < 10e-6  # 1 µs on an idle machine; the slack is for busy ones


@pytest.mark.parametrize(
    "when,fits",
    [
        (When.at(NOON), True),
        (When.at(NOON + 5 * MINUTE), True),
        (When.at(NOON + 5 * MINUTE + 1), False),
        (When.parse("2026-03-10T20:00+08:00"), True),
        (When.parse("2026-03-10T20:00"), False),
        (When.parse("2026-03-11"), True),  # 12 hours ahead
        (When.parse("2026-03-12"), False),
        (When.parse("2026-03-11Z"), False),
        (When.parse("2026-03-10T13"), False),
        (When.parse("2026"), True),
        (When.parse("2026-04"), False),
        (When(start=NOON + DAY, end=None), False),
        (When(start=NOON + HOUR, end=None), False),
        (When.unknown("soon"), True),
    ],
)
def test_the_future_has_not_occurred(when, fits):
    if fits:
        check_not_future(when, NOON)
    else:
        with pytest.raises(DateError, match="lies in the future"):
            check_not_future(when, NOON)


def test_a_local_time_without_offset_is_told_to_give_it():
    with pytest.raises(DateError, match="offset of a local time"):
        check_not_future(When.parse("2026-03-10T20:00"), NOON)


def test_the_documented_example_is_true():
    import doctest

    assert doctest.testmod(module).failed == 0
