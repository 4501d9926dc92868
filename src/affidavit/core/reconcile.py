"""Structural reconcile: what an admitted statement does to the memories that are there. Pure; runs inside the commit.

Rules:

1. Equal subject, relation, object and polarity, or equal text where there is no relation: a support is added.
   Similarity alone decides nothing.
2. Of a functional relation a new value makes a new version. It takes its place by when it holds: the newest closes
   the one before, an earlier one goes into the history and displaces nothing, a later one waits for its time.
3. Lower authority never updates, closes or corrects higher: it is kept beside, with a conflict. Nor do two speakers
   below authorized settle a matter between them.
4. What is said to have ended closes what it names, and stays as the version that follows.
5. A correction takes the place of what it corrects, from the time that one held from.
6. Other polarity about the same object of an accumulating relation makes a new version of the same memory.
7. What is quarantined touches nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from affidavit.core.authority import Authority
from affidavit.core.book import Book, Held, Known
from affidavit.core.candidates import Admitted
from affidavit.core.changes import Change
from affidavit.core.ids import MEMORY
from affidavit.core.memories import CHECKS, ItemRow, MemoryStatus, Reason
from affidavit.core.values import json_text
from affidavit.core.when import Basis
from affidavit.text.likeness import match_key, same_form
from affidavit.text.relations import Relation
from affidavit.text.terms import stored_terms

_OPPOSITES = {"dislike": "like"}
_TEXT_ONLY = Relation("", "fact", False, "durable", "user")


@dataclass(slots=True)
class Outcome:
    """What became of the statements, by version id; `changes` make it so."""

    changes: list[Change] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    supported: list[str] = field(default_factory=list)
    retracted: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)


def reconcile(admitted: Sequence[Admitted], known: Known, relations: Mapping[str, Relation]) -> Outcome:
    """Take in the statements, one after another; each sees what the ones before it did."""
    book, outcome = Book(known), Outcome()
    for one in admitted:
        _Taking(one, book, relations, outcome).take()
    outcome.changes = book.changes
    return outcome


class _Taking:
    """One statement on its way in."""

    def __init__(
        self, one: Admitted, book: Book, relations: Mapping[str, Relation], outcome: Outcome
    ) -> None:
        self.one, self.said, self.book, self.outcome = one, one.candidate, book, outcome
        self.relation = relations.get(self.said.relation or "", _TEXT_ONLY)
        self.now = book.known.now
        begins = self.said.begins
        stated = None if begins is None else begins.start
        self.start = one.said_at if stated is None else stated

    def take(self) -> None:
        """Put it where it belongs."""
        if self.one.status is not MemoryStatus.ACTIVE:
            self._beside_quietly()
            return
        chain = self._chain()
        same = self._same(chain)
        if self.said.ended:
            self._end(chain)
        elif same is not None:
            self.book.support(same, self.one.authority, self.one.parts)
            self.outcome.supported.append(same.id)
        else:
            self._new_value(chain)

    # -- what it is about

    def _chain(self) -> list[Held]:
        """The versions that this statement is about: of the same relation, and what else tells them apart."""
        said = self.said
        if not said.relation:
            return self.book.matching(match_key(self.one.text))
        family = _family(said.relation)
        names = [name for name in {said.relation, family, *_OPPOSITES} if _family(name) == family]
        held = [
            one
            for one in self.book.related(said.subject, sorted(names))
            if same_form(one.row.qualifier or "") == same_form(said.qualifier or "")
        ]
        if self.relation.functional and not said.negated:
            # "I don't live in Paris" is about Paris alone.
            return [one for one in held if not one.row.negated or self._same_object(one)]
        return [one for one in held if self._same_object(one)]

    def _same_object(self, held: Held) -> bool:
        mine, its = same_form(self.said.object or ""), same_form(held.row.object or "")
        return mine == its or (self.said.ended and not mine)

    def _same(self, chain: Sequence[Held]) -> Held | None:
        """The live version that says the same and holds at the time that this one speaks of."""
        for held in reversed(chain):
            row = held.row
            alike = (row.negated, row.relation) == (int(self.said.negated), self.said.relation)
            dated = self.said.occurred is None or row.occurred_start == self.said.occurred.start
            if held.live and alike and dated and (self.said.relation is None or self._same_object(held)):
                ends = row.ends
                if ends is None or ends > self.start:
                    return held
        return None

    # -- new values

    def _new_value(self, chain: list[Held]) -> None:
        live = [held for held in chain if held.live and self._displaces(held)]
        higher = [held for held in live if not self._may_touch(held)]
        if higher:
            self._beside(higher)
        elif self.said.correction and live:
            self._correct(live)
        else:
            self._place(chain, live)

    def _displaces(self, held: Held) -> bool:
        """Whether both can't hold: other values of a functional relation, other polarity of the same object."""
        if self.relation.functional and not held.row.negated and not self.said.negated:
            return True
        if not self._same_object(held):
            return False
        opposite = _OPPOSITES.get(held.row.relation or "") != _OPPOSITES.get(self.said.relation or "")
        return opposite or bool(held.row.negated) != self.said.negated

    def _may_touch(self, held: Held) -> bool:
        mine, its = self.one.authority, held.authority
        if mine < its:
            return False
        return mine > its or mine is Authority.AUTHORIZED or held.row.claimant == self.one.claimant

    def _beside(self, higher: Sequence[Held]) -> None:
        """Kept beside what it may not touch, and shown as a conflict with it."""
        added = self._add(MEMORY_ID_NEW, self.start, None, MemoryStatus.ACTIVE)
        self.outcome.added.append(added.id)
        for held in higher:
            self.outcome.conflicts.append(self.book.conflict(held, added))

    def _beside_quietly(self) -> None:
        for held in self.book.matching(match_key(self.one.text)):
            if held.row.status == self.one.status:
                self.book.support(held, self.one.authority, self.one.parts)
                self.outcome.supported.append(held.id)
                return
        added = self._add(MEMORY_ID_NEW, self.start, None, self.one.status)
        self.outcome.added.append(added.id)

    def _correct(self, live: Sequence[Held]) -> None:
        """It was never so: the new value takes the place of the old from when that one held."""
        wrong = max(live, key=lambda held: (held.row.valid_start or 0, held.row.version))
        begins = self.said.begins
        start = wrong.row.valid_start if begins is None or begins.start is None else begins.start
        added = self._add(
            wrong.row.memory_id, self.one.said_at if start is None else start, None, MemoryStatus.ACTIVE
        )
        for held in live:
            self._close(held, held.row.valid_start, added, Reason.CORRECTED)
        self.outcome.updated.append(added.id)

    def _place(self, chain: Sequence[Held], live: Sequence[Held]) -> None:
        """By when it holds: behind what begins later, in place of what began before."""
        history = [held for held in chain if self._in_history(held)]
        later = [
            held for held in history if (held.row.valid_start or 0) > self.start and self._displaces(held)
        ]
        memory_id = (live or history)[-1].row.memory_id if live or history else MEMORY_ID_NEW
        end = min(((held.row.valid_start or 0) for held in later), default=None)
        ended = end is not None and end <= self.now
        added = self._add(
            memory_id, self.start, end, MemoryStatus.SUPERSEDED if ended else MemoryStatus.ACTIVE
        )
        for held in history:
            ends = held.row.ends
            begun = (held.row.valid_start or 0) <= self.start
            if self._displaces(held) and begun and held is not added and (ends is None or ends > self.start):
                self._close(held, self.start, added, Reason.SUPERSEDED)
        (self.outcome.updated if memory_id != MEMORY_ID_NEW else self.outcome.added).append(added.id)

    def _in_history(self, held: Held) -> bool:
        """Whether it holds now, or held once."""
        row = held.row
        never = row.ends is not None and row.valid_start is not None and row.ends <= row.valid_start
        return row.status in {MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.LAPSED} and not never

    # -- endings

    def _end(self, chain: Sequence[Held]) -> None:
        """What it names ended at `start`; the statement stays as the version that follows, or in the history."""
        live = [held for held in chain if held.live and not held.row.negated and self._same_object(held)]
        higher = [held for held in live if not self._may_touch(held)]
        if higher:
            self._beside(higher)
            return
        memory_id = (live or list(chain))[-1].row.memory_id if live or chain else MEMORY_ID_NEW
        if self.said.negated:
            added = self._add(memory_id, self.start, None, MemoryStatus.ACTIVE)
        else:
            added = self._add(memory_id, None, self.start, MemoryStatus.SUPERSEDED)
        for held in live:
            self._close(held, self.start, added, Reason.ENDED)
        (self.outcome.updated if live else self.outcome.added).append(added.id)

    def _close(self, held: Held, end: int | None, by: Held, reason: Reason) -> None:
        self.book.close(held, end, by.id)
        if held.live and (end is None or end <= self.now):
            self.book.label(held, reason, status=MemoryStatus.SUPERSEDED)
            self.book.resolve(held, by.id)

    # -- the row

    def _add(self, memory_id: str, start: int | None, end: int | None, status: MemoryStatus) -> Held:
        version = 1
        if memory_id == MEMORY_ID_NEW:
            memory_id = self.book.known.new_id(MEMORY)
        else:
            version = self.book.next_version(memory_id)
        row = row_of(self.one, memory_id, version, start, end)._replace(status=status)
        return self.book.add(row, self.one.authority, self.one.parts)


MEMORY_ID_NEW = ""
"""Stands for a memory that gets its id when it is added."""


def _family(relation: str) -> str:
    return _OPPOSITES.get(relation, relation)


def row_of(one: Admitted, memory_id: str, version: int, start: int | None, end: int | None) -> ItemRow:
    """A version's row as it is born."""
    said = one.candidate
    occurred, begins = said.occurred, said.begins
    words = occurred or begins
    return ItemRow(
        memory_id=memory_id,
        version=version,
        kind=said.kind,
        authority=one.authority,
        status=one.status,
        occurred_start=None if occurred is None else occurred.start,
        occurred_end=None if occurred is None else occurred.end,
        recorded_at=0,
        valid_start=start,
        valid_end=end,
        closed_end=None,
        closed_at=None,
        terms=stored_terms(one.text),
        subject=said.subject,
        relation=said.relation,
        object=said.object,
        qualifier=said.qualifier,
        certainty=said.certainty,
        negated=int(said.negated),
        claimant=one.claimant,
        time_text=None if words is None else words.text,
        time_basis=Basis.INFERRED if words is None else words.basis,
        time_offset=None if words is None else words.offset,
        policy=CHECKS,
        extractor=said.extractor,
        model=said.model,
        prompt=said.prompt,
        language=said.language,
        slots=_slots(one),
        metadata=one.metadata,
        actor=one.actor,
        closed_by=None,
        closed_seq=None,
        match_key=match_key(one.text),
        text=one.text,
    )


def _slots(one: Admitted) -> str:
    return json_text([[slot.name, slot.value, slot.source, str(slot.authority)] for slot in one.slots])
