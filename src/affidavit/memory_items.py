"""The verbs of `Memory` upon single items: look at one, say something of it, erase it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affidavit.core.access import Caller
    from affidavit.privacy.receipt import Receipt
    from affidavit.read.history import History
    from affidavit.read.memories import ConflictGroup
    from affidavit.read.rejections import Rejections
    from affidavit.read.results import Item, Page
    from affidavit.read.why import Explanation
    from affidavit.rooms import Rooms
    from affidavit.write.act import Acted


def _caller(*ids: str | int | None) -> "Caller":
    from affidavit.core.access import Caller

    return Caller.of(*ids)


class MemoryItems:
    """What `Memory` can do with single items."""

    _rooms: "Rooms"

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

    def rejections(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        session_id: str | None = None,
        episode_id: str | None = None,
        check: str | None = None,
        code: str | None = None,
        limit: int = 100,
        after: int | None = None,
        newest: bool = False,
    ) -> "Rejections":
        """Why something was not remembered: what the checks refused, in the order of the episodes it was about.

        Each with its reason, what would have been accepted, and the words of the episode; the refused text itself is
        kept nowhere. A language model that failed at an episode is told of, too. `Rejections.next` is the `after` of
        the next page. An episode that is looked at again is told of anew.

        >>> from affidavit import Memory
        >>> said = '{"statements": [{"message": "m1", "quote": "I might move to Oslo", "text": "Tove moves to Oslo"}]}'
        >>> with Memory("doctest.db", llm=lambda messages, **options: said) as memory:
        ...     _ = memory.add("I might move to Oslo", user_id="tove")
        ...     [(one.code, one.quote) for one in memory.rejections(user_id="tove")]
        [('hedged', 'I might move to Oslo')]
        """
        return self._rooms.reading.rejections((user_id, agent_id, team_id), {
            "session_id": session_id, "episode_id": episode_id, "check": check, "code": code, "limit": limit,
            "after": after, "newest": newest,
        })  # fmt: skip

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

    def update(
        self,
        memory_id: str,
        text: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        session_id: str | int | None = None,
        idempotency_key: str | None = None,
    ) -> "Acted":
        """Say what a memory should say from now on: a new version, in the user's own words; the old one is history.

        `session_id` is the session in which it is said: the word goes with it.

        Raises `NotBelievedError` for a version that is not the one that holds and for what was retracted, `InputError`
        for an empty text, `AuthorityError` where somebody with more authority said it, `NotFoundError`.

        >>> from affidavit import Memory
        >>> with Memory("doctest.db") as memory:
        ...     moved = memory.add("I live in Lisbon now", user_id="zoe").added[0]
        ...     memory.update(moved.id, "I live in Porto", user_id="zoe").text
        'I live in Porto'
        """
        return self._rooms.writing.acts.update(
            _caller(user_id, agent_id, team_id),
            memory_id,
            text,
            session_id=session_id,
            idempotency_key=idempotency_key,
        )

    def retract(
        self,
        memory_id: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
    ) -> "Acted":
        """Believe a memory no longer. It stays in the history; to have it gone, `forget` it.

        Raises `AuthorityError` where somebody with more authority said it, `NotFoundError`.
        """
        return self._rooms.writing.acts.retract(_caller(user_id, agent_id, team_id), memory_id)

    def confirm(
        self,
        memory_id: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        session_id: str | int | None = None,
        idempotency_key: str | None = None,
    ) -> "Acted":
        """Say that a memory still holds: no longer possibly stale. `session_id` and what it raises: as `update`."""
        return self._rooms.writing.acts.confirm(
            _caller(user_id, agent_id, team_id),
            memory_id,
            session_id=session_id,
            idempotency_key=idempotency_key,
        )

    def endorse(
        self,
        memory_id: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        session_id: str | int | None = None,
        idempotency_key: str | None = None,
    ) -> "Acted":
        """Stand by what somebody else said: a claim, or what is in quarantine, counts as the user's own word from then.

        What bears one of his own names is about himself from then on, in a further version; where it and what he said
        of himself can't both hold, a conflict is opened. `session_id` is that of `update`.

        Raises `NotBelievedError` for what was retracted or holds no more, `NotFoundError`.
        """
        return self._rooms.writing.acts.endorse(
            _caller(user_id, agent_id, team_id),
            memory_id,
            session_id=session_id,
            idempotency_key=idempotency_key,
        )

    def conflicts(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
    ) -> "tuple[ConflictGroup, ...]":
        """What cannot both hold, and what no rule may settle: each open conflict with its members."""
        return self._rooms.reading.conflicts((user_id, agent_id, team_id))

    def resolve(
        self,
        conflict_id: str,
        *,
        keep: str,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        session_id: str | int | None = None,
        idempotency_key: str | None = None,
    ) -> "Acted":
        """Settle a conflict: the version `keep` (`mem_…@2`) holds, the others are history.

        `session_id` is that of `update`.
        Raises `NotFoundError`, `AuthorityError`, and `InputError` for a version that is no part of it.
        """
        return self._rooms.writing.acts.resolve(
            _caller(user_id, agent_id, team_id),
            conflict_id,
            keep=keep,
            session_id=session_id,
            idempotency_key=idempotency_key,
        )

    def delete(
        self,
        item_id: str,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
    ) -> "Receipt":
        """Erase one item by its id: `forget(episode_id=…)` or `forget(memory_id=…)`."""
        what = "memory_id" if item_id.startswith("mem_") else "episode_id"
        return self._rooms.forget((user_id, agent_id, team_id), what={what: item_id})

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
