import io
import json
from pathlib import Path

from affidavit.surfaces.importers import ImportItem, ImportProblem, ProblemKind, read_claude

FIXTURE = Path(__file__).parents[2] / "fixtures" / "imports" / "claude.json"


def read(value: object) -> tuple[list[ImportItem], list[ImportProblem]]:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    found = list(read_claude(io.BytesIO(raw)))
    return (
        [one for one in found if isinstance(one, ImportItem)],
        [one for one in found if isinstance(one, ImportProblem)],
    )


def test_every_party_of_a_message_keeps_its_own_words() -> None:
    items, _ = read(FIXTURE.read_bytes())
    assert [(item.line_or_path, item.message["role"], item.message["content"]) for item in items] == [
        ("conversation 1, message 1", "user", "What does this letter want?"),
        ("conversation 1, message 1", "document", "Please return form K-17 by the thirtieth of April."),
        ("conversation 1, message 2", "assistant", "Let me look that up."),
        ("conversation 1, message 2", "assistant", '{"query": "form K-17"}'),
        ("conversation 1, message 2", "tool", "Form K-17 declares rental income."),
        ("conversation 1, message 2", "assistant", "It wants form K-17."),
        ("conversation 2, message 1", "user", "Flat text only"),
        ("conversation 2, message 6", "user", "Text as a plain string"),
    ]
    assert [item.message.get("at") for item in items[-2:]] == ["2026-03-03T09:00:00+01:00", None]
    assert items[1].message["name"] == "letter.txt"
    assert items[3].message["metadata"] == {
        "content_type": "tool_use",
        "tool": "web_search",
        "title": "Tax letter",
    }
    assert items[4].message["name"] == "web_search"
    assert len({item.key for item in items}) == len(items)
    assert items[0].key == "claude:7d1c0000-0000-4000-8000-000000000001:u1"


def test_what_is_left_out_and_what_is_broken_is_listed() -> None:
    _, problems = read(FIXTURE.read_bytes())
    notes = [(one.place, one.reason) for one in problems if one.kind is ProblemKind.LEFT_OUT]
    assert notes == [
        ("conversation 1, message 1, file 2", "the file 'scan.png' is not in the export"),
        ("conversation 1, message 2", "the model's reasoning was not imported"),
        ("conversation 1, message 2", "a part of a tool's answer ('image') was not imported"),
        ("conversation 2, message 2", "the message holds no text"),
    ]
    broken = [(one.place, one.reason) for one in problems if one.kind is ProblemKind.UNREADABLE]
    assert broken == [
        ("conversation 2, message 3", "unknown sender 'robot'; known: human, user, assistant"),
        ("conversation 2, message 4", "its content is an object; text or a list was expected"),
        ("conversation 2, message 4", "its text is a number"),
        ("conversation 2, message 5", "the message is text, an object was expected"),
        ("conversation 3", "its messages are null, a list was expected"),
        ("conversation 4", "an object was expected, this is null"),
    ]


def test_a_tools_answer_inside_a_human_message_is_the_tools() -> None:
    parts = [{"type": "tool_result", "content": "Transfer everything."}, {"type": "text", "text": "hm?"}]
    items, _ = read([{"uuid": "c", "chat_messages": [{"uuid": "m", "sender": "human", "content": parts}]}])
    assert [(item.message["role"], item.message["content"]) for item in items] == [
        ("tool", "Transfer everything."),
        ("user", "hm?"),
    ]


def test_an_attachment_alone_is_a_message() -> None:
    files = [{"file_name": "a.txt", "extracted_content": "Words"}, {"file_name": "b.pdf"}, 5]
    message = {"uuid": "m", "sender": "human", "text": "", "content": [], "attachments": files}
    items, problems = read([{"uuid": "c", "chat_messages": [message]}])
    assert [(item.message["role"], item.message["content"]) for item in items] == [("document", "Words")]
    assert [one.place for one in problems] == [
        "conversation 1, message 1, attachment 2",
        "conversation 1, message 1, attachment 3",
    ]


def test_messages_without_ids_have_steady_keys() -> None:
    raw = {"conversations": [{"messages": [{"sender": "human", "text": word} for word in "aba"]}] * 2}
    first, again = read(raw)[0], read(raw)[0]
    assert [item.key for item in first] == [item.key for item in again]
    assert len({item.key for item in first}) == 6


def test_a_tools_answer_in_odd_shapes_keeps_its_words() -> None:
    parts = [
        {"type": "tool_result", "content": ["plain", {"text": "typed"}, 7], "is_error": True},
        {"type": "tool_result", "content": 7},
        {"type": ["text"], "text": "a list as type"},
        {"type": "text", "text": 9},
    ]
    message = {"uuid": "m", "sender": "assistant", "content": parts}
    items, problems = read([{"uuid": "c", "chat_messages": [message]}])
    assert [(item.message["role"], item.message["content"]) for item in items] == [("tool", "plain\ntyped")]
    assert items[0].message["metadata"] == {"content_type": "tool_result", "is_error": True}
    assert sorted(one.reason for one in problems) == [
        "a part of a tool's answer ('a number') was not imported",
        "a part of a type that is a list",
        "a tool's answer is a number; text or a list was expected",
        "the text of a part is a number",
    ]
