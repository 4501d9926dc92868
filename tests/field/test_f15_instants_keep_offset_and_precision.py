"""F15 (mem0#4402, MemOS#2369, hindsight#3893): UTC is kept, with the offset and the precision as written."""

from dataclasses import replace

from affidavit.core.when import DAY, MINUTE, Basis, When, rfc3339


def test_f15_mem0_4402_utc_stays_utc():
    when = When.parse("2025-07-25T02:00Z")
    assert when.start is not None
    assert rfc3339(when.start) == "2025-07-25T02:00:00.000000Z"
    assert (when.offset, when.width) == (0, MINUTE)


def test_f15_memos_2369_a_local_time_keeps_its_offset():
    when = When.parse("2025-07-25T12:45+08:00")
    assert when.start is not None
    assert rfc3339(when.start) == "2025-07-25T04:45:00.000000Z"
    assert when.offset == 480
    assert when.local_text() == "2025-07-25 12:45 +08:00"
    assert When.from_dict(when.to_dict()) == when


def test_f15_hindsight_3893_a_year_stays_a_year_wide():
    year = When.parse("2026")
    assert (year.width, year.precision) == (365 * DAY, "year")
    said = replace(year, text="in 2026", basis=Basis.RESOLVED)
    assert said.local_text() == "2026"
    assert said.overlaps(When.parse("2026-12-31"))
    assert not said.overlaps(When.parse("2027-01-01"))


def test_f15_one_instant_in_three_offsets_is_one_instant():
    starts = {
        When.parse(text).start
        for text in ("2025-07-25T02:00Z", "2025-07-25T10:00+08:00", "2025-07-24T22:00-04:00")
    }
    assert len(starts) == 1
