"""The index of a space with memories catches up by reading entries: what it finds is what a fresh one finds."""

import numpy as np
import pytest

from affidavit import Memory
from affidavit.core.changes import StatusSet
from tests.support_memories import Remembering, admitted

QUESTIONS = ("Where do I live?", "tea", "What does the user like?", "Who is Rui?", "opera in May")


class Letters:
    """Vectors that count letters: unlike texts are unlike, and nothing is downloaded."""

    name = "letters-1"
    dimensions = 26

    def embed(self, texts):
        rows = np.array([[text.lower().count(chr(97 + n)) + 0.01 for n in range(26)] for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def seen(memory):
    return [
        [
            (
                hit.id,
                hit.kind,
                hit.score,
                hit.standing,
                hit.superseded_by,
                hit.authority,
                hit.memory and hit.memory.to_dict(),
            )
            for hit in memory.search(question, user_id="ana", limit=20, record=False)
        ]
        for question in QUESTIONS
    ]


@pytest.mark.parametrize("embedder", [None, Letters()], ids=["words", "vectors"])
def test_step_by_step_is_as_if_read_at_once(config, clock, embedder):
    with Memory(config=config, clock=clock, embedder=embedder) as memory:
        ana = Remembering(memory, "ana", infer=False)

        def check():
            clock.forward(seconds=60)
            now = clock.us
            live = seen(memory)
            clock.us = now
            memory._rooms.reading.indexes.drop(ana.space_id)
            assert seen(memory) == live

        home = ana.lives_in("Lisbon")
        check()
        ana.remember("I like tea", relation="like", object="tea", text="The user likes tea.")
        check()
        new = ana.lives_in("Porto", "I moved to Porto")
        check()
        ana.lives_in("Porto", "I do live in Porto")  # a further support
        check()
        ana.remember(
            {"role": "tool", "content": "home: Faro"},
            relation="home",
            object="Faro",
            text="The user lives in Faro.",
        )
        check()
        for version, status in ((new, "retracted"), (home, "quarantined"), (new, "active")):
            row = ana.item(version)
            assert row is not None
            ana.store.commit(
                ana.space_id,
                [StatusSet(target=version, authority=row.authority, status=status, reason="released")],
            )
            check()
        said = ana.say("I went to the opera in May with Rui")
        ana.store.commit(
            ana.space_id,
            [StatusSet(target=said.id, authority=said.authority, status="quarantined", reason="revoked")],
        )
        check()
        ana.verified()


def test_a_memory_is_found_by_the_meaning_of_what_it_quotes(config, clock):
    with Memory(config=config, clock=clock, embedder=Letters()) as memory:
        ana = Remembering(memory, "ana", infer=False)
        ana.say("Nothing of the kind")
        version = ana.remember("abracadabra", text="The user casts a spell.")
        [first, *_] = memory.search("abra cada bra", user_id="ana", kinds=["fact"], explain=True).hits
        assert first.memory is not None
        assert first.memory.version_id == version
        assert first.explain is not None
        assert first.explain["meaning"] > 0.2


def test_a_version_of_two_messages_is_found_through_either(config, clock):
    with Memory(config=config, clock=clock) as memory:
        ana = Remembering(memory, "ana", infer=False)
        one, two = ana.say("The boiler is loud"), ana.say("It wakes Rui at night")
        ana.take(admitted(one, two, text="The boiler wakes Rui."))
        for question, left_out in (("loud boiler", one), ("Who wakes at night?", two), ("boiler Rui", None)):
            hits = {hit.text: hit for hit in memory.search(question, user_id="ana").hits}
            hit = hits.pop("The boiler wakes Rui.")
            assert {quote.episode_id for quote in hit.evidence} == {one.id, two.id}
            # What the memory does not say itself is shown as it was said.
            assert list(hits) == ([] if left_out is None else [left_out.text])
