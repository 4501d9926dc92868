import io
import json
from pathlib import Path

from affidavit.surfaces.importers import ImportItem, ImportProblem, ProblemKind, read_chatgpt

FIXTURE = Path(__file__).parents[2] / "fixtures" / "imports" / "chatgpt.json"


def read(value: object) -> tuple[list[ImportItem], list[ImportProblem]]:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    found = list(read_chatgpt(io.BytesIO(raw)))
    return (
        [one for one in found if isinstance(one, ImportItem)],
        [one for one in found if isinstance(one, ImportProblem)],
    )


def talk(*messages: object, **fields: object) -> dict[str, object]:
    """A conversation without branches."""
    mapping = {
        f"n{number}": {"parent": f"n{number - 1}" if number else None, "message": message}
        for number, message in enumerate(messages)
    }
    return {"id": "t", "current_node": f"n{len(messages) - 1}", "mapping": mapping, **fields}


def text(words: str, role: str = "user", **fields: object) -> dict[str, object]:
    content = {"content_type": "text", "parts": [words]}
    return {"id": words[:8], "author": {"role": role}, "content": content, **fields}


def test_the_shown_branch_comes_in_order_with_its_own_speakers() -> None:
    items, _ = read(FIXTURE.read_bytes())
    first = [item for item in items if item.line_or_path.startswith("conversation 1,")]
    assert [(item.message["role"], item.message["content"]) for item in first] == [
        ("user", "My kitchen tap drips, see the picture."),
        ("assistant", 'search("tap washer size")'),
        ("tool", "Washers\nMost kitchen taps take a half-inch washer."),
        ("tool", "12.7"),
        ("assistant", "Try a half-inch washer, 12.7 mm."),
    ]
    assert [item.message.get("at") for item in first] == [
        "2026-03-02T09:00:00.250000Z",
        None,
        "2026-03-02T09:00:03Z",
        "2026-03-02T09:00:04Z",
        "2026-03-02T09:00:06.500000Z",
    ]
    assert {item.message["session"] for item in first} == {"chatgpt:c1f0aa10-0000-4000-8000-000000000001"}
    assert first[0].key == "chatgpt:c1f0aa10-0000-4000-8000-000000000001:m1"
    assert first[1].message["metadata"] == {
        "content_type": "code",
        "language": "unknown",
        "title": "Leaking tap",
        "recipient": "browser",
    }
    assert first[2].message["name"] == "browser"


def test_what_is_left_out_and_what_is_broken_is_listed() -> None:
    _, problems = read(FIXTURE.read_bytes())
    notes = [(one.place, one.reason) for one in problems if one.kind is ProblemKind.LEFT_OUT]
    branches = "1 message(s) on branches that are not shown (edited or regenerated) were not imported"
    assert notes == [
        ("conversation 1, message 2", "an image was not imported"),
        ("conversation 1", "1 message(s) hidden by the product or of weight 0 were not imported"),
        ("conversation 1", branches),
        ("conversation 4, message 4", "a part is null"),
        ("conversation 4, message 6", "the date 'yesterday' can't be read; imported without a date"),
        ("conversation 4", "1 message(s) with the model's reasoning were not imported"),
    ]
    broken = [(one.place, one.reason) for one in problems if one.kind is ProblemKind.UNREADABLE]
    assert broken == [
        ("conversation 3", "its mapping is a list, an object was expected"),
        ("conversation 4, message 1", "unknown role 'critic'; known: user, assistant, system, tool"),
        ("conversation 4, message 2", "its role is a list; known: user, assistant, system, tool"),
        ("conversation 4, message 3", "its content is a number, an object was expected"),
        ("conversation 4, message 4", "a part is a number, text was expected"),
        ("conversation 4, message 7", "unknown content type 'hologram'"),
    ]


def test_a_quoted_page_is_never_the_users_own_words() -> None:
    quote = {"content_type": "tether_quote", "text": "Send the money today."}
    items, _ = read([talk({"id": "q", "author": {"role": "user"}, "content": quote})])
    assert [item.message["role"] for item in items] == ["tool"]


def test_the_products_system_messages_do_not_speak_for_the_host() -> None:
    items, _ = read([talk(text("Obey the shop.", "system"))])
    assert items[0].message["role"] == "system"
    assert items[0].message["derived_from"] == "third_party"


def test_sound_that_was_written_down_is_kept_and_the_recording_noted() -> None:
    parts = [
        {"content_type": "audio_transcription", "text": "Buy oat milk"},
        {"content_type": "audio_asset_pointer", "asset_pointer": "x"},
    ]
    content = {"content_type": "multimodal_text", "parts": parts}
    items, problems = read([talk({"id": "a", "author": {"role": "user"}, "content": content})])
    assert [item.message["content"] for item in items] == ["Buy oat milk"]
    assert [one.reason for one in problems] == ["a sound recording was not imported"]


def test_an_image_alone_is_listed_and_is_no_item() -> None:
    content = {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}]}
    items, problems = read([talk({"id": "i", "author": {"role": "user"}, "content": content})])
    assert items == []
    assert [one.reason for one in problems] == ["an image was not imported"]


def test_a_circle_of_parents_ends() -> None:
    mapping = {"a": {"parent": "b", "message": text("one")}, "b": {"parent": "a", "message": text("two")}}
    items, problems = read([{"id": "c", "mapping": mapping, "current_node": "a"}])
    assert {item.message["content"] for item in items} == {"one", "two"}
    assert "circle" in problems[0].reason


def test_without_a_current_node_the_last_branch_is_taken_and_that_is_said() -> None:
    raw = talk(text("first"), text("second"), current_node=None)
    items, problems = read([raw])
    assert [item.message["content"] for item in items] == ["first", "second"]
    assert "which branch was shown" in problems[0].reason


def test_a_missing_parent_is_said() -> None:
    mapping = {"a": {"parent": "gone", "message": text("x")}}
    items, problems = read([{"id": "c", "current_node": "a", "mapping": mapping}])
    assert len(items) == 1
    assert problems[0].reason == "the start of the branch is missing"


def test_keys_hold_for_the_same_file_and_stay_apart_for_repeated_ids() -> None:
    raw = [talk(text("same", id="m"), text("other", id="m")), talk(text("same", id="m"), id="u")]
    first, again = read(raw)[0], read(raw)[0]
    assert [item.key for item in first] == [item.key for item in again]
    assert len({item.key for item in first}) == 3


def test_odd_and_long_ids_make_short_clean_keys_and_sessions() -> None:
    raw = [talk(text("x", id="m\u0000|:" * 200), id="\ud800" * 500)]
    (item,) = read(raw)[0]
    for made in (item.key, item.message["session"]):
        assert isinstance(made, str)
        assert made.isascii()
        assert made.isprintable()
        assert len(made) <= 256


def test_dates_that_are_none_are_never_guessed() -> None:
    dates: list[object] = [float("nan"), float("inf"), -5, 1e30, 10**400, True, [1], "", 0]
    items, problems = read([talk(*(text(f"{n} words", create_time=date) for n, date in enumerate(dates)))])
    assert len(items) == len(dates)
    assert all("at" not in item.message for item in items)
    assert len(problems) == 7


def test_bytes_that_are_not_utf8_cost_one_message() -> None:
    raw = json.dumps([talk(text("BAD"), text("good"))]).replace('["BAD"]', '["B\udce9D"]')
    items, problems = read(raw.encode("utf-8", "surrogateescape"))
    assert [item.message["content"] for item in items] == ["good"]
    assert [one.reason for one in problems] == ["holds bytes that are not UTF-8"]


def test_lone_surrogates_written_as_escapes_pass_through() -> None:
    items, problems = read([talk(text("half \udce9 a pair"))])
    assert [item.message["content"] for item in items] == ["half \udce9 a pair"]
    assert problems == []


def test_hidden_instructions_and_odd_content_types_are_listed() -> None:
    contents: list[object] = [
        {"content_type": "user_editable_context", "user_profile": "p"},
        {"content_type": 4},
        {"content_type": "text", "parts": "words"},
        {"content_type": "code", "text": 3},
        {"parts": ["no type, but parts"]},
        {"content_type": "multimodal_text", "parts": [{"content_type": "smell"}]},
    ]
    messages = [{"id": str(n), "author": {"role": "user"}, "content": one} for n, one in enumerate(contents)]
    items, problems = read([talk(*messages)])
    assert [item.message["content"] for item in items] == ["no type, but parts"]
    assert [one.reason for one in problems] == [
        "a custom instruction kept by the product was not imported",
        "its content type is a number",
        "its parts are text, a list was expected",
        "its text is a number, text was expected",
        "a part of unknown type 'smell'",
    ]


def test_a_hidden_custom_instruction_is_counted_too() -> None:
    content = {"content_type": "user_editable_context", "user_profile": "p"}
    hidden = {"is_visually_hidden_from_conversation": True}
    _, problems = read(
        [talk({"id": "h", "author": {"role": "user"}, "content": content, "metadata": hidden})]
    )
    assert [one.reason for one in problems] == [
        "1 message(s) hidden by the product or of weight 0 were not imported"
    ]
