"""F9: a list of parts, `None`, a missing content, tool calls and pictures crashed `add`."""

import copy
import json
from typing import Any

import pytest

from affidavit import Memory
from affidavit.errors import MessageError

CONVERSATION: list[dict[str, Any]] = [
    {"role": "system", "content": "You are a travel agent."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "Which platform is this?"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
            {"type": "text", "text": "I am in Lyon."},
        ],
    },
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "departures", "arguments": '{"station": "Lyon Part-Dieu"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "call_1", "name": "departures", "content": "TGV 6612, platform K"},
    {"role": "assistant", "content": [{"type": "output_text", "text": "It leaves from platform K."}]},
    {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]},
    {"role": "assistant"},
    {"role": "user", "content": None},
    {"role": "user", "content": []},
    {"role": "user", "content": "plain"},
]


def test_a_whole_conversation_is_kept_and_not_changed(memory: Memory) -> None:
    given = copy.deepcopy(CONVERSATION)
    result = memory.add(given, user_id="ana", session_id="s", metadata={"app": "rail"})
    assert given == CONVERSATION
    assert [episode.text for episode in result.episodes] == [
        "You are a travel agent.",
        "Which platform is this?\n\nI am in Lyon.",
        'departures({"station": "Lyon Part-Dieu"})',
        "TGV 6612, platform K",
        "It leaves from platform K.",
        "",
        "plain",
    ]
    assert [skipped.index for skipped in result.skipped] == [6, 7, 8]
    assert all(skipped.reason for skipped in result.skipped)
    call, answer, picture = (result.episodes[i] for i in (2, 3, 5))
    assert call.extra is not None
    assert call.extra["tool_calls"][0]["id"] == "call_1"
    assert answer.extra == {"tool_call_id": "call_1"}
    assert picture.extra is not None
    assert picture.extra["left_out"][0]["type"] == "image_url"
    assert memory.search("Lyon Part-Dieu", user_id="ana").hits[0].id == call.id
    assert [item.episode for item in memory.list(user_id="ana")] == list(result.episodes)
    assert not memory.verify().problems


@pytest.mark.parametrize(
    "part, text",
    [
        ({"type": "tool_use", "id": "t", "name": "book", "input": {"seat": "12A"}}, 'book({"seat": "12A"})'),
        ({"type": "tool_result", "tool_use_id": "t", "content": "booked 12A"}, "booked 12A"),
        ({"type": "refusal", "refusal": "I can't do that."}, "I can't do that."),
        ({"type": "input_text", "text": "hello"}, "hello"),
        ({"text": "no type"}, "no type"),
        ("just text", "just text"),
    ],
)
def test_every_kind_of_part_with_words_is_kept(memory: Memory, part: Any, text: str) -> None:
    episode = memory.add({"role": "assistant", "content": [part]}, user_id="ana").episodes[0]
    assert episode.text == text


def test_the_text_of_a_tool_result_in_parts_is_found(memory: Memory) -> None:
    part = {"type": "tool_result", "content": [{"type": "text", "text": "gate B22 opens at nine"}]}
    memory.add({"role": "tool", "content": [part]}, user_id="ana")
    assert "B22" in memory.search("gate B22", user_id="ana").hits[0].text


def test_a_single_mapping_as_content_is_one_part(memory: Memory) -> None:
    episode = memory.add(
        {"role": "user", "content": {"type": "text", "text": "one"}}, user_id="ana"
    ).episodes[0]
    assert episode.text == "one"


@pytest.mark.parametrize("part", [{"type": "thinking"}, {"type": 5}, {}, {"type": "text", "text": None}])
def test_an_unknown_part_is_named_not_lost_in_silence(memory: Memory, part: Any) -> None:
    episode = memory.add({"role": "user", "content": [part, "words"]}, user_id="ana").episodes[0]
    assert episode.text == "words"
    assert episode.extra is not None
    assert len(episode.extra["left_out"]) == 1


@pytest.mark.parametrize(
    "message", [{"role": "user"}, {"role": "user", "content": None}, {"role": "user", "content": [""]}]
)
def test_a_message_that_holds_nothing_alone_is_refused(memory: Memory, message: Any) -> None:
    with pytest.raises(MessageError):
        memory.add(message, user_id="ana")


def test_nothing_given_is_ever_changed(memory: Memory) -> None:
    given = {
        "role": "user",
        "content": [{"type": "text", "text": "my password is hunter2"}],
        "metadata": {"k": [1]},
    }
    options = {"tags": ["a"], "password": "hunter2"}
    before = json.dumps([given, options])
    memory.add(given, user_id="ana", metadata=options)
    assert json.dumps([given, options]) == before
