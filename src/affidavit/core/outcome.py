"""What became of statements, and the pen by which one of them is put into the book. Pure."""

from dataclasses import dataclass, field

from affidavit.core.book import Book, Held
from affidavit.core.candidates import Admitted
from affidavit.core.changes import Change
from affidavit.core.choices import Overruled
from affidavit.core.ids import MEMORY
from affidavit.core.memories import ItemRow, MemoryStatus, Reason


@dataclass(slots=True)
class Outcome:
    """What became of the statements, by version id; `changes` make it so.

    `added` are new memories, `updated` further versions, `supported` what was said again, `retracted` what they ended.
    `overruled` are choices that the rules did not permit, `open` the statements of which a choice could be made.
    """

    changes: list[Change] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    supported: list[str] = field(default_factory=list)
    retracted: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    overruled: list[Overruled] = field(default_factory=list)
    open: list[Admitted] = field(default_factory=list)


@dataclass(slots=True)
class Pen:
    """Writes into the book what comes of one statement, and into the outcome that it did."""

    one: Admitted
    book: Book
    outcome: Outcome

    def add(self, row: ItemRow, memory_id: str | None = None) -> Held:
        """A version more of a memory, or a new memory."""
        added = self.book.add(self.numbered(row, memory_id), self.one.authority, self.one.parts)
        (self.outcome.updated if memory_id else self.outcome.added).append(added.id)
        return added

    def numbered(self, row: ItemRow, memory_id: str | None) -> ItemRow:
        """The row with its id and number."""
        if memory_id is None:
            return row._replace(memory_id=self.book.known.new_id(MEMORY), version=1)
        return row._replace(memory_id=memory_id, version=self.book.next_version(memory_id))

    def support(self, held: Held) -> None:
        """It says the same again."""
        self.book.support(held, self.one.authority, self.one.parts)
        self.outcome.supported.append(held.id)

    def end(self, held: Held, end: int | None, by: Held, reason: Reason) -> None:
        """Decide that a version ended, where that does not follow from the times."""
        self.book.close(held, end, by.id)
        over = end is None or end <= max(self.book.known.now, held.row.valid_start or 0)
        if held.live and over:
            self.book.label(held, reason, status=MemoryStatus.SUPERSEDED)
            self.book.resolve(held, by.id)

    def contest(self, held: Held, by: Held) -> None:
        """Both stay, and can't both hold."""
        self.outcome.conflicts.append(self.book.conflict(held, by))
