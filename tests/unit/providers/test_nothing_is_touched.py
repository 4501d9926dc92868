"""Without a model none is imported and no socket is opened; naming one reaches nobody until it is asked."""

import subprocess
import sys
from pathlib import Path

import pytest

SDKS = ("openai", "anthropic", "httpx2", "httpcore2", "pydantic")

# Any socket, and any thread beside the first, is told; nothing in it could be caught by what it watches.
WATCHED = """
import socket, sys, threading
opened = []
def watch(event, arguments):
    if event in ("socket.__new__", "socket.connect", "socket.getaddrinfo"):
        opened.append(event)
sys.addaudithook(watch)
from affidavit import Memory
with Memory({arguments}) as memory:
    memory.add("I live in Lisbon", user_id="priya", infer={infer})
    memory.search("Lisbon", user_id="priya")
    {more}
print(opened, [name for name in sys.argv[1:] if name in sys.modules], threading.active_count())
"""


@pytest.mark.parametrize(
    "arguments, infer, more",
    [
        ("", True, "assert memory.answer('Where do I live?', user_id='priya').text == 'Lisbon'"),
        ("llm='none'", True, "assert memory.recall('Lisbon', user_id='priya').render()"),
        ("llm='openai:gpt-x'", False, "pass"),
        ("llm='anthropic:claude-x'", False, "pass"),
    ],
)
def test_no_sdk_no_socket_no_thread(tmp_path: Path, arguments: str, infer: bool, more: str) -> None:
    program = WATCHED.format(arguments=arguments, infer=infer, more=more)
    done = subprocess.run(
        [sys.executable, "-c", program, *SDKS],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.stdout.strip() == "[] [] 1"
