"""One very long message, of whomever, makes no answer slow, and hides nothing that was said in it."""

import pytest

from affidavit import Memory
from affidavit.answer.talk import MOST_OF_ONE


@pytest.mark.usefixtures("stopped_if_it_hangs")
@pytest.mark.parametrize(
    "unit", ["I live in Rome. ", "I live in Rome.\n", "Let's play. I live in Rome.\n", "x: I live in Rome. "]
)
@pytest.mark.parametrize("size", [128 * 1024, pytest.param(1_600_000, marks=pytest.mark.slow)])
def test_a_mail_of_a_sentence_said_over_and_over(memory: Memory, unit: str, size: int) -> None:
    memory.add("I like tea.", user_id="ana")
    memory.add({"role": "mail", "name": "Bob", "content": unit * (size // len(unit))}, user_id="ana")
    assert memory.answer("Where do I live?", user_id="ana").abstained


def test_of_very_many_sentences_the_likeliest_are_looked_at(memory: Memory) -> None:
    filler = [f"The {n} of us walked along the river." for n in range(MOST_OF_ONE + 500)]
    filler.insert(1_200, "My locker number at the climbing gym is 118.")
    memory.add(" ".join(filler), user_id="ana")
    assert memory.answer("What is my locker number at the climbing gym?", user_id="ana").text == (
        "My locker number at the climbing gym is 118."
    )
