"""F17 (mempalace#1235, graphiti #1531): characters that break stores are replaced on record, all others stay."""

import hashlib

import pytest

from affidavit.text.prepare import prepare
from affidavit.text.spans import Span, SpanKind


@pytest.mark.parametrize(
    "text,stored,spans",
    [
        ("\ud800", "\ufffd", [(0, 1, "surrogate")]),
        ("a\x00b", "a\ufffdb", [(1, 2, "nul")]),
        ("x\udfff\ud83dy", "x\ufffd\ufffdy", [(1, 3, "surrogate")]),
        ("\x00\ud800", "\ufffd\ufffd", [(0, 1, "nul"), (1, 2, "surrogate")]),
    ],
)
def test_f17_a_replacement_is_recorded(text: str, stored: str, spans: list[tuple[int, int, str]]) -> None:
    made = prepare(text, user_message=True)
    assert made.text == stored
    assert made.spans == tuple(Span(SpanKind.REPLACED, *span) for span in spans)
    made.text.encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "👩‍❤️‍👩 family",
        "\u200fשלום\u200e and \u202eback\u202c",
        "e\u0301 is not \u00e9",
        "tag \U000e0041 here",
        "a\r\nb\rc\n",
        "  \t ",
    ],
)
def test_f17_everything_else_stays_byte_for_byte(text: str) -> None:
    made = prepare(text, user_message=True)
    assert made.text == text
    assert hashlib.sha256(made.text.encode()).digest() == hashlib.sha256(text.encode()).digest()


@pytest.mark.usefixtures("stopped_if_it_hangs")
@pytest.mark.parametrize("unit", ["a", "x y ", "字", "👍", "\u0301"])
def test_f17_a_line_of_a_megabyte(unit: str) -> None:
    text = unit * (1_048_576 // len(unit))
    assert prepare(text, user_message=True).text == text
