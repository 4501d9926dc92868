"""Signs: words that say how a sentence is meant, from `lang/signs.toml`. They are looked for in plain text.

The words of all languages are looked for at once. A word with another meaning elsewhere counts only in the languages
the table names for it; which language a sentence is in follows from its own small words.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from affidavit.text.evidence.passages import plain
from affidavit.text.lang.tables import LANGUAGES, package_table
from affidavit.text.lexicon.stopwords import ENGLISH, MARKERS, STOP_WORDS
from affidavit.text.lexicon.words import Script, script_of, stem

Spans = list[tuple[int, int]]

ENGLISH_CODE: Final = "en"
OTHER: Final = "other"
"""The language of a text whose script no table knows."""
CODES: Final = {
    "english": "en", "spanish": "es", "german": "de", "french": "fr", "portuguese": "pt", "italian": "it",
    "dutch": "nl", "swedish": "sv", "turkish": "tr",
}  # fmt: skip
"""Codes of the languages that small words tell apart."""
_SNOWBALL: Final = {code: name for name, code in CODES.items()}
_KNOWN: Final = frozenset({Script.LATIN, Script.CJK})
_HINTS: Final = {
    "es": frozenset("vivo soy tengo me mi en trabajo gusta estoy prefiero llamo usuario siempre".split()),  # noqa: SIM905
    "de": frozenset({"wohne", "heiße", "arbeite", "mag", "hasse"}),
    "fr": frozenset({"habite", "suis", "j'aime", "travaille", "m'appelle"}),
    "pt": frozenset({"moro", "gosto", "trabalho", "chamo", "utilizador"}),
    "it": frozenset({"abito", "lavoro", "chiamo", "piace"}),
}
"""Words that small talk is full of and the stop words lack."""

_ENGLISH_ME: Final = re.compile(
    r"\b(?:pays?|paid|owes?|owed|gives?|gave|sends?|sent|tells?|told|calls?|called|helps?|helped|makes?|made|asks?|asked"
    r"|lends?|lent|shows?|showed|reminds?|hates?|hated|loves?|loved|knows?|knew|meets?|met|invites?|invited|lets?) me\b"
    r"|\bme\b(?! [^\W\d])"
)
"""What is no Spanish "me": that stands before a verb, and so is never the last word."""

WORD: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
    r"|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[^\W_])+"
    r"(?:[-'._/@+&](?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[^\W_])+)*"
)
"""A word, a joined token, or a run of a script that is written without spaces."""
UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_SHORT: Final = 6  # words
_CHARACTERS_A_WORD: Final = 2
_LETTER: Final = re.compile(r"[^\W\d_]")
_LONGEST_NAME: Final = 80
_AROUND: Final = " \"'.,!?-*"
_MARKS: Final = str.maketrans("“”„‟", "‘’‚‛")
_END: Final = r"(?!\w|'(?!s\b)\w)"  # "sister's" is a sister, "can't" is no "can"
_PIECES: Final = {"*": r"\w*", r"\d": r"\d"}
_SLOT: Final = re.compile(r"\{\w+\}")
_TEMPLATE_WORD: Final = re.compile(r"[^\W\d_]+")
_PIECE: Final = re.compile(r"\*|\\d|[^*\\]+")


@cache
def _table() -> Mapping[str, Any]:
    return package_table("signs")


def _expression(words: Iterable[str]) -> re.Pattern[str]:
    """An expression that finds any of the words, whole, the longest first.

    Words are put together by their first character: a text is passed over fast where none can begin.
    """
    groups: dict[str, list[str]] = {}
    for word in sorted(set(words), key=lambda word: (-len(word), word)):
        body = "".join(_PIECES.get(piece, re.escape(piece)) for piece in _PIECE.findall(word[1:]))
        last = word[-1]
        whole = not UNSPACED.match(last) and last.isalnum()
        groups.setdefault(word[0], []).append(body + (_END if whole else ""))
    if not groups:
        return re.compile(r"(?!)")
    branches = []
    for first, rest in groups.items():
        start = r"(?<!\w.)" if first.isalnum() and not UNSPACED.match(first) else ""
        branches.append(f"{re.escape(first)}{start}(?:{'|'.join(rest)})")
    firsts = "".join(map(re.escape, groups))
    return re.compile(f"(?=[{firsts}])(?:{'|'.join(branches)})")


@cache
def _compiled(name: str, language: str) -> re.Pattern[str]:
    section: Mapping[str, Any] = _table()[name]
    only: Mapping[str, Sequence[str]] = section.get("only", {})
    words = [word for word in section["words"] if word not in only]
    return _expression([*words, *(word for word, codes in only.items() if language in codes)])


def joints(language: str) -> re.Pattern[str]:
    """Words that stand between two segments of a sentence."""
    return _compiled("joint", language)


def signs(name: str, text: str, language: str = ENGLISH_CODE) -> Spans:
    """Where words of a section stand in a plain text.

    >>> signs("negation", "i do not live in oslo")
    [(5, 8)]
    """
    return [found.span() for found in _compiled(name, language).finditer(text)]


def has(name: str, text: str, language: str = ENGLISH_CODE) -> bool:
    """Whether a word of a section stands in a plain text."""
    return _compiled(name, language).search(text) is not None


def without(spans: Spans, excused: Spans) -> Spans:
    """The spans that touch none of the excused ones."""
    return [one for one in spans if not any(one[0] < end and one[1] > start for start, end in excused)]


def is_inverted(text: str, language: str) -> bool:
    """Whether a plain sentence begins as a question does, verb first.

    >>> is_inverted("is my account number 12", "en"), is_inverted("my account number is 12", "en")
    (True, False)
    """
    return any(start == 0 for start, _ in signs("inverted", text, language))


def denials(text: str, language: str) -> Spans:
    """Words of a plain text that deny; those of "can't stand" and "no doubt" do not."""
    excused = signs("unnegated", text, language) + signs("stand", text, language)
    return without(signs("negation", text, language), excused)


def takes_back(sentence: str) -> bool:
    """Whether a short sentence says that what was said before it was not meant.

    >>> takes_back("Just kidding!"), takes_back("My brother is always kidding me about how slowly I run")
    (True, False)
    >>> takes_back("That's what Bob says."), takes_back("Bob says hi."), takes_back("That's what I say.")
    (True, False, False)
    """
    words = len(UNSPACED.findall(sentence)) // _CHARACTERS_A_WORD or len(sentence.split())
    if words > _SHORT:
        return False
    said = plain(sentence).strip(_AROUND)
    language = language_of(said)
    return has("takeback", said, language) or _credits(said, language)


def _credits(said: str, language: str) -> bool:
    """Whether it gives what was said to somebody else: "That's what Bob says.", "Said nobody ever."."""
    told = without(signs("report", said, language), signs("first", said, language))
    own = has("first", said, language)
    points = any(not start for start, _ in signs("credit", said, language))
    return not own and any(not start or points for start, _ in told)


def is_concord(language: str) -> bool:
    """Whether two denials are one in a language, as in "no como nunca carne"."""
    return language in _table()["concord"]["words"]


def attitudes(text: str, language: str) -> list[tuple[int, int, int]]:
    """Words of liking (1) and disliking (-1) with where they stand, in order."""
    likes = without(signs("like", text, language), signs("unlike", text, language))
    dislikes = signs("dislike", text, language)
    found = [(*one, 1) for one in without(likes, dislikes)] + [(*one, -1) for one in dislikes]
    return sorted(found)


@cache
def _languages() -> Mapping[str, Sequence[str]]:
    """The languages that each word is a sign of."""
    shared = frozenset().union(*STOP_WORDS.values())
    found: dict[str, list[str]] = {}
    for name, markers in {"english": ENGLISH - shared, **MARKERS}.items():
        for word in markers | _HINTS.get(CODES[name], frozenset()):
            found.setdefault(word, []).append(CODES[name])
    return found


def language_of(text: str) -> str:
    """The language of a plain text by its small words: English where nothing shows, `other` where no table helps.

    >>> language_of("mi hermano vive en lisboa"), language_of("ben owes me money")
    ('es', 'en')
    """
    if not text.isascii():
        letters = _LETTER.findall(text[:2_000])
        if UNSPACED.search(text):
            kana = sum("\u3040" <= char <= "\u30ff" for char in letters)
            return OTHER if kana * 4 > len(letters) else "zh"
        if letters and sum(script_of(char) not in _KNOWN for char in letters) * 2 > len(letters):
            return OTHER
    languages = _languages()
    words = (found[0] for found in WORD.finditer(_ENGLISH_ME.sub(" ", text[:2_000])))
    votes = Counter(code for word in words for code in languages.get(word, ()))
    if not votes:
        return ENGLISH_CODE
    return min(votes, key=lambda code: (-votes[code], code != ENGLISH_CODE, code))


def stems(word: str, language: str) -> frozenset[str]:
    """The stems by which two forms of a word of a plain text are the same."""
    word = word.removesuffix("'s").removesuffix("'")
    found = {word}
    if word.isalpha() and script_of(word) is Script.LATIN:
        found.add(stem("english", word))
        if language in _SNOWBALL:
            found.add(stem(_SNOWBALL[language], word))
    return frozenset(found)


@cache
def _numbers() -> Mapping[str, int]:
    return {word: n for code in LANGUAGES for word, n in package_table(code)["date"]["numbers"].items()}


def number_words(text: str) -> frozenset[str]:
    """The numbers that a plain text spells, in digits.

    >>> number_words("i have two cats")
    frozenset({'2'})
    """
    numbers = _numbers()
    found = (
        piece for one in WORD.finditer(text) for piece in ([one[0]] if not UNSPACED.match(one[0]) else one[0])
    )
    return frozenset(str(numbers[piece]) for piece in found if piece in numbers)


@cache
def relation_words(relation: str, what: str, language: str) -> re.Pattern[str]:
    """The words that show a relation (`shown`, `third`) or belong to it (`said`)."""
    section: Mapping[str, Sequence[str]] = _table()["relation"].get(relation, {})
    words: list[str] = []
    for word in section.get(what, ()):
        words.extend(_table()[word[1:]]["words"] if word.startswith("@") else [word])
    if what == "said":
        words += _template_words(relation)
    if not section and what in ("shown", "third"):
        # A relation of the user's own: the words of its name.
        words = [part for part in relation.casefold().split("_") if part]
    return _expression(words)


def _inside(words: str) -> str:
    """Words as they stand inside quotation marks."""
    return words.translate(_MARKS)


def _template_words(relation: str) -> list[str]:
    """The words of the templates by which the frames write a relation."""
    texts: list[str] = []
    for code in LANGUAGES:
        raw = package_table(code)
        texts += raw["text"].get(relation, {}).values()
        for frame in raw["frame"]:
            for way in frame["way"]:
                if way.get("relation", frame["id"]) == relation:
                    texts += way.get("text", {}).values()
    return [word for text in texts for word in _TEMPLATE_WORD.findall(_SLOT.sub(" ", text.casefold()))]


def attributed(kind: str, name: str, quote: str, language: str) -> str:
    """A quote with whose words it is, in the quote's language if there is a table for it.

    Neither the words nor the name can end the quotation: marks inside become single ones, a name is one short line.

    >>> attributed("person", "Bob", "I like tea", "en")
    'Bob: “I like tea”'
    """
    table = _table()["attributed"]
    return _worded(table.get(language, table[ENGLISH_CODE])[kind], name, quote)


def unattributed(text: str, name: str, quotes: Sequence[str]) -> str:
    """The words of an attributed text alone, where it holds the first of these quotes and nothing else; else the text.

    >>> unattributed("Bob: “I like tea”", "Bob", ["I like tea"])
    'I like tea'
    """
    templates = [template for table in _table()["attributed"].values() for template in table.values()]
    rest, words = text, list[str]()
    for quote in (" ".join(one.split()) for one in quotes):
        forms = (_worded(template, name, quote) for template in templates)
        form = next((one for one in forms if rest.startswith(one)), None)
        if form is None:
            break
        rest = rest[len(form) :].removeprefix(" ")
        words.append(quote)
        if not rest:
            return " … ".join(words)
    return text


def _worded(template: str, name: str, quote: str) -> str:
    return template.format(name=_inside(" ".join(name.split()))[:_LONGEST_NAME], quote=_inside(quote))
