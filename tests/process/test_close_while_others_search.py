"""Closing a `Memory` while other threads use it: they get a clear error, and the process lives."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys, threading, time
from affidavit import Memory
from affidavit.errors import StoreError
with Memory(sys.argv[1]) as memory:
    memory.add([f"ships {number}" for number in range(500)], user_id="a")
wrong = []
for _ in range(20):
    memory = Memory(sys.argv[1])
    going = threading.Barrier(4)
    def work():
        going.wait()
        try:
            while True:
                memory.search("ships", user_id="a")
                memory.add("y", user_id="b")
        except StoreError as error:
            if "closed" not in str(error):
                wrong.append(error)
        except BaseException as error:
            wrong.append(error)
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    going.wait()
    memory.search("ships", user_id="a")
    memory.close()
    for thread in threads:
        thread.join()
with Memory(sys.argv[1]) as memory:
    assert memory.verify().level == 2
assert not wrong, wrong
"""


def test_threads_that_search_while_the_memory_is_closed_get_an_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "m.db")],
        env={**os.environ, "PYTHONFAULTHANDLER": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
