"""Memories for tests: what an extractor and the checks would hand over, taken in by the real reconcile and commit."""

from collections.abc import Sequence
from typing import Any

from affidavit import Episode, Memory, Receipt
from affidavit.core.access import Caller
from affidavit.core.authority import Authority
from affidavit.core.candidates import Admitted, Candidate, Slot
from affidavit.core.changes import ItemAdded, SupportAdded
from affidavit.core.memories import USER, Conflict, ItemRow, Kind, MemoryStatus, Part, Support
from affidavit.core.outcome import Outcome
from affidavit.core.reconcile import reconcile
from affidavit.core.replay import Live, State
from affidavit.core.rows import row_of
from affidavit.core.when import When
from affidavit.store.protocol import View
from affidavit.text.frames.statement import Certainty
from affidavit.write.acts import Acts
from affidavit.write.sources import Sources


def part(episode: Episode, quote: str | None = None) -> Part:
    """A quote of an episode (all of it, where none is given)."""
    quote = episode.text if quote is None else quote
    start = episode.text.index(quote)
    return Part(episode.id, start, start + len(quote), quote)


def admitted(
    *parts: tuple[Episode, str | None] | Episode,
    text: str | None = None,
    relation: str | None = None,
    object: str | None = None,  # noqa: A002
    qualifier: str | None = None,
    subject: str = USER,
    kind: Kind = Kind.FACT,
    negated: bool = False,
    ended: bool = False,
    correction: bool = False,
    beside: bool = False,
    tense: str = "now",
    certainty: Certainty = Certainty.ASSERTED,
    begins: When | None = None,
    occurred: When | None = None,
    authority: Authority | None = None,
    claimant: str | None = None,
    status: MemoryStatus = MemoryStatus.ACTIVE,
    slots: Sequence[tuple[str, str]] = (),
    metadata: str = "{}",
    said_at: int | None = None,
    model: str | None = None,
) -> Admitted:
    """A statement that passed the checks, with quotes of these episodes."""
    pairs = [one if isinstance(one, tuple) else (one, None) for one in parts]
    first = pairs[0][0]
    quotes = tuple(part(episode, quote) for episode, quote in pairs)
    return Admitted(
        candidate=Candidate(
            text=text or str(quotes[0].quote),
            kind=kind,
            parts=quotes,
            subject=subject,
            relation=relation,
            object=object,
            qualifier=qualifier,
            negated=negated,
            ended=ended,
            correction=correction,
            beside=beside,
            tense=tense,
            certainty=certainty,
            begins=begins,
            occurred=occurred,
            extractor="test-1",
            model=model,
            language="en",
        ),
        text=text or str(quotes[0].quote),
        parts=quotes,
        authority=authority or min(episode.authority for episode, _ in pairs),
        said_at=said_at if said_at is not None else first.occurred.start or first.recorded_at,
        claimant=claimant,
        status=status,
        actor=first.actor,
        slots=tuple(
            Slot(name=name, value=value, source=first.id, authority=first.authority) for name, value in slots
        ),
        metadata=metadata,
    )


class Remembering:
    """What somebody said, and the memories made of it, in one space."""

    def __init__(self, memory: Memory, user_id: str | None = "ana", **ids: Any) -> None:
        self.memory = memory
        self.store = memory._rooms.store
        self.relations = memory._rooms.relations
        self._named = (user_id, ids.get("agent_id"), ids.get("team_id"))
        self.ids: dict[str, Any] = {"user_id": user_id, **ids}
        self.acts = Acts(self.store, memory._rooms.writing.recorder, relations=self.relations)
        self.sources = Sources(self.store, relations=self.relations)
        self.caller = Caller.of(user_id=user_id, agent_id=ids.get("agent_id"), team_id=ids.get("team_id"))

    @property
    def space_id(self) -> str:
        """The caller's space, which is there."""
        with self.store.snapshot() as reads:
            head = reads.find_space(self.caller.owner)
        assert head is not None
        return head.space_id

    def say(self, message: Any, **more: Any) -> Episode:
        """One message, of which nothing is extracted; its episode."""
        return self.memory.add(message, **(self.ids | {"infer": False} | more)).episodes[0]

    def take(self, *statements: Admitted) -> Outcome:
        """Take the statements in, as the write path does."""
        outcomes: list[Outcome] = []

        def prepared(view: View) -> Any:
            outcomes.append(reconcile(statements, view, self.relations))
            return outcomes[-1].changes

        self.store.commit(self.space_id, prepared)
        return outcomes[-1]

    def remember(self, message: Any, *, quote: str | None = None, more: Any = None, **statement: Any) -> str:
        """Say something and take one statement of it in; the id of the version it became or supports."""
        episode = self.say(message, **(more or {}))
        outcome = self.take(admitted((episode, quote), **statement))
        return [*outcome.added, *outcome.updated, *outcome.supported][0]

    def forget(self, *, dry_run: bool = False, **what: Any) -> Receipt:
        """Erase, as `Memory.forget` does; `memory_id` too."""
        return self.memory._rooms.forget(tuple(self._named), what=what, dry_run=dry_run)

    def derived(self, *parents: str, text: str = "A summary.") -> str:
        """A version that rests on nothing but others, as a summary does."""
        said = self.say("something else")
        row = row_of(admitted(said, text=text, kind=Kind.SUMMARY))
        parts = tuple(Part(parent) for parent in parents)
        made: list[str] = []

        def changes(view: View) -> Any:
            memory_id = view.new_id("mem_")
            made.append(f"{memory_id}@1")
            born = row._replace(memory_id=memory_id, version=1, recorded_at=view.now, authority="attested")
            support = SupportAdded(
                memory_id=memory_id, version=1, number=1, authority="attested", parts=parts
            )
            return [ItemAdded(row=born), support]

        self.store.commit(self.space_id, changes)
        return made[-1]

    def lives_in(self, place: str, message: Any = None, **more: Any) -> str:
        """The user says where he lives; the version it became or supports."""
        message = f"I live in {place}" if message is None else message
        return self.remember(
            message, relation="home", object=place, text=f"The user lives in {place}.", more=more
        )

    def episode(self, episode_id: str | None) -> Episode:
        """An episode of the space."""
        item = self.memory.get(str(episode_id), **self.ids)
        assert item.episode is not None
        return item.episode

    def item(self, version: str) -> ItemRow | None:
        """A version's row."""
        with self.store.snapshot() as reads:
            found = reads.items(self.space_id, [version])
        return found[version].row if version in found else None

    def status(self, version: str) -> tuple[str, str] | None:
        """A version's status and authority."""
        row = self.item(version)
        return (row.status, row.authority) if row else None

    def items(self) -> list[ItemRow]:
        """Every version of the space, in log order."""
        with self.store.snapshot() as reads:
            return [stored.row for stored in reads.all_items(self.space_id)]

    def supports(self, version: str) -> tuple[Support, ...]:
        """A version's supports."""
        with self.store.snapshot() as reads:
            return reads.supports(self.space_id, [version])[version]

    def conflicts(self, *, open_only: bool = True) -> list[Conflict]:
        """The conflicts of the space."""
        with self.store.snapshot() as reads:
            return reads.conflicts(self.space_id, open_only=open_only)

    def verified(self) -> None:
        """Nothing is wrong with the whole store."""
        problems = self.memory.verify().problems
        assert not problems, problems


def blinded(state: State) -> dict[int, str]:
    """The numbers of the entries whose blinds must be there, with their commitments."""
    living: list[Live] = [*state.actors.values(), *state.episodes.values(), *state.embeddings.values()]
    living += [*state.items.values(), *state.conflicts.values(), *state.sources.values()]
    living += [item.closing for item in state.items.values() if item.closing is not None]
    living += [*state.permits.values(), *state.decisions.values()]
    if state.opened is not None and not state.space_erased:
        living.append(state.opened)
    supports = [support for item in state.items.values() for support in item.supports.values()]
    return {live.seq: live.commit for live in living} | {one.seq: one.commit for one in supports}
