"""Derive: what waits to be extracted becomes memories. Extract and check outside the lock, reconcile inside it.

An episode waits (a job of kind `extract`) until it was looked at: a process that dies in between loses nothing, and
what is derived twice changes nothing, as a quote that a version already stands on is passed over. Where a language
model takes part and fails, what the frames found is committed and the episode waits on.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from affidavit.core.book import Book
from affidavit.core.candidates import Rejection
from affidavit.core.changes import Change, EpisodeStored
from affidavit.core.cost import Cost
from affidavit.core.limits import BATCH_MESSAGES
from affidavit.core.memories import ItemRow
from affidavit.core.outcome import Outcome
from affidavit.core.reconcile import reconcile
from affidavit.core.values import Owner
from affidavit.providers.consulting import Consulting
from affidavit.providers.language_model import LanguageModel
from affidavit.store.handing import handed
from affidavit.store.memory_reads import RejectionChoice, RejectionRow
from affidavit.store.protocol import Job, Reads, Selection, Store, Stored, View
from affidavit.text.lang.relations import Relation
from affidavit.write.ahead import ahead
from affidavit.write.checks import Checked, Context, check
from affidavit.write.choosing import Chosen, chosen
from affidavit.write.extract import Extractor, Material, Missed
from affidavit.write.results import Derived
from affidavit.write.retold import echoes
from affidavit.write.said_already import new_ones
from affidavit.write.telling import derived, with_waiting

_BATCH: Final = 200
_EARLIER: Final = 6
"""Messages before the new ones of a session that a model may understand them by."""
_MOST_SESSIONS: Final = 8
_MOST_MISSED: Final = 100_000
_LARGEST: Final = 2 * BATCH_MESSAGES
"""Entries of the largest commit of episodes: of each at most one contributor is new."""
EXTRACT: Final = "extract"
"""The step that a failure of the model is told of, where a check's refusals are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What came of looking at some episodes, before any of it is believed or stored."""

    checked: Checked = field(default_factory=lambda: Checked((), ()))
    missed: tuple[Missed, ...] = ()
    problems: tuple[str, ...] = ()

    def plus(self, other: "Looked") -> "Looked":
        """This, and what came of looking at others."""
        admitted = (*self.checked.admitted, *other.checked.admitted)
        rejected = (*self.checked.rejected, *other.checked.rejected)
        return Looked(
            checked=Checked(admitted, rejected),
            missed=(*self.missed, *other.missed),
            problems=(*self.problems, *other.problems),
        )

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

    def consulting(self, before: Consulting | None = None) -> Consulting | None:
        """The dealings with the model of one verb, or of one batch of a long one, after those of the batch before."""
        if self._model is None:
            return None
        return Consulting(self._model, away=before is not None and before.away)

    def waiting(self, space_id: str, owner: Owner, *, limit: int | None = None) -> Derived:
        """Look at the episodes of a space that wait, at most `limit`; what became of them.

        Those that a model fails at wait on, and are looked at once; without a model they are left to one.
        """
        left = self._left_to_a_model(space_id)
        done, again, consulting = Derived(), left, self.consulting()
        while limit is None or done.episodes < limit:
            with self._store.snapshot() as reads:
                jobs = reads.jobs(space_id=space_id, kind="extract", limit=_BATCH + len(again))
            jobs = [job for job in jobs if job.target not in again][:_BATCH]
            if not jobs:
                break
            told, looked = self._take(space_id, owner, jobs, consulting, patient=True)
            done, again, consulting = done.plus(told), again | looked.waiting, self.consulting(consulting)
        if left and limit is None:
            done = replace(done, waiting=done.waiting + len(left))
        return with_waiting(done)

    def _left_to_a_model(self, space_id: str) -> frozenset[str]:
        """The episodes that a model failed at, and that nothing but a model has to be asked about."""
        if self.has_model:
            return frozenset()
        with self._store.snapshot() as reads:
            missed = reads.select_rejections(
                space_id, RejectionChoice(check=EXTRACT), skip=0, limit=_MOST_MISSED, newest=False
            )
            if not missed:
                return frozenset()
            jobs = {job.target for job in reads.jobs(space_id=space_id, kind="extract")}
        return frozenset(one.episode_id for one in missed if one.episode_id in jobs)

    def new(self, space_id: str, owner: Owner, ids: Sequence[str]) -> Derived:
        """Look at these episodes, as far as they wait, for somebody who waits for the result: with few questions."""
        wanted = frozenset(ids)
        with self._store.snapshot() as reads:
            jobs = [job for job in reads.jobs(space_id=space_id, kind="extract") if job.target in wanted]
        done, consulting = Derived(), self.consulting()
        for start in range(0, len(jobs), _BATCH):
            told, _ = self._take(space_id, owner, jobs[start : start + _BATCH], consulting, patient=False)
            done = done.plus(told)
            if consulting is not None:
                consulting.cost = Cost()  # it is in `done`
        return with_waiting(done)

    def context(
        self, reads: Reads, space_id: str, owner: Owner, ids: Sequence[str], *, whole: bool = False
    ) -> Context:
        """What the checks judge by, of these episodes; `whole`: and of all that were stored in one go with them.

        Who said a value first decides how far it may be relied on: no episode is judged by less than it was at first.
        """
        episodes = reads.episodes(space_id, ids)
        if whole and episodes:
            at = {stored.row.recorded_at for stored in episodes.values()}
            seqs = [stored.seq for stored in episodes.values()]
            near = Selection(after=min(seqs) - _LARGEST - 1, before=max(seqs) + _LARGEST)
            beside = (one for one in reads.select(space_id, near) if one.row.recorded_at in at)
            episodes |= {one.row.id: one for one in beside}
        context = Context(
            episodes=episodes,
            actors=reads.actors(space_id),
            owner=owner,
            own_names=self._own_names.get(owner.name, ()),
            revoked=frozenset(reads.revoked_sources(space_id)),
            relations=self.relations,
        )
        given = handed(reads, space_id, episodes.values())
        return replace(context, echoes=echoes(reads, space_id, context), handed=given)

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
            ids = [job.target for job in jobs]
            whole = patient and self.has_model
            context = self.context(reads, space_id, owner, ids, whole=whole)
            earlier = self.earlier(reads, space_id, context)
        looked = self.look(context, earlier, consulting, patient=patient, among=frozenset(ids))
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
        return replace(told, **_told_of(looked, consulting, made), episodes=len(jobs)), looked

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
        done = replace(told, **_told_of(looked, consulting, made), episodes=len(context.episodes))
        return with_waiting(replace(done, dry_run=True))

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
        self,
        context: Context,
        earlier: Sequence[Stored],
        consulting: Consulting | None,
        *,
        patient: bool,
        among: Collection[str] | None = None,
    ) -> Looked:
        """Extract (`among`: from these episodes alone) and check; nothing is written.

        It takes long where a model is asked: never inside a transaction.
        """
        episodes = [stored for id_, stored in context.episodes.items() if among is None or id_ in among]
        material = Material(
            episodes=sorted(episodes, key=lambda stored: stored.seq),
            earlier=earlier,
            actors=context.actors,
            owner=context.owner,
            own_names=(context.owner.name, *context.own_names),
            patient=patient,
        )
        found = self._extractor.extract(material, consulting)
        return Looked(
            checked=check(found.candidates, context),
            missed=tuple(found.missed),
            problems=tuple(found.problems),
        )

    def _choices(
        self, space_id: str, looked: Looked, consulting: Consulting | None, recorded: Sequence[Change]
    ) -> Chosen:
        """What the model chooses of what was admitted, once `recorded` is there."""
        return chosen(
            lambda view: new_ones(looked.checked.admitted, view),
            lambda prepare: self._store.preview(space_id, lambda view: prepare(ahead(view, recorded))),
            self.relations,
            None if consulting is None or consulting.away or not looked.checked.admitted else consulting,
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


def _told_of(looked: Looked, consulting: Consulting | None, made: Chosen | None = None) -> dict[str, Any]:
    """What looking gave, as fields of a result."""
    return {
        "rejected": looked.checked.rejected,
        "waiting": len(looked.waiting),
        "problems": looked.problems if made is None else (*looked.problems, *made.problems),
        "cost": Cost() if consulting is None else consulting.cost,
    }


def _rows(reads: Reads, space_id: str, ids: Sequence[str]) -> dict[str, ItemRow]:
    return {id_: stored.row for id_, stored in reads.items(space_id, ids).items()}


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
