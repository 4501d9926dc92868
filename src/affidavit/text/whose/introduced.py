"""What a line of a message introduces as somebody else's words, and whole letters: "Bob says:", "Fix this text".

Looked for only where a message has several lines. What is introduced goes on to the end of the message: where the
other's words end nobody can tell. A line such as "About me:" introduces the speaker's own.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import has, language_of, signs
from affidavit.text.lang.tables import tables
from affidavit.text.spans import MANY, Found
from affidavit.text.view import folded
from affidavit.text.whose.lines import DAY, EMPTY_LINE, TIME

_LONGEST: Final = 200  # characters of a line that introduces something
_MOST: Final = 300
"""Lines that may introduce something: what has more of them is no longer somebody's own."""
_TELLING: Final = 8  # words of a line that ends in who says something
_LABEL: Final = 3  # words of a line that is but a name
_LINE: Final = re.compile(r"[^\r\n]+")
_ASKS: Final = re.compile(r"[?？]\W*\Z")
_FROM: Final = ("from ", "de ", "von ")
_POINTING: Final = ("request", "rework", "handed", "wording")
_TEXT: Final = re.compile(r"\S")
_COLON: Final = re.compile(r"(?:[:：]|[ \t](?:-|–|—))[\s*_\"'“”「」]*\Z")
_OPEN: Final = re.compile(r"[\w)’'”\"]\s*\Z")
_SENT: Final = re.compile(
    r"\b(?:sent|forwarded|posted|texted|emailed|mailed|envió|mandó|escribió)\b"
    r"|(?:['’]s|from the|from my) (?:\w+ )?(?:mail|e-mail|email|letter|message|text|post|note|words|reply|bio)\b",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(r"\d[:.：]\d")
_NAME: Final = r"[^\W\d_][^\n\d:：,.!?\[\]()]{0,40}?"
# As chat programs write it: Bob, 10:31; [12/3/2026, 10:31] Bob; Bob Smith — Today at 10:31 AM.
_STAMP: Final = re.compile(
    rf"\s*(?:{_NAME}[\s,\-–—·|\[(]+(?:{DAY}[\s,]*(?:at|a las)?\s*)?{TIME}[\])]?"
    rf"|[\[(]?(?:{DAY}[\s,]*)?{TIME}[\])]?[\s,\-–—·|]+{_NAME})[:：]?\s*\Z",
    re.IGNORECASE,
)
_CLOSINGS: Final = (
    "(?:(?:all (?:the|my) |many |(?:with )?(?:kind|kindest|warm|warmest|best) )?(?:best|regards|wishes)"
    r"|cheers|yours(?: \w+)?|sincerely(?: yours)?|love|xoxo"
    "|(?:un |muchos )?(?:saludos?|abrazos?)(?: cordial(?:es)?)?|atentamente|besos"
    "|(?:viele |liebe |mit freundlichen )?grüßen?|cordialement|bien à (?:vous|toi)"
    "|cordiali saluti|saluti|atenciosamente|此致|敬上|敬礼|祝好)"
)
_CLOSING: Final = re.compile(
    rf"(?:\A|\n)[ \t]*{_CLOSINGS}[ \t]*(?:[,，.!！]?[ \t]*\r?\n+|[,，])[ \t]*(?:[-–—][ \t]*)?"
    r"[^\W\d_][^\r\n.!?。！？]{0,40}\s*\Z",
    re.IGNORECASE,
)

# A letter without a closing: a greeting by name, and behind an empty line a name alone.
_GREETED: Final = re.compile(
    r"\s*(?:hi|hello|hey|dear|hola|querid[oa]s?|estimad[oa]s?|hallo|lieber?|bonjour|cher|chère|ciao|car[oa]|亲爱的|你好)"
    r"[ ,，][^\n]{1,40}\n",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"\n[ \t\r]*\n\s{0,9}[A-ZÀ-Þ]\w*(?: [A-ZÀ-Þ][\w.]*){0,2}\s{0,9}\Z")


def introduced(text: str, marked: Sequence[Found] = (), *, letter: bool = False) -> Iterator[Found]:
    r"""Where the words of others stand that the message itself says are theirs, from the line behind to the end.

    `marked`: what is marked already, sorted and without overlaps; that begins and ends where its marks are. `letter`:
    the message is known to be a letter of its sender's.

    >>> list(introduced("Bob wrote:\nI live in Oslo."))
    [(10, 26, 'introduced')]
    """
    if "\n" not in text and "\r" not in text:
        return
    tail = max(0, len(text) - _LONGEST)
    if not letter and (_CLOSING.search(text, tail) or (_GREETED.match(text) and _NAMED.search(text, tail))):
        yield 0, len(text), "letter"
        return
    looked_at = 0
    for line in _LINE.finditer(text):
        behind = _TEXT.search(text, line.end())
        if behind is None:
            return
        if not _may_introduce(line[0]) or _overlaps(marked, line.start(), behind.end()):
            continue
        looked_at += 1
        if looked_at > _MOST or _introduces(text, line):
            yield line.end(), len(text), MANY if looked_at > _MOST else "introduced"
            return


def _overlaps(marked: Sequence[Found], start: int, end: int) -> bool:
    at = bisect_right(marked, start, key=lambda one: one[1])
    return at < len(marked) and marked[at][0] < end


def _may_introduce(words: str) -> bool:
    """A cheap first look at a line."""
    if len(words) > _LONGEST:
        return False
    return (
        bool(_COLON.search(words) or _CLOCK.search(words) or _ASKS.search(words))
        or _points(words)
        or _tells(words)
    )


def _tells(words: str) -> bool:
    """Whether a line that no mark ends ends in that somebody else says something: "Bob wrote"."""
    if _OPEN.search(words) is None or not 2 <= len(words.split()) <= _TELLING:
        return False
    if not has("report", words.lower()):
        return False
    said = plain(words)
    language = language_of(said)
    told = [end for _, end in signs("report", said, language)]
    return any(len(said[end:].split()) <= 1 for end in told) and _is_done(said, "report", language)


def _points(words: str) -> bool:
    """Whether a line without a mark at its end may point at what follows."""
    low = words.lower()
    return low.startswith(_FROM) or any(has(name, low) for name in _POINTING)


def _introduces(text: str, line: re.Match[str]) -> bool:
    words = line[0]
    if _STAMP.match(words):
        return True
    colon = _COLON.search(words) is not None
    said = plain(words)
    language = language_of(said)
    writing = has("writing", said, language)
    asks = _ASKS.search(words) is not None or any(not start for start, _ in signs("ask", said, language))
    if _is_done(said, "rework", language) or _is_done(said, "handed", language):
        return True
    if (writing and _is_done(said, "request", language)) or (asks and has("wording", said, language)):
        return True
    blank = EMPTY_LINE.match(text, line.end()) is not None
    if blank and said.startswith(_FROM) and len(said.split()) <= _LABEL:
        return True
    if not colon or _own_label(words):
        return _tells(words)
    first = bool(signs("first", said, language))
    if (_SENT.search(words) is not None and not first) or writing or _is_done(said, "report", language):
        return True
    mine = first or bool(signs("mine", said, language))
    return not mine and blank and len(said.split()) <= _LABEL


def _is_done(said: str, name: str, language: str) -> bool:
    """Whether somebody else does, or is to do, what a section's words say: "I said", "I read" are the speaker's."""
    first = [end for _, end in signs("first", said, language)]
    return any(not any(0 <= start - end <= 2 for end in first) for start, _ in signs(name, said, language))


def _own_label(words: str) -> bool:
    return any(table.labels.match(folded(words)) for table in tables())
