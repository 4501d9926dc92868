"""What each ingredient of the ranking is worth: one switched off at a time, paired, on several data sets.

    python -m bench.retrieval_ablation BASELINES.py [--embed] [--vectors CACHE.npz] [--task TASK ...]

BASELINES.py is the script that loads the data sets (`MEMDATA` names their folder) and holds stemmed BM25. Works on
the space index directly: what is measured is ranking. Each line gives any@5, recall@10 and NDCG@10 of a data set and
the mean difference in NDCG@10 to the first line, with its 95 % interval from a paired bootstrap over questions.
"""

import argparse
import hashlib
import importlib.util
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from affidavit.index.ranking import Ranking
from affidavit.index.space_index import Query, SpaceIndex, dense_text
from affidavit.providers.embedder import find_embedder
from affidavit.text.lexicon import english, terms
from affidavit.text.sentences import statements
from bench.retriever import message_of

TASKS = ("locomo_turn", "lme_pool", "beam_100k")
DEPTH = 20

VARIANTS: dict[str, dict[str, float]] = {
    "all": {},
    "k1 1.5, b 0.75, no padding": {"k1": 1.5, "b": 0.75, "pad": 0.0},
    "no padding of lengths": {"pad": 0.0},
    "b 0.4": {"b": 0.4},
    "rarity to the power of 1": {"rarity": 1.0},
    "stop words out": {"stop": 0.0},
    "stop words like others": {"stop": 1.0},
    "names like other words": {"name": 1.0},
    "names out": {"name": 0.0},
    "no bonus for the speaker": {"speaker": 0.0},
    "no words of the message before": {"before": 0.0},
    "the same after questions": {"before_asking": 0.0},
    "nothing lent": {"lend_after": 0.0, "lend_before": 0.0},
    "nothing lent, no words before": {"before": 0.0, "lend_after": 0.0, "lend_before": 0.0},
    "questions like statements": {"asking": 0.0},
    "the assistant like the user": {"assistant": 0.0},
}
EMBED_VARIANTS: dict[str, dict[str, float]] = {
    "words only": {"meaning": 0.0},
    "meaning only": {"meaning": 1.0, "lend_after": 0.0, "lend_before": 0.0},
    "meaning 0.2": {"meaning": 0.2},
    "meaning 0.5": {"meaning": 0.5},
}


class Store:
    """One closed store: rows ready for an index, questions with the rows that answer them."""

    def __init__(self, group: Any) -> None:
        self.docs = group.docs
        self.messages = [message_of(doc) for doc in group.docs]
        self.questions = [query for query in group.queries if group.gold[query.id]]
        place = {doc.id: i for i, doc in enumerate(group.docs)}
        self.gold = [{place[doc] for doc in group.gold[query.id]} for query in self.questions]
        self.names = sorted({message["name"] for message in self.messages if "name" in message})
        self.vectors: Any = None
        self.asked: Any = None

    def index(self, ranking: Ranking) -> SpaceIndex:
        index = SpaceIndex(ranking)
        index.extend(
            (
                i,
                doc.id,
                doc.timestamp or f"doc {i}",
                message.get("name"),
                message["role"],
                "attested",
                "active",
                None,
                None,
                i,
                terms.terms(message["content"]).to_bytes(),
            )
            for i, (doc, message) in enumerate(zip(self.docs, self.messages, strict=True))
        )
        if self.vectors is not None:
            index.set_vectors(index.seqs, self.vectors)
        return index

    def ranked(self, ranking: Ranking) -> Iterator[list[int]]:
        index = self.index(ranking)
        for i, question in enumerate(self.questions):
            vector = None if self.asked is None or not ranking.meaning else self.asked[i]
            yield [hit.seq for hit in index.search(Query(text=question.text, vector=vector), None, DEPTH)]


def score(ranked: Sequence[int], gold: set[int]) -> tuple[float, float, float]:
    """any@5, recall@10, NDCG@10."""
    ranks = [rank for rank, row in enumerate(ranked) if row in gold]
    gain = sum(1 / math.log2(rank + 2) for rank in ranks if rank < 10)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(len(gold), 10)))
    return float(any(rank < 5 for rank in ranks)), sum(rank < 10 for rank in ranks) / len(gold), gain / ideal


def measure(stores: Sequence[Store], ranking: Ranking) -> Any:
    return np.array(
        [
            score(ranked, gold)
            for store in stores
            for ranked, gold in zip(store.ranked(ranking), store.gold, strict=True)
        ]
    )


def baseline(script: ModuleType, stores: Sequence[Store]) -> Any:
    rows = []
    for store in stores:
        place = {doc.id: i for i, doc in enumerate(store.docs)}
        for ranked, gold in zip(
            script.bm25_stem(store.docs, store.questions, DEPTH), store.gold, strict=True
        ):
            rows.append(score([place[doc] for doc in ranked], gold))
    return np.array(rows)


def interval(differences: Any) -> str:
    """Mean and 95 % interval of paired differences, by bootstrap over questions."""
    picks = np.random.default_rng(0).integers(0, len(differences), (2_000, len(differences)))
    low, high = np.percentile(differences[picks].mean(axis=1), [2.5, 97.5])
    return f"{differences.mean():+.3f} [{low:+.3f}, {high:+.3f}]"


def embed(stores: Sequence[Store], cache: Path | None) -> None:
    """Give every store its vectors, computing only what the cache lacks."""
    known: dict[str, Any] = dict(np.load(cache)) if cache and cache.exists() else {}
    texts = {text for store in stores for text in [*_told(store), *_asked(store)]}
    missing = sorted(text for text in texts if _key(text) not in known)
    if missing:
        embedder = find_embedder()
        if embedder is None:
            raise SystemExit("--embed needs the extra: pip install 'affidavit[embed]'")
        known |= dict(zip(map(_key, missing), embedder.embed(missing), strict=True))
        if cache:
            np.savez(cache, **known)
    for store in stores:
        store.vectors = np.array([known[_key(text)] for text in _told(store)])
        store.asked = np.array([known[_key(text)] for text in _asked(store)])


def _told(store: Store) -> list[str]:
    return [statements(message["content"]) for message in store.messages]


def _asked(store: Store) -> list[str]:
    return [dense_text(question.text, store.names) for question in store.questions]


def _key(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@contextmanager
def without_irregular() -> Iterator[None]:
    kept = dict(english.IRREGULAR)
    english.IRREGULAR.clear()
    terms.clear_cache()
    try:
        yield
    finally:
        english.IRREGULAR.update(kept)
        terms.clear_cache()


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("baselines", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is not a script")
    module = importlib.util.module_from_spec(spec)
    sys.modules["baselines"] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("script", type=Path, help="the script that loads the data sets")
    parser.add_argument("--task", action="append", help=f"default: {', '.join(TASKS)}")
    parser.add_argument("--embed", action="store_true", help="words and meaning, not words alone")
    parser.add_argument("--vectors", type=Path, help="keep vectors in this file (.npz)")
    given = parser.parse_args()
    script = load(given.script)
    tasks = {task: [Store(group) for group in script.TASKS[task]()] for task in given.task or TASKS}
    if given.embed:
        embed([store for stores in tasks.values() for store in stores], given.vectors)
    print("| | " + " | ".join(f"{task}: any@5, recall@10, NDCG@10 | difference" for task in tasks) + " |")
    print("|---|" + "---|---|" * len(tasks))
    first: dict[str, Any] = {}

    def line(name: str, of: Callable[[Sequence[Store]], Any]) -> None:
        cells = []
        for task, stores in tasks.items():
            rows = of(stores)
            first.setdefault(task, rows)
            cells.append(", ".join(f"{mean:.3f}" for mean in rows.mean(axis=0)))
            cells.append("" if rows is first[task] else interval(rows[:, 2] - first[task][:, 2]))
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)

    variants = VARIANTS | (EMBED_VARIANTS if given.embed else {})
    for name, changes in variants.items():
        line(name, partial(measure, ranking=Ranking(**changes)))
    with without_irregular():
        line("no irregular forms", partial(measure, ranking=Ranking()))
    line("stemmed BM25", partial(baseline, script))


if __name__ == "__main__":
    main()
