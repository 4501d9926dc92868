"""Vectors for stored episodes: derived after they are safe, and again whenever the embedder changes."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from affidavit.core.changes import Change, Embedded
from affidavit.providers.embedder import vectors_of
from affidavit.store.protocol import Job, Selection, Store, View
from affidavit.text.sentences import statements

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder

_BATCH = 256


def embed_waiting(
    store: Store,
    space_id: str,
    embedder: "Embedder",
    *,
    limit: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Embed the space's episodes that wait for it; how many got their vector.

    Raises what the embedder raises; what was embedded before that is kept, the rest goes on waiting.
    """
    done = 0
    while limit is None or done < limit:
        with store.snapshot() as reads:
            jobs = reads.jobs(space_id=space_id, kind="embed", limit=_BATCH)
            found = reads.episodes(space_id, [job.target for job in jobs])
        if not jobs:
            break
        # A message is found by what it tells; what it only asks is left to the words.
        texts = {target: statements(stored.row.text) for target, stored in found.items()}
        store.commit(space_id, _embedded(embedder, texts))
        store.drop_jobs(job for job in jobs if job.target not in texts)
        done += len(jobs)
        if progress:
            progress(len(jobs))
    return done


def _embedded(embedder: "Embedder", texts: dict[str, str]) -> Callable[[View], Sequence[Change]]:
    vectors = dict(zip(texts, vectors_of(embedder, list(texts.values())), strict=True)) if texts else {}

    def prepared(view: View) -> Sequence[Change]:
        # What was erased or embedded by another while the embedder was at work waits no more.
        waiting = {job.target for job in view.jobs(space_id=view.space_id, kind="embed", limit=_BATCH)}
        return [
            Embedded(
                target=target,
                model=embedder.name,
                dimensions=embedder.dimensions,
                vector=vectors[target].astype("<f4").tobytes(),
            )
            for target in vectors
            if target in waiting
        ]

    return prepared


def embed_all(store: Store, space_id: str, embedder: "Embedder", now: int) -> int:
    """Make every episode of the space wait for a vector of this embedder, where it has none; how many do.

    Raises `EmbedderError` where it must be asked how wide its vectors are.
    """
    width = embedder.dimensions or vectors_of(embedder, ["width"]).shape[1]
    with store.snapshot() as reads:
        vectors = reads.vectors(space_id)
        there = {row.target for row in vectors if (row.model, row.dimensions) == (embedder.name, width)}
        missing = [
            s.row.id
            for s in reads.select(space_id, Selection())
            if s.row.text.strip() and s.row.id not in there
        ]
    store.add_jobs(Job(space_id, "embed", target, now) for target in missing)
    return len(missing)
