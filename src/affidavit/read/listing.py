"""Get and list: what a caller's spaces hold, by id and in order."""

from dataclasses import replace

from affidavit.core.access import Caller, readable_owners
from affidavit.core.limits import RESULTS, check_count, check_id, check_optional_id
from affidavit.core.values import Episode
from affidavit.errors import InputError, NotFoundError
from affidavit.read.results import Item, Page
from affidavit.store.protocol import Selection, Store

_LAST = (1 << 63) - 1
"""The last place that a log can have."""


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
    session_id: object = None,
    source_id: object = None,
    limit: int = 100,
    after: int | None = None,
    newest: bool = False,
) -> Page:
    """The items of the caller's own space in the order they were recorded (`newest`: the last first)."""
    check_count(limit, RESULTS, "limit")
    if after is not None and (type(after) is not int or not 0 <= after <= _LAST):
        raise InputError("after is not the place of an item", hint="give the `next` of the page before")
    every = Selection(
        session_id=check_optional_id(session_id, "session_id"),
        source_id=check_optional_id(source_id, "source_id"),
    )
    page = replace(
        every,
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
