"""Whatever a model chooses: nothing is lost that is not replaced, nothing low ends what is higher, nothing rises."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit import Config, Memory
from affidavit.core.access import Caller
from affidavit.core.authority import Authority
from affidavit.core.candidates import Admitted
from affidavit.core.choices import MOST_OPERATIONS, Asked, Choices, Op, Operation, choices
from affidavit.core.memories import ItemRow, Kind, MemoryStatus
from affidavit.core.outcome import Outcome
from affidavit.core.reconcile import reconcile
from affidavit.core.when import rfc3339
from affidavit.store.protocol import View
from affidavit.text.evidence.bearings import Bearing, bearing
from tests.support_lives import AUTHORITIES, Life, on
from tests.support_memories import admitted

USERS = count()
REPLACING = {Bearing.CONTRARY, Bearing.INSTEAD, Bearing.MORE}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    base = tmp_path_factory.mktemp("choices")
    config = Config.load(environ={}, home=base, db=str(base / "m.db"), key_dir=base / "keys", embedder="none")
    with Memory(config=config) as memory:
        yield memory
        assert memory.verify().problems == (), "what the entries say is what the rows hold"


def life_of(memory: Memory) -> Life:
    """Another user's."""
    life = Life(memory)
    name = f"user {next(USERS)}"
    life.ids["user_id"], life.caller = name, Caller.of(user_id=name)
    return life


class Said(NamedTuple):
    """A statement with the day it was said on and by whom."""

    text: str
    day: int
    by: str
    claimant: str | None
    subject: str
    kind: Kind
    relation: str | None


TEXTS = st.sampled_from(
    [
        "The user loves Chinese food.",
        "User loves the Chinese food",
        "The user hates Chinese food.",
        "The user does not like Chinese food.",
        "The user hates Chinese food on Mondays.",
        "The user loves Chinese food, above all noodles.",
        "Atlas uses MySQL.",
        "Atlas no longer uses MySQL.",
        "Atlas uses Postgres instead of MySQL.",
        "Atlas uses Postgres.",
        "The user is allergic to peanuts.",
        "The user is not allergic to peanuts.",
        "The user owes Ben 400 euros.",
        "The user does not owe Ben 500 euros.",
    ]
)
VOICES = st.sampled_from(
    [("user", None), ("user", None), ("assistant", None), ("tool", "Cleo"), ("tool", "Ben")]
)


@st.composite
def said(draw: st.DrawFn) -> Said:
    by, claimant = draw(VOICES)
    kind = draw(st.sampled_from([Kind.FACT, Kind.FACT, Kind.PREFERENCE, Kind.EVENT, Kind.INSTRUCTION]))
    subject = draw(st.sampled_from(["user", "user", "user", "Ben"]))
    relation = draw(st.sampled_from([None, None, None, "like"]))
    return Said(draw(TEXTS), draw(st.integers(1, 4)), by, claimant, subject, kind, relation)


def statement(life: Life, one: Said) -> Admitted:
    message = {"role": one.by, "content": one.text}
    return admitted(
        life.say(message, occurred_at=rfc3339(on(one.day))),
        text=one.text,
        kind=one.kind,
        subject=one.subject,
        relation=one.relation,
        object=one.text if one.relation else None,
        claimant=one.claimant,
        authority=AUTHORITIES[one.by],
    )


ALIASES = st.sampled_from(["c1", "c2", "c3", "c9", "", "m1", "12"])
MEMORIES = st.sampled_from(["m1", "m2", "m3", "m4", "m9", "", "c1"])
OPS = st.sampled_from([*Op, *Op, *Op, "ERASE", "update", ""])
OPERATIONS = st.lists(st.builds(Operation, OPS, ALIASES, MEMORIES), max_size=14)


def chosen_in(life: Life, new: list[Admitted], picked: Choices) -> Outcome:
    outcomes: list[Outcome] = []

    def prepared(view: View) -> Any:
        outcomes.append(reconcile(new, view, life.relations, choices=picked))
        return outcomes[-1].changes

    life.store.commit(life.space_id, prepared)
    return outcomes[-1]


def asked_of(life: Life, new: list[Admitted]) -> Asked:
    statements = {f"c{n}": one for n, one in enumerate(new, 1)}
    versions = {f"m{n}": row.id for n, row in enumerate(life.items(), 1)}
    return Asked(statements, versions, {alias: set(versions) for alias in statements})


def replaced(one: ItemRow, by: ItemRow) -> bool:
    """Whether what closed a version may have closed it."""
    speakers = {row.claimant or row.actor for row in (one, by)}
    mine, its = Authority(by.authority), Authority(one.authority)
    may = mine > its or (mine == its and (mine is Authority.AUTHORIZED or len(speakers) == 1))
    return may and by.memory_id == one.memory_id and by.subject == one.subject


def check(before: Mapping[str, ItemRow], life: Life, new: list[Admitted]) -> None:
    after = {row.id: row for row in life.items()}
    held = {
        row.id: {part.source for s in life.supports(row.id) for part in s.parts} for row in after.values()
    }
    for id_, row in before.items():
        now = after[id_]
        said_again = any(one.text == row.text for one in new)
        assert now.authority == row.authority or said_again, "only its own words raise it"
        assert (now.text, now.subject, now.claimant, now.valid_start) == (
            row.text, row.subject, row.claimant, row.valid_start,
        )  # fmt: skip
        if now.status != row.status or now.closed_by != row.closed_by:
            assert now.closed_by is not None
            by = after[now.closed_by]
            assert replaced(now, by)
            structural = row.relation is not None and by.relation is not None
            assert structural or bearing(by.text, row.text) in REPLACING
    for one in new:
        sources = {part.source for part in one.parts}
        homes = [after[id_] for id_, quoted in held.items() if sources <= quoted]
        assert homes, "every statement is somewhere"
        for home in homes:
            assert home.text == one.text or bearing(one.text, home.text) is Bearing.SAME
            if home.text != one.text:
                assert home.subject == one.candidate.subject
                assert home.authority >= one.authority
                assert home.claimant == one.claimant
            if home.id not in before and home.status == MemoryStatus.ACTIVE:
                assert home.authority == one.authority or home.text == one.text


@settings(max_examples=120, deadline=None)
@given(
    old=st.lists(said(), min_size=1, max_size=4),
    fresh=st.lists(said(), min_size=1, max_size=3),
    operations=OPERATIONS,
    data=st.data(),
)
def test_whatever_is_chosen(
    opened: Memory, old: list[Said], fresh: list[Said], operations: list[Operation], data: st.DataObject
) -> None:
    shapes = []
    again = data.draw(st.permutations([*operations, *operations[:3]]))
    for some in (operations, again):
        life = life_of(opened)
        for one in old:
            life.take(statement(life, one))
        before = {row.id: row for row in life.items()}
        new = [statement(life, one) for one in fresh]
        outcome = chosen_in(life, new, choices(some, asked_of(life, new)))
        check(before, life, new)
        rows = life.items()
        place = {row.memory_id: n for n, row in enumerate(rows)}
        shapes.append(
            (
                [
                    (place[r.memory_id], r.version, r.text, r.status, r.ends, len(life.supports(r.id)))
                    for r in rows
                ],
                sorted(
                    tuple(sorted(place[m.partition("@")[0]] for m in c.members)) for c in life.conflicts()
                ),
                [(one.op, one.code, one.text) for one in outcome.overruled],
            )
        )
    assert shapes[0] == shapes[1], "order and repetition make no difference"


@settings(max_examples=60, deadline=None)
@given(
    old=st.lists(said(), max_size=3), fresh=st.lists(said(), min_size=1, max_size=3), operations=OPERATIONS
)
def test_where_every_choice_is_refused_all_is_as_without_a_model(
    opened: Memory, old: list[Said], fresh: list[Said], operations: list[Operation]
) -> None:
    shapes = []
    for asked in (False, True):
        life = life_of(opened)
        for one in old:
            life.take(statement(life, one))
        new = [statement(life, one) for one in fresh]
        picked = choices([one._replace(memory="m77") for one in operations], asked_of(life, new))
        assert not picked.made
        chosen_in(life, new, picked if asked else Choices())
        shapes.append([(r.version, r.text, r.status, r.ends, len(life.supports(r.id))) for r in life.items()])
    assert shapes[0] == shapes[1]


def test_thousands_of_operations_are_bounded(opened: Memory) -> None:
    life = life_of(opened)
    life.take(statement(life, Said("Atlas uses MySQL.", 1, "user", None, "user", Kind.FACT, None)))
    new = [statement(life, Said("Atlas uses Postgres.", 2, "user", None, "user", Kind.FACT, None))]
    many = [Operation("DELETE", "c1", f"m{n}") for n in range(50_000)]
    picked = choices(many, asked_of(life, new))
    assert "too_many" in {one.code for one in picked.refused}
    assert len(picked.refused) <= MOST_OPERATIONS
    outcome = chosen_in(life, new, picked)
    assert len(outcome.added) == 1
    assert outcome.retracted == []
