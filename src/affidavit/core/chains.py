"""Chains: what was said of one thing over time, and when each version of it ceases to hold. Pure.

A chain holds the versions that can displace one another: all homes of a user, or all that was said of his liking for
tea. When a version ends follows from the others, so that it does not matter in which order they came:

1. A version holds from its start until the first that displaces it begins. Of two that begin together the one that
   was recorded later holds, and the other never did.
2. Of a functional relation every value displaces every other, but for those that stand apart (`relations.toml`) and
   what was said as one more beside others. Else, and where something is denied, only what is about the same object
   displaces; every value displaces a denial of all. An event does not displace the same event of another date.
3. Lower authority displaces nothing of higher. Below authorized nobody displaces another speaker's words.
4. "It ended" (a version without a start) displaces what it names from its end on.
5. What was decided (a correction, a person's choice) stands as long as the version that decided it counts.
6. What is retracted, invalidated, quarantined or erased displaces nothing, and what it had displaced is open again.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from affidavit.core.authority import Authority
from affidavit.core.book import Book, Held
from affidavit.core.memories import ItemRow, MemoryStatus, Reason
from affidavit.core.rows import is_beside
from affidavit.text.evidence.likeness import match_key, same_form
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import RELATIONS, Relation, family

_COUNTS = {MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.LAPSED, MemoryStatus.ARCHIVED}
_NONE: frozenset[str] = frozenset()


class End(NamedTuple):
    """When a version ceases to hold, and what takes its place."""

    at: int
    by: str | None


@dataclass(slots=True)
class Chain:
    """Versions in the order in which they were recorded; `relation` is None where only their texts tell them apart."""

    relation: Relation | None
    members: list[Held]

    def displaces(self, one: ItemRow, other: ItemRow) -> bool:
        """Whether both can't hold at once, so that `one` may end `other`."""
        if self.relation is None or one.certainty != Certainty.ASSERTED or other.valid_start is None:
            return False
        if one.valid_start is None:
            return one.valid_end is not None and not other.negated and names(one, other)
        if other.negated and not one.negated and not same_form(other.object or ""):
            return True
        if not one.negated and not other.negated and self._excludes(one, other):
            return True
        dated = one.occurred_start, other.occurred_start
        if not self.relation.functional and None not in dated and dated[0] != dated[1]:
            return False
        return names(one, other)

    def _excludes(self, one: ItemRow, other: ItemRow) -> bool:
        """Whether of these two values there can be but one."""
        if self.relation is None or not self.relation.functional:
            return False
        if self.relation.beside and (is_beside(one) or is_beside(other)):
            return False
        return self.relation.excludes(one.object or "", other.object or "")

    def disagrees(self, one: ItemRow, other: ItemRow) -> bool:
        """Whether what one says is not what the other says, and both can't hold."""
        sure = other.certainty == Certainty.ASSERTED
        alike = agree(one, other) or refines(one, other) or refines(other, one)
        return sure and not alike and self.displaces(one, other)


def chain_of(book: Book, row: ItemRow, relations: Mapping[str, Relation] = RELATIONS) -> Chain:
    """The chain that a version belongs to, whether or not it is there yet."""
    if row.relation is None:
        return Chain(None, [one for one in book.matching(match_key(row.text)) if one.row.relation is None])
    names_of_it = family(row.relation, relations)
    relation = relations.get(names_of_it[0]) or Relation(row.relation, "fact", False, "durable", "user")
    # A denial without an object is about every one; of relations with many values the rest is not even read.
    objects = None if relation.functional or not row.object else (row.object, "")
    held = book.related(row.subject, names_of_it, objects)
    qualifier = same_form(row.qualifier or "")
    held = [one for one in held if same_form(one.row.qualifier or "") == qualifier]
    if not relation.functional:
        held = [one for one in held if names(row, one.row) or names(one.row, row)]
    return Chain(relation, held)


def names(one: ItemRow, other: ItemRow) -> bool:
    """Whether both are about the same object; a denial or an ending without one is about every object."""
    mine = same_form(one.object or "")
    whole = not mine and bool(one.negated or one.valid_end is not None)
    return whole or mine == same_form(other.object or "")


def agree(one: ItemRow, other: ItemRow) -> bool:
    """Whether both say the same."""
    same = (one.relation, one.negated, one.valid_start is None) == (
        other.relation, other.negated, other.valid_start is None,
    )  # fmt: skip
    return same and same_form(one.object or "") == same_form(other.object or "")


def refines(one: ItemRow, other: ItemRow) -> bool:
    """Whether one says the other's object and, behind a comma or in brackets, more ("Lisbon, Portugal": "Lisbon")."""
    mine, its = same_form(one.object or ""), same_form(other.object or "")
    same = (one.relation, one.negated) == (other.relation, other.negated)
    return same and bool(its) and mine.startswith(its) and mine[len(its) :].lstrip()[:1] in {",", "(", "、"}


def counts(held: Held) -> bool:
    """Whether what it says has any effect on others."""
    return held.row.status in _COUNTS


def may_touch(one: ItemRow, other: ItemRow) -> bool:
    """Whether one may end the other: more authority, or the user's own word, or the same speaker's."""
    mine, its = Authority(one.authority), Authority(other.authority)
    if mine < its:
        return False
    return mine > its or mine is Authority.AUTHORIZED or _speaker(one) == _speaker(other)


def _speaker(row: ItemRow) -> str:
    return row.claimant or row.actor


def covers(row: ItemRow, at: int) -> bool:
    """Whether its time includes this instant."""
    return row.valid_start is not None and row.valid_start <= at and (row.ends is None or row.ends > at)


def never_held(row: ItemRow) -> bool:
    """Whether it was closed from its own start on."""
    return row.valid_start is not None and row.closed_end is not None and row.closed_end <= row.valid_start


def settle(
    book: Book,
    chain: Chain,
    *,
    gone: Collection[str] = _NONE,
    released: Collection[str] = _NONE,
) -> list[Held]:
    """Give every version of a chain the end that follows from the others; those that are believed again.

    `gone` no longer count; of what is `released` the end is found anew, even where it was decided.
    """
    members = [held for held in chain.members if counts(held) and held.id not in gone]
    decided = {held.id: _decided(book, chain, held, gone, released) for held in members}
    closers = []
    for held in members:
        end, point = decided[held.id], _point(held.row)
        void = end is not None and held.row.valid_start is not None and end.at <= held.row.valid_start
        if point is not None and not void:
            closers.append((point, held.order, held))
    closers = _held_at_all(chain, sorted(closers, key=lambda closer: closer[:2]))
    believed = []
    for held in members:
        if held.row.valid_start is None or _closed_somewhen(held.row):
            continue
        ends = [end for end in (decided[held.id], _first(chain, closers, held)) if end is not None]
        if _apply(book, chain, held, min(ends, default=None, key=lambda end: end.at)):
            believed.append(held)
    return believed


def _held_at_all(chain: Chain, closers: list[tuple[int, int, Held]]) -> list[tuple[int, int, Held]]:
    """Without those that are denied from where they begin: what never came to be ends nothing."""
    denials = [closer for closer in closers if closer[2].row.negated]
    return [closer for closer in closers if not any(_denies(chain, denial, closer) for denial in denials)]


def _denies(chain: Chain, denial: tuple[int, int, Held], closer: tuple[int, int, Held]) -> bool:
    """Whether a later denial is of the very time at which something begins."""
    (point, order, held), (begins, before, other) = denial, closer
    if point != begins or order <= before or held.row.valid_start is None or other.row.negated:
        return False
    return chain.displaces(held.row, other.row) and may_touch(held.row, other.row)


def _point(row: ItemRow) -> int | None:
    return row.valid_end if row.valid_start is None else row.valid_start


def _closed_somewhen(row: ItemRow) -> bool:
    """Whether it ended at a time that nobody knows."""
    return row.closed_at is not None and row.closed_end is None and row.status != MemoryStatus.ACTIVE


def _decided(
    book: Book, chain: Chain, held: Held, gone: Collection[str], released: Collection[str]
) -> End | None:
    """The end it was given, where that does not follow from when others begin."""
    row = held.row
    if row.closed_end is None:
        return None
    if row.closed_by is None:
        return End(row.closed_end, None)
    found = [] if row.closed_by in gone or held.id in released else book.items([row.closed_by])
    if not found or not counts(found[0]):
        return None
    by = found[0]
    later = row.closed_end > (row.valid_start or 0) or by.order > held.order
    follows = later and _point(by.row) == row.closed_end and chain.displaces(by.row, row)
    return None if follows else End(row.closed_end, row.closed_by)


def _first(chain: Chain, closers: list[tuple[int, int, Held]], held: Held) -> End | None:
    """The first that displaces it; of those that begin together the last, but the next of those that begin with it.

    Which of these it is makes no difference to what holds when. But where hundreds are said of one instant, the end
    of each must not change with every one that is said after it.
    """
    start = held.row.valid_start
    at = bisect_left(closers, (start, held.order), key=lambda closer: closer[:2])
    while at < len(closers):
        point = closers[at][0]
        behind = bisect_right(closers, point, lo=at, key=lambda closer: closer[0])
        together = range(at, behind) if point == start else range(behind - 1, at - 1, -1)
        for nth in together:
            other = closers[nth][2]
            if other is not held and chain.displaces(other.row, held.row) and may_touch(other.row, held.row):
                return End(point, other.id)
        at = behind
    return None


def _apply(book: Book, chain: Chain, held: Held, end: End | None) -> bool:
    """Make it so; whether it is believed again."""
    row = held.row
    before = None if row.closed_end is None else End(row.closed_end, row.closed_by)
    if end != before:
        book.close(held, end and end.at, end and end.by)
    if row.status not in {MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED}:
        return False
    over = end is not None and (end.at <= book.known.now or end.at <= (row.valid_start or 0))
    if over and end is not None and row.status == MemoryStatus.ACTIVE:
        book.label(held, _reason(book, held, end), status=MemoryStatus.SUPERSEDED)
        book.resolve(held, end.by)
    if not over and row.status == MemoryStatus.SUPERSEDED and row.closed_at is not None:
        book.label(held, Reason.REOPENED, status=MemoryStatus.ACTIVE)
        return True
    return False


def _reason(book: Book, held: Held, end: End) -> Reason:
    by = book.items([end.by]) if end.by else []
    if not by or by[0].row.valid_start is None or by[0].row.negated > held.row.negated:
        return Reason.ENDED
    return Reason.SUPERSEDED


def contest(book: Book, chain: Chain, held: Held) -> list[str]:
    """The conflicts of a believed version with others of its time that no rule lets it end, or be ended by."""
    if not held.live or held.row.valid_start is None:
        return []
    rivals = [
        other
        for other in chain.members
        if other.live
        and other is not held
        and chain.disagrees(held.row, other.row)
        and _meet(held.row, other.row)
    ]
    return [book.conflict(held, other) for other in rivals]


def _meet(one: ItemRow, other: ItemRow) -> bool:
    """Whether there is an instant at which both hold."""
    starts = [row.valid_start for row in (one, other) if row.valid_start is not None]
    return len(starts) == 2 and covers(one, max(starts)) and covers(other, max(starts))


def reopen_after(
    book: Book,
    gone: Collection[str],
    *,
    weakened: Collection[str] = _NONE,
    relations: Mapping[str, Relation] = RELATIONS,
) -> list[str]:
    """Find anew what versions end that others had ended: `gone` no longer count at all, `weakened` with less authority.

    What was weakened in this book is known without being named. Call it in the same commit, before or after their own
    changes are made in the book. What nothing else displaces is believed again; what another does is closed by that
    one. Returns the ids of the versions believed again.
    """
    gone, weakened, reopened = set(gone), {*weakened, *book.weakened}, dict[str, None]()
    for held in book.items(sorted(gone | weakened)):
        for chain in _chains(book, held, relations):
            released = {one.id for one in chain.members if one.row.closed_by in weakened}
            again = settle(book, chain, gone=gone, released=released)
            chain.members = [one for one in chain.members if one.id not in gone]
            for one in again:
                reopened[one.id] = None
                contest(book, chain, one)
    return list(reopened)


def _chains(book: Book, held: Held, relations: Mapping[str, Relation]) -> Iterator[Chain]:
    """The chain of a version with all versions of its memory; those about somebody else have a chain of their own."""
    siblings = book.versions(held.row.memory_id)
    about = {one.row.subject: one.row for one in siblings} | {held.row.subject: held.row}
    for subject, row in about.items():
        chain = chain_of(book, row, relations)
        known = {one.id for one in chain.members}
        chain.members += [one for one in siblings if one.row.subject == subject and one.id not in known]
        chain.members.sort(key=lambda one: one.order)
        yield chain
