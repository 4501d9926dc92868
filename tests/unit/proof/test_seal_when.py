"""When a store is sealed: at its birth, at its end, now and then while a process lives, and by a sealer."""

from dataclasses import replace

from affidavit import Memory
from affidavit.proof.places import Places


def seals(memory):
    with memory._rooms.store.snapshot() as reads:
        return len(reads.seals())


def test_a_new_store_is_known_beside_its_key_at_once(config, clock):
    memory = Memory(config=config, clock=clock)
    store = memory._rooms.store
    assert memory._rooms.keys.checkpoint(store.store_id) is not None
    assert Places(config.key_dir).other_store(store.place, "st_" + "0" * 32) is not None
    memory._rooms.store.close()


def test_a_process_that_writes_on_seals_every_ten_minutes(config, clock):
    with Memory(config=config, clock=clock) as memory:
        first = seals(memory)
        memory.add("one", user_id="u")
        assert seals(memory) == first
        clock.forward(seconds=601)
        memory.add("two", user_id="u")
        assert seals(memory) == first + 1
        memory.add("three", user_id="u")
        assert seals(memory) == first + 1


def test_a_store_signed_at_seals_gets_its_key_from_its_first_sealer(config, clock):
    with Memory(config=replace(config, signing="later"), clock=clock) as worker:
        worker.add("said while no key is here", user_id="u")
        assert worker.admin.seal() is None
        assert (worker.verify().level, worker.verify().ok) == (1, True)
    with Memory(config=config, clock=clock) as sealer:
        assert sealer.admin.seal() is not None
        assert sealer.verify().level == 2
