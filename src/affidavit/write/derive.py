"""Derive: what waits to be extracted becomes memories. Extract and check outside the lock, reconcile inside it.

An episode waits (a job of kind `extract`) until it was looked at: a process that dies in between loses nothing, and
what is derived twice changes nothing, as a quote that a version already stands on is passed over. Where a language
model takes part and fails, what the frames found is committed and the episode waits on.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from affidavit.core.book import Book
from affidavit.core.candidates import Admitted, Rejection
from affidavit.core.changes import Change, EpisodeStored, ItemAdded, ItemClosed
from affidavit.core.cost import Cost
from affidavit.core.memories import ItemRow, MemoryStatus, Support, version_id
from affidavit.core.outcome import Outcome
from affidavit.core.reconcile import reconcile
from affidavit.core.values import Owner, Status
from affidavit.providers.consulting import Consulting
from affidavit.providers.language_model import LanguageModel
from affidavit.store.memory_reads import RejectionRow
from affidavit.store.protocol import Job, Reads, Selection, Store, Stored, View
from affidavit.text.relations import Relation
from affidavit.write.ahead import ahead
from affidavit.write.checks import Checked, Context, check
from affidavit.write.choosing import Chosen, chosen
from affidavit.write.doubles import Said, without_doubles
from affidavit.write.extract import Extracted, Extractor, Material, Missed
from affidavit.write.results import Derived, Remembered

_BATCH: Final = 200
_EARLIER: Final = 6
"""Messages before the new ones of a session that a model may understand them by."""
_MOST_SESSIONS: Final = 8
EXTRACT: Final = "extract"
"""The step that a failure of the model is told of, where a check's refusals are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What came of looking at some episodes, before any of it is believed or stored."""

    checked: Checked
    missed: Sequence[Missed]
    problems: tuple[str, ...]
    reached: bool

    @property
    def waiting(self) -> frozenset[str]:
        """The episodes that have to be looked at again."""
        return frozenset(one.episode_id for one in self.missed if one.waits)


class Deriver:
    """Makes memories of the episodes of a space. `model` proposes and chooses, and is never believed."""

    def __init__(
        self,
        store: Store,
        extractor: Extractor,
        *,
        relations: Mapping[str, Relation],
        own_names: Mapping[str, tuple[str, ...]],
        model: LanguageModel | None = None,
    ) -> None:
        self._store = store
        self._extractor = extractor
        self.relations = relations
        self._own_names = own_names
        self._model = model

    @property
    def has_model(self) -> bool:
        """Whether a language model takes part."""
        return self._model is not None

    def consulting(self) -> Consulting | None:
        """The dealings with the model of one verb, or of one batch of a long one."""
        return None if self._model is None else Consulting(self._model)

    def waiting(self, space_id: str, owner: Owner, *, limit: int | None = None) -> Derived:
        """Look at the episodes of a space that wait, at most `limit`; what became of them.

        Those that a model fails at wait on, and are looked at once.
        """
        done, again, reached = Derived(), frozenset[str](), True
        while limit is None or done.episodes < limit:
            with self._store.snapshot() as reads:
                jobs = reads.jobs(space_id=space_id, kind="extract", limit=_BATCH + len(again))
            jobs = [job for job in jobs if job.target not in again][:_BATCH]
            if not jobs:
                break
            consulting = self.consulting() if reached else None
            told, looked = self._take(space_id, owner, jobs, consulting, patient=True)
            done, again, reached = done.plus(told), again | looked.waiting, reached and looked.reached
        return done

    def new(self, space_id: str, owner: Owner, ids: Sequence[str]) -> Derived:
        """Look at these episodes, as far as they wait, for somebody who waits for the result: with few questions."""
        wanted = frozenset(ids)
        with self._store.snapshot() as reads:
            jobs = [job for job in reads.jobs(space_id=space_id, kind="extract") if job.target in wanted]
        done, consulting = Derived(), self.consulting()
        for start in range(0, len(jobs), _BATCH):
            told, looked = self._take(
                space_id, owner, jobs[start : start + _BATCH], consulting, patient=False
            )
            done = done.plus(told)
            consulting = consulting if looked.reached else None
            if consulting is not None:
                consulting.cost = Cost()  # it is in `done`
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

    def _take(
        self,
        space_id: str,
        owner: Owner,
        jobs: Sequence[Job],
        consulting: Consulting | None,
        *,
        patient: bool,
    ) -> tuple[Derived, Looked]:
        with self._store.snapshot() as reads:
            context = self.context(reads, space_id, owner, [job.target for job in jobs])
            earlier = self.earlier(reads, space_id, context)
        looked = self.look(context, earlier, consulting, patient=patient)
        made = self._choices(space_id, looked, consulting, ())
        outcome = Outcome()

        def prepared(view: View) -> Sequence[Change]:
            nonlocal outcome
            new = new_ones(looked.checked.admitted, view)
            outcome = reconcile(new, view, self.relations, choices=made.choices)
            return outcome.changes

        if looked.checked.admitted:
            self._store.commit(space_id, prepared)
        self.note(space_id, jobs, looked)
        with self._store.snapshot() as reads:
            told = derived(outcome, lambda ids: _rows(reads, space_id, ids))
        return replace(told, **told_of(looked, consulting, made), episodes=len(jobs)), looked

    def preview(self, space_id: str, owner: Owner, recorded: Sequence[Change], *, limit: int) -> Derived:
        """What would become of what waits, and then of the episodes that are `recorded`: at most `limit` of both."""
        stored = [one for one in recorded if isinstance(one, EpisodeStored) and "extract" in one.pending]
        seen: list[tuple[Context, Sequence[Stored]]] = []

        def gathered(view: View) -> Sequence[Change]:
            jobs = view.jobs(space_id=space_id, kind="extract", limit=limit) if not self.has_model else []
            ids = [*(job.target for job in jobs), *(one.row.id for one in stored)][:limit]
            then = ahead(view, recorded)
            context = self.context(then, space_id, owner, ids)
            seen[:] = [(context, self.earlier(then, space_id, context))]
            return ()

        self._store.preview(space_id, gathered)
        ((context, earlier),) = seen
        consulting = self.consulting()
        looked = self.look(context, earlier, consulting, patient=False)
        made = self._choices(space_id, looked, consulting, recorded)
        told = Derived()

        def prepared(view: View) -> Sequence[Change]:
            nonlocal told
            then = ahead(view, recorded)
            book = Book(then)
            new = new_ones(looked.checked.admitted, then)
            outcome = reconcile(new, then, self.relations, book=book, choices=made.choices)
            told = derived(outcome, lambda ids: {held.id: held.row for held in book.items(ids)})
            return ()

        self._store.preview(space_id, prepared)
        return replace(
            told, **told_of(looked, consulting, made), episodes=len(context.episodes), dry_run=True
        )

    # -- steps

    def earlier(self, reads: Reads, space_id: str, context: Context) -> Sequence[Stored]:
        """What was said in the sessions before; nothing where no model would look at it."""
        if self._model is None:
            return ()
        first: dict[str, int] = {}
        for stored in sorted(context.episodes.values(), key=lambda stored: stored.seq):
            if stored.row.session_id is not None:
                first.setdefault(stored.row.session_id, stored.seq)
        found: list[Stored] = []
        for session, seq in list(first.items())[:_MOST_SESSIONS]:
            before = Selection(session_id=session, before=seq, newest=True, limit=_EARLIER)
            found += reads.select(space_id, before)
        return sorted(found, key=lambda stored: stored.seq)

    def look(
        self, context: Context, earlier: Sequence[Stored], consulting: Consulting | None, *, patient: bool
    ) -> Looked:
        """Extract and check; nothing is written. Long where a model is asked: never inside a transaction."""
        found = self.extracted(context, earlier, consulting, patient=patient)
        return Looked(
            checked=check(found.candidates, context),
            missed=found.missed,
            problems=tuple(found.problems),
            reached=found.reached,
        )

    def extracted(
        self, context: Context, earlier: Sequence[Stored], consulting: Consulting | None, *, patient: bool
    ) -> Extracted:
        """What the extractor proposes."""
        material = Material(
            episodes=sorted(context.episodes.values(), key=lambda stored: stored.seq),
            earlier=earlier,
            actors=context.actors,
            owner=context.owner,
            own_names=(context.owner.name, *context.own_names),
            patient=patient,
        )
        return self._extractor.extract(material, consulting)

    def _choices(
        self, space_id: str, looked: Looked, consulting: Consulting | None, recorded: Sequence[Change]
    ) -> Chosen:
        """What the model chooses of what was admitted, once `recorded` is there."""
        return chosen(
            lambda view: new_ones(looked.checked.admitted, view),
            lambda prepare: self._store.preview(space_id, lambda view: prepare(ahead(view, recorded))),
            self.relations,
            consulting if looked.reached and looked.checked.admitted else None,
        )

    def note(self, space_id: str, jobs: Sequence[Job], looked: Looked) -> None:
        """Note that these episodes were looked at, and what of them was refused; those that wait go on waiting."""
        at = jobs[0].created_at
        rows = [_row(one, job_at=at) for one in looked.checked.rejected]
        rows += [self._missed(one, job_at=at) for one in looked.missed if one.code]
        done = [job for job in jobs if job.target not in looked.waiting]
        self._store.finish(space_id, done, rows, looked_at=[job.target for job in jobs])

    def _missed(self, one: Missed, *, job_at: int) -> RejectionRow:
        return RejectionRow(
            episode_id=one.episode_id,
            span_start=-1,
            span_end=-1,
            check_name=EXTRACT,
            code=one.code,
            hint=one.hint,
            at=job_at,
            model=None if self._model is None else self._model.name,
        )


def told_of(looked: Looked, consulting: Consulting | None, made: Chosen | None = None) -> dict[str, Any]:
    """What looking gave, as fields of a result."""
    waiting = len(looked.waiting)
    problems = looked.problems if made is None else (*looked.problems, *made.problems)
    if waiting:
        what = "1 episode waits" if waiting == 1 else f"{waiting} episodes wait"
        problems = (*problems, f"{what} to be looked at by the model: `affidavit admin derive` goes on")
    return {
        "rejected": looked.checked.rejected,
        "waiting": waiting,
        "problems": problems,
        "cost": Cost() if consulting is None else consulting.cost,
    }


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
    return Derived(
        **told, conflicts=tuple(outcome.conflicts), overruled=tuple(dict.fromkeys(outcome.overruled))
    )


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


def new_ones(
    admitted: Sequence[Admitted], view: View, gone: Collection[tuple[str, int]] = ()
) -> list[Admitted]:
    """Those whose episodes still live and count, and that no version says yet in the same words.

    A source may have been revoked while they were checked; what is kept apart anyway may rest on one. `gone` are
    supports (version, number) that are about to be withdrawn.
    """
    sources = list(dict.fromkeys(part.source for one in admitted for part in one.parts))
    living = view.episodes(view.space_id, sources)
    supports = view.supports(view.space_id, view.resting(view.space_id, sources))
    standing = {support.parts for held in supports.values() for support in held}
    apart = {one for one, stored in living.items() if stored.row.status == Status.QUARANTINED}
    new = [
        one
        for one in admitted
        if one.parts not in standing
        and all(part.source in living for part in one.parts)
        and (one.status is MemoryStatus.QUARANTINED or apart.isdisjoint(part.source for part in one.parts))
    ]
    return without_doubles(new, _standing(view, supports, gone))


def _standing(
    view: View, supports: Mapping[str, Sequence[Support]], gone: Collection[tuple[str, int]]
) -> Iterator[Said]:
    """What versions already say of these words."""
    for id_, stored in view.items(view.space_id, list(supports)).items():
        for support in supports[id_]:
            if support.removed is None and (id_, support.number) not in gone:
                yield Said.stored(stored.row, support.parts)


def _row(one: Rejection, *, job_at: int) -> RejectionRow:
    return RejectionRow(
        episode_id=one.episode_id or "",
        span_start=-1 if one.start is None else one.start,
        span_end=-1 if one.end is None else one.end,
        check_name=one.check,
        code=one.code,
        hint=one.hint,
        at=job_at,
        model=None if one.candidate is None else one.candidate.model,
    )
