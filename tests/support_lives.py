"""What somebody says of himself on numbered days, and what holds when after it; for tests of versions and time."""

from affidavit import Memory
from affidavit.core.authority import Authority
from affidavit.core.candidates import Admitted
from affidavit.core.memories import ItemRow, Kind, MemoryStatus
from affidavit.core.outcome import Outcome
from affidavit.core.when import DAY, Basis, When, rfc3339
from tests.support_memories import Remembering, admitted

FIRST = 1_767_225_600_000_000
"""Day 0: 2026-01-01T00:00:00Z. The clock of the tests stands at day 151."""
HELD = {MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.LAPSED}
AUTHORITIES = {"user": Authority.AUTHORIZED, "assistant": Authority.ATTESTED, "tool": Authority.UNENDORSED}


def on(day: float) -> int:
    """A day as UTC microseconds."""
    return FIRST + int(day * DAY)


def when(day: float | None, text: str = "since then") -> When | None:
    """From that day on, as somebody said it."""
    return None if day is None else When(start=on(day), end=on(day) + DAY, text=text, basis=Basis.STATED)


class Life(Remembering):
    """A user whose statements come with the day on which each was said."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.texts = 0

    def statement(
        self,
        value: str,
        said: float,
        *,
        relation: str | None = "home",
        since: float | None = None,
        until: float | None = None,
        happens: float | None = None,
        by: str = "user",
        **more: object,
    ) -> Admitted:
        """What was said on a day; its episode is stored now."""
        text = f"{relation} {value} {more.get('negated', '')}{more.get('ended', '')}"
        message = {"role": by, "content": f"{text} ({self.texts})"}
        self.texts += 1
        episode = self.say(message, occurred_at=rfc3339(on(said)))
        kind = Kind.EVENT if relation in {"plan", "deadline"} else Kind.FACT
        more.setdefault("kind", kind)
        return admitted(
            episode,
            text=text,
            relation=relation,
            object=value,
            begins=when(since) if until is None else When(start=None, end=on(until), text="until then"),
            occurred=when(happens, "on that day"),
            authority=AUTHORITIES[by],
            **more,  # type: ignore[arg-type]
        )

    def states(self, value: str, said: float, **more: object) -> Outcome:
        """Say it on that day, and take it in now."""
        return self.take(self.statement(value, said, **more))  # type: ignore[arg-type]

    def rows(self, relation: str | None = "home") -> list[ItemRow]:
        """The versions under a relation, in log order."""
        return [row for row in self.items() if row.relation == relation]

    def timeline(self, relation: str = "home") -> list[tuple[float, set[str]]]:
        """From which day on which values hold."""
        rows = [row for row in self.rows(relation) if row.status in HELD and row.valid_start is not None]
        rows = [row for row in rows if row.ends is None or row.ends > (row.valid_start or 0)]
        bounds = {bound for row in rows for bound in (row.valid_start, row.ends) if bound is not None}
        found: list[tuple[float, set[str]]] = []
        for bound in sorted(bounds):
            held = {shown(row) for row in rows if holds(row, bound)}
            if not found or found[-1][1] != held:
                found.append(((bound - FIRST) / DAY, held))
        return found

    def now(self, relation: str = "home") -> set[str]:
        """What is believed and holds at day 151."""
        return {
            shown(row)
            for row in self.rows(relation)
            if row.status == MemoryStatus.ACTIVE and holds(row, on(151))
        }


def shown(row: ItemRow) -> str:
    """A value, with a sign before it where it is denied."""
    return f"{'-' * row.negated}{row.object}"


def holds(row: ItemRow, at: int) -> bool:
    """Whether an instant lies in a version's time."""
    return row.valid_start is not None and row.valid_start <= at and (row.ends is None or row.ends > at)
