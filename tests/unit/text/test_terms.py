"""Terms: what is indexed for a text, how it is stored, and that it never changes."""

import hashlib

import pytest

from affidavit.text.lexicon import terms as module
from affidavit.text.lexicon.english import IRREGULAR
from affidavit.text.lexicon.stopwords import STOP_WORDS
from affidavit.text.lexicon.terms import FORMAT, Terms, elsewhere, query_terms, term_id, terms
from affidavit.text.lexicon.words import Kind, analyse, fold, stem, tokens


def forms(text: str) -> set[str]:
    return {form.term for token in tokens(text) for form in analyse(token).forms}


def shared(document: str, question: str) -> int:
    """How many of a question's content terms a document holds."""
    held = set(terms(document).ids)
    return sum(term.id in held for term in query_terms(question) if not term.stop)


@pytest.mark.parametrize(
    "text,expected",
    [
        ("pre-edit", {"pre", "edit", "preedit"}),
        ("e-mail", {"e", "mail", "email"}),
        ("GB/s", {"gb", "s", "gb/s"}),
        ("20.04", {"20", "04", "20.04"}),
        ("12:45", {"12", "45", "12:45"}),
        ("don't", {"dont"}),
        ("don\u2019t", {"dont"}),
        ("Mara's", {"mara"}),
        ("I'm", {"i"}),
        ("snake_case", {"snake", "case", "snake_case"}),
        ("camelCase", {"camel", "case", "camelcas"}),
        ("15km", {"15", "km", "15km"}),
        ("1,200", {"1200"}),
        ("$1,200.50", {"1200", "50", "1200.50"}),
        ("C++", {"c", "c++"}),
        ("C#", {"c", "c#"}),
        ("ann@mail.example", {"ann", "mail", "exampl", "ann@mail.example"}),
        ("A-1001", {"a", "1001", "a1001"}),
        ("café CAFÉ cafe\u0301", {"cafe"}),
        ("Straße", {"strass"}),
        ("running runs", {"run"}),
        ("children bought", {"child", "buy"}),
        ("ＡＢＣ", {"abc"}),
        ("١٢٣", {"123"}),
        ("上海", {"上海", "上", "海"}),
        ("한국어를", {"한국어를", "한국", "국어", "어를"}),
        ("🎂🎂", {"🎂"}),
        ("👍🏽", {"👍"}),
        ("🇵🇹", {"🇵🇹"}),
        ('" * ( ) … —', set()),
        ("", set()),
    ],
)
def test_forms_of_a_text(text, expected):
    assert forms(text) == expected


def test_scripts_meet_at_their_borders():
    assert {"iphon", "手机"} <= forms("iPhone手机")


def test_a_long_identifier_is_kept_in_parts_only():
    token = "-".join(["part"] * 30)
    assert all(form.kind is Kind.PART for form in analyse(token).forms)


def test_counts_length_and_order():
    stored = terms("red house, red door")
    assert stored.length == 4
    assert dict(zip(stored.ids, stored.counts, strict=True)) == {
        term_id("red"): 2,
        term_id("hous"): 1,
        term_id("door"): 1,
    }
    assert list(stored.ids) == sorted(stored.ids)


def test_counts_saturate():
    assert terms("so " * 70_000).counts == (65_535,)


@pytest.mark.parametrize(
    "text,asking",
    [
        ("Where did you go?", 255),
        ("I went home. Where did you go?", 146),
        ("I went home.", 0),
        ("Nice 20.04 release? Yes", 204),
        (
            "I would like the cabin by the lake to stay small and simple, so how can I keep it small and simple?",
            0,
        ),
        ("どこに行くの？", 255),
        ("???", 0),
    ],
)
def test_how_much_of_a_text_only_asks(text, asking):
    assert terms(text).asking == asking


@pytest.mark.parametrize("text", ["", "one", "Where? Here. 上海 😀 don't", "x " * 1000])
def test_stored_form_round_trips(text):
    stored = terms(text)
    assert Terms.from_bytes(stored.to_bytes()) == stored


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x01\x00",
        b"\x02" + terms("one two").to_bytes()[1:],
        terms("one two").to_bytes()[:-1],
        terms("one two").to_bytes() + b"\x00",
        b"\x01\x00\x02\x00\x00\x00" + b"\x02\x00\x00\x00\x01\x00\x00\x00" + b"\x01\x00\x01\x00",
        b"\x01\x00\x01\x00\x00\x00" + b"\x02\x00\x00\x00" + b"\x00\x00",
    ],
    ids=["empty", "short", "format", "cut", "longer", "disorder", "zero count"],
)
def test_other_bytes_are_refused(data):
    with pytest.raises(ValueError, match="stored terms"):
        Terms.from_bytes(data)


def test_stored_bytes_are_these_for_ever():
    """A change of any analysis must come with a new `FORMAT`: stored terms are recomputed and compared."""
    samples = [
        "The ferry to Hvar leaves at 06:45 from pier 3; don't forget the tickets, Mara's are in the e-mail.",
        "Did you book it? I bought two for £1,250.50 with snake_case_code ORD-20931 and camelCaseName.",
        "Nous avons réservé les billets et l'hôtel pour l'été; où sont les clés de la voiture ?",
        "Mis hermanas trabajaban en los hospitales de Málaga y vivían cerca del río.",
        "Die Häuser der Nachbarn wurden größer, und wir fuhren mit den Fahrrädern nach Hause.",
        "我们下个月搬到杭州。東京タワーに行きました。한국어를 공부합니다. ฉันชอบกินข้าว",
        "تعمل أختي في المستشفى. मेरी बहनें अस्पतालों में काम करती हैं। Сёстры работали в больницах. Οι φίλοι μας",
        "🎂👍🏽🇵🇹 C++ C# 15km ١٢٣ ＡＢＣ",
    ]
    digest = hashlib.sha256(b"".join(terms(sample).to_bytes() for sample in samples)).hexdigest()
    assert (FORMAT, digest) == (
        1,
        "829679922e1bda8f7be5f304f3557090357175db7d9e3107fac7f86aadc293c2",
    )


@pytest.mark.parametrize(
    "text,word",
    [
        ("ผู้ป่วย COVID-๑๙", "19"),  # digits of a script without spaces, behind another one
        ("ផ្លូវ B-៥២", "52"),
        ("ꀀ/ꀊ", "ꀊ"),  # letters that lie between the blocks of Chinese characters
        ("ㄅ-ㄆ", "ㄆ"),
        ("die Außenstraße's Laternen", "Außenstraße"),  # letters of which folding makes several
        ("ΐ's", "ΐ"),
    ],
)
def test_joined_words_of_every_script_are_found(text, word):
    assert shared(text, word)


def test_letters_and_digits_of_every_script_can_be_joined():
    # All below the Chinese characters; of the large blocks above some.
    points = (*range(0x3400), *range(0x3400, 0x110000, 50))
    every = [chr(point) for point in points if chr(point).isalnum()]
    made = terms(" ".join(f"0/{one} {one}-{one} {one}{one}'s" for one in every))
    assert made.length >= 3 * len(every)


def test_what_was_met_before_changes_nothing():
    text = "Den Häusern und dem Haus, casas y casa, houses"
    module.clear_cache()
    cold, asked, guessed = terms(text), query_terms(text), elsewhere("casas")
    for _ in range(2):
        assert terms(text) == cold
        assert query_terms(text) == asked
        assert elsewhere("casas") == guessed
    # A word of two languages is kept apart for each.
    assert query_terms("casas") != query_terms("las casas de la playa")[1:2]
    assert query_terms(text) == asked


def test_the_cache_is_bounded_and_can_be_emptied(monkeypatch):
    module.clear_cache()
    monkeypatch.setattr(module, "_CACHED_TOKENS", 10)
    caches = (module._cache, module._asked, module._elsewhere)
    for i in range(50):
        terms(f"word{i}")
        query_terms(f"word{i}")
        elsewhere(f"word{i}")
        query_terms("word" * 10)
    assert all(0 < len(cache) <= 10 for cache in caches)
    module.clear_cache()
    assert not any(caches)


@pytest.mark.parametrize(
    "document,question",
    [
        ("Mi hermana trabaja en el hospital", "¿Dónde trabajan las hermanas?"),
        ("Die Kinder spielen mit den Bällen", "Womit spielte das Kind, und mit wem?"),
        ("Les enfants ont mangé des gâteaux", "Qui a mangé le gâteau avec les autres ?"),
        ("De boeken liggen niet op de tafel", "Waar ligt het boek dat hij heeft?"),
    ],
)
def test_inflected_words_of_a_shown_language_meet(document, question):
    assert shared(document, question) >= 1


def test_a_word_without_context_is_guessed_in_other_languages():
    held = set(terms("Mi hermana trabajaba en los hospitales").ids)
    (term,) = query_terms("trabajan")
    assert term.guess
    assert term.id not in held
    assert held & set(elsewhere(term.word))


def test_english_is_not_taken_for_another_language():
    text = "The war was over and the men had a fine time on the sun deck, so no one came to see me die or sin"
    assert all(term.guess for term in query_terms(text))
    assert len(terms(text).ids) == len({form.term for token in tokens(text) for form in analyse(token).forms})


def test_stop_words_are_marked_not_dropped():
    asked = {term.word: term.stop for term in query_terms("Who is the doctor?")}
    assert asked == {"who": True, "is": True, "the": True, "doctor": False}


@pytest.mark.parametrize(
    "text", ['"', "*", "(", "AND", "", "NOT (a OR", "NEAR/3", "a:b^2~", "\\", "\x00", "\ud800"]
)
def test_operators_are_plain_words(text):
    assert {term.word for term in query_terms(text)} == {analyse(token).plain for token in tokens(text)}
    assert Terms.from_bytes(terms(text).to_bytes()) == terms(text)


@pytest.mark.parametrize("text,expected", [("Ärger", "arger"), ("İstanbul", "istanbul"), ("Ωμέγα", "ωμεγα")])
def test_folding_takes_case_and_accents_off(text, expected):
    assert fold(text) == expected


@pytest.mark.parametrize(
    "text,length",
    [
        ("a-" * 200_000, 200_000),
        ("?" * 400_000, 0),
        ("a\u0301" * 200_000, 1),
        ("上" * 200_000, 200_000),
        ("A" * 500_000, 1),
        ("Aa" * 200_000, 1),
        ("a. " * 100_000, 100_000),
        ("a? " * 100_000, 100_000),
    ],
    ids=["joined", "marks", "accents", "one run", "one word", "humps", "sentences", "questions"],
)
def test_a_hostile_text_is_taken_like_any_other(text, length):
    assert terms(text).length == length


def test_the_stemmer_is_the_one_terms_were_made_with():
    """Snowball's answers change with its releases; another release is another analyser version."""
    words = [
        "evening",
        "evenings",
        "past",
        "organising",
        "generously",
        "universities",
        "skis",
        "added",
        "insider",
    ]
    words += sorted({word for known in STOP_WORDS.values() for word in known} | set(IRREGULAR))
    stems = [stem(language, word) for language in ("english", *sorted(STOP_WORDS)) for word in words]
    assert (
        hashlib.sha256("\n".join(stems).encode()).hexdigest()
        == "9426277aaa8a010043d786fa9d9de8f511c69b16e041955267fa2cfe0a8d6543"
    )
