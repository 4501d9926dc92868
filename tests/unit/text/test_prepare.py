"""The one function that the write path calls, and its twin for metadata."""

import copy

import pytest

from affidavit.errors import InputError, LimitError
from affidavit.text.clean import clean
from affidavit.text.prepare import JSON, mask_value, prepare
from affidavit.text.spans import MAX_SPANS, Span, SpanKind, ordered, within

EPISODE = "ep_018f6a2e7b3c7d4e8f5a6b7c8d9e0f1a"


def test_spans_point_into_the_stored_text() -> None:
    made = prepare("a\0 password: hunter2 b\0\n> pin: 4821\nc", user_message=True)
    assert made.text == "a\ufffd password: [secret:password] b\ufffd\n> pin: [secret:pin]\nc"
    assert [(span.kind, made.text[span.start : span.end]) for span in made.spans] == [
        (SpanKind.REPLACED, "\ufffd"),
        (SpanKind.MASKED, "[secret:password]"),
        (SpanKind.REPLACED, "\ufffd"),
        (SpanKind.THIRD_PARTY, "> pin: [secret:pin]"),
        (SpanKind.MASKED, "[secret:pin]"),
    ]


def test_only_a_users_message_has_third_party_parts() -> None:
    assert prepare("> theirs", user_message=True).spans
    assert prepare("> theirs", user_message=False).spans == ()


def test_echoes_are_marked_for_every_role() -> None:
    for user in (True, False):
        assert [span.kind for span in prepare(f"- x [{EPISODE}]", user_message=user).spans] == [SpanKind.ECHO]


def test_a_replaced_character_inside_a_secret_goes_with_it() -> None:
    made = prepare("password: hun\0ter2", user_message=True)
    assert [span.kind for span in made.spans] == [SpanKind.MASKED]


def test_ordinary_text_is_untouched() -> None:
    text = "e\u0301 \u00e9 \u200f\u202eRTL 👨‍👩‍👧\r\n<think>tags</think>\t "
    assert prepare(text, user_message=True) == type(prepare("", user_message=True))(text, ())


def test_spans_are_bounded_for_a_hostile_text() -> None:
    _, spans = clean("\0a" * (MAX_SPANS + 500))
    assert len(spans) == MAX_SPANS
    assert (spans[-1].end, spans[-1].label) == (2 * (MAX_SPANS + 500) - 1, "many")


def test_spans_travel_as_json() -> None:
    spans = prepare("a\0 my pin is 4821", user_message=True).spans
    assert tuple(Span.from_list(span.to_list()) for span in spans) == spans


@pytest.mark.parametrize(
    "bad", [[], ["masked", 3, 1, ""], ["other", 0, 1, ""], ["masked", "0", 1, ""], ["masked", -1, 1, ""]]
)
def test_other_lists_are_no_spans(bad: list[object]) -> None:
    with pytest.raises(InputError):
        Span.from_list(bad)


def test_spans_of_a_chunk() -> None:
    spans = ordered([Span(SpanKind.MASKED, 2, 8, "pin"), Span(SpanKind.ECHO, 20, 30)])
    assert within(spans, 5, 20) == (Span(SpanKind.MASKED, 0, 3, "pin"),)


def test_metadata_is_masked_without_being_changed() -> None:
    value: JSON = {
        "note": "my pin is 4821",
        "password": "swordfish",
        "auth": {"api_key": "a1b2c3d4", "user": "bob"},
        "pin": 4821,
        "list": ["token: a1b2c3d4e5", 7, None, True],
        "a\0": 1.5,
    }
    before = copy.deepcopy(value)
    assert mask_value(value) == {
        "note": "my pin is [secret:pin]",
        "password": "[secret:password]",
        "auth": {"api_key": "[secret:token]", "user": "bob"},
        "pin": "[secret:pin]",
        "list": ["token: [secret:token]", 7, None, True],
        "a\ufffd": 1.5,
    }
    assert value == before


def test_keys_that_become_equal_are_kept_apart() -> None:
    assert mask_value({"pin: 4821": 1, "pin: 4822": 2}) == {"pin: [secret:pin]": 1, "pin: [secret:pin]#2": 2}


@pytest.mark.parametrize(
    "value",
    [{"pin": 5}, {"password": "required"}, {"token": "none"}, {"has_password": True}, {"key": "value"}],
)
def test_ordinary_metadata_stays(value: dict[str, object]) -> None:
    assert mask_value(value) == value  # type: ignore[arg-type]


def test_bottomless_metadata_is_refused() -> None:
    value: list[object] = []
    for _ in range(500):
        value = [value]
    with pytest.raises(LimitError):
        mask_value(value)  # type: ignore[arg-type]
