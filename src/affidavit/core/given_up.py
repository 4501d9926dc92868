"""Plans that a denial gives up: "I'm not moving to Bari after all", "my flight is cancelled". Pure."""

from affidavit.core.book import Book, Held
from affidavit.core.candidates import Admitted
from affidavit.core.chains import Chain, may_touch, names
from affidavit.core.memories import ItemRow, Kind
from affidavit.text.frames.events import same_event
from affidavit.text.frames.statement import Certainty


def given_up(one: Admitted, row: ItemRow, chain: Chain, book: Book) -> list[Held]:
    """The planned states that a denial is about: of none it was said that it came true."""
    if not row.negated or row.kind == Kind.EVENT or row.certainty != Certainty.ASSERTED:
        return []
    plans = [
        held for held in chain.members if held.live and not held.row.negated and _is_plan(one, held, book)
    ]
    return [held for held in plans if names(row, held.row) and may_touch(row, held.row)]


def _is_plan(one: Admitted, held: Held, book: Book) -> bool:
    """Whether it lay ahead whenever it was said, and the denial is of its time."""
    start, at, begins = held.row.valid_start, one.said_at, one.candidate.begins
    times = [said for said, _ in book.said(held)]
    if any(said > at for said in times):
        return False
    if start is None:
        return held.row.valid_end is None
    if begins is not None and begins.start is not None and not begins.contains(start):
        return False
    return start > at or (one.candidate.tense == "future" and all(said < start for said in times))


def called_off(one: Admitted, row: ItemRow, book: Book) -> list[Held]:
    """The events to come that a denial may be about, where it names them by other words than they were planned by."""
    if not row.negated or row.kind != Kind.EVENT or not row.object or row.certainty != Certainty.ASSERTED:
        return []
    begins, planned = one.candidate.begins, book.related(row.subject, (row.relation or "",))
    past = begins is not None and one.candidate.tense == "past"
    at = begins.end if past and begins is not None and begins.end is not None else one.said_at
    plans = [held for held in planned if held.live and not held.row.negated and _is_ahead(held, at)]
    plans = [held for held in plans if may_touch(row, held.row) and _is_of_its_day(row, held.row)]
    plans = [held for held in plans if all(said <= at for said, _ in book.said(held))]
    if any(names(row, held.row) for held in plans):
        return []
    return [held for held in plans if same_event(row.object, held.row.object or "")]


def _is_ahead(held: Held, at: int) -> bool:
    row = held.row
    over = row.occurred_end is not None and row.occurred_end <= at
    return not over and (row.ends is None or row.ends > at)


def _is_of_its_day(row: ItemRow, plan: ItemRow) -> bool:
    """Whether a denial that names a day names that of the plan."""
    if row.occurred_start is None or plan.occurred_start is None:
        return True
    ends = plan.occurred_end, row.occurred_end
    return (ends[1] is None or plan.occurred_start < ends[1]) and (
        ends[0] is None or row.occurred_start < ends[0]
    )
