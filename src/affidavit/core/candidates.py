"""What an extractor proposes, what the checks make of it, and what they refuse. Nothing here is believed yet."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from affidavit.core.authority import Authority
from affidavit.core.jsonable import Result
from affidavit.core.memories import USER, Kind, MemoryStatus, Part
from affidavit.core.when import When
from affidavit.text.frames.statement import Certainty


class Check(StrEnum):
    """The steps a candidate passes, in their order."""

    QUOTE = "quote"
    STATEMENT = "statement"
    VALUES = "values"
    CERTAINTY = "certainty"
    ECHO = "echo"
    PERMISSION = "permission"
    AUTHORITY = "authority"
    QUARANTINE = "quarantine"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A value inside a text: amount, account, date, name, address, url, id; who supplied it decides its authority."""

    name: str
    value: str
    source: str
    authority: Authority


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One statement an extractor found, with the quotes it rests on.

    `parts` are quotes as the extractor gives them: offsets may be missing, and nothing about them is believed.
    `ended`: it held and holds no more. `correction`: it says that something said before was wrong. `beside`: it is one
    more value, beside others. `begins` is when it begins to hold (for `ended`: ceased to; with no start but an end to
    come: until when it holds), `occurred` when an event happens.
    """

    text: str
    kind: Kind
    parts: tuple[Part, ...]
    subject: str = USER
    relation: str | None = None
    object: str | None = None
    qualifier: str | None = None
    certainty: Certainty = Certainty.ASSERTED
    negated: bool = False
    ended: bool = False
    correction: bool = False
    beside: bool = False
    tense: str = "now"
    begins: When | None = None
    occurred: When | None = None
    extractor: str = ""
    model: str | None = None
    prompt: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """A candidate that passed: its text as it may be stored, located quotes, and how far it may be relied on.

    `said_at` is when it was said, in UTC microseconds: of its latest quote, or of its recording if nobody knows.
    """

    candidate: Candidate
    text: str
    parts: tuple[Part, ...]
    authority: Authority
    said_at: int
    claimant: str | None = None
    status: MemoryStatus = MemoryStatus.ACTIVE
    actor: str = ""
    slots: tuple[Slot, ...] = ()
    metadata: str = "{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection(Result):
    """Why something was not remembered: which check refused it, for what reason, and where it stood.

    `code` is stable and in `docs/concepts.md`; the refused text itself is kept nowhere.
    """

    check: Check
    code: str
    episode_id: str | None
    start: int | None
    end: int | None
    hint: str
    candidate: Candidate | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready, without the refused text."""
        return {
            "check": str(self.check),
            "code": self.code,
            "episode_id": self.episode_id,
            "start": self.start,
            "end": self.end,
            "hint": self.hint,
        }
