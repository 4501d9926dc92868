"""Derive again: what the extractor of today finds in episodes of before, against what is remembered of them.

The difference comes first (`dry_run`): what would be new, and which supports would be withdrawn because their quotes
are no longer found. What a language model failed to look at stays as it is, and so does what one found where there is
none now. What changes becomes versions and statuses like everything else; nothing is overwritten. What a
person said of a memory (an update, a confirmation) is his own word, and is left as it is. No model is asked how what is
new stands to what is known: what was chosen when it was added stays, and else structure decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from affidavit.core.authority import Role
from affidavit.core.book import Book
from affidavit.core.candidates import Admitted
from affidavit.core.changes import Change
from affidavit.core.cost import Cost
from affidavit.core.falling import withdraw
from affidavit.core.memories import ItemRow, Part
from affidavit.core.outcome import Outcome
from affidavit.core.reconcile import reconcile
from affidavit.core.values import EpisodeRow, Owner
from affidavit.core.when import When
from affidavit.errors import InputError
from affidavit.store.protocol import Job, Reads, Selection, Store, Stored, View
from affidavit.write.derive import Deriver, Looked
from affidavit.write.results import Derived
from affidavit.write.said_already import Said, new_ones, says_again
from affidavit.write.telling import derived

_BATCH = 200
_FIELDS = ("extractor", "model", "language", "role", "session_id", "source_id", "since", "until")
_ACTS = frozenset({"update", "confirm", "endorse", "retract", "resolve"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Which episodes to look at again: all that fit every field given.

    `extractor`, `model` and `language` are of memories that rest on them; `since` and `until` are when they were said
    (or stored, where nobody knows), UTC microseconds, `until` not included.
    """

    extractor: str | None = None
    model: str | None = None
    language: str | None = None
    role: str | None = None
    session_id: str | None = None
    source_id: str | None = None
    since: int | None = None
    until: int | None = None

    @classmethod
    def of(cls, where: Mapping[str, object] | None) -> "Where":
        """Check what the caller gave. Raises `InputError`, `DateError`."""
        given = dict(where or {})
        for name in given:
            if name not in _FIELDS:
                raise InputError(
                    f"there is nothing called {name!r} to choose by", hint=f"use {', '.join(_FIELDS)}"
                )
        texts: dict[str, str | None] = {}
        for name in _FIELDS[:-2]:
            value = given.get(name)
            if value is not None and not isinstance(value, str):
                raise InputError(f"{name} is a {type(value).__name__}", hint="give text")
            texts[name] = value
        role = texts["role"]
        if role is not None and role not in set(Role):
            raise InputError(f"there is no role {role!r}", hint=f"use one of {', '.join(Role)}")
        since, until = (
            When.parse(given[one]) if given.get(one) is not None else None for one in _FIELDS[-2:]
        )
        return cls(
            **texts,
            since=None if since is None else since.start,
            until=None if until is None else until.start,
        )

    def fits(self, row: EpisodeRow) -> bool:
        """Whether an episode is one of those, as far as itself shows it."""
        said = row.recorded_at if row.occurred_start is None else row.occurred_start
        return (
            row.event_type not in _ACTS
            and self.role in {None, row.role}
            and (self.since is None or said >= self.since)
            and (self.until is None or said < self.until)
        )

    @property
    def by_memory(self) -> bool:
        """Whether memories choose the episodes."""
        return any((self.extractor, self.model, self.language))


class Rederiver:
    """Derives again, in one space and one commit."""

    def __init__(self, store: Store, deriver: Deriver) -> None:
        self._store = store
        self._deriver = deriver

    def again(self, space_id: str, owner: Owner, where: Where, *, dry_run: bool) -> Derived:
        """Look at the episodes again; all that changes, changes in one commit."""
        with self._store.snapshot() as reads:
            chosen = [stored.row.id for stored in _chosen(reads, space_id, where)]
        looked, cost = self._look(space_id, owner, chosen)
        # Of what the model could not look at nothing is known: it stays as it is.
        missed = {one.episode_id for one in looked.missed}
        ids = [one for one in chosen if one not in missed]
        among = frozenset(ids)
        admitted = [
            one for one in looked.checked.admitted if among.issuperset(part.source for part in one.parts)
        ]
        told: list[Derived] = []
        at: list[int] = []

        def prepared(view: View) -> Sequence[Change]:
            done, changes = self._differences(view, ids, admitted, where)
            told[:], at[:] = [done], [view.now]
            return changes

        if dry_run:
            self._store.preview(space_id, prepared)
        else:
            self._store.commit(space_id, prepared)
            if chosen:
                self._deriver.note(space_id, [Job(space_id, "extract", one, at[0]) for one in chosen], looked)
        problems = tuple(dict.fromkeys(looked.problems))
        if missed:
            what = f"{len(missed)} of {len(chosen)} episodes could not be looked at by the model"
            problems += (f"{what}, and what is remembered of them stays as it is: derive again",)
        return replace(
            told[0],
            rejected=looked.checked.rejected,
            problems=problems,
            cost=cost,
            episodes=len(ids),
            dry_run=dry_run,
        )

    def _look(self, space_id: str, owner: Owner, chosen: Sequence[str]) -> tuple[Looked, Cost]:
        """Look at episodes, some at a time."""
        looked, cost, consulting = Looked(), Cost(), self._deriver.consulting()
        for start in range(0, len(chosen), _BATCH):
            batch = chosen[start : start + _BATCH]
            with self._store.snapshot() as reads:
                context = self._deriver.context(reads, space_id, owner, batch, whole=True)
                earlier = self._deriver.earlier(reads, space_id, context)
            looked = looked.plus(
                self._deriver.look(context, earlier, consulting, patient=True, among=frozenset(batch))
            )
            if consulting is not None:
                cost = cost.plus(consulting.cost)
            consulting = self._deriver.consulting(consulting)
        return looked, cost

    def _differences(
        self, view: View, ids: Sequence[str], admitted: Sequence[Admitted], where: Where
    ) -> tuple[Derived, Sequence[Change]]:
        book, among = Book(view), set(ids)
        found = _Found(admitted)
        lost: list[tuple[str, int]] = []
        unchanged = 0
        resting = view.supports(view.space_id, view.resting(view.space_id, ids))
        rows = {id_: stored.row for id_, stored in view.items(view.space_id, list(resting)).items()}
        for version, row in rows.items():
            for support in resting[version] if self._is_looked_for(row, where) else ():
                if support.removed is None and among.issuperset(support.sources):
                    again = found.again(row, support.parts)
                    unchanged += again
                    lost += [] if again else [(version, support.number)]
        fallen = withdraw(book, lost, relations=self._deriver.relations)
        new = new_ones(admitted, view, lost)
        outcome: Outcome = reconcile(new, view, self._deriver.relations, book=book)
        done = replace(
            derived(outcome, lambda ids: {held.id: held.row for held in book.items(ids)}),
            withdrawn=tuple(dict.fromkeys(version for version, _ in lost)),
            invalidated=fallen.invalidated,
            reopened=fallen.reopened,
            unchanged=unchanged,
        )
        return done, book.changes

    def _is_looked_for(self, row: ItemRow, where: Where) -> bool:
        """What a model found stays where there is none now to find it again, unless it was asked for by name."""
        by_name = where.model is not None or where.extractor is not None
        return row.model is None or self._deriver.has_model or by_name


class _Found:
    """What is found now, by the words it rests on."""

    def __init__(self, admitted: Sequence[Admitted]) -> None:
        self._said: dict[tuple[Part, ...], list[Said]] = {}
        for one in admitted:
            self._said.setdefault(one.parts, []).append(Said.admitted(one))

    def again(self, row: ItemRow, parts: tuple[Part, ...]) -> bool:
        """Whether a version is found again in these words; of a model's, whether it is the same that is said."""
        said = self._said.get(parts, [])
        if row.model is None:
            return bool(said)
        return any(says_again(one, Said.stored(row, parts)) for one in said)


def _chosen(reads: Reads, space_id: str, where: Where) -> Iterator[Stored]:
    resting: set[str] | None = None
    if where.by_memory:
        versions = [
            stored.row.id
            for stored in reads.all_items(space_id)
            if where.extractor in {None, stored.row.extractor}
            and where.model in {None, stored.row.model}
            and where.language in {None, stored.row.language}
        ]
        supports = reads.supports(space_id, versions).values()
        resting = {source for held in supports for support in held for source in support.sources}
    for stored in reads.select(space_id, Selection(session_id=where.session_id, source_id=where.source_id)):
        if where.fits(stored.row) and (resting is None or stored.row.id in resting):
            yield stored
