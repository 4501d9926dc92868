"""The front of the room in which is read: makes its parts, each when it is first needed, and lets go of them."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from affidavit.core.access import Caller
from affidavit.store.protocol import Clock, Entropy, Store

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder
    from affidavit.providers.language_model import LanguageModel
    from affidavit.read.context import Context
    from affidavit.read.history import History
    from affidavit.read.indexes import SpaceIndexes
    from affidavit.read.memories import ConflictGroup
    from affidavit.read.profile import Profile, Profiles
    from affidavit.read.recall import Recaller
    from affidavit.read.rejections import Rejections
    from affidavit.read.rephrasing import Rephraser
    from affidavit.read.results import Item, Page, SearchResult
    from affidavit.read.search import Searcher
    from affidavit.read.tokens import Tokenizer
    from affidavit.read.why import Explanation
    from affidavit.text.lang.relations import Relation


class Reading:
    """What the verbs of `Memory` that read delegate to."""

    def __init__(
        self,
        store: Store,
        *,
        model: "LanguageModel | None",
        embedder: "Callable[[], Embedder | None]",
        tokenizer: "Tokenizer | None",
        clock: Clock,
        entropy: Entropy,
        relations: "Mapping[str, Relation]",
        index_budget_mb: int,
        keep_queries: bool,
    ) -> None:
        self._store = store
        self._model = model
        self._embedder = embedder
        self._tokenizer = tokenizer
        self._clock = clock
        self._entropy = entropy
        self._relations = relations
        self._index_budget_mb = index_budget_mb
        self._keep_queries = keep_queries

    @cached_property
    def indexes(self) -> "SpaceIndexes":
        """The space indexes of this process."""
        from affidavit.read.indexes import SpaceIndexes

        return SpaceIndexes(self._index_budget_mb, self._relations)

    @cached_property
    def searcher(self) -> "Searcher":
        """Searches."""
        from affidavit.read.search import Searcher

        return Searcher(
            self._store,
            self.indexes,
            embedder=self._embedder,
            clock=self._clock,
            entropy=self._entropy,
            keep_queries=self._keep_queries,
        )

    @cached_property
    def profiles(self) -> "Profiles":
        """The profiles of this process."""
        from affidavit.read.mentionable import Mentionables
        from affidavit.read.profile import Profiles

        return Profiles(Mentionables(self._relations))

    @cached_property
    def recaller(self) -> "Recaller":
        """Recalls."""
        from affidavit.read.recall import Recaller
        from affidavit.read.tokens import UPPER_BOUND

        return Recaller(
            self._store,
            self.searcher,
            self.profiles,
            clock=self._clock,
            entropy=self._entropy,
            keep_queries=self._keep_queries,
            tokenizer=self._tokenizer or UPPER_BOUND,
            rephraser=self._rephraser,
        )

    @cached_property
    def _rephraser(self) -> "Rephraser | None":
        if self._model is None:
            return None
        from affidavit.read.rephrasing import Rephraser

        return Rephraser(self._model)

    def drop(self, space_id: str) -> None:
        """Let go of a space: after an erasure nothing of it stays in memory, nor in the cache of words."""
        from affidavit.text.lexicon.terms import clear_cache

        self.indexes.drop(space_id)
        self.profiles.drop(space_id)
        if self._rephraser is not None:
            self._rephraser.drop(space_id)
        clear_cache()

    @property
    def _seen(self) -> dict[str, Any]:
        """By what memories are looked at: the instant, and what can be said of somebody."""
        return {"now": self._clock.now(), "relations": self._relations}

    # -- verbs

    def search(
        self, query: str, ids: tuple[object, ...], *, question: Mapping[str, Any], record: bool
    ) -> "SearchResult":
        """See `Memory.search`."""
        from affidavit.read.question import Question

        return self.searcher.search(Caller.of(*ids), Question.of(query, **question), record=record)

    def recall(self, query: str | None, ids: tuple[object, ...], *, how: Mapping[str, Any]) -> "Context":
        """See `Memory.recall`."""
        return self.recaller.recall(Caller.of(*ids), query, **how)

    def profile(self, ids: tuple[object, ...], how: Mapping[str, Any]) -> "Profile":
        """See `Memory.profile`."""
        return self.recaller.profile(Caller.of(*ids), **how)

    def get(self, item_id: str, ids: tuple[object, ...]) -> "Item":
        """See `Memory.get`."""
        from affidavit.read.listing import get_item

        return get_item(self._store, Caller.of(*ids), item_id, **self._seen)

    def list_items(self, ids: tuple[object, ...], page: Mapping[str, Any]) -> "Page":
        """See `Memory.list`."""
        from affidavit.read.listing import list_items

        return list_items(self._store, Caller.of(*ids), **self._seen, **page)

    def rejections(self, ids: tuple[object, ...], page: Mapping[str, Any]) -> "Rejections":
        """See `Memory.rejections`."""
        from affidavit.read.rejections import rejections_of

        return rejections_of(self._store, Caller.of(*ids), **page)

    def conflicts(self, ids: tuple[object, ...]) -> "tuple[ConflictGroup, ...]":
        """See `Memory.conflicts`."""
        from affidavit.read.listing import open_conflicts

        return open_conflicts(self._store, Caller.of(*ids), **self._seen)

    def history(self, memory_id: str, ids: tuple[object, ...]) -> "History":
        """See `Memory.history`."""
        from affidavit.read.history import history_of

        return history_of(self._store, Caller.of(*ids), memory_id, **self._seen)

    def why(
        self, query: str, item_id: str, ids: tuple[object, ...], *, question: Mapping[str, Any]
    ) -> "Explanation":
        """See `Memory.why`."""
        from affidavit.read.question import Question
        from affidavit.read.why import explain

        asked = Question.of(query, **question)
        return explain(self._store, self.searcher, Caller.of(*ids), asked, item_id, now=self._clock.now())
