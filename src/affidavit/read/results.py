"""What reading gives: hits, pages and their parts. Typed values; their JSON names are API."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from affidavit.core.authority import Authority
from affidavit.core.jsonable import Result
from affidavit.core.values import Episode, Owner, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote(Result):
    """A verbatim span of an episode: code points `start` to `end` of its stored text."""

    episode_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Result):
    """One thing found.

    `kind` says what it is (`episode`: raw input, not a statement of ours); `authority` how far it may be relied
    on; `score` orders the hits of one search and means nothing across searches; `explain` holds its parts,
    where they were asked for.
    """

    id: str
    kind: str
    text: str
    score: float
    authority: Authority
    status: Status
    evidence: tuple[Quote, ...]
    metadata: Mapping[str, Any]
    episode: Episode
    user_id: str | None = None
    agent_id: str | None = None
    team_id: str | None = None
    visibility: str = "user"
    explain: Mapping[str, float] | None = None

    @property
    def speaker(self) -> str | None:
        """Who said it, by the name the message carried."""
        return self.episode.source.speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(Result):
    """What one search found, best first.

    `trace_id` names the record of what was shown (None where none could be kept: a read-only store, or
    `record=False`). `plan` tells how it was searched: which spaces, how many rows were allowed, and whether
    meaning counted beside words (`dense`: `on`, or why not).
    """

    hits: tuple[Hit, ...] = ()
    trace_id: str | None = None
    plan: Mapping[str, Any] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Result):
    """One thing kept, as `get` and `list` show it."""

    id: str
    kind: str
    text: str
    authority: Authority
    status: Status
    episode: Episode
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
