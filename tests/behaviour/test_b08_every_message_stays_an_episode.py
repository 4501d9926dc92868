"""Behaviour 8, the batch: however it repeats itself, every message stays an episode."""

import pytest

from affidavit import Memory
from affidavit.errors import IdempotencyError


def test_a_batch_that_repeats_itself_keeps_every_message(memory: Memory) -> None:
    batch = [
        {"role": "user", "content": text} for text in ("hi", "I like tea", "hi", "I like tea", "I like tea")
    ]
    result = memory.add(batch, user_id="ana", session_id="s")
    assert [episode.text for episode in result.episodes] == [message["content"] for message in batch]
    assert len({episode.id for episode in result.episodes}) == 5
    assert [episode.seq for episode in result.episodes] == sorted(episode.seq for episode in result.episodes)
    assert memory.add(batch, user_id="ana").episodes
    assert memory.list(user_id="ana", kinds="episode").total == 10
    assert not memory.verify().problems


def test_the_same_key_gives_the_same_episodes_in_their_order(memory: Memory) -> None:
    batch = [{"role": "user", "content": f"note {n}"} for n in range(25)]
    first = memory.add(batch, user_id="ana", idempotency_key="import")
    again = memory.add(batch, user_id="ana", idempotency_key="import")
    assert again.episodes == ()
    assert again.repeated == first.episodes
    assert memory.list(user_id="ana").total == 25


def test_what_follows_under_the_same_key_is_added_to_it(memory: Memory) -> None:
    batch = [{"role": "user", "content": f"note {n}"} for n in range(5)]
    first = memory.add(batch[:3], user_id="ana", idempotency_key="import")
    again = memory.add(batch, user_id="ana", idempotency_key="import")
    assert again.repeated == first.episodes
    assert [episode.text for episode in again.episodes] == ["note 3", "note 4"]


def test_the_same_key_with_other_content_is_refused_whole(memory: Memory) -> None:
    memory.add("I like tea", user_id="ana", idempotency_key="k")
    before = memory.admin.inspect()
    with pytest.raises(IdempotencyError) as caught:
        memory.add("I like coffee", user_id="ana", idempotency_key="k")
    assert caught.value.hint
    assert memory.admin.inspect() == before
    assert memory.add("I like coffee", user_id="ben", idempotency_key="k").episodes


def test_a_key_compares_what_is_stored_so_a_secret_repeats_too(memory: Memory) -> None:
    text = "my password is hunter2"
    first = memory.add(text, user_id="ana", idempotency_key="k")
    assert memory.add(text, user_id="ana", idempotency_key="k").repeated == first.episodes


def test_a_document_under_a_key_comes_once(memory: Memory) -> None:
    text = "A paragraph of plain words. " * 200
    first = memory.add(document=text, user_id="ana", idempotency_key="doc")
    again = memory.add(document=text, user_id="ana", idempotency_key="doc")
    assert again.repeated == first.episodes
    assert memory.list(user_id="ana").total == len(first.episodes) > 2
