r"""Labels that give somebody else the word without a sentence: "[Bob] …", "Bob → …", "<bob> …", "… — Bob"; and data.

What a label stands before is somebody else's to the end of its paragraph, and what a name is set behind from its
beginning: where the other's words end nobody can tell. "Update - …" and "Sorry — …" are the speaker's own.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import has, language_of
from affidavit.text.lang.openers import is_opener
from affidavit.text.lang.places import is_country
from affidavit.text.spans import Found
from affidavit.text.view import folded
from affidavit.text.whose.lines import DAY, TIME, paragraph_begin, paragraph_end

_WORD: Final = r"[^\W\d_][\w'’.]+"
_NAME: Final = rf"{_WORD}(?: {_WORD}){{0,2}}"
_CAPITAL: Final = r"[A-ZÀ-Þ][\w'’.]+"
_CAPITALS: Final = rf"{_CAPITAL}(?: {_CAPITAL}){{0,2}}"
_LABEL: Final = re.compile(
    r"^[ \t]*(?:"
    rf"<[ ]?(?P<angled>{_NAME})[ ]?>|\[[ ]?(?P<squared>{_NAME})[ ]?\](?!\()"
    rf"|(?P<marks>[*_]{{1,2}})(?P<marked>{_CAPITALS})[:：]?(?P=marks)[:：]?(?=[ ])"
    rf"|(?P<pointed>{_CAPITALS})[ \t]*(?:->|→|=>|[|;]|[ ][-–—~][ ])|(?P<prompt>{_NAME})>"
    rf"|(?P<timed>{_NAME})[ ,]*[(\[]?(?:{DAY}[ ,]*)?{TIME}[)\]]?[ ]?[:：]"
    rf"|[(\[]?(?:{DAY}[ ,]*)?{TIME}[)\]]?[ ,-]*(?P<stamped>{_NAME})[:：]"
    r"|RT @\w+)(?=[ \t]*\S)",
    re.MULTILINE,
)
_DATA: Final = re.compile(
    r"^(?://|\$ |\{|[\w.-]+ = |<(?:p|div|span|li|td|b|i|em)\b[^<>\n]{0,80}>)[^\n]*", re.MULTILINE
)
_ALONE: Final = re.compile(
    rf"^[ \t]*(?P<alone>{_CAPITAL}(?: {_CAPITAL})?)[ \t]*\r?\n(?=[^\s\-*•#\d])", re.MULTILINE
)
_COLUMNS: Final = re.compile(r"^\w+(?:,\w+)+[ \t]*\r?\n(?=[^\n]*,)", re.MULTILINE)
_SIGNED: Final = re.compile(
    rf"(?:[ \t\n](?:—|–|--|~)|\n-)[ \t]*(?P<signed>{_CAPITALS})(?:,? \d{{4}})?[ \t]*$"
    rf"|\([ ]?(?P<whose>{_CAPITALS})['’]s (?:\w+ )?(?:words?|text|mail|e-mail|letter|message|post|note)[ ]?\)",
    re.MULTILINE,
)
_PAIRS: Final = re.compile(
    r"“[^“”]{1,20000}”|«[^«»]{1,20000}»|„[^„“”]{1,20000}[“”]|「[^「」]{1,20000}」|『[^『』]{1,20000}』"
)
_MOST_MARKS: Final = 400
_SIGNS: Final = re.compile(r"[<\[*_>→|;=/$@{~—–(:：]| - |->|--|,\w|\n")


def labelled(text: str, marked: Sequence[Found] = ()) -> Iterator[Found]:
    """Stretches that a label, or a name behind them, gives to somebody else. What is `marked` already labels nothing.

    >>> list(labelled("[Bob] I live in Oslo.")), list(labelled("[Update] I live in Oslo."))
    ([(0, 21, 'label')], [])
    """
    if _SIGNS.search(text) is None:
        return
    starts = [start for start, _, _ in marked]

    def is_marked(place: int) -> bool:
        at = bisect_right(starts, place) - 1
        return at >= 0 and place < marked[at][1]

    for pattern in (_LABEL, _ALONE, _COLUMNS):
        done = 0
        for found in pattern.finditer(text):
            if found.start() >= done and not is_marked(found.start()) and not _is_own(found):
                done = paragraph_end(text, found.end())
                yield found.start(), done, "label"
    for line in _DATA.finditer(text):
        yield line.start(), line.end(), "label"
    done = 0
    for found in _SIGNED.finditer(text):
        name = found["signed"] or found["whose"]
        if found.start() < done or is_marked(found.start()) or is_country(name) or _is_item(found):
            continue
        done = found.end()
        yield paragraph_begin(text, found.start()), done, "signed"


def quotations(text: str) -> Iterator[Found]:
    """What stands between quotation marks on more than one line: a letter, a page, not what somebody calls a thing."""
    if "\n" not in text:
        return
    for found in _PAIRS.finditer(text):
        if "\n" in found[0]:
            yield found.start(), found.end(), "quotation"
    marks = [one.start() for one in re.finditer('"', text)]
    if len(marks) % 2 == 0 and len(marks) <= _MOST_MARKS:
        for start, end in zip(marks[::2], marks[1::2], strict=True):
            if "\n" in text[start:end]:
                yield start, end + 1, "quotation"


def _is_item(signed: re.Match[str]) -> bool:
    """Whether it is an item of a list: "- Milk" below "- Tea", or below a colon."""
    text, place = signed.string, signed.start()
    above = text[text.rfind("\n", 0, place) + 1 : place].strip()
    return signed[0].startswith("\n-") and (above[:1] in ("-", "*", "•") or above[-1:] in (":", "：", ""))


def _is_own(label: re.Match[str]) -> bool:
    """Whether its words are no name but what a speaker begins with himself: "Update", "Sorry"."""
    name = next((words for kind, words in label.groupdict().items() if words and kind != "marks"), None)
    if name is None:
        return False
    if f"</{name}" in label.string[label.end() :]:
        return True  # a tag
    said = plain(name)
    language = language_of(said)
    return has("first", said, language) or has("mine", said, language) or is_opener(folded(name))
