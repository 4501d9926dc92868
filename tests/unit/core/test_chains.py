"""What is believed again when a version that had taken a place is gone."""

from collections.abc import Sequence
from typing import Any

import pytest

from affidavit import Memory
from affidavit.core.authority import Authority
from affidavit.core.book import Book
from affidavit.core.chains import reopen_after
from affidavit.core.changes import Change, Erased
from affidavit.core.memories import MemoryStatus, Part, Reason
from affidavit.text.evidence.likeness import match_key
from affidavit.text.lexicon.terms import stored_terms
from tests.support_lives import Life


@pytest.fixture
def life(memory: Memory) -> Life:
    return Life(memory)


def erase(life: Life, *ids: str) -> list[str]:
    """As an erasure does: the rows go, and what they had closed is found anew."""
    found: list[str] = []

    def prepared(view: Any) -> Sequence[Change]:
        book = Book(view)
        found.extend(reopen_after(book, ids))
        return [*book.changes, Erased(targets=ids)]

    life.store.commit(life.space_id, prepared)
    life.verified()
    return found


def retract(life: Life, version: str, status: MemoryStatus = MemoryStatus.RETRACTED) -> list[str]:
    found: list[str] = []

    def prepared(view: Any) -> Sequence[Change]:
        book = Book(view)
        (held,) = book.items([version])
        book.label(held, Reason.RETRACTED, status=status)
        found.extend(reopen_after(book, [version]))
        return book.changes

    life.store.commit(life.space_id, prepared)
    life.verified()
    return found


def weaken(life: Life, version: str, authority: Authority) -> list[str]:
    """As a revoked source does where another support is left."""
    found: list[str] = []

    def prepared(view: Any) -> Sequence[Change]:
        book = Book(view)
        (held,) = book.items([version])
        for support in held.supports:
            if support.authority > authority:
                book.unsupport(held, support.number)
        book.settle(held)
        found.extend(reopen_after(book, (), weakened=[version]))
        return book.changes

    life.store.commit(life.space_id, prepared)
    life.verified()
    return found


def ids(life: Life, relation: str = "home") -> list[str]:
    return [row.id for row in life.rows(relation)]


def test_the_one_before_is_believed_again(life: Life) -> None:
    life.states("Lisbon", 1)
    life.states("Porto", 5)
    lisbon, porto = ids(life)
    assert erase(life, porto) == [lisbon]
    assert life.status(lisbon) == ("active", "authorized")
    assert life.timeline() == [(1, {"Lisbon"})]


def test_or_closed_by_the_next_in_line(life: Life) -> None:
    for value, day in (("Lisbon", 1), ("Porto", 5), ("Faro", 9)):
        life.states(value, day)
    lisbon, porto, faro = ids(life)
    assert erase(life, porto) == []
    assert life.timeline() == [(1, {"Lisbon"}), (9, {"Faro"})]
    row = life.item(lisbon)
    assert row is not None
    assert row.closed_by == faro


@pytest.mark.parametrize(
    "status", [MemoryStatus.RETRACTED, MemoryStatus.INVALIDATED, MemoryStatus.QUARANTINED]
)
def test_what_no_longer_counts_closes_nothing(life: Life, status: MemoryStatus) -> None:
    life.states("Lisbon", 1)
    life.states("Porto", 5)
    lisbon, porto = ids(life)
    assert retract(life, porto, status) == [lisbon]
    assert life.now() == {"Lisbon"}
    life.states("Faro", 9)
    assert life.timeline() == [(1, {"Lisbon"}), (9, {"Faro"})]


def test_several_at_once(life: Life) -> None:
    for day in range(1, 6):
        life.states(f"home {day}", day)
    first, second, third, fourth, fifth = ids(life)
    assert erase(life, second, third, fifth) == [fourth]
    assert life.timeline() == [(1, {"home 1"}), (4, {"home 4"})]
    assert erase(life, fourth, first) == []
    assert life.rows() == []


def test_what_a_correction_corrected(life: Life) -> None:
    for value, day, more in (("Lisbon", 1, {}), ("Porto", 5, {}), ("Faro", 9, {"correction": True})):
        life.states(value, day, **more)
    _, porto, faro = ids(life)
    assert life.timeline() == [(1, {"Lisbon"}), (5, {"Faro"})]
    assert erase(life, faro) == [porto]
    assert life.timeline() == [(1, {"Lisbon"}), (5, {"Porto"})]


def test_a_correction_stays_where_something_else_is_gone(life: Life) -> None:
    life.states("Lisbon", 20)
    life.states("Lisbon", 21, since=10, correction=True)
    life.states("Porto", 50)
    assert life.timeline() == [(10, {"Lisbon"}), (50, {"Porto"})]
    erase(life, ids(life)[2])
    assert life.timeline() == [(10, {"Lisbon"})]


def test_what_was_denied_and_what_had_ended(life: Life) -> None:
    life.states("Acme", 1, relation="work")
    life.states("Acme", 5, relation="work", negated=True, ended=True)
    acme, denial = ids(life, "work")
    assert erase(life, denial) == [acme]
    life.states("Acme", 6, relation="work", ended=True)
    assert life.now("work") == set()
    assert erase(life, ids(life, "work")[1]) == [acme]


def test_a_plan_that_was_given_up(life: Life) -> None:
    life.states("Porto", 2, since=200, tense="future")
    life.states("Porto", 3, negated=True)
    plan, denial = ids(life)
    assert erase(life, denial) == [plan]
    assert life.timeline() == [(200, {"Porto"})]


def test_of_the_other_polarity(life: Life) -> None:
    life.states("tea", 1, relation="like")
    life.states("tea", 5, relation="dislike")
    assert erase(life, ids(life, "dislike")[0]) == ids(life, "like")
    assert life.now("like") == {"tea"}


def test_a_shorter_value_behind_a_more_exact_one(life: Life) -> None:
    life.states("Lisbon, Portugal", 1)
    life.states("Lisbon", 5)
    exact, short = ids(life)
    assert erase(life, exact) == [short]
    assert life.timeline() == [(5, {"Lisbon"})]


def test_what_is_weaker_than_what_it_closed(life: Life) -> None:
    life.states("Lisbon", 1)
    life.states("Porto", 5, by="assistant")
    life.states("Porto", 9)
    lisbon, porto = ids(life)
    assert life.conflicts() == []
    assert weaken(life, porto, Authority.ATTESTED) == [lisbon]
    assert life.now() == {"Lisbon", "Porto"}
    assert [set(conflict.members) for conflict in life.conflicts()] == [{lisbon, porto}]


def test_what_is_weaker_is_closed_by_what_it_kept_open(life: Life) -> None:
    life.states("Porto", 5)
    life.states("Porto", 6, by="assistant")
    life.states("Lisbon", 3, by="assistant", claimant="Ben")
    (porto, lisbon) = ids(life)
    assert life.timeline() == [(3, {"Lisbon"}), (5, {"Porto"})]
    assert weaken(life, porto, Authority.ATTESTED) == [lisbon]
    assert life.now() == {"Lisbon", "Porto"}


def test_an_update_of_a_text_without_a_relation(life: Life) -> None:
    """A person's act closes what no rule would: the version before is found by its memory."""
    (version,) = life.states("the cellar is damp", 1, relation=None).added

    def updated(view: Any) -> Sequence[Change]:
        book = Book(view)
        (held,) = book.items([version])
        text = "the cellar is dry"
        row = held.row._replace(
            version=book.next_version(held.row.memory_id), text=text, valid_start=view.now,
            terms=stored_terms(text), match_key=match_key(text),
        )  # fmt: skip
        new = book.add(row, held.authority, held.supports[0].parts)
        book.close(held, view.now, new.id)
        book.label(held, Reason.SUPERSEDED, status=MemoryStatus.SUPERSEDED)
        return book.changes

    life.store.commit(life.space_id, updated)
    life.verified()
    found: list[str] = []

    def erased(view: Any) -> Sequence[Change]:
        book = Book(view)
        found.extend(reopen_after(book, [f"{version[:-1]}2"]))
        return [*book.changes, Erased(targets=(f"{version[:-1]}2",))]

    life.store.commit(life.space_id, erased)
    assert found == [version]
    life.verified()


def test_what_rests_on_something_weakened_is_weakened(life: Life) -> None:
    (porto,) = life.states("Porto", 5, by="assistant").added
    life.states("Porto", 9)
    (summary,) = life.states("moved to Porto", 10, relation=None).added

    def rests(view: Any) -> Sequence[Change]:
        book = Book(view)
        parent, child = book.items([porto, summary])
        book.support(child, parent.authority, (Part(porto),))
        book.unsupport(child, 1)
        book.settle(child)
        return book.changes

    life.store.commit(life.space_id, rests)
    assert life.status(summary) == ("active", "authorized")
    weaken(life, porto, Authority.ATTESTED)
    assert life.status(summary) == ("active", "attested")
    assert [(s.number, s.authority, s.removed) for s in life.supports(summary)] == [
        (1, "authorized", "revoked"),
        (2, "authorized", "weakened"),
        (3, "attested", None),
    ]
