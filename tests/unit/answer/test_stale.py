"""An answer from what may have changed says so: in its text, in its value, and on the command line."""

import json

import pytest

from affidavit.core.when import DAY
from affidavit.surfaces.cli.run import run

ASKED = [
    ("I live in Lisbon.", "Where do I live?", "Lisbon (may be out of date)"),
    ("I live in Lisbon.", "Do I live in Lisbon?", "Yes: “I live in Lisbon” (may be out of date)"),
    ("I live in Lisbon.", "Do I live in Porto?", "I live in Lisbon (may be out of date)"),
    ("Vivo en Lisboa.", "¿Dónde vivo?", "Lisboa (puede no estar al día)"),
    ("我住在里斯本。", "我住在哪里？", "里斯本（可能已过时）"),
]


@pytest.mark.parametrize("said, asked, told", ASKED)
def test_it_is_marked_until_it_is_said_or_confirmed_again(said, asked, told, memory, clock):
    home = memory.add(said, user_id="ana").added[0]
    fresh = memory.answer(asked, user_id="ana")
    assert (fresh.stale, [one.stale for one in fresh.citations]) == ((), [False])
    assert "(" not in fresh.text
    clock.forward(seconds=800 * DAY / 1_000_000)
    old = memory.answer(asked, user_id="ana")
    assert (old.text, old.stale, [one.stale for one in old.citations]) == (told, (f"{home.id}@1",), [True])
    assert not old.abstained
    memory.confirm(home.id, user_id="ana")
    again = memory.answer(asked, user_id="ana")
    assert again.stale == ()
    assert "(" not in again.text


def test_it_depends_on_the_time_asked_about(memory, clock):
    memory.add({"role": "user", "content": "I live in Lisbon", "at": "2023-01-01"}, user_id="ana")
    assert memory.answer("Where do I live?", user_id="ana").stale
    assert memory.answer("Where do I live?", user_id="ana", as_of="2024-01-01").text == "Lisbon"


def test_what_is_permanent_or_over_is_not_marked(memory, clock):
    memory.add({"role": "user", "content": "I was born on 5 May 1990.", "at": "2020-01-01"}, user_id="ana")
    memory.add({"role": "user", "content": "I live in Porto", "at": "2020-01-01"}, user_id="ana")
    memory.add("I live in Lisbon", user_id="ana")
    assert memory.answer("When is my birthday?", user_id="ana").stale == ()
    assert memory.answer("Where did I live before Lisbon?", user_id="ana").text == "Porto"


def test_what_a_statement_without_a_relation_says(memory, clock):
    home = memory.add("I live in Lisbon.", user_id="ana").added[0]
    memory.update(home.id, "I share a flat with Zed in Lisbon", user_id="ana")
    clock.forward(seconds=800 * DAY / 1_000_000)
    answer = memory.answer("With whom do I share a flat in Lisbon?", user_id="ana")
    assert answer.stale == (f"{home.id}@2",)
    assert answer.text.endswith("(may be out of date)")


def test_what_a_message_says_that_no_memory_was_made_of(memory, clock):
    memory.add([f"Note {number} about the weather and the sea" for number in range(30)], user_id="ana")
    said = memory.add("My sister's name is Zed", user_id="ana", infer=False).episodes[0]
    kept = memory.add("The gate code for the green bicycle shed is 4711", user_id="ana").episodes[0]
    asked = "What is my sister's name?"
    assert (memory.answer(asked, user_id="ana").text, memory.answer(asked, user_id="ana").stale) == (
        "Zed",
        (),
    )
    clock.forward(seconds=800 * DAY / 1_000_000)
    old = memory.answer(asked, user_id="ana")
    assert (old.text, old.stale) == ("Zed (may be out of date)", (said.id,))
    code = memory.answer("What is the gate code for the green bicycle shed?", user_id="ana")
    assert (code.stale, code.citations[0].id) == ((), kept.id)  # nobody knows how long its like lasts


def test_a_sentence_beside_the_one_that_a_stale_memory_quotes_is_not_marked(memory, clock):
    memory.add([f"Note {number} about the weather and the sea" for number in range(30)], user_id="ana")
    said = memory.add("I live in Lisbon. The old tram depot of line 28 is there.", user_id="ana").episodes[0]
    clock.forward(seconds=800 * DAY / 1_000_000)
    told = memory.answer("Is the old tram depot of line 28 there?", user_id="ana")
    assert (told.stale, [one.episode_id for one in told.citations]) == ((), [said.id])


def test_on_the_command_line(tmp_path, capsys):
    at = ("--db", str(tmp_path / "m.db"), "--user", "ana")
    assert run(["add", "I live in Lisbon", "--at", "2020-01-01", *at]) == 0
    capsys.readouterr()
    assert run(["ask", "Where do I live?", *at, "-o", "text"]) == 0
    out = capsys.readouterr().out
    assert "    | Lisbon (may be out of date)\n" in out
    assert "possibly stale: mem_" in out
    assert "authorized · possibly stale" in out
    assert run(["ask", "Where do I live?", *at, "-o", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stale"] == [found["citations"][0]["id"]]
    assert found["citations"][0]["stale"] is True
