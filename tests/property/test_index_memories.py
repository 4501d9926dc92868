"""Memories among the rows of a space index: they change nothing for episodes, and labels are set in place."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.index.space_index import Query, SpaceIndex
from affidavit.text.lexicon.terms import terms

WORDS = st.sampled_from(
    [
        "red",
        "blue",
        "kite",
        "boat",
        "sail",
        "the",
        "is",
        "Ana",
        "Ben",
        "20.04",
        "上海",
        "casa?",
        "how",
        "user",
        "haus",
    ]
)
SENTENCES = st.lists(WORDS, max_size=8).map(" ".join)
EPISODE = st.tuples(
    SENTENCES,
    st.sampled_from([None, "s", "t"]),
    st.sampled_from([None, "Ana", "Ben"]),
    st.sampled_from(["user", "assistant"]),
)
MEMORY = st.tuples(
    SENTENCES, st.none(), st.sampled_from([None, "Ana", "Ben", "kite"]), st.sampled_from(["fact", "event"])
)
DAY = 86_400_000_000


def row(seq, text, session, who, role):
    # A memory may tell of a time far ahead.
    at = 10**17 if role == "event" else seq * DAY
    return (
        seq,
        f"id_{seq}",
        session,
        who,
        role,
        "attested",
        "active",
        at,
        at + 1,
        seq,
        terms(text).to_bytes(),
    )


def index_of(rows):
    index = SpaceIndex()
    index.extend(rows)
    return index


@settings(suppress_health_check=[HealthCheck.too_slow])  # the first draw loads the stemmers
@given(drawn=st.lists(st.one_of(EPISODE, MEMORY), max_size=24), question=SENTENCES, limit=st.integers(1, 25))
def test_memories_change_nothing_for_episodes(drawn, question, limit):
    rows = [row(n, *one) for n, one in enumerate(drawn)]
    alone = [each for each in rows if each[4] in {"user", "assistant"}]
    both, single = index_of(rows), index_of(alone)
    query = Query(text=question, now=40 * DAY)
    assert both.memories == len(rows) - len(alone)
    assert both.search(query, None, limit, wanted=both.episodes) == single.search(query, None, limit)


@given(drawn=st.lists(st.one_of(EPISODE, MEMORY), min_size=1, max_size=24), question=SENTENCES)
def test_leaving_memories_out_before_scoring_or_after_is_the_same(drawn, question):
    index = index_of([row(n, *one) for n, one in enumerate(drawn)])
    query = Query(text=question, now=40 * DAY)
    after = index.search(query, None, 25, wanted=index.episodes)
    assert index.search(query, index.episodes, 25) == after
    assert {one.seq for one in after} <= {n for n, one in enumerate(drawn) if one[3] in {"user", "assistant"}}


@given(drawn=st.lists(st.one_of(EPISODE, MEMORY), min_size=1, max_size=12), place=st.integers(0, 11))
def test_a_label_is_set_in_place(drawn, place):
    place %= len(drawn)
    index = index_of([row(n, *one) for n, one in enumerate(drawn)])
    index.relabel(place, "unendorsed", "retracted")
    for name, new, old in (("authority", "unendorsed", "attested"), ("status", "retracted", "active")):
        column = index.column(name)
        values = [column.values[code] for code in column.codes]
        assert values == [new if n == place else old for n in range(len(drawn))]
