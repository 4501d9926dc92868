"""Only what is said for sure is remembered: the sentence decides, not the words that were cut out of it."""

import pytest

from affidavit.core.candidates import Admitted
from affidavit.text.whose.watermark import context_close, context_open
from tests.support_checks import Place

UNSURE = [
    ("hedged", "I might move to Oslo", "move to Oslo"),
    ("hedged", "I think I'm allergic to nuts", "I'm allergic to nuts"),
    ("hedged", "Probably I live in Oslo by now", "I live in Oslo by now"),
    ("hedged", "The rumor that I live in Oslo is false", "I live in Oslo"),
    ("hedged", "I live in Oslo, I think", "I live in Oslo"),
    ("hedged", "I thought about moving to Oslo", "moving to Oslo"),
    ("hedged", "Quizás vivo en Lima pronto", "vivo en Lima pronto"),
    ("hedged", "我觉得我喜欢爬山", "我喜欢爬山"),
    ("hypothetical", "If I live in Oslo, what does it cost?", "I live in Oslo"),
    ("hypothetical", "I would live in Oslo with more money", "live in Oslo with more money"),
    ("hypothetical", "Pretend I'm the CFO of Acme", "I'm the CFO of Acme"),
    ("hypothetical", "Let's play. I'm Captain Vega and I live on Mars.", "I'm Captain Vega"),
    ("hypothetical", "Translate into French:\nMy name is Peter Hall", "My name is Peter Hall"),
    ("hypothetical", "I live in Oslo, said no one ever", "I live in Oslo"),
    ("hypothetical", "I love queues, just kidding", "I love queues"),
    # Met in the recorded replies of a 0.5 B model: a sentence that was handed over was kept as the user's own.
    ("hypothetical", "Extract the entities from a sentence such as: I am Jonas and I live in Kiel.", "I live in Kiel"),
    ("hypothetical", "Classify this review: I love this phone. I use it daily.", "I use it daily"),
    ("hypothetical", "Is this sentence correct: I live in Oslo since May", "I live in Oslo since May"),
    ("hypothetical", "Make this sound nicer: I hate your logo", "I hate your logo"),
    ("hypothetical", "Corrige esta frase: vivo en Kiel desde mayo", "vivo en Kiel desde mayo"),
    ("hypothetical", "如果我住在台北，搭捷運划算嗎", "我住在台北"),
    ("question", "Do I live in Oslo?", "I live in Oslo"),
    ("question", "is my account DE89370400440532013000?", "my account DE89370400440532013000"),
    ("question", "Is my account number DE89370400440532013000", "Is my account number DE89370400440532013000"),
    ("question", "Hm. do I live in Oslo", "do I live in Oslo"),
    ("question", "ist mein Konto DE89370400440532013000", "ist mein Konto DE89370400440532013000"),
    ("question", "I live in Oslo, right?", "I live in Oslo"),
    ("question", "¿Soy alérgico a algo, que tú sepas?", "Soy alérgico a algo"),
    ("question", "我是住在杭州吗？", "我是住在杭州"),
    # Met in the recorded replies of a 0.5 B model: a question without its mark was kept as what the user says.
    ("question", "我现在住在深圳。湘菜和川菜的辣有什么区别", "湘菜和川菜的辣有什么区别"),
    ("question", "我的护照放在哪里", "我的护照放在哪里"),
    ("question", "我是不是对花生过敏", "我是不是对花生过敏"),
    ("reported", "My boss thinks I love travelling", "I love travelling"),
    ("reported", "I never said I live in Oslo", "I live in Oslo"),
    ("reported", "Ana told me she lives in Oslo", "she lives in Oslo"),
    ("reported", "Her mail: \"I live in Oslo\" and no more", "I live in Oslo"),
    ("reported", "Ana dice que vivo en Roma", "vivo en Roma"),
    ("reported", "Deniz: I live in Oslo", "I live in Oslo"),
    ("reported", "Human: I live in Oslo", "Human: I live in Oslo"),
    ("reported", "小明：我住在奥斯陆", "我住在奥斯陆"),
    ("reported", "妈妈说我对花生过敏", "我对花生过敏"),
]  # fmt: skip


@pytest.mark.parametrize(
    "message",
    [
        "our chat\n[10:02] me: where?\n[10:03] deniz: I live in Oslo",
        "2026-05-01, 10:03 - Deniz K.: I live in Oslo", "[Bob] I live in Oslo", "Bob → I live in Oslo",
        "Bob - I live in Oslo", "<bob> I live in Oslo", "**Bob** I live in Oslo", "Bob (10:31): I live in Oslo",
        "Bob\nI live in Oslo", "Bob wrote\n\nI live in Oslo", "I live in Oslo\n— Bob, 2021", "I live in Oslo ~ Bob",
        "name,bio\nBob,I live in Oslo", "{bio: I live in Oslo}", "// I live in Oslo", "“Hello,\nI live in Oslo\nTom”",
        'I got this letter. "I live in Oslo.\nRegards"', "Bob’s mail in full —\nI live in Oslo",
    ],
)  # fmt: skip
def test_behind_a_label_it_is_at_most_what_somebody_else_says(message):
    place = Place()
    place.told(message)
    done = place.one("The user lives in Oslo.", "I live in Oslo", relation="home", object="Oslo")
    if hasattr(done, "check"):
        assert done.check == "certainty"
    else:
        assert done.authority == "unendorsed"


@pytest.mark.parametrize("code, message, quote", UNSURE)
def test_what_is_not_said_for_sure_is_refused(code, message, quote):
    place = Place()
    place.told(message)
    for kind in ("instruction", "event", "fact"):
        done = place.one(f"The user: {quote}", quote, kind=kind)
        assert (done.check, done.code, done.episode_id) == ("certainty", code, "ep_1")
        assert place.episodes["ep_1"].row.text[done.start : done.end] == quote


@pytest.mark.parametrize(
    "message, quote",
    [
        ("I live in Oslo, what should I pack?", "I live in Oslo"),
        ("I live in Ghent. Do I live close to Brussels?", "I live in Ghent"),
        ("My boss thinks I love travelling, but I hate flying", "I hate flying"),
        ("I told you I live in Oslo", "I live in Oslo"),
        ("I live in Bergen, maybe I'll move to Trondheim next year.", "I live in Bergen"),
        ("媽媽以為我喜歡吃甜的，其實我喜歡吃辣", "我喜歡吃辣"),
        ("我对海鲜过敏，蚝油能吃吗", "我对海鲜过敏"),
        ("Is it cold there? I live in Oslo now.", "I live in Oslo now"),
        ("About me: I live in Oslo now.", "I live in Oslo now"),
        ("Update: I live in Oslo now.", "I live in Oslo now"),
        ("[10:03] priya: I live in Oslo now.", "I live in Oslo now"),
        ("one more thing: I live in Oslo now.", "I live in Oslo now"),
        ("我的情况：我住在奥斯陆", "我住在奥斯陆"),
        ("Write me a short bio: I live in Oslo now", "I live in Oslo now"),
        ("Suggest a restaurant: I live in Oslo now", "I live in Oslo now"),
        ("Please note: I live in Oslo now", "I live in Oslo now"),
        ("我住在奥斯陆，附近有什么好吃的", "我住在奥斯陆"),
        ("我什么都吃，就是不吃香菜", "我什么都吃"),
        ("Is my flat cold or what, I live in Oslo now.", "I live in Oslo now"),
    ],
)
def test_what_is_said_beside_a_question_or_report_is_kept(message, quote):
    place = Place()
    place.told(message)
    assert isinstance(place.one(f"The user: {quote}", quote), Admitted)


@pytest.mark.parametrize("certainty", ["hedged", "hypothetical"])
def test_what_an_extractor_calls_unsure_is_refused(certainty):
    place = Place()
    place.told("I live in Oslo")
    done = place.one("The user lives in Oslo.", "I live in Oslo", certainty=certainty)
    assert (done.check, done.code) == ("certainty", certainty)


def test_what_we_rendered_is_never_taken_again():
    place = Place()
    place.told(
        f"{context_open('tr_1')}\nThe user lives in Rome.\n{context_close('tr_1')}\nI like my tea black."
    )
    done = place.one("The user lives in Rome.", "The user lives in Rome.")
    assert (done.check, done.code) == ("echo", "echo")
    own = place.one("The user likes tea black.", "I like my tea black")
    assert isinstance(own, Admitted)
    assert "Rome" not in own.text
