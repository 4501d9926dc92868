"""What falls when sources no longer count: found by the algebra of supports, and carried out. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from affidavit.core.book import Book, Known
from affidavit.core.chains import reopen_after
from affidavit.core.memories import MemoryStatus, Reason, Support
from affidavit.core.supports import fall_of
from affidavit.text.lang.relations import RELATIONS, Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallen:
    """By version id: what is left with nothing, what lost a support and still stands, what is believed again."""

    invalidated: tuple[str, ...] = ()
    weakened: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()


def resting_on(known: Known, sources: Collection[str]) -> dict[str, tuple[Support, ...]]:
    """The versions that rest on these episodes or versions, through others too, with all their supports."""
    found: dict[str, tuple[Support, ...]] = {}
    batch: Sequence[str] = list(sources)
    while batch:
        batch = [one for one in known.resting(known.space_id, batch) if one not in found]
        found |= known.supports(known.space_id, batch)
    return found


def let_fall(book: Book, gone: Collection[str], *, relations: Mapping[str, Relation] = RELATIONS) -> Fallen:
    """Take away every support that rests on `gone` (episodes or versions), and let fall what then has none.

    What a fallen version had closed is open again. What was retracted stays retracted.
    """
    fall = fall_of(gone, _standing(book, gone))
    return _carried_out(book, fall.supports, fall.versions, Reason.REVOKED, relations)


def withdraw(
    book: Book,
    supports: Collection[tuple[str, int]],
    *,
    relations: Mapping[str, Relation] = RELATIONS,
) -> Fallen:
    """Take away supports, by version and number, that deriving again no longer finds; and what then falls."""
    lost = set(supports)
    bare = [
        held.id
        for held in book.items(list(dict.fromkeys(version for version, _ in supports)))
        if all(s.removed is not None or (held.id, s.number) in lost for s in held.supports)
    ]
    fall = fall_of(bare, _standing(book, bare))
    every, fallen = (*supports, *fall.supports), (*bare, *fall.versions)
    return _carried_out(book, every, fallen, Reason.REDERIVED, relations)


def _standing(book: Book, gone: Collection[str]) -> dict[str, list[Support]]:
    return {
        version: [support for support in supports if support.removed is None]
        for version, supports in resting_on(book.known, gone).items()
    }


def _carried_out(
    book: Book,
    supports: Collection[tuple[str, int]],
    versions: Collection[str],
    reason: Reason,
    relations: Mapping[str, Relation],
) -> Fallen:
    lost: dict[str, list[int]] = {}
    for version, number in supports:
        lost.setdefault(version, []).append(number)
    fallen, weaker = set(versions), list[str]()
    for held in book.items(list(lost)):
        for number in lost[held.id]:
            book.unsupport(held, number, reason)
        if held.id not in fallen:
            before = held.authority
            book.settle(held)
            weaker += [held.id] if held.authority != before else []
        elif held.row.status != MemoryStatus.RETRACTED:
            book.settle(held, reason)
            book.resolve(held)
    reopened = reopen(book, versions, weakened=weaker, relations=relations)
    return Fallen(
        invalidated=tuple(versions),
        weakened=tuple(version for version in lost if version not in fallen),
        reopened=tuple(reopened),
    )


def reopen(
    book: Book,
    gone: Collection[str],
    *,
    weakened: Collection[str] = (),
    relations: Mapping[str, Relation] = RELATIONS,
) -> list[str]:
    """`reopen_after`, looking at those of `gone` alone that had closed something that is left.

    That `gone` count no more must be known to the book already.
    """
    left = set(gone)
    closed = book.known.closed_by(book.known.space_id, list(gone))
    closers = dict.fromkeys(by for version, by in closed.items() if version not in left)
    return reopen_after(book, list(closers), weakened=weakened, relations=relations)
