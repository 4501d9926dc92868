"""The questions a store answers for gates. Part of `Reads`: all from the same consistent state of one space."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from affidavit.core.gates import DecisionRow, PermitRow


class Wording(NamedTuple):
    """Where words of a version stand: its own text, object and slots (JSON), or a quote of one of its supports."""

    version: str
    text: str | None
    object: str | None
    slots: str
    quote: str | None


class GateReads(Protocol):
    """Reads of permits and decisions, and of the words that memories hold."""

    def permits(self, space_id: str, *, tool: str | None = None) -> list[PermitRow]:
        """The permits of a space (of one tool), ended ones too, in log order."""
        ...

    def decisions(self, space_id: str, ids: Sequence[str]) -> dict[str, DecisionRow]:
        """The decisions with these ids, those that are there."""
        ...

    def gate_texts(self, space_id: str) -> list[str]:
        """What callers gave that permits and decisions hold: the names of tools, limits, and memories; each once."""
        ...

    def wordings(
        self, space_id: str, holding: Iterable[Sequence[str]], *, after: int = -1
    ) -> Iterator[Wording]:
        """The words of versions and quotes recorded after an entry, those that may hold one of these.

        `holding` are pieces of text without white space, which stand in this order, with anything between them; letter
        case does not matter. Words with a letter beyond ASCII may hold anything.
        """
        ...
