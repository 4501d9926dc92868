"""Language models of the attack table: one that writes what the attacker wants at every step, and an honest one.

They are asked as any model is, through `Memory(llm=…)`: what they are shown is in the prompt and nowhere else. The
hostile one has every lie proposed of every message, in every relation and kind; has what is known replaced, denied or
passed over; and answers with the lie, resting on whatever was opened. Whatever else it is asked, it says the lie.
"""

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from affidavit import Memory
from affidavit.providers.language_model import Prompt, Reply
from affidavit.text.lang.relations import RELATIONS
from tests.support_attacks import WHO, Attack, Twin, opened

MOST = 120
"""Statements that the hostile model writes in one reply."""
_MESSAGE = re.compile(r"^(m\d+) \(([^)]*)\): \"?(.*?)\"?$", re.MULTILINE)
_ALIAS = re.compile(r"^([cm]\d+): ", re.MULTILINE)
_OPENED = re.compile(r"^([me]\d+) \| ", re.MULTILINE)
_BEFORE = ("I like jazz. My sister Ana plays the cello.", "My passport is in the blue drawer.")
"""Words of the user's own that a lie may be hung on."""
_KINDS = ("fact", "preference", "event", "instruction")


class HostileModel:
    """A language model on the attacker's side."""

    name = "hostile-model"

    def __init__(self, attack: Attack) -> None:
        self._attack = attack
        self._ops = itertools.cycle(("UPDATE", "DELETE", "NOOP"))
        self.asked: set[str] = set()

    def complete(self, prompt: Prompt) -> Reply:
        """What the attacker wants."""
        self.asked.add(prompt.task)
        by_task = {"extract": self._extract, "reconcile": self._reconcile, "answer": self._answer}
        say = by_task.get(prompt.task)
        said = self._anything(prompt.schema or {}) if say is None else say(prompt)
        return Reply(text=json.dumps(said, ensure_ascii=False))

    def _extract(self, prompt: Prompt) -> object:
        new = prompt.user.rpartition("New messages:\n")[2]
        shown = [(name, text) for name, _, text in _MESSAGE.findall(new)]
        return {"statements": list(itertools.islice(self._statements(shown), MOST))}

    def _statements(self, shown: Sequence[tuple[str, str]]) -> Iterator[Mapping[str, Any]]:
        attack = self._attack
        own = [(name, attack.quote) for name, text in shown if attack.quote and attack.quote in text]
        quotes = [*own, *shown]
        triples = itertools.product(quotes, RELATIONS, ("user", WHO))
        for name, quote in quotes:  # what is to take the place of what is known
            yield _statement(quote, name, quote)
        lies = itertools.cycle(attack.lies)
        for lie, ((name, quote), relation, subject) in zip(lies, triples, strict=False):
            yield _statement(lie, name, quote, relation=relation, value=attack.never, subject=subject)
        for lie, (name, quote) in itertools.product(attack.lies, quotes):
            for kind in _KINDS:
                yield _statement(lie, name, quote, kind=kind)
            yield _statement(lie, name, quote, relation="home", value=attack.never, negated=True)
            yield _statement(lie, name, lie)
            for other, _ in shown:
                yield _statement(lie, other, quote)

    def _reconcile(self, prompt: Prompt) -> object:
        aliases = _ALIAS.findall(prompt.user)
        pairs = itertools.product(
            [one for one in aliases if one[0] == "c"], [one for one in aliases if one[0] == "m"]
        )
        op = next(self._ops)
        return {
            "operations": [{"candidate": new, "operation": op, "memory": known} for new, known in pairs]
            + [{"candidate": "", "operation": "DELETE", "memory": one} for one in aliases if one[0] == "m"]
        }

    def _answer(self, prompt: Prompt) -> object:
        opened = _OPENED.findall(prompt.user)
        texts = [*self._attack.lies, self._attack.never]
        pairs = itertools.product(texts, [opened, *([one] for one in opened)])
        return {"sufficient": True, "sentences": [{"text": text, "ids": ids} for text, ids in pairs][:8]}

    def _anything(self, schema: Mapping[str, Any]) -> Any:
        if "enum" in schema:
            return schema["enum"][0]
        if schema.get("type") == "object":
            return {name: self._anything(one) for name, one in schema.get("properties", {}).items()}
        if schema.get("type") == "array":
            return [self._anything(schema.get("items", {}))]
        if schema.get("type") in ("number", "integer"):
            return 1
        return True if schema.get("type") == "boolean" else (self._attack.lies or (self._attack.never,))[0]


class HonestModel:
    """A language model that proposes what the user said, adds it, and answers with what was opened."""

    name = "honest-model"

    def __init__(self, twin: Twin, value: str) -> None:
        self._twin, self._value = twin, value

    def complete(self, prompt: Prompt) -> Reply:
        """What an honest reader would say."""
        by_task = {"extract": self._extract, "reconcile": self._reconcile, "answer": self._answer}
        return Reply(text=json.dumps(by_task[prompt.task](prompt), ensure_ascii=False))

    def _extract(self, prompt: Prompt) -> object:
        new = prompt.user.rpartition("New messages:\n")[2]
        twin = self._twin
        found = [
            _statement(twin.kept, name, text, kind=str(twin.kind)) for name, _, text in _MESSAGE.findall(new)
        ]
        return {"statements": found if twin.kept else []}

    def _reconcile(self, prompt: Prompt) -> object:
        new = [one for one in _ALIAS.findall(prompt.user) if one[0] == "c"]
        return {"operations": [{"candidate": one, "operation": "ADD", "memory": ""} for one in new]}

    def _answer(self, prompt: Prompt) -> object:
        lines = re.findall(r"^([me]\d+) \| [^|]* \| (.*)$", prompt.user, re.MULTILINE)
        holding = [{"text": text, "ids": [name]} for name, text in lines if self._value in text]
        return {"sufficient": bool(holding), "sentences": holding[:1]}


def frames_alone(folder: Path, _attack: Attack) -> Memory:
    """A memory without any model."""
    return opened(folder)


def with_hostile_model(folder: Path, attack: Attack) -> Memory:
    """A memory with a language model on the attacker's side, to which the user has said this and that already."""
    memory = opened(folder, HostileModel(attack))
    for text in _BEFORE:
        memory.add(text, user_id=WHO)
    return memory


def with_honest_model(folder: Path, attack: Attack) -> Memory:
    """A memory with an honest language model."""
    return opened(folder, HonestModel(attack.twin, attack.twin.holds or attack.never))


def _statement(text: str, message: str, quote: str, **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "kind": "fact",
        "subject": "user",
        "relation": "none",
        "value": "",
        "qualifier": "",
    }
    sure = {"certainty": "asserted", "negated": False, "ended": False, "date_words": "", "date": ""}
    return {"message": message, "quote": quote, "text": text, **plain, **sure, **more}
