"""Check `statement`: a true quote does not make a true statement.

What a candidate says has to agree with what is quoted: the same subject, denied or not, liked or not, over or not;
every word that says something comes from the quote, its sentence, or belongs to the relation that the quote shows.
A text that does not agree is never stored: where the quote is sound the quote itself is, without a triple.

Rules:
1. What the frames read in the same words needs no other proof.
2. A word that turns, limits or weakens the quote is not left out, and none that sharpens it is added.
3. Of a language that no table knows only the quote itself is taken.
"""

import re
from dataclasses import replace
from typing import Final

from affidavit.core.candidates import Candidate, Check
from affidavit.core.memories import USER, Kind
from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.quotes import fold, stands
from affidavit.text.evidence.signs import denials, has, relation_words, signs
from affidavit.text.frames.statement import Certainty, Statement
from affidavit.write.checks.agreement import AHEAD, agrees
from affidavit.write.checks.draft import Draft, Refusal, refuse
from affidavit.write.checks.evidence import Quote
from affidavit.write.checks.relating import (
    ATTITUDES,
    belongs,
    read_by_frames,
    shown_in,
    tells_apart,
    tells_value,
)
from affidavit.write.checks.sense import Sense
from affidavit.write.checks.words import blotted, words_of

_LABEL: Final = re.compile(r"^\W*\w{1,20}:\s")
"""What stands before a sentence and is none of it: "HEARTBEAT: check your tasks"."""


def check_statement(draft: Draft) -> Refusal | None:
    """Let the draft say no more and nothing else than its quotes."""
    read = _confirmed(draft)
    if read:
        draft.confirmed, draft.said = True, replace(draft.said, beside=read.beside)
        return None
    said, quote = draft.said, draft.quotes[0]
    if said.kind is Kind.INSTRUCTION and _is_once(quote):
        hint = 'an instruction is remembered when it stands for later too ("always", "from now on")'
        return refuse(Check.STATEMENT, "only_once", hint, quote)
    if said.relation and not _shows(draft):
        draft.drop_triple()
    if not agrees(draft):
        draft.keep_quote()
    elif draft.said.relation and not _flags_agree(draft):
        draft.drop_triple()
    else:
        _settle(draft)
    return None


def check_request(draft: Draft) -> Refusal | None:
    """Refuse what asks for something: the last of the checks, so that what is asked for has been judged by then."""
    quote = draft.quotes[0]
    if draft.confirmed or draft.said.kind is Kind.INSTRUCTION or not quote.is_own or not _is_request(quote):
        return None
    hint = "what somebody shall do or be for now says nothing that holds; quote a statement"
    return refuse(Check.STATEMENT, "request", hint, quote)


def _settle(draft: Draft) -> None:
    """Keep that it corrects, stands beside others, and whether it lies ahead, only as the quote says it."""
    quote, said = draft.quotes[0], draft.said
    corrects = said.correction and has("correct", quote.passage.text, quote.language)
    tense = said.tense
    if has("future", quote.passage.quote, quote.language):
        tense = "future" if has("future", plain(said.text), quote.language) else tense
    elif tense == "future" and said.relation not in AHEAD:
        tense = "now"
    beside = has("beside", quote.passage.quote, quote.language)
    draft.said = replace(said, correction=corrects, beside=beside, tense=tense)


def _confirmed(draft: Draft) -> Statement | None:
    """The same statement, as the frames read it in the quote."""
    said = draft.said
    if len(draft.quotes) != 1 or said.certainty is not Certainty.ASSERTED:
        return None
    quote = draft.quotes[0]
    about_user = said.subject == USER and quote.is_own and quote.claimant is None
    if quote.is_foreign or not (about_user or said.subject == quote.claimant):
        return None
    for one in quote.told.read:
        same = (one.relation, one.value, one.qualifier, one.negated, one.ended, one.correction, one.tense)
        inside = quote.start <= one.start and one.end <= quote.end and one.certainty == Certainty.ASSERTED
        text = plain(one.text) if about_user else quote.passage.quote
        if same == _claimed(said) and inside and plain(said.text) == text:
            return one
    return None


def _claimed(said: Candidate) -> tuple[str | bool | None, ...]:
    qualifier = said.qualifier or ""
    return said.relation, said.object, qualifier, said.negated, said.ended, said.correction, said.tense


def _is_once(quote: Quote) -> bool:
    text, language = quote.passage.text, quote.language
    return has("once", text, language) and not has("standing", text, language)


def _is_request(quote: Quote) -> bool:
    """Whether the sentence tells the one who is spoken to what to do or to be, and says nothing of its speaker."""
    text, language = quote.passage.text, quote.language
    if has("first", text, language) or has("mine", text, language):
        return False
    opening = _LABEL.sub("", text).lstrip(" -*#>\"'¡")
    return any(start == 0 for start, _ in signs("asked_of", opening, language))


def _shows(draft: Draft) -> bool:
    """Whether the quote shows the relation and holds its value, which no word before it gives another sense."""
    said, quote = draft.said, draft.quotes[0]
    assert said.relation is not None
    if len(draft.quotes) > 1 or said.object is None or not stands(fold(quote.text), said.object):
        return False
    if said.qualifier and not stands(fold(quote.text), said.qualifier):
        return False
    sentence, language = quote.passage.text, quote.language
    told = plain(said.object)
    if not shown_in(draft, sentence) or not tells_value(said.relation, told, language):
        return False
    place = sentence.find(told)
    if said.relation == "instruction" or place < 0:
        return place >= 0
    if not tells_apart(said.relation, draft.relations, sentence, language) and not read_by_frames(draft):
        return False
    value = (place, place + len(told))
    aside = plain(said.qualifier or "")
    if not belongs(said.relation, draft.relations, sentence, language, value=value, aside=aside):
        return False
    near = [word.text for word in words_of(sentence[max(0, place - 24) : place], language)][-2:]
    denied = relation_words(said.relation, "denied", language)
    return denied.search(" ".join(near)) is None


def _flags_agree(draft: Draft) -> bool:
    """Whether the triple says what the text says."""
    said, language = draft.said, draft.quotes[0].language
    text, value = plain(said.text), plain(said.object or "")
    place = text.find(value)
    around = blotted(text, [(place, place + len(value))] if place >= 0 else [])
    sense = Sense(around, language)
    wanted = ATTITUDES.get(said.relation or "")
    if wanted is not None:
        attitude = sense.attitude()
        return attitude == (-wanted if said.negated else wanted) and said.ended == (
            sense.ended or sense.is_past
        )
    denied = bool(denials(around, language))
    return denied == said.negated and said.ended == (sense.ended or sense.is_past)


def dated_kind(draft: Draft) -> None:
    """The kind of what is kept as its quote: an instruction, preference or event only if the words are one."""
    text, language = draft.quotes[0].passage.text, draft.quotes[0].language
    kind = draft.said.kind
    sense = Sense(text, language)
    fits = {
        Kind.INSTRUCTION: draft.quotes[0].instructs,
        Kind.PREFERENCE: bool(sense.attitude()),
        Kind.EVENT: draft.said.occurred is not None,
    }
    if not fits.get(kind, True):
        draft.said = replace(draft.said, kind=Kind.FACT)
