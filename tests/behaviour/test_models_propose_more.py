"""With a model more is remembered; what fails costs nothing, and is told."""

from collections.abc import Callable

import pytest

from affidavit import Config, Memory
from affidavit.errors import ModelBusyError, ModelError, ModelRefusedError
from tests.conftest import TestClock
from tests.support_replies import KINDS, Replying, named, said, statement, texts

PLOT = "My allotment is plot 14 by the canal"
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
        '{"statements": [{"quote": "My all',
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


def test_a_model_that_is_away_is_left_alone_and_everything_waits(opening: Opening) -> None:
    model = Replying(ModelBusyError("no answer"))
    batch = [{"role": "user", "content": f"Locker {n} has the blue towel"} for n in range(450)]
    with opening(model) as memory:
        done = memory.add(batch, user_id="ana")
        assert (len(model.shown), done.pending) == (1, {"extract": 450})
        assert done.problems[-1].startswith("450 episodes wait")
        assert len(done.problems) == 2
        again = memory.derive(user_id="ana")
        assert (len(model.shown), again.waiting, again.episodes) == (2, 450, 450)
        model.replies = [said()]
        assert memory.derive(user_id="ana").waiting == 0
        assert memory.derive(user_id="ana").episodes == 0


def test_one_message_at_which_the_model_fails_keeps_none_of_the_others_waiting(opening: Opening) -> None:
    bad = "The forbidden word is xyzzy here"

    def reply(shown: str) -> str:
        if "xyzzy" in shown:
            raise ModelRefusedError("it would not answer")
        return said(statement(TOLD, PLOT, named(shown, PLOT))) if PLOT in shown else said()

    with opening(Replying(reply)) as memory:
        batch = [f"note {n} about the weather of today" for n in range(40)]
        batch[17], batch[23] = bad, PLOT
        done = memory.add([{"role": "user", "content": one} for one in batch], user_id="ana")
        assert (done.added, done.pending) == ((), {"extract": 40})
        again = memory.derive(user_id="ana")
        assert ([one.text for one in again.added], again.waiting) == ([TOLD], 0)
        (told,) = memory.rejections(user_id="ana")
        assert (told.check, told.code, told.episode_id) == ("extract", "model_refused", done.episodes[17].id)
        assert memory.derive(user_id="ana").episodes == 0


def test_a_model_that_only_babbles_is_left_alone_after_a_while(opening: Opening) -> None:
    model = Replying("la la la")
    with opening(model) as memory:
        memory.add([{"role": "user", "content": f"note {n} about it all"} for n in range(90)], user_id="ana")
        model.shown.clear()
        again = memory.derive(user_id="ana")
        assert (again.waiting, len(model.shown)) == (90, 13)


def test_what_the_model_found_stays_where_it_fails_or_is_not_there(
    opening: Opening, config: Config, clock: TestClock
) -> None:
    model = Replying(said(statement(TOLD, PLOT)))
    with opening(model) as memory:
        memory.add(PLOT, user_id="ana")
        model.replies = [ModelError("HTTP 500")]
        done = memory.derive(user_id="ana", where={})
        assert (done.withdrawn, done.episodes, done.waiting) == ((), 0, 0)
        assert "stays as it is" in done.problems[-1]
    with Memory(config=config, clock=clock) as memory:
        assert memory.derive(user_id="ana", where={}).withdrawn == ()
        asked = memory.derive(user_id="ana", where={"model": "callable:replying"}, dry_run=True)
        assert len(asked.withdrawn) == 1
        assert texts(memory) == [TOLD]


def test_another_model_that_reads_it_otherwise_changes_what_is_remembered(opening: Opening) -> None:
    better = "The user's allotment is plot 14 by the canal!"
    model = Replying(said(statement(TOLD, PLOT)))
    with opening(model) as memory:
        memory.add(PLOT, user_id="ana")
        same = memory.derive(user_id="ana", where={"model": "callable:replying"})
        assert (same.unchanged, same.added, same.withdrawn) == (1, (), ())
        model.replies = [said(statement("The user prefers plot 14.", PLOT, kind="preference"))]
        tried = memory.derive(user_id="ana", where={"model": "callable:replying"}, dry_run=True)
        assert len(tried.withdrawn) == len(tried.added) == 1
        model.replies = [said()]
        gone = memory.derive(user_id="ana", where={"extractor": "model-1"})
        assert len(gone.invalidated) == 1
        model.replies = [said(statement(better, PLOT))]
        back = memory.derive(user_id="ana", where={"role": "user"})
        assert [one.text for one in back.added] == [better]
        assert memory.verify().problems == ()


def test_a_dry_run_asks_and_writes_nothing(opening: Opening) -> None:
    model = Replying(said(statement(TOLD, PLOT)))
    with opening(model) as memory:
        tried = memory.add(PLOT, user_id="ana", dry_run=True)
        assert ([one.text for one in tried.added], tried.cost.model_calls) == ([TOLD], 1)
        assert memory.list(user_id="ana").items == ()
        assert memory.rejections(user_id="ana").items == ()


def test_ten_messages_are_one_question_and_at_most_one_repair(opening: Opening) -> None:
    model = Replying("not JSON at all", said())
    batch = [{"role": "user", "content": f"Here is note {n}: " + "words upon words " * 60} for n in range(10)]
    with opening(model) as memory:
        done = memory.add(batch, user_id="ana")
        assert (done.cost.model_calls, done.cost.repairs, done.pending) == (2, 1, {})
        assert "could not be used" in model.shown[1]


def test_a_model_whose_code_is_broken_is_told_and_loses_nothing(config: Config, clock: TestClock) -> None:
    class Broken:
        name = "broken"

        def complete(self, prompt: object) -> object:
            raise KeyError("choices")

    with Memory(config=config, clock=clock, llm=Broken()) as memory:  # type: ignore[arg-type]
        done = memory.add(HOME, user_id="ana")
        assert [one.text for one in done.added] == ["The user lives in Lisbon."]
        assert "broken failed (KeyError)" in done.problems[0]


def test_what_waits_for_a_model_is_not_given_up_by_whoever_has_none(opening: Opening, config: Config) -> None:
    with opening(Replying(ModelBusyError("no answer"))) as memory:
        assert memory.add(PLOT, user_id="ana").pending == {"extract": 1}
    with Memory(config=config) as without:
        told = without.derive(user_id="ana")
        assert (told.episodes, told.waiting) == (0, 1)
        assert "language model" in told.problems[0] or "model" in told.problems[0]
        without.add("I live in Graz", user_id="ana")
    with opening(Replying(said(statement(TOLD, PLOT)))) as memory:
        done = memory.derive(user_id="ana")
        assert [one.text for one in done.added] == [TOLD]
        assert done.waiting == 0
