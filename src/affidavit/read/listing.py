"""Get and list: what a caller's spaces hold, by id and in order."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from affidavit.core.access import Caller, readable_owners
from affidavit.core.limits import RESULTS, check_count, check_id, check_optional_id
from affidavit.core.missing import not_found
from affidavit.core.standing import Holds
from affidavit.core.values import Episode, Head, Owner
from affidavit.errors import InputError
from affidavit.read.memories import ConflictGroup, MemoryItem, View, groups_of, memory_items
from affidavit.read.plan import EPISODE, KINDS, checked_kinds
from affidavit.read.results import Item, Page
from affidavit.store.memory_reads import StoredItem
from affidavit.store.protocol import Reads, Selection, Store, Stored
from affidavit.text.lang.relations import Relation

_LAST = (1 << 63) - 1
"""The last place that a log can have."""


def readable_heads(reads: Reads, caller: Caller) -> Iterator[Head]:
    """The spaces that a caller may read and that are there, its own first."""
    for owner in readable_owners(caller):
        head = reads.find_space(owner)
        if head is not None:
            yield head


def find_memory(
    reads: Reads, caller: Caller, wanted: str, now: int, relations: Mapping[str, Relation]
) -> tuple[View, MemoryItem] | None:
    """A version by its id (`mem_…@2`), or the version of a memory that counts now (`mem_…`): what holds, else the last.

    None where it is not there or may not be read.
    """
    for head in readable_heads(reads, caller):
        view = View(head, now, relations)
        if "@" in wanted:
            stored: Sequence[StoredItem] = list(reads.items(head.space_id, [wanted]).values())
        else:
            stored = reads.versions(head.space_id, wanted)
        found = list(memory_items(reads, view, stored).values())
        if found:
            return view, max(found, key=lambda one: (one.holds is Holds.CURRENT, one.version))
    return None


def get_item(
    store: Store, caller: Caller, item_id: object, *, now: int, relations: Mapping[str, Relation]
) -> Item:
    """One item by its id. What is not there and what may not be read raise the same `NotFoundError`."""
    wanted = check_id(item_id, "the id")
    with store.snapshot() as reads:
        for head in readable_heads(reads, caller):
            stored = reads.episodes(head.space_id, [wanted]).get(wanted)
            if stored is not None:
                episode = Episode.from_row(head.space_id, stored.seq, stored.row)
                return Item.of(episode, Owner(head.kind, head.name or ""))
        found = find_memory(reads, caller, wanted, now, relations)
    if found is None:
        raise not_found(wanted)
    return Item.of_memory(found[1])


def list_items(
    store: Store,
    caller: Caller,
    *,
    now: int,
    relations: Mapping[str, Relation],
    kinds: object = None,
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
    wanted = checked_kinds(kinds) or frozenset(KINDS)
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
        total = 0
        lists: list[Iterator[Stored | StoredItem]] = []
        if EPISODE in wanted:
            lists.append(reads.select(head.space_id, page))
            total += reads.count(head.space_id, every)
        memories = sorted(wanted - {EPISODE})
        # A memory belongs to no session and comes from no one source: what it was drawn from does.
        if memories and every == Selection():
            lists.append(reads.select_items(head.space_id, page, memories))
            total += reads.count_items(head.space_id, memories)
        merged = heapq.merge(*lists, key=lambda one: one.seq, reverse=newest)
        found = list(islice(merged, limit + 1))
        items = _items(reads, View(head, now, relations), found[:limit])
    return Page(items=items, total=total, next=found[limit - 1].seq if len(found) > limit else None)


def open_conflicts(
    store: Store, caller: Caller, *, now: int, relations: Mapping[str, Relation]
) -> tuple[ConflictGroup, ...]:
    """The open conflicts of the spaces that the caller may read, in the order in which they arose."""
    found: list[ConflictGroup] = []
    with store.snapshot() as reads:
        for head in readable_heads(reads, caller):
            found += groups_of(reads, View(head, now, relations), reads.conflicts(head.space_id), {})
    return tuple(found)


def _items(reads: Reads, view: View, found: Sequence[Stored | StoredItem]) -> tuple[Item, ...]:
    memories = memory_items(reads, view, [one for one in found if isinstance(one, StoredItem)])
    owner = Owner(view.head.kind, view.head.name or "")

    def item(one: Any) -> Item:
        if isinstance(one, StoredItem):
            return Item.of_memory(memories[one.row.id])
        return Item.of(Episode.from_row(view.space_id, one.seq, one.row), owner)

    return tuple(map(item, found))
