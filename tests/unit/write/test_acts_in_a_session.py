"""What a person says of a memory belongs to the session in which he says it, and goes with it."""

import json
from pathlib import Path

import pytest

from affidavit import Memory
from affidavit.core.when import DAY
from affidavit.errors import IdempotencyError, IdError, NotFoundError
from affidavit.surfaces.cli.run import run

ANA = {"user_id": "ana"}


def bytes_of(memory: Memory) -> bytes:
    path = Path(memory.admin.inspect().path)
    return b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))


def test_confirmed_in_the_session_that_goes_nothing_is_left(memory):
    said = memory.add("I live in Wolkersdorf", session_id="s", **ANA).added[0]
    done = memory.confirm(said.id, session_id="s", **ANA)
    assert memory.get(done.episode_id, **ANA).episode.session_id == "s"
    assert done.episode_id in {one.id for one in memory.list(session_id="s", **ANA)}
    assert memory.forget(session_id="s", **ANA).episodes == 2
    with pytest.raises(NotFoundError):
        memory.get(said.id, **ANA)
    assert b"Wolkersdorf" not in bytes_of(memory)
    assert memory.verify().problems == ()


def test_confirmed_elsewhere_it_goes_with_that_session_and_the_memory_stays(memory, clock):
    said = memory.add("I live in Lisbon", session_id="first", **ANA).added[0]
    clock.forward(seconds=800 * DAY / 1_000_000)
    assert memory.get(said.id, **ANA).memory.stale
    memory.confirm(said.id, session_id="second", **ANA)
    assert not memory.get(said.id, **ANA).memory.stale
    assert memory.forget(session_id="second", **ANA).episodes == 1
    assert memory.get(said.id, **ANA).memory.stale
    assert memory.verify().problems == ()


def test_an_endorsement_and_its_authority_go_with_its_session(memory):
    mail = {"role": "user", "name": "Rui", "content": "I live in Faro"}
    claim = memory.add(mail, session_id="mails", **ANA).added[0]
    assert memory.endorse(claim.id, session_id="talk", **ANA).authority == "authorized"
    memory.forget(session_id="talk", **ANA)
    assert memory.get(claim.id, **ANA).memory.authority == "unendorsed"
    memory.endorse(claim.id, session_id="mails", **ANA)
    memory.forget(session_id="mails", **ANA)
    assert list(memory.list(**ANA)) == []
    assert b"Faro" not in bytes_of(memory)


def test_an_update_and_a_choice_as_well(memory):
    home = memory.add("I live in Lisbon", session_id="first", **ANA).added[0]
    memory.update(home.id, "I live in Porto", session_id="second", **ANA)
    memory.forget(session_id="second", **ANA)
    assert memory.answer("Where do I live?", **ANA).text == "Lisbon"
    rui = {"role": "user", "name": "Rui", "content": "I live in Faro"}
    memory.endorse(memory.add(rui, **ANA).added[0].id, **ANA)
    later = memory.add(rui | {"content": "I live in Tavira"}, **ANA)
    done = memory.resolve(later.conflicts[0], keep=later.added[0].id, session_id="third", **ANA)
    assert memory.get(done.episode_id, **ANA).episode.session_id == "third"
    assert memory.verify().problems == ()


def test_another_session_under_the_same_key_is_another_request(memory):
    home = memory.add("I live in Lisbon", **ANA).added[0]
    memory.confirm(home.id, session_id="s", idempotency_key="k", **ANA)
    assert memory.confirm(home.id, session_id="s", idempotency_key="k", **ANA).repeated
    with pytest.raises(IdempotencyError):
        memory.confirm(home.id, session_id="t", idempotency_key="k", **ANA)
    with pytest.raises(IdError):
        memory.confirm(home.id, session_id=" ", **ANA)


@pytest.mark.parametrize("verb", ["confirm", "endorse", "update"])
def test_on_the_command_line(verb, tmp_path, capsys):
    at = ("--db", str(tmp_path / "m.db"), "--user", "ana", "-o", "json")
    rui = ("--role", "user", "--name", "Rui") if verb == "endorse" else ()
    assert run(["add", "I live in Lisbon", *rui, "--session", "s", *at]) == 0
    memory_id = json.loads(capsys.readouterr().out)["added"][0]["id"]
    text = ("I live in Porto",) if verb == "update" else ()
    assert run(["memory", verb, memory_id, *text, "--session", "s", *at]) == 0
    capsys.readouterr()
    assert run(["forget", "--session", "s", "--yes", *at]) == 0
    assert json.loads(capsys.readouterr().out)["episodes"] == 2
