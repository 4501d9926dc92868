"""Sources: what came together under one `source_id`, and taking back all that rests on one.

Rules:

1. A revoked source counts no more: its supports are removed, what is left with none falls, and so does what rests
   on that. What a fallen version had closed is open again.
2. Its episodes are quarantined, those that come later from their birth on. Nothing revives it: neither the same
   thing sent again nor an import.
3. Revoking twice does nothing, and tells the same.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from affidavit.core.access import Caller
from affidavit.core.authority import Authority, SpaceKind
from affidavit.core.book import Book
from affidavit.core.ceiling import Ceiling
from affidavit.core.changes import Change, SourceRevoked, StatusSet
from affidavit.core.falling import Fallen, let_fall, resting_on
from affidavit.core.ids import SOURCE
from affidavit.core.jsonable import Result
from affidavit.core.limits import check_id, shown
from affidavit.core.memories import MemoryStatus, Reason
from affidavit.core.values import Status
from affidavit.core.when import rfc3339
from affidavit.errors import AuthorityError, NotFoundError
from affidavit.store.owned import commit_to
from affidavit.store.protocol import Job, Reads, Selection, Store, View
from affidavit.text.lang.relations import Relation
from affidavit.write.connecting import held

if TYPE_CHECKING:
    from affidavit.write.documents import Document
    from affidavit.write.results import AddResult
    from affidavit.write.writing import Writing


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocation(Result):
    """What fell with a source, by version id.

    `invalidated` are left with nothing they stand on, `weakened` lost a support and still stand, `reopened` are
    believed again because what had replaced them fell. `repeated`: it was revoked before.
    """

    source_id: str
    episodes: int
    invalidated: tuple[str, ...] = ()
    weakened: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceInfo(Result):
    """One source of a space: how much came of it, and how far that may be relied on.

    `names` are those its messages gave for it; `authority` is the highest of its episodes (None without any);
    `memories` counts the believed versions that rest on it; times are those of recording.
    """

    source_id: str
    names: tuple[str, ...] = ()
    episodes: int = 0
    memories: int = 0
    authority: Authority | None = None
    first_at: str | None = None
    last_at: str | None = None
    revoked: bool = False


class Sources:
    """The sources of one store."""

    def __init__(self, store: Store, *, relations: Mapping[str, Relation]) -> None:
        self._store = store
        self._relations = relations

    def revoke(self, caller: Caller, source_id: object) -> Revocation:
        """Let nothing count any more that came from a source of the caller's space, now or later.

        Raises `NotFoundError` where nothing came from it, `AuthorityError` for a member of a team: it is the host
        who revokes there.
        """
        wanted = check_id(source_id, "source_id")
        if caller.owner.kind is SpaceKind.TEAM and caller.user_id is not None:
            raise AuthorityError(
                "a member can't revoke a source of the team",
                hint="have it revoked for the team, naming no user",
            )
        outcome: list[Revocation] = []
        waiting: list[Job] = []

        def prepared(view: View) -> list[Change]:
            episodes = [s.row for s in view.select(view.space_id, Selection(source_id=wanted))]
            ids = [row.id for row in episodes]
            if wanted in view.revoked_sources(view.space_id):
                outcome[:] = [_result(wanted, len(ids), _fell_before(view, ids), repeated=True)]
                return []
            if not episodes:
                raise _nothing_of(wanted)
            waiting[:] = [Job(view.space_id, "extract", one, 0) for one in ids]
            book = Book(view)
            fallen = let_fall(book, ids, relations=self._relations)
            outcome[:] = [_result(wanted, len(ids), fallen)]
            kept_apart = [
                StatusSet(
                    target=row.id, authority=row.authority, status=Status.QUARANTINED, reason=Reason.REVOKED
                )
                for row in episodes
                if row.status != Status.QUARANTINED
            ]
            revoked = SourceRevoked(id=view.new_id(SOURCE), source_id=wanted)
            return [revoked, *kept_apart, *book.changes]

        commit_to(self._store, caller.owner, prepared, lambda: _nothing_of(wanted))
        self._store.drop_jobs(waiting)
        return outcome[0]

    def list(self, caller: Caller) -> tuple[SourceInfo, ...]:
        """The sources of the caller's space, in the order in which they were first heard of."""
        with self._store.snapshot() as reads:
            head = reads.find_space(caller.owner)
            return () if head is None else tuple(_listed(reads, head.space_id))


class SourceHandle:
    """`memory.sources`: what came together, and taking back all that rests on it; adding through a credential."""

    def __init__(self, writing: "Writing") -> None:
        self._writing = writing

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]] | None = None,
        *,
        ceiling: Ceiling,
        document: "str | os.PathLike[str] | Document | None" = None,
        session_id: str | int | None = None,
        role: str | None = None,
        author: str | None = None,
        derived_from: str | None = None,
        occurred_at: object = None,
        event_type: str | None = None,
        source: str | None = None,
        source_id: str | int | None = None,
        resources: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> "AddResult":
        """Add what a connector brings: as `Memory.add`, and never above the `ceiling` that the host gave it.

        Whose memory it is stands in the ceiling. Where no role is stated, in a message or here, the least favourable of
        its roles holds; `source` is one of its systems (default: its name), and `source_id` and `idempotency_key` lie
        under its name (`crm:42`). Raises `AuthorityError` for a role or system that it does not allow.
        """
        caller = ceiling.caller if isinstance(ceiling, Ceiling) else Caller()
        given, origin = held(ceiling, messages, document, {
            "session_id": session_id, "role": role, "author": author, "derived_from": derived_from,
            "occurred_at": occurred_at, "event_type": event_type, "source": source, "source_id": source_id,
            "resources": resources, "metadata": metadata, "infer": infer, "idempotency_key": idempotency_key,
        })  # fmt: skip
        ids = (caller.user_id, caller.agent_id, caller.team_id)
        return self._writing.add(given, document, ids, origin=origin, dry_run=dry_run)

    def list(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
    ) -> tuple[SourceInfo, ...]:
        """The sources of the caller's space, in the order in which they were first heard of."""
        return self._writing.sources.list(Caller.of(user_id, agent_id, team_id))

    def revoke(
        self,
        source_id: str | int,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
    ) -> Revocation:
        """Let nothing count any more that came from a source, now or later; nothing revives it.

        Raises `NotFoundError` where nothing came from it, `AuthorityError` for a member of a team.
        """
        return self._writing.sources.revoke(Caller.of(user_id, agent_id, team_id), source_id)


def _nothing_of(source_id: str) -> NotFoundError:
    return NotFoundError(
        f"nothing came from a source {shown(source_id)}", hint="look at the `source_id` of what it brought"
    )


def _result(source_id: str, episodes: int, fallen: Fallen, *, repeated: bool = False) -> Revocation:
    return Revocation(
        source_id=source_id,
        episodes=episodes,
        invalidated=fallen.invalidated,
        weakened=fallen.weakened,
        reopened=() if repeated else fallen.reopened,
        repeated=repeated,
    )


def _fell_before(view: View, episodes: list[str]) -> Fallen:
    """What a revocation that was made earlier took its supports from."""
    lost = {
        version: any(support.removed is None for support in supports)
        for version, supports in resting_on(view, episodes).items()
        if any(support.removed is not None for support in supports)
    }
    return Fallen(
        invalidated=tuple(version for version, stands in lost.items() if not stands),
        weakened=tuple(version for version, stands in lost.items() if stands),
    )


def _listed(reads: Reads, space_id: str) -> Iterable[SourceInfo]:
    columns = ("source_id", "id", "source", "authority", "recorded_at")
    found: dict[str, list[tuple[str, str | None, str, int]]] = {}
    for source_id, *row in zip(*(reads.column(space_id, name) for name in columns), strict=True):
        if source_id is not None:
            found.setdefault(source_id, []).append((row[0], row[1], row[2], row[3]))
    revoked = reads.revoked_sources(space_id)
    for source_id, rows in found.items():
        ids, names, authorities, times = zip(*rows, strict=True)
        versions = reads.items(space_id, reads.resting(space_id, ids))
        yield SourceInfo(
            source_id=source_id,
            names=tuple(dict.fromkeys(name for name in names if name)),
            episodes=len(rows),
            memories=sum(stored.row.status == MemoryStatus.ACTIVE for stored in versions.values()),
            authority=max(map(Authority, authorities)),
            first_at=rfc3339(min(times)),
            last_at=rfc3339(max(times)),
            revoked=source_id in revoked,
        )
    yield from (SourceInfo(source_id=one, revoked=True) for one in revoked if one not in found)
