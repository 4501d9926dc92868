"""What stands beside what: one more value, diets that are no rivals; ends of all values, of plans, and to come."""

import pytest

from affidavit import Memory
from tests.support_lives import Life, on


@pytest.fixture
def life(memory: Memory) -> Life:
    return Life(memory)


class TestBeside:
    def test_one_more_value_ends_nothing(self, life):
        life.states("Shell", 1, relation="work")
        also = life.states("BP", 5, relation="work", beside=True)
        assert life.now("work") == {"Shell", "BP"}
        assert len(also.added) == 1
        assert life.conflicts() == []
        life.verified()

    def test_saying_the_first_again_ends_it_neither(self, life):
        life.states("Shell", 1, relation="work")
        life.states("BP", 5, relation="work", beside=True)
        life.states("Shell", 9, relation="work")
        assert life.now("work") == {"Shell", "BP"}

    def test_a_new_first_value_leaves_it(self, life):
        life.states("Shell", 1, relation="work")
        life.states("BP", 5, relation="work", beside=True)
        life.states("Acme", 9, relation="work")
        assert life.now("work") == {"Acme", "BP"}

    def test_it_ends_by_name(self, life):
        life.states("Shell", 1, relation="work")
        life.states("BP", 5, relation="work", beside=True)
        life.states("BP", 9, relation="work", negated=True, ended=True)
        assert life.now("work") == {"Shell", "-BP"}

    def test_in_any_order(self, life):
        life.states("BP", 5, relation="work", beside=True)
        life.states("Shell", 1, relation="work")
        assert life.now("work") == {"Shell", "BP"}

    def test_of_the_same_it_is_a_support(self, life):
        first = life.states("Shell", 1, relation="work")
        assert life.states("Shell", 5, relation="work", beside=True).supported == first.added

    def test_where_there_can_be_one_only_it_is_a_new_value(self, life):
        life.states("3 May", 1, relation="birthday")
        life.states("4 May", 5, relation="birthday", beside=True)
        assert life.now("birthday") == {"4 May"}


class TestDiets:
    @pytest.mark.parametrize(
        "other",
        [
            "lactose intolerant",
            "celiac",
            "gluten-free",
            "kosher",
            "halal",
            "celíaca",
            "乳糖不耐受",
            "diabetic",
        ],
    )
    @pytest.mark.parametrize("diet", ["vegetarian", "vegana", "吃素"])
    def test_an_intolerance_is_no_rival(self, life, diet, other):
        life.states(diet, 1, relation="diet")
        life.states(other, 5, relation="diet")
        assert life.now("diet") == {diet, other}
        assert life.conflicts() == []

    @pytest.mark.parametrize(
        "old, new",
        [("vegetarian", "vegan"), ("vegan", "pescatarian"), ("vegana", "vegetariana"), ("吃素", "纯素食者")],
    )
    def test_rivals_displace_each_other(self, life, old, new):
        life.states(old, 1, relation="diet")
        life.states(new, 5, relation="diet")
        assert life.now("diet") == {new}


class TestPlaces:
    @pytest.mark.parametrize("town, country", [("Rome", "Italy"), ("Madrid", "España"), ("巴黎", "法国")])
    def test_a_country_and_a_town_in_it_hold_together(self, life, town, country):
        life.states(town, 1)
        life.states(country, 5)
        assert life.now() == {town, country}
        life.states(town, 6)
        assert life.now() == {town, country}
        life.states("Oslo", 9)
        assert life.now() == {"Oslo"}

    @pytest.mark.parametrize("other", ["Spain", "Paris", "Bologna"])
    def test_another_country_or_town_takes_its_place(self, life, other):
        life.states("Rome", 1)
        life.states(other, 5)
        assert life.now() == {other}


class TestEndOfAll:
    def test_an_ending_without_a_value_ends_every_one(self, life):
        life.states("Shell", 1, relation="work")
        life.states("BP", 2, relation="work", beside=True)
        life.states("", 5, relation="work", negated=True, ended=True)
        assert life.now("work") == {"-"}
        life.states("Acme", 9, relation="work")
        assert life.now("work") == {"Acme"}
        life.verified()

    def test_of_many_values(self, life):
        life.states("two dogs", 1, relation="pet")
        life.states("", 5, relation="pet", negated=True, ended=True)
        assert life.now("pet") == {"-"}
        life.states("a cat", 9, relation="pet")
        assert life.now("pet") == {"a cat"}


class TestGivenUp:
    def test_a_plan_is_given_up_before_its_time(self, life):
        life.states("Rome", 1)
        life.states("Bari", 2, since=100, tense="future")
        life.states("Bari", 3, negated=True, tense="future")
        assert life.now() == {"Rome", "-Bari"}

    def test_and_after_it_where_nobody_said_that_it_came_true(self, life):
        life.states("Rome", 1)
        life.states("Bari", 2, since=100, tense="future")
        life.states("Bari", 120, negated=True, tense="future")
        assert life.now() == {"Rome", "-Bari"}
        assert life.timeline()[:2] == [(1, {"Rome"}), (120, {"Rome", "-Bari"})]
        life.verified()

    def test_what_came_true_is_no_plan(self, life):
        life.states("Rome", 1)
        life.states("Bari", 2, since=100, tense="future")
        life.states("Bari", 110)
        life.states("Bari", 120, negated=True)
        assert life.timeline()[:3] == [(1, {"Rome"}), (100, {"Bari"}), (120, {"-Bari"})]

    def test_without_a_time(self, life):
        life.states("Rome", 1)
        planned = life.states("Bari", 2, tense="future")
        assert life.states("Bari", 3, negated=True, tense="future").retracted == planned.added
        assert life.now() == {"Rome", "-Bari"}

    def test_with_the_very_time_it_was_planned_for(self, life):
        life.states("Rome", 1)
        life.states("Bari", 2, since=100, tense="future")
        life.states("Bari", 3, since=100, negated=True, tense="future")
        assert life.now() == {"Rome", "-Bari"}
        assert life.timeline() == [(1, {"Rome"}), (100, {"Rome", "-Bari"})]
        life.verified()

    def test_at_another_time_than_planned_it_stays(self, life):
        life.states("Bari", 2, since=200, tense="future")
        life.states("Bari", 3, since=180, negated=True, tense="future")
        assert life.timeline() == [(180, {"-Bari"}), (200, {"Bari"})]

    def test_planned_again_and_given_up_again(self, life):
        life.states("Rome", 1)
        for day in (2, 6):
            life.states("Bari", day, since=200, tense="future")
            life.states("Bari", day + 1, negated=True, tense="future")
        assert life.timeline()[-1] == (3, {"Rome", "-Bari"})


class TestCalledOff:
    @pytest.mark.parametrize(
        "plan, word",
        [
            ("flight to Rome", "flight"),
            ("flight to Rome", "flight to Rome"),
            ("flying to Rome", "Rome flight"),
            ("going to Paris", "Paris trip"),
            ("going to Paris", "trip to Paris"),
            ("dentist appointment", "dentist appointment"),
            ("job interview", "interview"),
            ("getting married", "wedding"),
            ("meeting with Bob", "meeting with Bob"),
            ("Viajo a Lima", "viaje a Lima"),
            ("vuelo a Roma", "vuelo"),
            ("去东京", "东京之行"),
            ("飞往巴黎", "航班"),
        ],
    )
    def test_the_one_plan_that_is_meant(self, life, plan, word):
        life.states(plan, 1, relation="plan", happens=180, tense="future")
        life.states("marathon in Oslo", 1, relation="plan", happens=190, tense="future")
        gone = life.states(word, 5, relation="plan", negated=True, tense="future")
        assert gone.retracted == [life.rows("plan")[0].id]
        assert "marathon in Oslo" in life.now("plan")
        assert plan not in life.now("plan")
        life.verified()

    @pytest.mark.parametrize(
        "plan, word",
        [
            ("flight to Rome", "flight to Oslo"),
            ("flying to Rome", "meeting"),
            ("dentist appointment", "flight"),
            ("going to Paris", "going to Lima"),
            ("exam", "wedding"),
            ("去东京", "去大阪"),
        ],
    )
    def test_another_plan_stays(self, life, plan, word):
        life.states(plan, 1, relation="plan", happens=180, tense="future")
        life.states(word, 5, relation="plan", negated=True, tense="future")
        assert plan in life.now("plan")
        assert life.conflicts() == []

    def test_where_several_may_be_meant_none_ends_and_all_are_contested(self, life):
        for place in ("Rome", "Oslo"):
            life.states(f"flight to {place}", 1, relation="plan", happens=180, tense="future")
        life.states("flight", 5, relation="plan", negated=True, tense="future")
        assert life.now("plan") == {"flight to Rome", "flight to Oslo", "-flight"}
        assert len(life.conflicts()) == 2

    def test_what_is_over_is_not_meant(self, life):
        life.states("flight to Rome", 1, relation="plan", happens=3, tense="future")
        life.states("flight to Oslo", 2, relation="plan", happens=180, tense="future")
        gone = life.states("flight", 5, relation="plan", negated=True, tense="future")
        assert gone.retracted == [life.rows("plan")[1].id]

    def test_of_another_day_it_stays(self, life):
        life.states("flight to Rome", 1, relation="plan", happens=180, tense="future")
        life.states("flight", 5, relation="plan", happens=190, negated=True, tense="future")
        assert "flight to Rome" in life.now("plan")


class TestUntil:
    def test_it_holds_until_then(self, life):
        life.states("Shell", 1, relation="work", until=100)
        assert life.timeline("work") == [(1, {"Shell"}), (100, set())]
        assert life.now("work") == set()
        life.verified()

    def test_said_of_what_is_known(self, life):
        life.states("Shell", 1, relation="work")
        life.states("Shell", 5, relation="work", until=100)
        assert life.timeline("work")[-1] == (100, set())

    def test_an_end_that_is_over_is_none(self, life):
        life.states("Shell", 50, relation="work", until=10)
        assert life.timeline("work") == [(50, {"Shell"})]

    def test_a_new_value_before_it(self, life):
        life.states("Shell", 1, relation="work", until=100)
        life.states("BP", 50, relation="work")
        assert life.timeline("work") == [(1, {"Shell"}), (50, {"BP"})]
        assert on(100) > on(50)
