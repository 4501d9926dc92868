"""Times in words, said on Wednesday 6 May 2026 at noon UTC."""

import re
from datetime import UTC, datetime

import pytest

from affidavit.text.times.dates import dates_in

SAID = int(datetime(2026, 5, 6, 12, tzinfo=UTC).timestamp()) * 1_000_000
DAY = 86_400_000_000


def _instant(*parts: int) -> int:
    year, month, day, hour, minute = (*parts, *(1, 1, 1, 0, 0)[len(parts) :])
    return int(datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp()) * 1_000_000


def _us(text):
    return None if text in ("", "?") else _instant(*map(int, re.split("[-T:]", text)))


def _read(text, offset=0, said=SAID):
    return [(d.text, d.start, d.end, d.resolved) for d in dates_in(text, anchor=said, offset=offset)]


# words, start, end (a day where it is left out), resolved
RELATIVE = [
    ("yesterday", "2026-5-5", None),
    ("today", "2026-5-6", None),
    ("tonight", "2026-5-6", None),
    ("tomorrow", "2026-5-7", None),
    ("the day before yesterday", "2026-5-4", None),
    ("the day after tomorrow", "2026-5-8", None),
    ("last night", "2026-5-5", None),
    ("last week", "2026-4-27", "2026-5-4"),
    ("this week", "2026-5-4", "2026-5-11"),
    ("next week", "2026-5-11", "2026-5-18"),
    ("last weekend", "2026-5-2", "2026-5-4"),
    ("next weekend", "2026-5-16", "2026-5-18"),
    ("last month", "2026-4", "2026-5"),
    ("next month", "2026-6", "2026-7"),
    ("last year", "2025", "2026"),
    ("next year", "2027", "2028"),
    ("two days ago", "2026-5-4", None),
    ("3 weeks ago", "2026-4-13", "2026-4-20"),
    ("a couple of months ago", "2026-3", "2026-4"),
    ("a year ago", "2025", "2026"),
    ("in two days", "2026-5-8", None),
    ("in a week", "2026-5-11", "2026-5-18"),
    ("in 3 months", "2026-8", "2026-9"),
    ("last Friday", "2026-5-1", None),
    ("last Wednesday", "2026-4-29", None),
    ("next Friday", "2026-5-15", None),
    ("next Monday", "2026-5-11", None),
    ("this Friday", "2026-5-8", None),
    ("this Wednesday", "2026-5-6", None),
    ("Tuesday last week", "2026-4-28", None),
    ("last March", "2026-3", "2026-4"),
    ("last May", "2025-5", "2025-6"),
    ("next June", "2026-6", "2026-7"),
    ("March last year", "2025-3", "2025-4"),
    ("on 5 May", "2026-5-5", None),
    ("on May 5th", "2026-5-5", None),
    ("the 3rd of June", "2026-6-3", None),
    ("in March", "2026-3", "2026-4"),
    ("since March", "2026-3", ""),
    ("since last week", "2026-4-27", ""),
    ("since yesterday", "2026-5-5", ""),
    ("until Friday", "?", "?"),
    ("by next Friday", "", "2026-5-16"),
    ("until June", "", "2026-7"),
    ("before June", "", "2026-6"),
    ("after 10 June", "2026-6-11", ""),
    ("tomorrow at 3pm", "2026-5-7T15:0", "2026-5-7T16:0"),
    ("tomorrow at 17:30", "2026-5-7T17:30", "2026-5-7T17:31"),
    ("on 5 June at 9:15 am", "2026-6-5T9:15", "2026-6-5T9:16"),
    ("tomorrow at 5", "2026-5-7", None),
    # Spanish
    ("ayer", "2026-5-5", None),
    ("anteayer", "2026-5-4", None),
    ("hoy", "2026-5-6", None),
    ("mañana", "2026-5-7", None),
    ("pasado mañana", "2026-5-8", None),
    ("la semana pasada", "2026-4-27", "2026-5-4"),
    ("esta semana", "2026-5-4", "2026-5-11"),
    ("la semana que viene", "2026-5-11", "2026-5-18"),
    ("la próxima semana", "2026-5-11", "2026-5-18"),
    ("el mes pasado", "2026-4", "2026-5"),
    ("el mes que viene", "2026-6", "2026-7"),
    ("el año pasado", "2025", "2026"),
    ("el próximo año", "2027", "2028"),
    ("hace tres días", "2026-5-3", None),
    ("hace dos semanas", "2026-4-20", "2026-4-27"),
    ("hace un año", "2025", "2026"),
    ("dentro de dos meses", "2026-7", "2026-8"),
    ("en tres días", "2026-5-9", None),
    ("el lunes pasado", "2026-5-4", None),
    ("el próximo lunes", "2026-5-11", None),
    ("el viernes que viene", "2026-5-8", None),
    ("el 5 de mayo", "2026-5-5", None),
    ("en marzo", "2026-3", "2026-4"),
    ("desde marzo", "2026-3", ""),
    ("hasta junio", "", "2026-7"),
    ("mañana a las 5 de la tarde", "2026-5-7T17:0", "2026-5-7T18:0"),
    ("el fin de semana pasado", "2026-5-2", "2026-5-4"),
    # Chinese
    ("昨天", "2026-5-5", None),
    ("前天", "2026-5-4", None),
    ("今天", "2026-5-6", None),
    ("明天", "2026-5-7", None),
    ("后天", "2026-5-8", None),
    ("大后天", "2026-5-9", None),
    ("上周", "2026-4-27", "2026-5-4"),
    ("上上周", "2026-4-20", "2026-4-27"),
    ("下个星期", "2026-5-11", "2026-5-18"),
    ("这周末", "2026-5-9", "2026-5-11"),
    ("上个月", "2026-4", "2026-5"),
    ("下个月", "2026-6", "2026-7"),
    ("去年", "2025", "2026"),
    ("前年", "2024", "2025"),
    ("明年", "2027", "2028"),
    ("去年三月", "2025-3", "2025-4"),
    ("明年3月5日", "2027-3-5", None),
    ("三天前", "2026-5-3", None),
    ("两周前", "2026-4-20", "2026-4-27"),
    ("十二年前", "2014", "2015"),
    ("三个月后", "2026-8", "2026-9"),
    ("上周五", "2026-5-1", None),
    ("下周五", "2026-5-15", None),
    ("这周五", "2026-5-8", None),
    ("下个月5号", "2026-6-5", None),
    ("8月15日", "2026-8-15", None),
    ("明天下午三点", "2026-5-7T15:0", "2026-5-7T16:0"),
    ("明天上午9点半", "2026-5-7T9:30", "2026-5-7T9:31"),
    ("从三月起", "2026-3", ""),
]

STATED = [
    ("in 2026", "2026", "2027"),
    ("since 2019", "2019", ""),
    ("in March 2024", "2024-3", "2024-4"),
    ("on 29 February 2024", "2024-2-29", None),
    ("May 5, 2031", "2031-5-5", None),
    ("Friday, 5 June 2026", "2026-6-5", None),
    ("2026-05-05", "2026-5-5", None),
    ("2026-05", "2026-5", "2026-6"),
    ("2026/05/05", "2026-5-5", None),
    ("25/12/2026", "2026-12-25", None),
    ("12/25/2026", "2026-12-25", None),
    ("05.05.2026", "2026-5-5", None),
    ("2026-05-05T12:45Z", "2026-5-5T12:45", "2026-5-5T12:46"),
    ("2026-05-05T12:45+08:00", "2026-5-5T4:45", "2026-5-5T4:46"),
    ("2026-05-05 14:30", "2026-5-5T14:30", "2026-5-5T14:31"),
    ("5/6/2026", "?", "?"),
    ("en 2026", "2026", "2027"),
    ("desde 2020", "2020", ""),
    ("el 5 de mayo de 2031", "2031-5-5", None),
    ("en mayo de 2024", "2024-5", "2024-6"),
    ("2026年", "2026", "2027"),
    ("二〇二六年", "2026", "2027"),
    ("2026年5月5号", "2026-5-5", None),
    ("2024年2月29日", "2024-2-29", None),
    ("从2020年起", "2020", ""),
]


@pytest.mark.parametrize(
    "words, start, end, resolved", [(*one, True) for one in RELATIVE] + [(*one, False) for one in STATED]
)
def test_what_words_mean(words, start, end, resolved):
    first = _us(start)
    last = first + DAY if end is None else _us(end)
    assert _read(words) == [(words, first, last, resolved)]


@pytest.mark.parametrize(
    "text, words, start",
    [
        ("I flew to Rome on Friday", "on Friday", "2026-5-1"),
        ("I'll fly to Rome on Friday", "on Friday", "2026-5-8"),
        ("see you on Friday", "on Friday", "?"),
        ("I went there in June", "in June", "2025-6"),
        ("I'm going there in March", "in March", "2027-3"),
        ("周五我去过", "周五", "2026-5-1"),
        ("周五要开会", "周五", "2026-5-8"),
    ],
)
def test_the_tense_decides_which_one(text, words, start):
    ((found, first, _, _),) = _read(text)
    assert (found, first) == (words, _us(start))


@pytest.mark.parametrize(
    "text",
    [
        "listening on port 9077",
        "room 1984",
        "Ubuntu 20.04 is out",
        "version 1.2.2026.4",
        "call 555-2026",
        "10.0.2026.1",
        "I may go",
        "they march on",
        "in 2000 words",
        "he is 34 years old",
        "second place",
        "a 5 day trip",
        "v2026-05-05-rc1",
        "order 2026-05-055",
        "sun and moon",
        "I sat down",
        "every Friday",
        "por la mañana",
        "99年的酒店号码9077",
        "1984号房间",
        "一个人",
        "",
    ],
)
def test_a_number_that_is_no_date_is_none(text):
    assert [one for one in _read(text) if one[1] is not None or one[2] is not None] == []


@pytest.mark.parametrize(
    "text, words",
    [
        ("mammoths lived 100,000 years ago", "100,000 years ago"),
        ("十万年前有猛犸象", "十万年前"),
        ("founded in 500 BC", "500 BC"),
        ("in the year 12000", "in the year 12000"),
        ("three million years ago", "three million years ago"),
        ("a few years ago", "a few years ago"),
        ("last summer", "last summer"),
        ("hace unos años", "hace unos años"),
        ("公元前500年", "公元前500年"),
        ("on 30 February 2026", "on 30 February 2026"),
    ],
)
def test_what_can_not_be_placed_keeps_its_words(text, words):
    assert [
        (one[0].removeprefix("in ") if words[:2] != "in" else one[0], *one[1:3]) for one in _read(text)
    ] == [(words, None, None)]


def test_the_day_is_that_of_the_speaker():
    late = int(datetime(2026, 5, 6, 23, 30, tzinfo=UTC).timestamp()) * 1_000_000
    ((_, start, end, _),) = _read("today", offset=120, said=late)
    assert start == _us("2026-5-7") - 2 * 3_600_000_000
    assert end - start == DAY


@pytest.mark.parametrize(
    "said, words, start, end",
    [
        ((2024, 3, 31), "last month", "2024-2", "2024-3"),
        ((2024, 2, 29), "a year ago", "2023", "2024"),
        ((2024, 2, 29), "tomorrow", "2024-3-1", None),
        ((2023, 12, 31), "next month", "2024-1", "2024-2"),
        ((2024, 1, 1), "yesterday", "2023-12-31", None),
        ((2025, 1, 15), "on 29 February", "2024-2-29", None),
        ((2026, 1, 1), "in 14 months", "2027-3", "2027-4"),
    ],
)
def test_months_and_years_at_their_ends(said, words, start, end):
    ((_, first, last, _),) = _read(words, said=_instant(*said, 9))
    assert (first, last) == (_us(start), _us(start) + DAY if end is None else _us(end))


def test_the_end_of_the_calendar_is_open():
    assert _read("in December 9999")[0][2] is None
    last = 253_402_300_799_999_999
    assert _read("tomorrow", said=last) == [("tomorrow", None, None, True)]
    assert _read("yesterday", said=-(10**30)) == [("yesterday", None, None, True)]


def test_languages_can_be_chosen():
    assert dates_in("ayer and yesterday", anchor=SAID, offset=0, languages=("es",))[0].text == "ayer"
    assert dates_in("ayer", anchor=SAID, offset=0, languages=("en", "xx")) == []


def test_where_the_words_stand():
    text = "Nos vimos ayer, y el 5 de mayo también; 去年三月"
    for one in dates_in(text, anchor=SAID, offset=None):
        assert text[slice(*one.at)] == one.text
