"""Where a text is not its writer's own word: a role that is played, something to translate, an example. Pure.

Whoever announces one speaks for somebody else in that line behind it, and in the lines that follow.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, NamedTuple

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import denials, has, language_of, signs, without
from affidavit.text.sentences import asks

BACK: Final = 4_000
"""Characters before a sentence in which it may have been announced."""
_LANGUAGE: Final = 400
_LONGEST: Final = 400
"""Characters of a sentence before its colon."""
_COLON: Final = re.compile("[:：]")
_SENTENCE_END: Final = re.compile(r"[.!?。！？]\s")
_MARKS: Final = " ¿¡\"'-*:："
_SHORT: Final = 6
"""Words of a sentence that does nothing but name a text, or tell that somebody speaks."""


class Announced(NamedTuple):
    """Where a text announces that it is not its writer's own word.

    `lines`: where the lines begin in which a role, a translation or an example is announced; `colons`: where a text to
    work on is handed over.
    """

    lines: list[int]
    colons: list[int]

    def is_behind(self, line: int) -> bool:
        """Whether a line before this one announced it."""
        return _last_before(self.lines, line, line - BACK) is not None

    def is_handed(self, line: int, start: int) -> bool:
        """Whether a text is handed over before a place of its line: where it ends nobody can tell."""
        return _last_before(self.colons, start, max(line, start - BACK)) is not None


def _last_before(places: list[int], end: int, start: int) -> int | None:
    found = bisect_left(places, end)
    return places[found - 1] if found and places[found - 1] >= start else None


def announced(text: str) -> Announced:
    r"""Where it is announced, read once for all of a text.

    >>> announced("Let's play.\nI'm Captain Vega.").lines
    [0]
    >>> announced("Note: I like tea. Classify this review: I love this phone").colons
    [38]
    """
    lines, colons, place = list[int](), list[int](), 0
    for line in text.splitlines(keepends=True):
        said = plain(line)
        if has("play", said, language_of(plain(line[:_LANGUAGE]))):
            lines.append(place)
        if _COLON.search(line):
            colons += (place + at for at in _handing(line))
        place += len(line)
    return Announced(lines, colons)


def _handing(line: str) -> Iterator[int]:
    """The colons of a line behind which a text to work on is given."""
    ends = [0, *(one.end() for one in _SENTENCE_END.finditer(line))]
    for colon in _COLON.finditer(line):
        at = colon.start()
        first = max(ends[bisect_left(ends, at) - 1] if at else 0, at - _LONGEST)
        clause = plain(line[first:at]).lstrip(_MARKS)
        language = language_of(clause)
        if not (has("writing", clause, language) or has("wording", clause, language)):
            continue
        asks = any(not start for start, _ in signs("ask", clause, language))
        if asks or has("request", clause, language) or has("rework", clause, language):
            yield at


def line_of(text: str, place: int) -> int:
    """Where the line begins that a place is in, as far as it is looked at."""
    return max(text.rfind("\n", 0, place) + 1, place - BACK)


def hands_over(sentence: str) -> bool:
    """Whether a sentence gives out what follows it as a text, or as another's words, though no mark says so.

    >>> hands_over("Is this a scam?"), hands_over("My sister sent me this."), hands_over("She answered.")
    (True, True, True)
    >>> (
    ...     hands_over("Can you recommend a restaurant?"),
    ...     hands_over("This week was hard."),
    ...     hands_over("I wrote."),
    ... )
    (False, False, False)
    """
    said = plain(sentence).strip(_MARKS)
    language, short = language_of(said), len(said.split()) <= _SHORT
    given = signs("handed", said, language)
    first = _speaks(said, language, given)
    if short and (has("another", said, language) or (given and not first)):
        return True
    news = signs("news", said, language)
    told = without(signs("report", said, language), news)
    if has("writing", said, language):
        works = not first and any(has(name, said, language) for name in ("request", "rework", "handed"))
        names = short and not first and not has("harmless", said, language)
        return (asks(sentence) and bool(told or not news)) or has("got", said, language) or works or names
    return short and not first and any(len(said[end:].split()) <= 1 for _, end in told)


def _speaks(said: str, language: str, given: list[tuple[int, int]]) -> bool:
    """Whether the speaker does something, and not only somebody of his, or something to him: "我妹妹", "发给我"."""
    theirs = {start for start, _ in signs("person", said, language)}
    own = without(signs("first", said, language), given)
    return any(end not in theirs for _, end in own)


def is_played(text: str, start: int, end: int, announcements: Announced) -> bool:
    r"""Whether it is announced in the line of a sentence, up to its end, or in a line before (see `announced`).

    >>> for text in ("Let's play.\nI'm Captain Vega.", "Let's play. I'm Captain Vega."):
    ...     is_played(text, 12, 29, announced(text))
    True
    True
    >>> is_played("I can't imagine a day without jazz.", 0, 35, announced(""))
    False
    """
    line = line_of(text, start)
    said = plain(text[line:end])
    language = language_of(plain(text[max(line, end - _LANGUAGE) : end]))
    here = signs("play", said, language)
    if here:
        denied = [at for _, at in denials(said, language)]
        here = [one for one in here if not any(0 <= one[0] - at <= 2 for at in denied)]
    return bool(here) or announcements.is_handed(line, start) or announcements.is_behind(line)
