"""Values in a text: amounts, accounts, dates, addresses, urls, e-mails, ids, numbers and names. Compared exactly.

A value of a candidate has to stand in its quote: a changed digit makes 0.97 of a likeness and another account.
"""

import re
import unicodedata
from typing import Final, NamedTuple

_EMAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_URL: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'“”]{1,2000}|\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}/[^\s<>\"'“”]{1,500}",
    re.IGNORECASE,
)
_IBAN: Final = re.compile(r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?\b")
_CURRENCY = r"[$€£¥₹₽₩₺₴฿]|元|块|欧元|美元"
_CURRENCY += (
    r"|\b(?:usd|eur|gbp|jpy|cny|rmb|chf|inr|euros?|dollars?|pounds?|pesos?|yen|yuan|francs?|rupees?)\b"
)
_NUMBER: Final = r"\d+(?:[.,'’]\d+)*"
_AMOUNT: Final = re.compile(
    rf"(?:(?P<before>{_CURRENCY})\s?(?P<n1>{_NUMBER})|(?P<n2>{_NUMBER})\s?(?P<behind>{_CURRENCY}|%|％))",
    re.IGNORECASE,
)
_ISO_DATE: Final = re.compile(
    r"(?<!\d)\d{4}-\d{2}(?:-\d{2})?(?!\d)|(?<![\d/.])\d{1,2}[/.]\d{1,2}[/.]\d{2,4}(?![\d/.])"
    r"|\d{1,4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月\d{1,2}[日号]"
)
_SIGN: Final = (
    r"[0-9A-Za-z\u00c0-\u024f\u0370-\u052f]"  # letters of scripts with spaces; their marks make no code
)
_TOKEN: Final = re.compile(
    rf"(?<![0-9A-Za-z_])(?:{_SIGN}{{1,20}}[-_/#]){{0,4}}[-+]?{_SIGN}*[0-9]{_SIGN}*"
    rf"(?:[-._/:,'’#]{_SIGN}*[0-9]{_SIGN}*|[-_/]{_SIGN}+)*|[A-Z]{{2,}}[-_][A-Z0-9-]{{2,}}"
)
_NUMBERS_ONLY: Final = re.compile(r"[-+]?\d+(?:[.,']\d+)*")
_UNIT: Final = re.compile(r"([-+]?\d+(?:[.,']\d+)*)([^\W\d_]{1,6})")
_GROUPED: Final = re.compile(r"[-+]?\d{1,3}(?:[,']\d{3})+(?:\.\d+)?")
_NAME: Final = re.compile(
    r"[^\W\d_a-z][\w'’-]+(?: (?:(?:de|van|von|del|la|of|the|bin|al) )*[^\W\d_a-z][\w'’-]+)*"
)
_STREET: Final = re.compile(
    r"\b\d{1,5} [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)* "
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Square|Court)\b"
    r"|\b(?:Calle|Avenida|Plaza|Rua|Rue|Via) [A-Z][\w'’-]+(?: [\w'’-]+){0,4},? \d{1,5}\b"
    r"|\b[A-Z][\w'’-]+(?:straße|strasse|gasse|platz|weg) \d{1,5}\b"
)
_MOST: Final = 40


class Value(NamedTuple):
    """A value as it stands in a text: what it is, and where."""

    name: str
    start: int
    end: int


def narrow(text: str) -> str:
    """Wide characters narrow and digits of every script as 0-9, character for character where that is possible."""
    if text.isascii():
        return text
    return "".join(map(_narrow, text))


def _narrow(char: str) -> str:
    if char.isascii():
        return char
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    plain = unicodedata.normalize("NFKC", char)
    return {"−": "-", "‐": "-", "‑": "-", "’": "'"}.get(char, plain if len(plain) == 1 else char)


def values_of(text: str) -> frozenset[str]:
    """The values of a text in the form in which they are compared: tokens with digits, amounts, e-mails, urls.

    >>> sorted(values_of("Pay $2,400 for order A-1001"))
    ['2400', 'a-1001', 'usd2400']
    """
    text = narrow(text)
    found = {mail[0].casefold() for mail in _EMAIL.finditer(text)}
    found |= {url[0].casefold().rstrip(".,;:!?)") for url in _URL.finditer(text)}
    found |= {f"{_coin(one)}{_plain_number(one['n1'] or one['n2'])}" for one in _AMOUNT.finditer(text)}
    found |= {"".join(char for char in one[0] if char.isalnum()).casefold() for one in _IBAN.finditer(text)}
    for token in _TOKEN.finditer(text):
        found.add(_plain_number(token[0]))
    return frozenset(found)


def evidence_of(text: str) -> frozenset[str]:
    """The values that a quote is evidence for: its own, and the number of "15km"."""
    found = set(values_of(text))
    for token in _TOKEN.finditer(narrow(text)):
        unit = _UNIT.fullmatch(token[0])
        if unit is not None:
            found.add(_plain_number(unit[1]))
    return frozenset(found)


_COINS: Final = {
    "$": "usd", "dollar": "usd", "美元": "usd", "€": "eur", "euro": "eur", "欧元": "eur", "£": "gbp", "pound": "gbp",
    "¥": "yuan", "yen": "yuan", "jpy": "yuan", "rmb": "yuan", "cny": "yuan", "元": "yuan", "块": "yuan", "％": "%",
}  # fmt: skip


def _coin(amount: re.Match[str]) -> str:
    word = (amount["before"] or amount["behind"]).casefold()
    return _COINS.get(word) or _COINS.get(word.removesuffix("s"), word)


def _plain_number(token: str) -> str:
    token = token.casefold().strip(".,;:'").replace("’", "'")
    return token.replace(",", "").replace("'", "") if _GROUPED.fullmatch(token) else token


def slots_of(text: str) -> list[Value]:
    """The values of a text by what they are, in order and without overlaps; at most forty.

    >>> [
    ...     (v.name, "IBAN DE89370400440532013000"[v.start : v.end])
    ...     for v in slots_of("IBAN DE89370400440532013000")
    ... ]
    [('account', 'DE89370400440532013000')]
    """
    narrowed = narrow(text)
    if len(narrowed) != len(text):
        return []
    taken: list[Value] = []
    for name, pattern in _KINDS:
        for found in pattern.finditer(narrowed):
            start, end = found.span()
            kind = name if name != "id" else _token_kind(found[0])
            if kind and not any(start < one.end and end > one.start for one in taken):
                taken.append(Value(kind, start, end))
            if len(taken) >= _MOST:
                break
    return sorted(taken, key=lambda one: one.start)


def _token_kind(token: str) -> str | None:
    digits = sum(char.isdigit() for char in token)
    if _NUMBERS_ONLY.fullmatch(token):
        return "account" if digits >= 8 and "." not in token else "number"
    return "id" if digits else None


_KINDS: Final = (
    ("email", _EMAIL), ("url", _URL), ("account", _IBAN), ("amount", _AMOUNT), ("date", _ISO_DATE),
    ("address", _STREET), ("id", _TOKEN), ("name", _NAME),
)  # fmt: skip
