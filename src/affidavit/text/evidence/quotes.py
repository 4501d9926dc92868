"""Where a quote really stands in a text: exactly, after folding, or nearly.

Folded: letter case, runs of white space, Unicode forms, quotation marks, dashes and characters without width. A near
match only says where to look; whoever asks judges the words that stand there. A quote is whole words: "cat" does not
stand in "concatenate", nor "2" in "2,400".

Rules, each a property test: an offset found is one of the text; what stands there folds to the quote unless it is
near; nothing raises; the time grows with the length of the text.
"""

import re
import unicodedata
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from affidavit.text.lexicon.words import Script, script_of

NEAR: Final = 0.9
"""How alike a near match is at least: characters that need no change, of all."""

_MOST: Final = 64  # occurrences looked at
_LONGEST_NEAR: Final = 300  # characters of a quote that is looked for nearly
_LONGEST_WORD: Final = 64
_ANCHORS: Final = 3
_TRIES: Final = 8
_RUN: Final = re.compile(r"[!-~]+|\s+|.", re.DOTALL)
_SPACES: Final = re.compile(r"\s")
_GAP: Final = re.compile(r"\s{2,}|[\t\n\r\x0b\x0c\x1c-\x1f]")
_SINGLE: Final = dict.fromkeys("’‘ʼ＇ʹ`´‚‛′", "'")
_DOUBLE: Final = dict.fromkeys("“”„‟«»＂″「」『』〝〞", '"')
_DASH: Final = dict.fromkeys("‐‑‒–—―−﹣－", "-")
_MARKS: Final = {**_SINGLE, **_DOUBLE, **_DASH, "`": "'"}
_EDGES: Final = " \"'.,;:!?\u3002\uff0c\uff01\uff1f\u3001\u2026()[]"
_POSSESSIVE: Final = re.compile(r"['’]s(?!\w)")
_JOINERS: Final = frozenset("-'._/@+&:,")
_UNSPACED: Final = frozenset({Script.CJK, Script.UNSPACED, Script.HANGUL})


class Found(NamedTuple):
    """A stretch `[start, end)` of the text, in code points; `near` if it is only like the quote."""

    start: int
    end: int
    near: bool = False


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text, and for each of its characters where it stands in the source."""

    text: str
    places: Sequence[int]
    source: str

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the source of a stretch of the folded text that is not empty."""
        return self.places[start], self.places[end - 1] + 1


def fold(text: str) -> Folded:
    """The folded form of a text, with the way back.

    >>> fold("Don’t  Go").text
    "don't go"
    """
    if text.isascii() and _GAP.search(text) is None:
        return Folded(text.lower().replace("`", "'"), range(len(text)), text)
    folded: list[str] = []
    places = array("q")
    for run in _RUN.finditer(text):
        start, end = run.span()
        first = text[start]
        if "!" <= first <= "~":
            folded.append(run[0].lower().replace("`", "'"))
            places.extend(range(start, end))
            continue
        plain = _folded(first)
        if plain == " " and folded and folded[-1].endswith(" "):
            continue
        folded.append(plain)
        places.extend([start] * len(plain))
    return Folded("".join(folded), places, text)


@lru_cache(maxsize=16384)
def _folded(char: str) -> str:
    """One character that is not a visible ASCII one, folded; empty for what has no width."""
    mark = _MARKS.get(char)
    if mark is not None:
        return mark
    if char.isspace():
        return " "
    if unicodedata.category(char) == "Cf" or char in "\ufe0e\ufe0f":
        return ""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return _SPACES.sub(" ", "".join(_MARKS.get(c, c) for c in plain))


def locate(
    text: Folded, quote: str, *, start: object = None, end: object = None, near: bool = True
) -> list[Found]:
    """Where a quote stands, best first; empty if it does not.

    `start` and `end` are offsets somebody claims: they only choose among places where the quote stands anyway.
    `near`: whether a place counts where only something like the quote stands.

    >>> locate(fold("He said: I like  tea."), "i like tea")
    [Found(start=9, end=20, near=False)]
    """
    if isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text.source):
        there = text.source[start:end]
        if there == quote and there.strip() and is_whole(text.source, start, end):
            return [Found(start, end)]
    wanted = fold(quote).text.strip()
    found = list(_occurrences(text, wanted))
    if not found and wanted.strip(_EDGES) != wanted:
        wanted = wanted.strip(_EDGES)
        found = list(_occurrences(text, wanted))
    if found or not wanted or not near:
        return found
    alike = _near(text, wanted)
    return [alike] if alike is not None else []


def stands(text: Folded, quote: str) -> bool:
    """Whether a quote stands in a text exactly or after folding.

    >>> stands(fold("I like TEA."), "tea")
    True
    """
    wanted = fold(quote).text.strip(_EDGES)
    return next(_occurrences(text, wanted), None) is not None


def _occurrences(text: Folded, wanted: str) -> Iterator[Found]:
    if not wanted:
        return
    at = -1
    for _ in range(_MOST):
        at = text.text.find(wanted, at + 1)
        if at < 0:
            return
        start, end = text.back(at, at + len(wanted))
        if is_whole(text.source, start, end):
            yield Found(start, end)


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether a stretch that is not empty begins and ends where words do."""
    return not (_inside(text, start) or _inside(text, end))


def _inside(text: str, at: int) -> bool:
    """Whether a place lies inside a word, a number or a joined token."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if unicodedata.combining(after):
        return True
    if _is_letter(before):
        if _is_letter(after):
            return True
        if _POSSESSIVE.match(text, at):
            return False
        joined = _plain(after) in _JOINERS and at + 1 < len(text) and _is_letter(text[at + 1])
        return joined and _joins(_plain(after), before, text[at + 1])
    if _plain(before) in _JOINERS and at >= 2 and _is_letter(after) and _is_letter(text[at - 2]):
        return _joins(_plain(before), text[at - 2], after)
    return False


def _joins(mark: str, before: str, after: str) -> bool:
    """A comma or colon joins digits only."""
    return mark not in ",:" or (before.isdigit() and after.isdigit())


def _plain(char: str) -> str:
    return _MARKS.get(char, char)


def _is_letter(char: str) -> bool:
    if char.isascii():
        return char.isalnum() or char == "_"
    return (char.isalnum() or bool(unicodedata.combining(char))) and script_of(char) not in _UNSPACED


def _near(text: Folded, wanted: str) -> Found | None:
    """The stretch that is most like the quote, found from words of it that stand there unchanged."""
    if len(wanted) > _LONGEST_NEAR:
        return None
    most = int(len(wanted) * (1 - NEAR) + 1e-9)
    best: tuple[int, int, int] | None = None
    for anchor in _anchors(wanted) if most else ():
        place = wanted.find(anchor)
        at = -1
        for _ in range(_TRIES):
            at = text.text.find(anchor, at + 1)
            if at < 0:
                break
            found = _around(text.text, (at, at + len(anchor)), wanted, (place, place + len(anchor)), most)
            if found is not None and (best is None or found < best):
                best = found
    if best is None or best[1] >= best[2]:
        return None
    start, end = text.back(best[1], best[2])
    whole = _whole_words(text.source, start, end)
    return None if whole is None else Found(*whole, near=True)


def _anchors(wanted: str) -> list[str]:
    """Parts of the quote that must stand there unchanged: its longest words, or pieces where nothing is spaced."""
    words = sorted({word for word in wanted.split(" ") if len(word) > 2}, key=lambda word: (-len(word), word))
    if len(words) > 1 or (words and len(words[0]) <= 12):
        return words[:_ANCHORS]
    size = 4
    return [wanted[at : at + size] for at in (0, len(wanted) // 2, max(0, len(wanted) - size))]


def _around(
    text: str, there: tuple[int, int], wanted: str, part: tuple[int, int], most: int
) -> tuple[int, int, int] | None:
    """Changes, start and end of the best fit of a quote of which a part stands there unchanged."""
    (start, end), (first, last) = there, part
    right = _extend(wanted[last:], text[end : end + len(wanted) - last + most], most)
    if right is None:
        return None
    spare = most - right[0]
    left = _extend(wanted[:first][::-1], text[max(0, start - first - spare) : start][::-1], spare)
    if left is None:
        return None
    return left[0] + right[0], start - left[1], end + right[1]


def _extend(wanted: str, text: str, most: int) -> tuple[int, int] | None:
    """The fewest changes, up to `most`, that turn `wanted` into a beginning of `text`, and how long that is."""
    size, far = len(wanted), most + 1
    row = [j if j <= most else far for j in range(len(text) + 1)]
    for i in range(1, size + 1):
        first, last = max(1, i - most), min(len(text), i + most)
        new = [far] * (len(text) + 1)
        new[0] = min(i, far)
        for j in range(first, last + 1):
            change = row[j - 1] + (wanted[i - 1] != text[j - 1])
            new[j] = min(change, row[j] + 1, new[j - 1] + 1, far)
        row = new
    fewest = min(row)
    if fewest > most:
        return None
    # Of equal ones the longest: a word too many is judged with the rest, one that is cut off is not.
    return fewest, max(j for j, changes in enumerate(row) if changes == fewest)


def _whole_words(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The stretch grown to whole words; None if that takes more than a word's length."""
    first, last = start, end
    while _inside(text, first) and start - first <= _LONGEST_WORD:
        first -= 1
    while _inside(text, last) and last - end <= _LONGEST_WORD:
        last += 1
    return None if _inside(text, first) or _inside(text, last) else (first, last)


_HIDDEN: Final = re.compile(
    "(?<!\U0001f3f4)(?<![\U000e0000-\U000e007f])[\U000e0000-\U000e007f]+|[\u202a-\u202e\u2066-\u2069\u00ad\u200b\u2060-\u2064\ufeff]"
)


def strip_hidden(text: str) -> str:
    """The text without characters that hide or turn words: tags (but those of flags), overrides, zero width."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def has_hidden(text: str) -> bool:
    """Whether words are hidden in the text by tag characters or turned round by overrides."""
    return not text.isascii() and any(
        len(found[0]) > 3 or found[0] in "\u202d\u202e" for found in _HIDDEN.finditer(text)
    )
