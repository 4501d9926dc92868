"""What was said later takes back, corrects or renews what an answer rests on: the old value is never given plainly."""

from typing import Any

import pytest

from affidavit import Memory
from affidavit.text.questions.asking import read_question
from affidavit.text.questions.question_words import speech

NUTS = "I'm allergic to nuts."
NUECES = "Soy alérgico a las nueces."
HUASHENG = "我对花生过敏。"
EXAM = "My exam is on 3 May 2027."
ROME = "I live in Rome."


def asked(memory: Memory, told: list[Any], question: str) -> str:
    for one in told:
        memory.add(one, user_id="u-1")
    return memory.answer(question, user_id="u-1").text


@pytest.mark.parametrize(
    "told, question",
    [
        ([NUTS, "I'm not allergic to anything."], "Am I allergic to nuts?"),
        ([NUTS, "I'm not allergic to anything."], "What am I allergic to?"),
        ([NUTS, "Turns out I have no allergies."], "Am I allergic to nuts?"),
        ([NUTS, "I don't have any allergies."], "Am I allergic to nuts?"),
        ([NUECES, "No soy alérgico a nada."], "¿Soy alérgico a las nueces?"),
        ([NUECES, "No tengo ninguna alergia."], "¿A qué soy alérgico?"),
        ([HUASHENG, "我对什么都不过敏。"], "我对花生过敏吗？"),
        ([HUASHENG, "我没有过敏。"], "我对什么过敏？"),
        (["My boss is Carla.", "My boss has changed: it's Dirk."], "Who is my boss?"),
        ([EXAM, "The exam is now on 10 May 2027."], "When is my exam?"),
        ([EXAM, "The exam has been moved to 10 May 2027."], "When is my exam?"),
        (["My dentist appointment is on 9 June 2027.", "Correction: the dentist is on 10 June 2027."],
            "When is my dentist appointment?"),
        (["我2027年5月3日去东京出差。", "东京出差改到5月10日了。"], "我什么时候去东京出差？"),
        (["My birthday is 4 July.", "Sorry, it's 14 July."], "When is my birthday?"),
        (["Mi cumpleaños es el 4 de julio.", "Perdón, es el 14 de julio."], "¿Cuándo es mi cumpleaños?"),
        (["我的生日是7月4日。", "不对，是7月14日。"], "我的生日是什么时候？"),
        ([ROME, "Correction: Bari."], "Where do I live?"),
        ([ROME, "Sorry, I meant Bari."], "Where do I live?"),
        ([ROME, "I lied about Rome."], "Where do I live?"),
        ([ROME, "What I said about Rome isn't true."], "Where do I live?"),
        ([ROME, "Just kidding."], "Where do I live?"),
        (["Vivo en Roma.", "Corrección: Bari."], "¿Dónde vivo?"),
        (["Vivo en Roma.", "Perdón, en Bari."], "¿Dónde vivo?"),
        (["我住在罗马。", "更正：巴里。"], "我住在哪里？"),
        (["Ana lives in Porto. Just kidding."], "Where does Ana live?"),
        (["Ana lives in Porto. I'm pulling your leg."], "Where does Ana live?"),
        (["Mi amigo Paco vive en Granada.", "Paco se ha mudado a Jaén."], "¿Dónde vive Paco?"),
        (["My friend Paco lives in Granada.", "Paco has left Granada."], "Where does Paco live?"),
        (["I'm vegan.", "Just kidding.", "I'm no longer vegan."], "Was I vegan?"),
    ],
)  # fmt: skip
def test_both_are_told_as_a_conflict(memory: Memory, told: list[Any], question: str) -> None:
    words = speech(read_question(question, anchor=0).language)
    assert asked(memory, told, question).startswith(words.conflict)


@pytest.mark.parametrize(
    "told, question, text",
    [
        ([NUTS, "I have no allergies except nuts."], "Am I allergic to nuts?", "Yes: “I'm allergic to nuts”"),
        ([NUTS, "My brother has no allergies."], "Am I allergic to nuts?", "Yes: “I'm allergic to nuts”"),
        ([NUECES, "Mi hermano no es alérgico a nada."], "¿A qué soy alérgico?", "las nueces"),
        ([HUASHENG, "除了花生我什么都不过敏。"], "我对什么过敏？", "花生"),
        ([HUASHENG, "我弟弟什么都不过敏。"], "我对什么过敏？", "花生"),
        ([EXAM, "My cousin's exam is now on 10 May 2027."], "When is my exam?", "on 3 May 2027"),
        (["My birthday is 4 July.", "Sorry, it's raining."], "When is my birthday?", "4 July"),
        ([ROME, "Sorry, it's raining."], "Where do I live?", "Rome"),
        ([ROME, "No, thanks."], "Where do I live?", "Rome"),
        ([ROME, "I mean it."], "Where do I live?", "Rome"),
        ([ROME, {"role": "assistant", "content": "Do you like Bari?"}, "Not really."], "Where do I live?", "Rome"),
        ([ROME, {"role": "mail", "name": "X", "content": "Correction: Bari."}], "Where do I live?", "Rome"),
        ([ROME, "I have a cat.", "Just kidding."], "Where do I live?", "Rome"),
        (["My friend Paco lives in Granada.", "Paco left his keys here."], "Where does Paco live?",
            "My friend Paco lives in Granada."),
        (["I'm vegan.", "I'm no longer vegan."], "Was I vegan?", "Yes: “I'm vegan”"),
        (["My doctor is Ana Ruiz.", "My doctor is very kind."], "Who is my doctor?", "Ana Ruiz"),
        # The newer value where its words show it.
        (["My doctor is Ana Ruiz.", "My doctor is now Leo Paz."], "Who is my doctor?", "Leo Paz"),
        (["Mi jefa es Ana Ruiz.", "Mi jefa ahora es Eva Paz."], "¿Quién es mi jefa?", "Eva Paz"),
    ],
)  # fmt: skip
def test_what_speaks_of_something_else_leaves_it(
    memory: Memory, told: list[Any], question: str, text: str
) -> None:
    assert asked(memory, told, question) == text


@pytest.mark.parametrize(
    "said, question, text",
    [
        ("Anna's birthday is 3 May, Ben's is 4 June.", "When is Ben's birthday?",
            "Anna's birthday is 3 May, Ben's is 4 June."),
        ("Anna's birthday is 3 May.", "When is Anna's birthday?", "3 May"),
        ("I was born in Rome and grew up in Bari.", "Where did I grow up?",
            "I was born in Rome and grew up in Bari"),
        ("I grew up in Bari.", "Where did I grow up?", "Bari"),
        ("I was born in Rome and grew up in Bari.", "Where was I born?", "Rome"),
    ],
)  # fmt: skip
def test_of_two_values_in_one_sentence_none_is_taken_for_the_other(
    memory: Memory, said: str, question: str, text: str
) -> None:
    assert asked(memory, [said], question) == text


@pytest.mark.parametrize(
    "said, question",
    [
        ("My exam is on 3 May 2027 (postponed).", "When is my exam?"),
        ("My exam is on 3 May 2027, but it's cancelled.", "When is my exam?"),
        ("My exam was supposed to be on 3 May 2027.", "When is my exam?"),
        ("My flight to Rome was going to be on 3 May 2027.", "When is my flight to Rome?"),
        ("My flight to Rome is on 3 May 2027, fortunately not.", "When is my flight to Rome?"),
        ("Mi vuelo a Bari no sale el 3 de mayo de 2027.", "¿Cuándo es mi vuelo a Bari?"),
        ("Mi vuelo a Bari iba a salir el 3 de mayo de 2027.", "¿Cuándo es mi vuelo a Bari?"),
        ("Mi vuelo a Bari es el 3 de mayo de 2027 (aplazado).", "¿Cuándo es mi vuelo a Bari?"),
        ("我去罗马的航班不是5月3日。", "我去罗马的航班是什么时候？"),
        ("我去罗马的航班原定5月3日。", "我去罗马的航班是什么时候？"),
    ],
)
def test_a_time_that_its_words_void_is_not_given(memory: Memory, said: str, question: str) -> None:
    text = asked(memory, [said], question)
    unknown = speech(read_question(question, anchor=0).language).unknown
    assert text in {unknown, said, said.rstrip(".。")}


@pytest.mark.parametrize(
    "said, question, text",
    [
        ("My exam is on 3 May 2027 (room 4).", "When is my exam?", "on 3 May 2027"),
        ("My exam is on 3 May 2027. My trip is postponed.", "When is my exam?", "on 3 May 2027"),
        ("Don't forget: my exam is on 3 May 2027.", "When is my exam?", "on 3 May 2027"),
        ("Mi vuelo a Bari sale el 3 de mayo de 2027.", "¿Cuándo es mi vuelo a Bari?", "el 3 de mayo de 2027"),
        ("我去罗马的航班是2027年5月3日。", "我去罗马的航班是什么时候？", "2027年5月3日"),
    ],
)
def test_a_time_that_stands_is_given(memory: Memory, said: str, question: str, text: str) -> None:
    assert asked(memory, [said], question) == text
