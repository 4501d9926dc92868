"""F18 through the API: what is not English was not found, or a model was downloaded first."""

import socket

import pytest

from affidavit import Memory

LANGUAGES: dict[str, tuple[tuple[str, ...], tuple[tuple[str, int], ...]]] = {
    "zh": (
        ("我妹妹搬到了波尔图", "我对花生过敏", "明天下午三点开会", "我喜欢喝绿茶"),
        (("花生", 1), ("妹妹住在哪里 波尔图", 0), ("会议几点", 2), ("绿茶", 3)),
    ),
    "ja": (
        ("妹は大阪に引っ越しました", "私はピーナッツアレルギーです", "会議は明日の午後三時です", "緑茶が好きです"),
        (("アレルギー", 1), ("大阪", 0), ("会議はいつですか", 2), ("緑茶", 3)),
    ),
    "th": (
        ("น้องสาวของฉันย้ายไปเชียงใหม่", "ฉันแพ้ถั่วลิสง", "ประชุมพรุ่งนี้บ่ายสามโมง", "ฉันชอบดื่มชาเขียว"),
        (("แพ้ถั่ว", 1), ("เชียงใหม่", 0), ("ประชุม", 2), ("ชาเขียว", 3)),
    ),
    "ar": (
        (
            "انتقلت أختي إلى مراكش",
            "عندي حساسية من الفول السوداني",
            "الاجتماع غدا في الثالثة",
            "أحب الشاي الأخضر",
        ),
        (("حساسية الفول", 1), ("أين أختي", 0), ("متى الاجتماع", 2), ("الشاي", 3)),
    ),
    "es": (
        (
            "Mi hermana se mudó a Sevilla",
            "Soy alérgico a los cacahuetes",
            "La reunión es mañana a las tres",
            "Me gusta el té verde",
        ),
        (("alergia cacahuete", 1), ("¿Dónde vive mi hermana?", 0), ("reuniones", 2), ("te verde", 3)),
    ),
    "de": (
        (
            "Meine Schwester ist nach Köln gezogen",
            "Ich bin gegen Erdnüsse allergisch",
            "Die Besprechung ist morgen um drei",
            "Ich trinke gern grünen Tee",
        ),
        (("Erdnüsse", 1), ("Wo wohnt meine Schwester?", 0), ("Besprechungen", 2), ("grüner Tee", 3)),
    ),
    "hi": (
        ("मेरी बहन जयपुर चली गई", "मुझे मूंगफली से एलर्जी है", "बैठक कल तीन बजे है", "मुझे हरी चाय पसंद है"),
        (("मूंगफली एलर्जी", 1), ("बहन कहाँ है", 0), ("बैठक कब है", 2), ("हरी चाय", 3)),
    ),
}  # fmt: skip


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.usefixtures("no_network")
def test_the_first_hit_is_right_in_each_language_with_all_in_one_space(memory: Memory) -> None:
    for said, _ in LANGUAGES.values():
        for text in said:
            memory.add(text, user_id="ana")
    wrong = []
    for code, (said, asked) in LANGUAGES.items():
        for query, place in asked:
            hits = memory.search(query, user_id="ana").hits
            # A memory of the statement comes with the words it was taken from.
            if not hits or hits[0].evidence[0].text.strip(".。") not in said[place]:
                wrong.append((code, query, hits[0].text if hits else None))
    assert not wrong
