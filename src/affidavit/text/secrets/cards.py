"""Payment-card numbers: an issuer's prefix, a length the issuer uses, and a valid Luhn sum."""

import re
from collections.abc import Iterator
from itertools import islice

from affidavit.text.spans import Found

# Digits in groups, with the separators people type; a sign or a digit before it makes it something else.
_SEP = r"[ \t\u00a0\u2009\u202f.\-\u2013\u2010\u2011_/]"
_DIGITS = re.compile(rf"\d++(?:{_SEP}{{1,3}}+\d++)*+")
_GROUP = re.compile(r"\d+")
_IBAN = re.compile(r"[A-Za-z]{2}\d{2}(?:[ \-]?[A-Za-z0-9]{4}){2,7}(?:[ \-]?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])")
_CARD_WORD = re.compile(r"card|visa|karte|tarjeta|carte|cart[aã]o|carta|карт|卡|カード|카드|kaart|kort", re.I)
# Length → prefixes that issuers use with it.
_ISSUERS: dict[int, re.Pattern[str]] = {
    12: re.compile(r"5018|5020|5038|5893|6304|6759|676[1-3]"),
    13: re.compile(r"4|5018|5020|5038|5893|6304|6759|676[1-3]"),
    14: re.compile(r"3(?:0[0-5]|[689])"),
    15: re.compile(r"3[47]"),
    16: re.compile(
        r"4|5[1-5]|2(?:20[0-4]|22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)|35(?:2[89]|[3-8]\d)"
        r"|6(?:011|2|5|4[4-9])|5018|5020|5038|5893|6304|6759|676[1-3]"
    ),
    17: re.compile(r"62"),
    18: re.compile(r"62"),
    19: re.compile(r"4|62|5018|5020|5038|5893|6304|6759|676[1-3]"),
}
_DOUBLED = {"0": 0, "1": 2, "2": 4, "3": 6, "4": 8, "5": 1, "6": 3, "7": 5, "8": 7, "9": 9}
# A column of numbers is not typed by hand: there, a card is one group, or groups set apart from the rest.
_BY_HAND = 64
_USUAL = re.compile(
    rf"(?<!\d)(?=((?:[2456]\d{{3}}|35\d\d)({_SEP}{{1,3}})\d{{4}}(?:\2\d{{4}}){{2}}(?:\2\d{{3}})?(?!\2?\d)"
    rf"|3\d{{3}}({_SEP}{{1,3}})\d{{6}}\3\d{{4,5}}(?!\3?\d)|[23456]\d{{12,18}}(?!\d)))"
)


def find_cards(text: str) -> list[Found]:
    """Every card number as `(start, end, "card")`; IBANs, phone and order numbers stay."""
    found: list[Found] = []
    ibans: list[tuple[int, int]] | None = None
    for run in _DIGITS.finditer(text):
        if run.end() - run.start() < 12:
            continue
        for start, end in _in_run(text, run.start(), run.end()):
            if ibans is None:
                ibans = _ibans(text)
            if not any(low < end and start < high for low, high in ibans):
                found.append((start, end, "card"))
    return found


def _in_run(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Card numbers made of whole groups inside one run of grouped digits, leftmost and longest first."""
    groups = [
        (group.start(), group.end()) for group in islice(_GROUP.finditer(text, start, end), _BY_HAND + 1)
    ]
    cards: list[tuple[int, int]] = []
    if len(groups) > _BY_HAND:
        return list(_in_column(text, start, end))
    first = 0
    while first < len(groups):
        last = _longest(text, groups, first)
        if last is None:
            first += 1
        else:
            cards.append((groups[first][0], groups[last][1]))
            first = last + 1
    return cards


def _in_column(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Card numbers in a long run of numbers, where chance alone would make one in ten groupings valid."""
    done = 0
    for match in _USUAL.finditer(text, start, end):
        low, high = match.span(1)
        inner = match[2] or match[3]
        goes_on = inner and text.endswith(inner, max(start, low - len(inner)), low)
        if low >= done and not goes_on and _is_card(text, "".join(_GROUP.findall(match[1])), low):
            done = high
            yield low, high


def _longest(text: str, groups: list[tuple[int, int]], first: int) -> int | None:
    reach = min(first + 19, len(groups))
    start = groups[first][0]
    if groups[reach - 1][1] - start < 12 or text[start] not in _FIRST:
        return None
    digits = ""
    best = None
    for last in range(first, reach):
        low, high = groups[last]
        if len(digits) + high - low > 19:
            break
        digits += text[low:high]
        if len(digits) >= 12 and _is_card(text, digits, start):
            best = last
    return best


# First digits of issuers, also as full-width and Arabic digits.
_FIRST = frozenset("23456２３４５６٢٣٤٥٦۲۳۴۵۶")


def _is_card(text: str, digits: str, start: int) -> bool:
    plain = digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)
    issuer = _ISSUERS.get(len(plain))
    if issuer is None or issuer.match(plain) is None or not luhn(plain):
        return False
    if start and text[start - 1] == "+":
        return False
    # Twelve or thirteen digits are far more often a bar code or a phone number than an old card.
    return len(plain) > 13 or _CARD_WORD.search(text, max(0, start - 40), start) is not None


def luhn(digits: str) -> bool:
    """The check sum that card numbers carry (not order numbers, mostly); ASCII digits only."""
    return (sum(map(int, digits[::-2])) + sum(map(_DOUBLED.__getitem__, digits[-2::-2]))) % 10 == 0


def _ibans(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _IBAN.finditer(text) if _iban_valid(match[0])]


def _iban_valid(written: str) -> bool:
    code = re.sub(r"[ \-]", "", written).upper()
    if not 15 <= len(code) <= 34 or not code.isascii():
        return False
    return int("".join(str(int(char, 36)) for char in code[4:] + code[:4])) % 97 == 1
