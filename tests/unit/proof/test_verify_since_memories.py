"""Incremental verify of memories: what comes after a mark may touch versions from before it, and is held to it."""

from collections.abc import Callable
from typing import Any

import pytest

from affidavit import Memory
from affidavit.core.book import Book
from affidavit.core.changes import Change, Erased, SourceRevoked
from affidavit.core.ids import SOURCE
from affidavit.core.memories import MemoryStatus, Part, Reason
from affidavit.proof.verify import VerifyResult
from affidavit.proof.verify_result import Code
from tests.support_memories import Remembering
from tests.support_stores import audit_of, plainly


class Marked:
    """A store with memories, and the marks of it."""

    def __init__(self, memory: Memory) -> None:
        self.her = her = Remembering(memory)
        self.memory = memory
        self.lisbon = her.lives_in("Lisbon")
        her.lives_in("Lisbon", "Yes, I live in Lisbon")
        self.tea = her.remember("I like tea", relation="like", object="tea")
        self.faro = her.remember(
            {"role": "tool", "content": "She lives in Faro"},
            relation="home",
            object="Faro",
            claimant="a tool",
        )
        (conflict,) = her.conflicts()
        self.conflict = conflict.id
        self.episode = her.say("An old message")
        permit = memory.access.permit("ana", "mail")
        self.permit, self.asked = permit.id, memory.check_action("transfer", {"amount": 1}, user_id="ana")
        result = memory.verify()
        assert (result.level, result.problems) == (2, ())
        self.marks = result.marks

    def change(self, version: str, change: Callable[[Book, Any], object]) -> None:
        def prepared(view: Any) -> list[Change]:
            book = Book(view)
            (held,) = book.items([version])
            change(book, held)
            return book.changes

        self.her.store.commit(self.her.space_id, prepared)

    def everything(self) -> None:
        """All that can happen to what was there before the mark."""
        part = Part(self.episode.id, 3, 6, "old")
        self.change(self.lisbon, lambda book, held: book.support(held, held.authority, (part,)))
        self.change(self.lisbon, lambda book, held: book.unsupport(held, 2))
        self.change(self.lisbon, lambda book, held: book.resolve(held, self.lisbon))
        porto = self.her.lives_in("Porto")
        self.change(porto, lambda book, held: book.support(held, held.authority, (Part(self.tea),)))
        self.change(
            self.tea, lambda book, held: book.label(held, Reason.RETRACTED, status=MemoryStatus.RETRACTED)
        )
        self.her.store.commit(
            self.her.space_id, lambda view: [SourceRevoked(id=view.new_id(SOURCE), source_id="mail")]
        )
        self.memory.access.revoke(self.permit, user_id="ana")
        self.memory.check_action(
            "transfer", {"amount": 1}, user_id="ana", confirmation=self.asked.confirmation
        )

    def erase(self, *targets: str) -> None:
        self.her.store.commit(self.her.space_id, [Erased(targets=targets)])

    def since(self) -> VerifyResult:
        return self.memory.verify(since=self.marks)

    def write(self, sql: str) -> None:
        with plainly(self.memory) as conn:
            for statement in sql.split(";"):
                conn.execute(statement)


@pytest.fixture
def marked(memory: Memory) -> Marked:
    return Marked(memory)


def test_all_that_can_happen_stays_clean(marked: Marked) -> None:
    marked.everything()
    for result in (marked.since(), marked.memory.verify()):
        assert (result.level, result.problems) == (2, ())
    again = marked.since()
    assert again.marks == marked.memory.verify().marks
    assert marked.memory.verify(since=again.marks).ok
    marked.erase(marked.conflict, f"{marked.lisbon}#1", f"{marked.lisbon}#2", marked.faro)
    for marks in (marked.marks, again.marks, None):
        result = marked.memory.verify(since=marks)
        assert (result.level, result.problems) == (2, ())
    marked.memory.forget(user_id="ana", everything=True)
    assert marked.memory.verify(since=again.marks).problems == ()


TAMPERED = {
    "the new support of an old version": (
        "UPDATE support SET authority = 'attested' WHERE support = 3", Code.LABEL_MISMATCH,
    ),
    "the new support gone": ("DELETE FROM support WHERE support = 3", Code.ORPHAN_ENTRY),
    "the quote of a new support": ("UPDATE support_part SET quote = 'new' WHERE quote = 'old'", Code.QUOTE_MISMATCH),
    "the place of a new quote": (
        "UPDATE support_part SET quote_start = 0, quote_end = 3 WHERE quote = 'old'", Code.CONTENT_MISMATCH,
    ),
    "the part of a new support gone": ("DELETE FROM support_part WHERE quote = 'old'", Code.CONTENT_MISMATCH),
    "the old episode that is quoted": ("UPDATE episode SET text = 'An odd one' WHERE text LIKE 'An old%'",
                                       Code.QUOTE_MISMATCH),
    "an old support counts again": ("UPDATE support SET removed = NULL", Code.LABEL_MISMATCH),
    "a removed support gone": ("DELETE FROM support WHERE removed IS NOT NULL", Code.ORPHAN_ENTRY),
    "a closing taken back": (
        "UPDATE item SET closed_end = NULL, closed_at = NULL, closed_by = NULL, closed_seq = NULL",
        Code.LABEL_MISMATCH,
    ),
    "another time of closing": ("UPDATE item SET closed_end = closed_end + 1", Code.CONTENT_MISMATCH),
    "closed by another": ("UPDATE item SET closed_by = memory_id || '@7'", Code.LABEL_MISMATCH),
    "an old version believed again": ("UPDATE item SET status = 'active' WHERE object = 'tea'", Code.LABEL_MISMATCH),
    "an old version that was touched gone": ("DELETE FROM item WHERE object = 'tea'", Code.ORPHAN_ENTRY),
    "an old conflict open again": ("UPDATE conflict SET resolved_at = NULL, kept = NULL", Code.LABEL_MISMATCH),
    "an old conflict settled for another": ("UPDATE conflict SET kept = 'mem_x@1'", Code.LABEL_MISMATCH),
    "an old conflict gone": ("DELETE FROM conflict", Code.ORPHAN_ENTRY),
    "a revocation gone": ("DELETE FROM revoked_source", Code.ORPHAN_ENTRY),
    "another source revoked": ("UPDATE revoked_source SET source_id = 'post'", Code.CONTENT_MISMATCH),
    "a new version's text": ("UPDATE item SET text = 'She lives in Beja.' WHERE version = 2", Code.CONTENT_MISMATCH),
    "the blind of a closing": ("DELETE FROM blind WHERE seq IN (SELECT closed_seq FROM item)", Code.CONTENT_MISMATCH),
    "a support smuggled in": (
        "INSERT INTO support SELECT space_id, memory_id, version, 9, seq + 1000, authority, NULL FROM support LIMIT 1",
        Code.UNLOGGED_ROW,
    ),
    "an ended permit in force": ("UPDATE permit SET ended_at = NULL", Code.LABEL_MISMATCH),
    "a confirmation taken back": ("UPDATE decision SET confirmed_at = NULL", Code.LABEL_MISMATCH),
}  # fmt: skip


@pytest.mark.parametrize("case", TAMPERED)
def test_what_is_wrong_is_named(marked: Marked, case: str) -> None:
    sql, code = TAMPERED[case]
    marked.everything()
    marked.write(sql)
    assert code in {problem.code for problem in marked.since().problems}


@pytest.mark.parametrize(
    "table, target",
    [("item", "tea"), ("support", "support"), ("conflict", "conflict")],
)
def test_an_erased_row_put_back(marked: Marked, table: str, target: str) -> None:
    support = f"{marked.lisbon}#2"
    gone = {"tea": marked.tea, "support": support, "conflict": marked.conflict}[target]
    with plainly(marked.memory) as conn:
        conn.execute(f"CREATE TEMP TABLE kept AS SELECT * FROM {table}")
        marked.erase(gone)
        conn.execute(f"INSERT INTO {table} SELECT * FROM kept WHERE true ON CONFLICT DO NOTHING")
    assert {problem.code for problem in marked.since().problems} == {Code.UNLOGGED_ROW}


def test_only_what_is_new_is_read(marked: Marked, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        marked.her.remember(f"I like thing {number}", relation="like", object=f"thing {number}")
    marks = marked.memory.verify().marks
    marked.everything()
    read: list[Any] = []
    kind = audit_of(marked.memory)
    rows = kind._rows

    def counting(self: Any, *args: Any) -> Any:
        for row in rows(self, *args):
            read.append(row)
            yield row

    monkeypatch.setattr(kind, "_rows", counting)
    assert marked.memory.verify(since=marks).ok
    few = len(read)
    read.clear()
    assert marked.memory.verify().ok
    assert few < len(read) / 3
