"""Where a value stands: what the store hands over to be looked at leaves out nothing that a look at all would find."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing

from hypothesis import example, given
from hypothesis import strategies as st

from affidavit.answer.tracing import Place, find_places
from affidavit.store.migrations import migrations
from affidavit.store.sql.reads import SqlReads
from affidavit.text.questions.sought import fold, holds, seek

SPACE = "sp_1"
AMOUNTS = st.sampled_from(
    ["50", "5e1", "0.5e2", "50.00", "1.234,50", "1234.5", "1'000'000", "1e6", "0", "0e5", "-50"]
)
VALUES = st.sampled_from(
    ["Ben", "Ben Okafor", "São Paulo", "Strasse", "straße", "bob@x.org", "DE89 3704-0044", "+44 (20) 7946 0958",
     "12345678", "https://x.org/Pay", "x.org", "50%", "a_b", 'say "hi"', "c:\\dir", "张三", "K9", "ﬁn", "İstanbul",
     "x\u2028y", "ana\x00b", "50 EUR", "€50", "tab\tbed", "a,b;c"]
)  # fmt: skip
GLUE = st.sampled_from(
    ["", " ", "  ", "\n", ", ", ".", "-", "(", "x", "é", "to ", " please", "\x00", "\\", '"', "%", "_"]
)
CASES: st.SearchStrategy[Callable[[str], str]] = st.sampled_from([str, str.upper, str.lower, str.title])
WORDS = st.tuples(GLUE, VALUES | AMOUNTS, GLUE, CASES).map(lambda one: one[3](one[0] + one[1] + one[2]))
TEXTS = st.lists(WORDS | st.text(max_size=6), max_size=3).map("".join)
ROWS = st.lists(
    st.tuples(TEXTS, TEXTS | st.none(), st.lists(TEXTS, max_size=2), TEXTS | st.none()),
    min_size=1,
    max_size=6,
)
SOUGHT = st.tuples(VALUES | AMOUNTS | TEXTS, st.booleans())


def looked_at_one_by_one(rows, sought):
    """The plain reference: every text, value and quote is looked at for every value."""
    found: dict[str, set[Place]] = {name: set() for name in sought}
    for number, (text, value, slots, quote) in enumerate(rows):
        texts = [fold(one) for one in (text, quote) if one is not None]
        values = [fold(one) for one in (value, *slots) if one is not None]
        for name, one in sought.items():
            if any(map(one.stands_in, texts)) or any(map(one.is_value, values)):
                found[name].add(Place(SPACE, f"mem_{number}@1"))
    return found


def filled(rows):
    conn = sqlite3.connect(":memory:")
    for step in migrations():
        conn.executescript(step.sql)
    for number, (text, value, slots, quote) in enumerate(rows):
        given_slots = [["object", slot, "ep_1", "attested"] for slot in slots]
        conn.execute(
            "INSERT INTO item (space_id, seq, memory_id, version, kind, authority, status, recorded_at, terms, subject,"
            " object, certainty, negated, time_basis, policy, extractor, slots, metadata, actor, match_key, text)"
            " VALUES (?, ?, ?, 1, 'fact', 'attested', 'active', 0, x'', 'user', ?, 'asserted', 0, 'stated', '', '', ?,"
            " '{}', '', 0, ?)",
            (SPACE, number, f"mem_{number}", value,
             json.dumps(given_slots, ensure_ascii=False, sort_keys=True, separators=(",", ":")), text),
        )  # fmt: skip
        keys = (SPACE, f"mem_{number}", 1, 1)
        conn.execute("INSERT INTO support VALUES (?, ?, ?, ?, ?, 'attested', NULL)", (*keys, number))
        conn.execute("INSERT INTO support_part VALUES (?, ?, ?, ?, 0, 'ep_1', 0, 1, ?)", (*keys, quote))
    return conn


@given(rows=ROWS, values=st.lists(SOUGHT, min_size=1, max_size=3))
@example(rows=[("x", "5e2", [], None)], values=[("500", True)])
@example(rows=[("to de89-3704 0044!", None, [], None)], values=[("DE8937040044", False)])
@example(rows=[("x", None, ['say "hi"'], None)], values=[('say "hi"', False)])
@example(rows=[("pay b%n", None, [], "50% off")], values=[("b%n", False), ("50%", False)])
@example(rows=[("ＢＥＮ", None, [], None)], values=[("Ben", False)])
@example(rows=[("a" * 500, None, [], "b" * 600)], values=[("a" * 500, False), ("b" * 600, False)])
@example(rows=[("1" * 80, None, [], None)], values=[("1" * 80, False)])
def test_what_may_hold_a_value_is_looked_at(rows, values):
    sought = {f"{value!r} {money}": seek(value, money=money) for value, money in values}
    with closing(filled(rows)) as conn:
        assert find_places(SqlReads(conn), SPACE, sought) == looked_at_one_by_one(rows, sought)
        later = find_places(SqlReads(conn), SPACE, sought, after=0)
    first = Place(SPACE, "mem_0@1")
    assert later == {name: places - {first} for name, places in looked_at_one_by_one(rows, sought).items()}


@given(value=SOUGHT, text=TEXTS)
def test_what_holds_a_value_holds_its_pieces(value, text):
    sought, looked = seek(value[0], money=value[1]), fold(text)
    if sought.stands_in(looked) or sought.is_value(looked):
        assert any(holds(looked.folded, pieces) for pieces in sought.pieces)


def test_only_what_may_hold_it_is_read():
    texts = {n: f"the user likes thing {n}" for n in range(1_000)}
    with closing(filled([(text, text[15:], [], text) for text in texts.values()])) as conn:
        read = list(SqlReads(conn).wordings(SPACE, seek("thing 77").pieces))
    assert {one.version for one in read} == {f"mem_{n}@1" for n in texts if "77" in str(n)}


def test_half_a_character_stands_nowhere():
    with closing(filled([("Bo", "Bo", [], "Bé")])) as conn:
        assert find_places(SqlReads(conn), SPACE, {"it": seek("Bo\ud800")}) == {"it": set()}
