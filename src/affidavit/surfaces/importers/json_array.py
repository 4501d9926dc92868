"""The elements of a large JSON array, one at a time.

The buffer doubles before an element that did not fit is parsed again, so that the whole file costs
linear time and only one element is in memory. A broken element is stepped over by its brackets; a
file that ends too early gives every element before the break.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.surfaces.importers.pieces import PIECE, SourceBrokenError, Stream, is_damaged, pieces

# Characters of one element: a conversation of two years of daily use has a few million.
LARGEST_ELEMENT = 128 << 20

_SPACE = re.compile(r"[ \t\r\n]*")
_OUTSIDE = re.compile(r'["\[\]{},]')
_IN_STRING = re.compile(r'"|\\.', re.DOTALL)
# How far before the end of the buffer the JSON parser may report text that is merely cut short.
_CUT_MARGIN = 16
_LONGEST_INTEGER = 400
_CUT_OFF = "the file ends in the middle of it: it was cut off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element, counted from 1. `damaged`: its text held bytes that are not UTF-8."""

    index: int
    value: object
    damaged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """Something that could not be read: one element, or (`final`) all from here on."""

    index: int
    reason: str
    final: bool


def _integer(digits: str) -> int | float:
    # Python refuses to read integers of thousands of digits; no field of an export is one.
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float("inf")


_DECODER = json.JSONDecoder(parse_int=_integer)


class _BrokenError(Exception):
    """The element at hand can't be read. `at_end`: perhaps only because the file ends in it."""

    def __init__(self, reason: str, *, at_end: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at_end = at_end


def read_elements(stream: Stream, *, largest: int = LARGEST_ELEMENT) -> Iterator[Element | Break]:
    """Elements of the array in `stream`; never raises for what the file holds.

    An object counts as an array of one, or as the array in its `conversations` if it has that.
    """
    reader = _Reader(pieces(stream), largest)
    try:
        yield from reader.elements()
    except SourceBrokenError as error:
        yield Break(index=reader.index, reason=str(error), final=True)


class _Reader:
    def __init__(self, source: Iterator[str], largest: int) -> None:
        self._source = source
        self._largest = largest
        self._text = ""
        self._at = 0
        self._ended = False
        self.index = 1

    def elements(self) -> Iterator[Element | Break]:
        start = self._peek()
        if start == "{":
            yield from self._object()
        elif start == "[":
            self._at += 1
            yield from self._array()
        else:
            yield self._break("the file does not start as a JSON array" if start else "the file is empty")

    def _array(self) -> Iterator[Element | Break]:
        first = True
        while (mark := self._peek()) != "]":
            if mark and not first:
                if mark != ",":
                    yield self._break("a comma is missing before it; nothing after this was read")
                    return
                self._at += 1
                mark = self._peek()
                if mark == "]":
                    break
            if not mark:
                yield self._break("the file ends before the array does: it was cut off")
                return
            try:
                yield self._element()
            except _BrokenError as error:
                skipped = self._step_over()
                reason = _CUT_OFF if error.at_end and not skipped else error.reason
                yield Break(index=self.index, reason=reason, final=not skipped)
                if not skipped:
                    return
            self.index, first = self.index + 1, False
        self._at += 1
        if self._peek():
            yield self._break("there is more text after the end of the array; it was not read")

    def _object(self) -> Iterator[Element | Break]:
        try:
            only = self._element()
        except _BrokenError as error:
            yield self._break(_CUT_OFF if error.at_end and self._ended else error.reason)
            return
        inner = only.value.get("conversations") if isinstance(only.value, dict) else None
        if not isinstance(inner, list):
            yield only
            self.index += 1
            if self._peek():
                yield self._break("there is more text after the end of the object; it was not read")
            return
        for value in inner:
            yield Element(index=self.index, value=value, damaged=only.damaged)
            self.index += 1

    def _break(self, reason: str) -> Break:
        return Break(index=self.index, reason=reason, final=True)

    def _element(self) -> Element:
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                raise _BrokenError("it is nested too deeply", at_end=False) from None
            except json.JSONDecodeError as error:
                self._grow_or_refuse(error)
                continue
            # A number may go on in the next piece, and "1e+" at the end is read as 1.
            scalar = not isinstance(value, (dict, list))
            if scalar and len(self._text) - end < 3 and self._more(PIECE):
                continue
            damaged = is_damaged(self._text[self._at : end])
            self._at = end
            return Element(index=self.index, value=value, damaged=damaged)

    def _grow_or_refuse(self, error: json.JSONDecodeError) -> None:
        """More text if the element may only be cut short; raises _BrokenError otherwise."""
        at_end = error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - _CUT_MARGIN
        if not at_end or self._ended:
            raise _BrokenError(f"it is not valid JSON ({error.msg})", at_end=at_end) from None
        held = len(self._text) - self._at
        if held > self._largest:
            raise _BrokenError(f"it is larger than {self._largest:,} characters", at_end=False) from None
        self._more(max(PIECE, held))

    def _peek(self) -> str:
        """The next character that is not white space; empty at the end of the file."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(PIECE):
                return ""

    def _more(self, wanted: int) -> bool:
        """Adds at least `wanted` characters and drops what is behind; False, and no change, at the end."""
        parts, gained = [self._text[self._at :]], 0
        while gained < wanted and not self._ended:
            piece = next(self._source, None)
            if piece is None:
                self._ended = True
            else:
                parts.append(piece)
                gained += len(piece)
        if gained:
            self._text, self._at = "".join(parts), 0
        return gained > 0

    def _step_over(self) -> bool:
        """Moves behind a broken element by counting brackets outside strings; False if it has no end."""
        depth, inside = 0, False
        while True:
            token = (_IN_STRING if inside else _OUTSIDE).search(self._text, self._at)
            if token is None:
                # A backslash at the very end belongs to the character that follows it.
                halved = inside and self._at < len(self._text) and self._text[-1] == "\\"
                self._at = len(self._text) - halved
                if not self._more(PIECE):
                    return False
                continue
            mark = token.group()
            if depth == 0 and mark in ",]" and not inside:
                self._at = token.start()
                return True
            self._at = token.end()
            if mark == '"':
                inside = not inside
            elif not inside and mark != ",":
                depth += 1 if mark in "[{" else -1
            if depth < 0:
                return False
