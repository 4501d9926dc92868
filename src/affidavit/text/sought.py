"""A value that is looked for in texts: names, addresses, accounts, links, sums of money, each in its own way.

Letter case, width and white space don't matter, nor separators inside an account. A value never matches a piece of a
longer one: neither `bob@x.org` in `bob@x.org.example`, nor the first half of an account number, nor 50 in 500.
"""

import re
import unicodedata
from collections.abc import Collection
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from affidavit.text.stopwords import GRAMMAR

_SPACE: Final = re.compile(r"\s+")
_BETWEEN: Final = re.compile(r"[\s,;]+")
_EDGES: Final = " \t.,;:!?\"'“”‘’«»()[]<>{}"
_EMAIL: Final = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+")
_NAMED_EMAIL: Final = re.compile(r"[^<>@]*<\s*([^\s@<>]+@[^\s@<>]+)\s*>")
_LINK: Final = re.compile(
    r"[a-z][a-z0-9+.-]*://\S+|[^\s@/]+(?:\.[^\W\d_]{2,})(?::\d+)?(?:/\S*)?", re.IGNORECASE
)
_SEPARATORS: Final = re.compile(r"[\s.\-/()]+")
_ACCOUNT: Final = re.compile(r"\+?[A-Za-z]{0,8}\d[\dA-Za-z]*")
_BANKED: Final = re.compile(r"[a-z]{2}\d{2}[\da-z]{8,}")
_CURRENCIES: Final = {
    "eur": "€|eur|euros?", "usd": r"us\$|\$|usd|dollars?|bucks?|dólares?|美元", "gbp": "£|gbp|pounds?|libras?",
    "jpy": "jpy|yen|円", "cny": "cny|rmb|yuan|元|块|人民币", "inr": "₹|inr|rupees?", "chf": "chf|francs?|franken",
    "brl": r"r\$|brl|reais|real", "mxn": "mxn|pesos?", "krw": "₩|krw|won", "cad": "cad", "aud": "aud",
    "sek": "sek|kronor", "nok": "nok", "dkk": "dkk|kroner", "pln": "pln|zł|zloty", "¥": "¥",
}  # fmt: skip
_MARK: Final = "|".join(f"(?P<{{side}}{n}>{forms})" for n, forms in enumerate(_CURRENCIES.values()))
_CODES: Final = tuple(_CURRENCIES)
_NUMBER: Final = r"\d{1,3}(?:[ ,.'’]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_SUM: Final = re.compile(
    rf"(?<![\d.,\-−a-z])(?P<first>{_NUMBER})\s?(?:{_MARK.format(side='b')})(?![a-z])"
    rf"|(?<![a-z])(?:{_MARK.format(side='a')})\s?(?P<last>{_NUMBER})(?![\da-z]|[.,]\d)"
)
_PLAIN: Final = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?")


_BEFORE: Final = re.compile(r"(\S+) $")
_AFTER: Final = re.compile(r"(,? )(\S+)")


class Form(StrEnum):
    """What a value shows itself to be."""

    MAIL = "mail"
    LINK = "link"
    ACCOUNT = "account"
    NUMBER = "number"
    """Digits, as of a telephone or an account of one bank."""
    SUM = "sum"
    WORDS = "words"


class Folded(NamedTuple):
    """A text to look in: with its letters as they are, and without the difference of letter case."""

    plain: str
    folded: str


def fold(text: str) -> Folded:
    """A text made ready to look in."""
    if text.isascii():
        plain = " ".join(text.split())
        return Folded(plain, plain.lower())
    plain = _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip()
    return Folded(plain, unicodedata.normalize("NFC", plain.casefold()))


class Sought(Protocol):
    """A value that is looked for."""

    @property
    def form(self) -> Form:
        """What it shows itself to be."""
        ...

    @property
    def needle(self) -> str:
        """What any folded text that holds it holds: a quick look before a thorough one."""
        ...

    def stands_in(self, text: Folded) -> bool:
        """Whether it stands in a text, whole."""
        ...

    def is_value(self, text: Folded) -> bool:
        """Whether a value on its own is this one."""
        ...

    def within(self, text: Folded) -> bool:
        """Whether it stands in a text of which that is known already: scripts without spaces need no bounds then."""
        ...

    def stands_whole(self, text: Folded, *, lists: bool, small: Collection[str]) -> bool:
        """Whether it stands in a text and is no piece of a longer name or address there; words have to be a name.

        `lists`: a comma parts names, and does not go on with an address. `small`: words that may
        open a sentence before one.
        """
        ...


class _Pattern:
    """A value found by a pattern in the folded text."""

    def __init__(self, needle: str, pattern: str, loose: str | None = None, form: Form = Form.WORDS) -> None:
        self.needle = needle
        self.form = form
        self._pattern = re.compile(pattern)
        self._loose = self._pattern if loose is None else re.compile(loose)

    def stands_in(self, text: Folded) -> bool:
        return self._pattern.search(text.folded) is not None

    def is_value(self, text: Folded) -> bool:
        found = self._pattern.search(text.folded)
        return found is not None and found.group() == text.folded.strip(_EDGES)

    def within(self, text: Folded) -> bool:
        return self._loose.search(text.folded) is not None

    def stands_whole(self, text: Folded, *, lists: bool, small: Collection[str]) -> bool:
        if self.form is not Form.WORDS:
            return self.stands_in(text)
        found = re.finditer(self._pattern.pattern, text.plain, re.IGNORECASE)
        return any(_is_whole(text.plain, *match.span(), lists=lists, small=small) for match in found)


class _Link:
    """An address on the web: scheme, host and path count, the slash at the end does not."""

    form = Form.LINK

    def __init__(self, value: str) -> None:
        self._link = _normal_link(value)
        self.needle = re.split(r"[/?#\\]", self._link.partition("://")[2])[0]

    def stands_in(self, text: Folded) -> bool:
        return any("." in word and _normal_link(word) == self._link for word in text.plain.split(" "))

    is_value = within = stands_in

    def stands_whole(self, text: Folded, *, lists: bool, small: Collection[str]) -> bool:
        return self.stands_in(text)


class _Money:
    """A sum; in running text a number counts as one only with a currency beside it."""

    form = Form.SUM

    def __init__(self, amount: Decimal, currency: str | None) -> None:
        self._amount = amount
        self._currency = currency
        digits = f"{abs(amount):f}".partition(".")[0]
        self.needle = digits[: len(digits) % 3 or 3]

    def stands_in(self, text: Folded) -> bool:
        return any(
            amount == self._amount and self._currency in {None, currency}
            for amount, currency in _sums(text.folded)
        )

    def is_value(self, text: Folded) -> bool:
        amount, currency = _sum_of(text.folded)
        return amount == self._amount and (self._currency is None or currency in {None, self._currency})

    within = stands_in

    def stands_whole(self, text: Folded, *, lists: bool, small: Collection[str]) -> bool:
        return self.stands_in(text)


class _Nothing:
    """What can stand nowhere."""

    form = Form.WORDS
    needle = ""

    def stands_in(self, text: Folded) -> bool:
        return False

    is_value = within = stands_in

    def stands_whole(self, text: Folded, *, lists: bool, small: Collection[str]) -> bool:
        return False


def seek(value: str | float, *, money: bool = False) -> Sought:
    """What to look for. `money`: the value is a sum.

    >>> seek("DE89 3704 0044").stands_in(fold("to de89-3704-0044, please"))
    True
    >>> seek(50, money=True).stands_in(fold("50 cats")), seek(50, money=True).stands_in(fold("50,00 €"))
    (False, True)
    """
    text = fold(str(value))
    if money:
        amount, currency = _sum_of(text.folded)
        return _Nothing() if amount is None else _Money(amount, currency)
    wanted = text.folded.strip(_EDGES)
    if not wanted:
        return _Nothing()
    if _EMAIL.fullmatch(wanted.removeprefix("mailto:")):
        mail = re.escape(wanted.removeprefix("mailto:"))
        return _Pattern(
            wanted.removeprefix("mailto:"), rf"(?<![\w.+%@-]){mail}(?![\w@-])(?!\.\w)", form=Form.MAIL
        )
    compact = _SEPARATORS.sub("", wanted)
    digits = sum(c.isdigit() for c in compact)
    if digits >= 4 and 2 * digits >= len(compact) and _ACCOUNT.fullmatch(compact):
        chars = r"[\s.\-/()]{0,2}".join(map(re.escape, compact))
        form = Form.ACCOUNT if _BANKED.fullmatch(compact) else Form.NUMBER
        return _Pattern(compact[0], rf"(?<![\w@+])(?<!\d[\s.\-/]){chars}(?![\w@])(?![\s.\-/]\d)", form=form)
    if _LINK.fullmatch(text.plain.strip(_EDGES)):
        return _Link(text.plain)
    given = [word for word in _BETWEEN.split(wanted) if word]
    words = r"[\s,;]+".join(map(re.escape, given))
    loose = r"[⺀-￿𠀀-𯿿]"
    return _Pattern(
        max(given, key=len),
        rf"(?<![\w@])(?<!\w[.-]){words}(?![\w@])(?![.-]\w)",
        rf"(?:(?<![\w@])|(?<={loose})|(?={loose})){words}(?:(?![\w@])|(?={loose})|(?<={loose}))",
    )


def _is_whole(text: str, start: int, end: int, *, lists: bool, small: Collection[str]) -> bool:
    """Whether a name stands there, and is no piece of a longer one, of an address, or of what is somebody's."""
    value = text[start:end]
    if value == value.lower() or text[end:].startswith(("'s", "’s")):
        return False
    before, after = _BEFORE.search(text, 0, start), _AFTER.match(text, end)
    return (before is None or _ends_before(text, before, lists=lists, small=small)) and (
        after is None or _begins_behind(text, after, lists=lists)
    )


def _ends_before(text: str, before: re.Match[str], *, lists: bool, small: Collection[str]) -> bool:
    """Whether the word before a name is none of its own."""
    word = before[1].lstrip(_EDGES)
    if word.endswith(","):
        return lists
    if word != word.rstrip(_EDGES):
        return True
    opens = word == word.capitalize() and not text[: before.start()].strip(_EDGES)
    return _is_apart(word) or (opens and word.lower() in {*GRAMMAR, *small})


def _begins_behind(text: str, after: re.Match[str], *, lists: bool) -> bool:
    """Whether the word behind a name is none of its own; a sum of money is not."""
    word = after[2].strip(_EDGES)
    if after[1] == ", " and lists:
        return True
    return not word or _is_apart(word) or _SUM.match(text[after.start(2) :].lower()) is not None


def _is_apart(word: str) -> bool:
    """Whether a word beside a name is written as none."""
    return word == "I" or (word == word.lower() and not any(char.isdigit() for char in word))


def addressees(value: str) -> list[str]:
    """The single addresses of a field that may hold several, as mail programs write them; else the value itself.

    >>> addressees("Ana <ana@x.org>, bob@y.org"), addressees("Rua X, Lisbon")
    (['ana@x.org', 'bob@y.org'], ['Rua X, Lisbon'])
    """
    pieces = [piece.strip() for piece in re.split(r"[,;]", value) if piece.strip()]
    if not pieces or not all("@" in piece for piece in pieces):
        return [value]
    named = (_NAMED_EMAIL.fullmatch(piece) for piece in pieces)
    return [found.group(1) if found else piece for found, piece in zip(named, pieces, strict=True)]


def _normal_link(word: str) -> str:
    scheme, mark, rest = word.strip(_EDGES).partition("://")
    if not mark:
        scheme, rest = "https", scheme
    cut = min((at for at in map(rest.find, "/?#\\") if at >= 0), default=len(rest))
    return f"{scheme.casefold()}://{rest[:cut].casefold()}{rest[cut:].rstrip('/')}"


def _sums(folded: str) -> list[tuple[Decimal, str]]:
    """Every sum in a text, with its currency."""
    found = []
    for match in _SUM.finditer(folded):
        currency = next(
            _CODES[int(name[1:])] for name, text in match.groupdict().items() if text and name[0] in "ab"
        )
        found.append((_number(match["first"] or match["last"]), currency))
    return found


def _sum_of(folded: str) -> tuple[Decimal | None, str | None]:
    """The sum that a value is, with its currency if it says one."""
    text = folded.strip()
    if _PLAIN.fullmatch(text):
        try:
            return Decimal(text), None
        except InvalidOperation:
            return None, None
    match = _SUM.fullmatch(text)
    if match is not None:
        return _sums(text)[0]
    return (_number(text), None) if re.fullmatch(_NUMBER, text) else (None, None)


def _number(text: str) -> Decimal:
    """A number as people write it: the last separator is that of decimals unless three digits follow it."""
    whole, cents = text, ""
    found = re.search(r"[.,](\d{1,2})$", text)
    if found:
        whole, cents = text[: found.start()], found.group(1)
    return Decimal(f"{re.sub(r'[^0-9]', '', whole)}.{cents or '0'}")
