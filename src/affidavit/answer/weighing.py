"""From where a value stands to whether it may be acted upon. Pure but for the numbers it is handed.

Rules, for a value that stands in versions of memories:

1. A version counts where it holds now, on a word that counts. One that is authorized and asserted suffices, if it
   says of the value that it is what the argument takes it for (`affidavit.core.roles`).
2. A word that fell is outweighed by one that counts more, or as much and was said after it fell; else it outweighs. One
   whose place another word with the value took says nothing any more.
3. Authorized but outweighed by what fell, stale or contested: ask. Less than authorized: ask, unless outweighed.
4. Nothing left but what fell, or says something else of the value: deny. Only the latter, or in no memory: ask.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from affidavit.answer.reasons import code_of
from affidavit.answer.tracing import Sighting
from affidavit.core.authority import Authority
from affidavit.core.standing import Why


class Weighed(NamedTuple):
    """What came of it: the code of a reason (None: nothing speaks against it), and the version that decided."""

    code: str | None
    by: Sighting | None


def weigh(seen: Sequence[Sighting], fell_at: Callable[[Sighting], int]) -> Weighed:
    """Judge a value by every version it stands in; `fell_at` tells the entry with which one ceased to count."""
    current = sorted((one for one in seen if one.current), key=_best_first)
    future = [one for one in seen if not one.current and one.standing.why is Why.NOT_YET]
    others = (one for one in seen if not one.current and one not in future and not _is_replaced(one, current))
    fallen = sorted(others, key=_best_first)
    good = [one for one in current if _suffices(one)]
    left = [one for one in current if not any(_outweighs(old, one, fell_at) for old in fallen)]
    standing = [one for one in left if _suffices(one)]
    for one in sorted(standing, key=lambda one: _doubt(one) is not None):
        return Weighed(_doubt(one), one)
    if good:
        return Weighed("contested", fallen[0])
    for one in left:
        if one.authority is not Authority.AUTHORIZED or not one.asserted:
            return Weighed("low_authority" if one.asserted else "not_asserted", one)
    for one in [*fallen, *future]:
        return Weighed(code_of(one.why), one)
    for one in left:
        return Weighed("other_role", one)
    return Weighed("unknown_value", None)


def _suffices(one: Sighting) -> bool:
    return one.asserted and one.states and one.authority is Authority.AUTHORIZED


def weigh_memory(one: Sighting) -> Weighed:
    """Judge a memory that was named."""
    if not one.current:
        return Weighed(code_of(one.why), one)
    if one.row.certainty != "asserted":
        return Weighed("not_asserted", one)
    return Weighed("low_authority" if one.authority is not Authority.AUTHORIZED else _doubt(one), one)


def _best_first(one: Sighting) -> tuple[int, int]:
    return -one.authority.rank, -(one.word.seq if one.word else 0)


def _doubt(one: Sighting) -> str | None:
    return "stale" if one.standing.stale else "conflict" if one.contested else None


def _is_replaced(old: Sighting, current: Sequence[Sighting]) -> bool:
    """Whether one of these took its place, in which the value stands, too: who is paid, at another account."""
    return old.standing.why is Why.SUPERSEDED and old.row.closed_by in {one.row.id for one in current}


def _outweighs(old: Sighting, one: Sighting, fell_at: Callable[[Sighting], int]) -> bool:
    """Whether what fell counts more than a version that holds."""
    if old.authority != one.authority or one.word is None:
        return old.authority > one.authority
    same_space = old.place.space_id == one.place.space_id
    return not same_space or fell_at(old) > one.word.seq
