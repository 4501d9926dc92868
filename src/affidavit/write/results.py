"""What writing gives: typed values; their JSON names are API."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from affidavit.core.candidates import Rejection
from affidavit.core.choices import Overruled
from affidavit.core.cost import Cost
from affidavit.core.jsonable import Result
from affidavit.core.values import Episode
from affidavit.write.messages import Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered(Result):
    """A version of a memory that was made or touched: the memory's id, the number of the version, what it says."""

    id: str
    version: int
    text: str
    kind: str
    authority: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived(Result):
    """What deriving did, or would do (`dry_run`).

    `episodes` were looked at. `added` are new memories, `updated` further versions, `supported` what was said again,
    `retracted` what holds no more by what was said; `closed`, `conflicts`, `rejected` and
    `overruled` as in `AddResult`.

    Of deriving again: `withdrawn` are versions that lost a support whose quote is no longer found, of these
    `invalidated` have none left; `reopened` are believed again; `unchanged` counts supports found as before.

    `problems` says what a language model failed at, and how to go on; `waiting` counts the episodes that wait for it;
    `cost` is what was asked of it.
    """

    episodes: int = 0
    added: tuple[Remembered, ...] = ()
    updated: tuple[Remembered, ...] = ()
    supported: tuple[Remembered, ...] = ()
    retracted: tuple[Remembered, ...] = ()
    closed: tuple[Remembered, ...] = ()
    conflicts: tuple[str, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    overruled: tuple[Overruled, ...] = ()
    withdrawn: tuple[str, ...] = ()
    invalidated: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()
    unchanged: int = 0
    waiting: int = 0
    problems: tuple[str, ...] = ()
    cost: Cost = field(default_factory=Cost)
    dry_run: bool = False

    def plus(self, other: "Derived") -> "Derived":
        """This, and what was done after it."""
        names = [one.name for one in fields(self) if one.name not in {"cost", "dry_run"}]
        both = {name: getattr(self, name) + getattr(other, name) for name in names}
        return replace(self, **both, cost=self.cost.plus(other.cost))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddResult(Result):
    """What one `add` did.

    `episodes` are the new ones, in order; `repeated` those that were there already under the same idempotency
    key; `skipped` the messages that held nothing, and what of a document's file is not in its text.

    `added` are new memories, `updated` further versions of known ones, `supported` what was said again, `retracted`
    what holds no more by what was said; `closed` are all versions of before that got an end by it: replaced, corrected,
    ended. `conflicts` are ids of what cannot both hold; `rejected` says what was not remembered, and why; `overruled`
    what a language model chose of a statement that the rules did not permit: it was added. Without a language model
    what was waiting from before is looked at, too, and told here; with one only `derive` does. With `dry_run` all of it
    is what would be, and nothing is written; ids of what is not there yet mean nothing then.

    `pending` counts what still waits, by kind. `masked` counts the secrets that were masked in the texts before
    anything was stored; `problems` says what went wrong after the episodes were safe, and how to go on; `cost` is what
    was asked of a language model.
    """

    episodes: tuple[Episode, ...] = ()
    added: tuple[Remembered, ...] = ()
    updated: tuple[Remembered, ...] = ()
    supported: tuple[Remembered, ...] = ()
    retracted: tuple[Remembered, ...] = ()
    closed: tuple[Remembered, ...] = ()
    conflicts: tuple[str, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    overruled: tuple[Overruled, ...] = ()
    repeated: tuple[Episode, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    pending: Mapping[str, int] = field(default_factory=dict)
    masked: int = 0
    problems: tuple[str, ...] = ()
    cost: Cost = field(default_factory=Cost)
    source_id: str | None = None
    space_id: str | None = None
    dry_run: bool = False

    def with_derived(self, done: Derived) -> "AddResult":
        """This, and what was made of it; only what a model failed at waits to be derived any more."""
        pending = {kind: n for kind, n in self.pending.items() if kind != "extract"}
        if done.waiting:
            pending["extract"] = done.waiting
        return replace(
            self,
            added=done.added,
            updated=done.updated,
            supported=done.supported,
            retracted=done.retracted,
            closed=done.closed,
            conflicts=done.conflicts,
            rejected=done.rejected,
            overruled=done.overruled,
            problems=(*self.problems, *done.problems),
            cost=self.cost.plus(done.cost),
            pending=pending,
        )
