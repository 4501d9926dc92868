"""F18 (mem0#4884, basic-memory#1269): facts and questions in many languages; the fact is the first hit, offline."""

import pytest

from affidavit.index.space_index import Query, SpaceIndex
from affidavit.text.lexicon.terms import terms

# Language -> facts, and a question with the number of the fact that answers it.
LANGUAGES = {
    "zh": (
        [
            "我妹妹在上海的一家医院当护士。",
            "我对花生过敏，不能吃含花生的点心。",
            "下个月我们要搬到杭州去住。",
            "我每天早上骑自行车去公司。",
        ],
        [
            ("我对什么过敏？", 1),
            ("妹妹在哪里工作？她是护士吗", 0),
            ("我们什么时候搬家去杭州？", 2),
            ("我怎么去公司？骑自行车吗", 3),
        ],
    ),
    "ja": (
        [
            "姉は京都の小さな本屋で働いています。",
            "私はエビのアレルギーがあります。",
            "来月、大阪に引っ越します。",
            "毎朝、自転車で会社に通っています。",
        ],
        [
            ("アレルギーは何ですか。", 1),
            ("姉はどこで働いていますか。", 0),
            ("いつ大阪へ引っ越しますか。", 2),
            ("会社まで自転車で行きますか。", 3),
        ],
    ),
    "th": (
        [
            "พี่สาวของฉันทำงานที่โรงพยาบาลในเชียงใหม่",
            "ฉันแพ้ถั่วลิสง",
            "เดือนหน้าเราจะย้ายบ้านไปภูเก็ต",
            "ฉันปั่นจักรยานไปทำงานทุกเช้า",
        ],
        [("ฉันแพ้อะไร แพ้ถั่วไหม", 1), ("พี่สาวทำงานที่ไหน", 0), ("เราจะย้ายบ้านไปที่ไหน", 2), ("ปั่นจักรยานไปไหน", 3)],
    ),
    "ar": (
        [
            "تعمل أختي ممرضة في مستشفى كبير بالإسكندرية.",
            "عندي حساسية من الفول السوداني.",
            "سننتقل إلى بيت جديد في طنطا الشهر القادم.",
            "أذهب إلى المكتب بالدراجة كل صباح.",
        ],
        [
            ("أين تعمل أختي؟", 0),
            ("ما هي الحساسية التي عندي؟", 1),
            ("متى ننتقل إلى البيت الجديد؟", 2),
            ("هل أركب الدراجة إلى المكتب؟", 3),
        ],
    ),
    "es": (
        [
            "Mi hermana trabaja de enfermera en un hospital de Sevilla.",
            "Soy alérgico a los cacahuetes.",
            "El mes que viene nos mudamos a una casa en Gijón.",
            "Voy a la oficina en bicicleta cada mañana.",
        ],
        [
            ("¿A qué tengo alergia? ¿A qué soy alérgica?", 1),
            ("¿Dónde trabajan mis hermanas?", 0),
            ("¿Cuándo nos mudaremos de casa?", 2),
            ("¿Voy en bici o bicicletas a las oficinas?", 3),
        ],
    ),
    "de": (
        [
            "Meine Schwester arbeitet als Krankenpflegerin in einem Spital in Graz.",
            "Ich vertrage keine Erdnüsse.",
            "Nächsten Monat ziehen wir in ein Haus bei Linz.",
            "Ich fahre jeden Morgen mit dem Fahrrad ins Büro.",
        ],
        [
            ("Was sind die Erdnuss-Allergien, die ich nicht vertrage?", 1),
            ("Wo arbeiteten die Schwestern?", 0),
            ("Wann zogen oder ziehen wir in die Häuser?", 2),
            ("Wer fuhr mit Fahrrädern in die Büros?", 3),
        ],
    ),
    "hi": (
        [
            "मेरी बहन लखनऊ के एक अस्पताल में नर्स है।",
            "मुझे मूँगफली से एलर्जी है।",
            "अगले महीने हम जयपुर में नए घर में रहने जाएँगे।",
            "मैं हर सुबह साइकिल से दफ़्तर जाता हूँ।",
        ],
        [
            ("मुझे किस चीज़ से एलर्जी है?", 1),
            ("मेरी बहनें किस अस्पताल में हैं?", 0),
            ("हम नए घरों में कब जाएँगे?", 2),
            ("दफ़्तर साइकिलों से कौन जाता है?", 3),
        ],
    ),
    "ko": (
        [
            "누나는 부산에 있는 병원에서 간호사로 일해요.",
            "저는 땅콩 알레르기가 있어요.",
            "다음 달에 제주로 이사해요.",
            "아침마다 자전거로 회사에 가요.",
        ],
        [
            ("알레르기는 무엇인가요?", 1),
            ("누나가 어느 병원에서 일하나요?", 0),
            ("언제 제주에 이사를 가나요?", 2),
            ("자전거를 타고 회사로 가나요?", 3),
        ],
    ),
    "ru": (
        [
            "Моя сестра работает медсестрой в больнице в Казани.",
            "У меня аллергия на арахис.",
            "В следующем месяце мы переезжаем в новый дом.",
            "Каждое утро я езжу в офис на велосипеде.",
        ],
        [
            ("На что у меня аллергии?", 1),
            ("Где работала сестра?", 0),
            ("Когда переезд в новые дома?", 2),
            ("На велосипедах ли ездят в офисы?", 3),
        ],
    ),
}
CASES = [
    pytest.param(facts, question, answer, id=f"{language}-{answer}")
    for language, (facts, questions) in LANGUAGES.items()
    for question, answer in questions
]


def index_of(texts: list[str]) -> SpaceIndex:
    index = SpaceIndex()
    index.extend(
        (i, f"ep_{i}", f"s{i}", None, "user", "authorized", "active", None, None, i, terms(text).to_bytes())
        for i, text in enumerate(texts)
    )
    return index


@pytest.mark.parametrize("facts,question,answer", CASES)
def test_the_fact_is_the_first_hit_among_facts_of_its_language(facts, question, answer):
    hits = index_of(facts).search(Query(text=question), None, 5)
    assert hits[0].seq == answer


@pytest.mark.parametrize("facts,question,answer", CASES)
def test_the_fact_is_the_first_hit_in_a_space_of_all_languages(facts, question, answer):
    everything = [fact for others, _ in LANGUAGES.values() for fact in others]
    hits = index_of(everything).search(Query(text=question), None, 5)
    assert everything[hits[0].seq] == facts[answer]
