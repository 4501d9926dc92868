"""Whatever is said, in whatever order: one value at a time, no overlap, nothing lost, and the log tells it all."""

from collections.abc import Iterator, Sequence
from itertools import count, permutations
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit import Config, Memory
from affidavit.core.access import Caller
from affidavit.core.book import Book
from affidavit.core.candidates import Admitted
from affidavit.core.chains import Chain, chain_of, may_touch, never_held, reopen_after, settle
from affidavit.core.changes import Change, Erased
from affidavit.core.memories import ItemRow, MemoryStatus
from affidavit.text.lang.relations import RELATIONS, family
from tests.support_lives import HELD, Life, on

USERS = count()


class Clock:
    """Day 151, and a microsecond later at every look."""

    us = on(151)

    def now(self) -> int:
        self.us += 1
        return self.us


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    base = tmp_path_factory.mktemp("lives")
    config = Config.load(environ={}, home=base, db=str(base / "m.db"), key_dir=base / "keys", embedder="none")
    with Memory(config=config, clock=Clock()) as memory:
        yield memory
        assert memory.verify().problems == ()
        assert memory.verify().level == 2


def life_of(memory: Memory) -> Life:
    """Another user's."""
    life = Life(memory)
    name = f"user {next(USERS)}"
    life.ids["user_id"], life.caller = name, Caller.of(user_id=name)
    return life


class Told(NamedTuple):
    """A statement, as `Life.statement` takes it."""

    value: str
    said: int
    more: dict[str, Any]


VALUES = st.sampled_from(["Lisbon", "Porto", "Faro", "Lisbon, Portugal"])
DAYS = st.integers(1, 12)
SPEAKERS: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {},
        {},
        {"by": "assistant"},
        {"by": "assistant", "claimant": "Ben"},
        {"by": "tool", "claimant": "Cleo"},
        {"by": "tool", "claimant": "Ben"},
    ]
)
SHAPES: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {},
        {},
        {},
        {"negated": True},
        {"ended": True},
        {"negated": True, "ended": True},
        {"correction": True},
        {"tense": "future"},
        {"status": MemoryStatus.QUARANTINED},
    ]
)


@st.composite
def told(draw: st.DrawFn) -> Told:
    said = draw(DAYS)
    more: dict[str, Any] = {**draw(SPEAKERS), **draw(SHAPES)}
    kind = draw(st.sampled_from(["undated", "undated", "since", "past", "future"]))
    if kind == "since":
        more["since"] = draw(st.integers(1, said))
    elif kind == "past":
        more |= {"since": draw(st.integers(1, said)), "tense": "past"}
    elif kind == "future":
        more |= {"since": draw(st.sampled_from([said + 1, said + 3, 200])), "tense": "future"}
    more["relation"] = draw(st.sampled_from(["home", "home", "home", "like", "dislike", "pet", None]))
    return Told(draw(VALUES), said, more)


def statements(life: Life, some: Sequence[Told]) -> list[Admitted]:
    return [life.statement(one.value, one.said, **one.more) for one in some]


def overlap(one: ItemRow, other: ItemRow) -> bool:
    starts = [row.valid_start for row in (one, other)]
    if None in starts:
        return False
    latest = max(start for start in starts if start is not None)
    return all(row.ends is None or row.ends > latest for row in (one, other))


def check(life: Life) -> None:
    """What must be so at any time."""
    rows = life.items()
    contested = {frozenset(conflict.members) for conflict in life.conflicts()}
    believed = [row for row in rows if row.status in HELD and not never_held(row)]
    for one, other in permutations(believed, 2):
        chain = Chain(RELATIONS.get(family(one.relation or "", RELATIONS)[0]), [])
        same = one.relation is not None and family(one.relation, RELATIONS) == family(
            other.relation or "", RELATIONS
        )
        if same and chain.displaces(one, other) and overlap(one, other):
            started = (one.valid_start or 0, rows.index(one)) > (other.valid_start or 0, rows.index(other))
            assert not (started and may_touch(one, other)), "what it could end still holds"
            if one.status == other.status == MemoryStatus.ACTIVE and chain.disagrees(one, other):
                assert frozenset((one.id, other.id)) in contested
    for memory_id in {row.memory_id for row in rows}:
        numbers = [row.version for row in rows if row.memory_id == memory_id]
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
    known = {row.id: row for row in rows}
    for row in rows:
        if row.closed_end is not None:
            assert row.closed_by in known
        ended = row.closed_end is not None and (
            row.closed_end <= on(151) or row.closed_end <= (row.valid_start or 0)
        )
        if row.valid_start is not None and row.status != MemoryStatus.QUARANTINED:
            assert row.status == (MemoryStatus.SUPERSEDED if ended else MemoryStatus.ACTIVE)
        supports = life.supports(row.id)
        assert row.authority == max(support.authority for support in supports)
    for conflict in life.conflicts():
        active = [known[member].status == MemoryStatus.ACTIVE for member in conflict.members]
        assert all(active) or any(known[member].valid_start is None for member in conflict.members)


def sources(life: Life) -> set[str]:
    return {source for row in life.items() for s in life.supports(row.id) for source in s.sources}


@settings(max_examples=60, deadline=None)
@given(some=st.lists(told(), min_size=1, max_size=9), cut=st.integers(0, 9))
def test_whatever_is_said(opened: Memory, some: list[Told], cut: int) -> None:
    life = life_of(opened)
    admitted = statements(life, some)
    for part in (admitted[:cut], admitted[cut:]):
        if part:
            life.take(*part)
            check(life)
    assert {part.source for one in admitted for part in one.parts} <= sources(life), "nothing is lost"
    assert again(life) == (), "it is at rest: to settle it once more changes nothing"


def again(life: Life) -> tuple[Change, ...]:
    """What settling every chain would change."""

    def prepared(view: Any) -> Sequence[Change]:
        book = Book(view)
        for row in life.items():
            settle(book, chain_of(book, row))
        return book.changes

    return life.store.preview(life.space_id, prepared)


@settings(max_examples=30, deadline=None)
@given(some=st.lists(told(), min_size=1, max_size=7))
def test_a_batch_is_as_one_by_one(opened: Memory, some: list[Told]) -> None:
    shapes: list[list[Any]] = []
    for one_by_one in (True, False):
        life = life_of(opened)
        admitted = statements(life, some)
        for part in [[one] for one in admitted] if one_by_one else [admitted]:
            life.take(*part)
        rows = life.items()
        place = {row.memory_id: n for n, row in enumerate(rows)}
        shapes.append(
            [
                (
                    place[r.memory_id],
                    r.object,
                    r.status,
                    r.valid_start,
                    r.ends,
                    life.supports(r.id)[-1].authority,
                )
                for r in rows
            ]
        )
        shapes.append(
            sorted(tuple(sorted(place[m.partition("@")[0]] for m in c.members)) for c in life.conflicts())
        )
    assert shapes[:2] == shapes[2:]


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_plain_statements_tell_the_same_in_any_order(opened: Memory, data: st.DataObject) -> None:
    """The value at any time is the last one said by then."""
    days = data.draw(st.lists(DAYS, min_size=1, max_size=7, unique=True))
    said = {day: data.draw(st.sampled_from(["Lisbon", "Porto", "Faro"])) for day in days}
    expected: list[tuple[float, set[str]]] = []
    for day in sorted(said):
        if not expected or expected[-1][1] != {said[day]}:
            expected.append((day, {said[day]}))
    life = life_of(opened)
    for day in days:
        life.states(said[day], day)
    assert life.timeline() == expected
    assert life.now() == expected[-1][1]
    assert len(life.rows()) <= len(days)


@settings(max_examples=40, deadline=None)
@given(some=st.lists(told(), min_size=2, max_size=8), data=st.data())
def test_what_is_gone_leaves_no_mark(opened: Memory, some: list[Told], data: st.DataObject) -> None:
    """After an erasure everything holds that the others would make hold."""
    life = life_of(opened)
    life.take(*statements(life, some))
    ids = [row.id for row in life.items()]
    gone = tuple(data.draw(st.lists(st.sampled_from(ids), min_size=1, unique=True)))

    def erased(view: Any) -> Sequence[Change]:
        book = Book(view)
        reopen_after(book, gone)
        lost = [
            conflict.id
            for conflict in view.conflicts(view.space_id, open_only=False)
            if not set(gone).isdisjoint(conflict.members)
        ]
        return [*book.changes, Erased(targets=(*gone, *lost))]

    life.store.commit(life.space_id, erased)
    left = life.items()
    assert {row.id for row in left} == set(ids) - set(gone)
    assert not any(row.closed_by in gone for row in left)
    assert again(life) == ()


@settings(max_examples=40, deadline=None)
@given(
    days=st.permutations(range(1, 7)),
    gone=st.sets(st.integers(1, 6), min_size=1, max_size=5),
)
def test_erased_is_as_if_never_said(opened: Memory, days: list[int], gone: set[int]) -> None:
    life = life_of(opened)
    for day in days:
        life.states(f"home {day}", day)
    targets = tuple(row.id for row in life.rows() if int((row.object or "").split()[1]) in gone)

    def erased(view: Any) -> Sequence[Change]:
        book = Book(view)
        reopen_after(book, targets)
        return [*book.changes, Erased(targets=targets)]

    life.store.commit(life.space_id, erased)
    assert life.timeline() == [(day, {f"home {day}"}) for day in range(1, 7) if day not in gone]
