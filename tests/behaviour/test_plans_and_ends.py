"""What somebody says is over, given up, called off or one more, through the public face and without a model."""

import pytest

from affidavit import Memory

DAY = "2026-0{}-05T12:00:00Z"


def told(memory: Memory, *said: str, question: str) -> str:
    """The answer after messages of one user, one in each month from January 2026."""
    for month, text in enumerate(said, start=1):
        memory.add({"role": "user", "content": text, "at": DAY.format(month)}, user_id="ana")
    return memory.answer(question, user_id="ana").text


@pytest.mark.parametrize(
    "last",
    [
        "I'm not moving to Bari after all.",
        "I won't move to Bari.",
        "We're no longer moving to Bari.",
        "In the end I decided not to move to Bari.",
    ],
)
@pytest.mark.parametrize(
    "plan", ["I will move to Bari in May 2026.", "I'm moving to Bari on 1 February 2026."]
)
def test_a_move_that_was_given_up(memory, plan, last):
    assert told(memory, "I live in Rome.", plan, last, question="Where do I live?") == "Rome"


@pytest.mark.parametrize("last", ["Al final no me mudo a Bari.", "Ya no me mudo a Bari."])
def test_a_move_that_was_given_up_in_spanish(memory, last):
    assert (
        told(memory, "Vivo en Roma.", "Me mudo a Bari el 1 de mayo.", last, question="¿Dónde vivo?") == "Roma"
    )


def test_a_move_that_was_given_up_in_chinese(memory):
    assert (
        told(memory, "我住在罗马", "我5月1日要搬到巴里", "我不搬到巴里了", question="我住在哪里？") == "罗马"
    )


@pytest.mark.parametrize(
    "last",
    [
        "I moved to Bari but came back to Rome.",
        "I moved to Bari. It didn't work out.",
        "I moved to Bari in February 2026, then returned.",
        "I live in Bari. Just kidding!",
        "I live in Bari, no, Milan.",
        "I live in Bari or Milan.",
        "By 2030 I live in Bari.",
        "Someday I live in Bari.",
    ],
)
def test_what_takes_no_place(memory, last):
    assert told(memory, "I live in Rome.", last, question="Where do I live?") == "Rome"


@pytest.mark.parametrize("last", ["I moved to Bari.", "I live in Bari now.", "I live in Bari. It's lovely."])
def test_what_does(memory, last):
    assert told(memory, "I live in Rome.", last, question="Where do I live?") == "Bari"


@pytest.mark.parametrize(
    "last",
    [
        "I got fired.",
        "I quit my job.",
        "I lost my job last week.",
        "I'm retired.",
        "I no longer work.",
        "I've been laid off.",
        "I'm not at Shell any more, I no longer work at Shell.",
    ],
)
def test_a_job_that_ended_is_not_told_as_held(memory, last):
    assert told(memory, "I work at Shell.", last, question="Where do I work?") != "Shell"


def test_and_a_new_one_is(memory):
    said = ("I work at Shell.", "I got fired.", "I started working at BP.")
    assert told(memory, *said, question="Where do I work?") == "BP"


@pytest.mark.parametrize("last", ["I also work at BP.", "I work at BP as well.", "I work at BP too."])
def test_a_second_job_takes_nothing_of_the_first(memory, last):
    answer = told(memory, "I work at Shell.", last, question="Do I work at Shell?")
    assert answer == "Yes: “I work at Shell”"
    assert memory.answer("Do I work at BP?", user_id="ana").text.startswith("Yes")


@pytest.mark.parametrize("other", ["lactose intolerant", "celiac", "gluten-free", "kosher"])
def test_an_intolerance_denies_no_diet(memory, other):
    assert told(memory, "I'm vegetarian.", f"I'm {other}.", question="Am I vegetarian?").startswith("Yes")


def test_a_diet_that_was_given_up(memory):
    assert told(memory, "I'm vegan.", "I gave up being vegan.", question="Am I vegan?").startswith("No")


@pytest.mark.parametrize(
    "last",
    [
        "My flight is cancelled.",
        "My flight to Oslo was cancelled.",
        "I cancelled my flight to Oslo.",
        "I cancelled the Oslo trip.",
        "I'm not flying to Oslo after all.",
        "My flight was postponed.",
    ],
)
def test_a_flight_that_was_called_off_is_no_plan(memory, last):
    told(memory, "I'm flying to Oslo on 3 May 2031.", last, question="Where do I live?")
    shown = memory.recall(user_id="ana", max_tokens=2000).render()
    assert "Planned by the user: flying to Oslo" not in shown


@pytest.mark.parametrize(
    "last",
    ["My meeting is cancelled.", "My flight to Lima was cancelled.", "I'm flying to Oslo, not to Lima."],
)
def test_and_another_one_stays(memory, last):
    told(memory, "I'm flying to Oslo on 3 May 2031.", last, question="Where do I live?")
    shown = memory.recall(user_id="ana", max_tokens=2000).render()
    assert "Planned by the user: flying to Oslo" in shown


def test_until_when(memory):
    assert told(memory, "I work at Shell until March 2026.", question="Where do I work?") != "Shell"
    assert memory.answer("Where do I work?", user_id="ana", as_of="2026-02-01").text == "Shell"


def test_a_town_and_its_country(memory):
    assert told(memory, "I live in Rome.", "I live in Italy.", question="Do I live in Rome?").startswith(
        "Yes"
    )
