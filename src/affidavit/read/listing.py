"""Get and list: what a caller's spaces hold, by id and in order."""

from affidavit.core.access import Caller, readable_owners
from affidavit.core.limits import RESULTS, check_id
from affidavit.core.values import Episode
from affidavit.errors import InputError, NotFoundError
from affidavit.read.results import Item, Page
from affidavit.store.protocol import Selection, Store


def get_item(store: Store, caller: Caller, item_id: object) -> Item:
    """One item by its id. What is not there and what may not be read raise the same `NotFoundError`."""
    wanted = check_id(item_id, "the id")
    with store.snapshot() as reads:
        for owner in readable_owners(caller):
            head = reads.find_space(owner)
            found = reads.episodes(head.space_id, [wanted]) if head else {}
            if head and wanted in found:
                stored = found[wanted]
                return Item.of(Episode.from_row(head.space_id, stored.seq, stored.row), owner)
    raise NotFoundError(
        f"nothing readable has the id {wanted!r}", hint="look it up with `affidavit memory list`"
    )


def list_items(
    store: Store,
    caller: Caller,
    *,
    session_id: str | None = None,
    source_id: str | None = None,
    limit: int = 100,
    after: int | None = None,
    newest: bool = False,
) -> Page:
    """The items of the caller's own space in the order they were recorded (`newest`: the last first)."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= RESULTS:
        raise InputError(f"limit {limit!r} can't be taken", hint=f"give a whole number from 1 to {RESULTS:,}")
    every = Selection(session_id=session_id, source_id=source_id)
    page = Selection(
        session_id=session_id,
        source_id=source_id,
        newest=newest,
        limit=limit + 1,
        after=None if newest else after,
        before=after if newest else None,
    )
    with store.snapshot() as reads:
        head = reads.find_space(caller.owner)
        if head is None:
            return Page()
        found = list(reads.select(head.space_id, page))
        total = reads.count(head.space_id, every)
    items = tuple(
        Item.of(Episode.from_row(head.space_id, stored.seq, stored.row), caller.owner)
        for stored in found[:limit]
    )
    return Page(items=items, total=total, next=found[limit - 1].seq if len(found) > limit else None)
