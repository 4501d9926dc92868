"""What follows a keyword: whether it is a secret, by the class of the keyword and the strength of the connector."""

import re
from dataclasses import dataclass
from enum import StrEnum

from affidavit.text.secrets.values import is_drawn, is_prose, is_word
from affidavit.text.spans import Found


class Class(StrEnum):
    """What kind of value a keyword announces."""

    PASSWORD = "password"  # any value
    TOKEN = "token"  # values that look drawn by lot
    PIN = "pin"  # three to eight digits
    SHORT = "short"  # "pass", "pw": only before `:` or `=`


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword found in a text: where it begins, its class, and how clearly a value is announced.

    `strength` is `strong` (a colon or equals sign), `weak` ("is", 是) or `bare` (nothing between).
    """

    text: str
    low: str
    start: int
    kind: Class
    strength: str


_SPACE = re.compile(r"(?:[*_]{1,3}(?=\s))?[ \t]{0,3}\n?[ \t]{0,3}")
_SCHEME = re.compile(r"(?:bearer|basic|token|digest|apikey)[ \t]{1,3}", re.IGNORECASE)
_QUOTED = re.compile(
    r"\\([\"'])(.{1,256}?)\\\1|\"([^\"\n]{1,256})\"|'([^'\n]{1,256})'|`([^`\n]{1,256})`|“([^”\n]{1,256})”"
    r"|[„‟]([^“”\n]{1,256})[“”]|«\s?([^»\n]{1,256})»|「([^」\n]{1,256})」|『([^』\n]{1,256})』|‘([^’\n]{1,256})’"
    r"|\*\*([^*\n]{1,256})\*\*|【([^】\n]{1,256})】"
)
_PLAIN = re.compile(r"[^\s\u2e80-\u9fff\uac00-\ud7af\uff01-\uff0f\uff1a-\uff20\u0e00-\u0e7f]{1,512}")
_REST = re.compile(r"[^\s\u2e80-\u9fff\uac00-\ud7af\uff01-\uff0f\uff1a-\uff20\u0e00-\u0e7f]*+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,16}")
_CJK_PROSE = re.compile(r"[不必请請需要是的无無可什能没有了吗嗎么麼何未已应該该です必要のをに]|입니다|필요")
_DIGITS = re.compile(r"\d(?:[ \-]?\d){2,7}(?![\d\w%])(?![.,:/]\d)")
_PHRASE = re.compile(r"[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23}")
_WORDS_LINE = re.compile(r"[a-z]{3,12}(?:[ \-][a-z]{3,12}){2,7}(?=[.!]?\s*(?:\n|$))")
_TRAILING = ".,;:!?)]}'\"`»”’>*"
_ENDS = re.compile(
    r"[ \t]*(?:[.,;!?)\n]|$|and\b|but\b|so\b|please\b|pls\b|ok\b|und\b|aber\b|y\b|et\b|e\b|и\b|thanks\b)"
)
_UNITS = re.compile(
    r"\s?(?:characters?|chars?|digits?|letters?|words?|symbols?|days?|times?|months?|weeks?|minutes?"
    r"|hours?|years?|bits?|bytes?"
    r"|zeichen|stellen|ziffern|tage|mal|caracteres|dígitos|días|caractères|chiffres|jours|tokens"
    r"|символ|цифр|个字|位|文字|자리)"
)
_MINE = re.compile(
    r"(?:my|our|the|mein|meine|unser|mi|nuestra|mon|notre|ma|minha|a senha|la mia|mia|мой|наш"
    r"|我的|我们的|私の|내)(?![a-z])"
)


def value_after(word: Keyword, place: int) -> Found | None:
    """The secret at `place`, right after the connector, as `(start, end, label)`; None when it is ordinary text."""
    start, wrapped = _value_start(word, place)
    if (wrapped and word.strength != "strong") or word.low.startswith("[secret:", start):
        return None
    if word.kind is Class.PIN:
        return _pin(word, start)
    label = "password" if word.kind in (Class.PASSWORD, Class.SHORT) else "token"
    quoted = _QUOTED.match(word.text, start)
    if quoted is not None and quoted.lastindex is not None:
        group = quoted.lastindex
        return (*quoted.span(group), label) if _quoted_secret(word, quoted[group]) else None
    end = _passphrase_end(word, start)
    if end is None:
        end = _plain_end(word, start, wrapped=wrapped)
    return None if end is None else (start, end, label)


def _value_start(word: Keyword, place: int) -> tuple[int, bool]:
    """Past white space and an authorization scheme; and whether a line ending was crossed."""
    space = _SPACE.match(word.low, place)
    start = space.end() if space is not None else place
    wrapped = "\n" in word.low[place:start]
    scheme = _SCHEME.match(word.low, start)
    return (scheme.end() if scheme is not None else start), wrapped


def _pin(word: Keyword, start: int) -> Found | None:
    opened = word.low[start : start + 1] in ('"', "'", "「", "“", "*", "(")
    digits = _DIGITS.match(word.low, start + opened)
    if digits is None or _UNITS.match(word.low, digits.end()) is not None:
        return None
    return (*digits.span(), "pin")


def _quoted_secret(word: Keyword, value: str) -> bool:
    if value.startswith("[secret:") or is_prose(value) or len(value) < 3:
        return False
    if word.kind is Class.PASSWORD:
        return word.strength != "bare" or is_drawn(value)
    if " " in value:
        return False
    return is_drawn(value, 5) or (word.strength == "strong" and len(value) >= 6 and word.kind is Class.TOKEN)


def _passphrase_end(word: Keyword, start: int) -> int | None:
    """Several plain words: a seed phrase, or "correct horse battery staple" to the end of its line."""
    if word.kind is not Class.PASSWORD:
        return None
    phrase = _PHRASE.match(word.low, start)
    if phrase is not None:
        return phrase.end()
    line = _WORDS_LINE.match(word.low, start) if word.strength == "strong" else None
    if line is None:
        return None
    words = re.split(r"[ \-]", line[0])
    # Four words or more, of which hardly one is a word of prose.
    return line.end() if len(words) > 3 and sum(map(is_prose, words)) < 2 else None


def _plain_end(word: Keyword, start: int, *, wrapped: bool) -> int | None:
    """Where an unquoted secret that begins at `start` ends, or None."""
    plain = _PLAIN.match(word.text, start)
    if plain is None:
        return _cjk_end(word, start)
    raw = plain[0]
    for stop in _stops(word, start):
        raw = raw.split(stop, 1)[0]
    value = raw.rstrip(_TRAILING)
    end = start + len(value)
    if word.strength == "bare" and value.isalpha() and value[1:].islower():
        return None
    if len(value) < 3 or is_prose(value) or not _is_secret(word, value, end, wrapped=wrapped):
        return None
    if len(raw) == 512:
        rest = _REST.match(word.text, plain.end())
        return rest.end() if rest is not None else end
    return end


def _stops(word: Keyword, start: int) -> tuple[str, ...]:
    """Where a value ends inside a run without spaces: at a tag, or at `&` and `;` after an equals sign."""
    before = word.text[start - 1 : start]
    if before == ">":
        return ("[secret:", "<")
    if before == "=" and word.strength == "strong":
        return ("[secret:", "&", ";")
    return ("[secret:",)


def _is_secret(word: Keyword, value: str, end: int, *, wrapped: bool) -> bool:
    if value.isdecimal():
        return _digits_secret(word, value, end)
    if word.kind is Class.PASSWORD:
        return _password_secret(word, value, end, wrapped=wrapped)
    if word.kind is Class.SHORT:
        return word.strength == "strong" and is_drawn(value, 5)
    return _token_secret(word, value, end)


def _password_secret(word: Keyword, value: str, end: int, *, wrapped: bool) -> bool:
    if is_drawn(value, 5 if word.strength == "bare" else 4):
        return True
    if word.strength == "strong":
        return not wrapped and any(char.isalnum() for char in value)
    # "my password is swordfish": a plain word counts for a password that belongs to someone.
    owned = (
        word.strength == "weak" and _MINE.search(word.low, max(0, word.start - 28), word.start) is not None
    )
    return owned and is_word(value) and _ENDS.match(word.low, end) is not None


def _token_secret(word: Keyword, value: str, end: int) -> bool:
    if value.startswith(_PROVIDERS) and len(value) > 6:
        return True
    digits = any(char.isdigit() for char in value)
    if word.strength == "bare":
        return len(value) >= 12 and digits and is_drawn(value)
    if len(value) >= 20 or (digits and is_drawn(value, 6)):
        return True
    tight = word.low[end - len(value) - 1] == "=" and len(value) >= 8 and value.isalpha()
    return word.strength == "strong" and tight


_PROVIDERS = ("sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "xox", "glpat-", "hf_", "npm_")


def _digits_secret(word: Keyword, value: str, end: int) -> bool:
    if _UNITS.match(word.low, end) is not None:
        return False
    if word.kind is Class.PASSWORD:
        return len(value) >= 4
    return len(value) >= (6 if word.strength == "strong" else 8)


def _cjk_end(word: Keyword, start: int) -> int | None:
    """口令：芝麻开门. Words in CJK letters count only after a colon, and only when they are no sentence."""
    value = _CJK.match(word.text, start)
    if value is None or word.kind is not Class.PASSWORD or word.strength != "strong":
        return None
    return None if _CJK_PROSE.search(value[0]) else value.end()
