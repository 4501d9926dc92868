"""One `Memory`, used by forked children and by many threads at once."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from affidavit import Config, Memory
from tests.support_sqlite import file_store

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


def in_child(work: object) -> int:
    """Run a function in a forked child; its process id."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()  # type: ignore[operator]
        code = 0
    except BaseException as error:
        print(repr(error), file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def wait(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@needs_fork
def test_forked_children_and_the_parent_write_and_find(memory: Memory) -> None:
    memory.add("from before the fork", user_id="ana")
    memory.search("fork", user_id="ana")

    def work(n: int) -> None:
        for i in range(10):
            memory.add(f"child {n} note {i}", user_id="ana")
            assert memory.search(f"child {n} note {i}", user_id="ana").hits
        assert memory.search("from before the fork", user_id="ana").hits

    pids = [in_child(lambda n=n: work(n)) for n in range(4)]
    for i in range(10):
        memory.add(f"parent note {i}", user_id="ana")
    assert [wait(pid) for pid in pids] == [0] * 4
    texts = {item.text for item in memory.list(user_id="ana", limit=1_000)}
    assert len(texts) == 51
    assert memory.search("child 3 note 9", user_id="ana").hits[0].text == "child 3 note 9"
    assert not memory.verify().problems


@needs_fork
def test_a_child_that_closes_or_just_ends_leaves_the_parents_store_whole(
    memory: Memory, config: Config
) -> None:
    memory.add("one", user_id="ana")

    def work() -> None:
        memory.add("two", user_id="ana")
        memory.close()

    assert wait(in_child(work)) == 0
    assert wait(in_child(lambda: None)) == 0
    assert wait(in_child(memory.close)) == 0
    memory.add("three", user_id="ana")
    with Memory(config=config) as other:
        assert [item.text for item in other.list(user_id="ana")] == ["one", "two", "three"]
        assert not other.verify().problems


@needs_fork
def test_a_child_erases_and_the_parent_finds_it_no_more(memory: Memory) -> None:
    memory.add("the violet key", user_id="ana", session_id="s")
    memory.add("the green key", user_id="ana")
    assert len(memory.search("key", user_id="ana").hits) == 2
    assert wait(in_child(lambda: memory.forget(user_id="ana", session_id="s"))) == 0
    assert [hit.text for hit in memory.search("key", user_id="ana")] == ["the green key"]
    assert not memory.verify().problems


def test_eight_threads_add_and_search_at_once(memory: Memory) -> None:
    start = threading.Barrier(8)

    def work(n: int) -> None:
        start.wait()
        for i in range(15):
            memory.add(f"thread {n} note {i}", user_id="ana" if n % 2 else f"user {n}")
            owner = "ana" if n % 2 else f"user {n}"
            assert memory.search(f"thread {n} note {i}", user_id=owner, limit=1_000).hits
            memory.list(user_id=owner)

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(work, n) for n in range(8)]:
            done.result()
    assert memory.list(user_id="ana").total == 60
    assert memory.admin.inspect().rows["episode"] == 120
    assert not memory.verify().problems


@pytest.mark.file
def test_threads_that_end_leave_no_connection_open(memory: Memory) -> None:
    for n in range(30):
        thread = threading.Thread(target=lambda n=n: memory.add(f"note {n}", user_id="ana"))
        thread.start()
        thread.join()
    assert memory.list(user_id="ana").total == 30
    assert len(file_store(memory)._connections._open) <= 3
