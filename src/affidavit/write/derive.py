"""Derive: what waits to be extracted becomes memories. Extract and check outside the lock, reconcile inside it.

An episode waits (a job of kind `extract`) until it was looked at: a process that dies in between loses nothing, and
what is derived twice changes nothing, as a quote that a version already stands on is passed over.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from affidavit.core.book import Book
from affidavit.core.candidates import Admitted, Candidate, Rejection
from affidavit.core.changes import Change, EpisodeStored, ItemAdded, ItemClosed
from affidavit.core.memories import ItemRow, MemoryStatus, version_id
from affidavit.core.outcome import Outcome
from affidavit.core.reconcile import reconcile
from affidavit.core.values import Owner, Status
from affidavit.store.memory_reads import RejectionRow
from affidavit.store.protocol import Job, Reads, Store, View
from affidavit.text.relations import Relation
from affidavit.write.ahead import ahead
from affidavit.write.checks import Context, check
from affidavit.write.extract import Extractor
from affidavit.write.results import Derived, Remembered

_BATCH = 200


class Deriver:
    """Makes memories of the episodes of a space."""

    def __init__(
        self,
        store: Store,
        extractor: Extractor,
        *,
        relations: Mapping[str, Relation],
        own_names: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._store = store
        self._extractor = extractor
        self.relations = relations
        self._own_names = own_names

    def waiting(self, space_id: str, owner: Owner, *, limit: int | None = None) -> Derived:
        """Look at the episodes of a space that wait, at most `limit`; what became of them."""
        done = Derived()
        while limit is None or done.episodes < limit:
            with self._store.snapshot() as reads:
                jobs = reads.jobs(space_id=space_id, kind="extract", limit=_BATCH)
                context = self.context(reads, space_id, owner, [job.target for job in jobs])
            if not jobs:
                break
            done = done.plus(self._take(space_id, context, jobs))
        return done

    def context(self, reads: Reads, space_id: str, owner: Owner, ids: Sequence[str]) -> Context:
        """What the checks judge by, of these episodes."""
        return Context(
            episodes=reads.episodes(space_id, ids),
            actors=reads.actors(space_id),
            owner=owner,
            own_names=self._own_names.get(owner.name, ()),
            revoked=frozenset(reads.revoked_sources(space_id)),
            relations=self.relations,
        )

    def _take(self, space_id: str, context: Context, jobs: Sequence[Job]) -> Derived:
        checked = check(self.candidates(context), context)
        outcome = Outcome()

        def prepared(view: View) -> Sequence[Change]:
            nonlocal outcome
            outcome = reconcile(new_ones(checked.admitted, view), view, self.relations)
            return outcome.changes

        if checked.admitted:
            self._store.commit(space_id, prepared)
        self._store.finish(jobs, [_row(one, job_at=jobs[0].created_at) for one in checked.rejected])
        with self._store.snapshot() as reads:
            told = derived(outcome, lambda ids: _rows(reads, space_id, ids))
        return replace(told, episodes=len(jobs), rejected=checked.rejected)

    def preview(self, view: View, owner: Owner, recorded: Sequence[Change], *, limit: int) -> Derived:
        """What would become of what waits, and then of the episodes that are `recorded`: at most `limit` of both."""
        jobs = view.jobs(space_id=view.space_id, kind="extract", limit=limit)
        stored = [change for change in recorded if isinstance(change, EpisodeStored)]
        ids = [job.target for job in jobs] + [one.row.id for one in stored if "extract" in one.pending]
        ids = ids[:limit]
        then = ahead(view, recorded)
        context = self.context(then, view.space_id, owner, ids)
        checked = check(self.candidates(context), context)
        book = Book(then)
        outcome = reconcile(new_ones(checked.admitted, then), then, self.relations, book=book)
        told = derived(outcome, lambda ids: {held.id: held.row for held in book.items(ids)})
        return replace(told, episodes=len(ids), rejected=checked.rejected, dry_run=True)

    def candidates(self, context: Context) -> list[Candidate]:
        """What the extractor proposes."""
        episodes = sorted(context.episodes.values(), key=lambda stored: stored.seq)
        return self._extractor.extract(episodes, context.actors, context.owner)


def derived(outcome: Outcome, rows: Callable[[Sequence[str]], Mapping[str, ItemRow]]) -> Derived:
    """What an outcome says; `rows` reads versions as they are after it."""
    known = {change.row.id: change.row for change in outcome.changes if isinstance(change, ItemAdded)}
    lists = {name: getattr(outcome, name) for name in ("added", "updated", "supported", "retracted")}
    lists["closed"] = _closed(outcome.changes, known)
    known = {**rows([one for ids in lists.values() for one in ids if one not in known]), **known}
    told: dict[str, Any] = {
        name: tuple(_remembered(known[one]) for one in dict.fromkeys(ids) if one in known)
        for name, ids in lists.items()
    }
    return Derived(**told, conflicts=tuple(outcome.conflicts))


def _rows(reads: Reads, space_id: str, ids: Sequence[str]) -> dict[str, ItemRow]:
    return {id_: stored.row for id_, stored in reads.items(space_id, ids).items()}


def _closed(changes: Sequence[Change], born: Mapping[str, ItemRow]) -> list[str]:
    """The versions of before that were given an end, and were not opened again."""
    last = {version_id(c.memory_id, c.version): c for c in changes if isinstance(c, ItemClosed)}
    return [
        one for one, change in last.items() if one not in born and (change.end, change.by) != (None, None)
    ]


def _remembered(row: ItemRow) -> Remembered:
    return Remembered(
        id=row.memory_id,
        version=row.version,
        text=row.text,
        kind=row.kind,
        authority=row.authority,
        status=row.status,
    )


def new_ones(admitted: Sequence[Admitted], view: View) -> list[Admitted]:
    """Those whose episodes still live and count, and whose quotes no version stands on yet.

    A source may have been revoked while they were checked; what is kept apart anyway may rest on one.
    """
    sources = list(dict.fromkeys(part.source for one in admitted for part in one.parts))
    living = view.episodes(view.space_id, sources)
    supports = view.supports(view.space_id, view.resting(view.space_id, sources))
    standing = {support.parts for held in supports.values() for support in held}
    apart = {one for one, stored in living.items() if stored.row.status == Status.QUARANTINED}
    return [
        one
        for one in admitted
        if one.parts not in standing
        and all(part.source in living for part in one.parts)
        and (one.status is MemoryStatus.QUARANTINED or apart.isdisjoint(part.source for part in one.parts))
    ]


def _row(one: Rejection, *, job_at: int) -> RejectionRow:
    return RejectionRow(
        episode_id=one.episode_id or "",
        span_start=-1 if one.start is None else one.start,
        span_end=-1 if one.end is None else one.end,
        check_name=one.check,
        code=one.code,
        hint=one.hint,
        at=job_at,
    )
