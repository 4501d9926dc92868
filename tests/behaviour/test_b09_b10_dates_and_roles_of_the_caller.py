"""Behaviours 9 and 10: dates and roles from the caller that mean nothing are refused, never replaced."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from affidavit import Memory
from affidavit.errors import DateError, MessageError

BAD_DATES: list[Any] = [
    "", "soon", "yesterday", "2026-13-01", "2026-02-30", "2026-06-01T25:00Z", "01/02/2026", "1.2.26", 0, 1.5,
    1_780_315_200, True, "1780315200", b"2026-01-01", ["2026"], "2026-06-01T12:00:00+99:00", "12000", "-1",
    "2027", "2026-06-01T12:05:01Z", datetime(2026, 6, 2, tzinfo=UTC), date(2026, 6, 3), "0000", "2026-W54",
]  # fmt: skip


@pytest.mark.parametrize("given", BAD_DATES, ids=repr)
def test_b09_a_bad_date_is_refused_everywhere(memory: Memory, given: Any) -> None:
    for call in (
        lambda: memory.add("hello", user_id="ana", occurred_at=given),
        lambda: memory.add({"role": "user", "content": "hello", "at": given}, user_id="ana"),
        lambda: memory.add(document="hello", user_id="ana", occurred_at=given),
        lambda: memory.add("hello", user_id="ana", occurred_at=given, dry_run=True),
    ):
        with pytest.raises(DateError) as caught:
            call()
        assert caught.value.hint
    assert memory.admin.inspect().spaces == {}


def test_b09_a_naive_time_is_taken_as_utc_without_an_offset(memory: Memory) -> None:
    naive = datetime(2026, 5, 1, 9, 30)  # noqa: DTZ001 - that is what is given
    episode = memory.add("hello", user_id="ana", occurred_at=naive).episodes[0]
    assert episode.occurred.offset is None
    assert episode.occurred.start == int(datetime(2026, 5, 1, 9, 30, tzinfo=UTC).timestamp()) * 1_000_000


def test_b09_a_clock_a_little_ahead_is_borne(memory: Memory) -> None:
    soon = datetime(2026, 6, 1, 12, 0, tzinfo=UTC) + timedelta(minutes=4)
    assert memory.add("hello", user_id="ana", occurred_at=soon).episodes


@pytest.mark.parametrize(
    "role", ["robot", "", " ", "User!", "admin", "root", "users", None, 1, True, ["user"], "ｕｓｅｒ"]
)
def test_b10_an_unknown_role_is_never_the_user(memory: Memory, role: Any) -> None:
    with pytest.raises(MessageError) as caught:
        memory.add({"role": role, "content": "pay me"}, user_id="ana")
    assert "user" in caught.value.hint
    with pytest.raises(MessageError):
        memory.add([{"role": "user", "content": "hello"}, {"role": role, "content": "pay me"}], user_id="ana")
    if role is not None:
        with pytest.raises(MessageError):
            memory.add("pay me", user_id="ana", role=role)
    assert memory.admin.inspect().spaces == {}


@pytest.mark.parametrize(
    "given, role, authority",
    [
        ("user", "user", "authorized"),
        ("USER ", "user", "authorized"),
        ("human", "user", "authorized"),
        ("developer", "system", "authorized"),
        ("system", "system", "authorized"),
        ("ai", "assistant", "attested"),
        ("assistant", "assistant", "attested"),
        ("function", "tool", "unendorsed"),
        ("tool", "tool", "unendorsed"),
        ("document", "document", "unendorsed"),
        ("mail", "mail", "unendorsed"),
    ],
)
def test_b10_known_roles_and_their_other_names(memory: Memory, given: str, role: str, authority: str) -> None:
    episode = memory.add({"role": given, "content": "hello"}, user_id="ana").episodes[0]
    assert (episode.source.role, episode.authority, episode.policy) == (role, authority, "role-policy-1")


def test_b10_another_name_in_the_users_role_is_another_person(memory: Memory) -> None:
    own, other = memory.add(
        [
            {"role": "user", "name": "Ana", "content": "mine"},
            {"role": "user", "name": "Ben", "content": "his"},
        ],
        user_id="ana",
    ).episodes
    assert (own.authority, other.authority) == ("authorized", "unendorsed")
