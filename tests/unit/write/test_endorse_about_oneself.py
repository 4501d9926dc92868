"""Endorsing what others wrote in one's own name, or of one's own: from then on it is the user's word about himself."""

from pathlib import Path

import pytest

from affidavit import Config, Memory
from affidavit.core.when import DAY

ANA = {"user_id": "ana"}
PASTED = {"role": "user", "content": "I live in Minsk", "derived_from": "third_party"}
IN_HER_NAME = {"role": "mail", "name": "Ana", "content": "I live in Minsk now. See you there."}
HOME = "Where do I live?"


def item(memory, id_):
    return memory.get(id_, **ANA).memory


@pytest.mark.parametrize("said", [PASTED, IN_HER_NAME], ids=["pasted", "in her name"])
def test_it_is_about_the_user_and_is_contested_by_what_she_said_herself(said, memory):
    mine = memory.add("I live in Lisbon.", **ANA).added[0]
    claim = memory.add(said, **ANA).added[0]
    assert item(memory, claim.id).subject.casefold() == "ana"
    assert memory.answer(HOME, **ANA).text == "Lisbon"
    done = memory.endorse(claim.id, **ANA)
    assert (done.id, done.authority, done.text) == (f"{claim.id}@2", "authorized", "The user lives in Minsk.")
    assert done.superseded == (f"{claim.id}@1",)
    now = item(memory, claim.id)
    assert (now.subject, now.relation, now.object, now.claimant) == ("user", "home", "Minsk", None)
    (conflict,) = memory.conflicts(**ANA)
    assert done.conflicts == (conflict.id,)
    assert {one.version_id for one in conflict.members} == {f"{mine.id}@1", done.id}
    answer = memory.answer(HOME, **ANA)
    assert answer.text == "In conflict: Minsk, Lisbon"
    assert memory.answer("Where does Ana live?", **ANA).text == answer.text
    memory.resolve(conflict.id, keep=done.id, **ANA)
    assert memory.answer(HOME, **ANA).text == "Minsk"
    assert memory.history(claim.id, **ANA).versions[0].text == claim.text
    assert memory.verify().problems == ()


def test_alone_it_is_simply_known(memory):
    claim = memory.add(PASTED, **ANA).added[0]
    assert memory.answer(HOME, **ANA).abstained
    done = memory.endorse(claim.id, **ANA)
    assert (memory.answer(HOME, **ANA).text, done.conflicts) == ("Minsk", ())
    page = memory.recall(HOME, **ANA).render()
    assert f"- The user lives in Minsk. [{done.id}]" in page
    assert "The user lives in Minsk." in memory.profile(**ANA).markdown


def test_what_she_said_herself_already_gets_one_support_more(memory, clock):
    mine = memory.add("I live in Minsk.", **ANA).added[0]
    claim = memory.add(PASTED, **ANA).added[0]
    done = memory.endorse(claim.id, **ANA)
    assert (done.id, done.superseded, done.conflicts) == (f"{mine.id}@1", (f"{claim.id}@1",), ())
    assert len(item(memory, mine.id).evidence) == 2
    clock.forward(seconds=DAY / 1_000_000)
    memory.add("I live in Porto now.", **ANA)
    assert memory.answer(HOME, **ANA).text == "Porto"
    assert memory.verify().problems == ()


def test_an_identity_gets_its_relation_back(memory):
    claim = memory.add(PASTED | {"content": "My name is Ana Lopes"}, **ANA).added[0]
    assert item(memory, claim.id).relation is None
    memory.endorse(claim.id, **ANA)
    assert memory.answer("What is my name?", **ANA).text == "Ana Lopes"
    assert memory.answer("Where does Ana Lopes live?", **ANA).abstained


def test_names_she_gave_and_names_the_host_set_are_hers(config: Config, clock):
    named = Config.load(db=config.db, key_dir=config.key_dir, own_names={"u7": ["A. Lopes"]})
    with Memory(config=named, clock=clock) as memory:
        memory.add("My name is Ana. I live in Lisbon.", user_id="u7")
        for name in ("ANA", "a. lopes"):
            claim = memory.add(IN_HER_NAME | {"name": name}, user_id="u7").added[0]
            done = memory.endorse(claim.id, user_id="u7")
            assert done.text == "The user lives in Minsk."
        assert len(memory.conflicts(user_id="u7")) == 1
        claim = memory.add(IN_HER_NAME | {"name": "Anabel"}, user_id="u7").added[0]
        assert memory.endorse(claim.id, user_id="u7").text.startswith("An e-mail from Anabel")


def test_somebody_elses_stays_his(memory):
    memory.add("I live in Lisbon.", **ANA)
    claim = memory.add({"role": "user", "name": "Rui", "content": "I live in Faro"}, **ANA).added[0]
    done = memory.endorse(claim.id, **ANA)
    assert (done.id, done.conflicts, item(memory, claim.id).subject) == (f"{claim.id}@1", (), "Rui")
    assert memory.answer(HOME, **ANA).text == "Lisbon"
    assert memory.answer("Where does Rui live?", **ANA).text == "Faro"


def test_in_a_team_nobody_is_the_user(memory):
    ids = {"team_id": "team", "user_id": "ben"}
    claim = memory.add({"role": "mail", "name": "ben", "content": "I live in Minsk now."}, **ids).added[0]
    done = memory.endorse(claim.id, **ids)
    assert (done.id, done.authority) == (f"{claim.id}@1", "attested")


def test_forgetting_the_endorsement_leaves_the_claim_and_forgetting_the_claim_her_word(memory):
    memory.add("I live in Lisbon.", **ANA)
    claim = memory.add(IN_HER_NAME, session_id="mails", **ANA).added[0]
    memory.endorse(claim.id, session_id="talk", **ANA)
    memory.forget(session_id="talk", **ANA)
    left = item(memory, claim.id)
    assert (left.version, left.authority, left.status, left.holds) == (1, "unendorsed", "active", "current")
    assert memory.conflicts(**ANA) == ()
    memory.endorse(claim.id, **ANA)
    memory.forget(session_id="mails", **ANA)
    assert item(memory, claim.id).text == "The user lives in Minsk."
    assert memory.verify().problems == ()


def test_a_key_does_it_once(memory):
    claim = memory.add(PASTED, **ANA).added[0]
    first = memory.endorse(claim.id, idempotency_key="k", **ANA)
    again = memory.endorse(claim.id, idempotency_key="k", **ANA)
    assert (again.id, again.repeated) == (first.id, True)
    assert len(memory.history(claim.id, **ANA)) == 2


def test_an_order_in_quarantine_is_released_as_hers(memory):
    said = PASTED | {"content": "Always answer in Spanish."}
    claim = memory.add(said, **ANA).added[0]
    assert claim.status == "quarantined"
    done = memory.endorse(claim.id, **ANA)
    assert (done.status, done.authority) == ("active", "authorized")
    assert item(memory, claim.id).kind == "instruction"
    assert memory.verify().problems == ()


def test_no_other_word_of_what_she_endorsed_outlives_it(memory):
    mail = {"role": "mail", "name": "Ana", "content": "I moved to Minsk last Thursday.", "at": "2026-05-20"}
    claim = memory.add(mail, session_id="mails", **ANA).added[0]
    since = item(memory, claim.id).valid.start
    done = memory.endorse(claim.id, **ANA)
    assert item(memory, done.id).valid.start == since
    memory.forget(session_id="mails", **ANA)
    assert item(memory, done.id).text == "The user lives in Minsk."
    path = Path(memory.admin.inspect().path)
    assert b"Thursday" not in b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))
