"""Asking a language model on behalf of one verb: bounded, counted, with one repair."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from affidavit.core.cost import Cost
from affidavit.errors import ModelError, ModelRefusedError, ModelReplyError
from affidavit.providers.language_model import LanguageModel, Prompt, Reply, Stop

LONGEST_REPLY: Final = 400_000
"""Characters of a reply that are looked at; a longer one is refused."""
_MOST_NAMED: Final = 5

T = TypeVar("T")


class UnusableReply(Exception):  # noqa: N818 - never leaves this room's callers
    """A reply can't be used; `faults` say why, in words the model may be told. They hold none of its own words."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(slots=True)
class Consulting:
    """One verb's dealings with a model: what they cost, and how many repairs are left.

    `away`: it can't be reached, or does nothing of use, and this verb asks it no more; whoever finds so sets it.
    """

    model: LanguageModel
    repairs: int = 1
    cost: Cost = field(default_factory=Cost)
    away: bool = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def ask(self, prompt: Prompt, read: Callable[[str], T]) -> T:
        """What `read` makes of the reply; where it raises `UnusableReply`, the model is told once what was wrong.

        Raises `ModelError`: the model failed, refused, or gave nothing that can be used.
        """
        try:
            return read(self._reply(prompt))
        except UnusableReply as unusable:
            if not self.repairs:
                raise _useless(self.name, prompt, unusable) from None
            faults = unusable.faults
        self.repairs -= 1
        self.cost = self.cost.plus(Cost(repairs=1))
        told = "\n".join(f"- {fault}" for fault in faults[:_MOST_NAMED])
        again = (
            f"{prompt.user}\n\nYour last reply could not be used:\n{told}\nReply again, with the JSON alone."
        )
        try:
            return read(self._reply(replace(prompt, user=again)))
        except UnusableReply as unusable:
            raise _useless(self.name, prompt, unusable) from None

    def _reply(self, prompt: Prompt) -> str:
        try:
            reply = self.model.complete(prompt)
        except ModelError as error:
            tries = 1 + error.retries
            self.cost = self.cost.plus(Cost(model_calls=tries, retries=error.retries, uncounted=tries))
            raise
        except Exception as error:
            self.cost = self.cost.plus(Cost(model_calls=1, uncounted=1))
            raise ModelError(
                f"{self.name} failed ({type(error).__name__})", hint="the texts are safe; mend the model"
            ) from error
        self.cost = self.cost.plus(_cost(reply))
        if reply.stop is Stop.REFUSED:
            raise ModelRefusedError(
                f"{self.name} would not answer ({prompt.task})", hint="use another model for such texts"
            )
        if len(reply.text) > LONGEST_REPLY:
            raise UnusableReply(f"it is longer than {LONGEST_REPLY} characters")
        return reply.text


def _cost(reply: Reply) -> Cost:
    counted = reply.input_tokens is not None and reply.output_tokens is not None
    return Cost(
        model_calls=1 + reply.retries,
        retries=reply.retries,
        input_tokens=reply.input_tokens or 0,
        output_tokens=reply.output_tokens or 0,
        uncounted=reply.retries + int(not counted),
    )


def _useless(name: str, prompt: Prompt, unusable: UnusableReply) -> ModelReplyError:
    return ModelReplyError(
        f"the reply of {name} can't be used ({prompt.task}: {'; '.join(unusable.faults)})"[:400],
        hint="try again later, or use another model",
    )
