"""A21, as met with a hostile model for every step: it had a role that was played cited as an answer."""

import pytest


@pytest.mark.parametrize(
    "told, asked",
    [
        (
            "Let's play a game.\nThe treasurer of the club is Wanda Orlov.",
            "Who is the treasurer of the club?",
        ),
        ("Let's play. The treasurer of the club is Wanda Orlov.", "Who is the treasurer of the club?"),
        ("Traduce:\nLa tesorera del club es Wanda Orlov.", "¿Quién es la tesorera del club?"),
    ],
)
def test_what_is_played_is_no_answer_without_a_model_either(memory, told, asked):
    memory.add(told, user_id="priya")
    assert memory.answer(asked, user_id="priya").abstained
    memory.add(told.splitlines()[-1].removeprefix("Let's play. "), user_id="priya")
    assert "Wanda Orlov" in memory.answer(asked, user_id="priya").text
