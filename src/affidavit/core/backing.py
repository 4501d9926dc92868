"""What stands behind the versions of a space: their supports, and when the sources of these were said. Pure."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from affidavit.core.authority import Authority
from affidavit.core.beliefs import Beliefs
from affidavit.core.memories import Part, Support
from affidavit.core.standing import Bounded, Term, supported_at, term_of
from affidavit.text.lang.relations import Relation


class SupportTime(NamedTuple):
    """One part of a support of a version: how far the support may be relied on, and its source.

    Of an episode `source_seq` is its place in the log and `said_at` when it was said; of another version both are None.
    """

    version: str
    number: int
    seq: int
    authority: str
    removed: str | None
    source: str
    source_seq: int | None
    said_at: int | None


class Backing(NamedTuple):
    """What stands behind a version: its supports with one part in each, and when their sources were said.

    `quoted`: where the episodes that living supports quote stand in the log.
    """

    supports: tuple[Support, ...]
    said_at: Mapping[str, int]
    quoted: tuple[int, ...] = ()

    def term(self, authority: str, row: Bounded, relations: Mapping[str, Relation]) -> Term:
        """When a version with this backing holds."""
        return term_of(row, supported_at(authority, self.supports, self.said_at), relations)


NOTHING: Final = Backing((), {})


def backings(times: Iterable[SupportTime], beliefs: Beliefs | None = None) -> dict[str, Backing]:
    """What stands behind each version; with `beliefs` what stood behind it then."""
    found = {}
    for version, group in groupby(times, attrgetter("version")):
        parts = list(group)
        supports = tuple(
            Support(one.number, Authority(one.authority), (Part(one.source),), one.seq, one.removed)
            for one in parts
        )
        if beliefs is not None:
            supports = beliefs.supports(version, supports)
        said_at = {one.source: one.said_at for one in parts if one.said_at is not None}
        places = {one.source: one.source_seq for one in parts if one.source_seq is not None}
        living = dict.fromkeys(one.parts[0].source for one in supports if one.removed is None)
        found[version] = Backing(supports, said_at, tuple(places[one] for one in living if one in places))
    return found
