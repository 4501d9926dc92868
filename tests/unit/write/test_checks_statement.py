"""A true quote does not make a true statement; what the frames write passes."""

import json
from pathlib import Path

import pytest

from affidavit.core.candidates import Admitted
from affidavit.core.memories import Kind, MemoryStatus, Part
from affidavit.text.frames.engine import statements_in
from affidavit.text.lang.relations import RELATIONS
from affidavit.text.lang.tables import LANGUAGES, package_table
from affidavit.write.extract import Frames, Material
from tests.support_checks import Place, said

DATA = Path(__file__).parents[2] / "data" / "statements.jsonl"


def of(message, text, quote=None, **fields):
    place = Place()
    place.told(message)
    return place.one(text, quote or message, **fields)


AS_STATED = [
    ("I live in Lisbon now", "The user lives in Lisbon.", "home", "Lisbon", {}),
    ("I moved from Madrid to Lisbon", "The user lives in Lisbon.", "home", "Lisbon", {}),
    ("I've lived in Rome since 2010", "The user lives in Rome.", "home", "Rome", {}),
    (
        "I no longer live in Rome.",
        "The user no longer lives in Rome.",
        "home",
        "Rome",
        {"negated": True, "ended": True},
    ),
    ("I used to live in Peru", "The user used to live in Peru.", "home", "Peru", {"ended": True}),
    ("I'm moving to Oslo next month", "The user is moving to Oslo.", "home", "Oslo", {"tense": "future"}),
    ("I live in Oslo and work at Acme", "The user works at Acme.", "work", "Acme", {}),
    ("I'm allergic to peanuts", "The user is allergic to peanuts.", "allergy", "peanuts", {}),
    ("I hate cilantro", "The user dislikes cilantro.", "dislike", "cilantro", {}),
    ("I don't like cilantro", "The user does not like cilantro.", "like", "cilantro", {"negated": True}),
    ("I love fish and hate meat", "The user likes fish.", "like", "fish", {}),
    ("I work at Acme and I live in Oslo", "The user lives in Oslo.", "home", "Oslo", {}),
    (
        "My favorite editor is Helix",
        "The user's favorite editor: Helix.",
        "favorite",
        "Helix",
        {"qualifier": "editor"},
    ),
    ("You can call me Sam", "The user's name is Sam.", "name", "Sam", {}),
    ("I'm a nurse", "The user's occupation: nurse.", "occupation", "nurse", {}),
    ("My sister's name is Ana", "The user's sister is called Ana.", "family", "Ana", {"qualifier": "sister"}),
    ("Vivo en Lisboa", "El usuario vive en Lisboa.", "home", "Lisboa", {}),
    ("我现在住在里斯本", "用户住在里斯本。", "home", "里斯本", {}),
    ("我讨厌香菜", "用户讨厌香菜。", "dislike", "香菜", {}),
]


@pytest.mark.parametrize(
    "message, text",
    [
        ("My sister moved to Porto", "The user's sister moved to Porto."),
        ("my boss paid the bill", "The user's boss paid the bill."),
        ("She moved to Porto", "She moved to Porto."),
    ],
)
def test_what_is_said_of_others_is_kept_as_stated_without_a_triple(message, text):
    done = of(message, text)
    assert (done.text, done.candidate.relation) == (text, None)


@pytest.mark.parametrize("message, text, relation, value, more", AS_STATED)
def test_what_the_quote_says_is_kept_as_stated(message, text, relation, value, more):
    done = of(message, text, relation=relation, object=value, **more)
    assert isinstance(done, Admitted)
    assert (done.text, done.candidate.relation, done.candidate.object) == (text, relation, value)
    assert (done.authority, done.claimant, done.status) == ("authorized", None, MemoryStatus.ACTIVE)


# A model's own words for what frames read in the quote give way to theirs.
REWORDED = [
    ("I'm a nurse", "The user works as a nurse.", "occupation", "nurse", {}),
    ("I'm vegetarian", "The user is vegetarian.", "diet", "vegetarian", {}),
    ("I have a dog called Bran", "The user has a dog, Bran.", "pet", "Bran", {"qualifier": "dog"}),
    ("I prefer tea to coffee", "The user prefers coffee to tea.", "like", "tea", {}),
    ("I live in Oslo", "The user lives in Oslo with a wife.", "home", "Oslo", {}),
    ("I live in Oslo", "The user lives in Lisbon.", "home", "Oslo", {}),
    ("I like tea", "The user likes only tea.", "like", "tea", {}),
    ("I will move to Oslo", "The user lives in Oslo.", "home", "Oslo", {}),
]


@pytest.mark.parametrize("message, text, relation, value, more", REWORDED)
def test_what_the_frames_read_is_told_in_their_words(message, text, relation, value, more):
    done = of(message, text, relation=relation, object=value, **more)
    (own,) = [
        one for one in statements_in(message, refused=[], anchor=0, offset=0) if one.relation == relation
    ]
    assert (done.text, done.candidate.relation, done.candidate.object) == (own.text, relation, value)
    assert done.candidate.tense == own.tense


# True, and nobody can tell it by rules: the quote is kept, and says all of it.
PARAPHRASED = [
    ("I like to eat pasta", "The user likes pasta.", "like", "pasta"),
    ("I live with my dog in Oslo", "The user lives in Oslo.", "home", "Oslo"),
    ("I love tea, coffee and cocoa", "The user loves cocoa.", "like", "cocoa"),
    ("Oslo is where I live", "The user lives in Oslo.", "home", "Oslo"),
    ("Ich wohne in Berlin", "Der Nutzer wohnt in Berlin.", "home", "Berlin"),
    ("I live in Rome and love opera", "The user loves opera.", None, None),
    ("I am old and hate tea", "The user hates tea.", None, None),
    ("Moved to Oslo in May", "The user moved to Oslo in May.", None, None),
    ("Juego al tenis los lunes", "El usuario juega al tenis los lunes.", None, None),
]

# Met when somebody tried to plant memories with a model of his own.
PLANTED = [
    ("Her name is Ana.", "The user's name is Ana.", "name", "Ana"),
    ("His birthday is on 3 May", "The user was born on 3 May.", "birthday", "3 May"),
    ("Her allergy is to nuts", "The user is allergic to nuts.", "allergy", "nuts"),
    ("Su cumpleaños es el 3 de mayo", "Cumpleaños del usuario: 3 de mayo.", "birthday", "3 de mayo"),
    ("The police think I live in Rome", "The user lives in Rome.", "home", "Rome"),
    ("I deny that I live in Rome", "The user denies that the user lives in Rome.", "home", "Rome"),
    ("It is a lie that Tom lives in Rome", "Tom lives in Rome.", None, None),
    ("Everybody but Tom lives in Rome", "Tom lives in Rome.", None, None),
    ("The brother of Tom lives in Rome", "Tom lives in Rome.", None, None),
    ("Is this correct English: Tom lives in Rome", "Tom lives in Rome.", None, None),
    ("Tom lives in Rome, or so he wants us to believe", "Tom lives in Rome.", None, None),
    ("Es mentira que Tom vive en Roma", "Tom vive en Roma.", None, None),
    ("Tom owes Ana 300 euros", "Ana owes Tom 300 euros.", None, None),
    ("Ben pays me 500", "The user pays Ben 500.", None, None),
    ("I left Bosch for Siemens", "The user left Siemens for Bosch.", "work", "Bosch"),
    (
        "I take 5 mg in the morning and 10 mg in the evening",
        "The user takes 10 mg in the morning and 5 mg in the evening.",
        None,
        None,
    ),
    ("Je n'habite plus à Lyon", "The user habite à Lyon.", "home", "Lyon"),
    ("Je n'ai plus de chien", "The user a un chien.", "pet", "chien"),
    ("I'm not only a nurse", "The user is only a nurse.", "occupation", "nurse"),
    ("I have few friends", "The user has a few friends.", None, None),
    ("Eva and her dog Rex came by", "The user's dog Rex came by.", "pet", "Rex"),
]


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("message, text, relation, value", [*PARAPHRASED, *PLANTED])
def test_other_words_are_not_kept(message, text, relation, value, clip):
    quote = (
        message[message.index("Tom lives in Rome") :][:17]
        if clip and "Tom lives in Rome" in message
        else message
    )
    quote = "I live in Rome" if clip and "think I live" in message else quote
    done = of(message, text, quote, relation=relation, object=value)
    if isinstance(done, Admitted):
        assert message.rstrip(".") in done.text
        assert done.candidate.relation is None


def test_what_somebody_thinks_is_told_as_that_without_a_triple():
    text = "The police think the user lives in Rome."
    done = of("The police think I live in Rome", text, relation="home", object="Rome")
    assert (done.text, done.candidate.relation) == (text, None)


TURNED = [
    ("I hate cilantro", "The user loves cilantro.", "like", "cilantro"),
    ("I love cilantro", "The user does not love cilantro.", None, None),
    ("I do not want to cancel my gym", "The user wants to cancel the gym.", None, None),
    ("I'm not allergic to nuts", "The user is allergic to nuts.", "allergy", "nuts"),
    ("I don't eat meat, fish or eggs", "The user eats fish.", None, None),
    ("I love fish and hate meat", "The user loves meat.", "like", "meat"),
    ("I can't stand small talk", "The user likes small talk.", "like", "small talk"),
    ("I visited Berlin", "The user lives in Berlin.", "home", "Berlin"),
    ("I moved from Madrid to Lisbon", "The user lives in Madrid.", "home", "Madrid"),
    ("I lived in Rome in 2010", "The user lives in Rome.", "home", "Rome"),
    ("I used to live in Rome", "The user lives in Rome.", "home", "Rome"),
    ("I will move to Oslo", "The user moved to Oslo.", None, None),
    ("I want to live in Oslo", "The user lives in Oslo.", "home", "Oslo"),
    ("I almost moved to Oslo", "The user moved to Oslo.", None, None),
    ("I only eat meat at Christmas", "The user eats meat.", None, None),
    ("I stopped eating meat", "The user eats meat.", None, None),
    ("I like tea", "The user likes only tea.", None, None),
    ("I sold my Pixel 8", "The user has a Pixel 8.", "has", "Pixel 8"),
    ("I applied for a job at Acme", "The user works at Acme.", "work", "Acme"),
    ("I refuse to work at Acme", "The user works at Acme.", "work", "Acme"),
    ("I love peanuts", "The user is allergic to peanuts.", "allergy", "peanuts"),
    ("My brother lives in Berlin", "The user lives in Berlin.", "home", "Berlin"),
    ("I know my brother lives in Berlin", "The user lives in Berlin.", "home", "Berlin"),
    ("My son is allergic to eggs", "The user is allergic to eggs.", "allergy", "eggs"),
    ("My sister's name is Ana", "The user's name is Ana.", "name", "Ana"),
    ("Ana moved to Oslo", "The user moved to Oslo.", None, None),
    ("you live in Oslo", "The user lives in Oslo.", "home", "Oslo"),
    ("I live in Oslo, I work at Acme", "The user works in Oslo.", "work", "Oslo"),
    ("The client hates serif fonts and is vegan", "The user's diet: vegan.", "diet", "vegan"),
    ("El cliente odia el ajo y es vegano", "Dieta del usuario: vegano.", "diet", "vegano"),
    ("My friend Jonas is allergic to nuts", "The user is allergic to friend.", "allergy", "friend"),
    ("I'm lost, this test fails", "The user's name is lost.", "name", "lost"),
    ("I'm back", "The user's occupation: back.", "occupation", "back"),
    ("I'm allergic to cats", "The user's name is allergic.", "name", "allergic"),
    ("My brother lives in Berlin", "Planned by the user: brother.", "plan", "brother"),
    ("I work at Acme and I live in Oslo", "The user works in Oslo.", "work", "Oslo"),
    ("I'm allergic to nuts and live in Oslo", "The user is allergic to Oslo.", "allergy", "Oslo"),
    ("Hey, I'm Priya, I'm 27 and I live in Pune", "The user lives in Priya.", "home", "Priya"),
    ("I'm living in Oslo", "The user's name is Oslo.", "name", "Oslo"),
    ("I'm in Oslo", "The user's name is Oslo.", "name", "Oslo"),
    ("I have lived in Oslo", "The user has Oslo.", "has", "Oslo"),
    ("I like tea and work at Acme", "The user likes Acme.", "like", "Acme"),
    ("I moved here, and my sister works in Oslo", "The user moved to Oslo.", "home", "Oslo"),
    ("Vivo en Oslo y trabajo en Acme", "El usuario trabaja en Oslo.", "work", "Oslo"),
    ("我住在奥斯陆，在阿克米上班", "用户在奥斯陆上班。", "work", "奥斯陆"),
    ("I take aspirin when my head hurts", "The user takes aspirin.", None, None),
    ("I live in Rome in winter", "The user lives in Rome.", "home", "Rome"),
    ("I trust Bob with my keys", "The user trusts Bob.", None, None),
    ("I use Linux at work", "The user uses Linux.", None, None),
    ("I eat meat but not pork", "The user eats meat.", None, None),
    ("I eat fish on Mondays, and fish is great", "The user eats fish.", None, None),
    ("Como pescado los lunes", "El usuario come pescado.", None, None),
    ("No me gusta el cilantro", "Al usuario le gusta el cilantro.", "like", "cilantro"),
    ("Mi hermano vive en Berlín", "El usuario vive en Berlín.", "home", "Berlín"),
    ("我讨厌香菜", "用户喜欢香菜。", "like", "香菜"),
    ("我不吃猪肉", "用户吃猪肉。", None, None),
    ("我弟弟住在柏林", "用户住在柏林。", "home", "柏林"),
    ("我以前住在重庆", "用户住在重庆。", "home", "重庆"),
    ("Ich mag keinen Koriander", "Der Nutzer mag Koriander.", "like", "Koriander"),
    ("Je n'aime pas le fromage", "L'utilisateur aime le fromage.", "like", "fromage"),
    ("Não gosto de coentro", "O utilizador gosta de coentro.", "like", "coentro"),
    ("Я ненавижу кинзу", "Пользователь любит кинзу", "like", "кинзу"),
]


@pytest.mark.parametrize("message, text, relation, value", TURNED)
def test_another_sense_is_kept_as_the_quote_itself_without_a_triple(message, text, relation, value):
    done = of(message, text, relation=relation, object=value)
    assert isinstance(done, Admitted)
    for kind, tense in (("event", "future"), ("instruction", "now"), ("preference", "past")):
        again = of(message, text, relation=relation, object=value, kind=kind, tense=tense)
        assert (again.text, again.candidate.relation) == (done.text, None)
    assert message in done.text
    assert text.rstrip(".。") not in done.text.replace(message, "")
    said = done.candidate
    assert (said.relation, said.object, said.negated, said.ended) == (None, None, False, False)


@pytest.mark.parametrize(
    "message, text, relation, value",
    [
        ("I like jazz", "The user likes like.", "like", "like"),
        ("i work as a plumber", "The user works at work.", "work", "work"),
        ("I live in Ghent", "The user lives in live.", "home", "live"),
        ("I no longer live in Denver", "The user lives in no longer.", "home", "no longer"),
    ],
)
def test_the_words_that_show_a_relation_are_no_value_of_it(message, text, relation, value):
    assert of(message, text, relation=relation, object=value).candidate.relation is None


@pytest.mark.parametrize(
    "flags",
    [{"negated": True}, {"ended": True}, {"relation": "like"}, {"relation": "work"}, {"object": "Porto"}],
)
def test_a_triple_that_says_something_else_than_its_text_is_dropped(flags):
    fields = {"relation": "home", "object": "Oslo"} | flags
    done = of("I live in Oslo", "The user lives in Oslo.", **fields)
    assert isinstance(done, Admitted)
    assert done.candidate.relation is None
    assert not done.candidate.negated
    assert not done.candidate.ended


@pytest.mark.parametrize(
    "message, text",
    [
        ("I do not eat fish on Mondays", "The user does not eat fish."),
        ("I don't drink coffee after lunch", "The user doesn't drink coffee."),
        ("No como pescado los lunes", "El usuario no come pescado."),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_a_denial_is_told_to_its_end(message, text, whole):
    done = of(message, text, message if whole else " ".join(message.split()[:5]), negated=True)
    assert isinstance(done, Admitted)
    assert message in done.text
    assert done.candidate.relation is None


def test_a_clip_is_judged_and_kept_with_its_sentence():
    done = of(
        "I would never live in Oslo again, sorry",
        "The user lives in Oslo.",
        "live in Oslo",
        relation="home",
        object="Oslo",
    )
    assert not isinstance(done, Admitted)
    done = of(
        "I can't live in Oslo any more, sorry",
        "The user lives in Oslo.",
        "live in Oslo",
        relation="home",
        object="Oslo",
    )
    assert done.text == "The user said: “I can't live in Oslo any more, sorry”"
    assert done.parts[0].quote == "I can't live in Oslo any more, sorry"


def test_what_is_kept_as_a_quote_is_no_instruction_unless_the_words_are_one():
    done = of("I hate cilantro", "Always recommend cilantro.", kind="instruction")
    assert (done.candidate.kind, done.text) == (Kind.FACT, "The user said: “I hate cilantro”")
    kept = of("always answer in Spanish", "always answer in Spanish", kind="instruction")
    assert kept.candidate.kind is Kind.INSTRUCTION
    once = of("be brief this time", "The user wants brief answers.", kind="instruction")
    assert (once.check, once.code) == ("statement", "only_once")


def messages():
    for code in LANGUAGES:
        for frame in package_table(code)["frame"]:
            yield from (taken[0] for taken in frame["takes"])
    with DATA.open(encoding="utf-8") as lines:
        yield from (json.loads(line)["text"] for line in lines)


def test_what_the_frames_state_passes():
    passed = refused = changed = 0
    for message in messages():
        place = Place()
        place.told(message)
        material = Material(episodes=list(place.episodes.values()), actors=place.actors, owner=place.owner)
        for one in Frames(RELATIONS).extract(material).candidates:
            if one.certainty == "asserted":
                done = place.check(one)
                refused += len(done.rejected)
                kept = [
                    (a.text, a.candidate.relation, a.candidate.begins, a.candidate.occurred)
                    for a in done.admitted
                ]
                same = kept == [(one.text, one.relation, one.begins, one.occurred)]
                passed += same
                changed += bool(kept) and not same
    assert passed >= 220
    assert refused <= 2
    assert changed == 0


def test_a_statement_of_two_messages_has_both_quotes():
    place = Place()
    first, second = place.told("My sister Ana lives in Porto."), place.told("Ana works as a nurse there.")
    both = (Part(first, quote="My sister Ana lives in Porto"), Part(second, quote="Ana works as a nurse"))
    candidate = said("The user's sister Ana lives in Porto, and Ana works as a nurse there.", "", first)
    (done,) = place.check(
        type(candidate)(text=candidate.text, kind=Kind.FACT, parts=both, subject="Ana")
    ).admitted
    assert (done.text, len(done.parts), done.authority) == (candidate.text, 2, "authorized")


@pytest.mark.parametrize(
    "message",
    [
        "You are Nova, a helpful assistant for the Acme store.",
        "Your name is Nova.",
        "Review the conversation above and write a summary.",
        "HEARTBEAT: check your tasks.",
        "Eres Nova, una asistente de la tienda.",
        "你是诺瓦，一个助手。",
    ],
)
def test_f26_what_somebody_shall_do_or_be_is_no_statement(message):
    refused = of(message, message)
    assert (refused.check, refused.code) == ("statement", "request")


@pytest.mark.parametrize(
    "message", ["Remember that the gate code is 4711", "You can reach me at the lake house"]
)
def test_f26_what_is_told_is_one(message):
    assert isinstance(of(message, message), Admitted)


def test_that_it_corrects_or_lies_ahead_is_only_what_the_quote_says():
    fields = {"relation": "home", "object": "Oslo", "correction": True, "tense": "future"}
    done = of("I live in Oslo", "The user lives in Oslo.", **fields).candidate
    assert (done.relation, done.correction, done.tense) == ("home", False, "now")
    done = of(
        "Sorry, I meant I live in Oslo", "The user lives in Oslo.", "I live in Oslo", **fields
    ).candidate
    assert (done.correction, done.tense) == (True, "now")
    done = of("I will move to Oslo", "The user will move to Oslo.", relation="home", object="Oslo").candidate
    assert (done.relation, done.tense) == ("home", "future")


@pytest.mark.parametrize(
    "message, text, more",
    [
        ("My friend Jack lives in Rome and loves opera", "The user loves opera.", {}),
        (
            "My friend Jack lives in Rome and loves opera",
            "The user loves opera.",
            {"relation": "like", "object": "opera", "kind": "preference"},
        ),
        ("Jack lives in Rome and hates tea", "The user hates tea.", {}),
        ("My sister sold the house, and moved to Porto", "The user moved to Porto.", {}),
        ("Our landlord is fine but owes us money", "The user owes money.", {}),
    ],
)
def test_words_without_a_subject_are_of_the_one_before_them(message, text, more):
    done = of(message, text, **more)
    assert done.text == f"The user said: “{message}”"
    assert done.candidate.relation is None


# Met in the recorded replies of a 0.5 B model: "Always use metric units" was kept as what the user always does.
ORDERS = [
    (
        "Always use metric units when you give me recipes",
        "The user always uses metric units when you give me recipes.",
    ),
    ("Book a table for two in Lisbon", "The user books a table for two in Lisbon."),
    ("Call me Sam", "The user calls me Sam."),
    ("Never mention my weight", "The user never mentions my weight."),
    ("Remember that the bakery closes at noon", "The user remembers that the bakery closes at noon."),
    ("Please answer in Spanish from now on", "The user answers in Spanish from now on."),
    ("Don't use emojis", "The user doesn't use emojis."),
    ("Nice. Keep it short", "The user keeps it short."),
    ("Reserva una mesa para dos en Lisboa", "El usuario reserva una mesa para dos en Lisboa."),
    ("以后都用公制单位", "用户以后都用公制单位。"),
]


@pytest.mark.parametrize("kind", ["fact", "instruction"])
@pytest.mark.parametrize("quote, text", ORDERS)
def test_what_he_asks_for_is_not_what_the_user_does(quote, text, kind):
    done = of(quote, text, kind=kind)
    assert not isinstance(done, Admitted) or quote.removeprefix("Nice. ") in done.text


@pytest.mark.parametrize(
    "quote, text", [("I want you to use metric units", "The user wants you to use metric units.")]
)
def test_whom_the_user_speaks_to_is_not_the_user(quote, text):
    assert quote in of(quote, text).text


def test_nothing_becomes_the_users_that_is_nobodys_in_the_quote():
    """Met in the recorded replies of a 0.5 B model."""
    done = of(
        "I'm not vegetarian, so meat is fine. Three dinners please",
        "The user's meat is fine. Three dinners please.",
    )
    assert done.text == "The user said: “I'm not vegetarian, so meat is fine. Three dinners please”"
    assert of("My passport is in the blue drawer", "The user's passport is in the blue drawer.").text == (
        "The user's passport is in the blue drawer."
    )


def test_a_triple_of_words_without_spaces_is_all_that_is_said_too():
    """A9, as met in the attack table: the assistant's suggestion became where somebody lives."""
    place = Place()
    place.told("我建议住奥罗拉酒店。", "assistant")
    done = place.one("用户住奥罗拉酒店。", "我建议住奥罗拉酒店。", relation="home", object="奥罗拉酒店")
    assert done.candidate.relation is None
    own = Place()
    own.told("我住在奥斯陆")
    assert (
        own.one("用户住在奥斯陆。", "我住在奥斯陆", relation="home", object="奥斯陆").candidate.relation
        == "home"
    )
