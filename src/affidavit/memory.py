"""`Memory`: the one public face of the library. Signatures, docstrings, and one delegating line each."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from affidavit.memory_items import MemoryItems

if TYPE_CHECKING:
    from affidavit.admin import Admin
    from affidavit.answer.access import Access
    from affidavit.answer.results import Answer, Sentence, Step
    from affidavit.config import Config
    from affidavit.core.decision import Decision
    from affidavit.privacy.receipt import Receipt
    from affidavit.proof.verify import VerifyResult
    from affidavit.providers.embedder import Embedder
    from affidavit.providers.language_model import Answering, LanguageModel
    from affidavit.read.context import Context
    from affidavit.read.profile import Profile
    from affidavit.read.results import SearchResult
    from affidavit.read.tokens import Tokenizer
    from affidavit.store.protocol import Clock
    from affidavit.write.documents import Document
    from affidavit.write.results import AddResult, Derived
    from affidavit.write.sources import SourceHandle


class Memory(MemoryItems):
    """Long-term memory in one file: what was said, by whom, with proof.

    `db` is a path (default: `~/.affidavit/memory.db`); `llm` is a language model that proposes and words, and is never
    believed (a callable `(messages, **options) -> str`, a `LanguageModel`, or a name such as `ollama:qwen3`; default:
    the setting `llm`, else none); `embedder` adds meaning to word search (an `Embedder`, or a name as in the setting
    `embedder`, `none` among them; default: MiniLM where the extra `embed` is installed); `tokenizer` counts as your
    model does (default: one token for each byte, which is never too few); `tools` says which arguments of which tools
    are protected (a mapping, or a file; see `check_action`); `config` holds every other setting. Works without
    arguments, from several threads and processes at once, and as a context manager.

    >>> with Memory("doctest.db") as memory:
    ...     _ = memory.add("My sister Ana moved to Porto", user_id="priya")
    ...     print(memory.search("Where does Ana live?", user_id="priya").hits[0].text)
    My sister Ana moved to Porto
    """

    def __init__(
        self,
        db: str | os.PathLike[str] | None = None,
        *,
        llm: "LanguageModel | Answering | str | None" = None,
        embedder: "Embedder | str | None" = None,
        tokenizer: "Tokenizer | None" = None,
        config: "Config | None" = None,
        clock: "Clock | None" = None,
        tools: "Mapping[str, Mapping[str, object]] | str | os.PathLike[str] | None" = None,
    ) -> None:
        from affidavit.rooms import Rooms

        self._rooms = Rooms(
            db, llm=llm, embedder=embedder, tokenizer=tokenizer, config=config, clock=clock, tools=tools
        )

    @classmethod
    def from_config(cls, **settings: Any) -> Self:
        """A memory with these settings (see `Config`) over those of the environment and the settings file."""
        from affidavit.config import Config

        return cls(config=Config.load(**settings))

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]] | None = None,
        *,
        document: "str | os.PathLike[str] | Document | None" = None,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        session_id: str | int | None = None,
        role: str = "user",
        author: str | None = None,
        derived_from: str | None = None,
        occurred_at: object = None,
        event_type: str | None = None,
        source: str | None = None,
        source_id: str | int | None = None,
        resources: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> "AddResult":
        """Keep messages, or a document in chunks, as episodes: raw input with source, time and commitment.

        `messages` is a text, one message or a list in OpenAI's shape (`{"role", "content", "name"?, "at"?,
        "metadata"?}`); a plain text has `role`. `document` is a text, or the path of text, Markdown, HTML or a PDF.
        Without a date it happened now. `author` and `derived_from` (`user`, `system`, `third_party`) can only lower
        what the role allows. With the same `idempotency_key` the same episodes come back. Secrets are masked.

        Raises `InputError`s before anything is written; after that, nothing can be lost.

        >>> with Memory("doctest.db") as memory:
        ...     memory.add("I prefer the window seat", user_id="leo", occurred_at="2026-03-10").episodes[
        ...         0
        ...     ].authority
        <Authority.AUTHORIZED: 'authorized'>
        """
        return self._rooms.writing.add(messages, document, (user_id, agent_id, team_id), dry_run=dry_run, origin={
            "session_id": session_id, "role": role, "author": author, "derived_from": derived_from,
            "occurred_at": occurred_at, "event_type": event_type, "source": source, "source_id": source_id,
            "resources": resources, "metadata": metadata, "infer": infer, "idempotency_key": idempotency_key,
        })  # fmt: skip

    def search(
        self,
        query: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        limit: int = 10,
        filters: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        as_of: object = None,
        known_at: object = None,
        kinds: str | Sequence[str] | None = None,
        granularity: str = "auto",
        explain: bool = False,
        record: bool = True,
    ) -> "SearchResult":
        """The memories and episodes that answer the query best, among those this caller may read.

        Of a memory the version that holds now is found; `as_of` asks for what held then, and leaves out what was
        said later; `known_at` for what was believed then. A date in the query asks about that time. `kinds` are
        what may be found (`episode`, `fact`, `preference`, `event`, `instruction`, `experience`, `summary`);
        `granularity` is `auto`, `fact`, `raw` (episodes), `summary` or `dual` (memories and their episodes apart).
        `filters` are conditions over every field, such as `{"role": "user", "occurred_at": {"gte": "2026-03"}}`.
        `record=False` keeps no trace. Any text is a query; operators and quotes in it are plain words.

        Raises `FilterError`, `DateError`, `IdError`, `LimitError`, `InputError`; `EmbedderMismatchError` where the
        stored vectors were made by another embedder.

        >>> with Memory("doctest.db") as memory:
        ...     _ = memory.add("The gate code is on the blue card", user_id="sam")
        ...     memory.search("gate code", user_id="sam").hits[0].authority
        <Authority.AUTHORIZED: 'authorized'>
        """
        return self._rooms.reading.search(query, (user_id, agent_id, team_id), record=record, question={
            "limit": limit, "filters": filters, "as_of": as_of, "known_at": known_at, "kinds": kinds,
            "granularity": granularity, "explain": explain,
        })  # fmt: skip

    def recall(
        self,
        query: str | None = None,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        max_tokens: int = 2_000,
        as_of: object = None,
        known_at: object = None,
        record: bool = True,
        rephrase: bool = False,
    ) -> "Context":
        """What is known about the query, parted by what may be done with it, and ready for a prompt.

        `grounded` may be asserted; `unverified` is what others supplied, to be reported as theirs and never
        asserted; beside them `events`, `earlier`, `conflicts`, `stale`, `profile`. `render()` is the text, with ids,
        within `max_tokens`. Without a query it is a briefing: what is due, to be confirmed, so now, recent; nothing
        of others. `as_of`, `known_at` and `record` are those of `search`. With `rephrase` a language model may join
        statements of the user's own, word for word; whatever else it says is left, and the lines stay as they are.

        Raises `DateError`, `IdError`, `InputError`; `LimitError` where `max_tokens` is too small for one memory;
        `ConfigError` where it is to be rephrased and no model is set.

        >>> with Memory("doctest.db") as memory:
        ...     _ = memory.add("The spare key is with Ines", user_id="ines")
        ...     "spare key" in memory.recall("Where is the key?", user_id="ines").render()
        True
        """
        return self._rooms.reading.recall(query, (user_id, agent_id, team_id), how={
            "max_tokens": max_tokens, "as_of": as_of, "known_at": known_at, "record": record,
            "rephrase": rephrase,
        })  # fmt: skip

    def profile(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        as_of: object = None,
        known_at: object = None,
        rephrase: bool = False,
    ) -> "Profile":
        """The page about the user: a view compiled from what he, or the host, stated; nothing of others.

        `markdown` is the page, `lines` are its statements with the versions they cite: to edit one, `update` or
        `retract` that. `as_of` and `known_at` are those of `search`. With `rephrase` a language model may join lines,
        as in `recall`. Keeps no trace. Raises `DateError`, `IdError`, `ConfigError`.
        """
        return self._rooms.reading.profile((user_id, agent_id, team_id), {
            "as_of": as_of, "known_at": known_at, "rephrase": rephrase,
        })  # fmt: skip

    def answer(
        self,
        question: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        as_of: object = None,
        known_at: object = None,
        record: bool = True,
    ) -> "Answer":
        """What may be said for certain about a question, with citations; or that nothing may be (`abstained`).

        The text is taken from what the citations quote: the value asked for, else the statement. Only what is at
        least attested and holds at the time asked about is said; what others claim stands in `unverified`, told as
        theirs. `as_of` is the time asked about (default: now), `known_at` looks at what was believed then.
        A question in which one of the user's own names stands is about the user; one about another person is not
        answered with the user's facts. `record=False` keeps no trace.

        With a language model (`llm`) that is asked where rules find no answer, at most twice and for one repair: it
        chooses among what was opened, and its sentences are given only where they say exactly what is cited, else
        the quotes are. If it fails, `problems` says so, and the rules answer alone. `cost` is what it took.

        Raises `DateError`, `IdError`, `LimitError`; `EmbedderMismatchError` as `search` does.

        >>> with Memory("doctest.db") as memory:
        ...     _ = memory.add("The gate code for the green bicycle shed is 4711", user_id="sam")
        ...     memory.answer("What is the gate code for the green bicycle shed?", user_id="sam").text
        'The gate code for the green bicycle shed is 4711'
        """
        return self._rooms.answering.answer(
            question, (user_id, agent_id, team_id), as_of=as_of, known_at=known_at, record=record
        )

    def answer_stream(
        self,
        question: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        as_of: object = None,
        known_at: object = None,
        record: bool = True,
    ) -> "Iterator[Step | Sentence | Answer]":
        """`answer` as it comes to be: each rung that is climbed, each sentence that passed its checks, the whole last.

        Takes and raises what `answer` does; nothing is given out unchecked.

        >>> with Memory("doctest.db") as memory:
        ...     _ = memory.add("I live in Lisbon now", user_id="ada")
        ...     [type(one).__name__ for one in memory.answer_stream("Where do I live?", user_id="ada")]
        ['Step', 'Sentence', 'Answer']
        """
        return self._rooms.answering.stream(
            question, (user_id, agent_id, team_id), as_of=as_of, known_at=known_at, record=record
        )

    def check_action(
        self,
        tool: str | None = None,
        args: Mapping[str, Any] | None = None,
        *,
        memory_ids: Sequence[str] | None = None,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        confirmation: str | None = None,
    ) -> "Decision":
        """Whether a tool may be called with these arguments: `allow`, `ask` (the user, first) or `deny`.

        Every value in a protected argument (recipient, account, amount, address, credential) is traced to memories, and
        so to who said it. What rests on the user's own word is allowed; on less, or on no memory: ask; on what was
        retracted, superseded, revoked, has expired or is in quarantine: deny. A tool that is not registered: ask. The
        memories named in `memory_ids` must be there, hold and be authorized; they can also be checked alone.

        After an `ask` a person's yes is given by calling again with `confirmation=decision.confirmation`: it counts
        once, for ten minutes, for exactly this call. The decision stands in the ledger.

        Raises `InputError`s, and `StoreError` where it can't be written down.

        >>> with Memory("doctest.db", tools={"pay": {"to": "recipient"}}) as memory:
        ...     decision = memory.check_action("pay", {"to": "Eve"}, user_id="priya")
        ...     print(decision.outcome, decision.reasons[0].code)
        ask unknown_value
        """
        return self._rooms.answering.check_action((user_id, agent_id, team_id), {
            "tool": tool, "args": args, "memory_ids": memory_ids, "confirmation": confirmation,
        })  # fmt: skip

    def forget(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        memory_id: str | None = None,
        episode_id: str | None = None,
        session_id: str | int | None = None,
        source_id: str | int | None = None,
        actor: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
    ) -> "Receipt":
        """Erase, physically and for good.

        Name one thing: a memory (with all it was drawn from), an episode, a session, a source, what one contributor
        said (`actor`), or `everything` of a user (also what he said in other spaces), agent or team.

        Gives a signed receipt: `erased_at`, and `physical_at` once no byte of it is in our files. What was
        erased does not come back under the same `source_id` or idempotency key. `dry_run` only counts.

        Raises `NotFoundError` where there is nothing of the kind, `InputError` where it is not said what.

        >>> with Memory("doctest.db") as memory:
        ...     _ = memory.add("Nobody should know this", user_id="kim")
        ...     memory.forget(user_id="kim", everything=True).episodes
        1
        """
        return self._rooms.forget((user_id, agent_id, team_id), dry_run=dry_run, what={
            "memory_id": memory_id, "episode_id": episode_id, "session_id": session_id, "source_id": source_id,
            "actor": actor, "everything": everything,
        })  # fmt: skip

    def verify(self, *, since: Mapping[str, Any] | None = None) -> "VerifyResult":
        """Recompute everything and say what does not fit.

        That is: entries, trees, signed heads, the directory, seals, and every row against the log.

        `level` is 0 (broken), 1 (self-consistent) or 2 (signed by a key trusted here); `problems` name what
        was found. `since` is the `marks` of an earlier result: then only what is new is checked. Never raises
        for a damaged store.
        """
        return self._rooms.verify(since)

    def derive(
        self,
        *,
        where: Mapping[str, object] | None = None,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        dry_run: bool = False,
    ) -> "Derived":
        """Make memories of what still waits; with `where`, look again at episodes that were looked at before.

        `where` chooses by `extractor`, `model`, `language`, `role`, `session_id`, `source_id`, `since` and `until`
        (when it was said); `{}` is everything. What is no longer found loses its support, what is new is added;
        `dry_run` only tells the difference. Raises `InputError`, `DateError`, `NotFoundError`.
        """
        return self._rooms.writing.derive((user_id, agent_id, team_id), where=where, dry_run=dry_run)

    @property
    def sources(self) -> "SourceHandle":
        """What came together under one `source_id`: list, revoke; add through a credential."""
        from affidavit.write.sources import SourceHandle

        return SourceHandle(self._rooms.writing)

    @property
    def access(self) -> "Access":
        """What users permit tools to do without asking: permit, revoke, permits."""
        return self._rooms.answering.access

    @property
    def admin(self) -> "Admin":
        """What an operator does: seal, backup, inspect, clean, embed, keys."""
        return self._rooms.admin

    def close(self) -> None:
        """Seal what changed and close the file. Nothing is lost without it."""
        self._rooms.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
