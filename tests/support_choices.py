"""Models of the tests that choose: what they choose goes through the real question, rules and commit."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from affidavit import AddResult, Memory
from affidavit.providers.called import Called
from affidavit.text.lang.relations import RELATIONS
from affidavit.write.derive import Deriver
from tests.support_models import Proposing, stated


class Choosing:
    """A callable model that replies with what `choose` makes of the material; it keeps what it was shown."""

    name = "choosing"

    def __init__(self, choose: Callable[[str], str]) -> None:
        self._choose = choose
        self.shown: list[str] = []

    def __call__(self, messages: Sequence[Mapping[str, str]], **options: Any) -> str:
        self.shown.append(messages[1]["content"])
        return self._choose(self.shown[-1])


def choosing(memory: Memory, choose: Callable[[str], str]) -> Choosing:
    """Let a model choose from now on; what is proposed is given by `said_by`."""
    model, rooms = Choosing(choose), memory._rooms
    rooms.writing.deriver = Deriver(
        rooms.store, Proposing(lambda ids: []), relations=RELATIONS, own_names={}, model=Called(model)
    )
    return model


def said_by(memory: Memory, words: str, text: str, *, more: Any = None, **fields: Any) -> AddResult:
    """A message with these words, of which this statement is proposed."""
    deriver = memory._rooms.writing.deriver
    deriver._extractor = Proposing(lambda ids: [stated(text, (ids[0], words), **fields)])
    message = {"role": "user", "content": words} | (more or {})
    return memory.add(message, user_id="ana")


def operations(*some: tuple[str, str, str]) -> str:
    """A reply with these operations: operation, statement, memory."""
    fields = ("operation", "candidate", "memory")
    return json.dumps({"operations": [dict(zip(fields, one, strict=True)) for one in some]})


def told(shown: str, words: str) -> str:
    """The alias of the memory with these words."""
    found = re.findall(rf"^(m\d+): .*{re.escape(words)}", shown, re.MULTILINE)
    assert found, (words, shown)
    return str(found[0])
