"""What bounds a statement: times it does not hold at, several values, denials of a part, words that are no value."""

import pytest

from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.statement import Certainty
from tests.unit.text.test_frames_talk import SAID, _short


def told(text):
    found = statements_in(text, anchor=SAID, offset=0)
    return [_short(one) for one in found if one.certainty is Certainty.ASSERTED]


NOT_YET = """
By 2030 I live in Paris.
By next summer I work at Shell
By the end of 2027 I'm vegan
Someday I live in Oslo
One day I live in Oslo
I live in Oslo soon
I live in Rome in summer
I live in Rome until June 2025
I work at Shell no later than 2030
Para 2030 vivo en París
Algún día vivo en Oslo
Vivo en Roma en verano
Vivo en Roma hasta junio de 2025
2030年之前我住在巴黎
总有一天我住在奥斯陆
我总有一天搬到巴里
我2030年之前搬到巴里
我本来要住在罗马
In 2010 I live in Rome
I work at Shell last year
我2010年住在罗马
"""

SEVERAL = """
I live in Rome and Paris
I live in Rome or Paris
I live in Rome and in Paris
I live in Rome & Paris
I live in Rome/Paris
I live in Rome, Paris and Madrid
I live in Rome as well as Paris
I'm based in Rome and Bari these days
i live in rome and paris
i live in rome or paris
I moved to Rome or Bari
I used to live in Rome and Paris
I work at Shell and BP
I work at Shell and at BP
I work for Shell or for BP
I'm from Rome or Bari
My name is Ana or Anna
Vivo en Roma y París
Vivo en Roma o París
Vivo en Roma y en París
Vivo en Roma, Bari y Milán
Trabajo en Zara y en Indra
我住在罗马和巴黎
我住在罗马或巴黎
我住在罗马或者巴黎
我住在罗马、巴黎
我在华为和腾讯工作
"""

IN_PART = """
I don't only live in Rome
I don't just work at Shell
I don't always live in Rome
I'm not only a nurse
I'm not just vegan
I don't usually eat meat
I don't live only in Rome
I don't have a dog called Rex
I have no dog named Rex
I don't have a dog with spots
I don't have kids with him
I don't have a sister who sings
I don't live in Rome with my parents
I don't work at Shell as a driver
I'm not a nurse in the ER
I no longer work at Shell as a driver
I no longer live in Rome with Ana
I'm not from Rome by birth
No solo vivo en Roma
No vivo solo en Roma
No siempre como carne
No tengo un perro que se llame Rex
No vivo en Roma con mis padres
No trabajo en Zara como cajera
No soy enfermera en urgencias
我不只住在罗马
我不总是住在罗马
我不是只吃素
我没有叫雷克斯的狗
"""

ANOTHERS = """
My sister's deadline is 5 June
My brother Tom's deadline is 5 June
My boss's flight was cancelled
My mother-in-law's exam is cancelled
我姐姐的面试取消了
我老板的航班取消了
"""

NO_VALUE = """
My favourite colour is anything but red
My favourite colour is everything except red
My favorite food is whatever you cook
My favorite colour is something dark
My favorite color is none of them
My favorite color is neither red nor blue
Mi color favorito es cualquiera menos el rojo
Mi color favorito es todo menos el rojo
Mi comida favorita es cualquier cosa
我最喜欢的颜色是除了红色以外的任何颜色
Me llamo a mí mismo idiota
Me llamo a mí misma tonta
I live in somewhere nice
\u202eI live in Rome
I live in \u202eemoR
\u2067Vivo en Roma\u2069
\u202e我住在罗马
"""

STILL_TAKEN = [
    ("I work at Shell until June 2026.", ["work Shell"]),
    ("I've been living in Oslo for a long time", ["home Oslo"]),
    ("By 2030 I will live in Paris", ["home Paris future"]),
    ("The thesis is due by 30 June 2026", ["deadline[thesis] 30 June 2026 future"]),
    ("I moved to Bari a few years ago", ["home Bari"]),
    ("I used to live in Rome until 2020", ["home Rome over past"]),
    ("Trabajo en Shell hasta junio de 2026", ["work Shell"]),
    ("I live in Rome, Italy", ["home Rome, Italy"]),
    ("I live in Rome and Ana knows it", ["home Rome"]),
    ("I live in Rome and love pizza", ["home Rome", "like pizza"]),
    ("i live in rome and it rains", ["home rome"]),
    ("I live in Lisbon and work at Siemens", ["home Lisbon", "work Siemens"]),
    ("I live in Rome, with my wife and kids", ["home Rome"]),
    ("I live in Rome with Ana and Ben", ["home Rome"]),
    ("I work at Johnson & Johnson", ["work Johnson & Johnson"]),
    ("I'm vegetarian and lactose intolerant", ["diet vegetarian"]),
    ("I'm allergic to nuts and soy", ["allergy nuts and soy"]),
    ("I love tea and coffee", ["like tea and coffee"]),
    ("Vivo en Roma y trabajo en Indra", ["home Roma", "work Indra"]),
    ("Vivo en Roma con Ana y Ben", ["home Roma"]),
    ("我住在上海和朋友合租", ["home 上海"]),
    ("我住在上海，喜欢猫和狗", ["home 上海", "like 猫和狗"]),
    ("I don't live in Rome", ["home Rome no"]),
    ("I don't really live in Rome", ["home Rome no"]),
    ("I don't live in Rome any more", ["home Rome no over"]),
    ("I don't eat pork for religious reasons", ["diet pork no"]),
    ("I don't eat meat because it is bad", ["diet meat no"]),
    ("I don't like jazz at all", ["like jazz no"]),
    ("I no longer work at Shell since May 2025", ["work Shell no over"]),
    ("I don't have kids", ["family[kids] kids no"]),
    ("No como carne por motivos éticos", ["diet carne no"]),
    ("No vivo en Roma", ["home Roma no"]),
    ("I live in Rome starting January", ["home Rome future"]),
    ("I live in Rome since January", ["home Rome"]),
    ("Vivo en Roma a partir de enero", ["home Roma future"]),
    ("我不住在罗马", ["home 罗马 no"]),
    ("My favorite colour is not red", ["favorite[colour] red no"]),
    ("Me llamo Lucía", ["name Lucía"]),
    ("My doctor's appointment is on 13 May", ["plan doctor's appointment future"]),
    ("My flight is on 13 May 2026, can't wait", ["plan flight future"]),
    ("Vivo en Quito hace dos años", ["home Quito"]),
    ("我去年搬到巴里", ["home 巴里"]),
]


def _lines(text):
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("text", _lines(NOT_YET))
def test_nothing_holds_at_a_time_it_is_not_said_of(text):
    assert [one for one in told(text) if "future" not in one] == []


@pytest.mark.parametrize("text", _lines(SEVERAL))
def test_of_several_values_none_is_chosen(text):
    assert told(text) == []


@pytest.mark.parametrize("text", _lines(IN_PART + ANOTHERS + NO_VALUE))
def test_what_is_denied_in_part_or_names_no_value_is_left(text):
    assert told(text) == []


@pytest.mark.parametrize("text, expected", STILL_TAKEN)
def test_what_looks_alike_is_taken(text, expected):
    assert told(text) == expected
