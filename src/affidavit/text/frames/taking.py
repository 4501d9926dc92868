"""From a frame that matches a clause to a statement: its value, its time, and whether they fit together."""

import re
from dataclasses import replace
from typing import NamedTuple

from affidavit.text.frames.bounds import (
    DENIED,
    Places,
    is_anothers,
    is_beside,
    is_in_part,
    is_of_another,
    is_one_of_several,
    is_put_off,
    is_timely,
)
from affidavit.text.frames.clauses import Clause
from affidavit.text.frames.line import Line, Moment
from affidavit.text.frames.statement import Certainty, Statement
from affidavit.text.frames.values import EDGES, is_hanging, is_value, left_over, value_end
from affidavit.text.lang.places import lies_within
from affidavit.text.lang.tables import Shape, Way
from affidavit.text.times.calendar import DAY
from affidavit.text.times.dates import Dated, Found, written

_LEANS = {"begun": "past", "past": "past", "ended": "past", "future": "future", "dropped": "future"}
_LONG_AGO = 365 * DAY
_BEHIND = re.compile(r"(?:, ?|，)(?P<country>[^\W\d_]+(?:[ '-][^\W\d_]+){0,3}+)(?=\s*(?:[,.;!?，。！]|\Z))")


class Place(NamedTuple):
    """A clause among its neighbours: times that stand alone between them are its own."""

    clause: Clause
    before: int  # where the clause before it ends
    behind: int  # where the clause behind it begins
    series: int  # where a series ends that begins in it
    correction: bool  # words round it say that it corrects
    hedged: bool  # words round it make it unsure
    greeted: bool  # a greeting stands before it
    opens: bool  # nothing stands before it that was not understood


class Taken(NamedTuple):
    """A statement, the way by which it was taken, and where its value ends in the line."""

    way: Way
    statement: Statement
    end: int

    @property
    def turns(self) -> bool:
        """Whether it says that something changes or is to come, which may be undone."""
        return self.way.dated or self.way.state in ("begun", "future")


def taken(line: Line, place: Place, way: Way, match: re.Match[str]) -> Taken | None:
    """The statement that the way makes of the clause; None if value or time are not what it wants."""
    clause, table = _clause(place, way), line.table
    opens = way.opens or way.shape.alone
    if (opens and not place.opens) or (way.greeted and not place.greeted):
        return None
    value = _value(line, way, match, clause)
    if value is None or _is_unfit(line, place, way, match, value):
        return None
    qualifier = _slot(line, match, "qualifier")
    over = way.state == "negated" and table.ended.search(line.text, value[1], clause.end)
    state = "ended" if over else way.state
    date = _date(line, place, way) if way.timed else None
    if date is not None and is_of_another(line, way, value[1], date):
        date = None
    time = date.dated if date is not None else None
    tense = _tense(way, state, time, line.moment)
    template = table.sentence(way, state)
    if way.relation == "age" and (tense != "now" or _is_of_another_time(line, clause, value[1])):
        return None  # nobody stays that old: "I turned 18 in 2005", "I'm 60 in 2030"
    if tense is None or template is None or not _fits(line, way, clause, value[1], date):
        return None
    object_start, object_end = line.back(*value)
    start, end = _whole(line, clause, date)
    end = max(end, object_end)
    words = line.source(*value)
    shown = written(time, line.moment.offset) if time is not None else ""
    statement = Statement(
        frame=way.frame,
        relation=way.relation,
        start=start,
        end=end,
        object_start=object_start,
        object_end=object_end,
        object=words,
        qualifier=qualifier,
        negated=state in DENIED,
        ended=state in ("ended", "past"),
        beside=is_beside(line, way, match, value, clause),
        whole=way.whole,
        correction=place.correction or table.denial.search(line.text, value[1], clause.end) is not None,
        certainty=Certainty.HEDGED if place.hedged else Certainty.ASSERTED,
        tense=tense,
        time=time,
        language=table.code,
        text=template.format(object=words, qualifier=qualifier, date=shown),
    )
    return Taken(way, statement, value[1])


def _is_of_another_time(line: Line, clause: Clause, end: int) -> bool:
    """Whether a time behind the value is over, or to come."""
    anchor = line.moment.anchor
    times = [one.dated for one in line.dates if end <= one.start and one.end <= clause.end]
    return any(
        (t.end is not None and t.end <= anchor - _LONG_AGO) or (t.start is not None and t.start > anchor)
        for t in times
    )


def ending(line: Line, found: Taken) -> Taken | None:
    """What a statement ends too: who is retired works nowhere."""
    one, relation = found.statement, found.way.ends
    template = line.table.ending(relation)
    if template is None or one.negated or one.tense != "now" or one.certainty != Certainty.ASSERTED:
        return None
    text = template.format(object=one.object)
    changed = replace(one, relation=relation, negated=True, ended=True, beside=False, whole=True, text=text)
    return found._replace(statement=changed)


def _clause(place: Place, way: Way) -> Clause:
    """The clause, with the series that begins in it where the value may be several."""
    return Clause(place.clause.start, place.series) if way.shape.series else place.clause


def _is_unfit(line: Line, place: Place, way: Way, match: re.Match[str], value: tuple[int, int]) -> bool:
    """Whether what stands round a value makes it none that may be taken."""
    clause = _clause(place, way)
    qualifier = _slot(line, match, "qualifier")
    if way.shape.qualifier.search(qualifier.lower()) or is_anothers(line, way, value, qualifier):
        return True
    behind = max(value[1], match.end())
    if way.shape.alone and left_over(line.text, behind, len(line.text), None, line.table):
        return True
    if _in_quotes(line, clause, value, way.shape) or is_in_part(line, way, match, value, clause):
        return True
    return is_one_of_several(line, way, value, Places(place.clause, place.behind, place.series))


def _fits(line: Line, way: Way, clause: Clause, end: int, date: Found | None) -> bool:
    """Whether the time goes with the way, and the words before it don't deny it: "not on 3 May"."""
    table = line.table
    if date is not None and table.denial.search(line.text, end, max(end, date.start)):
        return False
    if way.marked and date is None and not table.after_all.search(line.text, clause.start, clause.end):
        return False
    if way.state == "dropped" and is_put_off(line, clause, date):
        return False
    return is_timely(line, way, date, line.moment)


def _value(line: Line, way: Way, match: re.Match[str], clause: Clause) -> tuple[int, int] | None:
    """Where the value stands."""
    shape = way.shape
    if shape.date:
        return _date_value(line, match, clause, way)
    if way.whole:
        start, rest = match.start("from"), match.end()
        end = start + len(line.text[start:rest].rstrip())
    elif "object" in match.re.groupindex:
        start, rest = match.start("object"), match.end()
        end = start + len(match["object"].rstrip())
    else:
        start = match.start("from") if "from" in match.re.groupindex else match.end()
        rest = end = value_end(line.text, start, clause.end, shape, line.table)
        start += len(line.text[start:end]) - len(line.text[start:end].lstrip(EDGES))
    if not is_value(line.text[start:end], line.source(start, end), shape, capitals=line.capitals):
        return None
    if is_hanging(line.text, start, end, shape):
        return None
    if not way.open and left_over(line.text, rest, clause.end, shape, line.table):
        return None
    return start, _with_country(line, start, end) if shape.proper else end


def _with_country(line: Line, start: int, end: int) -> int:
    """Where a town ends that its country is named behind: "Lisbon, Portugal"."""
    behind = _BEHIND.match(line.text, end)
    if behind is not None and lies_within(line.source(start, end), line.source(*behind.span("country"))):
        return behind.end()
    return end


def _date_value(line: Line, match: re.Match[str], clause: Clause, way: Way) -> tuple[int, int] | None:
    """The date that stands right behind the match."""
    edge = match.start() + len(match[0].rstrip())
    date = next((one for one in line.dates if one.start >= edge), None)
    if date is None or date.end > clause.end or line.text[edge : date.start].strip():
        return None
    only_bounds = not way.dated and date.edge not in ("", "at")  # "my birthday is before 5 May"
    unfit = only_bounds or way.shape.never.search(line.plain(date.core, date.end))
    return (
        None
        if unfit or left_over(line.text, date.end, clause.end, None, line.table)
        else (date.core, date.end)
    )


def _in_quotes(line: Line, clause: Clause, value: tuple[int, int], shape: Shape) -> bool:
    """Whether something of the clause is quoted and is not the value or a part of it."""
    for first, last in line.quotes:
        if first < clause.end and last > clause.start:
            # `"Sam"` is the name without its marks; `use "you"` is taken as it stands.
            inside = value[0] - 1 <= first and last <= value[1] + 2
            if not (shape.quoted and inside):
                return True
    return False


def _slot(line: Line, match: re.Match[str], name: str) -> str:
    if name not in match.re.groupindex or match[name] is None:
        return ""
    start = match.start(name)
    return line.source(start, start + len(match[name].rstrip()))


def _date(line: Line, place: Place, way: Way) -> Found | None:
    """The time of a clause: one inside it, else one that stands alone before it or behind it."""
    clause = place.clause
    around = ((clause.start, clause.end), (place.before, clause.start), (clause.end, place.behind))
    inside = (one for first, last in around for one in line.dates if first <= one.start and one.end <= last)
    date = next(inside, None)
    lean = _LEANS.get(way.state)
    return line.leaning(date, lean) if date is not None and date.dated.resolved and lean else date


def _tense(way: Way, state: str, time: Dated | None, moment: Moment) -> str | None:
    """Now, past or future; None if the time contradicts what is said."""
    start, end = (time.start, time.end) if time is not None else (None, None)
    later = start is not None and start > moment.anchor
    over = end is not None and end <= moment.anchor
    # What changed long ago says less of now than what was said since.
    long_ago = end is not None and end <= moment.anchor - _LONG_AGO
    if state in ("begun", "past"):
        return None if later else "past" if state == "past" or long_ago else "now"
    if over and (way.whole or (state == "dropped" and way.frame == "plan")):
        return "past" if long_ago else "now"
    if state in ("future", "dropped"):
        return None if over else "future"
    return "future" if later and state == "now" else "now"


def _whole(line: Line, clause: Clause, date: Found | None) -> tuple[int, int]:
    """The clause in the text, with its date, without the white space around."""
    first, last = clause
    if date is not None:
        first, last = min(first, date.start), max(last, date.end)
    plain = line.plain(first, last)
    first += len(plain) - len(plain.lstrip())
    return line.back(first, first + len(plain.strip()))
