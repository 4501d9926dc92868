"""A server that is killed, connections that break, and an older dump put back: nothing acknowledged is lost unseen."""

import os
import re
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from affidavit import Config, Memory
from affidavit.core.authority import SpaceKind
from affidavit.core.values import Owner
from affidavit.errors import KeyStoreError, StoreError, StorePlaceError, StoreReadOnlyError
from affidavit.proof.verify_result import Code
from tests.process.conftest import Worker
from tests.support_postgres import OWNER, Server, server


@pytest.fixture
def config(served: Config) -> Config:
    return served


@pytest.fixture
def own(postgres: Server) -> Iterator[Server]:
    """A server of the test's own, to be killed. It writes to its disk as one in use does."""
    with server(fsync="on") as running:
        yield running


def own_config(own: Server, tmp_path: Path, **more: Any) -> Config:
    return Config.load(db=own.database(), key_dir=tmp_path / "keys", embedder="none", **more)


@pytest.mark.parametrize("acknowledged", [20, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 60))])
def test_what_was_acknowledged_survives_a_killed_server(
    own: Server, tmp_path: Path, acknowledged: int
) -> None:
    config = own_config(own, tmp_path)
    workers = [
        Worker(
            config,
            {"mode": "add", "mark": f"w{n}", "user": user, "count": 100_000, "config": {"busy_timeout_s": 1}},
        )
        for n, user in enumerate(["ana", "ana", "ben"])
    ]
    try:
        for worker in workers:
            worker.expect("ready")
            worker.go()
        told = [[worker.expect("added") for _ in range(acknowledged)] for worker in workers]
        own.kill()
        for worker, lines in zip(workers, told, strict=True):
            lines.extend(worker.rest())
            assert worker.process.wait() != 0
            assert "StorePlaceError" in worker.errors()
    finally:
        for worker in workers:
            worker.end()
    own.start()
    with Memory(config=config) as memory:
        kept = {one.id for user in ("ana", "ben") for one in memory.list(user_id=user, limit=1_000)}
        assert {line["ids"][0] for lines in told for line in lines} <= kept
        verified = memory.verify()
        assert (verified.level, verified.problems) == (2, ())
        memory.add("and it goes on", user_id="ana")


def test_a_process_goes_on_after_its_server_was_away(own: Server, tmp_path: Path) -> None:
    config = own_config(own, tmp_path, busy_timeout_s=1)
    with Memory(config=config) as memory:
        memory.add("the violet key", user_id="ana")
        assert memory.search("violet", user_id="ana").hits
        own.kill()
        for call in (lambda: memory.add("lost", user_id="ana"), lambda: memory.list(user_id="ana")):
            with pytest.raises(StorePlaceError, match="can't be reached"):
                call()
        own.start()
        memory.add("and on", user_id="ana")
        assert memory.search("violet", user_id="ana").hits
        assert [one.text for one in memory.list(user_id="ana")] == ["the violet key", "and on"]
        assert memory.verify().problems == ()


def test_connections_that_broke_while_they_lay_in_the_pool_are_replaced(
    config: Config, postgres: Server
) -> None:
    with Memory(config=config) as memory:
        memory.add("one", user_id="ana")
        for n in range(5):
            postgres.run(_ALL_BUT_OWN)
            memory.add(f"more {n}", user_id="ana")
        assert memory.list(user_id="ana").total == 6


_ALL_BUT_OWN = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    f" WHERE usename = '{OWNER}' AND pid <> pg_backend_pid()"
)


def test_a_connection_lost_before_the_end_leaves_nothing(config: Config, postgres: Server) -> None:
    with Memory(config=config) as memory:
        memory.add("one", user_id="ana")
        store = memory._rooms.store
        space = store.open_space(Owner(SpaceKind.USER, "ana"))

        def prepared(_: object) -> tuple[()]:
            postgres.run(_ALL_BUT_OWN)
            return ()

        with pytest.raises(StorePlaceError):
            store.commit(space.space_id, prepared)
        with store.snapshot() as reads:
            assert reads.head(space.space_id) == space
        memory.add("two", user_id="ana")
        assert memory.verify().problems == ()


class Wire:
    """Stands between a client and the server, and can be cut when the client commits."""

    def __init__(self, server_folder: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="afwire"))
        self._server = str(server_folder / ".s.PGSQL.5432")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.folder / ".s.PGSQL.5432"))
        self._listening.listen()
        self._sockets = [self._listening]
        self._threads: list[threading.Thread] = []
        self.cut: str | None = None
        """`before` or `after` the server gets the next COMMIT; None: not at all."""
        self._run(self._accept)

    def _run(self, work: Callable[..., None], *what: object) -> None:
        self._threads.append(threading.Thread(target=work, args=what))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                remote = socket.socket(socket.AF_UNIX)
                remote.connect(self._server)
                self._sockets += [client, remote]
                state: dict[str, bool] = {}
                self._run(self._up, client, remote, state)
                self._run(self._down, remote, client, state)

    def _up(self, client: socket.socket, remote: socket.socket, state: dict[str, bool]) -> None:
        with suppress(OSError):
            while data := client.recv(65_536):
                if self.cut and b"COMMIT\0" in data:
                    how, self.cut = self.cut, None
                    if how == "before":
                        client.shutdown(socket.SHUT_RDWR)
                        remote.shutdown(socket.SHUT_RDWR)
                        return
                    state["deaf"] = True
                remote.sendall(data)
        with suppress(OSError):
            remote.shutdown(socket.SHUT_RDWR)

    def _down(self, remote: socket.socket, client: socket.socket, state: dict[str, bool]) -> None:
        with suppress(OSError):
            while data := remote.recv(65_536):
                if state.get("deaf"):  # it has answered: it is committed
                    client.shutdown(socket.SHUT_RDWR)
                    remote.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(data)
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for one in self._sockets:
            one.close()
        shutil.rmtree(self.folder)


@pytest.fixture
def wire(postgres: Server) -> Iterator[Wire]:
    made = Wire(postgres.folder)
    yield made
    made.close()


@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_connection_lost_during_commit_is_never_acknowledged_and_said_again_is_once(
    config: Config, postgres: Server, wire: Wire, cut: str
) -> None:
    address = config.database.replace(str(postgres.folder), str(wire.folder))
    with Memory(config=Config.load(db=address, key_dir=config.key_dir, embedder="none")) as memory:
        memory.add("one", user_id="ana")
        wire.cut = cut
        with pytest.raises(StorePlaceError, match="whether it happened is not known") as caught:
            memory.add("two", user_id="ana", idempotency_key="k", infer=False)
        assert "idempotency_key" in caught.value.hint
        there = [one.text for one in memory.list(user_id="ana")]
        assert there == (["one"] if cut == "before" else ["one", "two"])
        again = memory.add("two", user_id="ana", idempotency_key="k", infer=False)
        assert len(again.episodes) == (1 if cut == "before" else 0)
        assert len(again.repeated) == (0 if cut == "before" else 1)
        assert [one.text for one in memory.list(user_id="ana")] == ["one", "two"]
        verified = memory.verify()
        assert (verified.level, verified.problems) == (2, ())


@pytest.mark.parametrize("grown", [False, True])
def test_an_older_dump_put_back_is_told(
    config: Config, postgres: Server, tmp_path: Path, grown: bool
) -> None:
    dump = postgres.folder / "dump"
    as_super = config.database.replace(f"{OWNER}@", "postgres@")
    with Memory(config=config) as memory:
        memory.add("one", user_id="ana")
    postgres.program("pg_dump", "-Fc", "-f", str(dump), as_super)
    with Memory(config=config) as memory:
        memory.add("two", user_id="ana")
        marks = memory.verify().marks
    postgres.run(f"DROP DATABASE {_name(config.database)} WITH (FORCE)")
    postgres.run(f"CREATE DATABASE {_name(config.database)} OWNER {OWNER}")
    postgres.program("pg_restore", "-d", as_super, str(dump))
    dump.unlink()
    with Memory(config=config) as memory:
        assert Code.ROLLED_BACK in {problem.code for problem in memory.verify().problems}
        assert Code.ROLLED_BACK in {problem.code for problem in memory.verify(since=marks).problems}
        with pytest.raises(KeyStoreError, match="older"):
            memory.add("three", user_id="ana")
        assert [one.text for one in memory.list(user_id="ana")] == ["one"]
        memory._rooms.store.close()
    with Memory(config=config) as memory:
        memory.admin.accept_copy()
        if grown:
            memory.add("three", user_id="ana")
        assert memory.verify().level == 2
        expected = Code.FORK if grown else Code.ROLLED_BACK
        assert expected in {problem.code for problem in memory.verify(since=marks).problems}


def _name(address: str) -> str:
    found = re.search(r"@/(\w+)\?", address)
    assert found is not None
    return found[1]


def test_a_dump_that_is_the_newest_is_in_order(config: Config, postgres: Server) -> None:
    dump = postgres.folder / "dump"
    as_super = config.database.replace(f"{OWNER}@", "postgres@")
    with Memory(config=config) as memory:
        memory.add("one", user_id="ana")
    postgres.program("pg_dump", "-Fc", "-f", str(dump), as_super)
    postgres.run(f"DROP DATABASE {_name(config.database)} WITH (FORCE)")
    postgres.run(f"CREATE DATABASE {_name(config.database)} OWNER {OWNER}")
    postgres.program("pg_restore", "-d", as_super, str(dump))
    dump.unlink()
    with Memory(config=config) as memory:
        assert memory.verify().level == 2
        memory.add("two", user_id="ana")
    with Memory(config=config) as memory:
        verified = memory.verify()
        assert (verified.level, verified.problems) == (2, ())


def test_a_role_that_may_only_read(config: Config, postgres: Server) -> None:
    with Memory(config=config) as memory:
        memory.add("the violet key", user_id="ana")
    reader = f"reader_{_name(config.database)}"
    postgres.run(f"CREATE ROLE {reader} LOGIN")
    as_super = config.database.replace(f"{OWNER}@", "postgres@")
    with psycopg.connect(as_super, autocommit=True) as conn:
        conn.execute(f"GRANT USAGE ON SCHEMA affidavit TO {reader}".encode())
        conn.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA affidavit TO {reader}".encode())
    address = config.database.replace(f"{OWNER}@", f"{reader}@")
    memory = Memory(config=Config.load(db=address, key_dir=config.key_dir, embedder="none"))
    found = memory.search("violet", user_id="ana")
    assert (found.hits[0].text, found.trace_id) == ("the violet key", None)
    assert memory.admin.inspect().read_only
    assert memory.verify().level == 2
    for write in (
        lambda: memory.add("x", user_id="ana"),
        lambda: memory.forget(user_id="ana", everything=True),
    ):
        with pytest.raises(StoreReadOnlyError, match="can only be read"):
            write()
    memory.close()
    with psycopg.connect(as_super, autocommit=True) as conn:
        conn.execute(f"DROP OWNED BY {reader}".encode())
    postgres.run(f"DROP ROLE {reader}")


def test_a_standby_can_be_read_and_verified(own: Server, tmp_path: Path) -> None:
    config = own_config(own, tmp_path)
    with Memory(config=config) as memory:
        memory.add("the violet key", user_id="ana")
        with own.standby() as standby:
            memory.add("after it was made", user_id="ana")
            address = config.database.replace(str(own.folder), str(standby.folder))
            behind = Config.load(db=address, key_dir=config.key_dir, embedder="none")
            standby.caught_up(own)
            copy = Memory(config=behind)
            assert copy.admin.inspect().read_only
            assert copy.list(user_id="ana").total == 2
            assert copy.search("violet", user_id="ana").hits
            assert copy.verify().level == 2
            with pytest.raises(StoreReadOnlyError):
                copy.add("x", user_id="ana")
            copy.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_has_connections_of_its_own(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add("before", user_id="ana")
        readable, writable = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            with suppress(BaseException):
                memory.add("in the child", user_id="ana")
                memory._rooms.store.close()
                code = 0
            os.write(writable, bytes([code]))
            os._exit(code)
        memory.add("in the parent", user_id="ana")
        assert os.read(readable, 1) == b"\0"
        os.waitpid(child, 0)
        os.close(readable)
        os.close(writable)
        memory.add("after", user_id="ana")
        assert sorted(one.text for one in memory.list(user_id="ana")) == [
            "after", "before", "in the child", "in the parent"
        ]  # fmt: skip
        assert memory.verify().problems == ()


def test_a_call_that_fails_leaves_the_connection_fit(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add("one", user_id="ana")
        for _ in range(40):  # more often than there are connections
            with pytest.raises(StoreError), memory._rooms.store.raw() as conn:
                conn.execute("SELECT nothing FROM nowhere")
        assert memory.list(user_id="ana").total == 1


def stopped(call: Callable[[], object]) -> None:
    with pytest.raises(KeyboardInterrupt):
        call()


def test_ctrl_c_in_the_middle_leaves_nothing_half_done(config: Config) -> None:
    with Memory(config=config) as memory:
        memory.add("one", user_id="ana")
        store = memory._rooms.store
        space = store.open_space(Owner(SpaceKind.USER, "ana"))

        def prepared(_: object) -> tuple[()]:
            raise KeyboardInterrupt

        for _ in range(20):
            stopped(lambda: store.commit(space.space_id, prepared))
        memory.add("two", user_id="ana")
        assert memory.verify().problems == ()
