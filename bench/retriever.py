"""Affidavit as a retriever for evidence benchmarks, through the public `Memory.add` and `Memory.search`.

    affidavit_lexical(docs, queries, k)    words only
    affidavit_embed(docs, queries, k)      words and MiniLM vectors (the extra `embed`)

Each takes one closed store (`docs` with id, text, timestamp, speaker; `queries` with id, text) and gives for each
query the ids of the best docs, best first. A doc is added as one message: the `Speaker: ` before a text becomes the
message's name (or its role, for user, assistant, system, tool), one timestamp is one session. One hit counts for
one doc, the one whose message it is.
"""

import re
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit import Memory
from bench.stores import config

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROLES = ("user", "assistant", "system", "tool")
_USER = "someone"
_BATCH = 1_000
_FORMATS = ("%I:%M %p on %d %B, %Y", "%Y/%m/%d %H:%M", "%B-%d-%Y", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d")


def affidavit_lexical(docs: Sequence[Any], queries: Sequence[Any], k: int) -> list[list[str]]:
    """Words only."""
    return _retrieve(docs, queries, k, embedder="none")


def affidavit_embed(docs: Sequence[Any], queries: Sequence[Any], k: int) -> list[list[str]]:
    """Words and vectors."""
    return _retrieve(docs, queries, k, embedder="minilm")


def _retrieve(docs: Sequence[Any], queries: Sequence[Any], k: int, *, embedder: str) -> list[list[str]]:
    with _memory(embedder) as memory:
        doc_of = _fill(memory, docs)
        found = [memory.search(q.text, user_id=_USER, limit=k, record=False).hits for q in queries]
    return [[doc_of[hit.evidence[0].episode_id] for hit in hits] for hits in found]


@contextmanager
def _memory(embedder: str) -> "Iterator[Memory]":
    with tempfile.TemporaryDirectory(prefix="affidavit-bench-") as folder:
        place = Path(folder)
        with Memory(place / "memory.db", config=config(place, embedder=embedder)) as memory:
            yield memory


def _fill(memory: Memory, docs: Sequence[Any]) -> dict[str, str]:
    """Add every doc; gives the doc of each episode."""
    doc_of: dict[str, str] = {}
    start = 0
    while start < len(docs):
        end = start + 1
        # One `add` is one session.
        while end < len(docs) and end - start < _BATCH and docs[end].timestamp == docs[start].timestamp:
            end += 1
        messages = [message_of(doc) for doc in docs[start:end]]
        added = memory.add(messages, user_id=_USER, session_id=docs[start].timestamp or f"doc {start}")
        for doc, episode in zip(docs[start:end], added.episodes, strict=True):
            doc_of[episode.id] = doc.id
        start = end
    return doc_of


def message_of(doc: Any) -> dict[str, Any]:
    """A doc as a message."""
    speaker, text = _bare(doc)
    role, name = (speaker, None) if speaker in _ROLES else ("user", speaker)
    message = {"role": role, "content": text or " ", "name": name, "at": _when(doc.timestamp)}
    return {key: value for key, value in message.items() if value is not None}


def _bare(doc: Any) -> tuple[str | None, str]:
    """Who speaks, and the text without the `Speaker: ` before it."""
    text: str = doc.text
    for speaker in (doc.speaker, *_ROLES):
        if speaker and text.startswith(f"{speaker}: "):
            return speaker, text[len(speaker) + 2 :]
    return doc.speaker, text


def _when(timestamp: str | None) -> str | None:
    """A data set's time as an ISO date and time; None for one that is not a date."""
    if timestamp is None:
        return None
    text = re.sub(r"\s*\(\w+\)", "", timestamp).strip()
    for form in _FORMATS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC).isoformat()
        except ValueError:
            continue
    return None
