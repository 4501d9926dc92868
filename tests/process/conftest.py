"""Starting the worker beside these tests, and reading what it acknowledged."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from affidavit import Config
from tests.support_postgres import Server


@pytest.fixture
def served(postgres: Server, tmp_path: Path) -> Iterator[Config]:
    """A store in a database, whatever the other tests run on."""
    address = postgres.database()
    yield Config.load(db=address, key_dir=tmp_path / "keys", embedder="none")
    postgres.drop(address)


WORKER = Path(__file__).with_name("worker.py")


class Worker:
    """A started worker."""

    def __init__(self, config: Config, task: dict[str, Any]) -> None:
        base = {"base": str(config.home), "db": config.database, "keys": str(config.key_dir)}
        self.process = subprocess.Popen(
            [sys.executable, str(WORKER), json.dumps(base | task)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def next(self) -> dict[str, Any] | None:
        """The next thing it tells; None at its end."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else None

    def expect(self, what: str) -> dict[str, Any]:
        """The next thing, which must be this."""
        told = self.next()
        assert told is not None, self.errors()
        assert told["what"] == what
        return told

    def go(self) -> None:
        """Let it work."""
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def rest(self) -> list[dict[str, Any]]:
        """Everything it tells until its end."""
        told = []
        while (one := self.next()) is not None:
            told.append(one)
        return told

    def errors(self) -> str:
        """What it wrote to its standard error, when it has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def end(self) -> None:
        """Kill it if it still runs, and close its pipes."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def start(config: Config) -> Iterator[Callable[..., Worker]]:
    """Starts workers on this test's store; all are ended with the test."""
    workers: list[Worker] = []

    def started(**task: Any) -> Worker:
        worker = Worker(config, task)
        workers.append(worker)
        return worker

    yield started
    for worker in workers:
        worker.end()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any user can enter, as a shared one is; pytest's own are for one user, and it sees to that."""
    folder = Path(tempfile.mkdtemp(prefix="affidavit-shared-")).resolve()
    folder.chmod(0o755)
    if any(not place.stat().st_mode & 0o001 for place in folder.parents):
        folder.rmdir()
        pytest.skip("the folder for temporary files lies where only its owner may enter")
    yield folder
    for place, _, _ in os.walk(folder):
        Path(place).chmod(0o700)
    shutil.rmtree(folder)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of six megabytes, where this process may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    wanted = [str(mount), "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)]
    if mount is None or subprocess.run(wanted, check=False, capture_output=True).returncode:
        pytest.skip("no right to mount a small disk")
    yield disk
    subprocess.run([shutil.which("umount") or "umount", "-l", str(disk)], check=True)
