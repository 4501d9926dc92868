"""The limit table's checks, at their edges."""

import pytest

from affidavit.core.ids import make_id
from affidavit.core.limits import ID_CHARACTERS, NESTING, check_count, check_id, check_nesting, check_size
from affidavit.errors import IdError, InputError, LimitError


def test_ids_at_the_edge() -> None:
    assert check_id("x" * ID_CHARACTERS, "id") == "x" * ID_CHARACTERS
    assert check_id(f"  {'x' * ID_CHARACTERS} ", "id") == "x" * ID_CHARACTERS
    assert check_id(-7, "id") == "-7"
    assert check_id(10 ** (ID_CHARACTERS - 1), "id") == "1" + "0" * (ID_CHARACTERS - 1)
    for bad in ("x" * (ID_CHARACTERS + 1), 10**ID_CHARACTERS, -(10**5_000)):
        with pytest.raises(IdError):
            check_id(bad, "id")


def test_nesting_at_the_edge() -> None:
    value: object = 1
    for _ in range(NESTING - 1):
        value = [value]
    check_nesting(value, "it")
    with pytest.raises(LimitError):
        check_nesting([value], "it")
    check_nesting({"a": [None, True, 1, 1.5, "x", (1, 2)]}, "it")
    for bad in ({1: 2}, {"a": object()}, [float("nan")], {"a": {1, 2}}, b"x"):
        with pytest.raises(InputError):
            check_nesting(bad, "it")


@pytest.mark.parametrize(
    "value", [0, -1, 11, True, False, 1.0, "5", None, 10**5_000, -(10**5_000), "x" * 10_000], ids=lambda _: ""
)
def test_a_count_outside_its_bounds_is_refused_in_few_words(value: object) -> None:
    assert check_count(1, 10, "limit") == 1
    assert check_count(10, 10, "limit") == 10
    with pytest.raises(InputError) as caught:
        check_count(value, 10, "limit")
    assert len(str(caught.value)) < 200


def test_what_is_larger_than_its_limit_is_refused() -> None:
    check_size(10, 10, "it", "less")
    with pytest.raises(LimitError):
        check_size(11, 10, "it", "less")


def test_ids_sort_by_time_and_differ_by_chance() -> None:
    times = [0, 1, 999, 1_000, 1_001, 1_780_315_200_000_000, 1_780_315_200_000_999, 1_780_315_200_001_000]
    made = [make_id("ep_", now, bytes(10)) for now in times]
    assert made == sorted(made)
    assert len({one[:3] for one in made}) == 1
    assert all(one[15] == "7" for one in made)
    assert make_id("ep_", 5, b"\0" * 10) != make_id("ep_", 5, b"\0" * 5 + b"\xff" * 5)
