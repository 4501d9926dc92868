"""The space index: what is found, in what order, and what a mask keeps out."""

import numpy as np
import pytest

from affidavit.errors import EmbedderMismatchError, StoreUnreadableError
from affidavit.index import vectors as vectors_module
from affidavit.index.columns import NO_TIME, Coded
from affidavit.index.ranking import PARTS, Ranking, top
from affidavit.index.space_index import Query, SpaceIndex, dense_text
from affidavit.text.lexicon.terms import terms

DAY = 86_400_000_000


def row(seq, text, *, session=None, speaker=None, role="user", at=None, recorded=None):
    end = None if at is None else at + 1
    recorded = seq if recorded is None else recorded
    stored = terms(text).to_bytes()
    return (seq, f"ep_{seq}", session, speaker, role, "authorized", "active", at, end, recorded, stored)


def index_of(*rows, ranking=None):
    index = SpaceIndex(ranking)
    index.extend(rows)
    return index


def found(index, text, mask=None, limit=10, **query):
    return [hit.seq for hit in index.search(Query(text=text, **query), mask, limit)]


def test_an_empty_space_finds_nothing():
    index = SpaceIndex()
    assert index.size == 0
    assert index.search(Query(text="anything"), None, 10) == []
    assert index.search(Query(text="anything", vector=np.ones(3, np.float32)), None, 10) == []


def test_the_row_with_the_rarest_words_comes_first():
    index = index_of(
        row(1, "We had dinner at the harbour"),
        row(2, "We had dinner with the harbour master's daughter Ines"),
        row(3, "We had dinner"),
    )
    assert found(index, "dinner with Ines at the harbour")[0] == 2


def test_words_that_nobody_said_find_nothing():
    index = index_of(row(1, "We had dinner at the harbour"))
    assert found(index, "zeppelin") == []
    assert found(index, "") == []


def test_a_question_of_grammar_alone_is_plain_words():
    index = index_of(row(1, "To be or not to be"), row(2, "Dinner"))
    assert found(index, "to be or not") == [1]


@pytest.mark.parametrize(
    "text",
    [
        "pre-edit",
        '"pre-edit"',
        "pre-edit*",
        "(pre-edit",
        "pre-edit)",
        "pre-edit AND",
        "+pre-edit",
        "pre-edit^2",
    ],
)
def test_operators_are_plain_words(text):
    index = index_of(row(1, "the pre-edit hook failed"), row(2, "the hook failed"), row(3, "we edit a lot"))
    assert found(index, text)[:1] == found(index, "pre-edit")[:1] == [1]


@pytest.mark.parametrize("text", ["GB/s", "20.04", "don't", "snake_case_name", "camelCaseName", "A-1001"])
def test_what_is_joined_is_found_whole_before_in_parts(text):
    index = index_of(row(1, f"it says {text} here"), row(2, "gb s 20 04 do snake case camel name 1001 a"))
    assert found(index, text)[0] == 1


def test_among_equals_the_earlier_row_comes_first():
    index = index_of(*(row(seq, "the same words") for seq in (3, 5, 8, 13)))
    assert found(index, "same words") == [3, 5, 8, 13]
    assert found(index, "same words", limit=2) == [3, 5]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_of_nothing_finds_nothing(limit):
    assert found(index_of(row(1, "word")), "word", limit=limit) == []


def test_a_score_is_the_sum_of_its_named_parts():
    index = index_of(
        row(1, "Where did you put the keys?", session="a", speaker="Noor"),
        row(2, "In the blue bowl", session="a", speaker="Ravi"),
        row(3, "The keys are a present from Noor", role="assistant", session="a"),
    )
    index.set_vectors(np.array([1, 2, 3]), np.eye(3, dtype=np.float32))
    vector = np.array([0.6, 0.8, 0.0], np.float32)
    hits = index.search(Query(text="Where did Ravi put the keys", vector=vector, now=9 * DAY), None, 10)
    assert {hit.seq for hit in hits} == {1, 2, 3}
    for hit in hits:
        assert hit.score == pytest.approx(sum(hit.parts.values()))
    parts = {hit.seq: hit.parts for hit in hits}
    assert {name for own in parts.values() for name in own} == set(PARTS)
    assert parts[1]["asking"] < 0
    assert parts[3]["assistant"] < 0
    assert parts[2]["speaker"] > 0
    assert parts[2]["neighbours"] > 0


def test_an_answer_is_found_by_the_words_of_the_question_before_it():
    index = index_of(
        row(1, "What did you plant behind the shed?", session="a"),
        row(2, "Rhubarb and two quinces", session="a"),
        row(3, "Nothing new here", session="a"),
        row(4, "A shed is a small house", session="b"),
    )
    assert found(index, "what was planted behind the shed")[0] == 2


def test_neighbours_end_with_the_session():
    rows = (row(1, "the lighthouse keeper", session="a"), row(2, "good night", session="b"))
    assert found(index_of(*rows), "lighthouse keeper") == [1]


def test_rows_without_a_session_have_no_neighbours():
    assert found(index_of(row(1, "the lighthouse keeper"), row(2, "good night")), "lighthouse") == [1]


def test_sessions_that_interleave_keep_their_own_neighbours():
    index = index_of(
        row(1, "the lighthouse keeper", session="a"),
        row(2, "bread rolls", session="b"),
        row(3, "good night", session="a"),
    )
    assert found(index, "lighthouse keeper") == [1, 3]


def test_the_speaker_asked_about_comes_first():
    index = index_of(row(1, "I like plums", speaker="Ana"), row(2, "I like plums", speaker="Ben"))
    assert found(index, "What does Ben like, plums?") == [2, 1]
    assert found(index, "What fruit is liked, plums?", names=frozenset({"Ben"})) == [2, 1]


def test_the_users_own_words_come_before_the_assistants_echo():
    rows = (
        row(1, "Nice, a kayak weekend at the fjord", role="assistant"),
        row(2, "I want a kayak weekend at the fjord"),
    )
    index = index_of(*rows)
    assert found(index, "the kayak weekend at the fjord") == [2, 1]
    assert found(index, "what did you say about nice kayak weekends at the fjord") == [1, 2]


def test_recency_decides_between_equals_only():
    index = index_of(
        row(1, "coffee in the garden", at=DAY),
        row(2, "coffee in the garden", at=90 * DAY),
        row(3, "coffee with Jo in the garden", recorded=2 * DAY),
    )
    assert found(index, "coffee in the garden", now=100 * DAY)[0] == 2
    assert found(index, "coffee with Jo in the garden", now=100 * DAY)[0] == 3
    assert found(index, "coffee in the garden", now=0)[0] == 1


def test_a_masked_row_is_never_found_and_lends_nothing():
    index = index_of(
        row(1, "the lighthouse keeper is called Oda", session="a"),
        row(2, "good night", session="a"),
        row(3, "a lighthouse far away", session="b"),
    )
    mask = np.array([False, True, True])
    assert found(index, "lighthouse keeper Oda", mask) == [3]
    assert found(index, "lighthouse", np.zeros(3, np.bool_)) == []


def test_a_masked_row_changes_no_other_score():
    rows = [row(1, "a red kite"), row(2, "a red boat", session="a"), row(3, "sail", session="a")]
    mask = np.array([True, True, True, False])
    quiet = index_of(*rows, row(4, "nothing at all", session="a"))
    loud = index_of(*rows, row(4, "red red red kite boat sail, kite", session="a"))
    # The word counts of the space differ, so a kite is less rare; what counts alike must score alike.
    for index in (quiet, loud):
        index.set_vectors(np.array([1, 2, 3, 4]), np.eye(4, dtype=np.float32))
    vector = np.array([0.1, 0.1, 0.1, 0.98], np.float32)
    query = Query(text="zeppelin", vector=vector)
    assert quiet.search(query, mask, 10) == loud.search(query, mask, 10)
    assert all(hit.seq != 4 for hit in loud.search(Query(text="red kite", vector=vector), mask, 10))


def test_word_counts_are_those_of_the_whole_space():
    index = index_of(row(1, "plum"), row(2, "plum pear"), row(3, "plum"), row(4, "plum"))
    everything = index.search(Query(text="pear plum"), None, 10)[0]
    only = index.search(Query(text="pear plum"), np.array([False, True, False, False]), 10)[0]
    assert everything == only


def test_meaning_finds_what_shares_no_word():
    index = index_of(row(1, "My cat is ill"), row(2, "The bus is late"))
    index.set_vectors(np.array([1, 2]), np.eye(2, dtype=np.float32))
    assert found(index, "veterinary", vector=np.array([0.9, 0.1], np.float32)) == [1, 2]
    assert found(index, "veterinary") == []


def test_vectors_may_come_late_in_parts_and_again():
    index = index_of(row(1, "one"), row(2, "two"), row(5, "five"))
    index.set_vectors(np.array([5]), np.array([[0, 1]], np.float32))
    index.set_vectors(np.array([1]), np.array([[1, 0]], np.float32))
    assert index.vectors == 2
    query = {"vector": np.array([1, 0], np.float32)}
    assert found(index, "zzz", **query) == [1, 5]
    index.set_vectors(np.array([5, 1]), np.array([[1, 0], [0, 1]], np.float32))
    assert index.vectors == 2
    assert found(index, "zzz", **query) == [5, 1]


def test_a_vector_for_an_unknown_row_is_refused():
    index = index_of(row(1, "one"), row(3, "three"))
    for seq in (0, 2, 9):
        with pytest.raises(ValueError, match="does not hold"):
            index.set_vectors(np.array([seq]), np.ones((1, 2), np.float32))


def test_vectors_of_another_width_are_refused():
    index = index_of(row(1, "one"), row(2, "two"))
    index.set_vectors(np.array([1]), np.ones((1, 4), np.float32))
    with pytest.raises(EmbedderMismatchError, match="4 dimensions, these have 3"):
        index.set_vectors(np.array([2]), np.ones((1, 3), np.float32))
    with pytest.raises(EmbedderMismatchError, match="4 dimensions, the question's has 3"):
        index.search(Query(text="one", vector=np.ones(3, np.float32)), None, 10)


@pytest.fixture
def few_exact(monkeypatch):
    """A space of 2,000 vectors is a large one."""
    monkeypatch.setattr(vectors_module, "EXACT", 2_000)


def unit_vectors(n, seed=1):
    matrix = np.random.default_rng(seed).standard_normal((n, 64)).astype(np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def test_vectors_that_stay_in_memory_are_scored_exactly_and_not_fetched():
    n = 2_500
    matrix = unit_vectors(n)
    index = index_of(*(row(i, "x") for i in range(n)))
    index.set_vectors(index.seqs, matrix)
    hits = index.search(Query(text="zzz", vector=matrix[77]), None, 10, lambda _: pytest.fail("fetched"))
    share = Ranking().meaning
    for hit in hits:
        assert hit.parts["meaning"] == pytest.approx(share * float(matrix[hit.seq] @ matrix[77]), abs=1e-6)


@pytest.mark.parametrize("exact", [1_000, 60, 30])
def test_vectors_in_any_order_and_again_give_what_the_last_ones_give_in_one_go(monkeypatch, exact):
    monkeypatch.setattr(vectors_module, "EXACT", exact)
    n = 100
    matrix = unit_vectors(n)
    rows = [row(i, "x") for i in range(n)]
    whole, parts = index_of(*rows), index_of(*rows)
    whole.set_vectors(whole.seqs, matrix)
    parts.set_vectors(np.arange(50), unit_vectors(50, seed=2))
    order = np.random.default_rng(3).permutation(n)
    for start in range(0, n, 7):
        parts.set_vectors(order[start : start + 7], matrix[order[start : start + 7]])
    assert parts.vectors == whole.vectors == n
    assert parts.vector_bytes == whole.vector_bytes
    for question in unit_vectors(5, seed=4):
        query = Query(text="zzz", vector=question)
        assert parts.search(query, None, 3) == whole.search(query, None, 3)
        mask = np.arange(n) % 3 == 0
        assert parts.search(query, mask, 3) == whole.search(query, mask, 3)


@pytest.mark.usefixtures("few_exact")
def test_many_vectors_are_rescored_exactly():
    n = 2_500
    generator = np.random.default_rng(7)
    matrix = generator.standard_normal((n, 64)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    index = index_of(*(row(i, "x") for i in range(n)))
    index.set_vectors(index.seqs[:1500], matrix[:1500])
    index.set_vectors(index.seqs[1500:], matrix[1500:])
    wanted = matrix[77] + 0.05 * generator.standard_normal(64).astype(np.float32)
    wanted /= np.linalg.norm(wanted)
    asked = []

    def fetch(seqs):
        asked.append(len(seqs))
        return matrix[seqs]

    hits = index.search(Query(text="zzz", vector=wanted), None, 10, fetch)
    exact = np.argsort(-(matrix @ wanted), kind="stable")[:5]
    assert [hit.seq for hit in hits][:5] == exact.tolist()
    share = Ranking().meaning
    assert hits[0].parts["meaning"] == pytest.approx(share * float(matrix[77] @ wanted), abs=1e-5)
    assert 0 < sum(asked) <= 2 * 20 * 10


@pytest.mark.usefixtures("few_exact")
def test_many_vectors_without_a_way_to_fetch_them_are_estimated():
    n = 2_001
    matrix = np.random.default_rng(1).standard_normal((n, 64)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    index = index_of(*(row(i, "x") for i in range(n)))
    index.set_vectors(index.seqs, matrix)
    assert found(index, "zzz", vector=matrix[42])[0] == 42


@pytest.mark.usefixtures("few_exact")
def test_a_vector_that_can_not_be_fetched_keeps_its_estimate():
    n = 2_001
    matrix = np.random.default_rng(1).standard_normal((n, 64)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    index = index_of(*(row(i, "x") for i in range(n)))
    index.set_vectors(index.seqs, matrix)
    hits = index.search(
        Query(text="zzz", vector=matrix[42]),
        None,
        3,
        lambda seqs: np.full((len(seqs), 64), np.nan, np.float32),
    )
    assert hits[0].seq == 42


def test_columns_are_aligned_with_the_rows():
    index = index_of(
        row(2, "a", session="s", speaker="Ana", at=5), row(4, "b", role="tool"), row(9, "c", session="s")
    )
    assert index.seqs.tolist() == [2, 4, 9]
    assert index.column("id") == ["ep_2", "ep_4", "ep_9"]
    assert index.column("occurred_start").tolist() == [5, NO_TIME, NO_TIME]
    assert index.column("recorded_at").tolist() == [2, 4, 9]
    session = index.column("session")
    assert isinstance(session, Coded)
    assert [session.values[code] for code in session.codes] == ["s", None, "s"]
    with pytest.raises(KeyError):
        index.column("terms")


@pytest.mark.parametrize("seqs", [(2, 1), (1, 1)])
def test_rows_out_of_order_are_refused(seqs):
    with pytest.raises(ValueError, match="rising order"):
        index_of(*(row(seq, "x") for seq in seqs))
    index = index_of(row(seqs[0], "x"))
    with pytest.raises(ValueError, match="rising order"):
        index.extend([row(seqs[1], "x")])
    assert index.size == 1


@pytest.mark.parametrize("stored", [b"", b"\x01\x00\x00", b"\x09\x00\x00\x00\x00\x00", b"\x01" * 13])
def test_terms_that_are_not_ours_are_refused_whole(stored):
    index = index_of(row(1, "plum"))
    bad = (*row(2, "pear")[:-1], stored)
    with pytest.raises(StoreUnreadableError, match="terms of a row"):
        index.extend([bad])
    assert found(index, "plum pear") == [1]
    index.extend([row(2, "pear")])
    assert found(index, "plum pear") == [1, 2]


@pytest.mark.parametrize(
    "text,names,expected",
    [
        ("What did Caro plant?", ["Caro"], "What did plant?"),
        ("What are Caro's hobbies?", ["Caro"], "What are hobbies?"),
        ("What are Caro\u2019s hobbies?", ["Caro", "Mel"], "What are hobbies?"),
        ("Caro", ["Caro"], "Caro"),
        ("Where is Ana Maria?", ["Ana Maria"], "Where is"),
        ("Carolina", ["Caro"], "Carolina"),
        ("  two  spaces ", [], "two spaces"),
    ],
)
def test_names_are_left_out_of_what_is_embedded(text, names, expected):
    assert dense_text(text, names) == expected


@pytest.mark.parametrize("kind", ["random", "equal", "in turns", "rising"])
def test_the_best_rows_are_the_first_of_a_full_sort(kind):
    n = 5_000
    scores = {
        "random": np.random.default_rng(5).random(n),
        "equal": np.ones(n),
        "in turns": np.where(np.arange(n) % 17 == 0, 0.0, np.random.default_rng(6).random(n).round(2)),
        "rising": np.arange(n, dtype=np.float64),
    }[kind]
    for eligible in (None, np.arange(n) % 3 != 1, np.zeros(n, np.bool_)):
        rows = np.arange(n) if eligible is None else np.flatnonzero(eligible)
        expected = rows[np.argsort(-scores[rows], kind="stable")]
        for limit in (1, 10, 200, n):
            assert top(scores, eligible, limit).tolist() == expected[:limit].tolist()
