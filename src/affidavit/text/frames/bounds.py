"""What bounds a statement: denials of a part, several values, one more value, times at which it does not hold."""

import re
from typing import NamedTuple

from affidavit.text.frames.clauses import Clause
from affidavit.text.frames.line import DATE_MARK, Line, Moment
from affidavit.text.frames.values import EDGES, is_value, left_over, value_end
from affidavit.text.lang.relations import RELATIONS
from affidavit.text.lang.tables import Shape, Way
from affidavit.text.times.dates import Found

_OWNER = re.compile(r"\w(?:'s|s')(?!\w)")
DENIED = ("negated", "ended", "dropped")
"""States that deny."""


class Places(NamedTuple):
    """A clause, where the one behind it begins, and where a series ends that begins in it."""

    clause: Clause
    behind: int
    series: int


def is_in_part(line: Line, way: Way, match: re.Match[str], value: tuple[int, int], clause: Clause) -> bool:
    """Whether a denial denies but a part: "I don't only live in Rome", "I don't have a dog called Rex"."""
    if way.state not in DENIED:
        return False
    table, (start, end) = line.table, value
    if table.partly.search(line.text, match.start(), start):
        return True
    behind = max(end, match.end())
    while behind < clause.end and line.text[behind] in EDGES:
        behind += 1
    if table.reason.match(line.text, behind, clause.end):
        return False
    return left_over(line.text, behind, clause.end, None, table)


def is_beside(line: Line, way: Way, match: re.Match[str], value: tuple[int, int], clause: Clause) -> bool:
    """Whether it is said as one more value, beside others."""
    if way.state != "now" or not RELATIONS[way.relation].beside:
        return False
    look = line.table.beside.search
    begin = clause.start if "," not in line.text[clause.start : match.start()] else match.start()
    return any(look(line.text, *part) for part in ((begin, value[0]), (value[1], clause.end)))


def is_one_of_several(line: Line, way: Way, value: tuple[int, int], place: Places) -> bool:
    """Whether another name stands beside a value of which there is one: "Rome and Paris", "at Shell or at BP"."""
    shape, (start, end) = way.shape, value
    if not (shape.proper or way.relation == "name") or not RELATIONS[way.relation].functional:
        return False
    if "/" in line.text[start:end] or (shape.plain and "&" in line.text[start:end]):
        return True
    clause, spaced = place.clause, line.table.spaced
    known = shape.known.fullmatch(line.text, start, end)
    if not (spaced or known) and line.table.series.search(line.text, start + 1, end - 1):
        return True
    join = line.table.series.search(line.text, end, clause.end)
    if join is not None and not line.text[end : join.start()].strip(EDGES):
        return is_bare(line, join.end(), clause.end, shape)
    listed = spaced and clause.end < place.series and not line.text[end : clause.end].strip(EDGES)
    return listed and is_bare(line, place.behind, place.series, shape)


def is_bare(line: Line, start: int, end: int, shape: Shape) -> bool:
    """Whether a value stands there, behind a small word or none."""
    if shape.date:
        return DATE_MARK in line.text[start:end]
    if shape.digits:
        return any(map(str.isdigit, line.text[start:end]))
    while start < end and line.text[start] in EDGES:
        start += 1
    small = line.table.before.match(line.text, start, end)
    for at in (start, small.end() if small else start):
        last = value_end(line.text, at, end, shape, line.table)
        rest = line.text[last:end].strip(EDGES)
        # Who writes no capitals shows no names by them: then nothing else may follow.
        sure = line.capitals or not line.table.spaced or not rest
        if sure and is_value(line.text[at:last], line.source(at, last), shape, capitals=line.capitals):
            return True
    return False


def is_anothers(line: Line, way: Way, value: tuple[int, int], qualifier: str) -> bool:
    """Whether a plan or a deadline is somebody else's: "my sister's flight"."""
    if way.frame not in ("plan", "deadline"):
        return False
    said = f"{qualifier.lower()} , {line.text[slice(*value)]}"
    return _OWNER.search(line.table.owned.sub("", said)) is not None


def is_put_off(line: Line, clause: Clause, date: Found | None) -> bool:
    """Whether what seems given up is only put off, or was at a time that nobody can place: "not yet", "until June"."""
    if line.table.not_yet.search(line.text, clause.start, clause.end):
        return True
    return date is not None and (date.dated.start is None or date.dated.end is None)


def is_of_another(line: Line, way: Way, end: int, date: Found) -> bool:
    """Whether a past date behind what is so now goes with other words: "I live in Rome and was in Bari yesterday"."""
    dated = date.dated
    over = dated.end is not None and dated.end <= line.moment.anchor and date.edge != "since"
    return over and way.state == "now" and date.start > end and bool(line.text[end : date.start].strip(EDGES))


def is_timely(line: Line, way: Way, date: Found | None, moment: Moment) -> bool:
    """Whether a way may be said with this time."""
    time = None if date is None else date.dated
    start, end = (time.start, time.end) if time is not None else (None, None)
    if way.dated:
        # What is planned begins later; of a deadline only the end may be known.
        known = start is not None or end is not None
        return known and (way.state != "future" or start is None or start > moment.anchor)
    if date is None:
        return True
    if way.lasting and (start is None or end is not None):
        return False
    if way.state == "begun":
        return not _is_to_come(line, date, moment)
    return way.state != "now" or _holds_now(line, date, moment)


def _is_to_come(line: Line, date: Found, moment: Moment) -> bool:
    """Whether a time is, or may be, still to come: "some day", "by 2030"."""
    if date.dated.start is None and date.dated.end is not None:
        return date.dated.end > moment.anchor
    return line.table.some_day.search(line.plain(date.start, date.end)) is not None


def _holds_now(line: Line, date: Found, moment: Moment) -> bool:
    """Whether what is so at this time may be so now: not "by 2030", "some day", "in summer", "last year"."""
    if date.dated.start is not None or date.edge == "since":
        over = date.dated.end is not None and date.dated.end <= moment.anchor
        return not over or line.table.ago_lasts
    return date.edge == "until" and date.dated.end is not None and date.dated.end > moment.anchor
