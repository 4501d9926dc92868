"""Search: batches don't matter, masks hold, any text is a question, and BM25 is what it says."""

import math
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from affidavit.index.ranking import Ranking
from affidavit.index.space_index import Query, SpaceIndex
from affidavit.text.lexicon.terms import Terms, query_terms, terms

WORDS = st.sampled_from(
    ["red", "blue", "kite", "boat", "sail", "the", "a", "is", "Ana", "Ben", "20.04", "上海", "casa?", "how"]
)
SENTENCES = st.lists(WORDS, max_size=8).map(" ".join)
ROWS = st.lists(
    st.tuples(
        SENTENCES,
        st.sampled_from([None, "s", "t"]),
        st.sampled_from([None, "Ana", "Ben"]),
        st.sampled_from(["user", "assistant"]),
    ),
    max_size=20,
)
PIECES = st.sampled_from(
    ["AND", "OR", "NOT", "(", ")", '"', "*", "-", "NEAR", ":", "^", "'", "\x00", "上", "😀", "a"]
)
ANY_TEXT = st.text(max_size=200) | st.lists(PIECES, max_size=20).map("".join)


def rows_of(drawn):
    return [
        (2 * i + 1, f"ep_{i}", session, who, role, "attested", "active", i, i + 1, i, terms(text).to_bytes())
        for i, (text, session, who, role) in enumerate(drawn)
    ]


def vectors_of(n):
    matrix = np.random.default_rng(5).standard_normal((n, 8)).astype(np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True) if n else matrix


def build(rows, cuts=(), vectors=None):
    index = SpaceIndex()
    edges = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    for start, end in pairwise(edges):
        index.extend(rows[start:end])
        if vectors is not None:
            index.set_vectors(index.seqs[start:end].copy(), vectors[start:end])
    return index


@given(drawn=ROWS, cuts=st.lists(st.integers(0, 20), max_size=20), question=SENTENCES)
def test_how_rows_were_batched_changes_nothing(drawn, cuts, question):
    rows, vectors = rows_of(drawn), vectors_of(len(drawn))
    query = Query(text=question, vector=vectors_of(1)[0], now=10**12)
    whole = build(rows, (), vectors).search(query, None, 10)
    assert build(rows, cuts, vectors).search(query, None, 10) == whole
    assert build(rows, range(len(rows)), vectors).search(query, None, 10) == whole


@given(drawn=ROWS, question=SENTENCES, bits=st.integers(0, 2**20 - 1), limit=st.integers(1, 25))
def test_a_mask_and_a_limit_hold_and_the_order_is_by_score_then_seq(drawn, question, bits, limit):
    mask = np.array([bool(bits >> i & 1) for i in range(len(drawn))], np.bool_)
    hits = build(rows_of(drawn)).search(Query(text=question), mask, limit)
    allowed = {2 * i + 1 for i in np.flatnonzero(mask).tolist()}
    assert {hit.seq for hit in hits} <= allowed
    assert len({hit.seq for hit in hits}) == len(hits) <= limit
    assert [(-hit.score, hit.seq) for hit in hits] == sorted((-hit.score, hit.seq) for hit in hits)
    for hit in hits:
        assert math.isclose(hit.score, sum(hit.parts.values()), abs_tol=1e-9)


@given(drawn=ROWS, question=SENTENCES, bits=st.integers(0, 2**20 - 1))
def test_what_a_masked_row_says_in_known_words_changes_no_other_row(drawn, question, bits):
    """The words of masked rows are permuted: counts of the space stay, and so does every result."""
    mask = np.array([bool(bits >> i & 1) for i in range(len(drawn))], np.bool_)
    hidden = [i for i in range(len(drawn)) if not mask[i]]
    moved = list(drawn)
    for i, j in zip(hidden, hidden[1:] + hidden[:1], strict=True):
        moved[i] = (drawn[j][0], *drawn[i][1:])
    query = Query(text=question, now=10**12)
    before = build(rows_of(drawn)).search(query, mask, 20)
    assert build(rows_of(moved)).search(query, mask, 20) == before


@given(text=ANY_TEXT)
def test_any_text_can_be_asked_and_stored(text):
    stored = terms(text)
    assert Terms.from_bytes(stored.to_bytes()) == stored
    index = build(rows_of([("red kite", "s", "Ana", "user"), ("blue boat", "s", "Ben", "assistant")]))
    index.search(Query(text=text, vector=None, now=5), None, 10)


@given(text=ANY_TEXT.filter(query_terms))
def test_a_text_finds_itself(text):
    index = build(rows_of([(text, None, None, "user"), ("qqq", None, None, "user")]))
    assert [hit.seq for hit in index.search(Query(text=text), None, 1)] == [1]


@given(drawn=st.lists(SENTENCES, min_size=1, max_size=10), question=SENTENCES)
def test_words_alone_are_bm25_by_the_book(drawn, question):
    ranking = Ranking(before=0.0, lend_after=0.0, lend_before=0.0, asking=0.0, speaker=0.0, recency=0.0)
    index = SpaceIndex(ranking)
    index.extend(rows_of([(text, None, None, "user") for text in drawn]))
    stored = [terms(text) for text in drawn]
    mean = sum(each.length for each in stored) / len(stored) or 1.0
    asked = query_terms(question)
    stops = 1.0 if all(term.stop for term in asked) else ranking.stop
    weights, scores = 0.0, [0.0] * len(drawn)
    for term in asked:
        counts = [dict(zip(each.ids, each.counts, strict=True)).get(term.id, 0) for each in stored]
        holders = sum(count > 0 for count in counts)
        rarity = math.log(1 + (len(drawn) - holders + 0.5) / (holders + 0.5)) ** ranking.rarity
        weight = term.weight * (stops if term.stop else 1.0) * rarity
        weights += weight
        for i, count in enumerate(counts):
            relative = (stored[i].length + ranking.pad) / (mean + ranking.pad)
            norm = ranking.k1 * (1 - ranking.b + ranking.b * relative)
            scores[i] += weight * count / (count + norm)
    expected = {2 * i + 1: score / weights for i, score in enumerate(scores) if score > 0}
    got = {hit.seq: hit.score for hit in index.search(Query(text=question), None, 20)}
    assert got.keys() == expected.keys()
    for seq, score in expected.items():
        assert math.isclose(got[seq], score, rel_tol=1e-5)
