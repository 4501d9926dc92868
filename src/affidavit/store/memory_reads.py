"""The questions a store answers about memories. Part of `Reads`: all from the same consistent state of one space."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from affidavit.core.backing import SupportTime
from affidavit.core.memories import Conflict, ItemRow, Support

if TYPE_CHECKING:
    from affidavit.store.protocol import Selection


class StoredItem(NamedTuple):
    """A version's row and its place in the space's log."""

    seq: int
    row: ItemRow


class Quoting(NamedTuple):
    """That a living support of a version quotes an episode, and where."""

    episode_id: str
    version: str
    start: int
    end: int


class RejectionRow(NamedTuple):
    """What a check refused: where it stood, which check, why; the refused text is kept nowhere.

    `model` is the language model that proposed it, if one did.
    """

    episode_id: str
    span_start: int
    span_end: int
    check_name: str
    code: str
    hint: str
    at: int
    model: str | None = None


class RejectionChoice(NamedTuple):
    """Which rejections of a space: all that match every given field, in the order of their episodes."""

    session_id: str | None = None
    episode_id: str | None = None
    check: str | None = None
    code: str | None = None


class MemoryReads(Protocol):
    """Reads of memories."""

    def items(self, space_id: str, ids: Sequence[str]) -> dict[str, StoredItem]:
        """The versions with these ids (`mem_…@2`), those that are there."""
        ...

    def items_at(self, space_id: str, seqs: Sequence[int]) -> dict[int, StoredItem]:
        """The versions stored by these entries, those that are there."""
        ...

    def versions(self, space_id: str, memory_id: str) -> list[StoredItem]:
        """Every version of a memory, by number."""
        ...

    def related(self, space_id: str, subject: str, relations: Sequence[str]) -> list[StoredItem]:
        """Every version about a subject under these relations, in log order."""
        ...

    def objects(self, space_id: str, subject: str, relations: Sequence[str]) -> list[tuple[str, str | None]]:
        """The id and the object of every version about a subject under these relations, in log order."""
        ...

    def matching(self, space_id: str, match_keys: Sequence[int]) -> list[StoredItem]:
        """Every version with one of these match keys, in log order."""
        ...

    def all_items(self, space_id: str, *, after: int = -1) -> Iterator[StoredItem]:
        """Every version of a space after an entry, in log order."""
        ...

    def select_items(
        self, space_id: str, page: "Selection", kinds: Sequence[str] = ()
    ) -> Iterator[StoredItem]:
        """The versions of a space (`kinds`: of those) within the bounds and limit of `page`, in its direction."""
        ...

    def count_items(self, space_id: str, kinds: Sequence[str] = ()) -> int:
        """How many versions a space has; `kinds`: of those."""
        ...

    def item_index_rows(
        self, space_id: str, after: int, user_name: str | None = None
    ) -> Iterator[tuple[Any, ...]]:
        """What the space index holds of each version after this entry, then its number, then its `Bounds`.

        The first columns are those that `Reads.index_rows` gives of episodes: the memory's id, no session, the
        claimant (or `user_name`), the kind, and of what is no event the time from which it holds.
        """
        ...

    def item_column(self, space_id: str, name: str) -> list[Any]:
        """One column of every version of a space, in log order."""
        ...

    def support_times(self, space_id: str, versions: Sequence[str] | None = None) -> Iterator[SupportTime]:
        """Every part of the supports of these versions (None: of all), those of one version together, in order."""
        ...

    def quoting(self, space_id: str, episodes: Sequence[str]) -> list[Quoting]:
        """Every quote of these episodes by a living support, in the order of the versions."""
        ...

    def supports(self, space_id: str, versions: Sequence[str]) -> dict[str, tuple[Support, ...]]:
        """The supports of these versions, by number; those that no longer count, too."""
        ...

    def last_number(self, space_id: str, target: str) -> int:
        """The highest number that a memory's versions (or a version's supports) ever had; 0 where none is there."""
        ...

    def resting(self, space_id: str, sources: Sequence[str]) -> list[str]:
        """The versions with a support that rests on one of these episodes or versions."""
        ...

    def closed_by(self, space_id: str, versions: Sequence[str]) -> Mapping[str, str]:
        """The versions that one of these closed: the id of each to the id of what closed it."""
        ...

    def conflicts(self, space_id: str, *, open_only: bool = True) -> list[Conflict]:
        """The conflicts of a space, in log order."""
        ...

    def revoked_sources(self, space_id: str) -> Mapping[str, str]:
        """The revoked sources: the caller's id of each to ours."""
        ...

    def rejections(self, space_id: str, episode_id: str | None = None) -> list[RejectionRow]:
        """What the checks refused, of one episode or of all."""
        ...

    def select_rejections(
        self, space_id: str, choice: RejectionChoice, *, skip: int, limit: int, newest: bool
    ) -> list[RejectionRow]:
        """Some of what was refused; `newest`: of the last episodes first."""
        ...

    def count_rejections(self, space_id: str, choice: RejectionChoice) -> int:
        """How much was refused."""
        ...
