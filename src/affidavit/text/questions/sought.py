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

from affidavit.text.lexicon.stopwords import GRAMMAR

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
_OWNED: Final = re.compile("['’]s(?!\\w)")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAID_OF: Final = re.compile(r"(\w+) (?:the|my|our|el|la|mi|nuestro|nuestra) \Z", re.IGNORECASE)
_OF: Final = frozenset({"of", "to", "de", "a"})
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


Pieces = tuple[str, ...]
"""Parts of a text in this order, with anything between them."""


def holds(folded: str, pieces: Pieces) -> bool:
    """Whether these pieces stand in a text, in this order."""
    at = 0
    for piece in pieces:
        at = folded.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


class Sought(Protocol):
    """A value that is looked for."""

    @property
    def form(self) -> Form:
        """What it shows itself to be."""
        ...

    @property
    def pieces(self) -> tuple[Pieces, ...]:
        """A quick look before a thorough one: a folded text that holds it, or is it, holds the pieces of one of these.

        No white space is in them.
        """
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

    def places(self, text: Folded) -> list[tuple[int, int]]:
        """Where it stands in such a folded text."""
        ...

    def stands_whole(self, text: Folded, *, lists: bool, plainly: bool, small: Collection[str]) -> bool:
        """Whether it stands in a text and is no piece of a longer name or address there.

        Words have to be a name, or said of somebody ("of the landlord", "pay my landlord"); `plainly`: any words do.
        `lists`: a comma parts names, and does not go on with an address. `small`: words that may open a sentence before
        a name.
        """
        ...


class _Pattern:
    """A value found by a pattern in the folded text."""

    def __init__(
        self, pieces: Pieces, pattern: str, loose: str | None = None, form: Form = Form.WORDS
    ) -> None:
        self.pieces = (pieces,)
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

    def places(self, text: Folded) -> list[tuple[int, int]]:
        return [one.span() for one in self._loose.finditer(text.folded)]

    def stands_whole(self, text: Folded, *, lists: bool, plainly: bool, small: Collection[str]) -> bool:
        if self.form is not Form.WORDS:
            return self.stands_in(text)
        found = re.finditer(self._pattern.pattern, text.plain, re.IGNORECASE)
        look = _Look(text.plain, lists=lists, plainly=plainly, small=small)
        return any(look.is_whole(*match.span()) for match in found)


class _Link:
    """An address on the web: scheme, host and path count, the slash at the end does not."""

    form = Form.LINK

    def __init__(self, value: str) -> None:
        self._link = _normal_link(value)
        self.pieces = ((re.split(r"[/?#\\]", self._link.partition("://")[2])[0],),)

    def stands_in(self, text: Folded) -> bool:
        return bool(self.places(text))

    is_value = within = stands_in

    def places(self, text: Folded) -> list[tuple[int, int]]:
        # Letter case counts in a path. Behind the few letters that folding makes two, no way to say a role is found.
        words = re.finditer(r"[^ ]+", text.plain)
        return [one.span() for one in words if "." in one[0] and _normal_link(one[0]) == self._link]

    def stands_whole(self, text: Folded, *, lists: bool, plainly: bool, small: Collection[str]) -> bool:
        return self.stands_in(text)


class _Money:
    """A sum; in running text a number counts as one only with a currency beside it."""

    form = Form.SUM

    def __init__(self, amount: Decimal, currency: str | None) -> None:
        self._amount = amount
        self._currency = currency
        whole = f"{abs(amount):f}".partition(".")[0]
        counting = "".join(map(str, amount.as_tuple().digits)).strip("0") or "0"
        # As people write it, perhaps with separators; and as a number with an exponent.
        self.pieces = (tuple(whole), (*counting, "e"))

    def stands_in(self, text: Folded) -> bool:
        return bool(self.places(text))

    def is_value(self, text: Folded) -> bool:
        amount, currency = _sum_of(text.folded)
        return amount == self._amount and (self._currency is None or currency in {None, self._currency})

    within = stands_in

    def places(self, text: Folded) -> list[tuple[int, int]]:
        found = ((one.span(), *_sum_of(one[0])) for one in _SUM.finditer(text.folded))
        return [
            at
            for at, amount, currency in found
            if amount == self._amount and self._currency in {None, currency}
        ]

    def stands_whole(self, text: Folded, *, lists: bool, plainly: bool, small: Collection[str]) -> bool:
        return self.stands_in(text)


class _Nothing:
    """What can stand nowhere."""

    form = Form.WORDS
    pieces = ()

    def stands_in(self, text: Folded) -> bool:
        return False

    is_value = within = stands_in

    def places(self, text: Folded) -> list[tuple[int, int]]:
        return []

    def stands_whole(self, text: Folded, *, lists: bool, plainly: bool, small: Collection[str]) -> bool:
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
        mail = wanted.removeprefix("mailto:")
        return _Pattern((mail,), rf"(?<![\w.+%@-]){re.escape(mail)}(?![\w@-])(?!\.\w)", form=Form.MAIL)
    compact = _SEPARATORS.sub("", wanted)
    digits = sum(c.isdigit() for c in compact)
    if digits >= 4 and 2 * digits >= len(compact) and _ACCOUNT.fullmatch(compact):
        chars = r"[\s.\-/()]{0,2}".join(map(re.escape, compact))
        form = Form.ACCOUNT if _BANKED.fullmatch(compact) else Form.NUMBER
        whole = rf"(?<![\w@+])(?<!\d[\s.\-/]){chars}(?![\w@])(?![\s.\-/]\d)"
        return _Pattern(tuple(compact), whole, form=form)
    if _LINK.fullmatch(text.plain.strip(_EDGES)):
        return _Link(text.plain)
    given = [word for word in _BETWEEN.split(wanted) if word]
    words = r"[\s,;]+".join(map(re.escape, given))
    loose = r"[⺀-￿𠀀-𯿿]"
    return _Pattern(
        tuple(given),
        rf"(?<![\w@])(?<!\w[.-]){words}(?![\w@])(?![.-]\w)",
        rf"(?:(?<![\w@])|(?<={loose})|(?={loose})){words}(?:(?![\w@])|(?={loose})|(?<={loose}))",
    )


class _Look(NamedTuple):
    """A text in which a value is looked at where it stands: see `Sought.stands_whole`."""

    text: str
    lists: bool
    plainly: bool
    small: Collection[str]

    def is_whole(self, start: int, end: int) -> bool:
        """Whether what stands there is no piece of a longer name, of an address, or of what is somebody's."""
        if _OWNED.match(self.text, end):
            return False
        before, after = _BEFORE.search(self.text, 0, start), _AFTER.match(self.text, end)
        if not self.plainly and not _is_name(self.text[start:end]):
            said = _SAID_OF.search(self.text, 0, start)
            this = said is not None and said[1].lower() in {*_OF, *self.small}
            if not this or not (after is None or after[2].strip(_EDGES).lower() in GRAMMAR):
                return False
        return (before is None or self._ends_before(before)) and (after is None or self._begins_behind(after))

    def _ends_before(self, before: re.Match[str]) -> bool:
        """Whether the word before a name is none of its own."""
        word = before[1].lstrip(_EDGES)
        if word.endswith(","):
            return self.lists
        if word != word.rstrip(_EDGES):
            return True
        opens = word == word.capitalize() and not self.text[: before.start()].strip(_EDGES)
        return _is_apart(word) or (opens and word.lower() in {*GRAMMAR, *self.small})

    def _begins_behind(self, after: re.Match[str]) -> bool:
        """Whether the word behind a name is none of its own; a sum of money is not."""
        word = after[2].strip(_EDGES)
        if after[1] == ", " and self.lists:
            return True
        return not word or _is_apart(word) or _SUM.match(self.text[after.start(2) :].lower()) is not None


def _is_name(value: str) -> bool:
    """Whether it is written as a name, or in a script that has no capitals."""
    return value != value.lower() or (value == value.upper() and _LETTER.search(value) is not None)


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
