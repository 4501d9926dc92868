"""Settling a conflict for one of its members."""

import pytest

from affidavit import Memory
from affidavit.core.authority import Authority
from affidavit.errors import AuthorityError, IdempotencyError, InputError, NotFoundError
from tests.support_memories import Remembering

CLAIM = {"role": "mail", "name": "Bo", "content": "You live in Porto now"}


@pytest.fixture
def her(memory: Memory) -> Remembering:
    return Remembering(memory)


def contested(her: Remembering) -> tuple[str, str, str]:
    mine, claim = her.lives_in("Lisbon"), her.remember(CLAIM, relation="home", object="Porto")
    (conflict,) = her.conflicts()
    return mine, claim, conflict.id


def test_the_claim_gives_way_to_her_own_word(her: Remembering) -> None:
    mine, claim, conflict = contested(her)
    done = her.acts.resolve(her.caller, conflict, keep=mine)
    assert (done.id, done.retracted, done.settled, done.conflicts) == (mine, (claim,), (conflict,), ())
    assert her.status(claim) == ("retracted", "unendorsed")
    assert her.conflicts(open_only=False)[0].kept == mine
    assert her.episode(done.episode_id).event_type == "resolve"
    her.verified()


def test_her_word_makes_the_claim_hers_and_the_old_one_history(her: Remembering) -> None:
    mine, claim, conflict = contested(her)
    done = her.acts.resolve(her.caller, conflict, keep=claim.partition("@")[0])
    assert (done.id, done.authority, done.superseded) == (claim, Authority.AUTHORIZED, (mine,))
    old, new = her.item(mine), her.item(claim)
    assert old is not None
    assert new is not None
    assert (old.status, old.closed_by, old.closed_end) == ("superseded", claim, new.valid_start)
    assert len([row for row in her.items() if row.status == "active"]) == 1
    her.verified()


def test_what_was_settled_is_settled(her: Remembering) -> None:
    mine, claim, conflict = contested(her)
    her.acts.resolve(her.caller, conflict, keep=mine)
    assert her.acts.resolve(her.caller, conflict, keep=mine).repeated
    with pytest.raises(InputError, match=f"was settled for {mine}"):
        her.acts.resolve(her.caller, conflict, keep=claim)


def test_only_a_member_can_be_kept(her: Remembering) -> None:
    _, _, conflict = contested(her)
    other = her.remember("I like tea", relation="like", object="tea")
    with pytest.raises(InputError, match="not one member"):
        her.acts.resolve(her.caller, conflict, keep=other)
    with pytest.raises(NotFoundError):
        her.acts.resolve(Remembering(her.memory, "ben").caller, conflict, keep=other)
    assert len(her.conflicts()) == 1


def test_the_same_key_settles_once(her: Remembering) -> None:
    mine, claim, conflict = contested(her)
    first = her.acts.resolve(her.caller, conflict, keep=mine, idempotency_key="k")
    again = her.acts.resolve(her.caller, conflict, keep=mine, idempotency_key="k")
    assert (again.id, again.episode_id, again.repeated) == (first.id, first.episode_id, True)
    with pytest.raises(IdempotencyError):
        her.acts.resolve(her.caller, conflict, keep=claim, idempotency_key="k")


def test_a_member_of_a_team_settles_nothing_between_others(memory: Memory) -> None:
    ana, ben = Remembering(memory, "ana", team_id="ops"), Remembering(memory, "ben", team_id="ops")
    one = ana.remember("Our office is Ada", relation="home", object="Ada", subject="office", claimant="ana")
    two = ben.remember("Our office is Bell", relation="home", object="Bell", subject="office", claimant="ben")
    (conflict,) = ana.conflicts()
    assert conflict.members == tuple(sorted((one, two)))
    with pytest.raises(AuthorityError):
        ana.acts.resolve(ana.caller, conflict.id, keep=one)
    host = Remembering(memory, None, team_id="ops")
    assert host.acts.resolve(host.caller, conflict.id, keep=one).superseded == (two,)
    ana.verified()
