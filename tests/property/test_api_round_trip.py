"""What goes in comes out: any text and metadata, through add, list, get, search and a new process's eyes."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit import Config, Memory
from affidavit.errors import LimitError
from affidavit.text.clean import is_blank
from affidavit.text.prepare import mask_value, prepare

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
ANY_TEXT = st.text(st.characters(), min_size=1, max_size=60).filter(lambda text: not is_blank(text))


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, Memory]]:
    base = tmp_path_factory.mktemp("round")
    config = Config.load(
        environ={}, home=base, db=str(base / "s" / "memory.db"), key_dir=base / "keys", embedder="none"
    )
    with Memory(config=config) as writer, Memory(config=config) as reader:
        yield writer, reader


@settings(max_examples=80, deadline=None)
@given(text=ANY_TEXT, metadata=st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_any_text_and_metadata_come_back(
    pair: tuple[Memory, Memory], text: str, metadata: dict[str, Any]
) -> None:
    writer, reader = pair
    given_before = json.dumps(metadata)
    try:
        episode = writer.add(text, user_id="ana", metadata=metadata).episodes[0]
    except LimitError:
        assert len(json.dumps(metadata)) > 1_000 or max(map(abs, _numbers(metadata)), default=0) > 10**100
        return
    assert json.dumps(metadata) == given_before
    ready = prepare(text, user_message=True)
    assert episode.text == ready.text
    assert episode.spans == ready.spans
    assert episode.metadata == mask_value(metadata)
    item = reader.get(episode.id, user_id="ana")
    assert item.episode == episode
    assert reader.list(user_id="ana", newest=True, limit=1).items[0].episode == episode
    assert json.loads(json.dumps(item.to_dict()))["text"] == ready.text
    for hit in reader.search(text, user_id="ana", limit=1_000, record=False):
        assert hit.evidence[0].text == hit.text
        assert hit.user_id == "ana"


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _numbers(inner)
    elif isinstance(value, int | float):
        yield value


@settings(max_examples=40, deadline=None)
@given(st.lists(ANY_TEXT, min_size=1, max_size=5), st.sampled_from(["user", "tool", "system", "assistant"]))
def test_a_dry_run_changes_nothing_and_says_what_would_be(
    pair: tuple[Memory, Memory], texts: list[str], role: str
) -> None:
    writer, reader = pair
    writer.add("something that is there", user_id="zoe")
    before = reader.admin.inspect()
    messages = [{"role": role, "content": text} for text in texts]
    tried = writer.add(messages, user_id="zoe", dry_run=True)
    assert reader.admin.inspect() == before
    assert tried.dry_run
    done = writer.add(messages, user_id="zoe")
    assert [e.text for e in tried.episodes] == [e.text for e in done.episodes]
    assert [e.authority for e in tried.episodes] == [e.authority for e in done.episodes]
    assert tried.pending == done.pending
    assert tried.masked == done.masked


def test_all_of_it_verifies(pair: tuple[Memory, Memory]) -> None:
    assert not pair[1].verify().problems
