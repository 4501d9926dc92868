"""One sentence as the frames see it: folded, its dates blotted out, and the way back to the text."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from affidavit.text.frames.clauses import Sentence
from affidavit.text.lang.tables import Table
from affidavit.text.lang.templates import Words
from affidavit.text.times.dates import Found, find
from affidavit.text.view import View

DATE_MARK: Final = "\x1f"
"""Stands for each character of a date: white space to the templates, and what ends a value."""


class Moment(NamedTuple):
    """When something is said, and where in the day: UTC microseconds, minutes east of UTC."""

    anchor: int
    offset: int


class Line:
    """A sentence, one language's table for it, and the moment it was said at.

    Positions in `text` are those in the view less the sentence's start; the methods take these.
    """

    def __init__(
        self, seen: View, sentence: Sentence, table: Table, said: Sequence[tuple[int, int]], moment: Moment
    ) -> None:
        self._seen = seen
        self._start = sentence.start
        self.table = table
        self.moment = moment
        found = self._find(sentence.start, sentence.end, "")
        self.text = self._blotted(sentence, found)
        self.dates = [self._moved(one, -self._start) for one in found]
        self.words = Words(self.text, spaced=table.spaced)
        self.quotes = [
            (a - self._start, b - self._start) for a, b in said if a < sentence.end and b > sentence.start
        ]
        source = self.source(0, len(self.text))
        # Who writes everything in capitals shows no names by them.
        self.capitals = any(map(str.isupper, source)) and any(map(str.islower, source))

    def source(self, start: int, end: int) -> str:
        """The stretch as it was written."""
        first, last = self.back(start, end)
        return self._seen.source[first:last]

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The stretch in offsets of the text."""
        return self._seen.back(self._start + start, self._start + end) if start < end else (0, 0)

    def plain(self, start: int, end: int) -> str:
        """The stretch folded, with its dates."""
        return self._seen.text[self._start + start : self._start + end]

    def leaning(self, date: Found, tense: str) -> Found:
        """The same date as it is meant in a tense."""
        again = self._find(self._start + date.start, self._start + date.end, tense)
        return self._moved(again[0], -self._start) if again else date

    def _find(self, start: int, end: int, tense: str) -> list[Found]:
        anchor, offset = self.moment
        codes = (self.table.code,)
        return find(self._seen, start, end, anchor=anchor, offset=offset, languages=codes, tense=tense)

    def _moved(self, one: Found, by: int) -> Found:
        return one._replace(start=one.start + by, end=one.end + by, core=one.core + by)

    def _blotted(self, sentence: Sentence, dates: Sequence[Found]) -> str:
        pieces, done = [], sentence.start
        for one in dates:
            pieces += [self._seen.text[done : one.start], DATE_MARK * (one.end - one.start)]
            done = one.end
        text = "".join([*pieces, self._seen.text[done : sentence.end]])
        return self.table.carry.sub(lambda found: f"{found[1]} ", text)
