"""What a frame yields: a statement of the user's about himself."""

from dataclasses import dataclass
from enum import StrEnum

from affidavit.text.times.dates import Dated


class Certainty(StrEnum):
    """How sure the speaker is."""

    ASSERTED = "asserted"
    HEDGED = "hedged"
    HYPOTHETICAL = "hypothetical"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing that a user said of himself. Offsets are into the text it was found in, half open.

    `start`, `end`: the clause. `object`: the value as it stands there, at `object_start`. `qualifier`: what the value
    is of ("editor" for a favorite, "sister", "the report" for a deadline), else empty. `negated`: "I'm not",
    "I no longer". `ended`: it held and does not any more. `correction`: it corrects something said before. `beside`: it
    is one more value ("I also work at BP"). `whole`: it names no value and is about every one ("I got fired").
    `tense`: now, past or future. `time`: when it begins, happens or ended. `text`: the statement for a memory.
    """

    frame: str
    relation: str
    start: int
    end: int
    object_start: int
    object_end: int
    object: str
    qualifier: str
    negated: bool
    ended: bool
    correction: bool
    beside: bool
    whole: bool
    certainty: Certainty
    tense: str
    time: Dated | None
    language: str
    text: str

    @property
    def value(self) -> str | None:
        """The object, if it names one."""
        return None if self.whole else self.object
