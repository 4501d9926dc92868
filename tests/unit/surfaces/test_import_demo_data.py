import json
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from affidavit.surfaces.importers import ImportItem, open_import

DATA = files("affidavit.surfaces") / "demo_data"
FIRST, LAST = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 4, 18, tzinfo=UTC)


def conversation() -> list[dict[str, Any]]:
    found = list(open_import(str(DATA / "conversation.jsonl")))
    assert all(isinstance(one, ImportItem) for one in found)
    return [one.message for one in found if isinstance(one, ImportItem)]


def questions() -> dict[str, Any]:
    value: dict[str, Any] = json.loads((DATA / "questions.json").read_text(encoding="utf-8"))
    return value


def test_every_line_is_a_message_and_the_times_go_forward() -> None:
    messages = conversation()
    assert 110 <= len(messages) <= 150
    times = [datetime.fromisoformat(one["at"]) for one in messages]
    assert times == sorted(times)
    assert all(time.tzinfo is not None and FIRST <= time < LAST for time in times)
    offsets = {one["at"].partition("T")[2].lstrip("0123456789:") for one in messages}
    assert offsets == {"+01:00", "+02:00", "+08:00", "Z"}


def test_it_holds_every_kind_of_speaker_and_what_the_demo_shows() -> None:
    messages = conversation()
    assert {one["role"] for one in messages} == {"user", "assistant", "system", "tool", "document", "mail"}
    assert {one["name"] for one in messages if one["role"] == "user"} == {"Priya", "Tomás"}
    for one in messages:
        if one["role"] == "tool":
            assert isinstance(json.loads(one["content"]), dict)
        if one["role"] in {"document", "mail"}:
            assert one["author"] == "third_party"
    everything = "\n".join(one["content"] for one in messages)
    for wanted in ("```python", "```sql", "\u200d", "port 9077", "room 1984", "100,000 years ago", "500 BC"):
        assert wanted in everything


def test_every_question_has_one_place_where_its_answer_stands() -> None:
    messages = conversation()
    asked = questions()["questions"]
    assert {"en", "es", "zh", "de", "hi", "ja", "ar"} <= {one["language"] for one in asked}
    for one in asked:
        holders = [message for message in messages if one["expect"] in message["content"]]
        assert len(holders) == 1, one["question"]
        if "speaker" in one:
            assert holders[0]["name"] == one["speaker"]


def test_what_the_demo_erases_stands_in_one_session_only() -> None:
    erase = questions()["erase"]
    messages = conversation()
    for canary in erase["canaries"]:
        holders = [one for one in messages if canary in one["content"].casefold()]
        assert {one["session"] for one in holders} == {erase["session"]}
    assert {one.get("name") for one in messages if one["session"] == erase["session"]} == {"Tomás", None}


def test_the_secrets_are_false_and_each_stands_there_once() -> None:
    messages = conversation()
    for secret in questions()["secrets"]:
        assert sum(secret in one["content"] for one in messages) == 1
        assert "not" in secret.casefold() or "fake" in secret.casefold()
