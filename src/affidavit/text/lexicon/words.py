"""From text to tokens, and from a token to the forms it is indexed under.

A token is a run of letters and digits with single joiners inside (`pre-edit`, `GB/s`, `20.04`, `don't`,
`ann@mail.example`, `snake_case`), a run of a script that is written without spaces, or an emoji. Its forms:

    word     the stem of a plain word, by script (Latin: English stems, accents off)
    whole    a joined token kept whole beside its parts (`pre-edit` -> `preedit`, `20.04`, `gb/s`)
    part     a part of a joined token, a camelCase hump, the digits or letters of `15km`
    gram     two neighbouring characters of CJK or Hangul, three of Thai, Lao, Khmer or Burmese
    single   one CJK character

Everything here is a pure function of its argument, for ever: stored terms are recomputed by verify.
"""

import re
import threading
import unicodedata
from enum import Enum
from itertools import pairwise
from typing import Final, NamedTuple

import Stemmer

from affidavit.text.lexicon.english import IRREGULAR

_CJK = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
_CJK += "\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
_UNSPACED = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3"
_HANGUL = "\u1100-\u11ff\uac00-\ud7a3"
# Marks of the scripts written with them; Python's \w takes letters and digits only.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
_MARKS += "\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"
_MARKS += (
    "\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a51\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57"
)
_MARKS += (
    "\u0b82\u0bbe-\u0bcd\u0bd7\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d"
)
_MARKS += "\u0d82\u0d83\u0dca-\u0ddf\u0f35-\u0f39\u0f71-\u0f87"
_EMOJI = "\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"

_JOIN = r"[-'._/@+&:]"
_LETTER = rf"(?:[^\W_{_CJK}{_UNSPACED}{_HANGUL}]|[{_MARKS}])"
_ASCII = re.compile(
    rf"[0-9]{{1,3}}(?:,[0-9]{{3}})+(?:\.[0-9]+)?|[A-Za-z0-9]+(?:{_JOIN}[A-Za-z0-9]+)*(?:\+\+|#)?"
)
_ANY = re.compile(
    rf"[0-9]{{1,3}}(?:,[0-9]{{3}})+(?:\.[0-9]+)?|[{_CJK}]+|[{_UNSPACED}]+|[{_HANGUL}]+|[\U0001f1e6-\U0001f1ff]{{2}}|[{_EMOJI}]"
    rf"|{_LETTER}+(?:{_JOIN}{_LETTER}+)*(?:\+\+|#)?"
)

# Typographic apostrophes and hyphens become plain; joiners, tatweel and variation selectors disappear.
_PLAIN: Final = str.maketrans(
    dict.fromkeys("’ʼ＇ʹ", "'")
    | dict.fromkeys("‐‑", "-")
    | dict.fromkeys(
        "\u200b\u200c\u200d\u2060\ufeff\u00ad\u0640\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
    )
)

_ANY_JOIN = re.compile(rf"{_JOIN}|[+#]$")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LONGEST = 64  # characters of a joined token that is still kept whole


class Script(Enum):
    """How a run of characters is analysed."""

    LATIN = "english"
    CYRILLIC = "russian"
    GREEK = "greek"
    ARABIC = "arabic"
    DEVANAGARI = "hindi"
    ARMENIAN = "armenian"
    TAMIL = "tamil"
    CJK = "cjk"
    UNSPACED = "unspaced"
    HANGUL = "hangul"
    OTHER = "other"


_WITHOUT_STEMS: Final = frozenset({Script.CJK, Script.UNSPACED, Script.HANGUL, Script.OTHER})


_BLOCKS: Final = (  # first code point after the block, script
    (0x0250, Script.LATIN), (0x0370, Script.OTHER), (0x0400, Script.GREEK), (0x0530, Script.CYRILLIC),
    (0x0590, Script.ARMENIAN), (0x0600, Script.OTHER), (0x0780, Script.ARABIC), (0x0900, Script.OTHER),
    (0x0980, Script.DEVANAGARI), (0x0B80, Script.OTHER), (0x0C00, Script.TAMIL), (0x0E00, Script.OTHER),
    (0x0F00, Script.UNSPACED), (0x1000, Script.OTHER), (0x10A0, Script.UNSPACED), (0x1100, Script.OTHER),
    (0x1200, Script.HANGUL), (0x1780, Script.OTHER), (0x1800, Script.UNSPACED), (0x1E00, Script.OTHER),
    (0x1F00, Script.LATIN), (0x2000, Script.GREEK), (0x2E80, Script.OTHER), (0xAC00, Script.CJK),
    (0xD7B0, Script.HANGUL), (0xF900, Script.OTHER), (0xFB00, Script.CJK), (0x1B000, Script.OTHER),
    (0x1B170, Script.CJK), (0x20000, Script.OTHER), (0x40000, Script.CJK),
)  # fmt: skip


def script_of(token: str) -> Script:
    """The script of a token's first character, which decides how the token is analysed."""
    point = ord(token[0])
    if point < _BLOCKS[0][0]:
        return _BLOCKS[0][1]
    return next((script for end, script in _BLOCKS if point < end), Script.OTHER)


class Kind(Enum):
    """What a form is; see the module's docstring."""

    WORD = "word"
    WHOLE = "whole"
    PART = "part"
    GRAM = "gram"
    SINGLE = "single"


class Form(NamedTuple):
    """One term a token is indexed under."""

    term: str
    kind: Kind


class Analysed(NamedTuple):
    """A token's forms, how many words it counts for, and its plain lower-case spelling."""

    forms: tuple[Form, ...]
    length: int
    plain: str


def tokens(text: str) -> list[str]:
    """Tokens of `text` in order, letter case kept."""
    if not text.isascii():
        text = text.translate(_PLAIN)
        if not text.isascii():
            return _ANY.findall(unicodedata.normalize("NFKC", text).translate(_PLAIN))
    return _ASCII.findall(text)


def fold(text: str) -> str:
    """Letter case and accents off: `Ärger` -> `arger`, `CAFÉ` -> `cafe`."""
    text = text.casefold()
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


_stemmers: dict[str, Stemmer.Stemmer] = {}
_stemming = threading.Lock()  # a stemmer object may not be entered twice at once


def stem(language: str, word: str) -> str:
    """Snowball stem of a lower-case word in a language that Snowball names."""
    with _stemming:
        stemmer = _stemmers.get(language)
        if stemmer is None:
            stemmer = _stemmers[language] = Stemmer.Stemmer(language)
        return str(stemmer.stemWord(word))


def _latin(word: str) -> str:
    word = fold(word)
    return stem("english", IRREGULAR.get(word, word))


def _word(word: str, script: Script) -> str:
    if script is Script.LATIN:
        return _latin(word)
    lower = _digits(word.casefold())
    return lower if script in _WITHOUT_STEMS else stem(script.value, lower)


def _digits(word: str) -> str:
    """Decimal digits of any script as 0-9."""
    if word.isascii() or not any(c.isdecimal() for c in word):
        return word
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in word)


def analyse(token: str) -> Analysed:
    """The forms of one token as `tokens` gave it."""
    script = script_of(token)
    if script is Script.CJK:
        grams = [Form(a + b, Kind.GRAM) for a, b in pairwise(token)]
        return Analysed((*grams, *(Form(c, Kind.SINGLE) for c in token)), len(token), token)
    if script is Script.UNSPACED:
        return Analysed(tuple(Form(g, Kind.GRAM) for g in _ngrams(token, 3)), max(1, len(token) // 3), token)
    if script is Script.HANGUL:
        grams = [Form(g, Kind.GRAM) for g in _ngrams(token, 2)] if len(token) > 2 else []
        return Analysed((Form(token, Kind.WORD), *grams), 1, token)
    if _is_plain(token, script):
        return Analysed((Form(_word(token, script), Kind.WORD),), 1, _digits(token.casefold()))
    return _joined(token, script)


def _is_plain(token: str, script: Script) -> bool:
    """One word with nothing to take apart."""
    if script is not Script.LATIN:
        return _ANY_JOIN.search(token) is None
    return token.isalpha() and (token.islower() or token[1:].islower() or token.isupper())


def _ngrams(token: str, size: int) -> list[str]:
    return [token[i : i + size] for i in range(max(1, len(token) - size + 1))]


_CLITICS: Final = frozenset({"s", "m", "re", "ll", "ve", "d"})


def _joined(token: str, script: Script) -> Analysed:
    """Joined words, numbers, identifiers and words with humps: the whole and its parts."""
    plain = _digits(token.casefold()).replace(",", "")
    if "'" in plain:
        head, _, tail = plain.partition("'")
        if tail in _CLITICS:
            return analyse(token.partition("'")[0])  # not as long as `head`: one letter may fold to several
        if tail == "t":
            return Analysed((Form(head + "t", Kind.WORD),), 1, plain)
    pieces = [piece for piece in re.split(_JOIN, token.replace(",", "").rstrip("+#")) if piece]
    parts = [sub for piece in pieces for sub in _split(piece)]
    forms = [Form(_word(part, script_of(part)), Kind.PART) for part in parts] if len(parts) > 1 else []
    if len(plain) <= _LONGEST or not forms:
        forms.append(Form(_whole(plain, pieces, parts, script), Kind.WHOLE if forms else Kind.WORD))
    if plain.endswith(("+", "#")) and not forms[:-1]:
        forms.append(Form(_word(pieces[0], script), Kind.PART))
    return Analysed(tuple(dict.fromkeys(forms)), max(1, len(pieces)), plain)


def _whole(plain: str, pieces: list[str], parts: list[str], script: Script) -> str:
    """The form of the whole token: hyphens and apostrophes close up (`e-mail` is `email`), the rest stays."""
    closed = plain.replace("-", "").replace("'", "")
    if closed.isalpha():
        return _word(closed, script)
    return fold(plain) if any(c in plain for c in "._/@+&:#") else fold(closed)


def _split(piece: str) -> list[str]:
    """Humps of camelCase and the letters and digits of `15km`; long or restless ones are ids and stay whole."""
    if not piece.isascii() or piece.isdigit() or len(piece) > 32:
        return [piece]
    if piece.isalpha() and (piece.islower() or piece[1:].islower() or piece.isupper()):
        return [piece]
    humps = _HUMPS.findall(piece)
    return humps if 1 < len(humps) <= 3 else [piece]
