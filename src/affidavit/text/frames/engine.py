"""What a user states about himself, by frames: no model, no guess.

A frame is a few ways to say one relation; the tables under `lang/` spell them, and this engine knows no language.
message → sentences of the user's own (`affidavit.text.frames.clauses`) → clauses → refuse → frame → value and time
(`affidavit.text.frames.reading`) → `Statement`. A clause has to be understood to its end, and in doubt nothing is
taken. Precision and silence matter here, not recall: what is not understood stays to be found as it was said.

Rules, each a property test: a statement's clause and value are slices of the text; nothing of it lies in a refused
stretch; nothing raises; no letter case makes a statement surer.
"""

import re
from collections.abc import Sequence
from typing import Final

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import has, language_of, takes_back
from affidavit.text.frames.clauses import LONGEST_MESSAGE, Sentence, quoted, talk
from affidavit.text.frames.line import Line, Moment
from affidavit.text.frames.playing import hands_over
from affidavit.text.frames.reading import Reader
from affidavit.text.frames.statement import Statement
from affidavit.text.frames.taking import Taken
from affidavit.text.lang.openers import is_opener
from affidavit.text.lang.tables import Table, tables
from affidavit.text.view import View, own_length, view
from affidavit.text.whose.lines import paragraph_end

_REORDERS: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_MOST: Final = 200  # statements of one message
_MARKS: Final = " ,;:.!-–—()\"'“”*，。！"
_BEHIND: Final = 4  # words that do nothing but tell whose words stood before them
_LED: Final = re.compile(r"\W*\(\w+\)\W*|\W*(?:<|&lt;).*", re.DOTALL)
"""A name in brackets, or a mark of a page, before what is stated."""
_TURN: Final = 80  # characters of a sentence that undoes the one before it


def statements_in(
    text: str, *, refused: Sequence[tuple[int, int]] = (), anchor: int, offset: int | None
) -> list[Statement]:
    """What the speaker of a message states about himself, in order; at most 200 statements. Never raises.

    `refused`: stretches that are not the speaker's own words; they are not read. `anchor`: when it was said, UTC
    microseconds; `offset`: minutes east of UTC of the speaker's local time, None for UTC.

    >>> [s.text for s in statements_in("I live in Lisbon now.", anchor=0, offset=None)]
    ['The user lives in Lisbon.']
    """
    if own_length(text, refused) > LONGEST_MESSAGE:
        return []
    return _statements(view(text, refused), Moment(anchor, offset or 0))[:_MOST]


def is_stated(sentence: str) -> bool:
    """Whether a sentence states something of its speaker, whenever it is said.

    >>> is_stated("I live in Rome."), is_stated("My sister sent me this.")
    (True, False)
    """
    return bool(statements_in(sentence, anchor=0, offset=None))


def _statements(seen: View, moment: Moment) -> list[Statement]:
    known = tables()
    gated = [table for table in known if table.gate.search(seen.text)]
    if not gated:
        return []
    said, stated, last, open_ = quoted(seen.text), list[Statement](), list[Taken](), False
    handed = 0
    for sentence in talk(seen, known):
        if sentence.start < handed:
            continue
        told = seen.text[sentence.start : sentence.end]
        if _is_turned_round(seen, sentence) or (sentence.hangs and open_):
            # What a line begins that is not understood, the next one may end: "If they pay / I live in Rome".
            open_ = True
            continue
        found = _taken_in(seen, sentence, gated, said, moment)
        if not found and hands_over(told):
            # As far as an empty line: where else the other text ends nobody can tell.
            handed = paragraph_end(seen.text, sentence.end)
        open_ = not found and not is_opener(told)
        if found:
            stated += (one.statement for one in last)
            last = found
        elif takes_back(told):
            stated, last = [], []
        elif last and sentence.hangs and _goes_on(seen, sentence, known):
            last = []
        elif last and sentence.end - sentence.start <= _TURN:
            # Whoever takes back does so in the language in which he said it.
            [table] = (one for one in known if one.code == last[-1].statement.language)
            last = Reader(Line(seen, sentence, table, said, moment)).left(last)
    return [*stated, *(one.statement for one in last)]


def _taken_in(
    seen: View, sentence: Sentence, gated: Sequence[Table], said: Sequence[tuple[int, int]], moment: Moment
) -> list[Taken]:
    """What one sentence states, in whatever language, in order; each relation at a place once."""
    found: dict[tuple[int, str], Taken] = {}
    for table in gated:
        for one in _of_sentence(seen, sentence, table, said, moment):
            found.setdefault((one.statement.start, one.statement.relation), one)
    taken = [found[place] for place in sorted(found)]
    return [] if _is_anothers(seen, sentence, taken, gated) else taken


def _goes_on(seen: View, sentence: Sentence, known: Sequence[Table]) -> bool:
    """Whether a line that the one before it did not close takes back what that says: "… / if I were paid"."""
    return any(table.refuse.search(seen.text, sentence.start, sentence.end) for table in known)


def _is_anothers(seen: View, sentence: Sentence, found: Sequence[Taken], known: Sequence[Table]) -> bool:
    """Whether a sentence gives what it states to somebody else, before or behind it."""
    if not found:
        return False
    first, last = seen.back(sentence.start, sentence.end)
    before = seen.source[first : min(one.statement.start for one in found)]
    behind = seen.source[max(one.statement.end for one in found) : last]
    if _LED.fullmatch(before) or any(table.led.search(before.casefold()) for table in known):
        return True
    said = plain(behind).strip(_MARKS)
    language = language_of(said)
    # "I guess" is the speaker's own doubt, and judged as that.
    reported = has("report", said, language) and not has("first", said, language)
    return reported and len(said.split()) <= _BEHIND


def _is_turned_round(seen: View, sentence: Sentence) -> bool:
    """Whether characters that reorder a line stand in its words: a reader sees others."""
    first, last = seen.back(sentence.start, sentence.end)
    line = seen.source.rfind("\n", 0, first) + 1
    return _REORDERS.search(seen.source, line, last) is not None


def _of_sentence(
    seen: View, sentence: Sentence, table: Table, said: Sequence[tuple[int, int]], moment: Moment
) -> list[Taken]:
    """What one sentence states in one language."""
    if not table.gate.search(seen.text, sentence.start, sentence.end):
        return []
    return Reader(Line(seen, sentence, table, said, moment)).taken()
