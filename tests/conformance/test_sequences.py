"""Whatever is done in whatever order: the store in a database gives what the one in a file gives."""

import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.store.postgres.store import PostgresStore
from affidavit.testing import Pair, Ports
from affidavit.testing.checks import paired
from affidavit.testing.house import GivenMemory
from tests.support_postgres import Server

USERS = st.sampled_from(["ana", "ben", "ÄNA", "a'; --"])
SESSIONS = st.sampled_from([None, "s1", "s2"])
SOURCES = st.sampled_from([None, "mail", "mail%", "m_il"])
SAID = st.sampled_from(
    [
        "I live in Lisbon",
        "I live in Porto now",
        "I moved to Faro in May",
        "I don't live in Porto any more",
        "I work at Acme",
        "I no longer work at Acme",
        "My sister Ana lives in Oslo",
        "I like green tea",
        "My password is hunter2 and my code is 4711",
        "我住在里斯本",
        "100% of a_b \\ c",
    ]
)
TEXTS = SAID | st.text(max_size=30)
ROLES = st.sampled_from(["user", "assistant", "tool", "mail", "system", "robot"])
QUERIES = st.sampled_from(
    ["Where do I live?", "Where do I work?", "tea", "Ana Oslo", "里斯本", "%_\\", ""]
) | st.text(max_size=20)
DATES = st.sampled_from([None, "2026-03", "2026-05-01T10:00:00+02:00", "1850", "2027-01-01", "never"])


def adds() -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.fixed_dictionaries(
        {
            "content": TEXTS,
            "role": ROLES,
            "name": st.sampled_from([None, "Bo", "Ana"]),
            "user_id": USERS,
            "session_id": SESSIONS,
            "source_id": SOURCES,
            "occurred_at": DATES,
            "idempotency_key": st.sampled_from([None, None, None, "k"]),
            "infer": st.booleans(),
        }
    ).map(lambda given: ("add", given))


def others(verb: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.fixed_dictionaries({"user_id": USERS, **fields}).map(lambda given: (verb, given))


ARGS = st.sampled_from([{"to": "Bo"}, {"to": "Lisbon"}, {"amount": 4711}])
NUMBERS = st.integers(0, 5)
STEPS = st.lists(
    adds()
    | adds()
    | others("search", query=QUERIES, as_of=DATES, limit=st.integers(1, 5))
    | others("answer", question=QUERIES, as_of=DATES)
    | others("recall", query=QUERIES)
    | others("list", limit=st.integers(1, 4), newest=st.booleans(), session_id=SESSIONS)
    | others("forget", session_id=st.sampled_from(["s1", "s2"]))
    | others("forget", source_id=st.sampled_from(["mail", "mail%"]))
    | others("forget", everything=st.just(True))
    | others("derive", where=st.sampled_from([None, {"role": "user"}]))
    | others("revoke", source_id=st.sampled_from(["mail", "m_il"]))
    | others("update", number=NUMBERS, text=SAID)
    | others("retract", number=NUMBERS)
    | others("confirm", number=NUMBERS)
    | others("endorse", number=NUMBERS)
    | others("delete", number=NUMBERS)
    | others("history", number=NUMBERS)
    | others(
        "check_action",
        tool=st.sampled_from(["transfer", "mail"]),
        args=st.sampled_from([{"to": "Bo"}, {"to": "Lisbon"}, {"amount": 4711}]),
    )
    | st.sampled_from([("seal", {}), ("rotate", {}), ("maintain", {}), ("verify", {})]),
    min_size=4,
    max_size=16,
)


def done(memory: GivenMemory, verb: str, values: dict[str, Any]) -> object:
    given = dict(values)
    if verb == "add":
        message = {"role": given.pop("role"), "content": given.pop("content"), "name": given.pop("name")}
        return memory.add({k: v for k, v in message.items() if v is not None}, **given)
    if verb == "revoke":
        return memory.sources.revoke(given.pop("source_id"), **given)
    if verb in {"seal", "maintain"}:
        return getattr(memory.admin, verb)()
    if verb == "rotate":
        return memory.admin.rotate_key()
    if "number" in given:
        number = given.pop("number")
        items = [item for item in memory.list(user_id=given["user_id"]) if item.memory or verb == "delete"]
        item = items[number % len(items)].id if items else "mem_none"
        return getattr(memory, verb)(item, *([given.pop("text")] if "text" in given else []), **given)
    return getattr(memory, verb)(**given)


@pytest.fixture(scope="module")
def database(postgres: Server) -> Iterator[str]:
    address = postgres.database()
    yield address
    postgres.drop(address)


@pytest.fixture(scope="module")
def begun(database: str):
    """Pairs over the same database, emptied for each."""
    from tests.support_postgres import connected

    def make(ports: Ports) -> PostgresStore:
        return PostgresStore(
            database, keys=ports.keys, clock=ports.clock, entropy=ports.entropy, signing=ports.signing
        )

    def pair(folder: Path) -> Pair:
        with connected(database) as conn:
            conn.execute("DROP SCHEMA IF EXISTS affidavit CASCADE")
        return paired(make, folder, rows=False)

    return pair


def run(pair: Pair, steps: list[tuple[str, dict[str, Any]]]) -> None:
    for number, (verb, values) in enumerate(steps):
        pair.do(f"{number} {verb} {values}", partial(done, verb=verb, values=values), seconds=3600)
    pair.compare_rows("all steps")
    assert not pair.do("verified", lambda memory: memory.verify())["gave"]["problems"]


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_any_sequence(begun, steps: list[tuple[str, dict[str, Any]]]) -> None:
    folder = Path(tempfile.mkdtemp())
    pair = begun(folder)
    try:
        run(pair, steps)
    finally:
        pair.close()
        shutil.rmtree(folder)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(steps=STEPS)
def test_many_sequences(begun, steps: list[tuple[str, dict[str, Any]]]) -> None:
    test_any_sequence.hypothesis.inner_test(begun, steps)  # type: ignore[attr-defined]
