"""Asking a language model: counted, with one repair, and never more."""

import json

import pytest

from affidavit.core.cost import Cost
from affidavit.errors import ModelError, ModelRefusedError, ModelReplyError
from affidavit.providers.called import Called
from affidavit.providers.consulting import LONGEST_REPLY, Consulting, UnusableReply
from affidavit.providers.language_model import LanguageModel, Prompt, Reply, Stop

ASKED = Prompt(task="test", system="Answer.", user="What is it?")


class Scripted:
    name = "scripted"

    def __init__(self, *replies: Reply | Exception) -> None:
        self.replies = list(replies)
        self.prompts: list[Prompt] = []

    def complete(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UnusableReply("it is not a number") from None


def test_a_reply_is_read_and_counted() -> None:
    consulting = Consulting(Scripted(Reply(text="7", input_tokens=11, output_tokens=2)))
    assert consulting.ask(ASKED, _number) == 7
    assert consulting.cost == Cost(model_calls=1, input_tokens=11, output_tokens=2)


def test_what_was_wrong_is_told_once() -> None:
    model = Scripted(Reply(text="seven"), Reply(text="7"))
    consulting = Consulting(model)
    assert consulting.ask(ASKED, _number) == 7
    assert consulting.cost == Cost(model_calls=2, repairs=1, uncounted=2)
    assert "it is not a number" in model.prompts[1].user
    assert "seven" not in model.prompts[1].user


def test_a_verb_has_one_repair_in_all() -> None:
    model = Scripted(*(Reply(text=text) for text in ("seven", "7", "eight", "8")))
    consulting = Consulting(model)
    assert consulting.ask(ASKED, _number) == 7
    with pytest.raises(ModelReplyError, match="not a number"):
        consulting.ask(ASKED, _number)
    assert consulting.cost.model_calls == 3


def test_a_reply_that_stays_useless_is_an_error_without_its_words() -> None:
    consulting = Consulting(Scripted(Reply(text="secret"), Reply(text="secret")))
    with pytest.raises(ModelReplyError) as caught:
        consulting.ask(ASKED, _number)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "reply, kind",
    [
        (Reply(text="", stop=Stop.REFUSED), ModelRefusedError),
        (ModelError("it is away"), ModelError),
    ],
)
def test_a_failure_is_counted_and_not_repaired(reply: Reply | Exception, kind: type[ModelError]) -> None:
    consulting = Consulting(Scripted(reply))
    with pytest.raises(kind):
        consulting.ask(ASKED, _number)
    assert (consulting.cost.model_calls, consulting.repairs) == (1, 1)


def test_a_reply_without_end_is_not_read() -> None:
    consulting = Consulting(Scripted(Reply(text="7" * (LONGEST_REPLY + 1)), Reply(text="7")))
    assert consulting.ask(ASKED, _number) == 7


def test_any_callable_is_a_model() -> None:
    def call(messages: list[dict[str, str]], **options: object) -> str:
        return json.dumps([[one["role"] for one in messages], sorted(options)])

    model = Called(call)
    assert isinstance(model, LanguageModel)
    assert json.loads(model.complete(ASKED).text) == [["system", "user"], ["max_tokens"]]
    assert model.name.startswith("callable:")


def test_what_a_callable_raises_or_gives_is_told() -> None:
    def broken(messages: object, **options: object) -> str:
        raise ZeroDivisionError("at http://host?key=SECRET")

    async def later(messages: object, **options: object) -> str:
        return "{}"

    with pytest.raises(ModelError, match=r"failed \(ZeroDivisionError\)") as caught:
        Called(broken).complete(ASKED)
    assert "SECRET" not in str(caught.value)
    assert "SECRET" in str(caught.value.__cause__)
    with pytest.raises(ModelError, match="asynchronous"):
        Called(later).complete(ASKED)  # type: ignore[arg-type]
    with pytest.raises(ModelReplyError, match="int"):
        Called(lambda messages, **options: 7).complete(ASKED)  # type: ignore[arg-type]
