"""A search's trace is written in its snapshot where the space is as it was then, and after it where it is not."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from affidavit import Config, Memory
from affidavit.store.postgres.store import PostgresStore
from affidavit.store.protocol import Trace


@pytest.fixture
def config(served: Config) -> Config:
    return served


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Has something done between what a search reads and the saving of its trace, once."""

    def do(what: Callable[[], object]) -> None:
        save = PostgresStore.save_trace

        def after(self: PostgresStore, trace: Trace) -> bool:
            monkeypatch.setattr(PostgresStore, "save_trace", save)
            what()
            return save(self, trace)

        monkeypatch.setattr(PostgresStore, "save_trace", after)

    return do


def kept(config: Config) -> set[str]:
    with psycopg.connect(config.database) as conn:
        conn.execute("SELECT set_config('affidavit.spaces', '*', true)")
        return {row[0] for row in conn.execute("SELECT id FROM affidavit.trace")}


def statements(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    told: list[Any] = []
    execute = psycopg.Connection.execute

    def telling(self: Any, query: Any, *values: Any, **options: Any) -> Any:
        told.append(query.decode() if isinstance(query, bytes) else query)
        return execute(self, query, *values, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", telling)
    return told


def test_a_search_is_one_transaction(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(config=config) as memory:
        memory.add("the gate code is on the blue card", user_id="ana")
        memory.search("gate", user_id="ana")
        told = statements(monkeypatch)
        found = memory.search("gate code", user_id="ana")
        ends = [line.split()[0] for line in told if line.startswith(("BEGIN", "COMMIT", "ROLLBACK"))]
    assert ends == ["BEGIN", "COMMIT"]
    assert found.trace_id in kept(config)


def test_it_is_kept_where_another_wrote_meanwhile(config: Config, meanwhile: Callable[..., None]) -> None:
    with Memory(config=config) as memory, Memory(config=config) as other:
        memory.add("the gate code is on the blue card", user_id="ana")
        meanwhile(lambda: other.add("more", user_id="ana"))
        found = memory.search("gate", user_id="ana")
        assert len(found.hits) == 1
        assert found.trace_id in kept(config)


def test_it_brings_nothing_back_that_was_erased_meanwhile(
    config: Config, meanwhile: Callable[..., None]
) -> None:
    with Memory(config=config) as memory, Memory(config=config) as other:
        said = memory.add("the gate code is 4711", user_id="ana").episodes[0]
        meanwhile(lambda: other.forget(user_id="ana", episode_id=said.id))
        assert memory.search("gate", user_id="ana").hits
        memory.add("the next write takes waiting traces along", user_id="ana")
        assert kept(config) == set()


def test_it_brings_no_space_back(config: Config, meanwhile: Callable[..., None]) -> None:
    with Memory(config=config) as memory, Memory(config=config) as other:
        memory.add("the gate code is 4711", user_id="ana")
        meanwhile(lambda: other.forget(user_id="ana", everything=True))
        assert memory.search("gate", user_id="ana").hits
        assert kept(config) == set()


def test_what_stands_in_another_space_is_looked_for_there(
    config: Config, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[..., None]
) -> None:
    with Memory(config=config) as memory, Memory(config=config) as other:
        memory.add("my own card is blue", user_id="ana")
        said = memory.add("the gate code is on the blue card", agent_id="guard").episodes[0]
        found = memory.search("blue card", user_id="ana", agent_id="guard")
        assert {hit.episode.space_id for hit in found.hits if hit.episode} != {found.plan["spaces"][0]}
        assert found.trace_id in kept(config)
        meanwhile(lambda: other.forget(agent_id="guard", episode_id=said.id))
        found = memory.search("blue card", user_id="ana", agent_id="guard")
        assert said.id in {hit.id for hit in found.hits}
        assert found.trace_id not in kept(config)


def test_while_another_writes_it_waits(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(config=config) as memory:
        memory.add("the gate code is on the blue card", user_id="ana")
        memory.search("gate", user_id="ana")
        told = statements(monkeypatch)
        with psycopg.connect(config.database) as holder:
            holder.execute("SELECT id FROM affidavit.space FOR UPDATE")
            found = memory.search("gate code", user_id="ana")
            assert found.hits
            assert found.trace_id not in kept(config)
        # Neither waited for in the snapshot nor lost.
        assert any("SKIP LOCKED" in line for line in told)
        again = memory.search("blue card", user_id="ana")
        assert {found.trace_id, again.trace_id} <= kept(config)


def test_as_often_as_it_may_have_to_wait_the_connection_stays_good(config: Config) -> None:
    """A driver that takes for prepared what came behind a failure fails the next write."""
    with Memory(config=config) as memory:
        memory.add("the gate code is on the blue card", user_id="ana")
        waiting = set()
        for _ in range(3):
            with psycopg.connect(config.database) as holder:
                holder.execute("SELECT id FROM affidavit.space FOR UPDATE")
                waiting |= {memory.search("gate code", user_id="ana").trace_id for _ in range(4)}
            memory.add("more", user_id="ana")
            waiting |= {memory.search("gate", user_id="ana").trace_id for _ in range(8)}
        assert len(waiting) == 36
        assert waiting == kept(config)
