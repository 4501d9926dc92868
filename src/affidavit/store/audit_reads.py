"""What `verify` reads: raw values of every row, in bulk. Part of the store's protocol."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias


class Damage(NamedTuple):
    """Something that could not be read: where, and what the database says of it."""

    where: str
    detail: str


Row: TypeAlias = tuple[Any, ...]


class Audit(Protocol):
    """Raw values of every row for `verify`, from one consistent state; it never raises, but notes damage."""

    @property
    def damage(self) -> list[Damage]:
        """What could not be read so far."""
        ...

    def file(self) -> None:
        """Let the database check itself, and compare the schema with what the migrations make."""
        ...

    def meta(self) -> Iterator[Row]:
        """Every (key, value)."""
        ...

    def spaces(self) -> Iterator[Row]:
        """Every (id, kind, name, size, root, frontier, note, listed), the directory's too."""
        ...

    def entries(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, body) from an entry on."""
        ...

    def blinds(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, blind) from an entry on."""
        ...

    def actors(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, ref, who) of those born from an entry on."""
        ...

    def episodes(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, and the columns of `EpisodeRow`) of those stored from an entry on."""
        ...

    def texts(self, space_id: str, ids: Sequence[str]) -> Iterator[Row]:
        """(id, text) of the episodes with these ids."""
        ...

    def items(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, and the columns of `ItemRow`) of versions born from an entry on, and of those with these ids."""
        ...

    def supports(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, memory_id, version, support, authority, removed) from an entry on, and with these ids."""
        ...

    def support_parts(self, space_id: str, start: int) -> Iterator[Row]:
        """(memory_id, version, support, part, source, start, end, quote) of supports from an entry on, in order."""
        ...

    def conflicts(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, id, members, subject, relation, opened_at, resolved_at, kept) from an entry on, and with these ids."""
        ...

    def revoked_sources(self, space_id: str, start: int) -> Iterator[Row]:
        """(seq, id, source_id) of those revoked from an entry on."""
        ...

    def permits(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, and the columns of `PermitRow`) of those granted from an entry on, and with these ids."""
        ...

    def decisions(self, space_id: str, start: int, ids: Sequence[str] = ()) -> Iterator[Row]:
        """(seq, and the columns of `DecisionRow`) of those made from an entry on, and with these ids."""
        ...

    def last_numbers(self, space_id: str) -> Iterator[Row]:
        """(target, number) of every memory and version of which the highest number was erased."""
        ...

    def embeddings(self, space_id: str, start: int, targets: Sequence[int] = ()) -> Iterator[Row]:
        """(seq, target_seq, target, model, dimensions, vector) of episodes from an entry on, and `targets`."""
        ...

    def born(self, table: str, space_id: str, ids: Sequence[str]) -> dict[str, Any]:
        """Where the actors, episodes, versions, supports … with these ids were born: those that have a row."""
        ...

    def strays(self) -> Iterator[Row]:
        """(table, space_id) of rows whose space there is not."""
        ...

    def seals(self) -> Iterator[Row]:
        """Every (seq, note), in order."""
        ...

    def unlisted(self) -> set[Row]:
        """Every (space_id, reason) whose leaf in the directory is still to come."""
        ...
