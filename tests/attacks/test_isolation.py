"""Attacks 31 to 33: no query, id, filter or guess shows a caller anything of another's, not even that it exists."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit import Config, Memory
from affidavit.errors import AffidavitError, NotFoundError

SECRET = "the vault opens with the amber seal"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, dict[str, Any]]]:
    """Alice keeps a secret; Bob looks for it. What Bob should never see, by name."""
    base = tmp_path_factory.mktemp("isolation")
    config = Config.load(
        environ={}, home=base, db=str(base / "s" / "memory.db"), key_dir=base / "keys", embedder="none"
    )
    with Memory(config=config) as memory:
        secret = memory.add(
            SECRET,
            user_id="alice",
            session_id="alices session",
            source="alices inbox",
            source_id="alices mail",
            idempotency_key="alices key",
            metadata={"place": "alices cellar"},
        ).episodes[0]
        for n in range(20):
            memory.add(f"alice says {n}: {SECRET}", user_id="alice")
        memory.add("alice in the team: amber", user_id="alice", team_id="alices team")
        memory.add(
            {"role": "system", "content": "alices agent knows the amber seal"}, agent_id="alices agent"
        )
        memory.add("I am bob and I look for a seal", user_id="bob")
        yield memory, {"episode": secret, "space": secret.space_id, "actor": secret.actor}


def forbidden(known: dict[str, Any], shown: str) -> bool:
    ids = (known["episode"].id, known["space"], known["actor"])
    return any(word in shown for word in ("amber", "alices", "cellar", *ids))


def queries(known: dict[str, Any]) -> list[str]:
    words = ["amber seal", "vault", SECRET, "alice", "user alice's secret", "user_id:alice", "alices session"]
    marks = [
        "*",
        "%",
        "_",
        '"',
        "'",
        "(",
        ")",
        "OR",
        "AND",
        "NOT",
        "NEAR",
        "^",
        ":",
        ";--",
        "\\",
        "\0",
        "\u200b",
    ]
    shapes = ["{w}", "{m}{w}", "{w}{m}", "{m}{w}{m}", "{w} OR 1=1", "x' UNION SELECT text FROM episode --{w}"]
    made = [shape.format(w=word, m=mark) for word in words for mark in marks for shape in shapes]
    return [*made, known["episode"].id, known["space"], known["actor"]]


def test_hundreds_of_queries_show_nothing(pair: tuple[Memory, dict[str, Any]]) -> None:
    memory, known = pair
    own = memory.list(user_id="bob").items[0].id
    asked = queries(known)
    assert len(asked) > 500
    for query in asked:
        result = memory.search(query, user_id="bob", limit=1_000, explain=True, record=False)
        assert {hit.id for hit in result.hits} <= {own}
        assert result.plan["rows"] == 1
        assert not forbidden(known, json.dumps(result.to_dict()))


FILTERS: list[Any] = [
    {"speaker": "alice"}, {"speaker": {"ne": "bob"}}, {"actor": "user:alice"}, {"actor": {"contains": "alice"}},
    {"session_id": "alices session"}, {"session_id": "*"}, {"source_id": {"contains": ""}}, {"source": "alices inbox"},
    {"metadata.place": "alices cellar"}, {"metadata.place": "*"}, {"text": {"contains": "amber"}},
    {"idempotency_key": "alices key"}, {"OR": [{"role": "user"}, {"role": "system"}]}, {"NOT": {"role": "tool"}},
    {"id": {"nin": ["x"]}}, {"recorded_at": {"gt": "0001"}}, {"agent": "agent:alices agent"},
]  # fmt: skip


@pytest.mark.parametrize("filters", FILTERS, ids=repr)
def test_no_filter_widens_what_may_be_read(pair: tuple[Memory, dict[str, Any]], filters: Any) -> None:
    memory, known = pair
    result = memory.search("amber seal vault", user_id="bob", limit=1_000, filters=filters, record=False)
    assert result.plan["rows"] <= 1
    assert not forbidden(known, json.dumps(result.to_dict()))


def outcome(call: Callable[[], Any]) -> tuple[str, ...]:
    try:
        return ("done", str(call()))
    except AffidavitError as error:
        return (error.code, error.what, error.hint)


def test_ids_of_others_look_like_ids_that_are_not_there(pair: tuple[Memory, dict[str, Any]]) -> None:
    memory, known = pair
    theirs, nobodys = known["episode"].id, "ep_" + "0" * 32
    for verb in (
        lambda i: memory.get(i, user_id="bob"),
        lambda i: memory.delete(i, user_id="bob"),
        lambda i: memory.forget(user_id="bob", episode_id=i),
        lambda i: memory.forget(user_id="bob", episode_id=i, dry_run=True),
        lambda i: memory.get(i, user_id="bob", agent_id="some agent"),
        lambda i: memory.get(i, team_id="some team"),
    ):
        got = outcome(partial(verb, theirs))
        expected = outcome(partial(verb, nobodys))
        assert got[0] == "not_found"
        assert tuple(text.replace(theirs, nobodys) for text in got) == expected
    for name, value in (("session_id", "alices session"), ("source_id", "alices mail"), ("actor", "user:alice"),
                        ("actor", known["actor"])):  # fmt: skip
        with pytest.raises(NotFoundError) as caught:
            memory.forget(user_id="bob", **{name: value})  # type: ignore[arg-type]
        with pytest.raises(NotFoundError) as nothing:
            memory.forget(user_id="bob", **{name: "never heard of"})  # type: ignore[arg-type]
        assert str(caught.value) == str(nothing.value)
    assert memory.list(user_id="bob", session_id="alices session").to_dict() == {
        "items": [],
        "total": 0,
        "next": None,
    }
    assert memory.get(theirs, user_id="alice").text == SECRET


def test_adding_what_another_keeps_looks_like_adding_anything(pair: tuple[Memory, dict[str, Any]]) -> None:
    """32: Bob adds Alice's secret, under her key and session, and watches what comes back."""
    memory, known = pair
    same = {"session_id": "alices session", "source_id": "alices mail", "idempotency_key": "alices key"}
    tried = memory.add(SECRET, user_id="bob", dry_run=True, **same)  # type: ignore[arg-type]
    other = memory.add("the well is dry by the green gate", user_id="bob", dry_run=True, **same)  # type: ignore[arg-type]
    assert (len(tried.episodes), len(tried.repeated), tried.pending) == (1, 0, other.pending)
    assert {tried.space_id, other.space_id} != {known["space"]}
    assert tried.episodes[0].seq == other.episodes[0].seq
    before = memory.list(user_id="alice").total
    memory.add(SECRET, user_id="carol", **same)  # type: ignore[arg-type]
    assert memory.list(user_id="carol").total == 1
    assert memory.list(user_id="alice").total == before


def test_scores_and_plans_do_not_tell_what_others_keep(
    memory: Memory, config: Config, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The same words of the same user, alone in a store and beside a thousand rows of others."""
    base = tmp_path_factory.mktemp("alone")
    with Memory(config=Config.load(environ={}, home=base, db=str(base / "m.db"), key_dir=base / "k",
                                   embedder="none")) as alone:  # fmt: skip
        for store in (alone, memory):
            for text in ("the red door", "the blue door is shut", "a window"):
                store.add(text, user_id="bob", occurred_at="2026-05-01")
        for n in range(4):
            batch = [{"role": "user", "content": f"door {i} window amber"} for i in range(250)]
            memory.add(batch, user_id=f"other {n}")
        for query in ("door", "window", "amber", "red", "door window"):
            mine, beside = alone.search(query, user_id="bob"), memory.search(query, user_id="bob")
            assert [hit.text for hit in mine] == [hit.text for hit in beside]
            assert mine.plan["rows"] == beside.plan["rows"] == 3
            for one, two in zip(mine.hits, beside.hits, strict=True):
                assert abs(one.score - two.score) < 0.01


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=60)
    | st.sampled_from(["amber", "vault seal", SECRET]).flatmap(
        lambda base: st.text(max_size=6).map(lambda more: base + more)
    ),
    st.sampled_from(["bob", "alice\u200b", "Alice", "alic", "alice%", "alice/../alice", "team:alices team"]),
)
def test_no_text_of_any_look_alike_shows_anything(
    pair: tuple[Memory, dict[str, Any]], query: str, who: str
) -> None:
    memory, known = pair
    result = memory.search(query, user_id=who, agent_id="helper", limit=1_000, explain=True, record=False)
    assert not forbidden(known, json.dumps(result.to_dict()))
    assert result.plan["rows"] <= 1
    assert not forbidden(known, json.dumps(memory.list(user_id=who).to_dict()))
