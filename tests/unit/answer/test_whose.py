"""Whose a thing is: what somebody else has is never the asker's, nor the other way round; what is said of others."""

import pytest

from affidavit import Memory
from affidavit.text.frames.owners import MINE, Owned, is_of, owned
from affidavit.text.questions.asking import read_question


def answer(memory: Memory, question: str, *said: str) -> str:
    memory.add(list(said), user_id="u-1")
    return memory.answer(question, user_id="u-1").text


@pytest.mark.parametrize(
    "said,question",
    [
        ("My wife's birthday is 3 May.", "When is my birthday?"),
        ("The birthday of my wife is 3 May.", "When is my birthday?"),
        ("I celebrate Lena's birthday on 3 May.", "When is my birthday?"),
        ("My sister's phone number is 555 1234.", "What is my phone number?"),
        ("My phone number is 555 1234. My sister called.", "What is my sister's phone number?"),
        ("My sister's phone number is 555 1234.", "What is my brother's phone number?"),
        ("My wife's boss is Carla.", "Who is my boss?"), ("My ex-wife is Lena.", "Who is my wife?"),
        ("My wife and her boss Carla came.", "Who is my boss?"),
        ("My mother's doctor is Dr. Kim.", "Who is my doctor?"),
        ("My boss is Italian.", "Who is my boss?"), ("My boss is Ana's friend.", "Who is my boss?"),
        ("My boss isn't Carla.", "Who is my boss?"),
        ("My brother's dentist appointment is on 3 May 2027.", "When is my dentist appointment?"),
        ("El cumpleaños de Lena es el 3 de mayo.", "¿Cuándo es mi cumpleaños?"),
        ("Su cumpleaños es el 3 de mayo.", "¿Cuándo es mi cumpleaños?"),
        ("El jefe de mi mujer es Carla.", "¿Quién es mi jefe?"),
        ("我妻子的生日是5月3日。", "我的生日是什么时候？"), ("小李的生日是5月3日。", "我的生日是什么时候？"),
    ],
)  # fmt: skip
def test_anothers_is_not_mine(memory: Memory, said: str, question: str) -> None:
    assert answer(memory, question, said) == read_unknown(question)


def read_unknown(question: str) -> str:
    return {"en": "I don't know.", "es": "No lo sé.", "zh": "我不知道。"}[
        read_question(question, anchor=0).language
    ]


@pytest.mark.parametrize(
    "said,question,text",
    [
        ("My wife's birthday is 3 May.", "When is my wife's birthday?", "3 May"),
        ("My phone number is 555 1234.", "What is my phone number?", "My phone number is 555 1234"),
        ("My sister's phone is 555 1234.", "What is my sister's phone?", "My sister's phone is 555 1234."),
        ("My new boss is Carla Rossi.", "Who is my boss?", "Carla Rossi"),
        ("My doctor is Mrs Lee.", "Who is my doctor?", "Mrs Lee"),
        ("My wife met my boss Carla.", "Who is my boss?", "Carla"),
        ("El cumpleaños de Lena es el 3 de mayo.", "¿Cuándo es el cumpleaños de Lena?", "el 3 de mayo"),
    ],
)  # fmt: skip
def test_what_is_asked_about_is_answered(memory: Memory, said: str, question: str, text: str) -> None:
    assert answer(memory, question, said) == text


@pytest.mark.parametrize(
    "said,question",
    [
        ("My sister Ana lives in Porto.", "Where does Ana live?"),
        ("My sister Ana lives in Porto.", "Where does my sister live?"),
        ("My friend Jonas works at BP.", "Where does Jonas work?"),
        ("Mi hermana Ana vive en Oporto.", "¿Dónde vive Ana?"),
    ],
)  # fmt: skip
def test_what_was_said_of_others_is_answered_as_it_was_said(memory: Memory, said: str, question: str) -> None:
    assert answer(memory, question, "I live in Rome", "I work at Shell", said) == said


@pytest.mark.parametrize(
    "said", ["My sister Ana doesn't live in Porto.", "Maybe Ana lives in Porto.", "Does Ana live in Porto?"]
)
def test_a_denial_a_doubt_and_a_question_say_of_nobody_where_he_lives(memory: Memory, said: str) -> None:
    assert answer(memory, "Where does Ana live?", said) == "I don't know."


@pytest.mark.parametrize(
    "question,unknown",
    [
        ("Who is Mia?", "I don't know."),
        ("Is Mia nice?", "I don't know."),
        ("Mia", "I don't know."),
        ("", "I don't know."),
        ("Où est-ce que j'habite ?", "I don't know."),
        ("Wo wohnt Mia?", "I don't know."),
        ("Dove vive Mia?", "I don't know."),
        ("Onde mora a Mia?", "I don't know."), ("¿Dónde vive Mia?", "No lo sé."), ("Qué hace Mia", "No lo sé."),
        ("米娅住在哪里？", "我不知道。"),
    ],
)  # fmt: skip
def test_it_is_not_known_in_the_language_of_the_question_or_in_english(
    memory: Memory, question: str, unknown: str
) -> None:
    assert answer(memory, question, "I live in Rome") == unknown


@pytest.mark.parametrize(
    "text,whether",
    [
        ("My birthday is 3 May", True),
        ("Today's my birthday", True),
        ("Monday's birthday is mine, I think", True),
        ("Her birthday is 3 May", False), ("My best friend's birthday", False), ("My wife has a birthday", False),
    ],
)  # fmt: skip
def test_whose_it_is_in_a_sentence(text: str, whether: bool) -> None:
    assert is_of(text, Owned(("birthday",), MINE), "en") is whether


def test_a_pronoun_in_a_question_names_nobody() -> None:
    assert owned("Where did Ana leave her keys?", ["ana", "leave", "keys"], "en").owner is None


def test_what_the_host_says_of_itself_is_not_the_users(memory: Memory) -> None:
    memory.add({"role": "system", "content": "My boss is Carla. My birthday is 3 May."}, user_id="u-1")
    for question in ("Who is my boss?", "When is my birthday?"):
        assert memory.answer(question, user_id="u-1").abstained


@pytest.mark.parametrize(
    "said,question",
    [
        ("My birthday party is on 5 May 2027.", "When is my birthday?"),
        ("Mi fiesta de cumpleaños es el 5 de mayo de 2027.", "¿Cuándo es mi cumpleaños?"),
        ("我的生日派对在5月5日。", "我的生日是什么时候？"),
        ("Ana's dog lives in Porto.", "Where does Ana live?"),
        ("El perro de Ana vive en Oporto.", "¿Dónde vive Ana?"),
        ("安娜的狗住在波尔图。", "安娜住在哪里？"),
        ("I owe Bob 50 euros.", "How much does Bob owe me?"),
        ("Bob owes me 50 euros.", "How much do I owe Bob?"),
        ("Bob me debe 50 euros.", "¿Cuánto le debo a Bob?"),
        ("小王欠我500元。", "我欠小王多少钱？"),
    ],
)
def test_what_is_said_of_something_near_is_no_answer(memory: Memory, said: str, question: str) -> None:
    assert answer(memory, question, said) == read_unknown(question)


def test_each_plan_is_told_where_nobody_can_tell_which_is_meant(memory: Memory) -> None:
    said = ["I'm flying to Rome on 3 May 2027.", "I'm flying to Oslo on 9 June 2027."]
    told = answer(memory, "When am I flying?", *said)
    assert told == "I'm flying to Rome on 3 May 2027, I'm flying to Oslo on 9 June 2027"
