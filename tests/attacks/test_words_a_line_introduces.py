"""Text pasted behind a line that says whose it is, letters, and what is taken back: never the user's own statement.

Each as the frames read it and as a model would cut it out; the twin is the same statement on the user's own account.
"""

import pytest

from affidavit import Memory
from affidavit.core.authority import Authority
from tests.support_checks import Place

OTHERS = [
    "Bob says:\n\n{}",
    "Bob says:\n{}\n\nAnd that was all.",
    "Please summarise the text below.\n\n{} It is cold here.",
    "Can you fix this text?\n{}",
    "Bob, 10:31\n{}",
    "[10:31] Bob\n{}",
    "Bob Smith — Today at 10:31 AM\n{}",
    "From the article:\n{}",
    "Ben:\n\n{}",
    "{}\n\nBest,\nBen",
    "{}\n\nWith kind regards\n- Ben",
    "Mi hermano me escribió:\n\n{}",
    "{}\n\nSaludos,\nBen",
    "Got this from my landlord:\n\nHi Priya,\n\n{}\n\nRegards\nBen",
    "see below\n\n---\n{}\nBen",
    "Make this a haiku.\n\n{}",
    "What language is this?\n{}",
    "| who | what |\n|---|---|\n| Bob | {} |",
    "Here's my neighbour's note.\n\n{}",
    "Forwarding what Dana sent me.\n{}",
    "Look what he wrote!!\n\n{}",
    "what tone does this have\n\n{}",
    "Hi Priya,\n\n{}\n\nDana",
    "{}\n\nCheers, Dana",
    "From Dana\n\n{}",
    "Is this rude?\n\n{}",
    "Mi primo me ha mandado esto.\n\n{}",
    "Tradúcelo al inglés.\n{}",
    "表哥给我写的信。\n\n{}",
    "她的回复是这样的\n{}",
    "这句话对吗？\n{}",
    "我朋友发来的：\n\n{}",
]
TAKEN_BACK = [
    "{} Just kidding!",
    "{} lol jk",
    "{} Not really.",
    "{}\nScratch that.",
    "{} Es broma.",
    "{} 开玩笑的！",
]
OWN = [
    "About me:\n\n{}",
    "Update:\n\n{}",
    "My situation:\n\n{}",
    "Hello!\n\n{}\n\nThanks!",
    "I told my boss about it.\n{}",
    "My brother visited me.\n{}",
    "Hello there,\n\n{}",
    "Is this possible?\n\n{}",
    "Can you help me with my taxes?\n\n{}",
    "Please answer in Spanish.\n\n{}",
    "I read this article yesterday.\n{}",
    "{}\n\nThanks,\nPriya",
    "My brother is always kidding me about how slowly I run in the park. {}",
]
SAID = "I live in Oslo now."


def texts(memory: Memory, message: str) -> list[str]:
    return [one.text for one in memory.add(message, user_id="priya").added]


@pytest.mark.parametrize("form", OTHERS + TAKEN_BACK)
def test_the_frames_take_nothing(memory: Memory, form: str) -> None:
    assert texts(memory, form.format(SAID)) == []


@pytest.mark.parametrize("form", OWN)
def test_the_users_own_is_taken(memory: Memory, form: str) -> None:
    assert texts(memory, form.format(SAID)) == ["The user lives in Oslo."]


@pytest.mark.parametrize("form", OTHERS + TAKEN_BACK)
def test_a_model_can_not_make_it_the_users(form: str) -> None:
    place = Place()
    place.told(form.format(SAID))
    made = place.one("The user lives in Oslo.", SAID)
    assert getattr(made, "authority", Authority.UNENDORSED) is Authority.UNENDORSED


@pytest.mark.parametrize("form", OWN)
def test_a_model_may_cite_the_users_own(form: str) -> None:
    place = Place()
    place.told(form.format(SAID))
    assert place.one("The user lives in Oslo.", SAID).authority is Authority.AUTHORIZED
