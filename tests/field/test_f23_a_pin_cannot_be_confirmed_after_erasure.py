"""F23: after erasure nothing that is left lets anyone test a guess, not even one of ten thousand."""

import hmac
import json
import sqlite3
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from affidavit import Config, Memory
from affidavit.core.values import EpisodeRow, committed_episode
from affidavit.ledger.encoding import commitment
from affidavit.text.lexicon.terms import terms
from tests.support_stores import kept_bytes, plainly

PIN = "8351"
ALL = [f"{n:04d}" for n in range(10_000)]


class Digits:
    """An embedder whose vectors anybody can recompute."""

    name = "digits-8"
    dimensions = 8

    def embed(self, texts: Sequence[str]) -> Any:
        rows = [np.frombuffer(sha256(text.encode()).digest()[:8], np.uint8) for text in texts]
        matrix = np.array(rows, dtype=np.float32) + 1
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def row_of(memory: Memory, item_id: str) -> EpisodeRow:
    with memory._rooms.store.snapshot() as reads:
        for head in reads.heads():
            found = reads.episodes(head.space_id, [item_id])
            if found:
                return found[item_id].row
    raise AssertionError


def guess_all(folder: Path, database: str, row: EpisodeRow, more: Sequence[list[list[str]]]) -> set[str]:
    """Every PIN that something on disk confirms, for an attacker who knows everything else there was."""
    disk = b"\0".join(data for _, data in kept_bytes(database, folder))
    with plainly(database) as conn:
        entries = [json.loads(body) for (body,) in conn.execute("SELECT body FROM entry")]
        blinds = [blind for (blind,) in conn.execute("SELECT blind FROM blind")]
        digests = {digest for (digest,) in conn.execute("SELECT digest FROM trace")}
        secrets = {*blinds, b"", b"\0" * 32}
        for table in ("meta", "space", "entry", "actor", "episode", "embedding", "trace", "job", "seal"):
            for record in conn.execute(f"SELECT * FROM {table}"):
                secrets |= {value for value in record if isinstance(value, bytes) and len(value) == 32}
    commits = {entry["commit"] for entry in entries if "commit" in entry}
    vectors = dict(zip(ALL, Digits().embed(ALL), strict=True))
    confirmed = set()
    standing = {disk[i : i + 32] for i in range(len(disk))}
    written = {disk[i : i + 64] for i in range(len(disk))}
    for pin in ALL:
        guess = row._replace(text=pin, terms=terms(pin).to_bytes())
        values = committed_episode(guess)
        hashes = {commitment(blind, "episode", values).hex() for blind in secrets if len(blind) == 32}
        shown = {sha256(json.dumps([[i, t or pin] for i, t in hits]).encode()).digest() for hits in more}
        plain = sha256(pin.encode())
        if (
            hashes & commits
            or shown & digests
            or plain.digest() in standing
            or plain.hexdigest().encode() in written
            or vectors[pin].astype("<f4").tobytes() in standing
            or any(hmac.digest(secret, pin.encode(), "sha256") in standing for secret in secrets)
        ):
            confirmed.add(pin)
    return confirmed


@pytest.mark.parametrize("shared", [False, True])
def test_none_of_ten_thousand_guesses_is_confirmed(
    config: Config, clock: Any, tmp_path: Path, shared: bool
) -> None:
    """`shared`: the PIN stood in the agent's own space, and was shown in a search of the user's."""
    with Memory(config=config, clock=clock, embedder=Digits()) as memory:
        other = memory.add("words that stay", user_id="ana").episodes[0]
        owner = {"agent_id": "bot"} if shared else {"user_id": "ana"}
        said = memory.add({"role": "system", "content": PIN}, **owner).episodes[0]  # type: ignore[arg-type]
        memory.add("more that stay", **owner)  # type: ignore[arg-type]
        result = memory.search(f"{PIN} words", user_id="ana", agent_id="bot" if shared else None)
        assert said.id in [hit.id for hit in result.hits]
        hits = [[hit.id, hit.text] for hit in result.hits]
        shown = [[[i, "" if i == said.id else text] for i, text in hits], [[said.id, ""]]]
        row = row_of(memory, said.id)
        path = config.database
        assert guess_all(tmp_path, path, row, shown) == {PIN}

        memory.forget(episode_id=said.id, **owner)  # type: ignore[arg-type]

        assert other.id in [item.id for item in memory.list(user_id="ana")]
        assert guess_all(tmp_path, path, row, shown) == set()
        assert not memory.verify().problems


@pytest.mark.file
def test_a_trace_that_waited_for_the_writer_brings_nothing_back(
    config: Config, clock: Any, tmp_path: Path
) -> None:
    with Memory(config=config, clock=clock) as memory, Memory(config=config, clock=clock) as other:
        said = memory.add(PIN, user_id="ana").episodes[0]
        memory.add("words that stay", user_id="ana")
        row = row_of(memory, said.id)
        path = config.database
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        try:
            result = other.search(PIN, user_id="ana")
        finally:
            blocker.execute("ROLLBACK")
            blocker.close()
        hits = [[hit.id, "" if hit.id == said.id else hit.text] for hit in result.hits]
        memory.forget(user_id="ana", episode_id=said.id)
        other.add("the next write takes waiting traces along", user_id="ana")
        assert guess_all(tmp_path, path, row, [hits]) == set()
