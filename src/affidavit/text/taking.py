"""From a frame that matches a clause to a statement: its value, its time, and whether they fit together."""

import re
from typing import NamedTuple

from affidavit.text.clauses import Clause
from affidavit.text.dates import Dated, Found, written
from affidavit.text.line import Line, Moment
from affidavit.text.statement import Certainty, Statement
from affidavit.text.tables import Shape, Way
from affidavit.text.values import EDGES, is_hanging, is_value, left_over, value_end

_LEANS = {"begun": "past", "past": "past", "ended": "past", "future": "future"}


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


def taken(line: Line, place: Place, way: Way, match: re.Match[str]) -> Statement | None:
    """The statement that the way makes of the clause; None if value or time are not what it wants."""
    clause, table = place.clause, line.table
    if (way.opens and not place.opens) or (way.greeted and not place.greeted):
        return None
    if way.shape.series:
        clause = Clause(clause.start, place.series)
    value = _value(line, way, match, clause)
    if value is None or _in_quotes(line, clause, value, way.shape):
        return None
    qualifier = _slot(line, match, "qualifier")
    if way.shape.qualifier.search(qualifier.lower()):
        return None
    over = way.state == "negated" and table.ended.search(line.text, value[1], clause.end)
    state = "ended" if over else way.state
    date = _date(line, place, way) if way.timed else None
    time = date.dated if date is not None else None
    tense = _tense(state, time, line.moment)
    template = table.sentence(way, state)
    if tense is None or template is None or not _is_timely(way, time, line.moment):
        return None
    start, end = _whole(line, clause, date)
    object_start, object_end = line.back(*value)
    words = line.source(*value)
    shown = written(time, line.moment.offset) if time is not None else ""
    return Statement(
        frame=way.frame,
        relation=way.relation,
        start=start,
        end=end,
        object_start=object_start,
        object_end=object_end,
        object=words,
        qualifier=qualifier,
        negated=state in ("negated", "ended"),
        ended=state in ("ended", "past"),
        correction=place.correction or table.denial.search(line.text, value[1], clause.end) is not None,
        certainty=Certainty.HEDGED if place.hedged else Certainty.ASSERTED,
        tense=tense,
        time=time,
        language=table.code,
        text=template.format(object=words, qualifier=qualifier, date=shown),
    )


def _value(line: Line, way: Way, match: re.Match[str], clause: Clause) -> tuple[int, int] | None:
    """Where the value stands."""
    shape = way.shape
    if shape.date:
        return _date_value(line, match, clause, shape)
    if "object" in match.re.groupindex:
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
    return start, end


def _date_value(line: Line, match: re.Match[str], clause: Clause, shape: Shape) -> tuple[int, int] | None:
    """The date that stands right behind the match."""
    edge = match.start() + len(match[0].rstrip())
    date = next((one for one in line.dates if one.start >= edge), None)
    if date is None or date.end > clause.end or line.text[edge : date.start].strip():
        return None
    unfit = shape.never.search(line.plain(date.core, date.end))
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


def _tense(state: str, time: Dated | None, moment: Moment) -> str | None:
    """Now, past or future; None if the time contradicts what is said."""
    start, end = (time.start, time.end) if time is not None else (None, None)
    later = start is not None and start > moment.anchor
    over = end is not None and end <= moment.anchor
    if state in ("begun", "past"):
        return None if later else "past" if state == "past" else "now"
    if state == "future":
        return None if over else "future"
    return "future" if later and state == "now" else "now"


def _is_timely(way: Way, time: Dated | None, moment: Moment) -> bool:
    """Whether a way may be said with this time."""
    if not way.dated:
        return not (way.lasting and time is not None and (time.start is None or time.end is not None))
    if time is None or (time.start is None and time.end is None):
        return False
    # What is planned begins later; of a deadline only the end may be known.
    return way.state != "future" or time.start is None or time.start > moment.anchor


def _whole(line: Line, clause: Clause, date: Found | None) -> tuple[int, int]:
    """The clause in the text, with its date, without the white space around."""
    first, last = clause
    if date is not None:
        first, last = min(first, date.start), max(last, date.end)
    plain = line.plain(first, last)
    first += len(plain) - len(plain.lstrip())
    return line.back(first, first + len(plain.strip()))
