"""What ends: plans given up or called off, jobs and studies left, pets that died; and what only looks like an end."""

import pytest

from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.statement import Certainty
from tests.unit.text.test_frames_talk import SAID, _short

ENDED = [
    # moves given up
    ("I'm not moving to Bari after all.", ["home Bari no future"]),
    ("I am not going to move to Bari.", ["home Bari no future"]),
    ("We're not moving to Bari anymore", ["home Bari no future"]),
    ("I won't move to Bari", ["home Bari no future"]),
    ("I won't be moving to Bari in May 2027.", ["home Bari no future"]),
    ("I'm no longer moving to Bari", ["home Bari no future"]),
    ("I no longer plan to move to Bari", ["home Bari no future"]),
    ("In the end I decided not to move to Bari", ["home Bari no future"]),
    ("Al final no me mudo a Bari", ["home Bari no future"]),
    ("No me voy a mudar a Bari", ["home Bari no future"]),
    ("Ya no me mudo a Bari", ["home Bari no future"]),
    ("No me mudaré a Bari", ["home Bari no future"]),
    ("我不搬到巴里了", ["home 巴里 no future"]),
    ("我不会搬到巴里", ["home 巴里 no future"]),
    ("我最后没搬到巴里", ["home 巴里 no future"]),
    # jobs given up and left
    ("I'm not joining BP after all", ["work BP no future"]),
    ("I turned down the job at BP", ["work BP no future"]),
    ("I got fired", ["work got fired no over"]),
    ("I was laid off last week", ["work was laid off no over"]),
    ("I've been let go.", ["work been let go no over"]),
    ("I quit my job", ["work quit my job no over"]),
    ("I lost my job yesterday", ["work lost my job no over"]),
    ("I retired", ["work retired no over"]),
    ("I've retired now", ["work retired no over"]),
    ("I no longer work", ["work no longer work no over"]),
    ("I don't work anymore", ["work don't work anymore no over"]),
    ("Me despidieron ayer", ["work Me despidieron no over"]),
    ("Perdí mi trabajo", ["work Perdí mi trabajo no over"]),
    ("Me jubilé", ["work Me jubilé no over"]),
    ("Ya no trabajo", ["work Ya no trabajo no over"]),
    ("我被解雇了", ["work 被解雇了 no over"]),
    ("我退休了", ["work 退休了 no over"]),
    ("我昨天辞职了", ["work 辞职了 no over"]),
    ("I got fired in 2015", ["work got fired no over past"]),
    ("I got fired from Shell", ["work Shell no over"]),
    ("I'm retired now", ["occupation retired", "work retired no over"]),
    ("I'm unemployed", ["occupation unemployed", "work unemployed no over"]),
    ("Estoy jubilada", ["occupation jubilada", "work jubilada no over"]),
    ("I'm self-employed", ["occupation self-employed"]),
    ("Soy enfermera jubilada", ["occupation enfermera jubilada"]),
    # studies, diets, pets
    ("I dropped out of college", ["studies dropped out of college no over"]),
    ("Me gradué", ["studies Me gradué no over"]),
    ("我毕业了", ["studies 毕业了 no over"]),
    ("I gave up being vegan", ["diet vegan no over"]),
    ("I've stopped being a vegetarian", ["diet vegetarian no over"]),
    ("I gave up eating meat", ["diet meat no over"]),
    ("He dejado de ser vegana", ["diet vegana no over"]),
    ("My dog Rex died", ["pet[dog] Rex no over"]),
    ("Our cat Misha passed away last week", ["pet[cat] Misha no over"]),
    ("Mi perro Toby murió", ["pet[perro] Toby no over"]),
    # events called off
    ("My flight is cancelled", ["plan flight no future"]),
    ("My flight to Rome was cancelled", ["plan flight to Rome no future"]),
    ("My flight to Rome on 13 May has been cancelled", ["plan flight to Rome no future"]),
    ("The wedding is off", ["plan wedding no future"]),
    ("My exam got called off", ["plan exam no future"]),
    ("My exam was postponed", ["plan exam no future"]),
    ("My exam is postponed to 20 May", ["plan exam no future"]),
    ("I cancelled the Paris trip.", ["plan Paris trip no future"]),
    ("I had to cancel my dentist appointment", ["plan dentist appointment no future"]),
    ("I cancelled my flight yesterday", ["plan flight no"]),
    ("I'm not going to Paris after all.", ["plan going to Paris no future"]),
    ("I'm not flying to Rome next week", ["plan flying to Rome no future"]),
    ("I'm no longer flying to Rome", ["plan flying to Rome no future"]),
    ("I won't be flying to Rome any more", ["plan flying to Rome no future"]),
    ("Mi vuelo a Roma se canceló", ["plan vuelo a Roma no future"]),
    ("Cancelé mi viaje a Lima", ["plan viaje a Lima no future"]),
    ("Al final no viajo a Lima", ["plan viajo a Lima no future"]),
    ("Ya no viajo a Lima", ["plan viajo a Lima no future"]),
    ("我的面试取消了", ["plan 面试 no future"]),
    ("我取消了去东京的航班", ["plan 去东京的航班 no future"]),
    ("我不去东京了", ["plan 去东京 no future"]),
]

NO_END = """
I'm not going crazy
I'm not going to lie
I'm not going to school
I'm not seeing any errors
I'm not having lunch
I won't be long
I quit
I quit smoking
I got fired up
I was fired by enthusiasm
I was almost fired
I might quit my job
I want to quit my job
I hope I don't lose my job
If I get fired
My brother got fired
My boss retired
My sister's flight was cancelled
The flight may be cancelled
Was my flight cancelled?
My subscription was cancelled
I cancelled my subscription
I cancelled the order
The meeting room is off limits
The cat died in the movie
My phone died
I don't work on Fridays
I left my job application at home
I retired the old server
I resigned myself to it
I graduated from thinking to doing
I'm out of work early today
My trip was cancelled but now it's back on
I had to cancel my trip to Peru last summer
I'm not moving to Rome yet
I'm not moving to Rome until June
I'm not joining Google right now
I'm not seeing the point anymore
I'm not taking my meds today
I no longer work weekends
I quit my job search
My dog Rex died in the game
My flight was almost cancelled
I need to cancel my flight
Todavía no me mudo a Bari
Aún no me mudé a Bari
我还没搬到巴里
Quizás me mudo a Bari
No me mudo
Mi hermano perdió su trabajo
Mi teléfono murió
No viajo
我不去
我不去了
我哥哥退休了
我的订单取消了
我的手机坏了
"""


def told(text):
    found = statements_in(text, anchor=SAID, offset=0)
    return [_short(one) for one in found if one.certainty is Certainty.ASSERTED]


@pytest.mark.parametrize("text, expected", ENDED)
def test_what_is_said_to_be_over(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize("text", [line for line in NO_END.splitlines() if line])
def test_what_ends_nothing(text):
    assert told(text) == []


@pytest.mark.parametrize(
    "text, beside",
    [
        ("I also work at BP", True),
        ("I work at BP as well", True),
        ("I work at BP too", True),
        ("I also live in Rome", True),
        ("I'm also a nurse", True),
        ("También trabajo en Indra", True),
        ("Trabajo en Indra también", True),
        ("我也在腾讯工作", True),
        ("I work at BP", False),
        ("Also, I work at BP", False),
        ("I also moved to Rome", False),
        ("Trabajo en Indra", False),
        ("我在腾讯工作", False),
        ("我还在腾讯工作", False),
    ],
)
def test_one_more_value_beside_others(text, beside):
    assert [one.beside for one in statements_in(text, anchor=SAID, offset=0)] == [beside]
