"""A checked question: what is asked, how many hits are wanted, and what may be seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from affidavit.core.limits import QUERY_BYTES, RESULTS, check_count, check_size
from affidavit.core.when import When
from affidavit.errors import DateError, InputError
from affidavit.index.filters import Filter, compile_filters
from affidavit.read.fields import FIELDS
from affidavit.read.plan import Granularity, Plan, checked_granularity, checked_kinds, plan_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A checked search: what is asked, how many hits are wanted, and what may be seen."""

    text: str
    limit: int
    filters: Filter | None
    as_of: int | None
    known_at: int | None
    explain: bool
    kinds: frozenset[str] | None = None
    granularity: Granularity = Granularity.AUTO

    @classmethod
    def of(
        cls,
        text: object,
        *,
        limit: object = 10,
        filters: Mapping[str, Any] | Sequence[Any] | None = None,
        as_of: object = None,
        known_at: object = None,
        explain: bool = False,
        kinds: object = None,
        granularity: object = "auto",
    ) -> "Question":
        """Check what the caller gave. Raises `InputError`, `FilterError`, `DateError`, `LimitError`."""
        if not isinstance(text, str):
            raise InputError(f"the query is not text but of type {type(text).__name__}", hint="give text")
        check_size(
            len(text.encode("utf-8", "surrogatepass")), QUERY_BYTES, "a query", "ask something shorter"
        )
        compiled = None
        if filters is not None:
            compiled = compile_filters(filters, FIELDS)
        wanted, level = checked_kinds(kinds), checked_granularity(granularity)
        if wanted is not None and not wanted & level.kinds:
            raise InputError(
                f"granularity {level} finds none of these kinds", hint="leave one of the two out"
            )
        return cls(
            text=text,
            limit=check_count(limit, RESULTS, "limit"),
            filters=compiled,
            as_of=_instant(as_of),
            known_at=_instant(known_at),
            explain=explain,
            kinds=wanted,
            granularity=level,
        )

    def plan(self, now: int, *, timed: bool) -> Plan:
        """How it is searched; `timed`: whether time matters."""
        return plan_of(
            self.text,
            granularity=self.granularity,
            kinds=self.kinds,
            as_of=self.asks_about,
            now=now,
            timed=timed,
        )

    @property
    def asks_about(self) -> int | None:
        """The instant asked about: what was believed earlier was believed about then, unless another one is named."""
        return self.known_at if self.as_of is None else self.as_of


def _instant(value: object) -> int | None:
    """The last moment that a date or time as given names."""
    if value is None:
        return None
    when = When.parse(value)
    if not when.is_known:
        raise DateError("a time that is not known can't bound a search", hint="give a date or leave it out")
    return None if when.end is None else when.end - 1
