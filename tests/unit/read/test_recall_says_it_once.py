"""Recall: whose words something is stands once on its line, whatever wording it is stored in."""

import pytest

from affidavit.text.evidence.signs import attributed, unattributed

SAID = [
    ({"role": "user", "name": "Rui", "content": "I live in Lisbon"}, '- "Rui" says: "I live in Lisbon" ['),
    (
        {"role": "mail", "name": "Bob", "content": "I live in Lisbon."},
        '- A mail from "Bob" says: "I live in Lisbon" [',
    ),
    ({"role": "user", "name": "Pau", "content": "Vivo en Lisboa"}, '- "Pau" says: "Vivo en Lisboa" ['),
    ({"role": "user", "name": "王", "content": "我住在里斯本"}, '- "王" says: "我住在里斯本" ['),
    (
        {"role": "user", "content": "I live in Lisbon", "derived_from": "third_party"},
        '- The user, from what others wrote says: "I live in Lisbon" [',
    ),
]


@pytest.mark.parametrize("said, line", SAID, ids=lambda one: one if isinstance(one, str) else "")
def test_a_claim_names_its_claimant_once(said, line, memory):
    made = memory.add(said, user_id="priya").added[0]
    context = memory.recall("Lisbon Lisboa 里斯本", user_id="priya")
    assert line in context.render()
    (one,) = context.unverified
    assert (one.id, one.text) == (f"{made.id}@1", said["content"].rstrip("."))
    assert memory.get(made.id, user_id="priya").memory.text == made.text  # as it is stored


def test_what_is_endorsed_or_attested_as_well(memory):
    rui = {"role": "user", "name": "Rui", "content": "I live in Faro"}
    memory.endorse(memory.add(rui, user_id="priya").added[0].id, user_id="priya")
    assert '- "Rui": "I live in Faro" [' in memory.recall("Faro", user_id="priya").render()
    memory.add("I live in Lisbon", team_id="team", user_id="ben")
    page = memory.recall("Lisbon", team_id="team", user_id="ben").render()
    assert '- According to "ben": "I live in Lisbon" [' in page


def test_only_an_attribution_of_exactly_these_words_is_taken_off():
    for language in ("en", "es", "zh", "de"):
        for kind in (
            "user",
            "person",
            "mail",
            "document",
            "tool",
            "assistant",
            "system",
            "unknown",
            "quoted",
        ):
            text = attributed(kind, "Bob “x”", "I “like” tea", language)
            assert unattributed(text, "Bob “x”", ["I “like” tea"]) == "I “like” tea"
            assert unattributed(text, "Bob “x”", ["I like tea"]) == text
            assert unattributed(text + " So.", "Bob “x”", ["I “like” tea"]) == text + " So."
    two = f"{attributed('mail', 'Bob', 'One', 'en')} {attributed('mail', 'Bob', 'Two', 'en')}"
    assert unattributed(two, "Bob", ["One", "Two"]) == "One … Two"
    assert unattributed(two, "Bob", ["One", "Two", "said again"]) == "One … Two"
    assert unattributed(two, "Bob", []) == two
    assert unattributed("", "", [""]) == ""
