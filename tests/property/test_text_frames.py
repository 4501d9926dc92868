"""What holds for statements and dates in any text."""

import subprocess
import sys
from datetime import UTC, date, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.statement import Certainty
from affidavit.text.times.dates import dates_in

SAID = int(datetime(2026, 5, 6, 12, tzinfo=UTC).timestamp()) * 1_000_000
DAY = 86_400_000_000

TELLING = [
    "I live in Lisbon",
    "I moved to Madrid last week",
    "I work at Siemens",
    "I'm allergic to shellfish",
    "my name is Sam",
    "I'm moving to Oslo on 1 June",
    "always answer in Spanish",
    "the deadline for the report is 5 June",
    "I have two kids",
    "Vivo en Lisboa",
    "Me mudé a Madrid la semana pasada",
    "Soy vegetariana",
    "我住在里斯本",
    "我上周搬到马德里了",
    "我对花生过敏",
]
PIECES = st.sampled_from(
    [
        *TELLING,
        "I",
        "i'm",
        "my favorite",
        " is ",
        "not ",
        "maybe ",
        "if ",
        "quizás ",
        "如果",
        "我",
        "了",
        "?",
        "¿",
        "!",
        ".",
        ",",
        "，",
        "。",
        ":",
        "\n",
        "\n\n",
        '"',
        "'",
        "“",
        "«",
        "`",
        "last ",
        "on Friday",
        "in 2026",
        "since ",
        "until ",
        "上周",
        "十万年前",
        "500 BC",
        "5/6/2026",
        "2026-05-05T12:45+08:00",
        " and ",
        " but ",
        "actually ",
        "St. ",
        "e\u0301",
        "\u200b",
        "İ",
        "ß",
        "ﬁ",
        "\ud83d",
        "\0",
        "\x1f",
        "９",
        "👩‍👧",
        "- ",
        "1. ",
        "{object}",
        "%s",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=8), max_size=12).map("".join)
INSTANTS = st.integers(-(10**18), 10**18) | st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999)
OFFSETS = st.none() | st.integers(-1439, 1439)


@st.composite
def refused_texts(draw):
    text = draw(TEXTS)
    bound = st.integers(0, len(text))
    return text, draw(st.lists(st.tuples(bound, bound).map(sorted).map(tuple), max_size=3))


@given(refused_texts(), INSTANTS, OFFSETS)
@example(("I live in Lisbon", [(0, 0), (3, 3)]), 0, None)
@settings(max_examples=300, deadline=None)
def test_what_is_quoted_stands_there_and_is_the_speakers_own(case, anchor, offset):
    text, refused = case
    for one in statements_in(text, refused=refused, anchor=anchor, offset=offset):
        assert 0 <= one.start <= one.object_start < one.object_end <= one.end <= len(text)
        assert text[one.object_start : one.object_end] == one.object
        assert one.object == one.object.strip()
        assert one.object in one.text or one.time is not None
        assert not any(first < one.end and last > one.start for first, last in refused if first < last)
        if one.time is not None:
            first, last = one.time.at
            assert text[first:last] == one.time.text
            assert one.start <= first
            assert last <= one.end


@given(st.text(max_size=300) | TEXTS, INSTANTS, OFFSETS)
@settings(max_examples=300, deadline=None)
def test_dates_never_raise_and_are_intervals(text, anchor, offset):
    end = 0
    for one in dates_in(text, anchor=anchor, offset=offset):
        first, last = one.at
        assert end <= first < last
        assert text[first:last] == one.text
        assert one.start is None or one.end is None or one.start < one.end
        end = last


@given(
    st.lists(st.sampled_from(TELLING), min_size=1, max_size=5), st.sampled_from([". ", "\n", "! ", ".\n\n"])
)
@settings(deadline=None)
def test_the_statements_of_a_text_are_those_of_its_sentences(sentences, between):
    def short(found):
        return [(s.relation, s.object, s.negated, s.tense, s.time and s.time[:3]) for s in found]

    each = [short(statements_in(one, anchor=SAID, offset=0)) for one in sentences]
    whole = short(statements_in(between.join(sentences), anchor=SAID, offset=0))
    assert all(len(one) == 1 for one in each)
    assert whole == [said for one in each for said in one]


HEDGES = {
    "en": [
        "maybe {}",
        "perhaps {}",
        "{}, probably",
        "if {}, fine",
        "I think {}",
        "not sure, but {}",
        "{}?",
        "he says {}",
        "suppose {}",
    ],
    "es": [
        "quizás {}",
        "si {}",
        "creo que {}",
        "tal vez {}",
        "¿{}?",
        "dice que {}",
        "a lo mejor {}",
        "imagina que {}",
    ],
    "zh": ["也许{}", "如果{}", "可能{}", "听说{}", "{}吗？", "假设{}", "我觉得{}"],
}
HEDGED = [
    hedge.format(telling)
    for code, start, end in (("en", 0, 9), ("es", 9, 12), ("zh", 12, 15))
    for hedge in HEDGES[code]
    for telling in TELLING[start:end]
]


@pytest.mark.parametrize("case", [str, str.upper, str.title, str.lower, str.swapcase])
def test_no_letter_case_makes_a_hedged_statement_surer(case):
    surer = {
        text: found
        for text in map(case, HEDGED)
        for found in statements_in(text, anchor=SAID, offset=0)
        if found.certainty is Certainty.ASSERTED
    }
    assert surer == {}


RELATIVE = [
    "yesterday", "tomorrow", "last week", "next week", "two days ago", "in three days", "last Friday", "next Monday",
    "this weekend", "3 weeks ago", "ayer", "la semana que viene", "el lunes pasado", "hace tres días",
    "上周", "三天前", "下周五",
]  # fmt: skip


@given(st.sampled_from(RELATIVE), st.integers(-50_000, 50_000), st.integers(0, DAY - 1), OFFSETS)
@settings(deadline=None)
def test_an_anchor_weeks_later_moves_days_and_weeks_by_as_much(words, weeks, within, offset):
    (here,) = dates_in(words, anchor=SAID + within, offset=offset)
    (there,) = dates_in(words, anchor=SAID + within + 7 * DAY * weeks, offset=offset)
    assert (there.start, there.end) == (here.start + 7 * DAY * weeks, here.end + 7 * DAY * weeks)


@given(
    st.dates(date(1000, 1, 2), date(2999, 12, 30)),
    st.sampled_from(
        [
            "%Y-%m-%d",
            "%Y-%m",
            "%Y/%m/%d",
            "%Y-%m-%d %H:%M",
            "in %B %Y",
            "el %-d de mayo de %Y",
            "%Y年%-m月%-d日",
        ]
    ),
    INSTANTS,
    INSTANTS,
    OFFSETS,
)
@settings(deadline=None)
def test_a_date_stated_in_full_does_not_depend_on_when_it_is_said(day, form, first, second, offset):
    text = day.strftime(form)
    here, there = (dates_in(text, anchor=anchor, offset=offset) for anchor in (first, second))
    assert here == there
    assert not here[0].resolved
    (found,) = here
    assert found.start is not None
    assert found.end is not None
    assert found.start < found.end


@pytest.mark.parametrize(
    "shape",
    [
        "I live in Lisbon. ", "i ", "I am a senior ", "the deadline for ", "my favorite ", '"', "'a ", "(", "and i ",
        "a: ", "st. ", "last ", "yesterday ", "may 5 ", "in 2026 ", "since the last ", "12.12.", "2026-05-",
        "100,000 ",
        "我在", "我最喜欢的", "十", "mi a ", "e\u0301", "\n", "- ", "？",
    ],
)  # fmt: skip
def test_work_grows_no_faster_than_the_text(shape):
    def calls(text):
        count = 0

        def tick(_frame, _event, _arg):
            nonlocal count
            count += 1

        sys.setprofile(tick)
        try:
            statements_in(text, anchor=SAID, offset=0)
            dates_in(text, anchor=SAID, offset=0)
        finally:
            sys.setprofile(None)
        return count

    def repeated(length):
        return (shape * (length // len(shape) + 1))[:length]

    calls(repeated(500))  # what is compiled at first use is not counted
    short, long = calls(repeated(4_000)), calls(repeated(16_000))
    assert long <= 5 * short + 1_000
    # Past its bounds a text costs no more.
    assert calls(repeated(2_000_000)) <= 2 * calls(repeated(20_000)) + 1_000


def test_importing_the_package_reads_no_table():
    probe = (
        "import sys, affidavit\n"
        "import affidavit.text.frames.engine\nfrom affidavit.text.lang import relations, tables\n"
        "print(tables.table.cache_info().currsize, relations._built_in.cache_info().currsize)\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "0"]
