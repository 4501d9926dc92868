"""With a model more is remembered; what fails costs nothing, and is told."""

from collections.abc import Callable

import pytest

from affidavit import Config, Memory
from affidavit.errors import ModelBusyError, ModelError, ModelRefusedError
from tests.conftest import TestClock
from tests.support_replies import KINDS, Replying, said, statement, texts

PLOT = "Our allotment is plot 14 by the canal"
TOLD = "The user's allotment is plot 14 by the canal."
HOME = "I live in Lisbon"
Opening = Callable[[Replying], Memory]


@pytest.fixture
def opening(config: Config, clock: TestClock) -> Opening:
    return lambda model: Memory(config=config, clock=clock, llm=model)


def test_the_model_adds_to_what_the_frames_find_and_doubles_nothing(opening: Opening) -> None:
    model = Replying(
        said(
            statement("The user lives in Lisbon.", HOME, relation="home", value="Lisbon"),
            statement("The user lives in Lisbon.", HOME),
            statement("The user resides in Lisbon", HOME),
            statement(TOLD, PLOT, "m2"),
        )
    )
    with opening(model) as memory:
        done = memory.add([{"role": "user", "content": one} for one in (HOME, PLOT)], user_id="ana")
        assert texts(memory) == ["The user lives in Lisbon.", TOLD]
        assert (done.cost.model_calls, done.cost.repairs, done.pending, done.problems) == (1, 0, {}, ())
        home, plot = (item.memory for item in memory.list(user_id="ana", kinds=KINDS).items)
        assert home is not None
        assert (home.extractor, home.model, len(home.evidence)) == ("frames-1", None, 1)
        assert plot is not None
        assert (plot.extractor, plot.model) == ("model-1", "callable:replying")
        assert str(plot.prompt).startswith("sha256:")
        assert memory.verify().problems == ()


@pytest.mark.parametrize(
    "fault",
    [
        ModelBusyError("no answer in 30 s"),
        ModelError("HTTP 500"),
        ModelRefusedError("it would not answer"),
        RuntimeError("boom"),
        "I can't help with that.",
        '{"statements": [{"quote": "Our all',
        "{" * 300_000,
        "x" * 2_000_000,
        "",
        '{"statements": "none"}',
        "[[[[1]]]]",
    ],
    ids=lambda fault: repr(fault)[:24],
)
def test_a_model_that_fails_loses_nothing_and_derive_goes_on(
    opening: Opening, fault: str | Exception
) -> None:
    model = Replying(fault)
    with opening(model) as memory:
        done = memory.add([{"role": "user", "content": one} for one in (HOME, PLOT)], user_id="ana")
        assert texts(memory) == ["The user lives in Lisbon."]
        assert done.pending == {"extract": 2}
        assert len(done.episodes) == 2
        assert "affidavit admin derive" in done.problems[-1]
        assert done.cost.model_calls == len(model.shown) <= 2
        again = memory.derive(user_id="ana")
        assert (again.waiting, again.added) in {(2, ()), (0, ())}
        model.replies = [said(statement(TOLD, PLOT, "m2"))]
        assert [one.text for one in memory.derive(user_id="ana").added] == ([TOLD] if again.waiting else [])
        assert memory.derive(user_id="ana").episodes == 0
        assert memory.verify().problems == ()
