"""What an erasure takes of memories, and what becomes of those that other evidence carries."""

from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.core.memories import Kind
from affidavit.core.when import When
from affidavit.errors import ErasedError, NotFoundError
from tests.support_memories import Remembering, admitted
from tests.support_stores import assert_physical, plainly

CLAIM = {"role": "mail", "name": "Bo", "content": "You live in Porto now"}


@pytest.fixture
def her(memory: Memory) -> Remembering:
    return Remembering(memory)


def episode_of(her: Remembering, version: str, number: int = 1) -> str:
    return next(s.sources[0] for s in her.supports(version) if s.number == number)


def test_a_memory_goes_with_its_episode_and_so_does_what_rests_on_it(her: Remembering) -> None:
    version = her.lives_in("Lisbon")
    above = her.derived(version)
    top = her.derived(above)
    kept = her.remember("I like tea", relation="like", object="tea")
    receipt = her.forget(episode_id=episode_of(her, version))
    assert (receipt.episodes, receipt.versions, receipt.also) == (1, 3, ())
    assert [row.id for row in her.items()] == [kept]
    assert her.item(top) is None
    her.verified()


def test_a_memory_is_forgotten_with_its_evidence_and_the_others_are_told(her: Remembering) -> None:
    both = her.say("I live in Lisbon and I like tea", idempotency_key="k")
    home = admitted((both, "I live in Lisbon"), relation="home", object="Lisbon")
    tea = admitted((both, "I like tea"), relation="like", object="tea")
    one, other = her.take(home, tea).added
    her.acts.confirm(her.caller, one)
    her.remember("cheese is good", text="The user likes cheese.")
    before = her.memory.verify().size
    told = her.forget(memory_id=one.partition("@")[0], dry_run=True)
    assert (told.episodes, told.versions, told.also) == (2, 2, (other.partition("@")[0],))
    assert her.memory.verify().size == before
    receipt = her.forget(memory_id=one.partition("@")[0])
    assert (receipt.episodes, receipt.versions, receipt.also) == (told.episodes, told.versions, told.also)
    assert [row.text for row in her.items()] == ["The user likes cheese."]
    with pytest.raises(ErasedError):
        her.say("I live in Lisbon and I like tea", idempotency_key="k")
    with pytest.raises(NotFoundError):
        her.forget(memory_id=one)
    her.verified()


def test_a_memory_goes_with_all_its_versions_or_one_of_them(her: Remembering) -> None:
    first, second = her.lives_in("Lisbon"), her.lives_in("Porto")
    assert her.forget(memory_id=second).versions == 1
    assert her.status(first) == ("active", "authorized")
    third = her.lives_in("Faro")
    assert third == f"{first[:-1]}3"
    assert her.forget(memory_id=first.partition("@")[0]).versions == 2
    assert her.items() == []
    assert her.memory.list(user_id="ana").total == 0
    her.verified()


def test_a_memory_made_of_others_goes_with_theirs(her: Remembering) -> None:
    low, other = her.lives_in("Lisbon"), her.remember("I like tea", relation="like", object="tea")
    above = her.derived(low)
    receipt = her.forget(memory_id=above)
    assert receipt.also == (low.partition("@")[0],)
    assert [row.id for row in her.items()] == [other]
    her.verified()


@pytest.mark.parametrize("wanted", ["mem_nothing", "mem_nothing@1", "@", "%"])
def test_a_memory_that_is_not_there_is_an_error(her: Remembering, wanted: str) -> None:
    theirs = Remembering(her.memory, "ben").lives_in("Oslo")
    her.lives_in("Lisbon")
    for one in (wanted, theirs):
        with pytest.raises(NotFoundError, match="nothing of the kind"):
            her.forget(memory_id=one)


class TestOtherEvidence:
    def test_where_the_first_stays_the_row_stays(self, her: Remembering) -> None:
        version = her.lives_in("Lisbon")
        again = her.say("Yes, in Lisbon I live", session_id="s")
        her.take(admitted((again, "in Lisbon I live"), relation="home", object="Lisbon"))
        row = her.item(version)
        her.forget(session_id="s")
        assert her.item(version) == row
        assert [support.number for support in her.supports(version)] == [1]
        her.verified()

    def test_it_has_the_authority_of_what_is_left(self, her: Remembering) -> None:
        version = her.remember(CLAIM, relation="home", object="Porto")
        her.lives_in("Porto", session_id="s")
        assert her.status(version) == ("active", "authorized")
        her.forget(session_id="s")
        assert her.status(version) == ("active", "unendorsed")
        her.verified()

    def test_where_the_first_goes_it_is_made_of_what_is_left_and_nothing_else(self, her: Remembering) -> None:
        first = her.say(
            "Since my divorce in 2019 I live in lisbon, at Flat 9",
            session_id="s",
            metadata={"why": "divorce"},
        )
        spoken = admitted(
            first,
            text="The user lives in lisbon since the divorce.",
            relation="home",
            object="lisbon",
            begins=When(start=1_550_000_000_000_000, end=None, text="in 2019"),
            slots=[("address", "Flat 9")],
            metadata='{"why":"divorce"}',
        )
        (old,) = her.take(spoken).added
        second = her.say("I live in Lisbon, at Flat 9", occurred_at="2026-03-01")
        again = admitted(second, relation="home", object="Lisbon", slots=[("address", "Flat 9")])
        assert her.take(again).supported == [old]
        receipt = her.forget(session_id="s")
        assert receipt.versions == 1
        (row,) = her.items()
        assert (row.id, row.status) == (f"{old[:-1]}2", "active")
        assert (row.text, row.relation, row.actor) == ("I live in Lisbon, at Flat 9", "home", second.actor)
        assert row.slots == f'[["address","Flat 9","{second.id}","authorized"]]'
        assert (row.metadata, row.time_text) == ("{}", None)
        assert row.valid_start == second.occurred.start
        her.verified()

    def test_the_wording_stays_where_what_is_left_says_it(self, her: Remembering) -> None:
        her.lives_in("Lisbon", session_id="s")
        her.remember(
            "Oh yes: I live in Lisbon",
            quote="I live in Lisbon",
            relation="home",
            object="Lisbon",
            text="The user lives in Lisbon.",
        )
        her.forget(session_id="s")
        assert [row.text for row in her.items()] == ["The user lives in Lisbon."]

    def test_what_is_not_said_any_more_about_whom_goes(self, her: Remembering) -> None:
        spoken = {"subject": "Ana Lopez", "relation": "home", "object": "Porto"}
        her.remember("Ana Lopez lives in Porto", more={"session_id": "s"}, **spoken)
        her.remember("She lives in Porto", **spoken)
        assert len(her.items()) == 1
        her.forget(session_id="s")
        assert her.items() == []
        her.verified()

    def test_a_value_that_is_not_said_any_more_leaves_the_text_alone(self, her: Remembering) -> None:
        said = {"relation": "favorite", "object": "Helix", "qualifier": "editor"}
        her.remember("My editor is Helix", more={"session_id": "s"}, **said)
        her.remember("It is Helix", **said)
        her.forget(session_id="s")
        (row,) = her.items()
        assert (row.text, row.relation, row.object, row.qualifier) == ("It is Helix", None, None, None)
        her.verified()

    def test_its_place_in_time_and_its_conflicts_stay(self, her: Remembering) -> None:
        her.lives_in("Lisbon", session_id="s")
        her.lives_in("Lisbon", "I do live in Lisbon")
        claim = her.remember(CLAIM, relation="home", object="Porto")
        her.forget(session_id="s")
        remade = next(row for row in her.items() if row.id != claim)
        assert [conflict.members for conflict in her.conflicts()] == [tuple(sorted((remade.id, claim)))]
        last = her.lives_in("Faro")
        row = her.item(remade.id)
        assert row is not None
        assert (row.status, row.closed_by) == ("superseded", last)
        her.verified()

    def test_what_had_ended_stays_ended(self, her: Remembering) -> None:
        her.lives_in("Lisbon", session_id="s")
        her.lives_in("Lisbon", "I do live in Lisbon")
        last = her.lives_in("Faro")
        her.forget(session_id="s")
        old, new = sorted(her.items(), key=lambda row: row.object or "", reverse=True)
        assert (old.status, old.closed_by, new.id, new.status) == ("superseded", last, last, "active")
        her.verified()

    def test_what_a_version_that_goes_had_closed_is_open_again(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        her.lives_in("Porto", session_id="s")
        her.forget(session_id="s")
        row = her.item(old)
        assert row is not None
        assert (row.status, row.closed_end, row.closed_by) == ("active", None, None)
        her.verified()

    def test_a_conflict_goes_with_a_member(self, her: Remembering) -> None:
        mine = her.lives_in("Lisbon")
        her.remember(CLAIM, relation="home", object="Porto", more={"session_id": "s"})
        assert len(her.conflicts()) == 1
        her.forget(session_id="s")
        assert her.conflicts(open_only=False) == []
        assert her.status(mine) == ("active", "authorized")
        her.verified()

    def test_nothing_is_left_of_an_update_whose_words_go(self, her: Remembering) -> None:
        old = her.lives_in("Lisbon")
        done = her.acts.update(her.caller, old, "The user lives in Faro.")
        her.forget(episode_id=str(done.episode_id))
        assert her.status(old) == ("active", "authorized")
        her.verified()


def test_a_source_goes_with_its_revocation_only_by_its_own_name(her: Remembering) -> None:
    said = her.say("hello", source_id="x")
    her.sources.revoke(her.caller, "x")
    her.forget(episode_id=said.id)
    assert her.memory.add("again", user_id="ana", source_id="x").episodes[0].status == "quarantined"
    her.forget(source_id="x")
    assert her.sources.list(her.caller) == ()
    with pytest.raises(ErasedError):
        her.say("again", source_id="x")
    with pytest.raises(NotFoundError):
        her.forget(source_id="x")
    her.verified()


def test_a_revoked_source_of_which_nothing_is_left_can_be_forgotten(her: Remembering) -> None:
    said = her.say("hello", source_id="x")
    her.sources.revoke(her.caller, "x")
    her.forget(episode_id=said.id)
    assert her.forget(source_id="x").episodes == 0
    assert her.sources.list(her.caller) == ()
    her.verified()


def test_what_only_a_revoked_source_still_carries_goes_too(her: Remembering) -> None:
    version = her.lives_in("Lisbon", source_id="x")
    her.lives_in("Lisbon", "I do live in Lisbon", session_id="s")
    her.sources.revoke(her.caller, "x")
    assert her.status(version) == ("active", "authorized")
    her.forget(session_id="s")
    assert her.items() == []
    her.verified()


def test_the_words_of_one_who_leaves_a_team_go_with_what_rests_on_them(memory: Memory) -> None:
    ana, ben = Remembering(memory, "ana", team_id="ops"), Remembering(memory, "ben", team_id="ops")
    ana.remember("The server is Ada", text="The server is Ada.")
    kept = ben.remember("The backup is Bell", text="The backup is Bell.")
    Remembering(memory, "ana").lives_in("Lisbon")
    receipt = Remembering(memory, "ana").forget(everything=True)
    assert (receipt.episodes, receipt.versions) == (2, 2)
    assert [row.id for row in ben.items()] == [kept]
    ben.verified()


def test_a_whole_space_takes_everything_along(her: Remembering, config: Config) -> None:

    her.lives_in("Lisbon", source_id="x")
    her.remember(CLAIM, relation="home", object="Porto")
    second = her.lives_in("Faro")
    her.forget(memory_id=second)
    her.sources.revoke(her.caller, "x")
    told = her.forget(everything=True, dry_run=True)
    receipt = her.forget(everything=True)
    assert (told.episodes, told.versions) == (receipt.episodes, receipt.versions) == (2, 2)
    tables = (
        "item",
        "support",
        "support_part",
        "conflict",
        "revoked_source",
        "last_number",
        "rejection",
        "blind",
    )
    with plainly(config.database) as conn:
        left = {table: conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    assert {table for table, count in left.items() if count} <= {"blind"}
    assert not her.memory.verify().problems


@pytest.mark.parametrize("what", [{"session_id": "s"}, {"source_id": "x"}, {"actor": "user:ana"}])
def test_a_check_of_what_is_new_takes_it(her: Remembering, what: dict[str, Any]) -> None:
    more = {"session_id": "s", "source_id": "x"}
    her.remember("I live in Lisbon", relation="home", object="Lisbon", kind=Kind.FACT, more=more)
    her.remember(CLAIM, relation="home", object="Porto")
    her.remember({**CLAIM, "content": "I hear you live in Lisbon"}, relation="home", object="Lisbon")
    marks = her.memory.verify().marks
    her.forget(**what)
    assert not her.memory.verify(since=marks).problems
    her.verified()


def test_many_are_named_over_several_entries_and_nothing_rests_on_nothing(her: Remembering) -> None:
    episodes = her.memory.add(
        [{"role": "user", "content": f"I like dish {n}"} for n in range(700)],
        user_id="ana",
        session_id="s",
        infer=False,
    ).episodes
    outcome = her.take(*(admitted(e, relation="like", object=e.text[7:]) for e in episodes))
    her.derived(*outcome.added[:300])
    for n in (3, 500):
        her.derived(outcome.added[n])
    assert her.forget(session_id="s").versions == 703
    assert her.items() == []
    her.verified()


@pytest.mark.file
def test_clean_tells_of_the_versions_too(her: Remembering, monkeypatch: pytest.MonkeyPatch) -> None:
    old = her.lives_in("Lisbon")
    her.lives_in("Porto", session_id="s")
    with monkeypatch.context() as patched:
        patched.setattr("affidavit.privacy.clean.Cleaner.clean", lambda *_: False)
        assert her.forget(session_id="s").physical_at is None
    (receipt,) = her.memory.admin.clean()
    assert (receipt.episodes, receipt.versions) == (1, 1)
    assert her.status(old) == ("active", "authorized")


def test_a_decision_still_names_what_is_erased(memory):
    """The id stands in what confirmed it, too, and is not left over from that."""
    (home,) = memory.add("I live in Rome.", user_id="priya").added
    memory.confirm(home.id, user_id="priya", idempotency_key=f"confirms {home.id}")
    memory.check_action("mail", {"to": "Rome"}, memory_ids=[home.id], user_id="priya")
    receipt = memory.forget(memory_id=home.id, user_id="priya")
    assert_physical(memory, receipt)
    with pytest.raises(NotFoundError, match="nothing of the kind to forget: look"):
        memory.forget(memory_id=home.id, user_id="priya")
