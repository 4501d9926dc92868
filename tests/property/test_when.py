from datetime import UTC, datetime, timedelta, timezone

from hypothesis import assume, given
from hypothesis import strategies as st

from affidavit.core.when import EARLIEST, LATEST, MAX_OFFSET, Basis, When, parse_rfc3339, rfc3339
from affidavit.errors import DateError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ticks = st.integers(EARLIEST, LATEST)
near = st.integers(-6, 6)
bases = st.sampled_from(Basis)
offsets = st.none() | st.integers(-MAX_OFFSET, MAX_OFFSET)


@st.composite
def whens(draw: st.DrawFn, bounds: st.SearchStrategy[int] = near) -> When:
    """Any `When`; with the default bounds few instants decide, so that ends often meet."""
    start, end = draw(st.none() | bounds), draw(st.none() | bounds)
    if start is not None and end is not None:
        assume(start != end)
        start, end = min(start, end), max(start, end)
    text = draw(st.none() | st.text(max_size=5))
    return When(start=start, end=end, text=text, basis=draw(bases), offset=draw(offsets))


@given(ticks)
def test_every_microsecond_has_one_text(us):
    text = rfc3339(us)
    assert len(text) == 27
    assert parse_rfc3339(text) == us
    assert When.parse(text).start == us


@given(ticks, ticks)
def test_texts_sort_as_their_instants_do(a, b):
    assert (a < b) == (rfc3339(a) < rfc3339(b))


@given(st.text())
def test_no_other_text_is_an_entry_time(text):
    try:
        us = parse_rfc3339(text)
    except ValueError:
        return
    assert rfc3339(us) == text


@given(st.datetimes(), st.integers(-MAX_OFFSET, MAX_OFFSET), st.sampled_from(["T", " "]))
def test_an_aware_datetime_keeps_instant_and_offset(naive, minutes, separator):
    moment = naive.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    us = (moment - EPOCH) // timedelta(microseconds=1)
    assume(EARLIEST <= us <= LATEST)
    for when in (When.parse(moment), When.parse(moment.isoformat(separator))):
        assert (when.start, when.offset) == (us, minutes)
        assert when.contains(us)


@given(st.datetimes())
def test_a_naive_datetime_is_utc(naive):
    for when in (When.parse(naive), When.parse(naive.isoformat())):
        assert (when.start, when.offset) == (
            (naive.replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1),
            None,
        )


@given(st.text() | st.from_regex(r"\A[0-9TWZ:+. -]{1,30}\Z"))
def test_a_text_is_a_time_or_a_date_error(text):
    try:
        when = When.parse(text)
    except DateError:
        return
    assert when.start is not None
    assert when.precision != "none"


@given(whens(ticks) | whens())
def test_a_dictionary_and_back(when):
    assert When.from_dict(when.to_dict()) == when


@given(whens(ticks) | whens())
def test_every_time_can_be_shown_and_has_a_precision(when):
    assert when.local_text()
    assert (when.precision == "none") == (not when.is_known)


@given(st.dates(), st.sampled_from([4, 7, 10]))
def test_what_is_shown_for_a_date_reads_back(day, length):
    when = When.parse(day.isoformat()[:length])
    if when.end is not None:
        assert When.parse(when.local_text()) == when


@given(whens(), whens(), near)
def test_the_intersection_contains_what_both_contain(a, b, us):
    both = a.intersect(b)
    assert (both is not None and both.contains(us)) == (a.contains(us) and b.contains(us))


@given(whens(), whens())
def test_intersection_and_overlap_are_symmetric(a, b):
    one, other = a.intersect(b), b.intersect(a)
    assert (one is None) == (other is None) == (not a.overlaps(b))
    assert a.overlaps(b) == b.overlaps(a)
    if one is not None and other is not None:
        assert (one.start, one.end, one.basis) == (other.start, other.end, other.basis)


@given(whens(), whens())
def test_known_times_are_before_after_or_overlapping(a, b):
    assert a.before(b) == b.after(a)
    if a.is_known and b.is_known:
        assert [a.before(b), a.after(b), a.overlaps(b)].count(True) == 1
    else:
        assert [a.before(b), a.after(b), a.overlaps(b)] == [False] * 3


@given(whens(), near, near)
def test_shifting_moves_every_instant(when, us, by):
    assert when.shift(by).contains(us + by) == when.contains(us)
    assert when.shift(by).shift(-by).width == when.width


@given(st.text(), whens(), ticks)
def test_an_unknown_time_touches_nothing(words, other, us):
    lost = When.unknown(words)
    assert not lost.contains(us)
    assert [lost.overlaps(other), lost.before(other), lost.after(other)] == [False] * 3
    assert lost.intersect(other) is None
    assert lost.shift(us) == lost
    assert lost.text == words
