"""Sources: listing them, and revoking one with all that rests on it."""

from typing import Any

import pytest

from affidavit import Memory
from affidavit.core.authority import Authority
from affidavit.core.values import Status
from affidavit.errors import AuthorityError, IdError, NotBelievedError, NotFoundError
from affidavit.store.protocol import Job
from affidavit.text.lang.relations import RELATIONS
from affidavit.write.derive import Deriver
from affidavit.write.extract import Frames
from tests.support_memories import Remembering, admitted
from tests.support_sqlite import file_store


@pytest.fixture
def her(memory: Memory) -> Remembering:
    return Remembering(memory)


def test_all_that_rests_on_it_falls_and_is_told(her: Remembering) -> None:
    fell = her.lives_in("Lisbon", source_id="import-1")
    kept = her.remember("I like tea", relation="like", object="tea", more={"source_id": "import-1"})
    her.remember("Yes, I like tea", quote="I like tea", relation="like", object="tea")
    above = her.derived(fell, kept)
    top = her.derived(above)
    other = her.derived(kept)
    done = her.sources.revoke(her.caller, "import-1")
    assert (done.source_id, done.episodes, done.repeated) == ("import-1", 2, False)
    assert set(done.invalidated) == {fell, above, top}
    assert done.weakened == (kept,)
    for version in (fell, above, top):
        assert her.status(version) == ("invalidated", "unendorsed")
    assert her.status(kept) == ("active", "authorized")
    assert her.status(other) == ("active", "attested")
    her.verified()


def test_again_does_nothing_and_tells_the_same(her: Remembering) -> None:
    her.lives_in("Lisbon", source_id="x")
    first = her.sources.revoke(her.caller, "x")
    size = her.memory.verify().size
    again = her.sources.revoke(her.caller, "x")
    assert (again.invalidated, again.episodes, again.repeated) == (first.invalidated, 1, True)
    assert her.memory.verify().size == size


def test_what_it_had_replaced_is_believed_again(her: Remembering) -> None:
    old = her.lives_in("Lisbon")
    her.lives_in("Porto", source_id="forged")
    done = her.sources.revoke(her.caller, "forged")
    assert done.reopened == (old,)
    row = her.item(old)
    assert row is not None
    assert (row.status, row.closed_end) == ("active", None)
    her.verified()


def test_what_its_word_alone_had_lifted_sinks_and_gives_back_what_it_took(her: Remembering) -> None:
    old = her.lives_in("Lisbon")
    new = her.lives_in("Porto", source_id="forged")
    mail = {"role": "mail", "name": "Bo", "content": "I hear you live in Porto"}
    assert her.remember(mail, relation="home", object="Porto") == new
    done = her.sources.revoke(her.caller, "forged")
    assert (done.weakened, done.reopened) == ((new,), (old,))
    assert her.status(new) == ("active", "unendorsed")
    assert len(her.conflicts()) == 1
    her.verified()


def test_its_episodes_are_kept_apart_and_so_are_later_ones(her: Remembering) -> None:
    said = her.say("I live in Lisbon", source_id="x")
    her.say("from elsewhere", source_id="y")
    her.sources.revoke(her.caller, "x")
    assert her.memory.get(said.id, user_id="ana").status == Status.QUARANTINED
    done = her.memory.add("I live in Lisbon", user_id="ana", source_id="x")
    assert done.episodes[0].status == Status.QUARANTINED
    assert "extract" not in done.pending
    preview = her.memory.add("I live in Lisbon", user_id="ana", source_id="x", dry_run=True)
    assert preview.episodes[0].status == Status.QUARANTINED
    assert her.memory.add("of y", user_id="ana", source_id="y").episodes[0].status == Status.ACTIVE
    ben = her.memory.add("of x for ben", user_id="ben", source_id="x")
    assert ben.episodes[0].status == Status.ACTIVE
    her.verified()


def test_nothing_of_it_waits_to_be_derived(her: Remembering) -> None:
    said = her.say("I live in Lisbon", source_id="x")
    her.store.add_jobs([Job(her.space_id, "extract", said.id, 0)])
    assert her.memory.admin.inspect().waiting["extract"] == 1
    her.sources.revoke(her.caller, "x")
    assert "extract" not in her.memory.admin.inspect().waiting


def test_what_fell_is_not_acted_upon_any_more(her: Remembering) -> None:
    fell = her.lives_in("Lisbon", source_id="x")
    her.sources.revoke(her.caller, "x")
    for call in (her.acts.confirm, her.acts.endorse):
        with pytest.raises(NotBelievedError, match="say it anew"):
            call(her.caller, fell)
    assert her.acts.retract(her.caller, fell).repeated
    again = her.lives_in("Lisbon")
    assert her.status(again) == ("active", "authorized")
    assert her.status(fell) == ("invalidated", "unendorsed")
    her.verified()


def test_what_was_retracted_stays_retracted(her: Remembering) -> None:
    gone = her.lives_in("Lisbon", source_id="x")
    her.acts.retract(her.caller, gone)
    assert her.sources.revoke(her.caller, "x").invalidated == (gone,)
    assert her.status(gone) == ("retracted", "authorized")
    her.verified()


def test_a_check_of_what_is_new_takes_it(her: Remembering) -> None:
    her.lives_in("Lisbon", source_id="x")
    marks = her.memory.verify().marks
    her.sources.revoke(her.caller, "x")
    result = her.memory.verify(since=marks)
    assert not result.problems


@pytest.mark.parametrize("wanted", ["nothing", "%", "X"])
def test_a_source_that_is_not_there_is_an_error(her: Remembering, wanted: str) -> None:
    her.say("hello", source_id="x")
    with pytest.raises(NotFoundError):
        her.sources.revoke(her.caller, wanted)
    with pytest.raises(NotFoundError):
        her.sources.revoke(Remembering(her.memory, "nobody").caller, "x")
    with pytest.raises(IdError):
        her.sources.revoke(her.caller, "")


def test_a_member_revokes_nothing_of_the_team(memory: Memory) -> None:
    ana, host = Remembering(memory, "ana", team_id="ops"), Remembering(memory, None, team_id="ops")
    ana.say("hello", source_id="x")
    with pytest.raises(AuthorityError):
        ana.sources.revoke(ana.caller, "x")
    assert host.sources.revoke(host.caller, "x").episodes == 1


def test_sources_are_listed_with_what_came_of_them(her: Remembering) -> None:
    assert Remembering(her.memory, "nobody").sources.list(Remembering(her.memory, "nobody").caller) == ()
    her.say("of no source")
    her.lives_in("Lisbon", source_id="chat-1", source="phone")
    her.say({"role": "mail", "name": "Bo", "content": "hi"}, source_id="inbox", source="work mail")
    her.lives_in("Porto", source_id="chat-1")
    her.sources.revoke(her.caller, "inbox")
    chat, inbox = her.sources.list(her.caller)
    assert (chat.source_id, chat.names, chat.episodes, chat.memories) == ("chat-1", ("phone",), 2, 1)
    assert (chat.authority, chat.revoked) == (Authority.AUTHORIZED, False)
    assert chat.first_at is not None
    assert chat.last_at is not None
    assert chat.first_at < chat.last_at
    assert (inbox.source_id, inbox.authority, inbox.revoked) == ("inbox", Authority.UNENDORSED, True)
    assert inbox.to_dict()["authority"] == "unendorsed"


def test_a_revoked_source_of_which_nothing_is_left_is_still_listed(her: Remembering) -> None:
    said = her.say("hello", source_id="x")
    her.sources.revoke(her.caller, "x")
    her.memory.forget(user_id="ana", episode_id=said.id)
    (left,) = her.sources.list(her.caller)
    assert (left.source_id, left.episodes, left.authority, left.revoked) == ("x", 0, None, True)


def test_a_source_that_is_revoked_while_it_is_extracted_brings_nothing(her: Remembering) -> None:
    her.memory.add("hello", user_id="ana")

    class Slow(Frames):
        def extract(self, *given: Any) -> Any:
            found = super().extract(*given)
            her.sources.revoke(her.caller, "x")
            return found

    rooms = her.memory._rooms
    deriver = Deriver(rooms.store, Slow(RELATIONS), relations=RELATIONS, own_names={})
    said = her.say("I live in Lisbon", source_id="x")
    rooms.store.add_jobs([Job(her.space_id, "extract", said.id, 0)])
    done = deriver.waiting(her.space_id, her.caller.owner)
    assert (done.episodes, done.added) == (1, ())
    assert not her.items()
    her.verified()


@pytest.mark.file
def test_revoking_takes_as_many_statements_an_episode_at_any_size(memory: Memory) -> None:
    """Linear: work for 100 and for 400 memories differs by the factor four, not sixteen."""
    counted = []
    conn = file_store(memory)._connections.get()
    for user, size in (("a", 100), ("b", 400)):
        one = Remembering(memory, user)
        batch = [{"role": "user", "content": f"note {n} is here"} for n in range(size)]
        said = memory.add(batch, user_id=user, source_id="x", infer=False).episodes
        one.take(*(admitted(episode) for episode in said))
        steps = 0

        def step() -> int:
            nonlocal steps
            steps += 1
            return 0

        conn.set_progress_handler(step, 100)
        assert len(one.sources.revoke(one.caller, "x").invalidated) == size
        conn.set_progress_handler(None, 0)
        counted.append(steps)
    assert counted[1] < counted[0] * 4 * 1.5
