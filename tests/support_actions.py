"""A user, what was said to him and by him, and a gate in front of the tools of his agent."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from affidavit import Config, Memory
from affidavit.core.decision import Decision
from tests.support_memories import Remembering, admitted

TOOLS: dict[str, dict[str, object]] = {
    "pay": {"to": "recipient", "account": "account", "amount": "amount", "note": False},
    "ship": {"to": "recipient", "address": "address"},
    "mail": {"to": "recipient", "body": False},
    "open": {},
}
LANDLORD = "DE89 3704 0044 0532 0130 00"
CROOK = "GB29 NWBK 6016 1331 9268 19"


class Acting(Remembering):
    """What somebody said, the memories made of it, and what the gate says of acting on them."""

    def check(self, tool: str | None = None, args: Any = None, **more: Any) -> Decision:
        """What the gate says; the store goes on to verify."""
        return self.memory.check_action(tool, args, **(self.ids | more))

    def told(self, text: str, **statement: Any) -> str:
        """The user says something himself."""
        return self.remember(text, **statement)

    def heard(self, text: str, *, role: str = "mail", name: str = "Landlord", **statement: Any) -> str:
        """Somebody, or something, else says it."""
        return self.remember({"role": role, "content": text, "name": name}, claimant=name, **statement)

    def together(self, *parts: tuple[dict[str, Any], str], **statement: Any) -> str:
        """One statement that needs several quotes, each of its own message."""
        pairs = [(self.say(message), quote) for message, quote in parts]
        outcome = self.take(admitted(*pairs, **statement))
        return [*outcome.added, *outcome.updated, *outcome.supported][0]


@contextmanager
def acting(folder: Path, clock: Any, **more: Any) -> Iterator[Acting]:
    """A user with an empty memory, and the tools."""
    config = Config.load(db=str(folder / "store" / "memory.db"), key_dir=folder / "keys")
    with Memory(config=config, clock=clock, tools=TOOLS) as memory:
        yield Acting(memory, **more)


def codes(decision: Decision) -> list[str]:
    """The codes of the reasons, in order."""
    return [reason.code for reason in decision.reasons]
