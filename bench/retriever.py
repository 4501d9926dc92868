"""Affidavit's ranking as a retriever for evidence benchmarks.

    affidavit_lexical(docs, queries, k)    words only
    affidavit_embed(docs, queries, k)      words and MiniLM vectors

Each takes one closed store (`docs` with id, text, timestamp, speaker; `queries` with id, text, timestamp) and gives
for each query the ids of the best docs, best first.
"""

from collections.abc import Sequence
from typing import Any

from affidavit.index.space_index import Query, SpaceIndex, dense_text
from affidavit.providers.embedder import find_embedder
from affidavit.text.terms import terms

_ROLES = ("user", "assistant", "system", "tool")


def _bare(doc: Any) -> tuple[str | None, str]:
    """Who speaks, and the text without the `Speaker: ` before it."""
    text: str = doc.text
    for speaker in (doc.speaker, *_ROLES):
        if speaker and text.startswith(f"{speaker}: "):
            return speaker, text[len(speaker) + 2 :]
    return doc.speaker, text


def _index(docs: Sequence[Any]) -> SpaceIndex:
    index = SpaceIndex()
    rows = []
    for i, doc in enumerate(docs):
        speaker, text = _bare(doc)
        role, name = (speaker, None) if speaker in _ROLES else ("user", speaker)
        stored = terms(text).to_bytes()
        rows.append((i, doc.id, doc.timestamp, name, role, "authorized", "active", None, None, i, stored))
    index.extend(rows)
    return index


def affidavit_lexical(docs: Sequence[Any], queries: Sequence[Any], k: int) -> list[list[str]]:
    """Words only."""
    index = _index(docs)
    return [[docs[hit.seq].id for hit in index.search(Query(text=q.text), None, k)] for q in queries]


def affidavit_embed(docs: Sequence[Any], queries: Sequence[Any], k: int) -> list[list[str]]:
    """Words and vectors."""
    embedder = find_embedder()
    if embedder is None:
        raise SystemExit("affidavit_embed needs the extra: pip install 'affidavit[embed]'")
    index = _index(docs)
    index.set_vectors(index.seqs, embedder.embed([_bare(doc)[1] for doc in docs]))
    names = [name for name in index.column("speaker").values if name]  # type: ignore[union-attr]
    vectors = embedder.embed([dense_text(q.text, names) for q in queries])
    asked = [Query(text=q.text, vector=vector) for q, vector in zip(queries, vectors, strict=True)]
    return [[docs[hit.seq].id for hit in index.search(query, None, k)] for query in asked]
