"""Permits and decisions under `verify`, in full and since a mark."""

import pytest

from affidavit.proof.verify_result import Code
from tests.support_actions import acting


@pytest.fixture
def ana(tmp_path, clock):
    with acting(tmp_path, clock) as one:
        yield one


def changed(ana, sql, *values, since=None):
    with ana.store._writing() as conn:
        conn.execute(sql, values)
    return {problem.code for problem in ana.memory.verify(since=since).problems}


def test_what_ends_or_is_confirmed_after_a_mark_is_no_fault(ana):
    permit = ana.memory.access.permit("ana", "mail")
    asked = ana.check("pay", {"to": "Ben"})
    marks = ana.memory.verify().marks
    ana.memory.access.revoke(permit.id, user_id="ana")
    ana.check("pay", {"to": "Ben"}, confirmation=asked.confirmation)
    ana.memory.access.permit("ana", "ship")
    for since in (None, marks):
        assert ana.memory.verify(since=since).ok
    assert changed(ana, "UPDATE permit SET tool = 'x' WHERE ended_at IS NULL", since=marks) == {
        Code.CONTENT_MISMATCH
    }


@pytest.mark.parametrize(
    "sql,code",
    [
        ("UPDATE permit SET ended_at = NULL", Code.LABEL_MISMATCH),
        ("UPDATE permit SET ended_at = 'soon'", Code.LABEL_MISMATCH),
        ("UPDATE permit SET ended_at = 9223372036854775807", Code.LABEL_MISMATCH),
        ("UPDATE permit SET until = NULL", Code.CONTENT_MISMATCH),
        ("UPDATE permit SET limits = NULL", Code.CONTENT_MISMATCH),
        ("UPDATE permit SET tool = 'ship'", Code.CONTENT_MISMATCH),
        ("DELETE FROM permit", Code.ORPHAN_ENTRY),
        ("UPDATE decision SET outcome = 'allow' WHERE outcome = 'deny'", Code.LABEL_MISMATCH),
        ("UPDATE decision SET confirmed_at = NULL", Code.LABEL_MISMATCH),
        ("UPDATE decision SET expires = expires + 1", Code.CONTENT_MISMATCH),
        ("UPDATE decision SET token = zeroblob(32)", Code.CONTENT_MISMATCH),
        ("UPDATE decision SET id = 'dec_x' WHERE outcome = 'deny'", Code.UNLOGGED_ROW),
        ("DELETE FROM decision WHERE outcome = 'deny'", Code.ORPHAN_ENTRY),
    ],
)
def test_what_somebody_changed_is_named(ana, sql, code):
    permit = ana.memory.access.permit("ana", "pay", limit={"amount": {"lte": 5}}, until="2027-01-01")
    ana.memory.access.revoke(permit.id, user_id="ana")
    asked = ana.check("pay", {"to": "Ben"})
    ana.check("pay", {"to": "Ben"}, confirmation=asked.confirmation)
    ana.check(memory_ids=[])
    assert ana.memory.verify().ok
    assert code in changed(ana, sql)
