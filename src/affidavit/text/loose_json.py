r"""JSON as language models write it: behind reasoning, in prose or fences, with commas too many, cut off. Pure.

Rules, each a property test:

1. What is JSON is read as such; nothing raises, whatever the text, and the time grows with its length.
2. What a model thought aloud (`<think>…</think>`, also where only one of the tags is left) is no reply. A tag inside a
   string of the JSON is text.
3. An item of a list that can't be read is left out, and costs none of the others; so is one that was cut off.
4. No value is one that JSON does not have: no NaN, no lone surrogate, no number of a thousand digits, no nesting
   without end.

Written here as the libraries that mend JSON guess more (they make values of prose), recurse as deep as the text is
nested, and take minutes over 400 kB of braces.
"""

import math
import re
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

Container: TypeAlias = dict[str, Any] | list[Any]

_DEEPEST: Final = 64
_LONGEST_NUMBER: Final = 40
_MOST_STARTS: Final = 10_000
"""Places at which JSON may begin that are tried; a text with more of them holds none."""
_LOST: Final = "\ufffd"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_TAG: Final = r"(?:think|thinking|thought|reasoning|reflection|scratchpad)\s*>"
_NEXT: Final = re.compile(rf"<(/?){_TAG}|[{{\[]", re.IGNORECASE)
_CLOSE: Final = re.compile(rf"</{_TAG}", re.IGNORECASE)
_BLANK: Final = re.compile(r"\s*")
_BETWEEN: Final = re.compile(r"[\s,]*")
_COLON: Final = re.compile(r"\s*:\s*")
_NEXT_ITEM: Final = re.compile(r"[,}\]]\s*(?=\{)")
_PLAIN: Final = {quote: re.compile(rf"[^\\{quote}]*") for quote in "\"'"}
_SCALAR: Final = re.compile(r"[+-]?[A-Za-z0-9][A-Za-z0-9.+-]*")
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_NAMED: Final = {
    "true": True, "True": True, "false": False, "False": False, "null": None, "None": None, "NaN": None,
    "Infinity": None, "-Infinity": None,
}  # fmt: skip
_ESCAPED: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CODE: Final = re.compile(r"\\u([0-9a-fA-F]{4})")
_BAD: Final = object()


class Items(NamedTuple):
    """The items of a list, `lost` that could not be read; `cut`: the text ended before the list did."""

    items: list[Any]
    lost: int = 0
    cut: bool = False


def object_in(text: str) -> dict[str, Any] | None:
    """The first JSON object that a reply holds outside its reasoning; None if there is none.

    >>> object_in('<think>{"ids": [9]}</think>Sure: ```json {"ids": [1, 2,]} ```')
    {'ids': [1, 2]}
    """
    read = _chosen(_read_all(text, "{"))
    return read.value if read is not None and isinstance(read.value, dict) else None


def items_in(text: str, name: str) -> Items | None:
    """The list called `name` in a reply's JSON object, or the only list there is; None if there is none.

    >>> items_in('Here: {"facts": [{"a": 1}, {"a": oops}, {"a": 3}, {"a"', "facts")
    Items(items=[{'a': 1}, {'a': 3}], lost=1, cut=True)
    """
    read = _chosen(_read_all(text, "{["))
    if read is None:
        return None
    value = read.value
    if isinstance(value, dict):
        lists = [one for one in value.values() if isinstance(one, list)]
        value = value[name] if isinstance(value.get(name), list) else lists[0] if len(lists) == 1 else {}
    return Items(value, read.lost, read.cut) if isinstance(value, list) else None


class _Read(NamedTuple):
    value: Container
    end: int
    lost: int
    cut: bool
    thought: bool = False


def _chosen(found: list[_Read]) -> _Read | None:
    """What is meant as the reply: the first that is whole, behind a thought without an end the last."""
    said = [one for one in found if not one.thought] or found[::-1]
    whole = [one for one in said if not one.cut and one.value]
    part = [one for one in said if one.value]
    empty = [one for one in said if not one.cut]
    return next(iter([*whole, *part, *empty]), None)


def _read_all(text: str, opening: str) -> list[_Read]:
    """What could be a reply, in order: every outermost object (or list) outside of what was thought aloud."""
    text = _SURROGATE.sub(_LOST, text)
    reader, found, at, thought, starts = _Reader(text), list[_Read](), 0, False, 0
    while starts < _MOST_STARTS and (mark := _NEXT.search(text, at)) is not None:
        at = mark.end()
        if mark[0] in ("{", "["):
            if mark[0] in opening:
                starts += 1
                read = reader.read(mark.start())
                found.append(read._replace(thought=thought))
                at = read.end
        elif mark[1]:
            # Whatever stood before the end of a thought was one.
            found.clear()
            thought = False
        elif not thought:
            close = _CLOSE.search(text, at)
            thought = close is None
            at = at if close is None else close.end()
    return found


class _Reader:
    """Reads values out of one text. It only ever goes ahead, so that the time grows with the length."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._no_item_after = len(text)

    def read(self, start: int) -> _Read:
        """The object or list that begins at `start`."""
        text = self._text
        root: Container = {} if text[start] == "{" else []
        stack, at, lost = [root], start + 1, 0
        while stack:
            at, fine = self._step(stack, _end(_BETWEEN, text, at))
            if fine:
                continue
            if at >= len(text):
                break
            item = self._next_item(stack, at)
            if item is None:
                break
            at, lost = item, lost + 1
        if stack:
            _drop_open_item(stack)
        return _Read(root, max(at, start + 1), lost, bool(stack))

    def _step(self, stack: list[Container], at: int) -> tuple[int, bool]:
        """Take in the next value or end of the innermost container; where it stopped, and whether that was fine."""
        text, top, key = self._text, stack[-1], ""
        if text[at : at + 1] in ("}", "]"):
            if (text[at] == "}") != isinstance(top, dict):
                return at, False
            stack.pop()
            return at + 1, True
        if isinstance(top, dict):
            name, at = _string(text, at, key=True) if text[at : at + 1] in _PLAIN else (None, at)
            colon = _COLON.match(text, at)
            if name is None or colon is None:
                return at, False
            key, at = name, colon.end()
        if text[at : at + 1] in ("{", "["):
            if len(stack) >= _DEEPEST:
                return at, False
            stack.append(_put(top, key, {} if text[at] == "{" else []))
            return at + 1, True
        value, at = self._scalar(at)
        if value is not _BAD:
            _put(top, key, value)
        return at, value is not _BAD

    def _scalar(self, at: int) -> tuple[Any, int]:
        text = self._text
        if at < len(text) and text[at] in _PLAIN:
            said, at = _string(text, at, key=False)
            return (_BAD if said is None else said), at
        word = _SCALAR.match(text, at)
        if word is None or word.end() == len(text):
            return _BAD, len(text) if word is not None else at
        if word[0] in _NAMED:
            return _NAMED[word[0]], word.end()
        return (_number(word[0]) if _NUMBER.fullmatch(word[0]) else _BAD), word.end()

    def _next_item(self, stack: list[Container], at: int) -> int | None:
        """Give up the item of the outermost list that holds `at`; where its next one begins."""
        depth = next((n for n, one in enumerate(stack) if isinstance(one, list)), None)
        if depth is None or at >= self._no_item_after:
            return None
        found = _NEXT_ITEM.search(self._text, at)
        if found is None:
            self._no_item_after = at
            return None
        _drop_open_item(stack)
        del stack[depth + 1 :]
        return found.end()


def _put(top: Container, key: str, value: Any) -> Any:
    """Put a value into a container; a list under a name that is there already goes on."""
    if isinstance(top, list):
        top.append(value)
        return value
    if isinstance(value, list) and isinstance(top.get(key), list):
        return top[key]
    top[key] = value
    return value


def _drop_open_item(stack: list[Container]) -> None:
    """Leave out the item of the outermost list that is still open."""
    for outer, _ in pairwise(stack):
        if isinstance(outer, list):
            outer.pop()
            return


def _string(text: str, at: int, *, key: bool) -> tuple[str | None, int]:
    """A string that begins at `at`, and where it ends; None if it does not.

    A quotation mark ends a value only where the value may end: models forget to escape those inside.
    """
    quote, pieces = text[at], list[str]()
    at += 1
    while True:
        plain = _PLAIN[quote].match(text, at)
        assert plain is not None
        pieces.append(plain[0])
        at = plain.end()
        if at >= len(text):
            return None, at
        if text[at] == "\\":
            piece, at = _escape(text, at)
            pieces.append(piece)
            continue
        after = _end(_BLANK, text, at + 1)
        if key or after >= len(text) or text[after] in ",}]":
            return "".join(pieces), at + 1
        pieces.append(quote)
        at += 1


def _escape(text: str, at: int) -> tuple[str, int]:
    code = _CODE.match(text, at)
    if code is None:
        char = text[at + 1 : at + 2]
        return _ESCAPED.get(char, char), at + 2
    first = int(code[1], 16)
    if not 0xD800 <= first <= 0xDFFF:
        return chr(first), code.end()
    other = _CODE.match(text, code.end())
    second = int(other[1], 16) if other is not None else 0
    if other is None or first >= 0xDC00 or not 0xDC00 <= second <= 0xDFFF:
        return _LOST, code.end()
    return chr(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)), other.end()


def _number(text: str) -> int | float | None:
    if len(text) > _LONGEST_NUMBER:
        return None
    if text.lstrip("-").isdigit():
        return int(text)
    value = float(text)
    return value if math.isfinite(value) else None


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()
