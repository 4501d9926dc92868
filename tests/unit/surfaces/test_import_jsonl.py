import io
import json
from pathlib import Path

import pytest

from affidavit.core.authority import Role
from affidavit.surfaces.importers import ImportItem, ImportProblem, read_jsonl
from affidavit.surfaces.importers import pieces as pieces_module

FIXTURE = Path(__file__).parents[2] / "fixtures" / "imports" / "messages.jsonl"


def read(raw: bytes) -> list[ImportItem | ImportProblem]:
    return list(read_jsonl(io.BytesIO(raw)))


def refused(line: str) -> str:
    (problem,) = read(line.encode())
    assert isinstance(problem, ImportProblem)
    assert problem.place == "line 1"
    return problem.reason


def test_every_line_is_an_item_or_a_problem_at_its_own_place() -> None:
    found = read(FIXTURE.read_bytes())
    items = [one for one in found if isinstance(one, ImportItem)]
    assert [item.line_or_path for item in items] == ["line 1", "line 3", "line 13", "line 15", "line 18"]
    problems = {one.place: one.reason for one in found if isinstance(one, ImportProblem)}
    assert {place: reason.split(";")[0] for place, reason in problems.items()} == {
        "line 5": "unknown field 'usr'",
        "line 6": "unknown role 'robot'",
        "line 7": "the role is a list",
        "line 8": "the content is a number",
        "line 9": "it has no content",
        "line 10": "an object with role and content was expected, this is a list",
        "line 11": "not valid JSON (Expecting value, character 1)",
        "line 12": "the field 'role' stands twice in one object",
        "line 14": "holds bytes that are not UTF-8",
        "line 16": "at is a number",
        "line 17": "NaN is not JSON",
        "line 19": "not valid JSON (Unterminated string starting at, character 26)",
    }


def test_fields_arrive_as_they_were_written() -> None:
    items = [one for one in read(FIXTURE.read_bytes()) if isinstance(one, ImportItem)]
    assert items[0].message == {
        "role": "user",
        "content": "With a byte-order mark",
        "at": "2026-03-02T09:00:00+01:00",
        "session": "s1",
        "name": "Ana",
    }
    assert items[1].message["content"] == ["parts ", {"type": "text", "text": "are kept"}]
    assert items[1].message["session"] == "7"
    assert items[2].message["content"] == "a lone \ud800 surrogate"
    assert items[3].message == {"role": "user", "content": None, "metadata": {"k": [1, None]}}
    assert items[4].message["derived_from"] == "user"
    assert items[4].message["source_id"] == "t-1"


def test_the_reason_for_an_unknown_field_lists_the_known_ones() -> None:
    reason = refused('{"usr": "a", "role": "user", "content": "b"}')
    assert "known: role, content, at, session, name, metadata, source" in reason


@pytest.mark.parametrize(
    "line, words",
    [
        ('{"content": "x"}', "no role"),
        ('{"role": null, "content": "x"}', "role is null"),
        ('{"role": "user", "content": "x", "author": "boss"}', "author is 'boss'; known: user"),
        ('{"role": "user", "content": "x", "derived_from": true}', "derived_from is true or false"),
        ('{"role": "user", "content": "x", "session": true}', "session is true or false; text"),
        ('{"role": "user", "content": "x", "session": 1.5}', "session is a number; text"),
        ('{"role": "user", "content": "x", "metadata": []}', "metadata is a list; an object"),
        ('{"role": "user", "content": ["x", 3]}', "a part of the content is a number"),
        ('{"role": "user", "content": ' + "[" * 100_000 + "}", "nested too deeply"),
        ('{"role": "user", "content": "x", "metadata": {"n": ' + "9" * 5000 + "}}", "too many digits"),
        ('{"role": "user", "content": "x"} {"role": "user"}', "Extra data"),
        ('"just text"', "this is text"),
        ("null", "this is null"),
    ],
)
def test_a_wrong_line_says_what_is_wrong(line: str, words: str) -> None:
    assert words in refused(line)


def test_a_tool_call_needs_no_content() -> None:
    line = {"role": "assistant", "tool_calls": [{"id": "1", "type": "function"}]}
    (item,) = read(json.dumps(line).encode())
    assert isinstance(item, ImportItem)
    assert item.message == {"role": "assistant", "content": None, "tool_calls": line["tool_calls"]}


def test_keys_are_the_same_when_a_grown_file_is_read_again_and_differ_for_equal_lines() -> None:
    line = b'{"role": "user", "content": "ok"}\n'
    first = [one.key for one in read(line * 3) if isinstance(one, ImportItem)]
    again = [one.key for one in read((line * 4).replace(b"\n", b"\r\n")) if isinstance(one, ImportItem)]
    assert len(set(again)) == 4
    assert again[:3] == first


def test_a_separator_of_unicode_does_not_end_a_line() -> None:
    (item,) = read('{"role": "user", "content": "a\u2028b\x85c"}'.encode())
    assert isinstance(item, ImportItem)
    assert item.message["content"] == "a\u2028b\x85c"


def test_utf16_with_its_mark_is_read() -> None:
    (item,) = read('{"role": "user", "content": "żółw 🐢"}\r\n'.encode("utf-16"))
    assert isinstance(item, ImportItem)
    assert item.message["content"] == "żółw 🐢"


def test_a_line_over_the_limit_is_listed_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_module, "LONGEST_LINE", 1000)
    monkeypatch.setattr(pieces_module, "PIECE", 64)
    long = b'{"role": "user", "content": "' + b"x" * 5000 + b'"}\n'
    problem, item = read(long + b'{"role": "user", "content": "short"}')
    assert isinstance(problem, ImportProblem)
    assert problem.reason.startswith("longer than")
    assert isinstance(item, ImportItem)
    assert item.line_or_path == "line 2"


def test_characters_split_between_pieces_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_module, "PIECE", 1)
    family = "👩‍👩‍👧‍👦 नमस्ते"
    (item,) = read(json.dumps({"role": "user", "content": family}, ensure_ascii=False).encode())
    assert isinstance(item, ImportItem)
    assert item.message["content"] == family


def test_a_text_stream_is_read_like_a_binary_one() -> None:
    (item,) = read_jsonl(io.StringIO('\ufeff{"role": "user", "content": "x"}\n'))
    assert isinstance(item, ImportItem)


def test_a_stream_that_fails_is_a_problem_after_what_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_module, "PIECE", 40)

    class Failing(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell() >= 80:
                raise OSError("the disk went away")
            return super().read(size)

    item, *_, problem = read_jsonl(Failing(b'{"role": "user", "content": "x"}\n' * 10))
    assert isinstance(item, ImportItem)
    assert isinstance(problem, ImportProblem)
    assert "the disk went away" in problem.reason


def test_every_role_of_ours_is_known_here() -> None:
    for role in Role:
        (item,) = read(json.dumps({"role": role, "content": "x"}).encode())
        assert isinstance(item, ImportItem)
        assert item.message["role"] == role
