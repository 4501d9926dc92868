"""The front of the room in which is answered: makes its parts, each when it is first needed."""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from affidavit.core.access import Caller
from affidavit.read.reading import Reading
from affidavit.store.protocol import Clock, Entropy, Store

if TYPE_CHECKING:
    from affidavit.answer.access import Access
    from affidavit.answer.action import ActionGate
    from affidavit.answer.answerer import Answerer, Event
    from affidavit.answer.results import Answer
    from affidavit.core.arguments import Tool
    from affidavit.core.decision import Decision
    from affidavit.providers.language_model import LanguageModel
    from affidavit.text.lang.relations import Relation

Tools: TypeAlias = "Mapping[str, Mapping[str, object]] | str | os.PathLike[str] | None"


class Answering:
    """What the verbs of `Memory` that answer, or let something happen, delegate to."""

    def __init__(
        self,
        store: Store,
        reading: Reading,
        *,
        model: "LanguageModel | None",
        tools: Tools,
        own_names: Mapping[str, tuple[str, ...]],
        relations: "Mapping[str, Relation]",
        clock: Clock,
        entropy: Entropy,
        keep_queries: bool,
    ) -> None:
        self._store = store
        self._reading = reading
        self._model = model
        self._tools = tools
        self._own_names = own_names
        self._relations = relations
        self._clock = clock
        self._entropy = entropy
        self._keep_queries = keep_queries

    @cached_property
    def _answerer(self) -> "Answerer":
        from affidavit.answer.answerer import Answerer

        return Answerer(
            self._store,
            self._reading.searcher,
            model=self._model,
            clock=self._clock,
            entropy=self._entropy,
            own_names=self._own_names,
            keep_queries=self._keep_queries,
        )

    @cached_property
    def registry(self) -> "dict[str, Tool]":
        """The tools that are known, with the arguments that are protected. Raises `InputError`s."""
        from affidavit.answer.tools import load_tools

        return load_tools(self._tools)

    @cached_property
    def _gate(self) -> "ActionGate":
        from affidavit.answer.action import ActionGate

        return ActionGate(self._store, self.registry, entropy=self._entropy, relations=self._relations)

    @cached_property
    def access(self) -> "Access":
        """See `Memory.access`."""
        from affidavit.answer.access import Access

        return Access(self._store)

    def answer(
        self, question: str, ids: tuple[object, ...], *, as_of: object, known_at: object, record: bool
    ) -> "Answer":
        """See `Memory.answer`."""
        *_, whole = self.stream(question, ids, as_of=as_of, known_at=known_at, record=record)
        return cast("Answer", whole)

    def stream(
        self, question: str, ids: tuple[object, ...], *, as_of: object, known_at: object, record: bool
    ) -> "Iterator[Event]":
        """See `Memory.answer_stream`."""
        from affidavit.read.question import Question

        asked = Question.of(question, as_of=as_of, known_at=known_at, granularity="dual")
        return self._answerer.stream(Caller.of(*ids), asked, record=record)

    def check_action(self, ids: tuple[object, ...], what: Mapping[str, Any]) -> "Decision":
        """See `Memory.check_action`."""
        return self._gate.check(Caller.of(*ids), **what)
