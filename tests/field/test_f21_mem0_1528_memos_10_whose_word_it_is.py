"""F21: what the assistant wrote, and what was said of a friend, became facts about the user."""

from affidavit import Memory


def test_code_that_the_assistant_writes_is_no_fact_of_the_user(memory: Memory) -> None:
    code = "Here it is:\n```python\nname = 'Jack'\nprint('I live in Rome')\n```\nI live in Rome, says the program."
    assert memory.add([{"role": "assistant", "content": code}], user_id="ana").added == ()
    assert memory.answer("Where do I live?", user_id="ana").abstained


def test_a_friend_is_not_the_user(memory: Memory) -> None:
    memory.add("My friend Jack lives in Rome and loves opera", user_id="ana")
    memory.add({"role": "user", "name": "Jack", "content": "I live in Rome"}, user_id="ana")
    for item in memory.list(user_id="ana", kinds=["fact", "preference"]).items:
        assert item.memory is not None
        assert (item.memory.subject, item.memory.claimant) == ("Jack", "Jack")
        assert item.authority == "unendorsed"
    answer = memory.answer("Where do I live?", user_id="ana")
    assert answer.abstained
    assert "Rome" not in answer.text
    told = memory.answer("Where does Jack live?", user_id="ana")
    assert [(one.quote, one.said_by) for one in told.citations] == [
        ("My friend Jack lives in Rome and loves opera", None)
    ]
    assert told.text == told.citations[0].quote  # as she told it, and never as his own word


def test_his_own_words_are_his_in_his_own_memory(memory: Memory) -> None:
    memory.add("I live in Rome", user_id="jack")
    assert memory.answer("Where do I live?", user_id="jack").text == "Rome"
