"""`replay` is the inverse of writing entries: over random changes it gives back what lives, and where."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.core.authority import Authority, Role, SpaceKind
from affidavit.core.changes import (
    ActorAdded,
    Change,
    Embedded,
    EpisodeStored,
    Erased,
    SpaceErased,
    SpaceOpened,
)
from affidavit.core.replay import State, replay
from affidavit.core.values import EPISODE_COLUMNS, EpisodeRow, Head, Owner, committed_episode
from affidavit.ledger.encoding import commitment, parse_entry
from affidavit.ledger.tree import Frontier, leaf_hash
from affidavit.store.commit import write_entries

AT = 1_780_315_200_000_000


def row(number: int, actor: str, text: str, authority: Authority) -> EpisodeRow:
    values = dict.fromkeys(EPISODE_COLUMNS, None) | {
        "id": f"ep_{number}", "actor": actor, "role": Role.USER, "authority": authority, "status": "active",
        "recorded_at": AT, "terms": b"", "policy": "p", "occurred_basis": "stated", "resources": "[]",
        "metadata": "{}", "spans": "[]", "text": text,
    }  # fmt: skip
    return EpisodeRow(**values)  # type: ignore[arg-type]


class Drawn:
    """Random but possible changes, and a plain account of what they leave."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.number = 0
        self.actors: dict[str, str] = {}
        self.episodes: dict[str, EpisodeRow] = {}
        self.vectors: dict[str, bytes] = {}

    def one(self) -> Change:
        kinds = ["actor"] + ["episode"] * bool(self.actors) * 3 + ["vector", "erase"] * bool(self.episodes)
        kind = self.data.draw(st.sampled_from(kinds))
        self.number += 1
        if kind == "actor":
            ref = f"ac_{self.number}"
            self.actors[ref] = self.data.draw(st.text(max_size=5))
            return ActorAdded(ref=ref, who=self.actors[ref])
        if kind == "episode":
            text = self.data.draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=10))
            made = row(
                self.number,
                self.data.draw(st.sampled_from(sorted(self.actors))),
                text,
                self.data.draw(st.sampled_from(Authority)),
            )
            self.episodes[made.id] = made
            return EpisodeStored(row=made)
        target = self.data.draw(st.sampled_from(sorted(self.episodes)))
        if kind == "vector":
            self.vectors[target] = self.data.draw(st.binary(min_size=4, max_size=8))
            return Embedded(target=target, model="m", dimensions=1, vector=self.vectors[target])
        some = self.data.draw(st.lists(st.sampled_from(sorted(self.episodes)), min_size=1, unique=True))
        for gone in some:
            del self.episodes[gone]
            self.vectors.pop(gone, None)
        return Erased(targets=tuple(some))


@settings(max_examples=60, deadline=None)
@given(st.data(), st.lists(st.integers(1, 5), min_size=1, max_size=6), st.booleans())
def test_replaying_what_was_written_gives_what_lives(
    data: st.DataObject, sizes: list[int], end: bool
) -> None:
    drawn = Drawn(data)
    blinds = iter(range(1, 10_000))
    head: Head | None = None
    bodies: list[bytes] = []
    kept: dict[int, bytes | None] = {}
    batches: list[list[Change]] = [[SpaceOpened(space_id="sp_1", owner=Owner(SpaceKind.USER, "ana"))]]
    batches += [[drawn.one() for _ in range(size)] for size in sizes]
    if end:
        batches.append([SpaceErased(space_id="sp_1", episodes=len(drawn.episodes))])
    for batch in batches:
        written = write_entries(batch, AT, lambda n: next(blinds).to_bytes(n), head)
        for body, blind in zip(written.bodies, written.blinds, strict=True):
            kept[len(bodies)] = blind
            bodies.append(body)
        head = Head("sp_1", SpaceKind.USER, "ana", written.size, written.root, written.frontier, None)

    assert head is not None
    assert head.size == len(bodies)
    tree = Frontier.empty()
    for body in bodies:
        tree = tree.append(leaf_hash(body))
    assert tree.root() == head.root

    state = State()
    for body in bodies:
        replay([parse_entry(body)], state)
    assert state.size == head.size
    assert state.space_erased == end
    if end:
        assert (state.actors, state.episodes, state.embeddings) == ({}, {}, {})
        return
    assert set(state.actors) == set(drawn.actors)
    assert {i: (live.actor, live.authority, live.status) for i, live in state.episodes.items()} == {
        i: (made.actor, made.authority, made.status) for i, made in drawn.episodes.items()
    }
    assert set(state.embeddings) == set(drawn.vectors)
    for name, live in state.episodes.items():
        blind = kept[live.seq]
        assert blind is not None
        values = committed_episode(drawn.episodes[name])
        assert commitment(blind, "episode", values).hex() == live.commit
        assert json.loads(bodies[live.seq])["target"] == name
    others = [*state.actors.values(), *state.embeddings.values()]
    assert all(kept[live.seq] is not None for live in others)
