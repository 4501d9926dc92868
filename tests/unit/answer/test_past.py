"""Whether something ever was so: yes from what held, or nothing certain; what is so today is no "no" to it."""

import pytest

from affidavit import Memory

ROME = ["I live in Rome.", "I moved to Oslo."]
ROMA = ["Vivo en Roma.", "Me mudé a Oslo."]
LUOMA = ["我住在罗马。", "我搬到了奥斯陆。"]
SHELL = ["I work at Shell.", "I work at BP now."]
MONTHS = ("2026-03-01", "2026-04-01", "2026-05-01")


def asked(memory: Memory, told: list[str], question: str) -> str:
    for at, text in zip(MONTHS, told, strict=False):
        memory.add({"role": "user", "content": text, "at": at}, user_id="ana")
    return memory.answer(question, user_id="ana").text


@pytest.mark.parametrize(
    "told, question, text",
    [
        (ROME, "Did I live in Rome?", "Yes: “I live in Rome”"),
        (ROME, "Was I living in Rome?", "Yes: “I live in Rome”"),
        (ROME, "Have I lived in Rome?", "Yes: “I live in Rome”"),
        (ROME, "Did I live in Rome in March 2026?", "Yes: “I live in Rome”"),
        (ROMA, "¿He vivido en Roma?", "Sí: “Vivo en Roma”"),
        (ROMA, "¿Viví en Roma?", "Sí: “Vivo en Roma”"),
        (ROMA, "¿Vivía en Roma?", "Sí: “Vivo en Roma”"),
        (LUOMA, "我住过罗马吗？", "是: “我住在罗马”"),
        (LUOMA, "我在罗马住过吗？", "是: “我住在罗马”"),
        (SHELL, "Did I work at Shell?", "Yes: “I work at Shell”"),
        (SHELL, "Have I worked for Shell?", "Yes: “I work at Shell”"),
        (["Trabajo en Shell.", "Ahora trabajo en BP."], "¿He trabajado en Shell?", "Sí: “Trabajo en Shell”"),
        (["我在壳牌工作。", "我现在在英国石油工作。"], "我在壳牌工作过吗？", "是: “我在壳牌工作”"),
        # Of today, or of a time that is named, it is answered as before.
        (ROME, "Do I live in Rome?", "No: “I moved to Oslo”"),
        (ROME, "Did I live in Rome in May 2026?", "No: “I moved to Oslo”"),
        (ROME, "Did I live in Oslo?", "Yes: “I moved to Oslo”"),
        (ROMA, "¿Vivo en Roma?", "No: “Me mudé a Oslo”"),
        (LUOMA, "我住在罗马吗？", "不是: “我搬到了奥斯陆”"),
        (SHELL, "Do I work at Shell?", "No: “I work at BP now”"),
        (["我对花生过敏。", "我不再对花生过敏了。"], "我对花生过敏吗？", "不是: “我不再对花生过敏了”"),
    ],
)  # fmt: skip
def test_what_once_held_was_so(memory: Memory, told: list[str], question: str, text: str) -> None:
    assert asked(memory, told, question) == text


@pytest.mark.parametrize(
    "told, question",
    [
        (["I'm vegan.", "I'm no longer vegan."], "Was I ever vegan?"),
        (["I'm vegan.", "I'm no longer vegan."], "Have I been vegan?"),
        (["I'm no longer vegan."], "Was I ever vegan?"),
        (["Soy vegana.", "Ya no soy vegana."], "¿He sido vegana?"),
        (["I'm allergic to nuts.", "I'm no longer allergic to nuts."], "Was I allergic to nuts?"),
        (ROME, "Did I live in Bari?"),
        (["I live in Rome.", "Sorry, I made that up: I never lived in Rome."], "Did I live in Rome?"),
    ],
)
def test_there_is_no_certain_no(memory: Memory, told: list[str], question: str) -> None:
    assert not asked(memory, told, question).startswith("No:")


@pytest.mark.parametrize(
    "told, question, text",
    [
        (ROME, "Where did I live?", "Rome"),
        (["I lived in Rome.", "I live in Oslo."], "Where did I live?", "Rome"),
        (["I lived in Rome."], "Where did I live?", "Rome"),
        (SHELL, "Where did I work?", "Shell"),
        (ROMA, "¿Dónde vivía?", "Roma"),
        (ROMA, "¿Dónde vivía yo?", "Roma"),
        # Of a time that is named, and of today, it is answered as before.
        (ROME, "Where did I live in May 2026?", "Oslo"),
        (ROME, "Where did I live in March 2026?", "Rome"),
        (ROME, "Where do I live?", "Oslo"),
        (ROMA, "¿Dónde vivo?", "Oslo"),
        # What holds today says nothing of what was.
        (["I live in Rome."], "Where did I live?", "I don't know."),
    ],
)
def test_a_value_that_is_over(memory: Memory, told: list[str], question: str, text: str) -> None:
    assert asked(memory, told, question) == text
