"""Whatever is done to memories, the rows are those that the log tells of: verify is clean, in full and since a mark."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit import Config, Memory
from affidavit.core.authority import Authority
from affidavit.core.book import Book
from affidavit.core.chains import reopen_after
from affidavit.core.changes import Change, Erased, SourceRevoked, StatusSet
from affidavit.core.ids import SOURCE
from affidavit.core.memories import MemoryStatus, Part, Reason, support_id
from affidavit.core.replay import State, replay
from affidavit.ledger.encoding import parse_entry
from tests.support_lives import Life, on
from tests.support_memories import blinded
from tests.support_stores import plainly


class Clock:
    """Day 151, and a microsecond later at every look."""

    us = on(151)

    def now(self) -> int:
        self.us += 1
        return self.us


@contextmanager
def opened() -> Iterator[Memory]:
    """A store of its own."""
    with TemporaryDirectory() as name:
        base = Path(name)
        config = Config.load(
            environ={}, home=base, db=str(base / "m.db"), key_dir=base / "keys", embedder="none"
        )
        with Memory(config=config, clock=Clock()) as memory:
            yield memory


class Deeds:
    """Random deeds upon one user's memories, each a commit of its own."""

    def __init__(self, memory: Memory, data: st.DataObject) -> None:
        self.life, self.data = Life(memory), data
        self.life.states("Lisbon", 1)

    def do(self) -> None:
        kinds = [
            self.state, self.support, self.derive, self.revoke, self.close, self.label, self.contest, self.settle,
            self.source, self.quarantine, self.erase_version, self.erase_support, self.erase_conflict,
        ]  # fmt: skip
        self.data.draw(st.sampled_from(kinds))()

    def commit(self, prepare: Any) -> None:
        self.life.store.commit(self.life.space_id, prepare)

    def version(self) -> str | None:
        ids = [row.id for row in self.life.items()]
        return self.data.draw(st.sampled_from(ids)) if ids else None

    def state(self) -> None:
        draw = self.data.draw
        self.life.states(
            draw(st.sampled_from(["Lisbon", "Porto", "Faro"])),
            draw(st.integers(1, 9)),
            relation=draw(st.sampled_from(["home", "like", "dislike", None])),
            by=draw(st.sampled_from(["user", "assistant", "tool"])),
            negated=draw(st.booleans()),
        )

    def _one(self, change: Any) -> None:
        """Change a version through the book."""
        version = self.version()

        def prepared(view: Any) -> Sequence[Change]:
            book = Book(view)
            for held in book.items([version] if version else []):
                change(book, held)
            return book.changes

        self.commit(prepared)

    def support(self) -> None:
        episode = self.life.say("once more")
        part = Part(episode.id, 0, 9, "once more")
        authority = self.data.draw(st.sampled_from(Authority))
        self._one(lambda book, held: book.support(held, authority, (part, part)))

    def derive(self) -> None:
        """A support that rests on another version."""
        other = self.version()
        if other is None:
            return

        def rests(book: Book, held: Any) -> None:
            (parent,) = book.items([other])
            if parent is not held:
                book.support(held, parent.authority, (Part(parent.id),))

        self._one(rests)

    def revoke(self) -> None:
        def revoked(book: Book, held: Any) -> None:
            live = [support.number for support in held.supports if support.removed is None]
            if live:
                book.unsupport(held, self.data.draw(st.sampled_from(live)))
                book.settle(held)

        self._one(revoked)

    def close(self) -> None:
        end, by = self.data.draw(st.sampled_from([None, on(3), on(200)])), self.version()
        self._one(lambda book, held: book.close(held, end, by))

    def label(self) -> None:
        status = self.data.draw(st.sampled_from([MemoryStatus.RETRACTED, MemoryStatus.ARCHIVED]))
        self._one(lambda book, held: book.label(held, Reason.RETRACTED, status=status))

    def contest(self) -> None:
        other = self.version()
        if other is None:
            return

        def contested(book: Book, held: Any) -> None:
            (rival,) = book.items([other])
            if rival is not held:
                book.conflict(held, rival)

        self._one(contested)

    def settle(self) -> None:
        kept = self.version()
        self._one(lambda book, held: book.resolve(held, kept))

    def source(self) -> None:
        self.commit(lambda view: [SourceRevoked(id=view.new_id(SOURCE), source_id=view.new_id("mail"))])

    def quarantine(self) -> None:
        episode = self.life.say("a claim")
        status = self.data.draw(st.sampled_from(["quarantined", "active"]))
        self.commit(
            lambda _: [
                StatusSet(target=episode.id, authority=episode.authority, status=status, reason="revoked")
            ]
        )

    def erase_version(self) -> None:
        version = self.version()
        if version is None:
            return

        def erased(view: Any) -> Sequence[Change]:
            book, gone = Book(view), {version}
            while more := set(view.resting(view.space_id, sorted(gone))) - gone:
                gone |= more
            reopen_after(book, gone)
            conflicts = [
                c.id for c in view.conflicts(view.space_id, open_only=False) if gone & set(c.members)
            ]
            return [*book.changes, Erased(targets=(*sorted(gone), *conflicts))]

        self.commit(erased)

    def erase_support(self) -> None:
        version = self.version()
        supports = self.life.supports(version) if version else ()
        if version is None or len(supports) < 2:
            return
        number = self.data.draw(st.sampled_from([support.number for support in supports]))

        def erased(view: Any) -> Sequence[Change]:
            book = Book(view)
            (held,) = book.items([version])
            held.supports = tuple(s for s in held.supports if s.number != number)
            book.settle(held)
            return [*book.changes, Erased(targets=(support_id(version, number),))]

        self.commit(erased)

    def erase_conflict(self) -> None:
        ids = [conflict.id for conflict in self.life.conflicts(open_only=False)]
        if ids:
            self.commit(lambda _: [Erased(targets=(self.data.draw(st.sampled_from(ids)),))])


def replayed(life: Life) -> State:
    with life.store.snapshot() as reads:
        return replay(parse_entry(body) for _, body in reads.entries(life.space_id))


@settings(max_examples=50, deadline=None)
@given(data=st.data(), before=st.integers(0, 8), after=st.integers(1, 8))
def test_the_rows_are_those_of_the_log(data: st.DataObject, before: int, after: int) -> None:
    with opened() as memory:
        deeds = Deeds(memory, data)
        for _ in range(before):
            deeds.do()
        result = memory.verify()
        assert (result.level, result.problems) == (2, ())
        for _ in range(after):
            deeds.do()
        for found in (memory.verify(since=result.marks), memory.verify()):
            assert (found.level, found.problems) == (2, ())
        check(deeds.life)


def check(life: Life) -> None:
    """The rows, one by one, beside what the log says."""
    state = replayed(life)
    rows = {row.id: row for row in life.items()}
    assert {
        key: (one.authority, one.status, one.actor, one.closed_by) for key, one in state.items.items()
    } == {key: (row.authority, row.status, row.actor, row.closed_by) for key, row in rows.items()}
    for key, item in state.items.items():
        assert [(s.number, s.seq, s.authority, s.sources, s.removed) for s in life.supports(key)] == [
            (n, s.seq, s.authority, s.sources, s.removed) for n, s in sorted(item.supports.items())
        ]
    assert {c.id: (c.members, c.kept) for c in life.conflicts(open_only=False)} == {
        key: (one.members, one.kept) for key, one in state.conflicts.items()
    }
    with plainly(life.memory) as conn:
        blinds = {
            seq for (seq,) in conn.execute("SELECT seq FROM blind WHERE space_id = ?", (life.space_id,))
        }
        assert blinds == set(blinded(state))
