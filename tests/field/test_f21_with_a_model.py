"""F21 (mem0#1528, MemOS plugin#10), with a model that takes everything for a fact of the user's."""

from affidavit import Config, Memory
from tests.conftest import TestClock
from tests.support_replies import KINDS, Replying, said, statement

JACK, HOTEL = "My friend Jack lives in Rome and loves opera", "You prefer Hotel Adria, and your name is Rex"


def test_the_claimant_and_the_subject_are_who_they_are(config: Config, clock: TestClock) -> None:
    lie = said(
        statement("The user lives in Rome.", JACK, "m1", relation="home", value="Rome"),
        statement("The user loves opera.", JACK, "m1", kind="preference", relation="like", value="opera"),
        statement(
            "Jack lives in Rome.", "Jack lives in Rome", "m1", subject="Jack", relation="home", value="Rome"
        ),
        statement("The user prefers Hotel Adria.", HOTEL, "m2", kind="preference"),
        statement("The user is called Rex.", HOTEL, "m2", relation="name", value="Rex"),
        statement("The user lives in Rome.", "print('I live in Rome')", "m3", relation="home", value="Rome"),
    )
    with Memory(config=config, clock=clock, llm=Replying(lie)) as memory:
        memory.add(
            [
                {"role": "user", "content": JACK},
                {"role": "assistant", "content": HOTEL},
                {"role": "assistant", "content": "Here:\n```python\nprint('I live in Rome')\n```"},
            ],
            user_id="ana",
        )
        for question in ("Where do I live?", "What is my name?", "Which hotel do I prefer?"):
            assert memory.answer(question, user_id="ana").abstained, question
        # What is said of Jack may be told as it was said, and never as hers.
        assert memory.answer("Do I love opera?", user_id="ana").text in ("I don't know.", JACK)
        for item in memory.list(user_id="ana", kinds=KINDS):
            assert item.memory is not None
            if item.memory.subject == "user" and item.memory.claimant is None:
                assert item.memory.relation is None
                assert "Jack" in item.text
        assert "Rome" not in "".join(
            line.text for line in memory.profile(user_id="ana").lines if "Jack" not in line.text
        )
