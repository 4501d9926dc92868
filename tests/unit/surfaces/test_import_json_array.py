import io
import json
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from affidavit.surfaces.importers import json_array
from affidavit.surfaces.importers import pieces as pieces_module
from affidavit.surfaces.importers.json_array import Break, Element, read_elements


class Slowly(io.StringIO):
    """A stream that gives a few characters at a time, whatever is asked for."""

    def __init__(self, text: str, step: int) -> None:
        super().__init__(text)
        self.step = step

    def read(self, size: int | None = -1, /) -> str:
        return super().read(self.step)


def read(text: str, step: int = 7) -> list[Element | Break]:
    return list(read_elements(Slowly(text, step)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(autouse=True)
def _tiny_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_array, "PIECE", 4)


@given(
    values=st.lists(JSON, max_size=6),
    step=st.integers(1, 40),
    indent=st.none() | st.integers(0, 3),
    plain=st.booleans(),
)
def test_any_array_in_any_pieces_reads_as_json_does(
    values: list[object], step: int, indent: int | None, plain: bool
) -> None:
    text = json.dumps(values, indent=indent, ensure_ascii=plain)
    found = read(text, step)
    assert all(isinstance(one, Element) for one in found)
    assert [one.value for one in found if isinstance(one, Element)] == json.loads(text)
    assert [one.index for one in found] == list(range(1, len(values) + 1))


@given(values=st.lists(JSON, min_size=1, max_size=5), data=st.data(), step=st.integers(1, 40))
def test_a_cut_gives_whole_elements_before_it_and_one_break(
    values: list[object], data: st.DataObject, step: int
) -> None:
    text = json.dumps(values)
    cut = data.draw(st.integers(1, len(text) - 1))
    *whole, last = read(text[:cut], step)
    assert isinstance(last, Break)
    assert last.final
    read_values = [one.value for one in whole if isinstance(one, Element)]
    # A number that was cut is a number still; only it may differ.
    assert read_values[:-1] == values[: len(read_values)][:-1]


@given(before=JSON, after=JSON, step=st.integers(1, 30))
@example(before=[], after=2.1e16, step=1)
def test_a_broken_element_does_not_cost_the_others(before: object, after: object, step: int) -> None:
    broken = r'{"a": "x, ] \" y", "b": [1, 2, oops], "c": "\\"}'
    text = f"[{json.dumps(before)}, {broken}, {json.dumps(after)}]"
    first, problem, last = read(text, step)
    assert isinstance(problem, Break)
    assert not problem.final
    assert "not valid JSON" in problem.reason
    assert isinstance(first, Element)
    assert isinstance(last, Element)
    assert (first.value, last.value, last.index) == (before, after, 3)


@given(text=st.text(alphabet='[]{}",:\\ 0123eE+-.truefalsn\n', max_size=60), step=st.integers(1, 20))
def test_nothing_raises_and_nothing_follows_a_final_break(text: str, step: int) -> None:
    for one, _ in pairwise(read(text, step)):
        assert isinstance(one, Element) or not one.final


def test_an_element_nested_too_deeply_is_stepped_over() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    problem, after = read(f"[{deep}, 5]", 50_000)
    assert isinstance(problem, Break)
    assert "nested too deeply" in problem.reason
    assert isinstance(after, Element)
    assert after.value == 5


def test_an_element_larger_than_the_limit_is_stepped_over() -> None:
    large = json.dumps({"text": "x" * 5000})
    found = list(read_elements(Slowly(f"[1, {large}, 2]", 10), largest=500))
    assert [one.value for one in found if isinstance(one, Element)] == [1, 2]
    assert isinstance(found[1], Break)
    assert "larger than 500 characters" in found[1].reason


def test_an_integer_of_thousands_of_digits_does_no_harm() -> None:
    (element,) = read("[" + "7" * 10_000 + "]", 999)
    assert isinstance(element, Element)
    assert element.value == float("inf")


def test_an_object_counts_as_one_element_or_as_its_conversations() -> None:
    assert [one.value for one in read('{"mapping": {}}') if isinstance(one, Element)] == [{"mapping": {}}]
    inner = read('{"conversations": [1, 2]}')
    assert [one.value for one in inner if isinstance(one, Element)] == [1, 2]


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "the file is empty"),
        ("  \n ", "the file is empty"),
        ("hello", "does not start as a JSON array"),
        ("[1, 2", "cut off"),
        ("[1, 2,", "cut off"),
        ('[1, {"a": "b', "cut off"),
        ('{"a": [1, {"b"', "cut off"),
        ("[1 2]", "a comma is missing"),
        ("[1] [2]", "more text after the end"),
        ("{} x", "more text after the end"),
    ],
)
def test_a_break_says_why(text: str, reason: str) -> None:
    last = read(text)[-1]
    assert isinstance(last, Break)
    assert last.final
    assert reason in last.reason


def test_bytes_that_are_not_utf8_mark_only_their_element() -> None:
    raw = b'["caf\xe9", "\\udce9", "fine"]'
    found = [one for one in read_elements(io.BytesIO(raw)) if isinstance(one, Element)]
    assert [one.damaged for one in found] == [True, False, False]


def test_each_character_is_parsed_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_module, "PIECE", 64)
    parsed = 0

    class Counting:
        def raw_decode(self, text: str, at: int) -> tuple[object, int]:
            nonlocal parsed
            try:
                value, end = json.JSONDecoder().raw_decode(text, at)
            except json.JSONDecodeError:
                parsed += len(text) - at
                raise
            parsed += end - at
            return value, end

    monkeypatch.setattr(json_array, "_DECODER", Counting())
    text = json.dumps(["x" * 100_000, *([{"a": "y" * 50}] * 2000)])
    assert all(isinstance(one, Element) for one in read_elements(io.StringIO(text)))
    assert parsed < 6 * len(text)
