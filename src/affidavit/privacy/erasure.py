"""What is to be erased: the request, and the episodes that it names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.core.limits import check_optional_id
from affidavit.errors import InputError
from affidavit.store.protocol import Reads, Selection, Stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What to erase: exactly one of these."""

    memory_id: str | None = None
    episode_id: str | None = None
    session_id: str | None = None
    source_id: str | None = None
    actor: str | None = None
    everything: bool = False

    @classmethod
    def of(cls, *, everything: bool = False, **ids: object) -> "Erasure":
        """The checked request. Raises `InputError` unless exactly one thing is named."""
        if not isinstance(everything, bool):
            raise InputError(
                f"everything is a {type(everything).__name__}", hint="give True, or leave it out"
            )
        named = {name: check_optional_id(value, name) for name, value in ids.items()}
        if sum(value is not None for value in named.values()) + everything != 1:
            raise InputError(
                "it is not said what to forget, or several things at once",
                hint="give one of memory_id, episode_id, session_id, source_id, actor, or everything=True",
            )
        return cls(everything=everything, **named)

    def found(self, reads: Reads, space_id: str, refs: Sequence[str]) -> Iterator[Stored]:
        """The episodes that this names, in one space."""
        if self.everything:
            yield from reads.select(space_id, Selection())
        elif self.memory_id is not None:
            yield from reads.episodes(space_id, evidence_of(reads, space_id, self.memory_id)).values()
        elif self.episode_id is not None:
            yield from reads.episodes(space_id, [self.episode_id]).values()
        elif self.actor is not None:
            for ref in refs:
                yield from reads.select(space_id, Selection(actor=ref))
        else:
            yield from reads.select(space_id, Selection(session_id=self.session_id, source_id=self.source_id))


def evidence_of(reads: Reads, space_id: str, memory_id: str) -> list[str]:
    """The episodes that a memory (`mem_…@2`: one version of it) stands on, through other versions too."""
    base, at, _ = memory_id.partition("@")
    rows = [stored.row for stored in reads.versions(space_id, base)]
    found: dict[str, None] = {}
    seen = batch = [row.id for row in rows if not at or row.id == memory_id]
    while batch:
        supports = reads.supports(space_id, batch)
        sources = dict.fromkeys(one for held in supports.values() for s in held for one in s.sources)
        found |= dict.fromkeys(one for one in sources if "@" not in one)
        batch = [one for one in sources if "@" in one and one not in seen]
        seen = [*seen, *batch]
    return list(found)
