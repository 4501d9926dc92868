"""What a statement does to the memories that are there: versions, time, authority. Real commits in a real store."""

from itertools import permutations
from typing import Any

import pytest

from affidavit import Memory
from affidavit.core.memories import MemoryStatus
from affidavit.text.frames.statement import Certainty
from tests.support_lives import Life, on


@pytest.fixture
def life(memory: Memory) -> Life:
    return Life(memory)


def versions(rows):
    return [(row.id.partition("@")[2], row.object, row.status) for row in rows]


class TestOneValueAtATime:
    def test_a_new_value_closes_the_old_one(self, life):
        first = life.states("Lisbon", 1)
        second = life.states("Porto", 5)
        old, new = life.rows()
        assert first.added == [old.id]
        assert second.updated == [new.id]
        assert (old.memory_id, old.version, new.version) == (new.memory_id, 1, 2)
        assert (old.status, old.closed_by, old.ends) == ("superseded", new.id, on(5))
        assert life.timeline() == [(1, {"Lisbon"}), (5, {"Porto"})]
        life.verified()

    def test_the_same_again_is_a_support(self, life):
        """F3, behaviour 26."""
        (version,) = life.states("Lisbon", 1).added
        for day in (2, 3, 3):
            assert life.states("the  LISBON.", day).supported == [version]
        assert len(life.supports(version)) == 4
        assert len(life.rows()) == 1

    def test_a_backdated_value_goes_into_the_history(self, life):
        """Behaviour 25."""
        life.states("Porto", 5)
        life.states("Lisbon", 1)
        assert life.timeline() == [(1, {"Lisbon"}), (5, {"Porto"})]
        assert versions(life.rows()) == [("1", "Porto", "active"), ("2", "Lisbon", "superseded")]

    def test_it_takes_its_place_between_others(self, life):
        for value, day in (("Lisbon", 1), ("Faro", 9), ("Porto", 5)):
            life.states(value, day)
        assert life.timeline() == [(1, {"Lisbon"}), (5, {"Porto"}), (9, {"Faro"})]
        life.verified()

    def test_an_older_message_replayed_after_a_newer_one(self, life):
        """F28: what was said again after it holds."""
        life.states("Lisbon", 1)
        life.states("Lisbon", 9)
        life.states("Porto", 5)
        assert life.timeline() == [(1, {"Lisbon"}), (5, {"Porto"}), (9, {"Lisbon"})]
        assert life.now() == {"Lisbon"}
        life.verified()

    def test_an_older_message_about_a_time_that_is_known(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 9)
        again = life.states("Lisbon", 5)
        assert again.supported == [life.rows()[0].id]
        assert len(life.rows()) == 2

    def test_many_said_of_one_instant_change_little_each(self, life):
        some = [life.statement(f"home {n % 2}", 1) for n in range(40)]
        changes = life.take(*some).changes
        assert life.timeline() == [(1, {"home 1"})]
        assert len(changes) <= 6 * len(some)
        life.verified()

    def test_said_again_after_it_ended(self, life):
        for value, day in (("Lisbon", 1), ("Porto", 5), ("Lisbon", 9)):
            life.states(value, day)
        assert life.timeline() == [(1, {"Lisbon"}), (5, {"Porto"}), (9, {"Lisbon"})]
        assert [row.version for row in life.rows()] == [1, 2, 3]

    def test_two_at_the_same_instant(self, life):
        """The one that came later holds; the other never did."""
        life.take(life.statement("Lisbon", 1), life.statement("Porto", 1))
        assert life.timeline() == [(1, {"Porto"})]
        assert versions(life.rows()) == [("1", "Lisbon", "superseded"), ("2", "Porto", "active")]

    def test_what_went_before_names_the_one_that_holds(self, life):
        life.states("Lisbon", 1)
        life.take(life.statement("Porto", 5), life.statement("Faro", 5))
        lisbon, _, faro = life.rows()
        assert lisbon.closed_by == faro.id

    def test_qualifiers_keep_values_apart(self, life):
        life.states("vim", 1, relation="favorite", qualifier="editor")
        life.states("jazz", 2, relation="favorite", qualifier="music")
        life.states("emacs", 3, relation="favorite", qualifier="Editor")
        assert life.now("favorite") == {"emacs", "jazz"}

    def test_another_subject_is_another_matter(self, life):
        """Behaviour 16."""
        life.states("Lisbon", 1)
        life.states("Porto", 2, subject="Ana", by="tool", claimant="Ana")
        assert life.now() == {"Lisbon", "Porto"}
        assert life.conflicts() == []

    def test_eight_homes_in_any_order(self, memory):
        days = [3, 1, 4, 7, 5, 8, 2, 6]
        for turn, order in enumerate((days, sorted(days), sorted(days, reverse=True))):
            life = Life(memory)
            life.ids["user_id"] = f"u{turn}"
            life.caller = type(life.caller).of(user_id=f"u{turn}")
            for day in order:
                life.states(f"home {day}", day)
            assert life.now() == {"home 8"}
            assert life.timeline() == [(day, {f"home {day}"}) for day in range(1, 9)]
            assert sorted(row.version for row in life.rows()) == list(range(1, 9))
            assert len({row.memory_id for row in life.rows()}) == 1
            assert [row.status for row in life.rows()].count("active") == 1
        assert not memory.verify().problems

    def test_every_order_of_four_tells_the_same(self, memory):
        told = [("Lisbon", 1), ("Porto", 2), ("Lisbon", 3), ("Faro", 4)]
        for turn, order in enumerate(permutations(told)):
            life = Life(memory)
            life.ids["user_id"] = f"u{turn}"
            life.caller = type(life.caller).of(user_id=f"u{turn}")
            life.take(*[life.statement(value, day) for value, day in order])
            assert life.timeline() == [(1, {"Lisbon"}), (2, {"Porto"}), (3, {"Lisbon"}), (4, {"Faro"})], order


class TestSince:
    def test_since_in_the_present_tense_holds_now(self, life):
        """It contradicts what was said before of the time between; the later word is about now, too."""
        life.states("Lisbon", 50)
        life.states("Porto", 60, since=10)
        assert life.now() == {"Porto"}
        assert life.timeline() == [(10, {"Porto"}), (50, {"Lisbon"}), (60, {"Porto"})]
        life.verified()

    def test_and_does_so_when_it_comes_first(self, life):
        life.states("Porto", 60, since=10)
        life.states("Lisbon", 50)
        assert life.timeline() == [(10, {"Porto"}), (50, {"Lisbon"}), (60, {"Porto"})]

    def test_a_change_in_the_past_is_about_its_own_time(self, life):
        life.states("Lisbon", 50)
        life.states("Porto", 60, since=10, tense="past")
        assert life.timeline() == [(10, {"Porto"}), (50, {"Lisbon"})]

    def test_a_life_told_in_its_order(self, life):
        life.take(
            life.statement("Madrid", 100, since=10, tense="past"),
            life.statement("Porto", 100, since=50, tense="past"),
        )
        assert life.timeline() == [(10, {"Madrid"}), (50, {"Porto"})]

    def test_a_change_that_began_before_it_was_said(self, life):
        life.states("Lisbon", 10)
        life.states("Lisbon", 80)
        life.states("Porto", 90, since=60, tense="past")
        assert life.timeline() == [(10, {"Lisbon"}), (60, {"Porto"})]

    def test_a_later_word_about_now_is_not_undone_by_an_older_since(self, life):
        life.states("Porto", 70, since=40, tense="past")
        life.states("Lisbon", 60, since=10)
        assert life.timeline() == [(10, {"Lisbon"}), (40, {"Porto"})]


class TestPlans:
    def test_a_plan_is_not_yet_so(self, life):
        """Behaviour 24."""
        life.states("Lisbon", 1)
        life.states("Porto", 2, since=200, tense="future")
        assert life.now() == {"Lisbon"}
        assert life.timeline() == [(1, {"Lisbon"}), (200, {"Porto"})]
        assert {row.status for row in life.rows()} == {MemoryStatus.ACTIVE}

    def test_what_is_said_before_its_time_leaves_it(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 2, since=200, tense="future")
        assert life.states("Lisbon", 3).supported == [life.rows()[0].id]
        life.states("Faro", 4)
        assert life.timeline() == [(1, {"Lisbon"}), (4, {"Faro"}), (200, {"Porto"})]
        assert life.now() == {"Faro"}

    def test_what_is_said_after_its_time_takes_its_place(self, life):
        life.states("Porto", 2, since=100, tense="future")
        life.states("Lisbon", 120)
        assert life.timeline() == [(100, {"Porto"}), (120, {"Lisbon"})]

    def test_without_a_time_it_holds_at_none(self, life):
        life.states("Lisbon", 1)
        planned = life.states("Porto", 2, tense="future")
        assert life.now() == {"Lisbon"}
        assert life.timeline() == [(1, {"Lisbon"})]
        assert life.states("Porto", 3, tense="future").supported == planned.added
        assert life.states("Porto", 4).updated

    def test_it_is_given_up(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 2, since=200, tense="future")
        gone = life.states("Porto", 3, negated=True)
        assert gone.retracted == [life.rows()[1].id]
        assert life.timeline() == [(1, {"Lisbon"}), (3, {"Lisbon", "-Porto"})]

    def test_an_older_denial_gives_up_nothing(self, life):
        life.states("Porto", 5, since=200, tense="future")
        life.states("Porto", 3, negated=True)
        assert life.timeline() == [(3, {"-Porto"}), (200, {"Porto"})]

    def test_it_is_changed(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 2, since=200, tense="future")
        life.states("Faro", 3, since=210, tense="future", correction=True)
        assert life.timeline() == [(1, {"Lisbon"}), (200, {"Porto"}), (210, {"Faro"})], (
            "a later time is a change"
        )
        life.states("Beja", 4, tense="future", since=205, correction=True)
        assert life.timeline()[-2:] == [(200, {"Porto"}), (205, {"Beja"})]
        assert life.now() == {"Lisbon"}

    def test_dates_of_events_stay_apart(self, life):
        """F29."""
        life.states("dentist", 1, relation="plan", happens=160, tense="future")
        life.states("dentist", 2, relation="plan", happens=190, tense="future")
        assert [(row.occurred_start, row.status) for row in life.rows("plan")] == [
            (on(160), "active"),
            (on(190), "active"),
        ]
        again = life.states("dentist", 3, relation="plan", happens=160, tense="future")
        assert again.supported == [life.rows("plan")[0].id]
        life.states("dentist", 4, relation="plan", happens=191, tense="future", correction=True)
        assert [row.status for row in life.rows("plan")].count("active") == 2

    def test_a_deadline_that_moves(self, life):
        life.states("5 May", 1, relation="deadline", qualifier="report", happens=124)
        life.states("12 May", 2, relation="deadline", qualifier="report", happens=131)
        life.states("1 June", 3, relation="deadline", qualifier="thesis", happens=151)
        assert life.now("deadline") == {"12 May", "1 June"}


class TestCorrections:
    def test_it_takes_the_place_of_what_it_corrects(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 5)
        life.states("Faro", 9, correction=True)
        assert life.timeline() == [(1, {"Lisbon"}), (5, {"Faro"})]
        assert versions(life.rows())[1] == ("2", "Porto", "superseded")

    def test_of_the_time_since_when(self, life):
        life.states("Lisbon", 50, since=10)
        life.states("Lisbon", 60, since=20, correction=True)
        assert life.timeline() == [(20, {"Lisbon"})]
        life.states("Lisbon", 70, since=5, correction=True)
        assert life.timeline() == [(5, {"Lisbon"})]
        life.verified()

    def test_naming_a_later_time_it_is_a_change(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 60, since=50, correction=True, tense="past")
        assert life.timeline() == [(1, {"Lisbon"}), (50, {"Porto"})]

    def test_of_one_that_was_meant_to_come(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 2, since=200, tense="future")
        life.states("Faro", 3, tense="future", since=200, correction=True)
        assert life.timeline() == [(1, {"Lisbon"}), (200, {"Faro"})]

    def test_that_comes_late_corrects_what_held_then(self, life):
        life.states("Madrid", 1)
        life.states("Lisbon", 9)
        life.states("Porto", 5, correction=True)
        assert life.timeline() == [(1, {"Porto"}), (9, {"Lisbon"})]

    def test_of_nothing_is_a_statement(self, life):
        life.states("Porto", 5, correction=True)
        assert life.timeline() == [(5, {"Porto"})]

    def test_it_was_never_so(self, life):
        life.states("vegetarian", 1, relation="diet")
        gone = life.states("vegetarian", 5, relation="diet", negated=True, correction=True)
        assert life.timeline("diet") == [(1, {"-vegetarian"})]
        assert gone.retracted == [life.rows("diet")[0].id]

    def test_corrected_twice(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 2, correction=True)
        life.states("Lisbon", 3, correction=True)
        assert life.timeline() == [(1, {"Lisbon"})]
        assert [row.version for row in life.rows()] == [1, 2, 3]

    def test_by_lower_authority_it_is_a_rival(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 5, correction=True, by="assistant")
        assert life.now() == {"Lisbon", "Porto"}
        assert len(life.conflicts()) == 1


class TestEndings:
    def test_no_longer(self, life):
        """Behaviour 22: the denial is the successor."""
        life.states("Acme", 1, relation="work")
        gone = life.states("Acme", 5, relation="work", negated=True, ended=True)
        old, denial = life.rows("work")
        assert (old.status, old.closed_by, denial.version) == ("superseded", denial.id, 2)
        assert gone.retracted == [old.id]
        assert life.timeline("work") == [(1, {"Acme"}), (5, {"-Acme"})]

    def test_no_longer_and_what_came_instead(self, life):
        life.states("Siemens", 1, relation="work")
        life.take(
            life.statement("Siemens", 50, relation="work", negated=True, ended=True),
            life.statement("Bosch", 50, relation="work", since=47, tense="past"),
        )
        assert life.now("work") == {"-Siemens", "Bosch"}
        assert life.timeline("work") == [(1, {"Siemens"}), (47, {"Bosch"}), (50, {"Bosch", "-Siemens"})]

    def test_a_denial_is_about_its_object_alone(self, life):
        life.states("Lisbon", 1)
        life.states("Paris", 5, negated=True)
        life.states("Porto", 9)
        assert life.now() == {"-Paris", "Porto"}
        life.states("Paris", 10)
        assert life.now() == {"Paris"}

    def test_used_to(self, life):
        life.states("Lisbon", 10)
        life.states("Paris", 20, ended=True)
        assert life.timeline() == [(10, {"Lisbon"})]
        assert versions(life.rows())[1] == ("1", "Paris", "superseded")
        life.states("Lisbon", 30, ended=True)
        assert life.timeline() == [(10, {"Lisbon"}), (30, set())]
        assert life.now() == set()
        again = life.states("Paris", 40, ended=True)
        assert again.supported == [life.rows()[1].id]

    def test_it_ended_before_it_was_known(self, life):
        life.states("Lisbon", 50)
        life.states("Lisbon", 60, since=20, ended=True)
        assert life.timeline() == [(50, {"Lisbon"}), (60, set())]

    def test_all_of_it_ended(self, life):
        life.states("Rex", 1, relation="pet")
        life.states("Tom", 2, relation="pet")
        life.states("", 5, relation="pet", negated=True, ended=True)
        assert life.timeline("pet") == [(1, {"Rex"}), (2, {"Rex", "Tom"}), (5, {"-"})]

    def test_an_older_ending_does_not_end_what_was_said_since(self, life):
        life.states("Acme", 1, relation="work")
        life.states("Acme", 9, relation="work")
        life.states("Acme", 5, relation="work", ended=True)
        assert life.timeline("work") == [(1, {"Acme"}), (5, set()), (9, {"Acme"})]

    def test_it_is_to_end(self, life):
        life.states("Acme", 1, relation="work")
        life.states("Acme", 5, relation="work", since=200, ended=True, negated=True, tense="future")
        assert life.now("work") == {"Acme"}
        assert life.timeline("work") == [(1, {"Acme"}), (200, {"-Acme"})]

    def test_like_and_dislike_are_one_memory(self, life):
        """F4."""
        life.states("Chinese food", 1, relation="like")
        life.states("tea", 2, relation="like")
        life.states("Chinese food", 5, relation="dislike")
        likes, dislikes = life.rows("like"), life.rows("dislike")
        assert likes[0].memory_id == dislikes[0].memory_id
        assert life.now("like") == {"tea"}
        assert life.now("dislike") == {"Chinese food"}
        life.states("chinese food", 9, relation="like")
        assert life.now("like") == {"tea", "chinese food"}
        assert life.now("dislike") == set()


class TestAuthority:
    def test_lower_authority_is_kept_beside(self, life):
        """Behaviours 13 and 28."""
        (mine,) = life.states("Lisbon", 1).added
        beside = life.states("Porto", 5, by="tool", claimant="inbox")
        (its,) = beside.added
        assert life.status(mine) == ("active", "authorized")
        assert life.status(its) == ("active", "unendorsed")
        (conflict,) = life.conflicts()
        assert set(conflict.members) == {mine, its}
        assert beside.conflicts == [conflict.id]
        life.verified()

    def test_the_users_next_word_settles_it(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 5, by="tool", claimant="inbox")
        life.states("Faro", 9)
        assert life.now() == {"Faro"}
        assert life.conflicts() == []

    def test_the_same_word_again_outlasts_the_rival(self, life):
        (mine,) = life.states("Lisbon", 1).added
        life.states("Porto", 5, by="tool", claimant="inbox")
        assert life.states("Lisbon", 9).supported == [mine]
        assert life.now() == {"Lisbon"}
        assert life.conflicts() == []
        assert life.conflicts(open_only=False)[0].kept == mine
        life.states("Porto", 10, by="tool", claimant="inbox")
        assert len(life.conflicts()) == 1

    def test_a_shorter_form_again_outlasts_the_rival_for_the_exact_one(self, life):
        life.states("Lisbon", 1)
        (exact,) = life.states("Lisbon, Portugal", 1, since=2, tense="future").updated
        life.states("Porto", 2, by="assistant")
        life.states("Lisbon", 4)
        life.states("Lisbon", 1, since=4, tense="future")
        assert life.timeline()[-1] == (4, {"Lisbon, Portugal"})
        assert [row.closed_by for row in life.rows() if row.object == "Porto"] == [exact]
        life.verified()

    def test_a_backdated_word_does_not_settle_it(self, life):
        for said in (1, 2):
            life.states("Lisbon", said)
        (its,) = life.states("Porto", 3, by="assistant").added
        late = life.states("Porto", 1)
        assert life.timeline() == [(1, {"Porto"}), (2, {"Lisbon"}), (3, {"Lisbon", "Porto"})]
        (conflict,) = life.conflicts()
        assert set(conflict.members) == {life.rows()[-1].id, its}
        assert late.conflicts == [conflict.id]
        life.verified()

    def test_a_word_about_later_outlasts_it_later(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 5, by="tool", claimant="inbox")
        life.states("Lisbon", 9, since=200, tense="future")
        assert life.now() == {"Lisbon", "Porto"}
        assert len(life.conflicts()) == 1
        assert life.timeline()[-1] == (200, {"Lisbon"})

    def test_the_users_word_for_the_rival_settles_it(self, life):
        """Behaviour 14: a direct restatement raises it."""
        life.states("Lisbon", 1)
        (its,) = life.states("Porto", 5, by="assistant").added
        assert life.states("Porto", 9).supported == [its]
        assert life.status(its) == ("active", "authorized")
        assert life.timeline() == [(1, {"Lisbon"}), (5, {"Porto"})]
        assert life.conflicts() == []
        assert life.conflicts(open_only=False)[0].kept == its

    def test_the_users_word_for_what_another_claims_is_a_version_of_its_own(self, life):
        (its,) = life.states("Porto", 5, by="tool", claimant="inbox").added
        mine = life.states("Porto", 9)
        assert mine.updated
        assert life.status(its) == ("superseded", "unendorsed")
        assert life.now() == {"Porto"}

    def test_an_agreeing_lower_word_changes_nothing(self, life):
        (mine,) = life.states("Lisbon", 1).added
        assert life.states("Lisbon", 5, by="tool", claimant="inbox").supported == [mine]
        assert life.status(mine) == ("active", "authorized")

    def test_an_agreeing_lower_word_brings_nothing_back(self, life):
        life.states("Lisbon", 1)
        life.states("Lisbon", 9, by="tool")
        life.states("Porto", 5)
        assert life.now() == {"Porto"}
        assert life.timeline() == [(1, {"Lisbon"}), (5, {"Porto"})]

    def test_two_speakers_below_authorized_do_not_settle_it(self, life):
        life.states("Porto", 1, by="assistant", claimant="Ben")
        life.states("Faro", 5, by="assistant", claimant="Cleo")
        assert life.now() == {"Porto", "Faro"}
        assert len(life.conflicts()) == 1
        life.states("Beja", 9, by="assistant", claimant="Ben")
        assert life.now() == {"Beja", "Faro"}
        assert len(life.conflicts()) == 1
        assert {row.memory_id for row in life.rows() if row.claimant == "Ben"} == {life.rows()[0].memory_id}

    def test_two_who_agree_are_no_conflict(self, life):
        life.states("Porto", 1, by="assistant", claimant="Ben")
        life.states("Porto", 5, by="assistant", claimant="Cleo")
        assert len(life.rows()) == 2
        assert life.conflicts() == []

    def test_a_lower_word_about_the_past_is_no_conflict(self, life):
        life.states("Lisbon", 50)
        life.states("Porto", 60, since=10, tense="past", by="assistant")
        assert life.conflicts() == []
        assert life.timeline() == [(10, {"Porto"}), (50, {"Lisbon"})]

    def test_a_lower_ending_ends_nothing(self, life):
        life.states("Acme", 1, relation="work")
        life.states("Acme", 5, relation="work", ended=True, by="tool", claimant="inbox")
        assert life.now("work") == {"Acme"}
        assert len(life.conflicts()) == 1
        life.states("Acme", 6, relation="work", negated=True, by="tool", claimant="inbox")
        assert life.now("work") == {"Acme", "-Acme"}
        assert len(life.conflicts()) == 2

    def test_what_is_quarantined_touches_nothing(self, life):
        life.states("Lisbon", 1)
        kept = life.states("Porto", 5, by="tool", status=MemoryStatus.QUARANTINED)
        assert life.now() == {"Lisbon"}
        assert life.conflicts() == []
        again = life.states("Porto", 6, by="tool", status=MemoryStatus.QUARANTINED)
        assert again.supported == kept.added
        life.states("Porto", 7)
        assert life.timeline() == [(1, {"Lisbon"}), (7, {"Porto"})]

    def test_what_is_not_sure_touches_nothing(self, life):
        life.states("Lisbon", 1)
        life.states("Porto", 5, certainty=Certainty.HEDGED)
        assert life.now() == {"Lisbon", "Porto"}
        assert life.conflicts() == []
        assert life.rows()[1].version == 1
        life.states("Lisbon", 6, certainty=Certainty.HEDGED)
        assert len(life.rows()) == 3
        life.states("Faro", 7)
        assert life.now() == {"Faro"}


class TestValues:
    def test_a_more_exact_value_takes_the_place_of_a_shorter(self, life):
        """Behaviour 30."""
        life.states("Lisbon", 1)
        life.states("Lisbon, Portugal", 5)
        assert life.now() == {"Lisbon, Portugal"}

    def test_a_shorter_one_is_kept_behind_it(self, life):
        life.states("Lisbon, Portugal", 1)
        life.states("Lisbon", 5)
        assert life.now() == {"Lisbon, Portugal"}
        short = life.rows()[1]
        assert (short.status, short.closed_by) == ("superseded", life.rows()[0].id)
        assert life.states("lisbon", 6).supported == [short.id]
        life.verified()

    def test_it_holds_where_the_exact_one_ends(self, life):
        life.states("Lisbon, Portugal", 1)
        life.states("Lisbon", 9)
        life.states("Porto", 5)
        assert life.timeline() == [(1, {"Lisbon, Portugal"}), (5, {"Porto"}), (9, {"Lisbon"})]

    @pytest.mark.parametrize("longer", ["New York", "York Town", "Yorkshire, England"])
    def test_a_name_inside_another_is_another(self, life, longer):
        life.states(longer, 1)
        life.states("York", 5)
        assert life.now() == {"York"}

    def test_of_many_values_each_stays(self, life):
        for day, value in enumerate(("dog", "dog (Rex)", "cat"), 1):
            life.states(value, day, relation="pet")
        assert life.now("pet") == {"dog", "dog (Rex)", "cat"}

    def test_other_values_in_its_slots_are_another_statement(self, life):
        life.states("landlord", 1, relation="instruction", slots=[("account", "ES12")])
        life.states("landlord", 2, relation="instruction", slots=[("account", "ES12")])
        life.states("landlord", 3, relation="instruction", slots=[("account", "FR99")])
        first, second = life.rows("instruction")
        assert (first.status, second.status) == ("superseded", "active")
        assert len(life.supports(first.id)) == 2

    def test_without_a_relation_only_equal_texts_are_the_same(self, life):
        first = life.states("likes 12 March", 1, relation=None)
        life.states("likes 21 March", 2, relation=None)
        assert life.states("Likes 12 march", 3, relation=None).supported == first.added
        assert [row.status for row in life.rows(None)] == ["active", "active"]


def test_a_batch_is_as_one_by_one(memory: Memory) -> None:
    told: list[tuple[str, int, dict[str, Any]]] = [
        ("Lisbon", 3, {}),
        ("Porto", 1, {}),
        ("Lisbon", 5, {"negated": True, "ended": True}),
        ("Faro", 9, {}),
    ]
    told += [("Beja", 4, {"by": "assistant"}), ("Faro", 10, {}), ("Porto", 11, {"correction": True})]
    shapes = []
    for turn in range(2):
        life = Life(memory)
        life.ids["user_id"] = f"u{turn}"
        life.caller = type(life.caller).of(user_id=f"u{turn}")
        statements = [life.statement(value, day, **more) for value, day, more in told]
        for part in [statements] if turn else [[one] for one in statements]:
            life.take(*part)
        shapes.append([(r.version, r.object, r.status, r.valid_start, r.ends) for r in life.rows()])
    assert shapes[0] == shapes[1]
    assert not memory.verify().problems
