"""Faults that other systems showed when they were tried, as far as no other test of ours is about their kind."""

from itertools import permutations

import pytest

from affidavit import Config, Memory
from tests.support_models import propose, stated
from tests.support_stores import plainly

KINDS = ["fact", "preference", "event", "instruction"]


def rows(config: Config, table: str) -> int:
    """How many rows a table has."""
    with plainly(config.database) as conn:
        (count,) = conn.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(count)


def test_a_text_that_is_not_derived_from_is_stored_once(memory: Memory, config: Config) -> None:
    memory.add("I live in Lisbon", user_id="ana", infer=False)
    assert (rows(config, "episode"), rows(config, "item"), rows(config, "job")) == (1, 0, 0)


def test_a_search_writes_one_row_however_much_it_finds(memory: Memory, config: Config) -> None:
    memory.add([f"the violet key number {n}" for n in range(50)], user_id="ana")
    before = rows(config, "entry")
    assert len(memory.search("violet key", user_id="ana", limit=50)) == 50
    memory.recall("violet key", user_id="ana")
    memory.answer("Where is the violet key?", user_id="ana")
    memory.search("violet key", user_id="ana", record=False)
    assert rows(config, "trace") == 3
    assert rows(config, "entry") == before


def test_many_that_name_the_same_do_not_crowd_out_the_one_that_is_asked_for(memory: Memory) -> None:
    right = "Ines keeps the spare key in the blue tin"
    texts = [f"Ines was at the market on day {n}" for n in range(400)]
    memory.add([*texts[:200], right, *texts[200:]], user_id="ana")
    found = [
        [hit.id for hit in memory.search("Where does Ines keep the key?", user_id="ana")] for _ in range(3)
    ]
    assert found[0] == found[1] == found[2]
    assert memory.search("Where does Ines keep the key?", user_id="ana").hits[0].text == right


@pytest.mark.parametrize(
    "order", list(permutations([("2025-02", "Faro"), ("2025-07", "Porto"), ("2026-01", "Beja")]))
)
def test_in_whatever_order_it_comes_no_value_ends_before_it_begins(
    memory: Memory, order: tuple[tuple[str, str], ...]
) -> None:
    for day, place in order:
        memory.add({"role": "user", "content": f"I live in {place}", "at": day}, user_id="ana")
    found = [one.memory for one in memory.list(user_id="ana", kinds="fact")]
    held = {one.object: (one.valid.start, one.valid.end) for one in found if one is not None}
    times = [held[place] for place in ("Faro", "Porto", "Beja")]
    assert [(end or 1 << 62) > (start or 0) for start, end in times] == [True] * 3
    assert [one[1] for one in times] == [times[1][0], times[2][0], None]


def test_a_claim_about_one_order_is_not_backed_by_another_ones_record(memory: Memory) -> None:
    said = "Order A-1002 was refunded with 40 euros"
    propose(
        memory,
        lambda ids: [
            stated("Order A-1001 was refunded with 40 euros.", (ids[0], said)),
            stated("Order A-1002 was refunded with 400 euros.", (ids[0], said)),
            stated("Order A-1001 was refunded.", (ids[0], "was refunded with 40 euros")),
        ],
    )
    done = memory.add(said, user_id="ana")
    assert {one.code for one in done.rejected} == {"value_not_in_quote"}
    assert memory.list(user_id="ana", kinds=KINDS).total == 0
    decision = memory.check_action("refund", {"account": "A-1001"}, user_id="ana")
    assert [one.memory_id for one in decision.slots] == [None]


def test_how_long_something_counts_is_not_for_a_message_to_say(memory: Memory, clock) -> None:
    fresh = {"volatility": "permanent", "lifetime": "9 years", "observed_at": "2035-01-01", "stale": False}
    memory.add({"role": "user", "content": "I live in Lisbon", **fresh}, user_id="ana", metadata=fresh)
    clock.forward(seconds=3 * 366 * 86_400)
    (item,) = memory.list(user_id="ana", kinds="fact").items
    assert item.memory is not None
    assert item.memory.stale
