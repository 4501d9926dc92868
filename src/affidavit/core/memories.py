"""Memories: the stored forms of a version, its supports, conflicts and revoked sources.

A *memory* has versions; a version stands on supports; a support has parts, each a quote of an episode or another
version. The words are those of `docs/concepts.md`.
"""

from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from affidavit.core.authority import Authority

Value: TypeAlias = str | int | bytes | None

CHECKS: Final = "checks-1"
"""Name and version of the rules by which a candidate becomes a memory; stamped on every version."""

USER: Final = "user"
"""The subject of what a user says of himself."""


class Kind(StrEnum):
    """What a memory is of."""

    FACT = "fact"
    PREFERENCE = "preference"
    EVENT = "event"
    INSTRUCTION = "instruction"
    EXPERIENCE = "experience"
    SUMMARY = "summary"


class MemoryStatus(StrEnum):
    """Whether a version counts. Only an active one is asserted; the others are history, or kept apart."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    ARCHIVED = "archived"
    LAPSED = "lapsed"
    INVALIDATED = "invalidated"
    QUARANTINED = "quarantined"


class Reason(StrEnum):
    """Why an authority or a status was set."""

    SUPPORTED = "supported"  # a further support came
    WEAKENED = "weakened"  # a support went
    SUPERSEDED = "superseded"  # another value holds since
    CORRECTED = "corrected"  # it never held
    ENDED = "ended"  # it holds no more, and nothing took its place
    RETRACTED = "retracted"
    REVOKED = "revoked"  # its source counts no more
    REDERIVED = "rederived"  # deriving again no longer finds it
    LAPSED = "lapsed"
    ARCHIVED = "archived"
    RESOLVED = "resolved"  # a person settled a conflict
    RELEASED = "released"  # a person let it out of quarantine
    REOPENED = "reopened"  # what had taken its place is gone


class ItemRow(NamedTuple):
    """One version of a memory as its row holds it; what the space index reads comes first.

    `subject` is `user` or a name; `claimant` whose statement it is, where it is not the subject's own space's user.
    `valid_*`: when it holds in the world; `occurred_*`: when an event happens; `time_*`: the words of that time.
    `closed_*`: set when another version, or a word that it ended, closed this one.
    """

    memory_id: str
    version: int
    kind: str
    authority: str
    status: str
    occurred_start: int | None
    occurred_end: int | None
    recorded_at: int
    valid_start: int | None
    valid_end: int | None
    closed_end: int | None
    closed_at: int | None
    terms: bytes
    subject: str
    relation: str | None
    object: str | None
    qualifier: str | None
    certainty: str
    negated: int
    claimant: str | None
    time_text: str | None
    time_basis: str
    time_offset: int | None
    policy: str
    extractor: str
    model: str | None
    prompt: str | None
    language: str | None
    slots: str
    metadata: str
    actor: str
    closed_by: str | None
    closed_seq: int | None
    match_key: int
    text: str

    @property
    def id(self) -> str:
        """The id of this version, `mem_…@2`."""
        return version_id(self.memory_id, self.version)

    @property
    def ends(self) -> int | None:
        """When it ceases to hold, as far as known."""
        bounds = [end for end in (self.valid_end, self.closed_end) if end is not None]
        return min(bounds, default=None)


ITEM_COLUMNS = ItemRow._fields
_CLEAR = {"memory_id", "version", "actor", "authority", "status"}
_LATER = {"closed_end", "closed_at", "closed_by", "closed_seq"}
_DERIVED = {"terms", "match_key"}
COMMITTED_ITEM_COLUMNS: Final = (
    "kind", "text", "subject", "relation", "object", "qualifier", "certainty", "negated", "claimant",
    "valid_start", "valid_end", "occurred_start", "occurred_end", "time_text", "time_basis", "time_offset",
    "recorded_at", "policy", "extractor", "model", "prompt", "language", "slots", "metadata",
)  # fmt: skip
"""The columns a version's commitment covers, in this order (`docs/spec/ledger-v1.md`)."""
assert set(ITEM_COLUMNS) == set(COMMITTED_ITEM_COLUMNS) | _CLEAR | _LATER | _DERIVED
_COMMITTED_AT = tuple(ITEM_COLUMNS.index(name) for name in COMMITTED_ITEM_COLUMNS)


def committed_item(row: ItemRow) -> list[Value]:
    """The values a version's commitment covers."""
    return [row[i] for i in _COMMITTED_AT]


class Part(NamedTuple):
    """One thing a support needs: a quote of an episode (code points `start` to `end`), or a whole other version."""

    source: str
    start: int | None = None
    end: int | None = None
    quote: str | None = None


class Support(NamedTuple):
    """What would suffice alone for the whole statement; every part is needed.

    `authority` is the least of what its parts have; `seq` the number of the entry that told of it. `removed` says
    why it counts no more (`revoked`), if so.
    """

    number: int
    authority: Authority
    parts: tuple[Part, ...]
    seq: int
    removed: str | None = None

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of the episodes and versions it rests on, each once, in order."""
        return tuple(dict.fromkeys(part.source for part in self.parts))


def committed_support(parts: tuple[Part, ...]) -> list[Value]:
    """The values a support's commitment covers: the parts, one after another."""
    return [value for part in parts for value in part]


class Conflict(NamedTuple):
    """Live versions that cannot both hold, and that no rule may settle. `kept` is what a person decided for."""

    id: str
    members: tuple[str, ...]
    subject: str
    relation: str | None
    opened_at: int
    resolved_at: int | None = None
    kept: str | None = None


def version_id(memory_id: str, version: int) -> str:
    """The id of a version.

    >>> version_id("mem_1", 2)
    'mem_1@2'
    """
    return f"{memory_id}@{version}"


def support_id(version: str, number: int) -> str:
    """The id of a support, as erasures name it: `mem_…@2#1`."""
    return f"{version}#{number}"
