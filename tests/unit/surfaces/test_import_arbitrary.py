"""Whatever JSON stands in whatever place, the readers list it and never raise."""

import io
import json
from collections.abc import Callable, Iterator
from typing import IO

from hypothesis import given
from hypothesis import strategies as st

from affidavit.surfaces.importers import ImportItem, ImportProblem, read_chatgpt, read_claude, read_jsonl

TYPES = [
    "user",
    "assistant",
    "human",
    "tool",
    "system",
    "text",
    "code",
    "parts",
    "n0",
    "n1",
    "multimodal_text",
    "tether_quote",
    "thoughts",
    "tool_use",
    "tool_result",
    "image_asset_pointer",
    "audio_transcription",
]
FIELDS = [
    "role",
    "content",
    "at",
    "session",
    "name",
    "metadata",
    "source",
    "author",
    "message",
    "parent",
    "mapping",
    "current_node",
    "content_type",
    "parts",
    "text",
    "id",
    "uuid",
    "sender",
    "create_time",
    "created_at",
    "chat_messages",
    "messages",
    "attachments",
    "files",
    "extracted_content",
    "file_name",
    "type",
    "input",
    "weight",
    "recipient",
    "conversations",
    "language",
    "url",
    "n0",
    "n1",
    "tool_calls",
]
WORDS = st.sampled_from(TYPES)
NAMES = st.sampled_from(FIELDS) | st.text(max_size=4)
TEXTS = st.text(max_size=8) | WORDS | st.just("\ud800")
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6),
    max_leaves=25,
)


def checked(read: Callable[[IO[bytes]], Iterator[ImportItem | ImportProblem]], raw: bytes) -> None:
    for one in read(io.BytesIO(raw)):
        if isinstance(one, ImportProblem):
            assert one.place
            assert one.reason
            (one.place + one.reason).encode("utf-8")
            continue
        message = one.message
        assert message["role"] in {"user", "assistant", "system", "tool", "document", "mail"}
        assert isinstance(message["content"], (str, list)) or message["content"] is None
        assert isinstance(message.get("at", ""), str)
        assert isinstance(message.get("metadata", {}), dict)
        assert one.line_or_path
        assert one.key.isascii()
        assert len(one.key) <= 256


@given(ANY)
def test_any_json_in_a_line_is_an_item_or_a_problem(value: object) -> None:
    checked(read_jsonl, json.dumps(value).encode())


@given(st.binary(max_size=200))
def test_any_bytes_are_items_or_problems(raw: bytes) -> None:
    for read in (read_jsonl, read_chatgpt, read_claude):
        checked(read, raw)
        checked(read, b"[" + raw)
        checked(read, b'{"role": "user", "content": "' + raw)


@given(node=ANY, message=ANY, author=ANY, content=ANY, kind=WORDS | ANY, date=ANY, current=ANY, extra=ANY)
def test_any_json_at_any_place_of_a_chatgpt_export_is_items_or_problems(
    node: object,
    message: object,
    author: object,
    content: object,
    kind: object,
    date: object,
    current: object,
    extra: object,
) -> None:
    typed = {"content_type": kind, "parts": content, "text": content}
    said = {"author": {"role": "user"}, "content": typed, "create_time": date}
    mapping = {
        "n0": {"parent": extra, "message": said},
        "n1": {"parent": "n0", "message": {**said, "id": extra, "content": content, "metadata": extra}},
        "n1b": {"parent": "n1", "message": {"author": author, "content": typed}},
        "n2": {"parent": "n1b", "message": message},
        "n3": node,
    }
    talks = [
        {"id": extra, "title": extra, "mapping": mapping, "current_node": "n2"},
        {"mapping": mapping, "current_node": current},
        {"mapping": extra},
        extra,
    ]
    checked(read_chatgpt, json.dumps(talks).encode())


@given(message=ANY, sender=ANY, content=ANY, text=ANY, date=ANY, files=ANY, extra=ANY)
def test_any_json_at_any_place_of_a_claude_export_is_items_or_problems(
    message: object, sender: object, content: object, text: object, date: object, files: object, extra: object
) -> None:
    call = {"type": "tool_use", "input": content, "name": extra}
    messages = [
        message,
        {"sender": "human", "content": content, "text": text, "created_at": date, "attachments": files},
        {"sender": sender, "content": [{"type": "tool_result", "content": content}, content], "files": files},
        {"sender": "assistant", "content": [call], "uuid": extra},
        {"sender": "human", "attachments": [{"file_name": extra, "extracted_content": text}]},
    ]
    talks = [{"uuid": extra, "name": extra, "chat_messages": messages}, {"messages": extra}, extra]
    checked(read_claude, json.dumps(talks).encode())
