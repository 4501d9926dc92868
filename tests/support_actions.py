"""A user, what was said to him and by him, and a gate in front of the tools of his agent."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from affidavit import Config, Memory
from affidavit.core.changes import ItemAdded, SupportAdded
from affidavit.core.decision import Decision
from affidavit.core.memories import Kind, Part
from affidavit.core.rows import row_of
from affidavit.store.protocol import View
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

    def summed_up(self, parent: str, *, text: str) -> str:
        """A version that holds from now on and rests on another one; it has the authority of that."""
        row = row_of(admitted(self.say("so far"), text=text, kind=Kind.SUMMARY))
        held = self.status(parent)
        assert held is not None
        made: list[str] = []

        def changes(view: View) -> Any:
            made[:] = [view.new_id("mem_")]
            born = row._replace(
                memory_id=made[0], version=1, recorded_at=view.now, valid_start=view.now, authority=held[1]
            )
            stands = SupportAdded(
                memory_id=made[0], version=1, number=1, authority=held[1], parts=(Part(parent),)
            )
            return [ItemAdded(row=born), stands]

        self.store.commit(self.space_id, changes)
        return f"{made[0]}@1"


@contextmanager
def acting(folder: Path, clock: Any, **more: Any) -> Iterator[Acting]:
    """A user with an empty memory, and the tools."""
    config = Config.load(db=str(folder / "store" / "memory.db"), key_dir=folder / "keys")
    with Memory(config=config, clock=clock, tools=TOOLS) as memory:
        yield Acting(memory, **more)


def codes(decision: Decision) -> list[str]:
    """The codes of the reasons, in order."""
    return [reason.code for reason in decision.reasons]
