"""`MemoryItem`: one version of a memory as readers see it, with its quotes and how it stands."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from affidavit.core.authority import Authority
from affidavit.core.beliefs import Beliefs
from affidavit.core.candidates import Slot
from affidavit.core.jsonable import Result
from affidavit.core.memories import Conflict, ItemRow, Kind, MemoryStatus, Support
from affidavit.core.standing import Holds, Standing, Term, Why, is_grounded, is_mentionable, standing_at
from affidavit.core.values import Head, Owner
from affidavit.core.when import Basis, When, rfc3339
from affidavit.errors import InputError, StoreUnreadableError
from affidavit.read.terms import SpaceTerms, terms_of
from affidavit.store.memory_reads import StoredItem
from affidavit.store.protocol import Reads
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote(Result):
    """A verbatim span of an episode: code points `start` to `end` of its stored text.

    `authority`: how far what rests on it may be relied on, as who said it decides.
    """

    episode_id: str
    start: int
    end: int
    text: str
    authority: Authority


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryItem(Result):
    """One version of a memory.

    `id` names the memory, `version_id` (`mem_…@2`) this version. `valid` is when it holds in the world, `occurred`
    when the event happened or will. `holds` says how it stands at the time asked about, `why` why it does not hold
    then; `stale` that it is past the time for which its like can be counted on. `grounded`: it may be asserted about
    that time; `mentionable`: it may also be volunteered. `evidence` are the quotes it rests on, `rests_on` other
    versions; `superseded_by` the version that took its place; `conflicts` the open conflicts it is part of.
    """

    id: str
    version: int
    version_id: str
    text: str
    kind: Kind
    subject: str
    relation: str | None
    object: str | None
    qualifier: str | None
    authority: Authority
    status: MemoryStatus
    certainty: Certainty
    negated: bool
    claimant: str | None
    valid: When
    occurred: When | None
    recorded_at: int
    holds: Holds
    why: Why | None
    stale: bool
    grounded: bool
    mentionable: bool
    evidence: tuple[Quote, ...]
    rests_on: tuple[str, ...] = ()
    superseded_by: str | None = None
    slots: tuple[Slot, ...] = ()
    conflicts: tuple[str, ...] = ()
    metadata: Mapping[str, Any]
    policy: str
    extractor: str
    model: str | None = None
    prompt: str | None = None
    language: str | None = None
    space_id: str
    seq: int
    user_id: str | None = None
    agent_id: str | None = None
    team_id: str | None = None
    visibility: str = "user"

    def to_dict(self) -> dict[str, Any]:
        """The memory as JSON-ready values, with RFC 3339 times."""
        return Result.to_dict(self) | {"recorded_at": rfc3339(self.recorded_at)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictGroup(Result):
    """Memories that cannot both hold, and that no rule may settle: a person does, with `resolve`."""

    id: str
    subject: str
    relation: str | None
    opened_at: int
    members: tuple[MemoryItem, ...]

    def to_dict(self) -> dict[str, Any]:
        """The group as JSON-ready values, with RFC 3339 times."""
        return Result.to_dict(self) | {"opened_at": rfc3339(self.opened_at)}


class View(NamedTuple):
    """From where memories are looked at: whose space, about which instant (UTC microseconds), as believed when."""

    head: Head
    at: int
    relations: Mapping[str, Relation]
    beliefs: Beliefs | None = None
    known_at: int | None = None
    terms: SpaceTerms | None = None
    """When the versions hold, where that is known already."""

    @property
    def space_id(self) -> str:
        """The space."""
        return self.head.space_id

    def believed(self, stored: StoredItem) -> StoredItem | None:
        """The version as it was believed; None where it was not there yet."""
        if self.beliefs is None:
            return stored
        row = self.beliefs.row(stored.row)
        return None if row is None else StoredItem(stored.seq, row)

    def terms_of(self, reads: Reads, rows: Sequence[ItemRow]) -> dict[str, Term]:
        """When these versions hold, by version id."""
        if self.terms is None:
            return terms_of(reads, self.space_id, rows, self.relations, self.beliefs)
        return {row.id: self.terms.terms[self.terms.places[row.id]] for row in rows}

    def conflicts(self, reads: Reads) -> list[Conflict]:
        """The conflicts that are open, or were then."""
        if self.known_at is None:
            return reads.conflicts(self.space_id)
        return [
            one
            for one in reads.conflicts(self.space_id, open_only=False)
            if one.opened_at <= self.known_at and (one.resolved_at is None or one.resolved_at > self.known_at)
        ]


def memory_items(reads: Reads, view: View, stored: Iterable[StoredItem]) -> dict[str, MemoryItem]:
    """These versions as readers see them, by version id. Raises `StoreUnreadableError` where a row is damaged."""
    seen = [one for one in map(view.believed, stored) if one is not None]
    if not seen:
        return {}
    ids = [one.row.id for one in seen]
    terms = view.terms_of(reads, [one.row for one in seen])
    supports = reads.supports(view.space_id, ids)
    contested: dict[str, list[str]] = {}
    for conflict in view.conflicts(reads):
        for member in conflict.members:
            contested.setdefault(member, []).append(conflict.id)
    found = {}
    for one in seen:
        behind = supports.get(one.row.id, ())
        if view.beliefs is not None:
            behind = view.beliefs.supports(one.row.id, behind)
        try:
            found[one.row.id] = _item(view, one, terms[one.row.id], behind, contested.get(one.row.id, []))
        except (ValueError, TypeError, LookupError, AttributeError, InputError) as error:
            raise StoreUnreadableError(
                f"the row of {one.row.id} is damaged ({error})",
                hint="run `affidavit verify`, and restore from a backup made with `affidavit admin backup`",
            ) from error
    return found


def _item(
    view: View, stored: StoredItem, term: Term, supports: Sequence[Support], conflicts: Sequence[str]
) -> MemoryItem:
    seq, row = stored
    standing = standing_at(term, view.at)
    living = [support for support in supports if support.removed is None]
    return MemoryItem(
        id=row.memory_id,
        version=row.version,
        version_id=row.id,
        text=row.text,
        kind=Kind(row.kind),
        subject=row.subject,
        relation=row.relation,
        object=row.object,
        qualifier=row.qualifier or None,
        authority=Authority(row.authority),
        status=MemoryStatus(row.status),
        certainty=Certainty(row.certainty),
        negated=bool(row.negated),
        claimant=row.claimant,
        valid=_valid(row),
        occurred=_occurred(row),
        recorded_at=row.recorded_at,
        **_standing(row, standing),
        evidence=tuple(dict.fromkeys(quote for support in living for quote in _quotes(support))),
        rests_on=tuple(
            dict.fromkeys(part.source for one in living for part in one.parts if part.start is None)
        ),
        superseded_by=row.closed_by,
        slots=tuple(
            Slot(name=name, value=value, source=source, authority=Authority(authority))
            for name, value, source, authority in json.loads(row.slots)
        ),
        conflicts=tuple(conflicts),
        metadata=json.loads(row.metadata),
        policy=row.policy,
        extractor=row.extractor,
        model=row.model,
        prompt=row.prompt,
        language=row.language,
        space_id=view.space_id,
        seq=seq,
        **Owner(view.head.kind, view.head.name or "").scope(),
    )


def _standing(row: ItemRow, standing: Standing) -> dict[str, Any]:
    return {
        "holds": standing.holds,
        "why": standing.why,
        "stale": standing.stale,
        "grounded": is_grounded(row, standing),
        "mentionable": is_mentionable(row, standing),
    }


def _quotes(support: Support) -> Iterable[Quote]:
    for part in support.parts:
        if part.start is not None and part.end is not None and part.quote is not None:
            yield Quote(
                episode_id=part.source,
                start=part.start,
                end=part.end,
                text=part.quote,
                authority=support.authority,
            )


def _has_occurred(row: ItemRow) -> bool:
    """Whether the words of a version's time are those of an event."""
    dated = row.occurred_start is not None or row.occurred_end is not None
    return dated or (row.kind == Kind.EVENT and row.time_text is not None)


def _valid(row: ItemRow) -> When:
    """When a version holds in the world; what never held has no time."""
    start, end = row.valid_start, row.ends
    if start is not None and end is not None and end <= start:
        start = end = None
    if _has_occurred(row):
        return When(start=start, end=end, basis=Basis.INFERRED)
    return When(start=start, end=end, text=row.time_text, basis=Basis(row.time_basis), offset=row.time_offset)


def _occurred(row: ItemRow) -> When | None:
    if not _has_occurred(row):
        return None
    return When(
        start=row.occurred_start,
        end=row.occurred_end,
        text=row.time_text,
        basis=Basis(row.time_basis),
        offset=row.time_offset,
    )


def conflict_groups(
    reads: Reads, view: View, versions: Iterable[str], known: Mapping[str, MemoryItem]
) -> tuple[ConflictGroup, ...]:
    """The conflicts that these versions are part of, with all their members; `known` are members read already."""
    wanted = set(versions)
    concerned = [one for one in view.conflicts(reads) if not wanted.isdisjoint(one.members)]
    return groups_of(reads, view, concerned, known)


def groups_of(
    reads: Reads, view: View, concerned: Sequence[Conflict], known: Mapping[str, MemoryItem]
) -> tuple[ConflictGroup, ...]:
    """Conflicts with all their members; `known` are members read already."""
    missing = {member for one in concerned for member in one.members} - known.keys()
    read = memory_items(reads, view, reads.items(view.space_id, sorted(missing)).values()) if missing else {}
    members = {**known, **read}
    return tuple(
        ConflictGroup(
            id=one.id,
            subject=one.subject,
            relation=one.relation,
            opened_at=one.opened_at,
            members=tuple(members[member] for member in one.members if member in members),
        )
        for one in concerned
    )


def beliefs_at(reads: Reads, head: Head, known_at: int) -> Beliefs:
    """What was believed in a space at an earlier moment, from its log."""
    bodies = list(reads.entries(head.space_id, 0, head.size))
    skipped = [b'"op":"Embedded"']
    if not any(b'"op":"StatusSet"' in body and b'"target":"ep_' in body for _, body in bodies):
        skipped.append(b'"op":"EpisodeStored"')  # nothing ever changed a label of an episode
    told = (one for one in bodies if not any(op in one[1] for op in skipped))
    return Beliefs.of(((seq, json.loads(body)) for seq, body in told), rfc3339(known_at))
