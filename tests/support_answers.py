"""Language models of the tests that are asked for answers: honest, hostile, broken."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from affidavit import Config, Memory
from affidavit.answer.consulted import SYSTEM
from tests.conftest import TestClock

Shown = Mapping[str, str]
"""The statements a model is shown, by alias."""
Says = Callable[[Shown, str], str]
"""A reply, given what is shown and the question."""

_STATEMENT = re.compile(r"^([me]\d+) \| [^|]* \| (.*)$", re.MULTILINE)
_TO_YOU = [
    (r"\bI'm\b|\bI am\b", "you are"), (r"\b(?:I|me)\b", "you"), (r"\bmy\b", "your"), ("the user's", "your"),
    (r"the user (\w+)s\b", r"you \1"), ("the user", "you"),
]  # fmt: skip


class Answers:
    """A callable model that answers as a test wants, and remembers what it was shown."""

    def __init__(self, says: Says) -> None:
        self._says = says
        self.shown: list[Shown] = []
        self.prompts: list[str] = []

    def __call__(self, messages: Sequence[Mapping[str, str]], **options: Any) -> str:
        """The reply."""
        if messages[0]["content"] != SYSTEM:
            return "{}"
        user = messages[1]["content"]
        self.prompts.append(user)
        self.shown.append(dict(_STATEMENT.findall(user)))
        return self._says(self.shown[-1], user.rpartition("Question: ")[2])


def reply(*sentences: tuple[str, Iterable[str]], sufficient: object = True) -> str:
    """A reply in the shape that is asked for."""
    told = [{"text": text, "ids": list(ids)} for text, ids in sentences]
    return json.dumps({"sufficient": sufficient, "sentences": told})


def choosing(*words: str) -> Says:
    """An honest model that knows by which words the statements are known that answer, and says them to the user."""

    def says(shown: Shown, question: str) -> str:
        found = [(name, text) for name, text in shown.items() if any(word in text for word in words)]
        return reply(*((to_you(text), [name]) for name, text in found), sufficient=bool(found))

    return says


def to_you(text: str) -> str:
    """A statement as it is said to the user."""
    for mine, yours in _TO_YOU:
        text = re.sub(mine, yours, text, flags=re.IGNORECASE)
    return text[:1].upper() + text[1:]


def asked_with(config: Config, clock: TestClock, says: Says) -> tuple[Memory, Answers]:
    """The same store, with a model; the caller closes it."""
    model = Answers(says)
    return Memory(llm=model, config=config, clock=clock), model
