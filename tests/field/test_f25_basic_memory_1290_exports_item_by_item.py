"""F25 (basic-memory #1290, mempalace #685): exports with missing dates, other field names, null content.

Such files are imported item by item; what can't be read is listed and costs nothing else.
"""

import io
import json
from collections.abc import Callable, Iterator
from typing import IO

import pytest

from affidavit.surfaces.importers import ImportItem, ImportProblem, read_chatgpt, read_claude

Reader = Callable[[IO[bytes]], Iterator[ImportItem | ImportProblem]]


def split(reader: Reader, value: object) -> tuple[list[ImportItem], list[ImportProblem]]:
    found = list(reader(io.BytesIO(json.dumps(value).encode())))
    return (
        [one for one in found if isinstance(one, ImportItem)],
        [one for one in found if isinstance(one, ImportProblem)],
    )


def chatgpt_talk(name: str, content: object, **message: object) -> dict[str, object]:
    said = {"id": name, "author": {"role": "user"}, "content": content, **message}
    return {"id": name, "mapping": {name: {"parent": None, "message": said}}, "current_node": name}


def words(text: str) -> dict[str, object]:
    return {"content_type": "text", "parts": [text]}


@pytest.mark.parametrize("dates", [{}, {"create_time": None}])
def test_chatgpt_without_create_time_has_no_date_rather_than_a_false_one(dates: dict[str, object]) -> None:
    items, problems = split(read_chatgpt, [chatgpt_talk("a", words("No date here"), **dates)])
    assert [item.message["content"] for item in items] == ["No date here"]
    assert "at" not in items[0].message
    assert problems == []


def test_chatgpt_with_null_content_lists_it_and_keeps_the_rest() -> None:
    talks = [chatgpt_talk("a", None), chatgpt_talk("b", words("kept")), None, chatgpt_talk("c", words("too"))]
    items, problems = split(read_chatgpt, talks)
    assert [item.message["content"] for item in items] == ["kept", "too"]
    assert [one.place for one in problems] == ["conversation 1, message 1", "conversation 3"]
    assert all(one.reason for one in problems)


@pytest.mark.parametrize("list_name", ["messages", "chat_messages"])
@pytest.mark.parametrize("field", ["sender", "role"])
def test_claude_under_either_name_of_its_fields(list_name: str, field: str) -> None:
    said = [
        {"uuid": "1", field: "human" if field == "sender" else "user", "text": "Hello", "content": None},
        {"uuid": "2", field: "assistant", "text": None, "content": None},
        {"uuid": "3", field: "assistant", "content": [{"type": "text", "text": "Hi"}, None]},
    ]
    items, problems = split(read_claude, [{"uuid": "c", list_name: said}])
    assert [(item.message["role"], item.message["content"]) for item in items] == [
        ("user", "Hello"),
        ("assistant", "Hi"),
    ]
    assert [(one.place, one.reason) for one in problems] == [
        ("conversation 1, message 2", "the message holds no text"),
        ("conversation 1, message 3", "a part is null, an object was expected"),
    ]


@pytest.mark.parametrize("reader", [read_chatgpt, read_claude])
def test_a_file_that_breaks_off_gives_the_conversations_before(reader: Reader) -> None:
    messages = [{"uuid": "m", "sender": "human", "text": "whole"}]
    talk = chatgpt_talk("a", words("whole")) | {"messages": messages}
    raw = json.dumps([talk, talk])
    for cut in range(len(raw) // 2 + 2, len(raw)):
        *before, problem = reader(io.BytesIO(raw[:cut].encode()))
        assert isinstance(before[0], ImportItem)
        assert before[0].message["content"] == "whole"
        assert isinstance(problem, ImportProblem)
        assert "cut off" in problem.reason
        assert problem.place.startswith("from conversation")
