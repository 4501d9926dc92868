"""The algebra of supports: how far a memory may be relied on follows from what it stands on, and from nothing else.

Rules, each a property test:

1. Inside a support every part is needed: its authority is the minimum over its parts.
2. Between supports any one is enough: a memory has the maximum of its live supports; with none it has no standing.
3. Agreeing, repeating, ageing and use move nothing: a support that is no stronger than the memory leaves it as it is.
4. Revoking and erasing remove supports; a memory then has the maximum of what is left, and without any it falls.
5. Who rests on a fallen version falls with it.
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
    """What falls when the sources `gone` no longer count; `standing` has the live supports of every version."""
    lost = set(gone)
    supports: dict[tuple[str, int], None] = {}
    versions: dict[str, None] = {}
    touched: set[str] = set()
    resting: dict[str, list[tuple[str, Support]]] = {}
    for version, held in standing.items():
        for support in held:
            for source in support.sources:
                resting.setdefault(source, []).append((version, support))
    waiting = list(dict.fromkeys(gone))
    while waiting:
        for version, support in resting.get(waiting.pop(), ()):
            if support.removed is not None or (version, support.number) in supports:
                continue
            supports[version, support.number] = None
            touched.add(version)
            left = [s for s in standing[version] if s.removed is None and (version, s.number) not in supports]
            if not left and version not in versions and version not in lost:
                versions[version] = None
                waiting.append(version)
    changed = {}
    for version in touched - versions.keys():
        before = authority_of_memory(standing[version])
        after = authority_of_memory(s for s in standing[version] if (version, s.number) not in supports)
        if after is not None and after != before:
            changed[version] = after
    return Fall(tuple(supports), tuple(versions), changed)
