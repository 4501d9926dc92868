"""F22: several processes on one file lost writes or failed with a lock error."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from affidavit import Config, Memory


def test_eight_processes_add_fifty_each_to_a_file_that_none_has_made_yet(
    config: Config, start: Callable[..., Any]
) -> None:
    workers = [
        start(mode="add", mark=f"w{n}", user="ana", session="one", count=50, late=True) for n in range(8)
    ]
    for worker in workers:
        worker.expect("ready")
    for worker in workers:
        worker.go()
    told = [worker.rest() for worker in workers]
    for worker, lines in zip(workers, told, strict=True):
        assert worker.process.wait() == 0, worker.errors()
        assert lines[-1]["what"] == "closed"
        assert len(lines) == 51
    with Memory(config=config) as memory:
        page = memory.list(user_id="ana", session_id="one", limit=1_000)
        assert page.total == 400
        acknowledged = [line["ids"][0] for lines in told for line in lines[:-1]]
        assert {item.id for item in page} == set(acknowledged)
        assert memory.admin.inspect().spaces == {"user": 1}
        # One linear chain, in which each writer's own notes stand in his order.
        for n in range(8):
            own = [item.text for item in page if f"w{n}x" in item.text]
            assert own == [f"note w{n}x{i} of the day" for i in range(50)]
        places = [item.episode.seq for item in page if item.episode]
        assert places == sorted(set(places))
        verified = memory.verify()
        assert not verified.problems
        assert verified.level == 2
        assert Counter(memory.admin.inspect().rows)["episode"] == 400


def test_a_warm_reader_finds_each_note_right_after_it_was_acknowledged(
    config: Config, start: Callable[..., Any]
) -> None:
    with Memory(config=config) as memory:
        memory.add("note that was here before", user_id="ana")
        memory.search("note", user_id="ana")
        worker = start(mode="add", mark="w", user="ana", count=25)
        worker.expect("ready")
        worker.go()
        for n in range(25):
            told = worker.expect("added")
            hits = memory.search(f"wx{n}", user_id="ana", record=n % 2 == 0).hits
            assert hits[0].id == told["ids"][0]
            assert memory.get(told["ids"][0], user_id="ana").text == told["texts"][0]
            assert memory.list(user_id="ana", newest=True, limit=1).total >= n + 2
        worker.expect("closed")


def test_writers_of_different_users_do_not_meet(config: Config, start: Callable[..., Any]) -> None:
    workers = [start(mode="add", mark=f"w{n}", user=f"user {n}", count=20) for n in range(4)]
    for worker in workers:
        worker.expect("ready")
        worker.go()
    for worker in workers:
        worker.rest()
        assert worker.process.wait() == 0, worker.errors()
    with Memory(config=config) as memory:
        for n in range(4):
            texts = [item.text for item in memory.list(user_id=f"user {n}")]
            assert texts == [f"note w{n}x{i} of the day" for i in range(20)]
        assert not memory.verify().problems
