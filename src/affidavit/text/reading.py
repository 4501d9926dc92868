"""One sentence, one language: frames matched at the beginning of its clauses, values and times taken from them."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from affidavit.text.clauses import Clause, Sentence, clauses
from affidavit.text.dates import Found, find, written
from affidavit.text.statement import Certainty, Statement
from affidavit.text.tables import Shape, Table, Way
from affidavit.text.templates import Words
from affidavit.text.values import DATE_MARK, EDGES, is_value, left_over, value_end
from affidavit.text.view import View

_BULLET: Final = re.compile(r"[\s*•·#.\"'¿¡-]*+(?:\d{1,2}[.)]\s++)?")
_ASKING: Final = re.compile(r"[?？]")
_LEANS: Final = {"begun": "past", "past": "past", "ended": "past", "future": "future"}


class Moment(NamedTuple):
    """When and where in the day something is said."""

    anchor: int
    offset: int


class Reader:
    """Reads one sentence with one language's table. Offsets inside are those of the view."""

    def __init__(
        self, seen: View, sentence: Sentence, table: Table, said: Sequence[tuple[int, int]], moment: Moment
    ) -> None:
        self._seen, self._table, self._moment = seen, table, moment
        self._start, self._end = sentence
        self._said = [one for one in said if one[0] < self._end and one[1] > self._start]
        self._dates = self._find(self._start, self._end, "")
        # Positions in this text are those in the view less the sentence's start.
        self._text = self._blotted()
        self._words = Words(self._text, spaced=table.spaced)
        self._capitals = any(map(str.isupper, self._source(self._start, self._end)))

    def statements(self) -> Iterator[Statement]:
        """What the sentence states, clause by clause."""
        parts = self._telling(clauses(self._text, Sentence(0, len(self._text)), self._table))
        told = False
        for number, clause in enumerate(parts):
            before = parts[number - 1].end if number else 0
            behind = parts[number + 1] if number + 1 < len(parts) else None
            found = self._read(clause, before, behind, self._table.ways)
            if found is None and told:
                found = self._read(clause, before, behind, self._table.follow)
            told = found is not None
            if found is not None:
                yield found

    def _telling(self, parts: list[Clause]) -> list[Clause]:
        """Without the question at the end; nothing is told where the question is about what was said."""
        if not parts or _ASKING.search(self._text) is None:
            return parts
        last = parts[-1]
        return parts[:-1] if self._asks(self._begin(last)[0], last.end) else []

    def _asks(self, start: int, end: int) -> bool:
        """Whether a clause asks: by its first word, or in a language without spaces by any."""
        look = self._table.asks.match if self._table.spaced else self._table.asks.search
        return look(self._text, start, end) is not None

    def _read(
        self, clause: Clause, before: int, behind: Clause | None, ways: Sequence[Way]
    ) -> Statement | None:
        begin, correction = self._begin(clause)
        if self._is_taken_back(behind):
            return None
        if not self._table.spaced and self._asks(begin, clause.end):
            return None
        for way in ways:
            for pattern in way.patterns:
                if self._words.may_match(pattern.keys):
                    match = pattern.regex.match(self._text, begin, clause.end)
                    found = match and self._taken(way, match, clause, before, behind, correction)
                    if found is not None:
                        return found
        return None

    def _is_taken_back(self, behind: Clause | None) -> bool:
        """"I love waiting, not!": a denial that denies all."""
        if behind is None:
            return False
        denial = self._table.denial.match(self._text, self._begin(behind)[0], behind.end)
        return denial is not None and not self._text[denial.end() : behind.end].strip(" .!")

    def _begin(self, clause: Clause) -> tuple[int, bool]:
        """Where the clause begins behind bullets, dates and words like "well"; whether those say that it corrects."""
        at, correction = clause.start, False
        while True:
            bullet = _BULLET.match(self._text, at, clause.end)
            start = bullet.end() if bullet else at
            lead = self._table.lead.match(self._text, start, clause.end)
            if lead is None:
                return start, correction
            correction = correction or self._table.correct.search(lead[0]) is not None
            at = lead.end()

    def _taken(
        self, way: Way, match: re.Match[str], clause: Clause, before: int, behind: Clause | None, correction: bool
    ) -> Statement | None:
        value = self._value(way, match, clause)
        if value is None or self._in_quotes(clause, value, way.shape):
            return None
        over = way.state == "negated" and self._table.ended.search(self._text, value[1], clause.end)
        state = "ended" if over else way.state
        date = self._date(clause, before, behind, way) if way.timed else None
        time = date.dated if date is not None else None
        tense = self._tense(state, date)
        if tense is None or (way.dated and (time is None or (time.start is None and time.end is None))):
            return None
        denial = behind is not None and self._table.denial.match(self._text, self._begin(behind)[0], behind.end)
        denied = self._table.denial.search(self._text, value[1], clause.end)
        first, last = self._whole(clause, date)
        object_start, object_end = self._seen.back(self._start + value[0], self._start + value[1])
        qualifier = self._slot(match, "qualifier")
        words = self._seen.source[object_start:object_end]
        template = self._table.sentence(way, state)
        if template is None:
            return None
        return Statement(
            frame=way.frame,
            relation=way.relation,
            start=first,
            end=last,
            object_start=object_start,
            object_end=object_end,
            object=words,
            qualifier=qualifier,
            negated=state in ("negated", "ended"),
            ended=state in ("ended", "past"),
            correction=bool(correction or denial or denied),
            certainty=Certainty.HEDGED if self._table.hedge.search(self._text) else Certainty.ASSERTED,
            tense=tense,
            time=time,
            language=self._table.code,
            text=template.format(
                object=words,
                qualifier=qualifier,
                date=written(time, self._moment.offset) if time is not None else "",
            ),
        )

    def _value(self, way: Way, match: re.Match[str], clause: Clause) -> tuple[int, int] | None:
        """Where the value stands."""
        shape = way.shape
        if shape.date:
            return self._date_value(match, clause, shape)
        if "object" in match.re.groupindex:
            start = match.start("object")
            end = start + len(match["object"].rstrip())
            rest = match.end()
        else:
            start = match.start("from") if "from" in match.re.groupindex else match.end()
            end = value_end(self._text, start, clause.end, shape, self._table)
            rest = end
            start += len(self._text[start:end]) - len(self._text[start:end].lstrip(EDGES))
        source = self._source(self._start + start, self._start + end) if start < end else ""
        if not is_value(self._text[start:end], source, shape, self._table, capitals=self._capitals):
            return None
        if not way.open and left_over(self._text, rest, clause.end, shape, self._table):
            return None
        return start, end

    def _date_value(self, match: re.Match[str], clause: Clause, shape: Shape) -> tuple[int, int] | None:
        edge = match.start() + len(match[0].rstrip())
        for one in self._dates:
            start, end = one.start - self._start, one.end - self._start
            if start >= edge:
                near = not self._text[edge:start].strip() and end <= clause.end
                core = self._seen.text[one.core : one.end]
                fits = near and not shape.never.search(core)
                done = fits and not left_over(self._text, end, clause.end, None, self._table)
                return (one.core - self._start, end) if done else None
        return None

    def _in_quotes(self, clause: Clause, value: tuple[int, int], shape: Shape) -> bool:
        for start, end in self._said:
            first, last = start - self._start, end - self._start
            if first < clause.end and last > clause.start:
                around = first <= value[0] and value[1] <= last and value[0] - first <= 1 and last - value[1] <= 2
                if not (shape.quoted and around):
                    return True
        return False

    def _date(self, clause: Clause, before: int, behind: Clause | None, way: Way) -> Found | None:
        """The time of a clause: one inside it, else one that stands alone before it or behind it."""
        until = behind.start if behind is not None else len(self._text)
        chosen: Found | None = None
        for first, last in ((clause.start, clause.end), (before, clause.start), (clause.end, until)):
            inside = [d for d in self._dates if first <= d.start - self._start and d.end - self._start <= last]
            if inside and chosen is None:
                chosen = inside[0]
        lean = _LEANS.get(way.state)
        if chosen is not None and chosen.dated.resolved and lean:
            again = self._find(chosen.start, chosen.end, lean)
            return again[0] if again else chosen
        return chosen

    def _tense(self, state: str, date: Found | None) -> str | None:
        """Now, past or future; None if the time contradicts what is said."""
        start, end = (date.dated.start, date.dated.end) if date is not None else (None, None)
        later = start is not None and start > self._moment.anchor
        over = end is not None and end <= self._moment.anchor
        if state in ("begun", "past"):
            return None if later else "past" if state == "past" else "now"
        if state == "future":
            return None if over else "future"
        return "future" if later and state == "now" else "now"

    def _whole(self, clause: Clause, date: Found | None) -> tuple[int, int]:
        """The clause in the text, with its date, without what surrounds it."""
        first, last = self._start + clause.start, self._start + clause.end
        if date is not None:
            first, last = min(first, date.start), max(last, date.end)
        while self._seen.text[first].isspace():
            first += 1
        while self._seen.text[last - 1].isspace():
            last -= 1
        return self._seen.back(first, last)

    def _slot(self, match: re.Match[str], name: str) -> str:
        if name not in match.re.groupindex or match[name] is None:
            return ""
        start = self._start + match.start(name)
        return self._source(start, start + len(match[name].rstrip()))

    def _source(self, start: int, end: int) -> str:
        first, last = self._seen.back(start, end)
        return self._seen.source[first:last]

    def _find(self, start: int, end: int, tense: str) -> list[Found]:
        anchor, offset = self._moment
        codes = (self._table.code,)
        return find(self._seen, start, end, anchor=anchor, offset=offset, languages=codes, tense=tense)

    def _blotted(self) -> str:
        """The sentence with a mark over its dates."""
        pieces, done = [], self._start
        for one in self._dates:
            pieces += [self._seen.text[done : one.start], DATE_MARK * (one.end - one.start)]
            done = one.end
        text = "".join([*pieces, self._seen.text[done : self._end]])
        return self._table.carry.sub(lambda found: f"{found[1]} ", text)
