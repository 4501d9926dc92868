"""Documents are cut along their structure, and nothing of them is lost."""

import pytest

from affidavit.text.documents.chunks import chunk


def whole(text: str, *, markdown: bool = True, size: int = 1200) -> list[str]:
    pieces = chunk(text, markdown=markdown, size=size)
    place = 0
    for piece in pieces:
        assert text[piece.start : piece.end] == piece.text
        assert not text[place : piece.start].strip()
        place = piece.end
    assert not text[place:].strip()
    return [piece.text for piece in pieces]


def test_headings_lead_to_their_text() -> None:
    text = "# A\n\n## B ##\n\nfirst\n\n## C\n\nsecond\n\nD\n===\n\nthird"
    assert [(piece.text, piece.headings) for piece in chunk(text, markdown=True)] == [
        ("# A\n\n## B ##\n\nfirst", ("A", "B")),
        ("## C\n\nsecond", ("A", "C")),
        ("D\n===\n\nthird", ("D",)),
    ]


def test_plain_text_has_no_headings() -> None:
    assert [piece.headings for piece in chunk("# not a heading\n\ntext", markdown=False)] == [()]


def test_short_paragraphs_share_a_piece() -> None:
    assert whole("one\n\ntwo\n\nthree") == ["one\n\ntwo\n\nthree"]


def test_paragraphs_are_the_first_border() -> None:
    text = "a" * 30 + "\n\n" + "b" * 30 + "\n\n" + "c" * 30
    assert whole(text, size=70) == ["a" * 30 + "\n\n" + "b" * 30, "c" * 30]


def test_then_sentences() -> None:
    assert whole("One is here. Pi is 3.14 now. Three ends it.", size=30) == [
        "One is here. Pi is 3.14 now.",
        "Three ends it.",
    ]


def test_sentences_in_chinese_and_japanese() -> None:
    assert whole("今天天气很好。我们去公园。", size=8) == ["今天天气很好。", "我们去公园。"]


def test_a_fence_stays_whole_up_to_twice_the_size() -> None:
    fence = "```\n" + "x = 1\n\n" * 20 + "```"
    assert fence in whole(f"intro {'word ' * 15}\n\n{fence}\n\nafter", size=100)


def test_a_longer_fence_is_cut_between_lines() -> None:
    fence = "```\n" + "x = 1\n" * 60 + "```"
    pieces = whole(fence, size=100)
    assert len(pieces) > 3
    assert all(line in ("x = 1", "```") for piece in pieces for line in piece.split("\n"))


def test_a_heading_inside_a_fence_is_code() -> None:
    assert [piece.headings for piece in chunk("# A\n\n```\n# no\n```\n\ntext", markdown=True)] == [("A",)]


def test_a_table_stays_whole() -> None:
    table = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 10
    assert table.strip() in whole("word " * 15 + f"\n\n{table}\nafter", size=80)


@pytest.mark.parametrize("unit", ["👨‍👩‍👧", "e\u0301", "🇳🇴", "👍🏽", "\u1100\u1161\u11a8"])
def test_a_written_character_is_never_split(unit: str) -> None:
    for piece in whole(unit * 40, size=10):
        assert len(piece) % len(unit) == 0


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\t\r\n"])
def test_white_space_makes_no_piece(text: str) -> None:
    assert chunk(text, markdown=True) == []
    assert chunk(text, markdown=False) == []
