"""Models of the tests: what they propose goes through the real checks, reconcile and commit of a memory."""

from collections.abc import Callable, Sequence
from typing import Any

from affidavit import Memory
from affidavit.core.candidates import Candidate
from affidavit.core.memories import Kind, Part
from affidavit.text.lang.relations import RELATIONS
from affidavit.write.derive import Deriver
from affidavit.write.extract import Extracted, Extractor, Material

Making = Callable[[Sequence[str]], Sequence[Candidate]]
"""Candidates, given the ids of the new messages in their order."""


class Proposing:
    """An extractor that proposes what a test makes of the ids of the new messages."""

    name = "model-of-the-tests"

    def __init__(self, make: Making) -> None:
        self._make = make

    def extract(self, material: Material, consulting: object = None) -> Extracted:
        """What the test wants."""
        return Extracted(candidates=list(self._make([stored.row.id for stored in material.episodes])))


def use_model(memory: Memory, model: Extractor) -> None:
    """Let a model propose what becomes of messages from now on."""
    rooms = memory._rooms
    rooms.writing.deriver = Deriver(rooms.store, model, relations=RELATIONS, own_names={})


def propose(memory: Memory, make: Making) -> None:
    """Let candidates be proposed for the messages that come."""
    use_model(memory, Proposing(make))


def stated(text: str, *quotes: tuple[str, str], **said: Any) -> Candidate:
    """A candidate that rests on quotes of messages, each given as an id and words."""
    parts = tuple(Part(source, quote=quote) for source, quote in quotes)
    return Candidate(**{"text": text, "kind": Kind.FACT, "parts": parts} | said)
