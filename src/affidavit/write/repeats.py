"""What was here before: the same message again, the same key with another one, and what was erased.

Rules:
1. The same message under the same idempotency key is a repeat: what is stored is given back, nothing is added.
2. Another message under a key, or the same one said to be of another time or trust, is refused: nothing changes.
3. What was erased does not come back under its key or source id.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple, Protocol

from affidavit.core.values import EPISODE_COLUMNS, EpisodeRow
from affidavit.errors import ErasedError, IdempotencyError, InputError
from affidavit.store.protocol import Selection, Stored, View

TIME = "occurred"
"""Stands in `Refused.differs` for the columns of when it happened."""
_GIVEN_LATER = {
    "id", "actor", "agent", "recorded_at", "status", "terms", "policy", "authority",
    "occurred_start", "occurred_end", "occurred_text", "occurred_basis", "occurred_offset",
}  # fmt: skip
_SAID = tuple(name for name in EPISODE_COLUMNS if name not in _GIVEN_LATER)
"""What a caller says of a message; the rest is given to it here."""
_said = itemgetter(*map(EPISODE_COLUMNS.index, _SAID))


class ErasedMarks(Protocol):
    """Remembers what was erased, so that it does not come back when it is sent again."""

    def is_buried(self, space_id: str, value: str) -> bool:
        """Whether an id of this space was erased."""
        ...


class Arriving(NamedTuple):
    """A message on its way in; `timed`: its caller says when it happened, or that nobody knows."""

    row: EpisodeRow
    timed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A message that is not stored because of what was here before it.

    `index` is its place in the call, counted from 0; `stored` what is kept under its key, and `differs` the columns in
    which that is another one (`occurred` for its time).
    """

    index: int
    error: InputError
    stored: Stored | None = None
    differs: tuple[str, ...] = ()


def look_back(
    view: View, space_id: str, arriving: Sequence[Arriving], marks: ErasedMarks
) -> tuple[dict[str, Stored], list[Refused]]:
    """The repeats among the messages, by their keys, and those that are refused."""
    keys = [row.idempotency_key for row, _ in arriving if row.idempotency_key]
    there = view.find_keys(space_id, keys) if keys else {}
    seen: dict[str, EpisodeRow] = {key: stored.row for key, stored in there.items()}
    repeated: dict[str, Stored] = {}
    refused: list[Refused] = []
    for index, (row, timed) in enumerate(arriving):
        key = row.idempotency_key
        differs = _differs(seen.setdefault(key, row), row, timed=timed) if key is not None else ()
        if differs:
            error = IdempotencyError(
                f"idempotency key {key!r} came before with another message",
                hint="use a key once for one message",
            )
            refused.append(Refused(index=index, error=error, stored=there.get(key or ""), differs=differs))
        elif key in there:
            repeated[str(key)] = there[str(key)]
    left = {one.index for one in refused}
    new = [(index, row) for index, (row, _) in enumerate(arriving) if index not in left]
    gone = _Gone(view, space_id, marks)
    for index, row in new:
        erased = None if row.idempotency_key in there else gone.error(row)
        if erased is not None:
            refused.append(Refused(index=index, error=erased))
    return repeated, refused


def _differs(before: EpisodeRow, row: EpisodeRow, *, timed: bool) -> tuple[str, ...]:
    same_time = (before.occurred_start, before.occurred_end) == (row.occurred_start, row.occurred_end)
    time = () if same_time or not timed else (TIME,)
    if _said(before) == _said(row):
        return time
    return (*(name for name in _SAID if getattr(before, name) != getattr(row, name)), *time)


class _Gone:
    """What was erased in a space, asked once for each id."""

    def __init__(self, view: View, space_id: str, marks: ErasedMarks) -> None:
        self._view, self._space_id, self._marks = view, space_id, marks
        self._sources: dict[str, bool] = {}

    def error(self, row: EpisodeRow) -> ErasedError | None:
        """Why a message may not come back; None where it may."""
        key, source_id = row.idempotency_key, row.source_id
        if key is not None and self._marks.is_buried(self._space_id, f"key:{key}"):
            return _was_erased("idempotency key", key)
        if source_id is not None and self._source_is_gone(source_id):
            return _was_erased("source_id", source_id)
        return None

    def _source_is_gone(self, source_id: str) -> bool:
        """Marked, and without a row: a mark whose rows still live is of an erasure that did not come to be."""
        if source_id not in self._sources:
            self._sources[source_id] = self._marks.is_buried(
                self._space_id, f"source:{source_id}"
            ) and not self._view.count(self._space_id, Selection(source_id=source_id))
        return self._sources[source_id]


def _was_erased(what: str, value: object) -> ErasedError:
    return ErasedError(
        f"what had this {what} was erased: {value!r}",
        hint="it does not come back; what is really new needs an id of its own",
    )
