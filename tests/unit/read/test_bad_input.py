"""What reading refuses: error class and hint, and that any text is a query."""

from collections.abc import Iterator
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.errors import (
    AffidavitError,
    DateError,
    FilterError,
    IdError,
    InputError,
    LimitError,
    NotFoundError,
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One store for the whole table: every case must leave it as it was."""
    base = tmp_path_factory.mktemp("table")
    config = Config.load(
        environ={}, home=base, db=str(base / "memory.db"), key_dir=base / "keys", embedder="none"
    )
    with Memory(config=config) as opened:
        opened.add("hello", user_id="ana", session_id="s", source_id="x")
        yield opened


SEARCHES: dict[str, tuple[object, dict[str, Any], type[AffidavitError]]] = {
    "no query": (None, {}, InputError),
    "bytes": (b"hello", {}, InputError),
    "a list": (["hello"], {}, InputError),
    "65 KiB": ("x" * (64 * 1024 + 1), {}, LimitError),
    "limit 0": ("hello", {"limit": 0}, InputError),
    "limit -1": ("hello", {"limit": -1}, InputError),
    "limit true": ("hello", {"limit": True}, InputError),
    "limit a billion": ("hello", {"limit": 1_000_000_000}, InputError),
    "limit as text": ("hello", {"limit": "10"}, InputError),
    "limit as float": ("hello", {"limit": 10.0}, InputError),
    "no limit": ("hello", {"limit": None}, InputError),
    "a limit of 5,000 digits": ("hello", {"limit": 10**5_000}, InputError),
    "nobody": ("hello", {"user_id": None}, IdError),
    "a user with NUL": ("hello", {"user_id": "a\0"}, IdError),
    "a user that is true": ("hello", {"user_id": True}, IdError),
    "an unknown field": ("hello", {"filters": {"colour": "red"}}, FilterError),
    "a column that is not public": ("hello", {"filters": {"terms": "x"}}, FilterError),
    "metadata without a key": ("hello", {"filters": {"metadata.": "x"}}, FilterError),
    "an unknown operator": ("hello", {"filters": {"role": {"like": "u%"}}}, FilterError),
    "an unknown value": ("hello", {"filters": {"role": "robot"}}, FilterError),
    "a value of the wrong type": ("hello", {"filters": {"role": 5}}, FilterError),
    "a bad date in a filter": ("hello", {"filters": {"occurred_at": {"gte": "soon"}}}, FilterError),
    "an empty group": ("hello", {"filters": {"OR": []}}, FilterError),
    "a filter as text": ("hello", {"filters": "role = user"}, FilterError),
    "a bad as_of": ("hello", {"as_of": "soon"}, DateError),
    "a number as as_of": ("hello", {"as_of": 5}, DateError),
    "a bad known_at": ("hello", {"known_at": ""}, DateError),
}


@pytest.mark.parametrize("case", SEARCHES)
def test_a_bad_search_is_refused(memory: Memory, case: str) -> None:
    query, arguments, kind = SEARCHES[case]
    before = memory.admin.inspect()
    with pytest.raises(AffidavitError) as caught:
        memory.search(query, **({"user_id": "ana"} | arguments))  # type: ignore[arg-type]
    assert type(caught.value) is kind
    assert caught.value.hint
    assert len(str(caught.value)) < 1_000
    assert memory.admin.inspect() == before


@pytest.mark.parametrize("case", SEARCHES)
def test_a_bad_search_is_refused_where_nothing_is_kept_yet(memory: Memory, case: str) -> None:
    query, arguments, kind = SEARCHES[case]
    with pytest.raises(kind):
        memory.search(query, **({"user_id": "nobody yet"} | arguments))  # type: ignore[arg-type]
    assert memory.admin.inspect().spaces == {"user": 1}


LISTS: dict[str, tuple[dict[str, Any], type[AffidavitError]]] = {
    "limit 0": ({"limit": 0}, InputError),
    "limit true": ({"limit": True}, InputError),
    "limit 1,001": ({"limit": 1_001}, InputError),
    "a limit of 5,000 digits": ({"limit": 10**5_000}, InputError),
    "after as text": ({"after": "ep_1"}, InputError),
    "after true": ({"after": True}, InputError),
    "after a fraction": ({"after": 1.5}, InputError),
    "after below zero": ({"after": -1}, InputError),
    "after past 64 bits": ({"after": 1 << 70}, InputError),
    "a session that is a list": ({"session_id": ["s"]}, IdError),
    "an empty session": ({"session_id": ""}, IdError),
    "a session with half a character": ({"session_id": "\ud800"}, IdError),
    "a source id with NUL": ({"source_id": "a\0"}, IdError),
    "a user with half a character": ({"user_id": "\udfff"}, IdError),
}


@pytest.mark.parametrize("case", LISTS)
def test_a_bad_list_is_refused(memory: Memory, case: str) -> None:
    arguments, kind = LISTS[case]
    with pytest.raises(AffidavitError) as caught:
        memory.list(**({"user_id": "ana"} | arguments))
    assert type(caught.value) is kind
    assert caught.value.hint


@pytest.mark.parametrize("item_id", ["", None, 5.5, True, "x" * 257, "a\0", "\ud800", ["ep_1"]])
def test_a_bad_id_is_refused(memory: Memory, item_id: Any) -> None:
    with pytest.raises(IdError):
        memory.get(item_id, user_id="ana")


@pytest.mark.parametrize("item_id", ["ep_1", "ep_%", "*", "' OR 1=1 --", 5])
def test_an_id_that_is_not_there_is_not_found(memory: Memory, item_id: Any) -> None:
    with pytest.raises(NotFoundError) as caught:
        memory.get(item_id, user_id="ana")
    assert caught.value.hint
