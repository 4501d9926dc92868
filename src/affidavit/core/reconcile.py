"""Structural reconcile: what an admitted statement does to the memories that are there. Pure; runs inside the commit.

Rules, beside those of `affidavit.core.chains`, by which it then follows what holds when:

1. What says the same of a time at which it is already known adds a support. Similarity alone decides nothing.
2. What else may displace, or be displaced, becomes a further version of the same memory; the rest a new memory.
3. "Since" in the present tense is said of two times, of the beginning and of now; a change in the past of its
   beginning alone; a plan of its own time, and without one of none: it holds at no instant.
4. The later word counts: what was said again after an older statement, which comes to us late, holds again from then.
5. Where no rule may decide, both stay, with a conflict. A repeated word outlasts the rival that it may touch.
6. A correction takes the place of what it corrects, from the time that one held from. If it names a later time it is
   a change; if it may not touch, it is a rival.
7. "It ended" stays in the history, and ends what it names; a denial does so and holds from then on. A denial also
   ends the plan that had not yet begun.
8. A shorter form of a value that is known more exactly ("Lisbon" of "Lisbon, Portugal") is kept behind that one.
9. What is quarantined touches nothing.
10. Of what is open after all this a choice may have been made (`affidavit.core.choices`). Without one it is added.
"""

import json
from collections.abc import Mapping, Sequence

from affidavit.core.book import Book, Held, Known
from affidavit.core.candidates import Admitted
from affidavit.core.chains import (
    Chain,
    agree,
    chain_of,
    contest,
    counts,
    covers,
    may_touch,
    names,
    never_held,
    refines,
    settle,
)
from affidavit.core.choices import NO_CHOICES, Choice, Choices, overruled
from affidavit.core.following import follow, is_open
from affidavit.core.given_up import called_off, given_up
from affidavit.core.memories import ItemRow, Kind, MemoryStatus, Reason
from affidavit.core.outcome import Outcome, Pen
from affidavit.core.rows import row_of
from affidavit.core.when import Basis
from affidavit.text.evidence.likeness import match_key, same_form
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import Relation


def reconcile(
    admitted: Sequence[Admitted],
    known: Known,
    relations: Mapping[str, Relation],
    *,
    book: Book | None = None,
    choices: Choices = NO_CHOICES,
) -> Outcome:
    """Take in the statements, one after another; each sees what the ones before it did, and what `book` did before."""
    book, outcome = Book(known) if book is None else book, Outcome(overruled=list(choices.refused))
    for one in admitted:
        _Taking(one, book, relations, outcome).take(choices.of(one))
    outcome.changes = book.changes
    return outcome


class _Taking:
    """One statement on its way in."""

    def __init__(
        self, one: Admitted, book: Book, relations: Mapping[str, Relation], outcome: Outcome
    ) -> None:
        self.one, self.said, self.book, self.outcome = one, one.candidate, book, outcome
        self.pen = Pen(one, book, outcome)
        self.stated = None if self.said.begins is None else self.said.begins.start
        self.until = self._until()
        self.row = row_of(one)._replace(valid_end=self.until)
        self.chain = Chain(None, [])
        self.relations = relations
        self.supported: set[str] = set()

    def take(self, chosen: Sequence[Choice]) -> None:
        """Put it where it belongs."""
        if self.one.status != MemoryStatus.ACTIVE:
            self._apart()
            return
        self.chain = chain_of(self.book, self.row, self.relations)
        if is_open(self.one, self.chain):
            self.outcome.open.append(self.one)
            if follow(chosen, self.pen, self.row._replace(valid_start=self.one.said_at), self.chain):
                return
        else:
            self.outcome.overruled += [overruled(one.op, "decided", self.one, one.version) for one in chosen]
        if self.said.ended and not self.said.negated:
            self._past()
        elif self._is_some_day():
            self._someday()
        else:
            for nth, point in enumerate(self._points()):
                self._say(point, again=nth > 0)

    def _points(self) -> list[int]:
        """The instants of which it speaks."""
        now = self.one.said_at
        if self.stated is None:
            return [now]
        return [self.stated, now] if self.said.tense == "now" and self.stated < now else [self.stated]

    def _until(self) -> int | None:
        """The end that is still to come of what is so: "until June"."""
        said, begins = self.said, self.said.begins
        if begins is None or begins.start is not None or said.tense != "now" or said.ended:
            return None
        return begins.end if begins.end is not None and begins.end > self.one.said_at else None

    def _apart(self) -> None:
        """Quarantined: it meets only its like."""
        for held in self.book.matching(match_key(self.one.text)):
            if (held.row.status, held.row.claimant) == (self.one.status, self.one.claimant):
                self.pen.support(held)
                return
        self._add(self.row._replace(valid_start=self._points()[0]))

    def _is_some_day(self) -> bool:
        plan = self.said.tense == "future" and not self.said.negated
        return plan and self.stated is None and self.row.kind != Kind.EVENT

    def _someday(self) -> None:
        """A plan without a time."""
        for held in self.chain.members:
            if held.live and (held.row.valid_start, held.row.valid_end) == (None, None) and self._alike(held):
                self.pen.support(held)
                return
        self._add(self.row)

    # -- what says the same

    def _same(self, point: int) -> Held | None:
        """What already says this of that time."""
        for held in reversed(self.chain.members):
            if counts(held) and self._alike(held) and self._spans(held, point):
                return held
        return None

    def _alike(self, held: Held) -> bool:
        mine, its = self.row, held.row
        if (its.certainty, its.occurred_start) != (mine.certainty, mine.occurred_start):
            return False
        if _values(its.slots) != _values(mine.slots) or self.until not in {None, its.valid_end}:
            return False
        if its.claimant != mine.claimant and (
            its.claimant is not None or self.one.authority > held.authority
        ):
            return False
        if mine.relation is not None:
            return agree(mine, its)
        return match_key(its.text) == mine.match_key and same_form(its.subject) == same_form(mine.subject)

    def _spans(self, held: Held, point: int) -> bool:
        row = held.row
        if self.said.correction and self.stated is not None and row.valid_start != self.stated:
            return False
        if self.row.relation is None:
            return held.live and (row.ends is None or row.ends > point)
        if never_held(row) and row.closed_by and (row.valid_start or 0) <= point:
            return any(
                refines(one.row, row) and covers(one.row, point) for one in self.book.items([row.closed_by])
            )
        return covers(row, point)

    def _restate(self, same: Held, point: int) -> None:
        if same.id in self.supported:
            return
        self.supported.add(same.id)
        rises, before = self.one.authority > same.authority, self._rows()
        self.pen.support(same)
        if rises:
            self._settle(same, before)
        holding = self._holding(same)
        if self._give_up(same):
            settle(self.book, self.chain)
        for rival in self.chain.members:
            beside = rival.live and covers(rival.row, point) and self.chain.disagrees(same.row, rival.row)
            if beside and may_touch(self.row, rival.row):
                self.pen.end(rival, point, holding, Reason.SUPERSEDED)

    def _holding(self, same: Held) -> Held:
        """What holds where this was said: of a shorter form that is kept behind the more exact one, that one."""
        behind = never_held(same.row) and same.row.closed_by
        return next(iter(self.book.items([behind])), same) if behind else same

    # -- what says something else

    def _say(self, point: int, *, again: bool) -> None:
        """Say it of one instant; `again`: of the time at which it was said, after that of its beginning."""
        self.row = self.row._replace(valid_start=point)
        same = self._same(point)
        if same is not None:
            self._restate(same, point)
        elif not (again and self._overtaken(point)):
            whole = self._more_exact(point)
            if whole is None:
                self._new_value(None if again else self._wrong())
            else:
                added = self._add(self.row._replace(status=MemoryStatus.SUPERSEDED))
                self.book.close(added, point, whole.id)

    def _new_value(self, wrong: Held | None) -> None:
        before = self._rows()
        if wrong is None:
            added = self._add(self.row)
        else:
            start = wrong.row.valid_start if self.stated is None else self.stated
            added = self._add(self.row._replace(valid_start=start), wrong.row.memory_id)
            self.pen.end(wrong, wrong.row.valid_start, added, Reason.CORRECTED)
        self._give_up(added)
        self.supported.add(added.id)
        self._settle(added, before)

    def _overtaken(self, point: int) -> bool:
        """Whether what holds at the time it was said was said later still."""
        return any(
            said > self.one.said_at
            for held in self.chain.members
            if counts(held) and covers(held.row, point)
            if self.chain.displaces(held.row, self.row) and may_touch(held.row, self.row)
            for said, _ in self.book.said(held)
        )

    def _more_exact(self, point: int) -> Held | None:
        functional = self.chain.relation is not None and self.chain.relation.functional
        for held in self.chain.members if functional else ():
            known = counts(held) and covers(held.row, point) and held.row.certainty == self.row.certainty
            its = held.row.claimant in {None, self.row.claimant} and held.authority >= self.one.authority
            if known and its and refines(held.row, self.row):
                return held
        return None

    def _wrong(self) -> Held | None:
        """What a correction corrects."""
        if not self.said.correction:
            return None
        undated, at = self.row._replace(occurred_start=None), self.one.said_at
        open_to_it = [
            held
            for held in self.chain.members
            if counts(held) and not never_held(held.row) and may_touch(self.row, held.row)
            if self.chain.displaces(undated, held.row)
        ]
        planned = [
            held for held in open_to_it if self.said.tense == "future" and (held.row.valid_start or 0) > at
        ]
        found = planned or [held for held in open_to_it if covers(held.row, at)]
        wrong = max(found, key=lambda held: (held.row.valid_start or 0, held.order), default=None)
        if wrong is None or (self.stated is not None and not agree(self.row, wrong.row)):
            later = wrong is not None and (self.stated or 0) > (wrong.row.valid_start or 0)
            return None if later else wrong
        return wrong

    def _give_up(self, by: Held) -> list[Held]:
        """End the plans that a denial is about; where several may be meant, all are contested."""
        given = given_up(self.one, self.row, self.chain, self.book)
        for plan in given:
            self.pen.end(plan, plan.row.valid_start, by, Reason.ENDED)
        called = called_off(self.one, self.row, self.book)
        for plan in called:
            if len(called) == 1:
                self.pen.end(plan, self.one.said_at, by, Reason.ENDED)
                self.outcome.retracted.append(plan.id)
            else:
                self.pen.contest(plan, by)
        return given

    def _past(self) -> None:
        """It ended: kept in the history, and what it names ends."""
        now = self.one.said_at
        end = now if self.stated is None else self.stated
        self.row = self.row._replace(valid_end=end, status=MemoryStatus.SUPERSEDED)
        named = [
            held
            for held in self.chain.members
            if counts(held) and covers(held.row, now) and not held.row.negated and names(self.row, held.row)
        ]
        mine = [held for held in named if may_touch(self.row, held.row)]
        for held in self.chain.members if not mine else ():
            known = counts(held) and held.row.valid_start is None and held.row.valid_end is not None
            if known and self._alike(held) and self.stated in {None, held.row.valid_end}:
                self.pen.support(held)
                return
        before, added = self._rows(), self._add(self.row)
        for held in mine:
            if (held.row.valid_start or 0) >= end:
                self.pen.end(held, now, added, Reason.ENDED)
        self._settle(added, before)
        for held in named:
            if held not in mine and held.live:
                self.pen.contest(held, added)

    # -- what follows

    def _rows(self) -> dict[str, ItemRow]:
        return {held.id: held.row for held in self.chain.members}

    def _settle(self, added: Held, before: Mapping[str, ItemRow]) -> None:
        """Let all ends follow, and say again what was said again since; `before`: how all stood."""
        settle(self.book, self.chain)
        new = [added]
        for held in [one for one in self.chain.members if one.id in before]:
            if held.row.closed_by == added.id and held.row != before[held.id]:
                if added.row.negated > held.row.negated or added.row.valid_start is None:
                    self.outcome.retracted.append(held.id)
                new += self._said_again(held, added, before[held.id])
        for one in new:
            self.outcome.conflicts += contest(self.book, self.chain, one)

    def _said_again(self, held: Held, added: Held, before: ItemRow) -> list[Held]:
        """What the new one ends was said again after it: the version by which it holds again from then."""
        new: list[Held] = []
        since = max(self.one.said_at, added.row.valid_start or 0)
        later = [
            (said, support)
            for said, support in self.book.said(held)
            if said > since
            and (before.ends is None or said < before.ends)
            and support.authority == held.authority
        ]
        released = {
            one.id
            for one in self.chain.members
            if one.row.closed_by == held.id and never_held(one.row) and (one.row.valid_start or 0) > since
            if refines(held.row, one.row)
        }
        if later and not agree(held.row, added.row):
            start = min(said for said, _ in later)
            row = held.row._replace(
                valid_start=start, closed_end=None, closed_at=None, closed_by=None, closed_seq=None,
                status=MemoryStatus.ACTIVE, time_text=None, time_basis=Basis.INFERRED, time_offset=None,
            )  # fmt: skip
            again = self.book.add(
                self.pen.numbered(row, row.memory_id), later[0][1].authority, later[0][1].parts
            )
            for _, support in later[1:]:
                self.book.support(again, support.authority, support.parts)
            self.chain.members.append(again)
            self.outcome.updated.append(again.id)
            new.append(again)
        if later or released:
            settle(self.book, self.chain, released=released)
        return new

    # -- the row

    def _add(self, row: ItemRow, memory_id: str | None = None) -> Held:
        """A version more of the memory it belongs to, or a new memory."""
        memory_id = memory_id or self._memory_of(row)
        added = self.pen.add(row, memory_id)
        self.chain.members.append(added)
        return added

    def _memory_of(self, row: ItemRow) -> str | None:
        """The memory of what it displaces or is displaced by, as far as it may touch that."""
        if row.certainty != Certainty.ASSERTED:
            return None
        related = [
            held
            for held in self.chain.members
            if counts(held) and may_touch(row, held.row)
            if self.chain.displaces(row, held.row) or self.chain.displaces(held.row, row)
        ]
        best = max(
            related,
            key=lambda held: (held.authority.rank, held.row.valid_start or 0, held.order),
            default=None,
        )
        return None if best is None else best.row.memory_id


def _values(slots: str) -> list[tuple[str, str]]:
    return sorted((name, value) for name, value, *_ in json.loads(slots)) if slots != "[]" else []
