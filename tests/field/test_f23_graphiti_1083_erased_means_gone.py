"""F23: what was erased stayed in terms, vectors, caches, logs or the file's free pages."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from affidavit import Config, Memory
from affidavit.errors import NotFoundError
from affidavit.proof.statements import check_statement
from affidavit.write.documents import Document
from tests.support_sqlite import file_store
from tests.support_stores import assert_physical

Left = Callable[[Iterable[str]], dict[str, list[str]]]


class Words:
    """An embedder of 16 dimensions made of nothing but hashes."""

    name = "words-16"
    dimensions = 16

    def embed(self, texts: Sequence[str]) -> Any:
        rows = [np.frombuffer(sha256(text.encode()).digest()[:16], np.uint8) for text in texts]
        matrix = np.array(rows, dtype=np.float32) + 1
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def canaries(mark: str) -> dict[str, str]:
    names = (
        "content", "name", "key", "value", "session", "source", "sourceid", "idempotency", "event",
        "resource", "argument", "document", "heading", "short",
    )  # fmt: skip
    return {name: f"{mark}zq7{name}kx4" for name in names} | {"short": f"z{mark}9!"}


def tell(memory: Memory, mark: str, *, user: str, agent: str | None = None) -> dict[str, str]:
    """Leave a canary in everything that `add` takes; the canaries."""
    c = canaries(mark)
    who: dict[str, Any] = {"user_id": user, "agent_id": agent}
    memory.add(
        [
            {"role": "user", "content": f"{c['content']} and {c['short']}", "name": c["name"]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"function": {"name": "f", "arguments": f'{{"a": "{c["argument"]}"}}'}}],
            },
        ],
        session_id=c["session"],
        source=c["source"],
        source_id=c["sourceid"],
        idempotency_key=c["idempotency"],
        event_type=c["event"],
        resources=[c["resource"]],
        metadata={c["key"]: c["value"]},
        **who,
    )
    memory.add(
        document=Document(
            text=f"# {c['heading']}\n\n{c['content']} again", name=c["document"], markdown=True
        ),
        session_id=c["session"],
        source_id=c["sourceid"],
        **who,
    )
    memory.search(f"{c['content']} {c['short']} again", **who)
    return c


@pytest.fixture
def erasing(config: Config, clock: Any) -> Iterator[Memory]:
    with Memory(config=replace(config, keep_queries=True), clock=clock, embedder=Words()) as memory:
        yield memory


@pytest.mark.parametrize("by", ["user", "session", "source", "episode", "actor"])
def test_no_trace_is_left_and_the_others_are_whole(erasing: Memory, left_on_disk: Left, by: str) -> None:
    memory = erasing
    gone = tell(memory, "gone", user="goneuser", agent="helper" if by == "user" else None)
    kept = tell(memory, "kept", user="keptuser")
    own = tell(memory, "own", user="goneuser") if by != "user" else {}
    assert set(left_on_disk(gone.values())) == set(gone.values())
    before = memory.list(user_id="keptuser")
    own_before = [item for item in memory.list(user_id="goneuser") if "own" in repr(item)]

    episodes = [
        item
        for item in memory.list(user_id="goneuser")
        if item.episode and item.episode.session_id == gone["session"]
    ]
    receipts = []
    if by == "user":
        receipts = [memory.forget(user_id="goneuser", everything=True)]
    elif by == "session":
        receipts = [memory.forget(user_id="goneuser", session_id=gone["session"])]
    elif by == "source":
        receipts = [memory.forget(user_id="goneuser", source_id=gone["sourceid"])]
    elif by == "episode":
        receipts = [memory.forget(user_id="goneuser", episode_id=item.id) for item in episodes]
    else:
        said = [gone["name"], f"person:{gone['document']}"]
        receipts = [memory.forget(user_id="goneuser", actor=name) for name in said]

    if by == "actor":
        assert not left_on_disk([gone["name"], gone["short"], gone["heading"], gone["document"]])
    else:
        assert not left_on_disk(gone.values())
        assert sum(receipt.episodes for receipt in receipts) == 3
    if by == "user":
        assert not left_on_disk(["goneuser"])

    assert memory.list(user_id="keptuser") == before
    assert set(left_on_disk(kept.values())) == set(kept.values())
    assert kept["content"] in memory.search(kept["content"], user_id="keptuser").hits[0].text
    found = memory.search(f"{gone['heading']} {gone['content']} again", user_id="goneuser", limit=100)
    assert not [hit for hit in found if gone["heading"] in repr(hit)]
    if own:
        assert [item for item in memory.list(user_id="goneuser") if "own" in repr(item)] == own_before
    verified = memory.verify()
    assert not verified.problems
    assert verified.level == 2
    for receipt in receipts:
        assert receipt.erased_at is not None
        assert_physical(memory, receipt)
        for space in receipt.spaces:
            assert space.note is not None
            stated = check_statement(space.note, memory._rooms.keys.public_keys())
            assert not isinstance(stated, str)
            assert (stated.size, stated.root) == (space.size, space.root)
            assert f"episodes {space.episodes}" in stated.lines
            assert not [name for name in gone.values() if name in repr(receipt)]


def test_the_vector_of_another_who_says_the_same_is_no_residue(config: Config) -> None:
    with Memory(config=config, embedder=Words()) as memory:
        for user in ("ana", "ben"):
            memory.add("The gate code is on the blue card", user_id=user, session_id="s1")
        assert_physical(memory, memory.forget(user_id="ben", session_id="s1"))
        assert memory.search("gate code", user_id="ana").hits


def test_a_receipt_that_was_touched_does_not_verify(memory: Memory) -> None:
    memory.add("hello", user_id="ana")
    note = memory.forget(user_id="ana", everything=True).spaces[0].note
    assert note is not None
    keys = memory._rooms.keys.public_keys()
    assert not isinstance(check_statement(note, keys), str)
    assert isinstance(check_statement(note.replace("episodes 1", "episodes 0"), keys), str)
    assert isinstance(check_statement(note, []), str)


@pytest.mark.file
def test_while_others_read_the_bytes_wait_and_clean_finishes(erasing: Memory, left_on_disk: Left) -> None:
    memory = erasing
    gone = tell(memory, "gone", user="goneuser")
    tell(memory, "kept", user="keptuser")
    path = memory.admin.inspect().path
    reader = sqlite3.connect(path, isolation_level=None)
    try:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM episode").fetchone()
        receipt = memory.forget(user_id="goneuser", everything=True)
        assert receipt.physical_at is None
        assert receipt.spaces[0].note is not None
        assert "physical_at pending" in receipt.spaces[0].note
        assert memory.list(user_id="goneuser").total == 0
        assert memory.admin.clean() == []
        assert memory.admin.inspect().waiting["clean"] == 1
    finally:
        reader.close()
    (finished,) = memory.admin.clean()
    assert finished.physical_at is not None
    assert (finished.episodes, finished.erased_at) == (receipt.episodes, receipt.erased_at)
    assert not left_on_disk([*gone.values(), "goneuser"])
    assert memory.admin.clean() == []
    assert "clean" not in memory.admin.inspect().waiting
    assert not memory.verify().problems


def test_a_crash_between_erasing_and_cleaning_is_finished_later(
    erasing: Memory, config: Config, left_on_disk: Left, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tell(erasing, "gone", user="goneuser")
    tell(erasing, "kept", user="keptuser")

    def killed(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("affidavit.privacy.clean.Cleaner.clean", killed)
        with pytest.raises(KeyboardInterrupt):
            erasing.forget(user_id="goneuser", everything=True)
    assert erasing.list(user_id="goneuser").total == 0
    with pytest.raises(NotFoundError):
        erasing.forget(user_id="goneuser", everything=True)
    with Memory(config=config) as other:
        (receipt,) = other.admin.clean()
        assert receipt.episodes == 3
        assert not left_on_disk([*gone.values(), "goneuser"])


def test_an_interrupted_erasure_over_several_spaces_is_finished_by_running_it_again(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.add("in the team", user_id="ana", team_id="ops")
    memory.add("of my own", user_id="ana")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("affidavit.privacy.erase.Eraser._erase_whole", killed)
        with pytest.raises(KeyboardInterrupt):
            memory.forget(user_id="ana", everything=True)
    assert memory.list(user_id="ana").total == 1
    assert memory.forget(user_id="ana", everything=True).episodes == 1
    assert memory.list(team_id="ops").total == 0
    assert not memory.verify().problems


def test_another_process_with_a_warm_index_finds_it_no_more(memory: Memory, config: Config) -> None:
    said = memory.add("the violet key", user_id="ana", session_id="s").episodes[0]
    memory.add("the green key", user_id="ana")
    with Memory(config=config) as other:
        assert {hit.text for hit in other.search("key", user_id="ana")} == {"the violet key", "the green key"}
        memory.forget(user_id="ana", episode_id=said.id)
        assert [hit.text for hit in other.search("violet key", user_id="ana")] == ["the green key"]
        with pytest.raises(NotFoundError):
            other.get(said.id, user_id="ana")
        memory.forget(user_id="ana", everything=True)
        assert other.search("key", user_id="ana").hits == ()


def test_what_a_dry_run_said_leaves_nothing(memory: Memory, left_on_disk: Left) -> None:
    memory.add("anything", user_id="ana")
    memory.add("zq7dryrun canary", user_id="zq7nobody", session_id="zq7session", dry_run=True)
    assert not left_on_disk(["zq7dryrun", "zq7nobody", "zq7session"])


@pytest.mark.file
def test_erasing_takes_as_many_statements_an_episode_at_any_size(memory: Memory) -> None:
    """Linear: work for 200 and for 800 episodes differs by the factor four, not sixteen."""
    counted = []
    conn = file_store(memory)._connections.get()
    for user, size in (("a", 200), ("b", 800)):
        memory.add([{"role": "user", "content": f"n {n}"} for n in range(size)], user_id=user, session_id="s")
        memory.add("one that stays", user_id=user)
        steps = 0

        def step() -> int:
            nonlocal steps
            steps += 1
            return 0

        conn.set_progress_handler(step, 100)
        memory.forget(user_id=user, session_id="s")
        conn.set_progress_handler(None, 0)
        counted.append(steps)
    assert counted[1] < counted[0] * 4 * 1.5
