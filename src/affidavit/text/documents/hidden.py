"""What a page hides from whoever looks at it: which of its declarations of style make text unseen.

A reader sees one text and a program another: what only the program sees is left out. Where a page shows again what
it hides elsewhere it counts as hidden all the same.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_NUMBER: Final = re.compile(r"\s*(-?\d*\.?\d+)\s*([a-z%]*)")
_FAR: Final = 900
"""Pixels past the edge at which nobody sees a text."""
_SMALL: Final = 1.5
"""Pixels or points below which letters are no longer seen."""
_NOTHING: Final = re.compile(
    r"rect\(\s*0[a-z]*[\s,]+0[a-z]*[\s,]+0[a-z]*[\s,]+0|inset\(\s*(?:50|100)%|circle\(\s*0"
)
_RULE: Final = re.compile(r"([^{}@;]{1,1000})\{([^{}]{0,10000})\}")
_AT_BLOCK: Final = re.compile(r"@[^{};]{0,500}(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})")
_MOST_RULES: Final = 2_000
_ZEROES: Final = frozenset({"height", "max-height", "width", "max-width"})
# Letters nobody sees, but a program reads; joiners that scripts and emoji need stay.
_UNSEEN: Final = re.compile("[\u00ad\u034f\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f]+")


def unseen_dropped(text: str) -> str:
    r"""The text without characters that have no width and are needed by no script.

    >>> unseen_dropped("pay\u200bpal")
    'paypal'
    """
    return text if text.isascii() else _UNSEEN.sub("", text)


def declared(style: str) -> dict[str, str]:
    """The declarations of a style by name, in lower case; the last of a name counts."""
    found: dict[str, str] = {}
    for one in _COMMENT.sub(" ", style).split(";"):
        name, colon, value = one.partition(":")
        if colon:
            found[name.strip().lower()] = value.replace("!important", "").strip().lower()
    return found


def hides(style: Mapping[str, str]) -> bool:
    """Whether an element with these declarations shows none of its text.

    >>> hides(declared("Display: none")), hides(declared("color: red"))
    (True, False)
    """
    return bool(style) and (
        style.get("display", "").startswith("none")
        or style.get("mso-hide") == "all"
        or style.get("visibility") in ("hidden", "collapse")
        or style.get("content-visibility") == "hidden"
        or _less(style, "opacity", 0.06)
        or _less(style, "font-size", _SMALL)
        or _unpainted(style)
        or _cut_away(style)
        or _elsewhere(style)
    )


def _cut_away(style: Mapping[str, str]) -> bool:
    """What has no size, or is clipped to none."""
    if _NOTHING.search(style.get("clip", "") + style.get("clip-path", "")) is not None:
        return True
    if "scale(0)" in style.get("transform", "").replace(" ", ""):
        return True
    clipped = style.get("overflow", "").startswith(("hidden", "clip"))
    return clipped and any(_less(style, name, _SMALL) for name in _ZEROES)


def _elsewhere(style: Mapping[str, str]) -> bool:
    """What is moved off the page."""
    placed = style.get("position") in ("absolute", "fixed")
    moved = (
        "text-indent",
        "margin-left",
        "margin-top",
        *(("left", "top", "right", "bottom") if placed else ()),
    )
    return any(_less(style, name, -_FAR) for name in moved)


def _less(style: Mapping[str, str], name: str, limit: float) -> bool:
    """Whether a length or number is below a limit; what is given in no unit that we can weigh is not."""
    number = _NUMBER.match(style.get(name, ""))
    if number is None or style[name].startswith("calc"):
        return False
    value = float(number[1])
    if number[2] in ("em", "rem", "ch", "ex"):
        value *= 10
    elif number[2] in ("%", "vw", "vh"):
        value *= 0.1 if name == "font-size" else 10
    return value < limit


def _unpainted(style: Mapping[str, str]) -> bool:
    """Letters without a colour, or in that of what is behind them, where one element says both."""
    if style.get("color", "").replace(" ", "") in ("transparent", "rgba(0,0,0,0)"):
        return True
    behind = style.get("background-color") or style.get("background", "")
    return bool(behind) and _colour(style.get("color", "")) == _colour(behind) != ""


def _colour(text: str) -> str:
    text = text.split(maxsplit=1)[0] if text.split() else ""
    named = {"white": "#ffffff", "black": "#000000"}.get(text, text)
    return "#" + "".join(one * 2 for one in named[1:]) if re.fullmatch("#[0-9a-f]{3}", named) else named


def hiding_selectors(sheet: str) -> Iterator[str]:
    """The selectors of a style sheet whose elements show no text on every medium.

    >>> list(
    ...     hiding_selectors(".a, .b { display: none } p { color: red } @media print { p { display: none } }")
    ... )
    ['.a', '.b']
    """
    plain = _AT_BLOCK.sub(" ", _COMMENT.sub(" ", sheet.replace("<!--", " ").replace("-->", " ")))
    for number, rule in enumerate(_RULE.finditer(plain)):
        if number >= _MOST_RULES:
            return
        if hides(declared(rule[2])):
            yield from filter(None, (one.strip() for one in rule[1].split(",")))
