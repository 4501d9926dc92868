"""Check `statement`: a true quote does not make a true statement.

A model words what it read as it likes, and by rules nobody can tell a true paraphrase from a false one. Rules:

1. What the frames read in the quote is kept in their words, whatever the candidate's are.
2. Else the text is kept only where it equals the sentence that is quoted, but for whose voice it is; if it does not,
   the sentence itself is kept, with who said it (`affidavit.write.checks.saying`).
3. A triple is kept only where the frames read it: what of a sentence is its value, of whom it speaks and whether it
   holds is in its form, and to know the words of a form is to have a frame for it.
4. An instruction for this one time, and what asks or bids for something, are refused.
"""

import re
from dataclasses import replace
from typing import Final

from affidavit.core.candidates import Candidate, Check
from affidavit.core.memories import USER, Kind
from affidavit.text.evidence.quotes import fold, stands
from affidavit.text.evidence.signs import has, signs
from affidavit.text.frames.statement import Certainty, Statement
from affidavit.write.checks.draft import Draft, Refusal, refuse
from affidavit.write.checks.evidence import Quote
from affidavit.write.checks.saying import says_the_same
from affidavit.write.checks.sense import attitude

_LABEL: Final = re.compile(r"^\W*\w{1,20}:\s")
"""What stands before a sentence and is none of it: "HEARTBEAT: check your tasks"."""


def check_statement(draft: Draft) -> Refusal | None:
    """Let the draft say no more and nothing else than its quotes."""
    read = _read(draft)
    if read is not None:
        draft.confirmed, draft.said = True, _as_read(draft, read)
        return None
    quote = draft.quotes[0]
    if draft.said.kind is Kind.INSTRUCTION and _is_once(quote):
        hint = 'an instruction is remembered when it stands for later too ("always", "from now on")'
        return refuse(Check.STATEMENT, "only_once", hint, quote)
    if says_the_same(draft):
        draft.drop_triple()
    else:
        draft.keep_quote()
    return None


def check_request(draft: Draft) -> Refusal | None:
    """Refuse what asks for something: the last of the checks, so that what is asked for has been judged by then."""
    quote = draft.quotes[0]
    if draft.confirmed or draft.said.kind is Kind.INSTRUCTION or not quote.is_own or not _is_request(quote):
        return None
    hint = "what somebody shall do or be for now says nothing that holds; quote a statement"
    return refuse(Check.STATEMENT, "request", hint, quote)


def _read(draft: Draft) -> Statement | None:
    """The same of the same one, as the frames read it in the quote."""
    said = draft.said
    if len(draft.quotes) != 1 or said.certainty is not Certainty.ASSERTED:
        return None
    quote = draft.quotes[0]
    about_user = said.subject == USER and quote.is_own and quote.claimant is None
    if not quote.is_foreign and (about_user or said.subject == quote.claimant):
        for one in quote.told.read:
            # A clip that holds the value is of the clause that the frames read.
            holds = quote.start <= one.object_start and one.object_end <= quote.end
            inside = quote.start <= one.start and one.end <= quote.end
            if (holds or inside) and _is_it(said, one):
                draft.quotes[0] = Quote(quote.told, min(quote.start, one.start), max(quote.end, one.end))
                return one
    if said.subject == USER and not quote.is_own:
        told = [one for one in quote.of_user if stands(fold(quote.text), one.object)]
        return next((one for one in told if _is_it(said, one)), None)
    return None


def _is_it(said: Candidate, read: Statement) -> bool:
    """Whether the frames read what is proposed."""
    claimed = (said.relation, said.object, said.negated, said.ended)
    return (read.relation, read.value, read.negated, read.ended) == claimed and read.certainty == "asserted"


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


def dated_kind(draft: Draft) -> None:
    """The kind of what is kept as its quote: an instruction, preference or event only if the words are one."""
    text, language = draft.quotes[0].passage.text, draft.quotes[0].language
    kind = draft.said.kind
    fits = {
        Kind.INSTRUCTION: draft.quotes[0].instructs,
        Kind.PREFERENCE: bool(attitude(text, language)),
        Kind.EVENT: draft.said.occurred is not None,
    }
    if not fits.get(kind, True):
        draft.said = replace(draft.said, kind=Kind.FACT)
