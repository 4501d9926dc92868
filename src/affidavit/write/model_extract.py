"""Extraction with a language model beside the frames.

What the frames find is there whether or not the model answers. The model is asked once for as much text as one question
holds. What goes wrong is told, and costs no episode:

1. It can't be reached: it is left alone, and everything it has not seen waits.
2. It refuses, finds the text too long, or its reply can't be used also after the repair: that question's messages wait.
   A derivation asks again in halves, until the text that it is about stands alone: one that is refused alone is looked
   at by frames only from then on, and said so; another waits for another try or another model.
3. A reply that was cut off: what is whole in it counts, and the messages wait; halves find the rest.
4. A derivation in which nothing succeeds any more ends: so does every loop here.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from affidavit.core.candidates import Candidate
from affidavit.errors import ModelError, ModelRefusedError, ModelReplyError
from affidavit.providers.consulting import Consulting
from affidavit.providers.faults import NotTakenError
from affidavit.text.lang.relations import Relation
from affidavit.write.extract import Extracted, Frames, Material, Missed
from affidavit.write.extract_prompt import Instructions, Shown, asking, groups, halves, instructions, shown
from affidavit.write.model_reply import NAME, Reading, candidate

_MOST_CALLS: Final = 8
"""Questions of one `add`: what is longer waits for a derivation."""
_MOST_FAILURES: Final = 12
"""Failures in a row after which a derivation leaves the model alone: more than it takes to find one bad message."""
_MOST_STATEMENTS: Final = 300
"""Statements of one reply that are looked at."""
_MOST_PROBLEMS: Final = 3
_HINTS: Final = {
    "model_away": "the model gave no answer; `affidavit admin derive` asks it again",
    "model_later": "there was more text than is looked at at once; `affidavit admin derive` goes on",
    "model_refused": "the model would not look at it; use another model, or say it in other words",
    "model_unusable": "the model's reply about it could not be used; derive again, or use another model",
    "model_not_taken": "the model takes no such text, or none of that length; use another model",
    "model_cut_off": "the model's reply about it was cut off, and the rest of it is not known; derive again",
}
_LATER: Final = frozenset({"", "model_away", "model_later"})
"""What says less of an episode than what was noted of it before."""


class WithModel:
    """Frames, and a language model that proposes more. The same checks judge both."""

    name = NAME

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self._frames = Frames(relations)
        self._relations = tuple(relations)

    def extract(self, material: Material, consulting: Consulting | None) -> Extracted:
        """What the frames find, then what the model proposes."""
        found = self._frames.extract(material).candidates
        if consulting is None:
            return Extracted(candidates=found)
        run = _Run(material, consulting, instructions(self._relations))
        run.look()
        return Extracted(
            candidates=[*found, *run.candidates],
            missed=list(run.missed.values()),
            problems=run.told(),
        )


@dataclass(slots=True)
class _Run:
    """One look at some material."""

    material: Material
    consulting: Consulting
    fixed: Instructions
    candidates: list[Candidate] = field(default_factory=list)
    missed: dict[str, Missed] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    failures: int = 0
    unread: int = 0

    def look(self) -> None:
        """Ask about everything."""
        left = deque(groups(shown(self.material.episodes, self.material.earlier)))
        asked = 0
        while left:
            group = left.popleft()
            if self.consulting.away:
                self._miss(group, "model_away")
            elif asked >= _MOST_CALLS and not self.material.patient:
                self._miss(group, "model_later")
                self._tell("there is more text than is looked at at once")
            else:
                asked += 1
                left.extendleft(reversed(self._ask(group)))

    def told(self) -> tuple[str, ...]:
        """What went wrong."""
        unread = f"{self.unread} statements of {self.consulting.name} could not be read"
        return (*self.problems[:_MOST_PROBLEMS], *([unread] if self.unread else []))

    def _ask(self, group: Sequence[Shown]) -> list[list[Shown]]:
        """Ask about some messages; those to be asked about again, in smaller parts."""
        asked, reading = asking(group, self.material, self.fixed), Reading()
        code = ""
        try:
            self.consulting.ask(asked.prompt, reading.read)
        except ModelRefusedError as error:
            code = self._failed(error, "model_refused")
        except ModelReplyError as error:
            code = self._failed(error, "model_cut_off" if reading.items else "model_unusable")
        except NotTakenError as error:
            code = self._failed(error, "model_not_taken")
        except ModelError as error:
            self._tell(error.what)
            self.consulting.away = True
            self._miss(group, "model_away")
            return []
        if code and self.material.patient and not self.consulting.away:
            smaller = halves(group)
            if smaller:
                return smaller
        self._take(reading, asked.names)
        if code:
            self._miss(group, code)
        else:
            self.failures = 0
        return []

    def _failed(self, error: ModelError, code: str) -> str:
        self.failures += 1
        self._tell(error.what)
        if self.failures >= _MOST_FAILURES:
            self.consulting.away = True
        return code

    def _take(self, reading: Reading, names: Mapping[str, Shown]) -> None:
        self.unread += reading.lost + max(0, len(reading.items) - _MOST_STATEMENTS)
        stamp = {"model": self.consulting.name, "prompt": self.fixed.digest}
        self.candidates += [candidate(item, names, **stamp) for item in reading.items[:_MOST_STATEMENTS]]

    def _miss(self, group: Sequence[Shown], code: str = "") -> None:
        """Note that these were not looked at; of one that a derivation asked about alone that it was."""
        alone = self.material.patient and code in {"model_refused", "model_cut_off"}
        for one in group:
            before = self.missed.get(one.row.id, Missed(one.row.id, waits=False))
            why = before.code if before.code and code in _LATER else code
            self.missed[one.row.id] = Missed(one.row.id, before.waits or not alone, why, _HINTS.get(why, ""))

    def _tell(self, what: str) -> None:
        if what not in self.problems:
            self.problems.append(what)
