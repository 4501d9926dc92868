"""What reading gives: hits, pages and their parts. Typed values; their JSON names are API."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from affidavit.core.authority import Authority
from affidavit.core.jsonable import Result
from affidavit.core.memories import MemoryStatus
from affidavit.core.standing import Holds
from affidavit.core.values import Episode, Owner, Status
from affidavit.read.memories import ConflictGroup, MemoryItem, Quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Result):
    """One thing found.

    `kind` says what it is: `episode` (raw input, not a statement of ours: then `episode` holds it) or the kind of a
    memory (then `memory` holds it, with the quotes it rests on, also in `evidence`). `authority` says how far it may
    be relied on: a message in which others are quoted no further than they. `score` orders the hits of one search and
    means nothing across searches; `explain` holds its parts, where they were asked for. `standing` is how it stands at
    the time asked about; of an episode, the best of what memories drew from it, None where none did. `superseded_by`
    names the version of a memory that took its place.
    """

    id: str
    kind: str
    text: str
    score: float
    authority: Authority
    status: Status | MemoryStatus
    evidence: tuple[Quote, ...]
    metadata: Mapping[str, Any]
    episode: Episode | None = None
    memory: MemoryItem | None = None
    standing: Holds | None = None
    superseded_by: str | None = None
    user_id: str | None = None
    agent_id: str | None = None
    team_id: str | None = None
    visibility: str = "user"
    explain: Mapping[str, float] | None = None

    @property
    def speaker(self) -> str | None:
        """Who said it, by the name the message carried; of a memory, whose statement it is where not the user's."""
        if self.memory is not None:
            return self.memory.claimant
        return self.episode.source.speaker if self.episode is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(Result):
    """What one search found, best first.

    `conflicts` are the open conflicts that a found memory is part of, with all their members; `shared` is what others
    share, which never displaces one's own. `trace_id` names the record of what was shown (None where none could be
    kept: a read-only store, or `record=False`). `plan` tells how it was searched: which spaces and kinds, how many
    rows were allowed, the words that named a time, and whether meaning counted beside words (`dense`: `on`, or why
    not).
    """

    hits: tuple[Hit, ...] = ()
    shared: tuple[Hit, ...] = ()
    conflicts: tuple[ConflictGroup, ...] = ()
    trace_id: str | None = None
    plan: Mapping[str, Any] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Result):
    """One thing kept, as `get` and `list` show it: an episode, or a version of a memory."""

    id: str
    kind: str
    text: str
    authority: Authority
    status: Status | MemoryStatus
    episode: Episode | None = None
    memory: MemoryItem | None = None
    user_id: str | None = None
    agent_id: str | None = None
    team_id: str | None = None
    visibility: str = "user"

    @classmethod
    def of(cls, episode: Episode, owner: Owner) -> "Item":
        """An episode as an item."""
        return cls(
            id=episode.id,
            kind="episode",
            text=episode.text,
            authority=episode.authority,
            status=episode.status,
            episode=episode,
            **owner.scope(),
        )

    @classmethod
    def of_memory(cls, memory: MemoryItem) -> "Item":
        """A version of a memory as an item."""
        return cls(
            id=memory.id,
            kind=str(memory.kind),
            text=memory.text,
            authority=memory.authority,
            status=memory.status,
            memory=memory,
            user_id=memory.user_id,
            agent_id=memory.agent_id,
            team_id=memory.team_id,
            visibility=memory.visibility,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Result):
    """Some of the items of a space. `total` counts all that match; `next` is the `after` of the next page."""

    items: tuple[Item, ...] = ()
    total: int = 0
    next: int | None = None

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
