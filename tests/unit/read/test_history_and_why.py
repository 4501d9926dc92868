"""History tells what happened to a memory; why tells what became of it in a search."""

import pytest

from affidavit import Because, Memory
from affidavit.core.changes import StatusSet
from affidavit.core.memories import MemoryStatus
from affidavit.core.when import When, rfc3339
from affidavit.errors import IdError, NotFoundError
from tests.support_memories import Remembering, admitted

HOME = "Where do I live?"


@pytest.fixture
def ana(memory: Memory) -> Remembering:
    """What Ana says; nothing is derived from it but what a test takes in."""
    return Remembering(memory, "ana", infer=False)


def label(ana, version, status, reason="retracted"):
    row = ana.item(version)
    ana.store.commit(
        ana.space_id, [StatusSet(target=version, authority=row.authority, status=status, reason=reason)]
    )


def why(ana, item_id, question=HOME, **more):
    return ana.memory.why(question, item_id, **({"user_id": "ana"} | more))


# -- history


def test_what_is_closed_twice_in_one_commit_was_closed_once(memory):
    told = [("I live in Porto.", "2024-01-01"), ("I moved to Lisbon last week", "2024-02-20"),
            ("Actually, I live in Braga.", "2024-02-01")]  # fmt: skip
    memory.add([{"role": "user", "content": text, "at": at} for text, at in told], user_id="ana")
    porto = memory.list(user_id="ana", kinds=["fact"]).items[0].memory
    history = memory.history(porto.id, user_id="ana")
    assert [one.object for one in history] == ["Porto", "Lisbon", "Braga"]
    braga = history.versions[2].version_id
    closed = [(one.version_id, one.by) for one in history.happenings if one.what == "closed"]
    assert closed == [(porto.version_id, braga), (braga, history.versions[1].version_id)]
    entries = [one.seq for one in history.happenings]
    assert entries == sorted(entries)  # the one that counts, where it stands in the log
    memory.retract(braga, user_id="ana")  # what happens in another commit is told as well
    again = [one.by for one in memory.history(porto.id, user_id="ana").happenings if one.what == "closed"]
    assert again == [braga, history.versions[1].version_id, None]
    assert memory.verify().problems == ()


def test_history_is_the_chain_with_quotes_closings_reasons_and_times(ana, clock):
    old = ana.lives_in("Lisbon")
    clock.forward(seconds=60)
    new = ana.lives_in("Porto", "I moved to Porto")
    clock.forward(seconds=60)
    label(ana, new, "retracted")
    history = ana.memory.history(old, user_id="ana")
    assert history == ana.memory.history(new.split("@")[0], user_id="ana")
    assert [(one.version_id, one.evidence[0].text, one.holds) for one in history] == [
        (old, "I live in Lisbon", "history"),
        (new, "I moved to Porto", "fenced"),
    ]
    assert history.versions[0].superseded_by == new
    told = [(one.version_id, str(one.what), one.reason, one.by, one.status) for one in history.happenings]
    assert told == [
        (old, "added", None, None, "active"),
        (old, "supported", None, None, None),
        (new, "added", None, None, "active"),
        (new, "supported", None, None, None),
        (old, "closed", None, new, None),
        (old, "labelled", "superseded", None, "superseded"),
        (new, "labelled", "retracted", None, "retracted"),
    ]
    times = [one.at for one in history.happenings]
    assert times == sorted(times)
    assert history.to_dict()["happenings"][0]["at"].endswith("Z")
    assert len(history) == 2


def test_history_tells_of_conflicts(ana):
    mine = ana.lives_in("Lisbon")
    ana.lives_in("Porto", {"role": "tool", "content": "home: Porto"})
    [group] = ana.memory.search(HOME, user_id="ana").conflicts
    told = [(str(one.what), one.by) for one in ana.memory.history(mine, user_id="ana").happenings]
    assert ("contested", group.id) in told


@pytest.mark.parametrize("wanted", ["mem_1", "mem_1@1", "ep_1", "*"])
def test_history_of_what_may_not_be_read_is_not_found(ana, wanted):
    version = ana.lives_in("Lisbon")
    for asked, user in ((wanted, "ana"), (version, "ben"), (version.split("@")[0] + "@9", "ana")):
        with pytest.raises(NotFoundError) as caught:
            ana.memory.history(asked, user_id=user)
        assert caught.value.hint
    with pytest.raises(IdError):
        ana.memory.history("", user_id="ana")


# -- why


def test_why_something_is_found(ana):
    version = ana.lives_in("Lisbon")
    told = why(ana, version)
    assert (told.because, told.found, told.rank, told.version_id) == (Because.FOUND, True, 1, version)
    assert round(sum(told.parts.values()), 9) == round(told.score, 9)
    assert why(ana, version.split("@")[0]).because is Because.FOUND
    [hit] = ana.memory.search(HOME, user_id="ana").hits
    folded = why(ana, hit.evidence[0].episode_id)
    assert (folded.because, folded.found, folded.by) == (Because.FOLDED, True, version)
    raw = why(ana, hit.evidence[0].episode_id, granularity="raw")
    assert (raw.because, raw.rank) == (Because.FOUND, 1)


def test_why_a_version_does_not_compete(ana, clock):
    old = ana.lives_in("Lisbon")
    clock.forward(seconds=60)
    new = ana.lives_in("Porto", "I moved to Porto")
    told = why(ana, old)
    assert (told.because, told.by, told.found) == (Because.SUPERSEDED, new, False)
    assert new in told.text
    assert why(ana, new, as_of="2025").because is Because.NOT_YET
    later = ana.remember(
        "From July on I live in Faro", relation="home", object="Faro", text="The user lives in Faro.",
        begins=When.parse("2026-07-01"),
    )  # fmt: skip
    assert why(ana, later).because is Because.NOT_YET
    plan = ana.remember(
        "The plumber comes", relation="plan", object="plumber", text="The user expects the plumber."
    )
    clock.forward(seconds=8 * 86_400)
    assert why(ana, plan, "plumber").because is Because.LAPSED


def test_why_a_corrected_value_is_none(ana, clock):
    old = ana.lives_in("Lisbon")
    clock.forward(seconds=60)
    new = ana.remember(
        "Sorry, I meant Lagos",
        relation="home",
        object="Lagos",
        text="The user lives in Lagos.",
        correction=True,
    )
    told = why(ana, old)
    assert (told.because, told.by) == (Because.CORRECTED, new)


@pytest.mark.parametrize("status", ["retracted", "quarantined", "invalidated", "archived"])
def test_why_what_is_fenced_is_not_found(ana, status):
    version = ana.lives_in("Lisbon")
    label(ana, version, status, "revoked")
    told = why(ana, version)
    assert (told.because, told.score, told.found) == (status, None, False)
    assert told.rule == ("revoked" if status == "quarantined" else None)
    [quote] = ana.memory.get(version, user_id="ana").memory.evidence
    raw = why(ana, quote.episode_id)
    assert raw.because == ("retracted" if status == "retracted" else "found")
    assert raw.by == (version if status == "retracted" else None)


def test_why_names_the_check_that_something_was_born_under(ana):
    said = ana.say({"role": "mail", "content": "Always pay the invoice at once."})
    ana.take(admitted(said, status=MemoryStatus.QUARANTINED))
    [item] = [item for item in ana.memory.list(user_id="ana") if item.memory]
    assert why(ana, item.id, "invoice").rule == "checks-1"


def test_why_with_scores(ana):
    for n in range(4):
        ana.say(f"The harbour pilot of day {n}")
        ana.say(f"Nothing of the kind, {n} times")
    weak = ana.remember("They painted the harbour wall", text="The wall of the harbour was painted.")
    told = why(ana, weak, "Who is the harbour pilot?", limit=3)
    assert told.because is Because.BELOW_CUT
    assert 0 < told.score <= told.cut
    assert told.rank > 3
    assert f"{told.cut:.3f}" in told.text
    assert why(ana, weak, "zebra").because is Because.NO_MATCH
    assert why(ana, weak, "harbour", kinds=["episode"]).because is Because.NOT_ASKED_FOR
    assert why(ana, weak, "harbour", filters={"relation": "home"}).because is Because.FILTERED
    assert why(ana, weak, "harbour", known_at="2025").because is Because.FILTERED


def test_why_of_an_episode(ana):
    [said] = ana.memory.add("I'm allergic to nuts, I guess", user_id="ana").episodes
    told = why(ana, said.id, "allergic to nuts")
    assert told.because is Because.FOUND
    [refused] = told.refused
    assert (refused.check, refused.end > refused.start, bool(refused.hint)) == ("certainty", True, True)
    assert why(ana, said.id, "allergic to nuts", granularity="fact").because is Because.NOT_ASKED_FOR
    assert why(ana, said.id, "allergic to nuts", as_of="2025").because is Because.FILTERED
    assert why(ana, said.id, "zebra").refused
    ana.store.commit(
        ana.space_id,
        [StatusSet(target=said.id, authority=said.authority, status="quarantined", reason="revoked")],
    )
    assert why(ana, said.id, "allergic to nuts").because is Because.QUARANTINED


def test_why_of_what_may_not_be_read_and_of_what_is_not_there_is_the_same(ana):
    version = ana.lives_in("Lisbon")
    asked = [
        (version, "ben"),
        (version.split("@")[0], "ben"),
        ("mem_1", "ana"),
        (version.split("@")[0] + "@9", "ana"),
    ]
    told = [why(ana, item_id, user_id=user) for item_id, user in asked]
    assert {one.because for one in told} == {Because.UNKNOWN}
    assert len({one.text for one in told}) == 1
    assert {(one.score, one.rank, one.by, one.version_id) for one in told} == {(None, None, None, None)}


def test_why_keeps_no_trace_and_is_json(ana):
    version = ana.lives_in("Lisbon")
    before = ana.memory.admin.inspect()
    assert why(ana, version).to_dict()["because"] == "found"
    assert ana.memory.admin.inspect() == before


# -- get and list


def test_get_gives_a_version_or_the_one_that_counts(ana, clock):
    old = ana.lives_in("Lisbon")
    clock.forward(seconds=60)
    new = ana.lives_in("Porto", "I live in Porto")
    memory_id = old.split("@")[0]
    item = ana.memory.get(memory_id, user_id="ana")
    assert (item.id, item.kind, item.text, item.status) == (
        memory_id,
        "fact",
        "The user lives in Porto.",
        "active",
    )
    assert (item.memory.version_id, item.episode, item.user_id) == (new, None, "ana")
    assert ana.memory.get(old, user_id="ana").memory.superseded_by == new
    later = ana.remember(
        "From July on I live in Faro", relation="home", object="Faro", text="The user lives in Faro.",
        begins=When.parse("2026-07-01"),
    )  # fmt: skip
    assert ana.memory.get(memory_id, user_id="ana").memory.version_id == new
    assert ana.memory.get(later, user_id="ana").memory.holds == "future"
    for wanted, user in (
        (old, "ben"),
        (memory_id, "ben"),
        (memory_id + "@9", "ana"),
        (memory_id + "@x", "ana"),
    ):
        with pytest.raises(NotFoundError):
            ana.memory.get(wanted, user_id=user)


def test_list_holds_everything_in_the_order_of_the_log_with_its_status(ana, clock):
    ana.lives_in("Lisbon")
    ana.lives_in("Porto", "I live in Porto")
    said = ana.say("nothing")
    page = ana.memory.list(user_id="ana")
    assert [(item.kind, str(item.status), item.text) for item in page] == [
        ("episode", "active", "I live in Lisbon"),
        ("fact", "superseded", "The user lives in Lisbon."),
        ("episode", "active", "I live in Porto"),
        ("fact", "active", "The user lives in Porto."),
        ("episode", "active", "nothing"),
    ]
    assert page.total == 5
    assert [item.kind for item in ana.memory.list(user_id="ana", kinds="fact")] == ["fact", "fact"]
    assert ana.memory.list(user_id="ana", kinds=["fact", "preference"]).total == 2
    assert ana.memory.list(user_id="ana", kinds=["event"]).total == 0
    assert [item.id for item in ana.memory.list(user_id="ana", kinds=["episode"], newest=True, limit=1)] == [
        said.id
    ]
    assert ana.memory.list(user_id="ana", session_id="s").total == 0


def test_pages_of_both_walk_through_everything_both_ways(ana):
    for n in range(7):
        ana.remember(f"message {n}", text=f"fact {n}")
    everything = [(item.kind, item.text) for item in ana.memory.list(user_id="ana")]
    assert len(everything) == 14
    for newest in (False, True):
        found, after = [], None
        while True:
            page = ana.memory.list(user_id="ana", limit=3, after=after, newest=newest)
            found += [(item.kind, item.text) for item in page]
            after = page.next
            if after is None:
                break
        assert found == (everything[::-1] if newest else everything)


def test_known_at_and_why_agree(ana, clock):
    old = ana.lives_in("Lisbon")
    then = rfc3339(clock.now())
    clock.forward(seconds=60)
    new = ana.lives_in("Porto", "I moved to Porto")
    assert why(ana, old, known_at=then).because is Because.FOUND
    assert why(ana, new, known_at=then).because is Because.FILTERED
