"""F30 (MemMachine#1259): a message larger than the model's context is looked at in pieces, or waits and is told."""

import re

import pytest

from affidavit import Config, Memory
from affidavit.providers.faults import TooLargeError
from tests.conftest import TestClock
from tests.support_replies import Replying, named, said, statement, texts

PLOT = "My allotment is plot 14 by the canal"
TOLD = "The user's allotment is plot 14 by the canal."
FILLER = "The weather was fine and nothing much went on that day. "


def reply(shown: str) -> str:
    return said(statement(TOLD, PLOT, named(shown, PLOT))) if PLOT in shown else said()


def test_it_is_shown_in_pieces_that_hold_all_of_it(config: Config, clock: TestClock) -> None:
    model = Replying(reply)
    text = FILLER * 1_200 + PLOT + ". " + FILLER * 200
    with Memory(config=config, clock=clock, llm=model) as memory:
        done = memory.add(text, user_id="ana")
        assert ([one.text for one in done.added], done.pending) == ([TOLD], {})
        assert 1 < done.cost.model_calls <= 8
        assert sum(one.count("nothing much went on") for one in model.shown) == 1_400
        (item,) = memory.list(user_id="ana", kinds="fact").items
        assert item.memory is not None
        (quote,) = item.memory.evidence
        assert text[quote.start : quote.end] == PLOT


def test_more_than_an_add_looks_at_waits_for_derive(config: Config, clock: TestClock) -> None:
    model = Replying(reply)
    with Memory(config=config, clock=clock, llm=model) as memory:
        done = memory.add(FILLER * 5_000 + PLOT, user_id="ana")
        assert (done.pending, done.cost.model_calls) == ({"extract": 1}, 8)
        assert "more text than is looked at at once" in done.problems[0]
        again = memory.derive(user_id="ana")
        assert ([one.text for one in again.added], again.waiting) == ([TOLD], 0)


@pytest.mark.parametrize("most", [20_000, 9_000, 100])
def test_a_model_with_less_room_gets_smaller_pieces_or_the_text_waits(
    config: Config, clock: TestClock, most: int
) -> None:
    def small(shown: str) -> str:
        if len(shown) > most:
            raise TooLargeError("the text is longer than it takes")
        return reply(shown)

    model = Replying(small)
    with Memory(config=config, clock=clock, llm=model) as memory:
        done = memory.add([FILLER * 400 + PLOT, "A short one to look at"], user_id="ana")
        again = memory.derive(user_id="ana")
        assert len(model.shown) < 60
        if most == 100:
            assert (again.waiting, texts(memory)) == (2, [])
            assert "longer than it takes" in again.problems[0]
            (first, *_) = memory.rejections(user_id="ana")
            assert (first.check, first.code) == ("extract", "model_not_taken")
        else:
            assert (texts(memory), again.waiting) == ([TOLD], 0)
        assert len(done.episodes) == 2


def test_each_question_is_bounded(config: Config, clock: TestClock) -> None:
    model = Replying(said())
    with Memory(config=config, clock=clock, llm=model) as memory:
        memory.add([f"{n} {FILLER * 30}" for n in range(60)], user_id="ana")
        memory.add("x" * 500_000, user_id="ana")
    assert max(map(len, model.shown)) < 20_000
    assert all(re.search(r"^m1 ", one, re.MULTILINE) for one in model.shown)
