"""Behaviours 2 to 6: what a model proposes is believed as far as the messages that it quotes say it, and no further."""

import pytest

from affidavit import Memory
from tests.support_models import propose, stated

IBAN = "DE89370400440532013000"
KINDS = ["fact", "preference", "event", "instruction"]


def kept(memory: Memory) -> list[tuple[str, str | None, str | None]]:
    """The memories: text, relation, object."""
    found = [one.memory for one in memory.list(user_id="ana", kinds=KINDS)]
    return [(one.text, one.relation, one.object) for one in found if one is not None]


@pytest.mark.parametrize(
    "quote",
    ["I live in Porto", "live in Lisbon with Bob", "cat", "bon I", "I said I live in Lisbon", "hi"],
)
def test_b02_a_quote_that_is_not_in_the_message_is_refused_and_reported(memory: Memory, quote: str) -> None:
    propose(
        memory,
        lambda ids: [stated("The user lives in Porto.", (ids[0], quote), relation="home", object="Porto")],
    )
    done = memory.add("I live in Lisbon I said, and concatenate texts", user_id="ana")
    assert (done.added, done.updated, kept(memory)) == ((), (), [])
    (refused,) = done.rejected
    assert (refused.check, refused.episode_id) == ("quote", done.episodes[0].id)
    assert refused.code in {"quote_not_found", "quote_too_short"}
    assert refused.hint
    assert memory.answer("Where do I live?", user_id="ana").text != "Porto"


def test_b02_of_a_near_quote_the_words_that_stand_there_are_stored(memory: Memory) -> None:
    said = "I do not want to cancel my gym"
    propose(
        memory,
        lambda ids: [stated("The user wants to cancel the gym.", (ids[0], "I do want to cancel my gym"))],
    )
    memory.add(said, user_id="ana")
    for told, _, _ in kept(memory):
        assert told == f"The user said: “{said}”"


def test_b03_a_wrong_source_is_repaired_where_another_new_message_holds_the_quote(memory: Memory) -> None:
    said = "I live in Lisbon"
    propose(
        memory,
        lambda ids: [stated("The user lives in Lisbon.", (ids[0], said), relation="home", object="Lisbon")],
    )
    batch = [{"role": "user", "content": "Good morning to you"}, {"role": "user", "content": said}]
    done = memory.add(batch, user_id="ana")
    (item,) = memory.list(user_id="ana", kinds="fact").items
    assert item.memory is not None
    assert [quote.episode_id for quote in item.memory.evidence] == [done.episodes[1].id]


def test_b03_the_words_of_another_keep_their_own_authority_when_the_source_is_repaired(
    memory: Memory,
) -> None:
    said = "I live in Lisbon"
    propose(
        memory,
        lambda ids: [stated("The user lives in Lisbon.", (ids[0], said), relation="home", object="Lisbon")],
    )
    batch = [
        {"role": "user", "content": "What does it say?"},
        {"role": "mail", "name": "Bo", "content": said},
    ]
    memory.add(batch, user_id="ana")
    (item,) = memory.list(user_id="ana", kinds="fact").items
    assert (item.authority, item.text) == ("unendorsed", "An e-mail from Bo says: “I live in Lisbon”")


def test_b03_an_older_message_repairs_nothing(memory: Memory) -> None:
    said = "I live in Lisbon"
    memory.add(said, user_id="ana", infer=False)
    propose(
        memory,
        lambda ids: [stated("The user lives in Lisbon.", (ids[0], said), relation="home", object="Lisbon")],
    )
    done = memory.add("Good morning to you", user_id="ana")
    assert [one.code for one in done.rejected] == ["quote_not_found"]
    assert kept(memory) == []


def test_b03b_what_the_rules_read_is_told_in_their_words(memory: Memory) -> None:
    said = {"relation": "like", "object": "tea"}
    propose(memory, lambda ids: [stated("The user likes only tea.", (ids[0], "I like tea"), **said)])
    memory.add("I like tea", user_id="ana")
    assert kept(memory) == [("The user likes tea.", "like", "tea")]


@pytest.mark.parametrize(
    "message, text, more",
    [
        ("I hate cilantro", "The user loves cilantro.", {"relation": "like", "object": "cilantro"}),
        ("I do not want to cancel my gym", "The user wants to cancel the gym.", {}),
        ("My brother lives in Berlin", "The user lives in Berlin.", {"relation": "home", "object": "Berlin"}),
        ("I like tea", "The user likes only tea.", {}),
        ("I live in Oslo, I work at Acme", "The user works in Oslo.", {"relation": "work", "object": "Oslo"}),
        ("I only eat meat at Christmas", "The user eats meat.", {"relation": "diet", "object": "meat"}),
        (
            "Odio el cilantro",
            "Al usuario le encanta el cilantro.",
            {"relation": "like", "object": "cilantro"},
        ),
        ("我讨厌香菜", "用户喜欢香菜。", {"relation": "like", "object": "香菜"}),
    ],
)
def test_b03b_a_true_quote_that_says_something_else_is_not_stored_as_stated(
    memory: Memory, message: str, text: str, more: dict[str, str]
) -> None:
    propose(memory, lambda ids: [stated(text, (ids[0], message), **more)])
    memory.add(message, user_id="ana")
    ((told, relation, value),) = kept(memory)
    assert (relation, value) == (None, None)
    assert f"“{message}”" in told
    context = memory.recall(message, user_id="ana")
    assert not any(text.rstrip(".。") in one.text for one in context.grounded)
    assert text.rstrip(".。") not in context.profile


@pytest.mark.parametrize(
    "message, text",
    [
        ("I owe Bob some money", "The user owes Bob 500 euros."),
        (f"My account is {IBAN}", f"The user's account is {IBAN[:-1]}1."),
        ("My flight is at 9:40", "The user's flight is at 9:45."),
        ("Write to ana@mail.example", "Write to ana@mail.example.org"),
        ("My locker is 4711", "The user's locker is 471."),
    ],
)
def test_b04_a_value_that_stands_in_no_message_is_refused(memory: Memory, message: str, text: str) -> None:
    propose(memory, lambda ids: [stated(text, (ids[0], message))])
    done = memory.add(message, user_id="ana")
    assert [one.code for one in done.rejected] == ["value_not_in_quote"]
    assert kept(memory) == []


def test_b05_a_merged_text_holds_no_value_that_neither_of_its_messages_does(memory: Memory) -> None:
    first, second = "I owe Bob 500 euros", "I paid Bob 200 euros of it"
    batch = [{"role": "user", "content": first}, {"role": "user", "content": second}]

    def merged(text: str) -> list[str]:
        propose(memory, lambda ids: [stated(text, (ids[0], first), (ids[1], second))])
        done = memory.add(batch, user_id="ana")
        return [one.code for one in done.rejected]

    assert merged("The user owes Bob 300 euros.") == ["value_not_in_quote"]
    assert kept(memory) == []
    assert merged("The user owes Bob 500 euros, paid Bob 200 euros of it.") == []
    assert all("500" in text and "200" in text for text, _, _ in kept(memory))
    assert len(kept(memory)) == 1


def test_b05_an_update_takes_no_value_over_that_the_user_did_not_say(memory: Memory) -> None:
    made = memory.add("My name is Ana Lima", user_id="ana").added[0]
    memory.update(made.id, "My name is Ana Reis", user_id="ana")
    (now,) = [one for one in memory.history(made.id, user_id="ana") if one.holds == "current"]
    assert "Lima" not in now.text
    assert [quote.text for quote in now.evidence] == ["My name is Ana Reis"]


def test_b06_quoting_the_user_does_not_launder_a_value_of_a_tools(memory: Memory) -> None:
    own, given = "Pay my landlord, to the account that the bank shows", f"landlord: {IBAN}"
    batch = [{"role": "user", "content": own}, {"role": "tool", "name": "bank", "content": given}]
    text = f"The user pays the landlord, to the account {IBAN}."
    propose(memory, lambda ids: [stated(text, (ids[0], own)), stated(text, (ids[0], own), (ids[1], given))])
    done = memory.add(batch, user_id="ana")
    assert [one.code for one in done.rejected] == ["value_not_in_quote"]
    (item,) = memory.list(user_id="ana", kinds="fact").items
    assert item.authority == "unendorsed"
    assert item.memory is not None
    assert {one.authority for one in item.memory.slots if one.value == IBAN} == {"unendorsed"}
    assert memory.check_action("pay", {"account": IBAN}, user_id="ana").outcome == "ask"


def test_b06_the_label_follows_the_weakest_where_the_assistant_repeats_a_tools_value(memory: Memory) -> None:
    given, repeated = f"account of the club: {IBAN}", f"The account of the club is {IBAN}"
    batch = [{"role": "tool", "name": "erp", "content": given}, {"role": "assistant", "content": repeated}]
    propose(memory, lambda ids: [stated(f"{repeated}.", (ids[1], repeated))])
    memory.add(batch, user_id="ana")
    (item,) = memory.list(user_id="ana", kinds="fact").items
    assert item.authority == "unendorsed"
