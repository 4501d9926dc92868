"""What `add` refuses: one table of bad input, its error class, and that nothing at all was written."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.errors import AffidavitError, DateError, IdError, InputError, LimitError, MessageError


class Still:
    """2026-06-01T12:00:00Z, always."""

    def now(self) -> int:
        return 1_780_315_200_000_000


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One store for the whole table: every case must leave it as it was."""
    base = tmp_path_factory.mktemp("table")
    config = Config.load(
        environ={}, home=base, db=str(base / "memory.db"), key_dir=base / "keys", embedder="none"
    )
    with Memory(config=config, clock=Still()) as opened:
        opened.add("kept", user_id="ana", session_id="s", source_id="x")
        yield opened


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


def circle() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


def user(content: object, **more: object) -> dict[str, object]:
    return {"role": "user", "content": content, **more}


MESSAGES: dict[str, tuple[Any, type[AffidavitError]]] = {
    "nothing": (None, MessageError),
    "empty text": ("", MessageError),
    "only white space": (" \n\t ", MessageError),
    "nothing that can be seen": (" \u200b\u2060\ufeff", MessageError),
    "empty list": ([], MessageError),
    "only empty messages": ([user(""), user(None)], MessageError),
    "a number": (5, MessageError),
    "bytes": (b"hello", MessageError),
    "a set": ({"hello"}, MessageError),
    "a list of numbers": ([1, 2], MessageError),
    "a list in a list": ([["hello"]], MessageError),
    "no role": ({"content": "hello"}, MessageError),
    "an unknown role": ({"role": "robot", "content": "hello"}, MessageError),
    "a role that is no text": ({"role": 1, "content": "hello"}, MessageError),
    "a role of 5,000 digits": ({"role": 10**5_000, "content": "hello"}, MessageError),
    "a role of a megabyte": ({"role": "r" * 1_000_000, "content": "hello"}, MessageError),
    "a date of 5,000 digits": (user("hello", at=10**5_000), DateError),
    "an empty role": ({"role": "", "content": "hello"}, MessageError),
    "content is a number": (user(5), MessageError),
    "content is a number in a list": (user([5]), MessageError),
    "10 MB": ("x" * 10_000_000, LimitError),
    "one byte too many, counted as UTF-8": ("é" * (1024 * 1024) + "x", LimitError),
    "1,001 messages": ([user("hello")] * 1_001, LimitError),
    "one bad message among good ones": ([user("hello"), {"role": "robot", "content": "x"}], MessageError),
    "an unreadable date": (user("hello", at="yesterday"), DateError),
    "a date that can mean two days": (user("hello", at="03/04/2026"), DateError),
    "a date as a number": (user("hello", at=1_780_315_200), DateError),
    "a year without a calendar": (user("hello", at="12000-01-01"), DateError),
    "a future date": (user("hello", at="2027-01-01"), DateError),
    "a name that is no text": (user("hello", name=["Ana"]), IdError),
    "a name that is too long": (user("hello", name="a" * 257), IdError),
    "a name with NUL": (user("hello", name="a\0b"), IdError),
    "metadata that is a list": (user("hello", metadata=["x"]), InputError),
    "metadata nested 33 deep": (user("hello", metadata=nested(33)), LimitError),
    "metadata of 65 KiB": (user("hello", metadata={"x": "y" * 65 * 1024}), LimitError),
    "metadata with NaN": (user("hello", metadata={"x": float("nan")}), InputError),
    "metadata with infinity": (user("hello", metadata={"x": [float("-inf")]}), InputError),
    "metadata with an object": (user("hello", metadata={"x": object()}), InputError),
    "metadata with a key that is no text": (user("hello", metadata={1: "x"}), InputError),
    "metadata that holds itself": (user("hello", metadata=circle()), LimitError),
    "metadata with a number of 5,000 digits": (user("hello", metadata={"x": 10**5_000}), LimitError),
    "an unknown key that holds itself": (user("hello", extra=circle()), LimitError),
    "a part that holds itself": (user([{"type": "tool_use", "name": "f", "input": circle()}]), LimitError),
    "a part nested a thousand deep": (
        user([{"type": "tool_result", "content": [nested(1_000)]}]),
        LimitError,
    ),
    "a tool's input that is not JSON": (
        user([{"type": "tool_use", "name": "f", "input": {"x": object()}}]),
        InputError,
    ),
    "a picture that holds itself": (user([{"type": "image", "source": circle()}]), LimitError),
}

ARGUMENTS: dict[str, tuple[dict[str, Any], type[AffidavitError]]] = {
    "nobody": ({"user_id": None}, IdError),
    "an empty user": ({"user_id": ""}, IdError),
    "a blank user": ({"user_id": " \t"}, IdError),
    "a user of 257 characters": ({"user_id": "u" * 257}, IdError),
    "a user with NUL": ({"user_id": "a\0"}, IdError),
    "a user with half a character": ({"user_id": "a\ud800"}, IdError),
    "a user that is true": ({"user_id": True}, IdError),
    "a user that is a float": ({"user_id": 1.5}, IdError),
    "a user that is a list": ({"user_id": ["ana"]}, IdError),
    "a user that is bytes": ({"user_id": b"ana"}, IdError),
    "a number of 5,000 digits": ({"user_id": 10**5_000}, IdError),
    "a bad agent": ({"agent_id": ""}, IdError),
    "a bad team": ({"team_id": "\0"}, IdError),
    "a bad session": ({"session_id": ""}, IdError),
    "a bad source id": ({"source_id": "s" * 257}, IdError),
    "a bad source": ({"source": 1.0}, IdError),
    "a bad key": ({"idempotency_key": ""}, IdError),
    "a bad event type": ({"event_type": []}, IdError),
    "an unknown role": ({"role": "admin"}, MessageError),
    "an unknown author": ({"author": "boss"}, InputError),
    "an author that is no text": ({"author": 1}, InputError),
    "an unknown party": ({"derived_from": "authorized"}, InputError),
    "a bad date": ({"occurred_at": "soon"}, DateError),
    "an empty date": ({"occurred_at": ""}, DateError),
    "a date as a number": ({"occurred_at": 0}, DateError),
    "a future date": ({"occurred_at": "2026-06-01T12:06:00Z"}, DateError),
    "resources as a text": ({"resources": "crm"}, InputError),
    "resources as a number": ({"resources": 1}, InputError),
    "65 resources": ({"resources": ["r"] * 65}, LimitError),
    "a bad resource": ({"resources": [""]}, IdError),
    "metadata as a text": ({"metadata": "x"}, InputError),
    "metadata nested 33 deep": ({"metadata": nested(33)}, LimitError),
    "metadata of 65 KiB": ({"metadata": {"x": "y" * 65 * 1024}}, LimitError),
    "metadata with NaN": ({"metadata": {"x": float("nan")}}, InputError),
    "a document beside messages": ({"document": "text"}, MessageError),
}


def assert_refused(memory: Memory, call: Callable[[], object], kind: type[AffidavitError]) -> None:
    before = memory.admin.inspect()
    with pytest.raises(AffidavitError) as caught:
        call()
    error = caught.value
    assert type(error) is kind
    assert error.code == kind.code
    assert error.exit_code == 2
    assert error.what
    assert error.hint
    assert "\n" not in str(error)
    assert len(str(error)) < 1_000
    assert memory.admin.inspect() == before
    assert [item.text for item in memory.list(user_id="ana")] == ["kept"]


@pytest.mark.parametrize("case", MESSAGES)
def test_a_bad_message_is_refused_and_nothing_is_written(memory: Memory, case: str) -> None:
    messages, kind = MESSAGES[case]
    assert_refused(memory, lambda: memory.add(messages, user_id="ana"), kind)


@pytest.mark.parametrize("case", MESSAGES)
def test_a_dry_run_refuses_the_same(memory: Memory, case: str) -> None:
    messages, kind = MESSAGES[case]
    assert_refused(memory, lambda: memory.add(messages, user_id="new", dry_run=True), kind)


@pytest.mark.parametrize("case", ARGUMENTS)
def test_a_bad_argument_is_refused_and_nothing_is_written(memory: Memory, case: str) -> None:
    arguments, kind = ARGUMENTS[case]
    assert_refused(memory, lambda: memory.add("hello", **({"user_id": "ana"} | arguments)), kind)


def test_bad_input_for_a_new_user_opens_no_space(memory: Memory) -> None:
    assert_refused(memory, lambda: memory.add("x" * 10_000_000, user_id="new"), LimitError)
    assert memory.admin.inspect().spaces["user"] == 1


@pytest.mark.parametrize("document", ["", " \n ", 5, b"text", ["text"]])
def test_a_bad_document_is_refused(memory: Memory, document: Any) -> None:
    with pytest.raises(InputError):
        memory.add(document=document, user_id="ana")
    assert memory.list(user_id="ana").total == 1


def test_what_is_no_text_is_no_query(memory: Memory) -> None:
    with pytest.raises(InputError, match="the query is not text but of type int"):
        memory.search(7, user_id="ana")  # type: ignore[arg-type]
