"""Language models of the tests: callables that reply what a test wants, and keep what they were asked."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from affidavit import Memory

Script: TypeAlias = str | Exception | Callable[[str], str]
KINDS = ["fact", "preference", "event", "instruction"]


class Replying:
    """A callable `(messages, **options) -> str`: each call gets the next reply, and the last one goes on for ever.

    A reply may be a text, an error that is raised, or a function of the material that was shown.
    """

    name = "replying"

    def __init__(self, *replies: Script) -> None:
        self.replies = list(replies) or [said()]
        self.shown: list[str] = []
        self.systems: list[str] = []
        self.options: list[Mapping[str, Any]] = []

    def __call__(self, messages: Sequence[Mapping[str, str]], **options: Any) -> str:
        self.systems.append(messages[0]["content"])
        self.shown.append(messages[1]["content"])
        self.options.append(options)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply(self.shown[-1]) if callable(reply) else reply


def statement(text: str, quote: str | None = None, message: str = "m1", **fields: Any) -> dict[str, Any]:
    """A statement as a model writes it, with every field."""
    empty = {"kind": "fact", "subject": "user", "relation": "none", "value": "", "qualifier": ""}
    rest = {"certainty": "asserted", "negated": False, "ended": False, "date_words": "", "date": ""}
    given = {"message": message, "quote": text if quote is None else quote, "text": text}
    return {**given, **empty, **rest, **fields}


def said(*statements: Any) -> str:
    """The reply with these statements."""
    return json.dumps({"statements": list(statements)}, ensure_ascii=False)


def named(shown: str, words: str) -> str:
    """The short name under which the message with these words is shown."""
    found = re.findall(rf"^(m\d+) .*{re.escape(words)}", shown, re.MULTILINE)
    assert found, (words, shown)
    return str(found[0])


def texts(memory: Memory, user_id: str = "ana") -> list[str]:
    """What the memories say, of every version."""
    return [item.text for item in memory.list(user_id=user_id, kinds=KINDS).items]
