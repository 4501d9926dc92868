"""What `forget` takes and refuses, counts and keeps from coming back."""

from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.errors import AffidavitError, ErasedError, IdError, InputError, NotFoundError, StoreBusyError

REQUESTS: dict[str, tuple[dict[str, Any], type[AffidavitError]]] = {
    "nothing named": ({}, InputError),
    "two things": ({"session_id": "s", "source_id": "x"}, InputError),
    "a thing and everything": ({"session_id": "s", "everything": True}, InputError),
    "everything as text": ({"everything": "false"}, InputError),
    "everything as a number": ({"everything": 1}, InputError),
    "nobody": ({"user_id": None, "everything": True}, IdError),
    "an empty session": ({"session_id": ""}, IdError),
    "an episode with NUL": ({"episode_id": "ep\0"}, IdError),
    "an actor that is a list": ({"actor": ["x"]}, IdError),
    "no such episode": ({"episode_id": "ep_nothing"}, NotFoundError),
    "no such session": ({"session_id": "other"}, NotFoundError),
    "no such source": ({"source_id": "other"}, NotFoundError),
    "no such actor": ({"actor": "person:nobody"}, NotFoundError),
    "a wildcard": ({"session_id": "%"}, NotFoundError),
    "a user who is not here": ({"user_id": "nobody", "everything": True}, NotFoundError),
}


def test_a_bad_request_is_refused_and_nothing_is_erased(memory: Memory) -> None:
    memory.add("hello", user_id="ana", session_id="s", source_id="x")
    before = memory.admin.inspect()
    for case, (arguments, kind) in REQUESTS.items():
        with pytest.raises(AffidavitError) as caught:
            memory.forget(**({"user_id": "ana"} | arguments))
        assert type(caught.value) is kind, case
        assert caught.value.hint, case
        assert memory.admin.inspect() == before, case


@pytest.mark.parametrize(
    "what", [{"session_id": "s"}, {"source_id": "x"}, {"actor": "user:ana"}, {"everything": True}]
)
def test_a_dry_run_counts_and_changes_nothing(memory: Memory, what: dict[str, Any]) -> None:
    memory.add("one", user_id="ana", session_id="s", source_id="x")
    memory.add("two", user_id="ana", session_id="s", source_id="x")
    before = memory.admin.inspect()
    receipt = memory.forget(user_id="ana", dry_run=True, **what)
    assert (receipt.episodes, receipt.erased_at, receipt.dry_run) == (2, None, True)
    assert memory.admin.inspect() == before
    assert memory.add("three", user_id="ana", source_id="x").episodes


def test_an_erased_source_is_refused_under_its_id_only(memory: Memory) -> None:
    memory.add("from the mailbox", user_id="ana", source_id="mail-1")
    memory.add("from the mailbox", user_id="ben", source_id="mail-1")
    memory.forget(user_id="ana", source_id="mail-1")
    with pytest.raises(ErasedError, match="erased"):
        memory.add("from the mailbox", user_id="ana", source_id="mail-1")
    with pytest.raises(ErasedError):
        memory.add("from the mailbox", user_id="ana", source_id="mail-1", dry_run=True)
    assert memory.add("from the mailbox", user_id="ana", source_id="mail-2").episodes
    assert memory.add("from the mailbox", user_id="ben", source_id="mail-1").episodes


@pytest.mark.parametrize("by", ["episode_id", "session_id", "source_id", "actor"])
def test_an_erased_idempotency_key_is_refused(memory: Memory, by: str) -> None:
    kept = memory.add("text", user_id="ana", session_id="s", source_id="x", idempotency_key="k1")
    memory.add("other", user_id="ana", session_id="t", idempotency_key="k2")
    named = {
        "episode_id": kept.episodes[0].id,
        "session_id": "s",
        "source_id": "x",
        "actor": kept.episodes[0].actor,
    }
    memory.forget(user_id="ana", **{by: named[by]})  # type: ignore[arg-type]
    with pytest.raises(ErasedError):
        memory.add("text", user_id="ana", idempotency_key="k1")
    if by != "actor":
        assert memory.add("other", user_id="ana", session_id="t", idempotency_key="k2").repeated


def test_after_the_whole_user_is_erased_everything_is_taken_again(memory: Memory) -> None:
    memory.add("one", user_id="ana", source_id="x", idempotency_key="k")
    memory.add("two", user_id="ana", source_id="y")
    memory.forget(user_id="ana", source_id="y")
    memory.forget(user_id="ana", everything=True)
    assert memory.list(user_id="ana").total == 0
    assert memory.add("two", user_id="ana", source_id="y").episodes
    assert memory.add("one", user_id="ana", source_id="x", idempotency_key="k").episodes
    assert memory.list(user_id="ana").total == 2


def test_marks_hold_in_another_process(memory: Memory, config: Config) -> None:
    memory.add("one", user_id="ana", source_id="x")
    with Memory(config=config) as other:
        assert other.add("two", user_id="ana", source_id="x").episodes
        memory.forget(user_id="ana", source_id="x")
        with pytest.raises(ErasedError):
            other.add("three", user_id="ana", source_id="x")
        assert other.list(user_id="ana").total == 0


def test_an_erasure_that_did_not_happen_refuses_nothing(
    memory: Memory, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.add("one", user_id="ana", source_id="x")

    def busy(*_: object, **__: object) -> object:
        raise StoreBusyError("the store was held by another process", hint="repeat the call")

    store = memory._rooms.store
    with monkeypatch.context() as patched:
        patched.setattr(type(store), "commit", busy)
        with pytest.raises(StoreBusyError):
            memory.forget(user_id="ana", source_id="x")
    assert memory.list(user_id="ana").total == 1
    assert memory.add("two", user_id="ana", source_id="x").episodes


def test_what_a_contributor_said_goes_by_name(memory: Memory) -> None:
    memory.add(
        [
            {"role": "user", "name": "Tomás", "content": "I bring the bread"},
            {"role": "user", "content": "And I the wine"},
        ],
        user_id="ana",
    )
    assert memory.forget(user_id="ana", actor="Tomás").episodes == 1
    assert [item.text for item in memory.list(user_id="ana")] == ["And I the wine"]


def test_what_a_user_said_in_a_team_goes_with_him(memory: Memory) -> None:
    memory.add("the budget is tight", user_id="ana", team_id="ops")
    memory.add("it is not", user_id="ben", team_id="ops")
    memory.add("private", user_id="ana")
    receipt = memory.forget(user_id="ana", everything=True)
    assert receipt.episodes == 2
    assert [item.text for item in memory.list(team_id="ops")] == ["it is not"]
    assert memory.forget(user_id="ben", everything=True).episodes == 1
    assert memory.list(team_id="ops").total == 0


@pytest.mark.parametrize(
    "one, two",
    [
        ("4111111111111111", "5500005555555559"),
        ("sk_live_51HxAbCdEfGhIjKlMnOpQrSt", "sk_live_99HxAbCdEfGhIjKlMnOpQrSt"),
        ("DE89370400440532013000", "GB29NWBK60161331926819"),
        ("password: hunter2", "password: hunter3"),
    ],
)
def test_users_whose_ids_look_like_secrets_are_still_two(memory: Memory, one: str, two: str) -> None:
    memory.add("said by one", user_id=one, team_id="ops")
    memory.add("said by two", user_id=two, team_id="ops")
    memory.forget(user_id=one, everything=True)
    assert [item.text for item in memory.list(team_id="ops")] == ["said by two"]


def test_reset_leaves_nothing(memory: Memory) -> None:
    memory.add("one", user_id="ana")
    memory.add("two", team_id="ops", user_id="ana")
    memory.add("three", agent_id="bot", role="assistant")
    assert len(memory.reset()) == 3
    assert memory.admin.inspect().spaces == {}
    assert memory.admin.inspect().rows["episode"] == 0
    assert memory.reset() == []


def test_a_name_that_several_contributors_carry_is_not_guessed(memory):
    memory.add({"role": "tool", "name": "bot", "content": "from a tool"}, user_id="u")
    memory.add({"role": "mail", "name": "bot", "content": "from a sender"}, user_id="u")
    with pytest.raises(InputError, match="person:bot, tool:bot"):
        memory.forget(user_id="u", actor="bot")
    assert memory.forget(user_id="u", actor="tool:bot").episodes == 1
    assert [item.text for item in memory.list(user_id="u")] == ["from a sender"]


def test_an_older_copy_from_before_an_erasure_is_noticed_at_once(config, clock, copied, put_back):
    with Memory(config=config, clock=clock) as memory:
        memory.add("to be gone", user_id="u")
        memory.add("to stay", user_id="u")
    older = copied(config)
    memory = Memory(config=config, clock=clock)
    memory.forget(user_id="u", episode_id=memory.search("gone", user_id="u").hits[0].id)
    memory._rooms.store.close()
    put_back(older, config)
    with Memory(config=config, clock=clock) as memory:
        assert "ROLLED_BACK" in {problem.code for problem in memory.verify().problems}
