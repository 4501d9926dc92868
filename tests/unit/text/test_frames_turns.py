"""What the rest of a sentence, or the next one, turns: denied dates, plans called off, moves undone, values replaced.

Each class has several wordings, and twins that look alike and must still be taken.
"""

import pytest

from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.statement import Certainty
from tests.unit.text.test_frames_talk import SAID, _short


def told(text):
    found = statements_in(text, anchor=SAID, offset=0)
    return [_short(one) for one in found if one.certainty is Certainty.ASSERTED]


DENIED_DATES = """
My exam is not tomorrow.
My exam is definitely not tomorrow
My flight to Rome is not on 13 May 2026.
My meeting with Bob is not on 13 May but on 14 May
I'm flying to Rome, not on 13 May
I have a dentist appointment, but not tomorrow
Mi vuelo es, no el 13 de mayo
Viajo a Lima, pero no el mes que viene
Tengo una cita con el médico, no mañana
我面试不是明天
我有面试，不是明天
"""

CALLED_OFF = """
My exam is tomorrow (cancelled)
My exam is tomorrow, thank god it isn't
My exam is tomorrow, no it's not
My exam is tomorrow but it was postponed
My exam is tomorrow. It's cancelled.
My exam is tomorrow. It got called off!
My flight to Rome is on 13 May 2026 but it's been cancelled
My flight to Rome is on 13 May. No it isn't.
I'm flying to Tokyo next month, or rather I was, it fell through
I'm moving to Oslo on 1 June but I changed my mind
I'm moving to Oslo on 1 June. I changed my mind.
I have a dentist appointment tomorrow - cancelled
The thesis is due on 30 June 2026, not any more
Mi vuelo es el 13 de mayo, pero lo cancelaron
Viajo a Lima el mes que viene, pero se canceló
Viajo a Lima el mes que viene. Se canceló.
Me mudo a Oslo el 1 de junio. Cambié de idea.
Tengo una cita con el médico mañana (cancelada)
我明天有一个面试，取消了
我明天有一个面试。取消了。
我下个月去东京，但是不去了
我下个月要搬到上海，后来改主意了
"""

UNDONE = """
I moved to Bari but came back to Rome.
I moved to Bari and came back
I moved to Bari last year, then returned to Rome
I moved to Bari but it didn't work out
I moved to Bari and then went back home
I moved to Bari in March, but I'm back in Rome now
I moved to Bari last year. It didn't work out.
I moved to Bari last year. Came back after a month.
I started at Acme in January but left after a week
I became vegan but gave it up
Me mudé a Bari pero volví a Roma
Me mudé a Bari y regresé al mes
Me mudé a Bari el año pasado. No funcionó.
我去年搬到罗马，但是又搬回来了
我搬到北京后来回上海了
"""

TAKEN_BACK = """
I live in Rome (joke)
I live in Rome (not really)
I live in Rome - just kidding
I live in Paris. NOT.
I'm allergic to peanuts. No, that's not true.
I'm allergic to peanuts. No I'm not.
Vivo en Roma (broma)
Soy vegano. No es verdad.
我住在上海（开玩笑）
我对花生过敏。不是真的。
"""

REPLACED = """
I live in Rome, no, Bari.
I live in Rome. No, Bari.
I live in Rome. I mean Bari.
I live in Rome, sorry, Bari
I live in Rome... wait, Bari
I'm allergic to peanuts, I mean walnuts
My favorite color is red, no, blue
I work at Shell. Correction: BP.
My exam is tomorrow, no, on Friday
Vivo en Roma, no, en Bari
Vivo en Roma, digo, Bari
Soy alérgica a las nueces, perdón, a los cacahuetes
我住在罗马，不对，巴里
我住在上海。不对，北京。
"""

STILL_TAKEN = [
    ("My exam is on 14 May", ["plan exam future"]),
    ("My exam is on 14 May, not on 13 May", ["plan exam fix future"]),
    ("My exam is tomorrow, it's in the main hall", ["plan exam future"]),
    ("My exam is tomorrow. My brother's isn't.", ["plan exam future"]),
    ("My flight to Rome is on 13 May. The one to Oslo was cancelled by the airline.", ["plan flight to Rome future"]),
    ("I live in Rome. My flight was cancelled.", ["home Rome", "plan flight no future"]),
    ("I live in Rome and came back from Bari yesterday", ["home Rome"]),
    ("I live in Rome. I came back from Bari yesterday.", ["home Rome"]),
    ("I moved to Bari last year. It was a good idea.", ["home Bari"]),
    ("I moved to Bari last year and love it", ["home Bari"]),
    ("I moved to Bari but moved back to Rome", ["home Rome"]),
    ("I'm vegan, no jokes please", ["diet vegan"]),
    ("I live in Rome. No problem with parking here.", ["home Rome"]),
    ("I live in Rome. Sorry for the delay.", ["home Rome"]),
    ("I live in Rome. Wait, is that far from Bari?", ["home Rome"]),
    ("I live in Porto, not Lisbon", ["home Porto fix"]),
    ("I'm allergic to peanuts. It's not that bad.", ["allergy peanuts"]),
    ("I'm allergic to peanuts, no joke", ["allergy peanuts"]),
    ("Me mudé a Bari el año pasado. Fue una buena idea.", ["home Bari"]),
    ("Vivo en Roma. No hay problema.", ["home Roma"]),
    ("Viajo a Lima el mes que viene, no a Quito", ["plan Viajo a Lima fix future"]),
    ("我明天有一个面试，有点紧张", ["plan 面试 future"]),
    ("我住在上海。不客气。", ["home 上海"]),
]  # fmt: skip


def _lines(text):
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("text", _lines(DENIED_DATES + CALLED_OFF))
def test_no_plan_is_taken_that_is_denied_or_called_off(text):
    assert [one for one in told(text) if " no" not in one] == []


@pytest.mark.parametrize("text", _lines(UNDONE + TAKEN_BACK + REPLACED))
def test_nothing_is_taken_that_is_undone_taken_back_or_replaced(text):
    assert told(text) == []


@pytest.mark.parametrize("text, expected", STILL_TAKEN)
def test_what_looks_alike_is_taken(text, expected):
    assert told(text) == expected
