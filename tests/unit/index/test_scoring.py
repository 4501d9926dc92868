"""Only rows that may be among the best are scored: what is found is what scoring all of them finds."""

from itertools import product

import numpy as np
import pytest

from affidavit.index.ranking import nth_highest
from affidavit.index.scoring import contenders
from affidavit.index.space_index import Query, SpaceIndex
from affidavit.text.lexicon.terms import terms

MANY = 3_000
WORDS = [
    "red",
    "blue",
    "kite",
    "boat",
    "sail",
    "the",
    "a",
    "is",
    "wind",
    "oar",
    "mast",
    "deck",
    "port",
    "lamp",
    "how",
]


def filled(*, sessions: bool, vectors: int) -> SpaceIndex:
    random = np.random.default_rng(11)
    index = SpaceIndex()
    texts = [" ".join(random.choice(WORDS, random.integers(1, 12))) for _ in range(MANY)]
    index.extend(
        (n, f"ep_{n}", f"s{n % 40}" if sessions else None, ("Ana", "Ben")[n % 2], ("user", "assistant")[n % 5 == 0],
         "attested", "active", n * 10**9, n * 10**9 + 1, n, terms(text + "?" * (n % 3 == 0)).to_bytes())
        for n, text in enumerate(texts)
    )  # fmt: skip
    if vectors:
        matrix = random.standard_normal((vectors, 64)).astype(np.float32)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        index.set_vectors(np.arange(0, MANY, MANY // vectors)[:vectors], matrix)
    return index


@pytest.mark.parametrize(
    "sessions,vectors", [(False, 0), (True, 0), (True, MANY), (True, MANY // 3), (False, MANY)]
)
def test_a_few_are_the_first_of_all(sessions, vectors):
    index = filled(sessions=sessions, vectors=vectors)
    vector = np.full(64, 0.125, np.float32) if vectors else None
    masks = (None, np.arange(MANY) % 3 != 0, np.arange(MANY) < 25, np.zeros(MANY, np.bool_))
    for text in (
        "red kite in the wind",
        "What did Ana say of the blue boat?",
        "how",
        "the",
        "lamp",
        "nothing",
    ):
        query = Query(text=text, vector=vector, now=MANY * 10**9)
        for mask, wanted in product(masks, (None, np.arange(MANY) % 2 == 0)):
            every = index.search(query, mask, MANY, wanted=wanted)
            assert every == sorted(every, key=lambda one: (-one.score, one.seq))
            for limit in (1, 7, 10, 40, 500):
                assert index.search(query, mask, limit, wanted=wanted) == every[:limit]


@pytest.mark.parametrize("spread", [0.0, 1e-9, 0.05, 10.0])
def test_contenders_hold_whoever_may_be_among_the_best(spread):
    random = np.random.default_rng(3)
    for promise in (random.random(5_000), random.random(5_000).round(1), np.zeros(5_000), random.random(9)):
        for limit in (1, 10, 300):
            rows = contenders(promise, limit, spread, finite=False)
            best = min(limit, int(np.count_nonzero(promise)))
            cut = nth_highest(promise, best) if best else np.inf
            assert rows.tolist() == np.flatnonzero((promise > 0) & (promise >= cut - spread)).tolist()
