"""Check `statement`: a true quote does not make a true statement.

A model words what it read as it likes, and by rules nobody can tell a true paraphrase from a false one. Rules:

1. What the frames read in the quote is kept in their words, whatever the candidate's are.
2. Else the text is kept only where it equals the sentence that is quoted, but for whose voice it is; if it does not,
   the sentence itself is kept, with who said it (`affidavit.write.checks.saying`).
3. A triple that the frames did not read is kept only where it is all that the sentence says of its speaker, and says it
   with the same polarity, attitude and time. What others say is told in their words, so there the triple alone decides.
4. An instruction for this one time, and what asks or bids for something, are refused.
"""

import re
from dataclasses import replace
from typing import Final

from affidavit.core.authority import Authority
from affidavit.core.candidates import Candidate, Check
from affidavit.core.memories import USER, Kind
from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.quotes import fold, stands
from affidavit.text.evidence.signs import denials, has, relation_words, signs
from affidavit.text.frames.statement import Certainty, Statement
from affidavit.write.checks.draft import Draft, Refusal, refuse
from affidavit.write.checks.evidence import Quote
from affidavit.write.checks.relating import (
    ATTITUDES,
    belongs,
    shown_in,
    tells_apart,
    tells_value,
)
from affidavit.write.checks.saying import AHEAD, says_no_more, says_the_same
from affidavit.write.checks.sense import Sense
from affidavit.write.checks.words import blotted, words_of

_LABEL: Final = re.compile(r"^\W*\w{1,20}:\s")
"""What stands before a sentence and is none of it: "HEARTBEAT: check your tasks"."""


def check_statement(draft: Draft) -> Refusal | None:
    """Let the draft say no more and nothing else than its quotes."""
    read = _read(draft)
    if read is not None:
        draft.confirmed, draft.said = True, _as_read(draft, read)
        return None
    said, quote = draft.said, draft.quotes[0]
    if said.kind is Kind.INSTRUCTION and _is_once(quote):
        hint = 'an instruction is remembered when it stands for later too ("always", "from now on")'
        return refuse(Check.STATEMENT, "only_once", hint, quote)
    # What others say is told in their words, whatever text is proposed.
    claimed = draft.weakest.authority is not Authority.AUTHORIZED
    told = says_the_same(draft) or (claimed and said.relation is not None)
    if not told:
        draft.keep_quote()
    elif said.relation and not (says_no_more(draft) and _shows(draft) and _flags_agree(draft)):
        draft.keep_quote() if claimed else draft.drop_triple()
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


def _read(draft: Draft) -> Statement | None:
    """The same of the same one, as the frames read it in the quote."""
    said = draft.said
    if len(draft.quotes) != 1 or said.certainty is not Certainty.ASSERTED:
        return None
    quote = draft.quotes[0]
    about_user = said.subject == USER and quote.is_own and quote.claimant is None
    if quote.is_foreign or not (about_user or said.subject == quote.claimant):
        return None
    claimed = (said.relation, said.object, said.negated, said.ended)
    for one in quote.told.read:
        # A clip that holds the value is of the clause that the frames read.
        holds = quote.start <= one.object_start and one.object_end <= quote.end
        inside = quote.start <= one.start and one.end <= quote.end
        same = (one.relation, one.value, one.negated, one.ended) == claimed
        if same and (holds or inside) and one.certainty == Certainty.ASSERTED:
            draft.quotes[0] = Quote(quote.told, min(quote.start, one.start), max(quote.end, one.end))
            return one
    return None


def _as_read(draft: Draft, read: Statement) -> Candidate:
    """The candidate as the frames read it: their words for it, and whatever else they say of it."""
    said, quote = draft.said, draft.quotes[0]
    own = said.subject == USER and quote.claimant is None
    corrects = said.correction and has("correct", quote.passage.text, quote.language)
    return replace(
        said,
        text=read.text if own else quote.text,
        qualifier=read.qualifier or None,
        correction=read.correction or corrects,
        beside=read.beside,
        tense=read.tense,
    )


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
    if not tells_apart(said.relation, draft.relations, sentence, language):
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
    text, value = plain(draft.quotes[0].sentence), plain(said.object or "")
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
