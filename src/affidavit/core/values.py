"""The stored forms: what stands in a row, exactly as it is committed to, and the typed value read from it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Self, TypedDict

from affidavit.core.authority import Authority, Party, Role, SpaceKind
from affidavit.core.jsonable import Result
from affidavit.core.when import Basis, When, rfc3339
from affidavit.errors import InputError, StoreUnreadableError
from affidavit.text.spans import Span


def json_text(value: object) -> str:
    """JSON as we store it inside a column: compact, sorted keys, characters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


class Status(StrEnum):
    """Whether an episode counts. A quarantined one is kept and listed, never rendered to a model."""

    ACTIVE = "active"
    QUARANTINED = "quarantined"


class Scope(TypedDict):
    """Whose something is, by the ids a caller knows, and who sees it."""

    user_id: str | None
    agent_id: str | None
    team_id: str | None
    visibility: str


class Owner(NamedTuple):
    """Whose space it is: a kind, and the caller's id for it."""

    kind: SpaceKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    def scope(self) -> Scope:
        """The owner as results show it."""
        return {
            "user_id": self.name if self.kind is SpaceKind.USER else None,
            "agent_id": self.name if self.kind is SpaceKind.AGENT else None,
            "team_id": self.name if self.kind is SpaceKind.TEAM else None,
            "visibility": str(self.kind),
        }


class Head(NamedTuple):
    """The top of a space's log. `size` is the space's version; `note` the last signed head, if any."""

    space_id: str
    kind: SpaceKind
    name: str | None
    size: int
    root: bytes
    frontier: bytes
    note: str | None


class EpisodeRow(NamedTuple):
    """An episode as its row holds it; what the space index reads comes first, the long text last."""

    id: str
    session_id: str | None
    speaker: str | None
    role: str
    authority: str
    status: str
    occurred_start: int | None
    occurred_end: int | None
    recorded_at: int
    terms: bytes
    policy: str
    actor: str
    agent: str | None
    author: str | None
    derived_from: str | None
    occurred_text: str | None
    occurred_basis: str
    occurred_offset: int | None
    source: str | None
    source_id: str | None
    event_type: str | None
    resources: str
    idempotency_key: str | None
    document: str | None
    extra: str | None
    metadata: str
    spans: str
    text: str


EPISODE_COLUMNS = EpisodeRow._fields
# Looked up, for a call of an enumeration takes longer and there are four in everything that is found.
_ROLES = {str(one): one for one in Role}
_PARTIES = {str(one): one for one in Party}
_AUTHORITIES = {str(one): one for one in Authority}
_STATUSES = {str(one): one for one in Status}
_BASES = {str(one): one for one in Basis}
_CLEAR = {"id", "actor", "authority", "status"}
_DERIVED = {"terms"}
COMMITTED_EPISODE_COLUMNS = tuple(c for c in EPISODE_COLUMNS if c not in _CLEAR | _DERIVED)
"""The columns an episode's commitment covers, in this order (`docs/spec/ledger-v1.md`)."""
_COMMITTED_AT = tuple(EPISODE_COLUMNS.index(c) for c in COMMITTED_EPISODE_COLUMNS)


def committed_episode(row: EpisodeRow) -> list[str | int | bytes | None]:
    """The values an episode's commitment covers."""
    return [row[i] for i in _COMMITTED_AT]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where an episode came from.

    `speaker` is the message's own `name`; `name` the source's (an inbox, a file, a tool); `source_id`
    groups what came together and can be erased together.
    """

    role: Role
    speaker: str | None = None
    author: Party | None = None
    derived_from: Party | None = None
    name: str | None = None
    source_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPlace:
    """Where a chunk stands in its document: its number, its headings, its offsets in code points, and its page."""

    name: str | None
    index: int
    count: int
    headings: tuple[str, ...]
    start: int
    end: int
    page: int | None = None
    """Counted from 1; None in a document without pages."""

    def to_json(self) -> str:
        """The place as its column holds it."""
        said = asdict(self)
        if self.page is None:
            del said["page"]  # as it was before there were pages: the same document is the same
        return json_text(said)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The value written by `to_json`."""
        fields = json.loads(text)
        return cls(**(fields | {"headings": tuple(fields["headings"])}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode(Result):
    """Immutable raw input: a message, mail, tool result or document chunk, with source and time.

    `text` is the stored text (secrets masked; see `spans`), `seq` its place in the space's log,
    `recorded_at` the moment we stored it in UTC microseconds, `occurred` when it happened.
    """

    id: str
    space_id: str
    seq: int
    session_id: str | None
    text: str
    source: Source
    authority: Authority
    policy: str
    status: Status
    recorded_at: int
    occurred: When
    actor: str
    agent: str | None = None
    event_type: str | None = None
    resources: tuple[str, ...] = ()
    document: DocumentPlace | None = None
    extra: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any]
    spans: tuple[Span, ...] = ()

    @property
    def sha256(self) -> str:
        """SHA-256 of the stored text, computed now: it is kept nowhere, as an unsalted hash would outlive erasure."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """The episode as JSON-ready values, with its hash and with RFC 3339 times."""
        fields = Result.to_dict(self)
        return fields | {"recorded_at": rfc3339(self.recorded_at), "sha256": self.sha256}

    @classmethod
    def from_row(cls, space_id: str, seq: int, row: EpisodeRow) -> Self:
        """The typed value of a stored row. Raises `StoreUnreadableError` where the row is damaged."""
        try:
            return cls._from_row(space_id, seq, row)
        except (ValueError, TypeError, LookupError, AttributeError, InputError) as error:
            raise StoreUnreadableError(
                f"the row of {row.id} is damaged ({error})",
                hint="run `affidavit verify`, and restore from a backup made with `affidavit admin backup`",
            ) from error

    @classmethod
    def _from_row(cls, space_id: str, seq: int, row: EpisodeRow) -> Self:
        if not isinstance(row.text, str):
            raise TypeError("its text is not text")
        return cls(
            id=row.id,
            space_id=space_id,
            seq=seq,
            session_id=row.session_id,
            text=row.text,
            source=Source(
                role=_ROLES[row.role],
                speaker=row.speaker,
                author=_PARTIES[row.author] if row.author else None,
                derived_from=_PARTIES[row.derived_from] if row.derived_from else None,
                name=row.source,
                source_id=row.source_id,
            ),
            authority=_AUTHORITIES[row.authority],
            policy=row.policy,
            status=_STATUSES[row.status],
            recorded_at=row.recorded_at,
            occurred=occurred_of(row),
            actor=row.actor,
            agent=row.agent,
            event_type=row.event_type,
            resources=() if row.resources == "[]" else tuple(json.loads(row.resources)),
            document=DocumentPlace.from_json(row.document) if row.document else None,
            extra=json.loads(row.extra) if row.extra else None,
            metadata={} if row.metadata == "{}" else json.loads(row.metadata),
            spans=spans_of(row),
        )


def spans_of(row: EpisodeRow) -> tuple[Span, ...]:
    """The marked stretches of a stored episode."""
    return () if row.spans == "[]" else tuple(map(Span.from_list, json.loads(row.spans)))


def occurred_of(row: EpisodeRow) -> When:
    """When a stored episode happened."""
    return When(
        start=row.occurred_start,
        end=row.occurred_end,
        text=row.occurred_text,
        basis=_BASES[row.occurred_basis],
        offset=row.occurred_offset,
    )
