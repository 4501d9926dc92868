"""The front of the room in which is written: makes its parts, each when it is first needed.

`add` is record, then derive, then embed. From the record on nothing can be lost: what fails later waits, and is told.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from affidavit.core.access import Caller
from affidavit.core.changes import Change, EpisodeStored
from affidavit.core.ids import RANDOM_BYTES
from affidavit.errors import AffidavitError, MessageError, NotFoundError
from affidavit.store.protocol import Clock, Entropy, Store, View

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder
    from affidavit.providers.language_model import LanguageModel
    from affidavit.text.lang.relations import Relation
    from affidavit.write.acts import Acts
    from affidavit.write.derive import Deriver
    from affidavit.write.extract import Extractor
    from affidavit.write.maintain import Maintained
    from affidavit.write.messages import Skipped
    from affidavit.write.record import Incoming, Recorder
    from affidavit.write.repeats import ErasedMarks, Refused
    from affidavit.write.results import AddResult, Derived
    from affidavit.write.sources import Sources

_CATCH_UP = 256
"""How many older episodes one `add` derives from and embeds along with its own, where they still wait."""


class Writing:
    """What the verbs of `Memory` that write delegate to. `written` is called when something was."""

    def __init__(
        self,
        store: Store,
        *,
        marks: "ErasedMarks",
        own_names: Mapping[str, tuple[str, ...]],
        relations: "Mapping[str, Relation]",
        model: "LanguageModel | None",
        embedder: "Callable[[], Embedder | None]",
        clock: Clock,
        entropy: Entropy,
        written: Callable[[], None],
    ) -> None:
        self._store = store
        self._marks = marks
        self._own_names = own_names
        self._relations = relations
        self._model = model
        self._embedder = embedder
        self._clock = clock
        self._entropy = entropy
        self._written = written

    # -- parts

    @cached_property
    def recorder(self) -> "Recorder":
        """Keeps messages as episodes."""
        from affidavit.write.record import Recorder

        return Recorder(
            self._store,
            clock=self._clock,
            marks=self._marks,
            own_names=self._own_names,
            embeds=self._embedder() is not None,
        )

    @cached_property
    def deriver(self) -> "Deriver":
        """Makes memories of what waits."""
        from affidavit.write.derive import Deriver

        return Deriver(
            self._store,
            self._extractor(),
            relations=self._relations,
            own_names=self._own_names,
            model=self._model,
        )

    def _extractor(self) -> "Extractor":
        if self._model is None:
            from affidavit.write.extract import Frames

            return Frames(self._relations)
        from affidavit.write.model_extract import WithModel

        return WithModel(self._relations)

    @cached_property
    def acts(self) -> "Acts":
        """What a person says of a memory."""
        from affidavit.write.acts import Acts

        return Acts(self._store, self.recorder, relations=self._relations)

    @cached_property
    def sources(self) -> "Sources":
        """What came together."""
        from affidavit.write.sources import Sources

        return Sources(self._store, relations=self._relations)

    # -- verbs

    def add(
        self,
        messages: object,
        document: object,
        ids: tuple[object, ...],
        *,
        origin: Mapping[str, Any],
        dry_run: bool,
    ) -> "AddResult":
        """See `Memory.add`."""
        from affidavit.write.intake import Origin, from_document, from_messages

        caller = Caller.of(*ids)
        said = Origin.of(**origin)
        if (messages is None) == (document is None):
            raise MessageError(
                "there is nothing to remember, or two things at once", hint="give messages or document=…"
            )
        if document is not None:
            incoming, skipped = from_document(document, said, self._clock.now(), self._entropy(RANDOM_BYTES))
        else:
            incoming, skipped = from_messages(messages, said)
        return self.record(caller, incoming, skipped, dry_run=dry_run)

    def record(
        self,
        caller: Caller,
        incoming: "Sequence[Incoming]",
        skipped: "Sequence[Skipped]" = (),
        *,
        dry_run: bool = False,
        refused: "list[Refused] | None" = None,
    ) -> "AddResult":
        """Record messages that each have a source of their own, as an import does; then derive and embed.

        See `Recorder.record`.
        """
        if dry_run:
            return self._tried(caller, incoming, skipped, refused)
        result = self.recorder.record(caller, incoming, skipped, refused=refused)
        self._written()
        return self._embed_new(self._derive_new(caller, result))

    def derive(
        self, ids: tuple[object, ...], *, where: Mapping[str, object] | None, dry_run: bool
    ) -> "Derived":
        """See `Memory.derive`."""
        from affidavit.write.rederive import Rederiver, Where

        caller, chosen = Caller.of(*ids), Where.of(where)
        with self._store.snapshot() as reads:
            head = reads.find_space(caller.owner)
        if head is None:
            raise NotFoundError(f"there is no space of {caller.owner}", hint="add something first")
        if where is not None or dry_run:
            done = Rederiver(self._store, self.deriver).again(
                head.space_id, caller.owner, chosen, dry_run=dry_run
            )
        else:
            done = self.deriver.waiting(head.space_id, caller.owner)
        self._written()
        return done

    def maintain(self, ids: tuple[object, ...] | None = None) -> "Maintained":
        """See `Admin.maintain`."""
        from affidavit.write.maintain import maintain

        owner = None if ids is None else Caller.of(*ids).owner
        return maintain(self._store, self._relations, self._clock.now(), owner)

    def _tried(
        self,
        caller: Caller,
        incoming: "Sequence[Incoming]",
        skipped: "Sequence[Skipped]",
        refused: "list[Refused] | None",
    ) -> "AddResult":
        """What recording and then deriving would do."""
        seen: list[tuple[str, Sequence[Change]]] = []

        def then(view: View, changes: Sequence[Change]) -> None:
            seen.append((view.space_id, changes))

        result = self.recorder.record(caller, incoming, skipped, dry_run=True, refused=refused, then=then)
        for space_id, changes in seen:
            waiting = sum("extract" in one.pending for one in changes if isinstance(one, EpisodeStored))
            if waiting:
                limit = waiting + _CATCH_UP
                result = result.with_derived(
                    self.deriver.preview(space_id, caller.owner, changes, limit=limit)
                )
        return replace(result, pending={})  # it would be derived and embedded at once

    def _derive_new(self, caller: Caller, result: "AddResult") -> "AddResult":
        """Make memories of the new episodes; a failure is told in the result, as the episodes are safe."""
        waiting = result.pending.get("extract", 0)
        if not waiting or result.space_id is None:
            return result
        try:
            if self.deriver.has_model:
                # What waits from before may be what the model failed at: only `derive` tries it again.
                ids = [episode.id for episode in result.episodes]
                done = self.deriver.new(result.space_id, caller.owner, ids)
            else:
                done = self.deriver.waiting(result.space_id, caller.owner, limit=waiting + _CATCH_UP)
        except AffidavitError as error:
            return _told(result, f"nothing derived: {error.what}", "affidavit admin derive")
        return result.with_derived(done)

    def _embed_new(self, result: "AddResult") -> "AddResult":
        """Give the new episodes their vectors; a failure is told in the result, as the episodes are safe."""
        from affidavit.write.embed import embed_waiting

        embedder = self._embedder()
        waiting = result.pending.get("embed", 0)
        if embedder is None or not waiting or result.space_id is None:
            return result
        try:
            embed_waiting(self._store, result.space_id, embedder, limit=waiting + _CATCH_UP)
        except AffidavitError as error:
            return _told(result, f"not embedded: {error.what}", "affidavit admin embed")
        return replace(result, pending={kind: n for kind, n in result.pending.items() if kind != "embed"})


def _told(result: "AddResult", what: str, goes_on: str) -> "AddResult":
    return replace(result, problems=(*result.problems, f"{what}; the episodes are safe, `{goes_on}` goes on"))
