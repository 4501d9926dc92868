"""Checks `certainty` and `echo`: only what is said for sure is remembered, and nothing that we said ourselves.

A doubt, a wish that is no statement, a question, somebody's report, a role that is played: the sentence decides, not
the words that were cut out of it.
"""

import re
from typing import Final

from affidavit.core.candidates import Check
from affidavit.core.memories import Kind
from affidavit.text.evidence.passages import Passage, plain, segments
from affidavit.text.evidence.signs import has, is_inverted, joints, signs, takes_back, without
from affidavit.text.frames.playing import line_of
from affidavit.text.frames.statement import Certainty
from affidavit.text.sentences import stretches
from affidavit.text.spans import SpanKind
from affidavit.text.whose.turns import speaker_of_line
from affidavit.write.checks.draft import Draft, Refusal, refuse
from affidavit.write.checks.evidence import Quote

_ASKING: Final = re.compile("[?？؟]")
_ASKING_WORD: Final = re.compile(r"[吗嗎]\W*$")
_ALONE: Final = 3  # words of a clause that holds nothing but a doubt
_AHEAD: Final = 600
"""Characters behind a quote in which it may be taken back."""
_MARKED: Final = re.compile(
    r"""(?<![\w])"[^"\n]{2,600}"|“[^”\n]{2,600}”|«[^»\n]{2,600}»|「[^」\n]{2,600}」|(?<![\w])'(?=\w)[^'\n]{2,300}'(?!\w)|`[^`\n]{2,600}`"""
)
_HINTS: Final = {
    "hedged": "only what is said for sure is remembered; quote a sentence without doubt",
    "hypothetical": "only what is said to be so is remembered; quote a sentence without a condition or a role",
    "question": "a question states nothing; quote a statement",
    "reported": "quote what the speaker says himself, not what he says that somebody said",
}


def check_certainty(draft: Draft) -> Refusal | None:
    """Refuse what is less sure than a statement."""
    if draft.said.certainty is not Certainty.ASSERTED:
        code = str(draft.said.certainty)
        return refuse(Check.CERTAINTY, code, _HINTS[code], draft.quotes[0])
    for quote in draft.quotes:
        code_found = _doubt(quote, draft.said.kind)
        if code_found is not None:
            return refuse(Check.CERTAINTY, code_found, _HINTS[code_found], quote)
    return None


def check_echo(draft: Draft) -> Refusal | None:
    """Refuse what repeats context that was rendered for a model."""
    for quote in draft.quotes:
        if quote.told.marked(quote.start, quote.end, SpanKind.ECHO):
            hint = "this repeats memory that was shown to a model; quote what was said anew"
            return refuse(Check.ECHO, "echo", hint, quote)
    return None


def _doubt(quote: Quote, kind: Kind) -> str | None:
    passage, language = quote.passage, quote.language
    text = passage.text
    if _asks(passage, language):
        return "question"
    if _played(quote) or has("irony", text, language) or _taken_back(quote):
        return "hypothetical"
    told = kind is Kind.INSTRUCTION and quote.instructs
    if not told and has("hypothesis", text, language) and not _only_wishes(text, language):
        return "hypothetical"
    if _hedged(passage, language):
        return "hedged"
    if quote.told.is_given_out(quote.start) or (
        quote.is_own and (_reported(passage, language) or _in_marks(quote) or _is_anothers_turn(quote))
    ):
        return "reported"
    return None


def _hedged(passage: Passage, language: str) -> bool:
    """Whether a doubt stands before the quote, in its clause, or alone behind it: "I live here, I think"."""
    text, end = passage.text, len(passage.before) + len(passage.quote)
    for start, last in segments(text, joints(language)):
        part = text[start:last]
        if has("hedge", part, language) and (start < end or len(part.split()) <= _ALONE):
            return True
    return has("hedge", text[:end], language)


def _only_wishes(text: str, language: str) -> bool:
    """Whether "would" stands only in "would like"."""
    found = signs("hypothesis", text, language)
    wishes = [
        one
        for one in signs("wish", text, language)
        if "would" in text[one[0] : one[1]] or "gust" in text[one[0] : one[1]]
    ]
    return not without(found, wishes)


def _asks(passage: Passage, language: str) -> bool:
    """Whether the quote is what is asked: its clause ends in a question mark, or begins as a question."""
    text = passage.text
    start, end = len(passage.before), len(passage.before) + len(passage.quote)
    parts = segments(text, joints(language))
    mine = [one for one in parts if one[1] > start and one[0] < end]
    if not mine:
        return False
    first, last = mine[0][0], mine[-1][1]
    ahead = text[first:start].strip(" ¿\"'")
    opening = text[first:].lstrip(" ¿\"'-*")
    if (ahead and any(s == 0 for s, _ in signs("ask", ahead, language))) or is_inverted(opening, language):
        return True
    if _ASKING.search(passage.quote) is not None or _asks_inside(text[first:last], language):
        return True
    if text.rfind("¿", 0, end) > text.rfind("?", 0, end):
        return True
    mark = _ASKING.search(text, end) or _ASKING_WORD.search(text, end)
    if mark is None:
        return _ASKING_WORD.search(passage.quote) is not None
    if any(s == 0 for s, _ in signs("ask", opening, language)) and not ahead:
        return True
    later = [text[max(one[0], last) : one[1]] for one in parts if one[1] > last and one[0] < mark.start()]
    said = [one for one in later if one.strip(" ?？吗嗎")]
    return not said or all(has("tag", f" {one.strip()} ", language) and len(one.split()) <= 3 for one in said)


def _asks_inside(clause: str, language: str) -> bool:
    """Whether a clause asks by a word that may stand anywhere in it."""
    return bool(without(signs("ask_inside", clause, language), signs("unasked", clause, language)))


def _played(quote: Quote) -> bool:
    """Whether a role, a text to translate or an example was announced before, or in the sentence."""
    if not quote.told.is_own:
        return False
    text = quote.told.row.text
    line = line_of(text, quote.start)
    if quote.told.plays.is_behind(line) or quote.told.plays.is_handed(line, quote.start):
        return True
    return has(
        "play", plain(text[line : quote.start]) + quote.passage.quote + quote.passage.behind, quote.language
    )


def _taken_back(quote: Quote) -> bool:
    """Whether a sentence behind says that it was not meant: "I live in Oslo. Just kidding!"."""
    behind = quote.told.row.text[quote.end : quote.end + _AHEAD]
    return quote.is_own and any(takes_back(behind[start:end]) for start, end in stretches(behind))


def _reported(passage: Passage, language: str) -> bool:
    """Whether somebody else's words or thoughts are given."""
    ahead = passage.before + passage.quote
    own = signs("told", ahead, language)
    found = without(signs("report", ahead, language), own)
    first = [end for _, end in signs("first", ahead, language)]
    for start, end in found:
        # "I say", "I know": the speaker's own. "He thinks so, but I live here" is over with "but".
        mine = any(0 <= start - before <= 2 for before in first)
        if not mine and not has("contrast", ahead[end:], language):
            return True
    return False


def _is_anothers_turn(quote: Quote) -> bool:
    """Whether the line says that another one has the word, and the quote's "I" is him."""
    text = quote.told.row.text
    line = line_of(text, quote.start)
    speaker = speaker_of_line(text[line : quote.end])
    if speaker is None or not has("first", quote.passage.quote, quote.language):
        return False
    return speaker not in {plain(name) for name in quote.names}


def _in_marks(quote: Quote) -> bool:
    """Whether the quote stands inside quotation marks."""
    text = quote.told.row.text
    first, last = max(0, quote.start - 600), min(len(text), quote.end + 600)
    first = text.rfind("\n", first, quote.start) + 1 or first
    for found in _MARKED.finditer(text, first, last):
        if found.start() < quote.start + 1 and found.end() > quote.end - 1:
            return True
    return False
