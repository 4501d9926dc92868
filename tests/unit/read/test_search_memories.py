"""Search over memories and episodes together: kinds, levels, folding, time, belief, conflicts, traces."""

import json

import pytest

from affidavit import Memory
from affidavit.core.authority import Authority
from affidavit.core.changes import ItemClosed, StatusSet
from affidavit.core.memories import Kind, MemoryStatus
from affidavit.core.when import DAY, When, rfc3339
from affidavit.errors import FilterError, InputError
from tests.support_memories import Remembering, admitted
from tests.support_stores import plainly

HOME = "Where do I live?"


@pytest.fixture
def ana(memory: Memory) -> Remembering:
    """What Ana says; nothing is derived from it but what a test takes in."""
    return Remembering(memory, "ana", infer=False)


def ask(ana: Remembering, question: str = HOME, **more):
    return ana.memory.search(question, user_id="ana", **more)


def label(
    ana: Remembering, version: str, status: str, reason: str = "retracted", authority: str = ""
) -> None:
    row = ana.item(version)
    assert row is not None
    changed = StatusSet(target=version, authority=authority or row.authority, status=status, reason=reason)
    ana.store.commit(ana.space_id, [changed])


# -- facts and episodes together


def test_a_memory_is_found_with_its_evidence_and_its_episode_is_not_shown_twice(ana):
    version = ana.lives_in("Lisbon")
    [hit] = ask(ana)
    assert (hit.id, hit.kind, hit.text) == (version.split("@")[0], "fact", "The user lives in Lisbon.")
    assert (hit.authority, hit.status, hit.standing, hit.episode) == ("authorized", "active", "current", None)
    assert [(quote.text, quote.start, quote.authority) for quote in hit.evidence] == [
        ("I live in Lisbon", 0, "authorized")
    ]
    assert hit.memory is not None
    assert hit.memory.version_id == version
    assert (hit.memory.grounded, hit.memory.mentionable, hit.memory.stale) == (True, True, False)
    assert (hit.user_id, hit.visibility, hit.metadata) == ("ana", "user", {})
    assert hit.to_dict()["memory"]["recorded_at"].endswith("Z")


def test_scores_of_memories_are_the_sum_of_their_parts_too(ana):
    ana.lives_in("Lisbon")
    ana.remember(
        "I like the tea of Porto a lot",
        quote="I like the tea",
        relation="like",
        object="tea",
        text="The user likes tea.",
    )
    hits = ask(ana, "Which tea from Lisbon or Porto does the user like?", explain=True).hits
    assert len(hits) >= 2
    for hit in hits:
        assert round(sum(hit.explain.values()), 9) == round(hit.score, 9)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_an_episode_that_says_more_than_was_quoted_stays_where_the_question_is_about_that(ana):
    ana.remember(
        "I live in Lisbon. My landlord Rui collects postcards.", quote="I live in Lisbon",
        relation="home", object="Lisbon", text="The user lives in Lisbon.",
    )  # fmt: skip
    assert [hit.kind for hit in ask(ana)] == ["fact"]
    assert ask(ana, "What does my landlord Rui collect?").hits[0].kind == "episode"


def test_two_memories_of_one_message_leave_nothing_of_it_out(ana):
    said = ana.say("My name is Sam and I live in Lisbon")
    ana.take(
        admitted((said, "My name is Sam"), relation="name", object="Sam", text="The user's name is Sam."),
        admitted(
            (said, "I live in Lisbon"), relation="home", object="Lisbon", text="The user lives in Lisbon."
        ),
    )
    assert [hit.text for hit in ask(ana)] == ["The user lives in Lisbon."]
    both = ask(ana, "What is my name, and where do I live?").hits
    assert {hit.kind for hit in both} == {"fact"}
    assert len(both) == 2


@pytest.mark.parametrize(
    "question, more, kinds",
    [
        (HOME, {"granularity": "fact"}, ["fact"]),
        (HOME, {"granularity": "raw"}, ["episode"]),
        (HOME, {"granularity": "summary"}, []),
        (HOME, {"granularity": "dual"}, ["fact", "episode"]),
        (HOME, {"kinds": ["episode"]}, ["episode"]),
        (HOME, {"kinds": "fact"}, ["fact"]),
        (HOME, {"kinds": ["preference"]}, []),
        (HOME, {"kinds": ["fact", "episode"]}, ["fact"]),
        ("What exactly did I say about where I live?", {}, ["episode"]),
        ('Did I say "live in Lisbon"?', {}, ["fact", "episode"]),
        ("Do I live in `Lisbon`?", {}, ["fact", "episode"]),
        ("Do I live at number 12 in Lisbon?", {}, ["fact", "episode"]),
        ("Do I live in Lisbon today?", {}, ["fact"]),
        ("Summarise where I live", {}, ["fact"]),
    ],
)  # fmt: skip
def test_which_levels_are_searched(ana, question, more, kinds):
    ana.lives_in("Lisbon")
    result = ask(ana, question, **more)
    assert [hit.kind for hit in result] == kinds
    assert set(kinds) <= set(result.plan["kinds"])


@pytest.mark.parametrize(
    "more",
    [{"kinds": []}, {"kinds": ["facts"]}, {"kinds": 5}, {"kinds": [5]}, {"granularity": "both"}, {"granularity": None},
     {"granularity": ["raw"]}, {"kinds": ["episode"], "granularity": "fact"}],
)  # fmt: skip
def test_a_level_that_there_is_not_is_refused(ana, more):
    with pytest.raises(InputError) as caught:
        ask(ana, **more)
    assert caught.value.hint


def test_a_limit_is_filled_although_episodes_fold(ana):
    for n in range(30):
        ana.remember(f"Fact {n} is about boats", text=f"Fact {n}: boats.")
    hits = ask(ana, "boats", limit=20).hits
    assert len(hits) == 20
    assert {hit.kind for hit in hits} == {"fact"}


# -- versions and time


def test_the_version_that_holds_is_found_and_the_episode_of_the_old_one_is_marked(ana, clock):
    old = ana.lives_in("Lisbon")
    clock.forward(seconds=60)
    new = ana.lives_in("Porto", "I moved to Porto")
    first, second = ask(ana).hits
    assert (first.memory.version_id, first.text, first.standing) == (
        new,
        "The user lives in Porto.",
        "current",
    )
    assert (second.kind, second.text, second.standing) == ("episode", "I live in Lisbon", "history")
    assert second.superseded_by == new
    assert not [hit for hit in ask(ana, limit=100) if hit.memory and hit.memory.version_id == old]


def test_a_question_about_the_old_value_is_not_answered_with_the_new_one(ana, clock):
    ana.lives_in("Lisbon")
    clock.forward(seconds=60)
    ana.lives_in("Porto", "I moved to Porto")
    assert ask(ana, "Lisbon").hits[0].text == "I live in Lisbon"


def test_as_of_gives_the_value_then_held(ana, clock):
    ana.lives_in("Lisbon", {"role": "user", "content": "I live in Lisbon", "at": "2024-03-01"})
    ana.lives_in("Porto", {"role": "user", "content": "I live in Porto", "at": "2025-03-01"})

    def home(day):
        return [hit.text for hit in ask(ana, as_of=day) if hit.memory]

    assert home("2024-06") == ["The user lives in Lisbon."]
    assert home("2025-06") == ["The user lives in Porto."]
    assert home("2023-06") == []
    assert [hit.text for hit in ask(ana) if hit.memory] == ["The user lives in Porto."]
    held = [hit.memory for hit in ask(ana, as_of="2024-06") if hit.memory]
    assert [(one.holds, one.grounded, one.status) for one in held] == [("current", True, "superseded")]


def test_a_date_in_the_question_asks_about_that_time(ana):
    ana.lives_in("Lisbon", {"role": "user", "content": "I live in Lisbon", "at": "2024-03-01"})
    ana.lives_in("Porto", {"role": "user", "content": "I live in Porto", "at": "2026-05-27"})
    result = ask(ana, "Where did I live on 2024-06-10?")
    assert [hit.text for hit in result if hit.memory] == ["The user lives in Lisbon."]
    assert result.plan["dated"] == ["2024-06-10"]
    assert "dated" not in ask(ana).plan


@pytest.mark.parametrize(
    "question", ["Do I live at port 9077?", "Do I live in room 1984?", "Did I live there in the year 12000?"]
)
def test_a_number_is_no_date(ana, question):
    ana.lives_in("Lisbon")
    result = ask(ana, question)
    assert "dated" not in result.plan
    assert result.hits[0].text == "The user lives in Lisbon."


def test_what_was_before_is_found_where_it_is_asked_for(ana, clock):
    ana.lives_in("Lisbon")
    clock.forward(seconds=60)
    ana.lives_in("Porto", "I live in Porto")
    found = [(hit.text, hit.standing) for hit in ask(ana, "Where did I live before?") if hit.memory]
    assert sorted(found) == [
        ("The user lives in Lisbon.", "history"),
        ("The user lives in Porto.", "current"),
    ]


def test_memories_of_a_dated_question_stand_in_order_of_time(ana):
    for day, what in (("2026-05-20", "opera"), ("2026-05-02", "zoo"), ("2026-05-11", "museum")):
        ana.remember(
            f"I went to the {what} on {day}", text=f"The user went to the {what}.", kind=Kind.EVENT,
            occurred=When.parse(day), begins=When.parse("2026-05-01"),
        )  # fmt: skip
    found = [hit.text for hit in ask(ana, "Where did the user go on 2026-05-25?") if hit.memory]
    assert found == [
        "The user went to the zoo.",
        "The user went to the museum.",
        "The user went to the opera.",
    ]


def test_a_fact_of_the_future_is_not_found_before_its_time(ana, clock):
    ana.lives_in("Lisbon")
    ana.remember(
        "From July on I live in Porto", relation="home", object="Porto", text="The user lives in Porto.",
        begins=When.parse("2026-07-01"),
    )  # fmt: skip
    assert [hit.text for hit in ask(ana) if hit.memory] == ["The user lives in Lisbon."]
    [raw] = [hit for hit in ask(ana) if hit.text.startswith("From July")]
    assert raw.standing == "future"
    later = [(hit.text, hit.standing) for hit in ask(ana, "Where will I live?") if hit.memory]
    assert sorted(later) == [("The user lives in Lisbon.", "current"), ("The user lives in Porto.", "future")]
    clock.forward(seconds=40 * 86_400)
    assert [hit.text for hit in ask(ana) if hit.memory] == ["The user lives in Porto."]


def test_what_is_transient_lapses_and_what_is_durable_grows_stale(ana, clock):
    ana.remember(
        "The plumber comes on Friday",
        relation="plan",
        object="plumber",
        kind=Kind.EVENT,
        text="The user expects the plumber.",
    )
    ana.lives_in("Lisbon")
    assert [hit.kind for hit in ask(ana, "plumber")] == ["event"]
    clock.forward(seconds=8 * 86_400)
    assert [(hit.kind, hit.standing) for hit in ask(ana, "plumber")] == [("episode", "history")]
    assert not ask(ana).hits[0].memory.stale
    clock.forward(seconds=730 * 86_400)
    home = ask(ana).hits[0].memory
    assert (home.stale, home.holds, home.grounded) == (True, "current", True)
    ana.lives_in("Lisbon", "I still live in Lisbon")
    assert not ask(ana).hits[0].memory.stale


# -- what is fenced


@pytest.mark.parametrize(
    "status",
    [MemoryStatus.RETRACTED, MemoryStatus.QUARANTINED, MemoryStatus.INVALIDATED, MemoryStatus.ARCHIVED],
)
def test_what_is_fenced_is_no_hit_and_a_retracted_statement_not_even_as_an_episode(ana, status):
    version = ana.lives_in("Lisbon")
    assert ask(ana).hits
    label(ana, version, status)
    hits = ask(ana).hits
    assert not [hit for hit in hits if hit.memory]
    assert len(hits) == (0 if status is MemoryStatus.RETRACTED else 1)
    for more in (
        {"granularity": "raw"},
        {"granularity": "fact"},
        {"filters": {"status": str(status)}},
        {"as_of": "2026-07"},
    ):
        assert not [hit for hit in ask(ana, **more) if hit.memory]
        assert status is not MemoryStatus.RETRACTED or not ask(ana, **more).hits


def test_a_retracted_word_lends_nothing_to_its_neighbours(ana):
    with_session = Remembering(ana.memory, "ana", infer=False, session_id="s")
    version = with_session.lives_in("Lisbon")
    with_session.say("near the river")
    assert [hit.text for hit in ask(ana, "Lisbon")] == ["The user lives in Lisbon.", "near the river"]
    label(ana, version, MemoryStatus.RETRACTED)
    assert not ask(ana, "Lisbon").hits


def test_an_episode_in_quarantine_is_no_hit(ana):
    said = ana.say("The gate code is on the blue card")
    ana.store.commit(
        ana.space_id,
        [StatusSet(target=said.id, authority=said.authority, status="quarantined", reason="revoked")],
    )
    assert not ask(ana, "gate code").hits
    assert ask(ana, "gate code", known_at=rfc3339(said.recorded_at + 1)).hits


# -- what was believed


def test_known_at_gives_what_was_believed_then(ana, clock):
    version = ana.lives_in("Lisbon")
    then = rfc3339(clock.now())
    clock.forward(seconds=DAY // 1_000_000)
    new = ana.lives_in("Porto", "I live in Porto")
    clock.forward(seconds=60)
    label(ana, new, MemoryStatus.RETRACTED)
    [hit] = ask(ana, known_at=then)
    assert (hit.memory.version_id, hit.memory.status, hit.memory.holds) == (version, "active", "current")
    assert hit.memory.superseded_by is None
    assert hit.memory.valid.end is None


def test_known_at_knows_the_authority_of_then_and_filters_by_it(ana, clock):
    version = ana.lives_in("Lisbon")
    then = rfc3339(clock.now())
    clock.forward(seconds=60)
    label(ana, version, MemoryStatus.ACTIVE, "weakened", "attested")
    assert ask(ana).hits[0].authority == "attested"
    assert ask(ana, known_at=then).hits[0].authority == "authorized"
    weak = {"authority": "attested", "kind": "fact"}
    assert [len(ask(ana, filters=weak, known_at=moment)) for moment in (None, then)] == [1, 0]


def test_known_at_leaves_out_what_was_not_there(ana, clock):
    then = rfc3339(clock.now())
    clock.forward(seconds=60)
    ana.lives_in("Lisbon")
    assert not ask(ana, known_at=then).hits


def test_a_later_closing_is_not_known(ana, clock):
    version = ana.lives_in("Lisbon")
    then = rfc3339(clock.now())
    clock.forward(seconds=60)
    memory_id, number = version.split("@")
    ana.store.commit(
        ana.space_id, [ItemClosed(memory_id=memory_id, version=int(number), end=clock.now(), by=None)]
    )
    clock.forward(seconds=60)
    assert [hit.kind for hit in ask(ana)] == ["episode"]
    assert [hit.kind for hit in ask(ana, known_at=then)] == ["fact"]
    assert [hit.memory.holds for hit in ask(ana, known_at=then, as_of=rfc3339(clock.now()))] == ["current"]


# -- conflicts


def test_a_conflict_comes_with_all_its_members(ana):
    ana.lives_in("Lisbon")
    ana.remember(
        {"role": "tool", "name": "crm", "content": "home: Porto"}, relation="home", object="Porto",
        text="The user lives in Porto.",
    )  # fmt: skip
    result = ask(ana)
    [group] = result.conflicts
    assert {member.text for member in group.members} == {
        "The user lives in Lisbon.",
        "The user lives in Porto.",
    }
    assert {member.authority for member in group.members} == {Authority.AUTHORIZED, Authority.UNENDORSED}
    assert (group.subject, group.relation) == ("user", "home")
    assert all(member.conflicts == (group.id,) for member in group.members)
    assert result.to_dict()["conflicts"][0]["opened_at"].endswith("Z")
    assert result.shared == ()
    assert ask(ana, "tea").conflicts == ()


# -- filters


def test_filters_reach_every_column_of_a_memory_and_of_its_source(ana):
    said = Remembering(ana.memory, "ana", infer=False, session_id="talk", source="phone", source_id="s-1")
    said.lives_in("Lisbon")
    ana.remember(
        "I don't like tea at all",
        relation="like",
        object="tea",
        negated=True,
        kind=Kind.PREFERENCE,
        text="The user does not like tea.",
    )

    def found(filters):
        return sorted(
            hit.text for hit in ask(ana, "user live Lisbon like tea", filters=filters) if hit.memory
        )

    home, tea = "The user lives in Lisbon.", "The user does not like tea."
    assert found({"kind": "fact"}) == [home]
    assert found({"kind": {"ne": "episode"}}) == [tea, home]
    assert found({"relation": "home"}) == found({"object": "Lisbon"}) == [home]
    assert found({"subject": "user"}) == found({"certainty": "asserted"}) == [tea, home]
    assert found({"negated": True}) == [tea]
    assert (
        found({"session_id": "talk"}) == found({"source": "phone"}) == found({"source_id": "s-1"}) == [home]
    )
    assert (
        found({"role": "user"})
        == found({"status": "active"})
        == found({"extractor": "test-1"})
        == [tea, home]
    )
    assert found({"valid_from": {"gte": "2026"}, "valid_until": None, "language": "en"}) == [tea, home]
    assert found({"valid_from": {"lt": "2026"}}) == found({"claimant": "*"}) == found({"role": "mail"}) == []
    assert found({"actor": "user:ana"}) == found({"text": {"icontains": "USER"}}) == [tea, home]
    assert [hit.kind for hit in ask(ana, "live Lisbon tea", filters={"kind": "episode"})] == [
        "episode",
        "episode",
    ]
    for wrong in ({"relations": "home"}, {"kind": "facts"}, {"negated": "yes"}, {"certainty": "maybe"}):
        with pytest.raises(FilterError):
            ask(ana, filters=wrong)


def test_memory_fields_are_absent_where_there_are_no_memories(ana):
    ana.say("I live in Lisbon")
    assert not ask(ana, filters={"relation": "home"}).hits
    assert len(ask(ana, filters={"relation": None, "kind": "episode"})) == 1


# -- traces


def test_a_trace_names_versions_and_is_bound_to_them(ana, config):
    version = ana.lives_in("Lisbon")
    result = ask(ana)
    with plainly(config.database) as file:
        shown, digest = file.execute(
            "SELECT shown, digest FROM trace WHERE id = ?", (result.trace_id,)
        ).fetchone()
    assert json.loads(shown) == [version]
    assert digest != bytes(32)
    label(ana, version, MemoryStatus.RETRACTED)
    again = ask(ana)
    with plainly(config.database) as file:
        assert (
            file.execute("SELECT digest FROM trace WHERE id = ?", (again.trace_id,)).fetchone()[0] != digest
        )


# -- what is so, and what is not


def test_the_new_home_is_found_and_not_that_the_old_one_was_left(memory):
    """Both hold, the denial begins later in the day: it must not hide the value."""
    memory.add("I live in Munich", user_id="priya", occurred_at="2026-03-02T08:00Z")
    left = "I don't live in Munich any more. As of today I live in Vienna"
    memory.add(left, user_id="priya", occurred_at="2026-04-01T20:47Z")
    hits = memory.search("Where do I live?", user_id="priya", kinds=["fact"]).hits
    assert [hit.text for hit in hits] == ["The user lives in Vienna."]
    hits = memory.search("Where did I live in April 2026?", user_id="priya", kinds=["fact"]).hits
    assert [hit.text for hit in hits] == ["The user lives in Vienna."]


def test_what_was_denied_since_is_found_as_denied(memory):
    memory.add("I like cilantro", user_id="priya", occurred_at="2026-03-02T08:00Z")
    memory.add("I don't like cilantro any more", user_id="priya", occurred_at="2026-04-01T20:47Z")
    for question in ("Do I like cilantro?", "Did I like cilantro in 2026?"):
        [hit] = memory.search(question, user_id="priya", kinds=["preference"]).hits
        assert hit.memory.negated
