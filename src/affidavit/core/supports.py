"""The algebra of supports: how far a memory may be relied on follows from what it stands on, and from nothing else.

Rules, each a property test:

1. Inside a support every part is needed: its authority is the minimum over its parts.
2. Between supports any one is enough: a memory has the maximum of its live supports; with none it has no standing.
3. Agreeing, repeating, ageing and use move nothing: a support that is no stronger than the memory leaves it as it is.
4. Revoking and erasing remove supports; a memory then has the maximum of what is left, and without any it falls.
5. Who rests on a fallen version falls with it, and who rests on a weakened one has no more than that one has left.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from affidavit.core.authority import Authority
from affidavit.core.memories import Support


def authority_of_support(parts: Iterable[Authority]) -> Authority:
    """The minimum over the parts; without parts it is the least there is."""
    return min(parts, default=Authority.UNENDORSED)


def authority_of_memory(supports: Iterable[Support]) -> Authority | None:
    """The maximum over the live supports; None where none is left."""
    return max((support.authority for support in supports if support.removed is None), default=None)


class Fall(NamedTuple):
    """What goes when sources go: supports by (version, number), versions left with none, what others have now."""

    supports: tuple[tuple[str, int], ...]
    versions: tuple[str, ...]
    changed: Mapping[str, Authority]


def fall_of(gone: Iterable[str], standing: Mapping[str, Sequence[Support]]) -> Fall:
    """What falls when the sources `gone` no longer count.

    `standing` has the supports of every version that rests on them, through others too; of what else these rest on
    nothing changes. A version stands that has a support of sources that stand, and only so: what holds up nothing
    but each other falls.
    """
    lost = set(gone)
    live = {version: [s for s in held if s.removed is None] for version, held in standing.items()}
    stands: dict[str, Authority] = {}
    moved = True
    while moved:
        moved = False
        for version, held in live.items():
            now = max(
                (found for s in held if (found := _now(s, lost, live, stands)) is not None), default=None
            )
            if version not in lost and now is not None and now != stands.get(version):
                stands[version], moved = now, True
    down = lost | (live.keys() - stands.keys())
    supports = [
        (version, support.number)
        for version, held in live.items()
        for support in held
        if not down.isdisjoint(support.sources)
    ]
    before = {version: authority_of_memory(held) for version, held in live.items()}
    changed = {version: now for version, now in stands.items() if now != before[version]}
    fallen = tuple(version for version, held in live.items() if held and version in down - lost)
    return Fall(tuple(supports), fallen, changed)


def _now(
    support: Support, lost: set[str], live: Mapping[str, object], stands: Mapping[str, Authority]
) -> Authority | None:
    """The authority of a support as far as is known by now; None where a source does not stand."""
    if not all(source in stands or (source not in lost and source not in live) for source in support.sources):
        return None
    return min([support.authority, *(stands[source] for source in support.sources if source in stands)])
