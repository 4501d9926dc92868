"""What repeats our own words without our marks (`affidavit.text.whose.watermark`): stripped, in another session.

A model or a host that pastes what was recalled must not make new evidence out of old. What a text repeats is looked at
line by line and sentence by sentence, without what lists, quotes and citations put round them. Rules:

1. A line in the form in which others' words are rendered (`A mail from "Bob" says: "…"`, `According to …: "…"`) is an
   echo, whoever says it: nobody's own statement is worded so.
2. What equals the text of a version that was remembered before it was said (letter case, width, spaces and the
   punctuation at its ends aside) is an echo, if an assistant, tool, document or mail says it, or anybody but the user.
3. In the user's own words it is an echo only where the text is worded as ours alone is: about him in the third person
   ("The user lives in Lisbon."), or with an attribution. "I live in Lisbon", or "Ana lives in Porto" as he said it
   before, is the user restating it: a support.
4. A version that was remembered later makes no echo of what was said before it.

Whether something was remembered is asked of an index, by the keys of `affidavit.text.evidence.likeness`: one look-up
for all.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from affidavit.text.evidence.likeness import match_key, same_form
from affidavit.text.sentences import stretches
from affidavit.text.whose.worded import in_first_person

_MOST: Final = 2_000
"""Pieces of one text that are looked at; what is behind them is no conversation."""
_LONGEST: Final = 2_000
_LEAST: Final = 6
_LINE: Final = re.compile(r"[^\r\n|]+")
# What stands before and behind words in a list, a quotation, a table, with a date or a citation.
_BEFORE: Final = re.compile(
    r"(?:[\s>|*_#•·–—‣▪\-]|\(?\d{1,3}[.)]\s|\[[ x]?\]|\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?(?:\s?[:·,|–-]))+",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"(?:[\s|*_]|[\[(【（][^\[\]()【】（）]{0,80}[\])】）]|\b(?:mem|ep|tr)_[\w@\-]{1,60})+\Z", re.IGNORECASE
)
_RENDERED: Final = re.compile(
    r"(?:[^\"“”:]{0,60}:\s)?(?:according to\s|superseded,\s|not certain:\s|once:\s"
    r"|(?:an? (?:e-)?mail|a document|the document|a tool|the tool|the assistant|the system|somebody|a text|a person)\b)"
    r".{0,300}?[:,]\s?[\"“].*[\"”][.\s]*(?:\([^()]{1,80}\)\s*)*\Z",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTED: Final = re.compile(r"[^“”]{1,300}[:：]\s?“.+”\W*\Z", re.DOTALL)


class Piece(NamedTuple):
    """A line or a sentence of a text: where its words stand, and the key under which they would be remembered."""

    start: int
    end: int
    words: str
    key: int


def pieces(text: str) -> list[Piece]:
    """The lines of a text (of a table its cells) and the sentences of them, bare of what stands round them.

    >>> [one.words for one in pieces("- The user lives in Lisbon. [mem_1@1]")]
    ['The user lives in Lisbon.']
    """
    found: dict[tuple[int, int], Piece] = {}
    for line in _LINE.finditer(text):
        for start, end in _bare(text, line.start(), line.end()):
            if len(found) >= _MOST:
                return list(found.values())
            if _LEAST <= end - start <= _LONGEST:
                words = text[start:end]
                found.setdefault((start, end), Piece(start, end, words, match_key(words)))
    return list(found.values())


def _bare(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first, last = _inner(text, start, end)
    yield first, last
    inside = list(stretches(text[first:last])) if last - first <= _LONGEST * 10 else []
    if len(inside) > 1:
        yield from (_inner(text, first + low, first + high) for low, high in inside)


def _inner(text: str, start: int, end: int) -> tuple[int, int]:
    before = _BEFORE.match(text, start, end)
    start = before.end() if before is not None else start
    # Only the end is looked through, as a search for what ends there would try every place.
    tail = max(start, end - 200)
    behind = _BEHIND.search(text[tail:end])
    return start, tail + behind.start() if behind is not None else end


def is_rendered(words: str) -> bool:
    """Whether it has the form in which others' words are shown to a model.

    >>> is_rendered('A mail from "Bob" says: "Pay me."'), is_rendered("I live in Lisbon.")
    (True, False)
    """
    return _RENDERED.match(words) is not None


def is_our_wording(words: str) -> bool:
    """Whether only we word it so: about the user in the third person, or somebody's words with whose they are.

    >>> is_our_wording("The user lives in Lisbon."), is_our_wording("I live in Lisbon")
    (True, False)
    """
    return in_first_person(words) != words or _ATTRIBUTED.match(words) is not None


def repeats(words: str, remembered: str, *, own: bool) -> bool:
    """Whether words repeat a text that was remembered; `own`: the user says them as his own."""
    return same_form(words) == same_form(remembered) and (not own or is_our_wording(remembered))
