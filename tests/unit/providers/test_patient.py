"""Trying again: how often, how long, and what is counted. No test waits: sleeping and time are handed in."""

import pytest

from affidavit.core.cost import Cost
from affidavit.errors import ModelBusyError, ModelError, ModelRefusedError
from affidavit.providers.consulting import Consulting
from affidavit.providers.finding import language_model
from affidavit.providers.language_model import Prompt, Reply
from affidavit.providers.patient import Patience, Patient
from tests.support_llm_server import Fail, llm_server

ASKED = Prompt(task="test", system="Answer.", user="Where?")


class Watch:
    """A clock that moves only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def patience(self, **rest: float) -> Patience:
        return Patience(sleep=self.sleep, clock=lambda: self.now, chance=lambda: 0.0, **rest)  # type: ignore[arg-type]


class Scripted:
    name = "scripted"

    def __init__(self, *replies: Reply | Exception) -> None:
        self.replies = list(replies)

    def complete(self, prompt: Prompt) -> Reply:
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


def _busy(after_s: float | None = None) -> ModelBusyError:
    return ModelBusyError("busy", after_s=after_s)


def test_it_waits_longer_each_time_and_counts() -> None:
    watch = Watch()
    model = Patient(
        Scripted(_busy(), _busy(), Reply(text="7", input_tokens=1, output_tokens=2)), watch.patience()
    )
    consulting = Consulting(model)
    assert consulting.ask(ASKED, int) == 7
    assert watch.slept == [0.5, 1.0]
    assert consulting.cost == Cost(model_calls=3, retries=2, input_tokens=1, output_tokens=2, uncounted=2)


def test_chance_adds_up_to_a_half() -> None:
    waits: list[float] = []
    patience = Patience(sleep=waits.append, clock=lambda: 0.0, chance=lambda: 0.999)
    Patient(Scripted(_busy(), Reply(text="ok")), patience).complete(ASKED)
    assert 0.74 < waits[0] < 0.75


def test_a_server_that_names_a_time_is_left_alone_that_long() -> None:
    watch = Watch()
    Patient(Scripted(_busy(20), Reply(text="ok")), watch.patience()).complete(ASKED)
    assert watch.slept == [20]


def test_a_time_beyond_our_own_is_not_waited_for() -> None:
    watch = Watch()
    with pytest.raises(ModelBusyError):
        Patient(Scripted(_busy(3_600)), watch.patience(total_s=60)).complete(ASKED)
    assert watch.slept == []


def test_it_gives_up_and_says_after_how_many_tries() -> None:
    consulting = Consulting(Patient(Scripted(_busy(), _busy(), _busy()), Watch().patience()))
    with pytest.raises(ModelBusyError):
        consulting.ask(ASKED, str)
    assert consulting.cost == Cost(model_calls=3, retries=2, uncounted=3)


@pytest.mark.parametrize("error", [ModelRefusedError("no"), ModelError("wrong key")])
def test_what_waiting_does_not_mend_is_not_tried_again(error: ModelError) -> None:
    watch = Watch()
    with pytest.raises(type(error)):
        Patient(Scripted(error), watch.patience()).complete(ASKED)
    assert watch.slept == []


def test_the_sdk_itself_does_not_try_again() -> None:
    with llm_server(Fail(500)) as server:
        with pytest.raises(ModelBusyError):
            language_model("vllm:tiny", url=server.url, tries=1).complete(ASKED)
        assert len(server.asked) == 1
