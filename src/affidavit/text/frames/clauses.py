"""From a message to clauses in which a speaker may state something: what is no such talk is left out here.

Left out are messages and parts of them that say themselves that they are not (a request to translate, a story,
"you are a helpful assistant"), what follows a label that is not the speaker's own ("Ana: …"), quoted words, and
sentences too long to be talk. Which words those are stands in the tables; a refusal in any language counts in all.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from affidavit.text.lang.tables import Table
from affidavit.text.sentences import stretches
from affidavit.text.view import View

LONGEST_MESSAGE: Final = 20_000
"""Characters of a speaker's own words; more than that is pasted."""
LONGEST_SENTENCE: Final = 300

_BREAK: Final = re.compile(r"[;()\[\]…—–|!?！？。\n]|[,:](?!\d)|\.(?=\s|\Z)|\s-\s|->|→")
_ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}")
_COLON: Final = re.compile(r":(?![\d/)(|'*-]|[dp]\b)")
_CLOSED: Final = re.compile(r"[.!?:！？。…：][\s\"'”’)\]]*\Z")
_ITEM: Final = re.compile(r"\s*(?:[-*•+·]|\d{1,2}[.)])\s")
_BLANK: Final = re.compile(r"\n[^\S\n]*\n")
_QUOTED: Final = re.compile(
    r"""(?<![\d])"[^"\n]*+(?:"|$)|“[^”\n]*+(?:”|$)|«[^»\n]*+(?:»|$)|「[^」\n]*+(?:」|$)|『[^』\n]*+(?:』|$)|„[^“”"\n]*+(?:[“”"]|$)"""
    r"""|(?<![\w])'(?=\w)(?:[^'\n]|'(?=\w)){1,300}+'(?!\w)""",
    re.MULTILINE,
)


class Sentence(NamedTuple):
    """A sentence `[start, end)` of the view that is the speaker's own talk.

    `hangs`: no mark closes the line before it, so that it may go on with what that one says.
    """

    start: int
    end: int
    hangs: bool = False


class Clause(NamedTuple):
    """A clause `[start, end)` of the view."""

    start: int
    end: int


def talk(seen: View, tables: Sequence[Table]) -> Iterator[Sentence]:
    """The sentences that may state something about the speaker."""
    # An address is no word: "ana@example.org" gives no example.
    text = _ADDRESS.sub(lambda found: "x" * len(found[0]), seen.text)
    if any(table.message.search(text) for table in tables):
        return
    done, closed, skipped = 0, False, False
    for start, end in _joined(text, tables):
        hangs = _hangs(text, done, start)
        if closed and _BLANK.search(text, done, start):
            closed = False
        done = end
        if any(table.rest.search(text, start, end) for table in tables):
            return
        if closed:
            continue
        colon = _foreign_label(text, start, end, tables)
        # Behind "Ana:" hers is the rest of the line, and what follows up to an empty one.
        closed = colon is not None
        own = Sentence(start, end if colon is None else colon, hangs)
        skipped = own.end - own.start > LONGEST_SENTENCE or (skipped and hangs)
        if not skipped:
            yield own


def _hangs(text: str, end: int, start: int) -> bool:
    """Whether only a line break parts two sentences; items of a list stand by themselves."""
    if not end or "\n" not in text[end:start] or _BLANK.search(text, end, start):
        return False
    line = text.rfind("\n", 0, end) + 1
    items = _ITEM.match(text, line) and _ITEM.match(text, start)
    return not items and _CLOSED.search(text, line, end) is None


def _joined(text: str, tables: Sequence[Table]) -> Iterator[tuple[int, int]]:
    """Sentences; one that seems to end after an abbreviation goes on."""
    begin: int | None = None
    for start, end in stretches(text):
        first = start if begin is None else begin
        if text[end - 1] == "." and any(table.abbreviation.search(text, first, end) for table in tables):
            begin = first
            continue
        yield first, end
        begin = None
    if begin is not None:
        yield begin, len(text)


def _foreign_label(text: str, start: int, end: int, tables: Sequence[Table]) -> int | None:
    """Where a label ends behind which not the speaker but somebody else has the word."""
    for colon in _COLON.finditer(text, start, end):
        if not any(table.labels.search(text, start, colon.start()) for table in tables):
            return colon.end()
        start = colon.end()
    return None


def quoted(text: str) -> list[tuple[int, int]]:
    """Stretches in quotation marks; one that is not closed goes to the end of its line."""
    return [found.span() for found in _QUOTED.finditer(text)]


def clauses(text: str, sentence: Sentence, table: Table) -> list[Clause]:
    """The clauses of a sentence."""
    marks = [
        found.span()
        for found in _BREAK.finditer(text, sentence.start, sentence.end)
        if not (found[0] == "." and table.abbreviation.search(text, sentence.start, found.end()))
    ]
    marks += [found.span() for found in table.split.finditer(text, sentence.start, sentence.end)]
    parts: list[Clause] = []
    start = sentence.start
    for first, last in [*sorted(marks), (sentence.end, sentence.end)]:
        if first > start and not text[start:first].isspace():
            parts.append(Clause(start, first))
        start = max(start, last)
    return parts
