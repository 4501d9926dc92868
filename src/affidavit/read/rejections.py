"""Why something was not remembered: what was refused, and the words it was about, read where they stand.

A refused text is kept nowhere. What is shown are the words of the episode itself: erased with it, they are gone here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from affidavit.core.access import Caller
from affidavit.core.jsonable import Result
from affidavit.core.limits import RESULTS, check_count, check_optional_id, shown
from affidavit.core.values import EpisodeRow
from affidavit.core.when import rfc3339
from affidavit.errors import InputError
from affidavit.store.memory_reads import RejectionChoice, RejectionRow
from affidavit.store.protocol import Store

_LAST: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRemembered(Result):
    """One thing that was not remembered.

    `check` refused it for the reason `code`; `hint` says what would have been accepted. It was about `quote`, which
    stands in the episode from `start` to `end` (code points); all three are None where it was about the whole episode,
    or about words that do not stand there. `model` is the language model that proposed it, or that failed at the
    episode (`check` is then `extract`); None where none took part. `at` is when that was, RFC 3339.
    """

    check: str
    code: str
    hint: str
    episode_id: str
    session_id: str | None
    start: int | None
    end: int | None
    quote: str | None
    model: str | None
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejections(Result):
    """Some of what was not remembered. `total` counts all that match; `next` is the `after` of the next page."""

    items: tuple[NotRemembered, ...] = ()
    total: int = 0
    next: int | None = None

    def __iter__(self) -> Iterator[NotRemembered]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def rejections_of(
    store: Store,
    caller: Caller,
    *,
    session_id: object = None,
    episode_id: object = None,
    check: object = None,
    code: object = None,
    limit: int = 100,
    after: int | None = None,
    newest: bool = False,
) -> Rejections:
    """What of the caller's own space was refused, in the order of its episodes (`newest`: of the last ones first)."""
    check_count(limit, RESULTS, "limit")
    if after is not None and (type(after) is not int or not 0 <= after <= _LAST):
        raise InputError(
            f"after is {shown(after)}, no place of a page", hint="give the `next` of the page before"
        )
    choice = RejectionChoice(
        session_id=check_optional_id(session_id, "session_id"),
        episode_id=check_optional_id(episode_id, "episode_id"),
        check=check_optional_id(check, "check"),
        code=check_optional_id(code, "code"),
    )
    skip = after or 0
    with store.snapshot() as reads:
        head = reads.find_space(caller.owner)
        if head is None:
            return Rejections()
        total = reads.count_rejections(head.space_id, choice)
        rows = reads.select_rejections(head.space_id, choice, skip=skip, limit=limit, newest=newest)
        episodes = reads.episodes(head.space_id, list(dict.fromkeys(row.episode_id for row in rows)))
    items = tuple(_told(row, episodes[row.episode_id].row) for row in rows)
    more = skip + len(rows)
    return Rejections(items=items, total=total, next=more if more < total and rows else None)


def _told(row: RejectionRow, episode: EpisodeRow) -> NotRemembered:
    placed = 0 <= row.span_start < row.span_end <= len(episode.text)
    return NotRemembered(
        check=row.check_name,
        code=row.code,
        hint=row.hint,
        episode_id=row.episode_id,
        session_id=episode.session_id,
        start=row.span_start if placed else None,
        end=row.span_end if placed else None,
        quote=episode.text[row.span_start : row.span_end] if placed else None,
        model=row.model,
        at=rfc3339(row.at),
    )
