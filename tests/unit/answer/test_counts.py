"""How many there are of a kind: only what is of it counts, and nothing is added up."""

import pytest

from affidavit import Memory

DOGS = "I have two dogs."
BOTH = "I have two sons and a daughter."


@pytest.mark.parametrize(
    "told, question, text",
    [
        ([DOGS], "How many dogs do I have?", "two dogs"),
        ([DOGS, "I have a cat."], "How many dogs do I have?", "two dogs"),
        ([DOGS, "I have a cat."], "How many pets do I have?", "I have two dogs, I have a cat"),
        ([DOGS, "I have a dog called Rex."], "How many dogs do I have?", "two dogs"),
        ([DOGS], "How many cats do I have?", "I don't know."),
        ([DOGS, "I have no dogs any more."], "How many dogs do I have?",
            "In conflict: “I have two dogs”, “I have no dogs any more.”"),
        ([DOGS, "I don't have any dogs."], "How many dogs do I have?",
            "In conflict: “I have two dogs”, “I don't have any dogs.”"),
        ([DOGS, "I have no cats any more."], "How many dogs do I have?", "two dogs"),
        (["I have two children."], "How many kids do I have?", "two children"),
        (["I have two children.", "I have three children now."], "How many children do I have?",
            "In conflict: two children, three children"),
        (["I have one sister.", "My sister's name is Ana."], "How many sisters do I have?", "one sister"),
        ([BOTH], "How many sons do I have?", "two sons"),
        ([BOTH], "How many daughters do I have?", "I have two sons and a daughter"),
        ([BOTH], "How many children do I have?", "I have two sons and a daughter"),
        (["I have two nieces."], "How many daughters do I have?", "I don't know."),
        (["Tengo dos sobrinos."], "¿Cuántos hijos tengo?", "No lo sé."),
        (["Tengo dos hijos."], "¿Cuántos hijos tengo?", "dos hijos"),
        (["Tengo dos hijos.", "Ahora tengo tres hijos."], "¿Cuántos hijos tengo?",
            "En conflicto: dos hijos, tres hijos"),
        (["Tengo dos perros.", "Tengo un gato."], "¿Cuántos perros tengo?", "dos perros"),
        (["Tengo dos perros.", "Ya no tengo perros."], "¿Cuántos perros tengo?",
            "En conflicto: “Tengo dos perros”, “Ya no tengo perros.”"),
        (["我有两只狗。", "我有一只猫。"], "我有几只狗？", "两只狗"),
        (["我有两只狗。", "我现在没有狗了。"], "我有几只狗？", "互相矛盾: “我有两只狗”、“我现在没有狗了。”"),
        (["我有两个孩子。", "我现在有三个孩子。"], "我有几个孩子？", "互相矛盾: 两个孩子、三个孩子"),
    ],
)  # fmt: skip
def test_how_many(memory: Memory, told: list[str], question: str, text: str) -> None:
    for one in told:
        memory.add(one, user_id="u-1")
    assert memory.answer(question, user_id="u-1").text == text
