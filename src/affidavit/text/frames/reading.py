"""Frames matched at the beginning of a sentence's clauses, in one language."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from affidavit.text.frames.bounds import is_bare
from affidavit.text.frames.clauses import Clause, Sentence, clauses
from affidavit.text.frames.line import DATE_MARK, Line
from affidavit.text.frames.taking import Place, Taken, ending, taken
from affidavit.text.frames.values import EDGES, left_over
from affidavit.text.lang.tables import Way

_BULLET: Final = re.compile(r"[\s*•·.\"'¿¡-]*+(?:\d{1,2}[.)]\s++)?")
_ASIDE: Final = 3  # words of a clause that only says how sure the one before it is
_MEMBER: Final = 5  # words of what belongs to a series
_TURN: Final = 6  # words of a sentence that undoes the one before it
_ASKING: Final = re.compile(r"[?？]")


class Reader:
    """Reads one line."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._text = line.text
        self._table = line.table

    def taken(self) -> list[Taken]:
        """What the sentence states, clause by clause, less what it takes back itself."""
        parts = clauses(self._text, Sentence(0, len(self._text)), self._table)
        # "Sí, vivo en Toledo": the answer is none of the words that refuse.
        if len(parts) > 1 and self._table.answer.fullmatch(self._text, *parts[0]):
            parts = parts[1:]
        if not parts or self._table.refuse.search(self._text, parts[0].start):
            return []
        every: list[Taken] = []
        ends = Clause(len(self._text), len(self._text))
        before, follows, opens = 0, False, True
        parts = self._telling(parts)
        for number, (clause, behind) in enumerate(pairwise([*parts, ends])):
            begin, correction = self._begin(clause)
            place = Place(
                clause=clause,
                before=before,
                behind=behind.start,
                series=self._series(parts[number:]),
                correction=correction or self._corrects(before) or self._denies(clause, behind),
                hedged=self._hedged(clause, behind),
                greeted=opens and self._table.greeting.search(self._text, 0, begin) is not None,
                opens=opens,
            )
            found = self._read(place, behind, self._table.ways)
            if found is None and follows:
                found = self._read(place, behind, self._table.follow)
            follows = found is not None and not found.way.other
            opens = opens and (found is not None or begin >= clause.end)
            if found is not None:
                if not (found.turns and self._table.undoing.search(self._text, found.end)):
                    every += [one for one in (found, ending(self._line, found)) if one is not None]
            elif every and self._undoes(clause, behind, before, every[-1].way):
                every = []
            before = clause.end
        return every

    def left(self, said: Sequence[Taken]) -> list[Taken]:
        """What is left of what the sentence before said, behind this one that states nothing itself."""
        parts = clauses(self._text, Sentence(0, len(self._text)), self._table)
        ends, before = Clause(len(self._text), len(self._text)), 0
        for clause, behind in pairwise([*parts, ends]):
            if said and self._undoes(clause, behind, before, said[-1].way):
                return []
            before = clause.end
        short = len(self._text.split()) <= _TURN if self._table.spaced else len(self._text) <= _TURN * 2
        if short and self._table.undoing.search(self._text):
            return [one for one in said if not one.turns]
        return list(said)

    def _read(self, place: Place, behind: Clause, ways: Sequence[Way]) -> Taken | None:
        """What the first way takes that takes something of the clause."""
        clause = place.clause
        begin, _ = self._begin(clause)
        if self._is_taken_back(behind) or (not self._table.spaced and self._asks(begin, clause.end)):
            return None
        for way in ways:
            for pattern in way.patterns:
                if self._line.words.may_match(pattern.keys):
                    match = pattern.regex.match(self._text, begin, clause.end)
                    found = match and taken(self._line, place, way, match)
                    if found is not None:
                        return found
        return None

    def _series(self, parts: list[Clause]) -> int:
        """Where a series ends that begins in the first clause: ", shellfish, and soy" belongs to it."""
        for clause in parts[1:]:
            begin, _ = self._begin(clause)
            member = self._text[begin : clause.end].strip()
            short = member and len(member.split()) <= _MEMBER and not self._table.begin.match(member)
            joined = self._text[: clause.start].rstrip().endswith(",")
            if not (short and joined):
                break
            if self._table.series.search(self._text, clause.start, clause.end):
                return clause.end
        return parts[0].end

    def _telling(self, parts: list[Clause]) -> list[Clause]:
        """Without the question at the end; nothing is told where the question is about what was said."""
        if _ASKING.search(self._text) is None:
            return parts
        last = parts[-1]
        return parts[:-1] if self._asks(self._begin(last)[0], last.end) else []

    def _asks(self, start: int, end: int) -> bool:
        """Whether a clause asks: by its first word, or in a language without spaces by any."""
        look = self._table.asks.match if self._table.spaced else self._table.asks.search
        return look(self._text, start, end) is not None

    def _begin(self, clause: Clause) -> tuple[int, bool]:
        """Where a clause begins behind bullets, dates and words like "well"; whether those say that it corrects."""
        at, correction = clause.start, False
        while True:
            bullet = _BULLET.match(self._text, at, clause.end)
            start = bullet.end() if bullet else at
            lead = self._table.lead.match(self._text, start, clause.end)
            if lead is None:
                return start, correction
            correction = correction or self._table.correct.search(lead[0]) is not None
            at = lead.end()

    def _hedged(self, clause: Clause, behind: Clause) -> bool:
        """Whether something before a clause's end makes it unsure, or ", I think" does behind it."""
        short = len(self._text[behind.start : behind.end].split()) <= _ASIDE
        return self._table.hedge.search(self._text, 0, behind.end if short else clause.end) is not None

    def _denies(self, clause: Clause, behind: Clause) -> bool:
        """Whether ", not Lisbon" stands behind; "but not cats" corrects nothing."""
        joined = any(map(str.isalpha, self._text[clause.end : behind.start]))
        return not joined and self._denial(behind) is not None

    def _undoes(self, clause: Clause, behind: Clause, before: int, way: Way) -> bool:
        """Whether a clause that states nothing takes back, or replaces, what was said before it."""
        begin, _ = self._begin(clause)
        whole = (self._table.undone.match(self._text, at, clause.end) for at in {clause.start, begin})
        if any(one and self._ends(one.start() + len(one[0].rstrip()), clause.end) for one in whole):
            return True
        if begin >= clause.end:
            # "tomorrow, no, on Friday": dates are no clauses.
            return self._corrects(clause.end) and DATE_MARK in self._text[clause.end : behind.start]
        instead = self._table.instead.search(self._text, clause.start, begin) is not None
        aside = self._table.aside.search(self._text, clause.start, clause.end)
        goes_on = aside or self._table.begin.match(self._text, begin, clause.end)
        return (
            (instead or self._corrects(before))
            and goes_on is None
            and is_bare(self._line, begin, clause.end, way.shape)
        )

    def _ends(self, start: int, end: int) -> bool:
        """Whether nothing follows, a date neither."""
        dated = DATE_MARK in self._text[start:end]
        return not dated and not left_over(self._text, start, end, None, self._table)

    def _is_taken_back(self, behind: Clause) -> bool:
        """Whether a denial stands behind that denies all: "I love waiting, not!"."""
        denial = self._denial(behind)
        return denial is not None and self._ends(denial.start() + len(denial[0].strip()), behind.end)

    def _denial(self, clause: Clause) -> re.Match[str] | None:
        return self._table.denial.match(self._text, self._begin(clause)[0], clause.end)

    def _corrects(self, before: int) -> bool:
        """Whether the clause that ends at `before` says nothing but that the next one corrects: "Correction: …"."""
        found = [one.end() for one in self._table.correct.finditer(self._text, 0, before)]
        return bool(found) and not self._text[found[-1] : before].strip(EDGES)
