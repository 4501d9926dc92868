"""`Memory`: the one public face of the library. Signatures, docstrings, and one delegating line each."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from affidavit.admin import Admin
    from affidavit.answer.results import Answer
    from affidavit.config import Config
    from affidavit.privacy.receipt import Receipt
    from affidavit.proof.verify import VerifyResult
    from affidavit.providers.embedder import Embedder
    from affidavit.read.context import Context
    from affidavit.read.history import History
    from affidavit.read.results import Item, Page, SearchResult
    from affidavit.read.tokens import Tokenizer
    from affidavit.read.why import Explanation
    from affidavit.store.protocol import Clock
    from affidavit.write.intake import Document
    from affidavit.write.results import AddResult


class Memory:
    """Long-term memory in one file: what was said, by whom, with proof.

    `db` is a path (default: `~/.affidavit/memory.db`); `embedder` adds meaning to word search (default: MiniLM
    where the extra `embed` is installed); `tokenizer` counts as your model does (default: one token for each byte,
    which is never too few); `config` holds every other setting. Works without arguments, from several threads and
    processes at once, and as a context manager.

    >>> with Memory("doctest.db") as memory:
    ...     _ = memory.add("My sister Ana moved to Porto", user_id="priya")
    ...     print(memory.search("Where does Ana live?", user_id="priya").hits[0].text)
    My sister Ana moved to Porto
    """

    def __init__(
        self,
        db: str | os.PathLike[str] | None = None,
        *,
        embedder: "Embedder | None" = None,
        tokenizer: "Tokenizer | None" = None,
        config: "Config | None" = None,
        clock: "Clock | None" = None,
    ) -> None:
        from affidavit.rooms import Rooms

        self._rooms = Rooms(db, embedder=embedder, tokenizer=tokenizer, config=config, clock=clock)

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
        "metadata"?}`); a plain text has `role`. Without a date a message happened now. `author` and
        `derived_from` (`user`, `system`, `third_party`) can only lower what the role allows. With the same
        `idempotency_key` the same episodes come back. Secrets are masked before anything is stored.

        Raises `InputError`s before anything is written; after that, nothing can be lost.

        >>> with Memory("doctest.db") as memory:
        ...     memory.add("I prefer the window seat", user_id="leo", occurred_at="2026-03-10").episodes[
        ...         0
        ...     ].authority
        <Authority.AUTHORIZED: 'authorized'>
        """
        return self._rooms.add(messages, document, (user_id, agent_id, team_id), dry_run=dry_run, origin={
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
    ) -> "Context":
        """What is known about the query, parted by what may be done with it, and ready for a prompt.

        `grounded` may be asserted; `unverified` is what others supplied, to be reported as theirs and never
        asserted; beside them `events`, `earlier`, `conflicts`, `stale`, `profile`. `render()` is the text, with ids,
        within `max_tokens`. Without a query it is a briefing: what is due, to be confirmed, so now, recent; nothing
        of others. `as_of`, `known_at` and `record` are those of `search`.

        Raises `DateError`, `IdError`, `InputError`; `LimitError` where `max_tokens` is too small for one memory.

        >>> with Memory("doctest.db") as memory:
        ...     _ = memory.add("The spare key is with Ines", user_id="ines")
        ...     "spare key" in memory.recall("Where is the key?", user_id="ines").render()
        True
        """
        return self._rooms.reading.recall(query, (user_id, agent_id, team_id), how={
            "max_tokens": max_tokens, "as_of": as_of, "known_at": known_at, "record": record,
        })  # fmt: skip

    def history(
        self,
        memory_id: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
    ) -> "History":
        """Every version of a memory with its quotes, and what happened to each: closings, labels, reasons, times.

        Raises `NotFoundError` for what is not there and for what may not be read alike.
        """
        return self._rooms.reading.history(memory_id, (user_id, agent_id, team_id))

    def why(
        self,
        query: str,
        item_id: str,
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
    ) -> "Explanation":
        """Why a search finds a memory, a version or an episode, or why it does not; the same arguments as `search`.

        What is not there and what may not be read are both `unknown`. Keeps no trace.
        """
        return self._rooms.reading.why(query, item_id, (user_id, agent_id, team_id), question={
            "limit": limit, "filters": filters, "as_of": as_of, "known_at": known_at, "kinds": kinds,
            "granularity": granularity,
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
        answered with the user's facts. `record=False` keeps no trace. No model takes part.

        Raises `DateError`, `IdError`, `LimitError`; `EmbedderMismatchError` as `search` does.

        >>> with Memory("doctest.db") as memory:
        ...     _ = memory.add("The gate code for the green bicycle shed is 4711", user_id="sam")
        ...     memory.answer("What is the gate code for the green bicycle shed?", user_id="sam").text
        'The gate code for the green bicycle shed is 4711'
        """
        return self._rooms.answer(
            question, (user_id, agent_id, team_id), as_of=as_of, known_at=known_at, record=record
        )

    def get(
        self,
        item_id: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
    ) -> "Item":
        """One item by its id: an episode, a version (`mem_…@2`), or of a memory (`mem_…`) the version that counts now.

        Raises `NotFoundError` for what is not there and for what may not be read alike.
        """
        return self._rooms.reading.get(item_id, (user_id, agent_id, team_id))

    def list(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        session_id: str | None = None,
        source_id: str | None = None,
        limit: int = 100,
        after: int | None = None,
        newest: bool = False,
        kinds: str | Sequence[str] | None = None,
    ) -> "Page":
        """The caller's items in the order they were recorded; `Page.next` is the `after` of the next page.

        These are episodes and every version of every memory, whatever its status; `kinds` names what is wanted.
        A `session_id` or `source_id` lists episodes alone.
        """
        return self._rooms.reading.list_items((user_id, agent_id, team_id), {
            "session_id": session_id, "source_id": source_id, "limit": limit, "after": after, "newest": newest,
            "kinds": kinds,
        })  # fmt: skip

    def get_all(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        limit: int = 1000,
    ) -> "Page":
        """`list` under the name that other libraries use."""
        return self._rooms.reading.list_items((user_id, agent_id, team_id), {"limit": limit})

    def forget(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        episode_id: str | None = None,
        session_id: str | int | None = None,
        source_id: str | int | None = None,
        actor: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
    ) -> "Receipt":
        """Erase, physically and for good.

        Name one thing: an episode, a session, a source, what one contributor said (`actor`), or `everything` of a
        user (also what he said in other spaces), agent or team.

        Gives a signed receipt: `erased_at`, and `physical_at` once no byte of it is in our files. What was
        erased does not come back under the same `source_id` or idempotency key. `dry_run` only counts.

        Raises `NotFoundError` where there is nothing of the kind, `InputError` where it is not said what.

        >>> with Memory("doctest.db") as memory:
        ...     _ = memory.add("Nobody should know this", user_id="kim")
        ...     memory.forget(user_id="kim", everything=True).episodes
        1
        """
        return self._rooms.forget((user_id, agent_id, team_id), dry_run=dry_run, what={
            "episode_id": episode_id, "session_id": session_id, "source_id": source_id, "actor": actor,
            "everything": everything,
        })  # fmt: skip

    def delete(
        self,
        item_id: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
    ) -> "Receipt":
        """Erase one item by its id: `forget(episode_id=…)`."""
        return self._rooms.forget((user_id, agent_id, team_id), what={"episode_id": item_id})

    def delete_all(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
    ) -> "Receipt":
        """Erase everything of a user, agent or team: `forget(everything=True)`."""
        return self._rooms.forget((user_id, agent_id, team_id), what={"everything": True})

    def reset(self) -> "Sequence[Receipt]":
        """Erase every space of this store. There is no way back."""
        return self._rooms.reset()

    def verify(self, *, since: Mapping[str, Any] | None = None) -> "VerifyResult":
        """Recompute everything and say what does not fit.

        That is: entries, trees, signed heads, the directory, seals, and every row against the log.

        `level` is 0 (broken), 1 (self-consistent) or 2 (signed by a key trusted here); `problems` name what
        was found. `since` is the `marks` of an earlier result: then only what is new is checked. Never raises
        for a damaged store.
        """
        return self._rooms.verify(since)

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
