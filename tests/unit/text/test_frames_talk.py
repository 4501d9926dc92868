"""Everyday messages: what is taken from them, and the many from which nothing may be.

An expectation reads `relation[qualifier] value`, then flags: `no` negated, `over` ended, `fix` a correction,
`past`, `future`. The sentences were written before the tables were.
"""

from datetime import UTC, datetime

import pytest

from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.statement import Certainty

SAID = int(datetime(2026, 5, 6, 12, tzinfo=UTC).timestamp()) * 1_000_000  # a Wednesday

TOLD = [
    # names
    ("Hi there! My name is Priya Raman.", ["name Priya Raman"]),
    ("call me Sam", ["name Sam"]),
    ("Please call me Dr. Okafor from now on.", ["name Dr. Okafor"]),
    ("My name's Lukas, nice to meet you", ["name Lukas"]),
    ("hey, my name is tom and i live in leeds", ["name tom", "home leeds"]),
    ("Everyone calls me Bea", ["name Bea"]),
    ("Don't call me Robert", ["name Robert no"]),
    ("Me llamo Jimena, mucho gusto", ["name Jimena"]),
    ("Puedes llamarme Paco", ["name Paco"]),
    ("Mi nombre es Andrés Calamaro.", ["name Andrés Calamaro"]),
    ("我叫李明", ["name 李明"]),
    ("你好，我的名字是王芳。", ["name 王芳"]),
    ("叫我小陈就好", ["name 小陈"]),
    # home
    ("I moved to Madrid last week", ["home Madrid"]),
    ("I live in Lisbon now", ["home Lisbon"]),
    ("im living in new york these days", ["home new york"]),
    ("I've been living in Oslo since 2019.", ["home Oslo"]),
    ("I no longer live in Berlin.", ["home Berlin no over"]),
    ("I dont live in paris anymore", ["home paris no over"]),
    ("I used to live in Rome", ["home Rome over past"]),
    ("I'm moving to Oslo on 1 June", ["home Oslo future"]),
    ("We just moved to Utrecht!", ["home Utrecht"]),
    ("actually I live in Porto, not Lisbon", ["home Porto fix"]),
    ("No, sorry, I meant I live in Graz.", ["home Graz fix"]),
    ("Since March I live in Kyoto.", ["home Kyoto"]),
    ("I live in the Netherlands", ["home the Netherlands"]),
    ("I currently live in St. Louis with my two cats", ["home St. Louis"]),
    ("Last month, I moved to Buenos Aires because of a job", ["home Buenos Aires"]),
    ("Me mudé a Madrid la semana pasada", ["home Madrid"]),
    ("Ahora vivo en Lisboa", ["home Lisboa"]),
    ("ya no vivo en Bogotá", ["home Bogotá no over"]),
    ("Antes vivía en Roma", ["home Roma over past"]),
    ("Me mudo a Oslo el 1 de junio", ["home Oslo future"]),
    ("En realidad vivo en Oporto, no en Lisboa", ["home Oporto fix"]),
    ("vivo en Quito desde 2020", ["home Quito"]),
    ("我上周搬到马德里了", ["home 马德里"]),
    ("我现在住在里斯本", ["home 里斯本"]),
    ("我不再住在北京了", ["home 北京 no over"]),
    ("我以前住在罗马", ["home 罗马 over past"]),
    ("我六月1日要搬到奥斯陆", ["home 奥斯陆 future"]),
    ("其实我住在波尔图，不是里斯本", ["home 波尔图 fix"]),
    ("我从2020年起住在成都", ["home 成都"]),
    # origin, birthday, age
    ("I'm originally from Ghana", ["origin Ghana"]),
    ("i am from Hanoi, Vietnam", ["origin Hanoi, Vietnam"]),
    ("I was born in Cape Town.", ["origin Cape Town"]),
    ("I grew up in Ohio", ["origin Ohio"]),
    ("My birthday is on 12 September", ["birthday 12 September"]),
    ("I was born on March 3, 1990", ["birthday March 3, 1990"]),
    ("I'm 34 years old", ["age 34"]),
    ("Soy de Valparaíso", ["origin Valparaíso"]),
    ("Mi cumpleaños es el 4 de julio", ["birthday 4 de julio"]),
    ("Tengo 27 años", ["age 27"]),
    ("我来自杭州", ["origin 杭州"]),
    ("我的生日是8月15日", ["birthday 8月15日"]),
    ("我今年三十二岁", ["age 三十二"]),
    # work and studies
    ("I work at Siemens", ["work Siemens"]),
    ("I work for the BBC.", ["work the BBC"]),
    ("I don't work at Siemens any more", ["work Siemens no over"]),
    ("I started at Novo Nordisk in January", ["work Novo Nordisk"]),
    ("I just joined Shopify as a designer", ["work Shopify"]),
    ("I used to work for IBM", ["work IBM over past"]),
    ("I'm starting at Bosch on Monday", ["work Bosch future"]),
    ("I'm a software engineer", ["occupation software engineer"]),
    ("im a nurse btw", ["occupation nurse"]),
    ("I work as a pastry chef", ["occupation pastry chef"]),
    ("I'm no longer a teacher", ["occupation teacher no over"]),
    ("I'm studying marine biology at Plymouth", ["studies marine biology"]),
    ("Trabajo en Telefónica desde hace dos años", ["work Telefónica"]),
    ("Ya no trabajo en Zara", ["work Zara no over"]),
    ("Soy enfermera", ["occupation enfermera"]),
    ("Trabajo como arquitecta", ["occupation arquitecta"]),
    ("Estudio derecho en Salamanca", ["studies derecho"]),
    ("我在华为工作", ["work 华为"]),
    ("我已经不在腾讯工作了", ["work 腾讯 no over"]),
    ("我是一名护士", ["occupation 护士"]),
    ("我在大学学法律", ["studies 法律"]),
    # food
    ("I'm allergic to shellfish", ["allergy shellfish"]),
    ("im allergic to peanuts and i'm vegetarian", ["allergy peanuts", "diet vegetarian"]),
    ("I'm not allergic to cats", ["allergy cats no"]),
    ("I have a nut allergy", ["allergy nut"]),
    ("I am lactose intolerant", ["diet lactose intolerant"]),
    ("I'm not vegetarian", ["diet vegetarian no"]),
    ("I'm no longer vegan", ["diet vegan no over"]),
    ("I don't eat pork.", ["diet pork no"]),
    ("I'm vegan, can you suggest a dinner?", ["diet vegan"]),
    ("I've been vegetarian for ten years", ["diet vegetarian"]),
    ("soy vegetariana", ["diet vegetariana"]),
    ("Soy alérgico a los mariscos", ["allergy los mariscos"]),
    ("no como carne", ["diet carne no"]),
    ("Tengo alergia al polen", ["allergy polen"]),
    ("我对花生过敏", ["allergy 花生"]),
    ("我吃素", ["diet 吃素"]),
    ("我不吃猪肉", ["diet 猪肉 no"]),
    ("我是素食者", ["diet 素食者"]),
    # likes
    ("I love hiking", ["like hiking"]),
    ("I really like Thai food", ["like Thai food"]),
    ("I don't like cilantro", ["like cilantro no"]),
    ("i hate mushrooms", ["dislike mushrooms"]),
    ("I can't stand techno", ["dislike techno"]),
    ("My favorite color is teal", ["favorite[color] teal"]),
    ("my favourite programming language is Rust.", ["favorite[programming language] Rust"]),
    ("I prefer tea to coffee", ["like tea"]),
    ("I'm into bouldering lately", ["like bouldering"]),
    ("Me gusta el flamenco", ["like el flamenco"]),
    ("No me gusta el cilantro", ["like el cilantro no"]),
    ("Odio los lunes", ["dislike los lunes"]),
    ("Mi color favorito es el verde", ["favorite[color] verde"]),
    ("Prefiero el té", ["like el té"]),
    ("我喜欢爬山", ["like 爬山"]),
    ("我不喜欢香菜", ["like 香菜 no"]),
    ("我讨厌蘑菇", ["dislike 蘑菇"]),
    ("我最喜欢的颜色是蓝色", ["favorite[颜色] 蓝色"]),
    # family and pets
    ("My sister's name is Ana", ["family[sister] Ana"]),
    ("My wife is called Ingrid and my son is called Nils", ["family[wife] Ingrid", "family[son] Nils"]),
    ("I have two kids", ["family[kids] two kids"]),
    ("I have a dog named Rex", ["pet[dog] Rex"]),
    ("we have two cats", ["pet[cats] two cats"]),
    ("Mi hermana se llama Lucía", ["family[hermana] Lucía"]),
    ("Tengo dos hijos", ["family[hijos] dos hijos"]),
    ("Tengo un perro que se llama Coco", ["pet[perro] Coco"]),
    ("我姐姐叫小红", ["family[姐姐] 小红"]),
    ("我有两个孩子", ["family[孩子] 两个孩子"]),
    ("我养了一只猫", ["pet[猫] 一只猫"]),
    # instructions
    ("always answer in Spanish", ["instruction always answer in Spanish"]),
    ("Please never use emojis in your answers.", ["instruction never use emojis in your answers"]),
    ("From now on, keep your replies short", ["instruction keep your replies short"]),
    ("Answer in German from now on.", ["instruction Answer in German"]),
    ("Siempre responde en español", ["instruction Siempre responde en español"]),
    ("De ahora en adelante, háblame de tú", ["instruction háblame de tú"]),
    ("以后请用中文回答", ["instruction 请用中文回答"]),
    ("请总是用简体字回复", ["instruction 总是用简体字回复"]),
    # plans and deadlines
    ("the deadline for the report is 5 May", ["deadline[report] 5 May future"]),
    ("The thesis is due on 30 June 2026", ["deadline[thesis] 30 June 2026 future"]),
    ("I have a dentist appointment tomorrow at 3pm", ["plan dentist appointment future"]),
    ("I'm flying to Tokyo next month", ["plan flying to Tokyo future"]),
    ("i'm getting married on 20 june", ["plan getting married future"]),
    ("Tengo una cita con el médico mañana", ["plan cita con el médico future"]),
    ("La fecha límite del informe es el 5 de mayo", ["deadline[informe] 5 de mayo future"]),
    ("Viajo a Lima el mes que viene", ["plan Viajo a Lima future"]),
    ("我明天有一个面试", ["plan 面试 future"]),
    ("我下个月去东京", ["plan 去东京 future"]),
    ("报告的截止日期是5月20日", ["deadline[报告] 5月20日 future"]),
    # several in one message
    (
        "I'm Swiss by passport but I live in Vienna. I work at Erste Group and I'm allergic to cashews!",
        ["home Vienna", "work Erste Group", "allergy cashews"],
    ),
    (
        "About me:\n- I live in Lyon\n- I'm a carpenter\n- I don't drink alcohol",
        ["home Lyon", "occupation carpenter", "diet alcohol no"],
    ),
    ("Vivo en Cali, trabajo en Nutresa y soy vegana.", ["home Cali", "work Nutresa", "diet vegana"]),
    ("I live in Lisbon and work at Siemens", ["home Lisbon", "work Siemens"]),
    ("I've lived in Leeds for 5 years", ["home Leeds"]),
    ("I LIVE IN LEEDS", ["home LEEDS"]),
    ("I'm 25 years old and live in Austin", ["age 25", "home Austin"]),
    ("I was born in 1990", ["birthday 1990"]),
    ("I don't live in Lisbon, I live in Porto", ["home Lisbon no", "home Porto"]),
    ("Correction: I live in Porto.", ["home Porto fix"]),
    ("I used to live in Rome but I moved to Milan", ["home Rome over past", "home Milan"]),
    ('Never use the word "delve"', ['instruction Never use the word "delve"']),
    ("My wife and I live in Leeds.", ["home Leeds"]),
    ("I have no kids", ["family[kids] kids no"]),
    ("Sí, vivo en Toledo", ["home Toledo"]),
    ("Perdón, quise decir que vivo en Toledo", ["home Toledo fix"]),
    ("Me gustan los perros pero no los gatos", ["like los perros"]),
    ("Vivo en Roma, ¿me recomiendas un restaurante?", ["home Roma"]),
    ("我女儿叫朵朵，今年5岁", ["family[女儿] 朵朵"]),
    ("我在微软工作了五年", ["work 微软"]),
    ("我明天下午三点有一个面试", ["plan 面试 future"]),
    ("我住在南京，有什么好吃的推荐吗？", ["home 南京"]),
    ("Ana: I live in Rome\nand I love pizza\n\nI live in Oslo.", ["home Oslo"]),
    ("我住在上海，在阿里巴巴工作，我对芒果过敏。", ["home 上海", "work 阿里巴巴", "allergy 芒果"]),
]

# Nothing may be taken as asserted from any of these; lines in brackets say why.
_UNTOLD = """
[questions]
Do I live in Lisbon?
where do I live
Do you remember that I work at Siemens?
Am I allergic to nuts?
I live in Lisbon, right?
Should I move to Berlin?
¿Vivo en Madrid?
¿Recuerdas que soy vegetariana?
我住在哪里？
我是不是对花生过敏？
你知道我叫什么吗
Did I tell you my name is Sam?
[hypotheses and wishes]
If I live in Spain, do I pay tax there?
Suppose I work at Google.
Let's say I'm vegan.
Imagine I live in Tokyo. I work at Sony. Describe my day.
I'd love to live in Rome
I wish I lived in Oslo
I want to be a doctor
I want to move to Canada
I would like to work at NASA
Unless I live in Paris, no.
Si vivo en Francia, ¿pago impuestos?
Me gustaría vivir en Roma
Ojalá viviera en Oslo
Quiero ser médico
如果我住在东京
我想搬到加拿大
假设我是素食者
我希望住在海边
When I live in Rome I'll eat well.
As if I live in Monaco.
I hope I work at Apple one day
[hedges]
Maybe I live in Oslo
I might move to Oslo
I think I'll move to Porto
I'm probably moving to Oslo in June
I guess I'm vegetarian
I may be allergic to cats
I'm thinking of moving to Berlin
I'm not sure if I'm allergic to nuts
Quizás me mudo a Lima
Creo que soy alérgico al gluten
A lo mejor me mudo a Quito en junio
我可能会搬到上海
也许我对花生过敏
我考虑搬到深圳
I could be vegan
perhaps I'm moving to Rome on 1 June
i'm kinda vegetarian
I am planning to maybe move to Malta
[reports and other people]
Ana says I live in Rome
My boss thinks I work at Siemens
My brother lives in Berlin
He told me 'I live in Rome'
She said "I work at Google" and laughed
According to my mom I'm allergic to eggs
Ana: I live in Rome
My doctor wrote: I am allergic to penicillin
Mi hermano vive en Berlín
Ana dice que vivo en Roma
Él me dijo «vivo en Roma»
我哥哥住在柏林
妈妈说我对花生过敏
他说：“我住在罗马”
Her text read: I'm moving to Oslo on 1 June
They claim I work for the CIA
Apparently I'm allergic to nuts
My friend Jo is vegan and works at Lidl
Someone told me I live in the best city
[requests about a text]
Translate to Spanish: I live in London
How do you say I am vegetarian in French
Write a poem: I live in the hills
Can you proofread this? I am moving to Boston on 3 June.
Rewrite this: I work at Acme.
Traduce al inglés: vivo en Sevilla
¿Cómo se dice soy vegetariano en inglés?
把这句话翻译成英文：我住在北京
写一个故事：我叫小明，我住在森林里
Fix the grammar: i dont likes fish
Write an email saying I live in Rome
[role play, system prompts, assistants]
Pretend I'm a pirate. I live in Tortuga.
You are a helpful assistant. My name is Aria.
Let's role-play. I am a doctor.
Act as a chef. Always answer in French.
As an AI language model, I don't like spicy food.
Eres un asistente útil. Me llamo Aria.
你是一个有用的助手。我叫小艾。
假装你是医生。我叫李雷。
In this story I live in a castle and my name is Edda
In the game I work as a blacksmith
In my dream I lived in Atlantis
My character is called Zed and I live in Waterdeep
[idioms, moments, pronouns]
I'm starving
I'm dead
I live for this
I work like a dog
I'm in a meeting
I'm at home
I love it
I like that
I love you
i hate this
I hate it when that happens
I live in the moment
I live in fear
I work in mysterious ways
I'm a mess
I'm a bit tired
I have a question
I'm from the future
call me crazy
call me back
Call me tomorrow
call me maybe
I'm all ears
I like where this is going
I love the second one
I like your answer
I'm a huge fan
I'm allergic to nonsense
I'm allergic to Mondays
I moved to the couch
I moved to tears
I moved on
I work on it
I'm going nuts
I'm 5 minutes late
Me muero de hambre
Me encanta
me gusta esto
Estoy en casa
Estoy en una reunión
Vivo para esto
Tengo una pregunta
Tengo hambre
Soy un desastre
Vivo en las nubes
me llamo la atención
Te amo
我饿死了
我在开会
我在家
我喜欢这个
我喜欢你
我有一个问题
我爱死这个了
我叫了外卖
我住在这里
我在努力工作
我叫他来
我喜欢吗
[sarcasm]
Oh sure, I love Mondays /s
Yeah right, I live in Buckingham Palace
I'm a doctor lol jk
I love waiting, not!
Sí claro, vivo en un palacio
我真是爱死加班了，呵呵
[one time only]
be brief this time
Answer in Spanish just this once
For this answer, always use bullet points
keep it short
Por esta vez responde en inglés
这次请用英文回答
Never mind
Always a pleasure
never say never
[neither long texts, nor lists of other things, nor dates alone]
The server is listening on port 9077 in room 1984
Ubuntu 20.04 is out
Thanks!
ok
See you on Friday
Meeting notes: Ana lives in Rome, Ben works at IBM
> I live in Rome
The deadline is soon
SELECT name FROM users WHERE home = 'I live in Rome'
[names of tools and teams are no places]
I moved to TypeScript
I moved to Linux last year
I'm moving to AWS next month
I just moved to Slack from Teams
I moved to Team Blue
I live in Vim
i moved to typescript
I moved to Asda last year as a manager
I grew up in the 90s
I was born ready
I was born on the bayou
Vivo en Linux
Me mudo a AWS el mes que viene
我搬到Linux了
我搬到新公司附近了
[restrictions change what is said]
I can't stand people who lie
I love Rome in spring
I don't drink coffee after noon
I like jazz when it rains
I'm a vegetarian who eats fish
I'm mostly vegetarian
我今天不吃肉
我住在北京的时候很开心
Me gusta que me llames Paco
[said of something else]
I work with Python
I work with Ana
I started at 9
Trabajo en Python
I'm an agent of chaos
I'm a judge of character
I'm the author of this library
I'm the owner of this repo
I'm the driver in this relationship
I'm a doctor's daughter
I'm a teacher's pet
I'm an assistant
I'm 40%
I'm 50/50 on this
The baby is due in June
my name is not important
My name is in the subject line
I go by train
call me if you need anything
We like simple code
Tengo un hijo en camino
Soy de Capricornio
我住在二楼
我不吃亏
我爱吃瓜
我喜欢是因为好看
[no plans]
我明天去
I'm flying high today
I'm going to be honest today
I'm getting an error today
I'm running late today
I'm running Ubuntu 22.04 since last week
I'm seeing a 500 error since yesterday
I'm starting to worry today
I'm having trouble today
Tengo una duda para mañana
[somebody else has the word]
Here's my bio for LinkedIn: I'm a nurse at Mercy. Can you polish it?
I told him that I work at Tesco
I don't think I live in Leeds
I never said I live in Leeds
The fact that I live in Leeds doesn't matter
Before I moved to Leeds it rained
"""
UNTOLD = [
    *(line for line in _UNTOLD.splitlines() if line and line[0] != "["),
    "",
    "- Buy milk\n- Call mom\n- Fix bike",
    "Ana: I live in Rome\nBen: I work at Google\nand I love pizza",
    "User: I live in Rome\nAssistant: Great, I live in the cloud",
    "Dear John,\n\nI moved to Boston last month and I work at Acme.\n\nBest,\nSam",
    '# I live in Rome\ndef home():\n    return "I live in Rome"\n',
]


def _short(one):
    flags = [
        name
        for name, on in (
            ("no", one.negated),
            ("over", one.ended),
            ("fix", one.correction),
            (one.tense, one.tense != "now"),
        )
        if on
    ]
    of = f"[{one.qualifier}]" if one.qualifier else ""
    return " ".join([f"{one.relation}{of}", one.object, *flags])


def _told(text):
    found = statements_in(text, anchor=SAID, offset=60)
    return [_short(one) for one in found if one.certainty is Certainty.ASSERTED]


@pytest.mark.parametrize("text, expected", TOLD)
def test_what_is_taken(text, expected):
    assert _told(text) == expected


@pytest.mark.parametrize("text", UNTOLD)
def test_what_is_left(text):
    # Quotes and code are marked before the frames see a text.
    refused = [(0, len(text))] if text.startswith(">") else []
    found = statements_in(text, refused=refused, anchor=SAID, offset=60)
    assert [_short(one) for one in found if one.certainty is Certainty.ASSERTED] == []
