"""Checks `authority` and `quarantine`: how far a statement may be relied on, whose it is, and what is kept apart.

Rules:
1. Authority is the minimum over the quotes and over who supplied their values.
2. Only the space's own voice has preferences there and gives instructions.
3. What others say of debts, obligations, payments, renewals and identity is theirs: they are its subject.
4. What is not authorized is worded as what somebody says, in his own words.
5. Others' instructions, and what comes from a revoked source or a quarantined episode, are kept apart.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from affidavit.core.authority import Authority, SpaceKind
from affidavit.core.candidates import Admitted, Candidate, Check
from affidavit.core.memories import USER, Kind, MemoryStatus
from affidavit.core.supports import authority_of_support
from affidavit.core.values import Status
from affidavit.text.evidence.passages import clause_end
from affidavit.text.evidence.signs import attributed, has
from affidavit.text.evidence.slots import slots_of
from affidavit.text.spans import SpanKind
from affidavit.write.checks.context import Context
from affidavit.write.checks.draft import LONGEST_TEXT, Draft, Refusal, refuse
from affidavit.write.checks.evidence import UNKNOWN, Quote, Told
from affidavit.write.checks.sense import attitude
from affidavit.write.checks.values import slots, supplied

_WIDEST: Final = 300  # characters of a sentence of others that is kept around a quote
_IDENTITY: Final = frozenset({"name", "birthday"})


def check_authority(draft: Draft, context: Context) -> Refusal | None:
    """Refuse others' preferences; make others the subject of their claims."""
    quote = draft.weakest
    own = all(one.is_own for one in draft.quotes)
    if not own:
        text = " ".join(one.passage.text for one in draft.quotes)
        said = draft.said
        liking = said.relation in ("like", "dislike", "favorite") or bool(attitude(text, quote.language))
        if said.kind is Kind.PREFERENCE or (
            liking and said.subject == USER and said.kind is not Kind.INSTRUCTION
        ):
            hint = "a preference is remembered when the user says it; quote a message of the user's"
            return refuse(Check.AUTHORITY, "not_the_users_own", hint, quote)
    _set_subject(draft, context, own=own)
    return None


def _set_subject(draft: Draft, context: Context, *, own: bool) -> None:
    """Who the statement is about: the user, a name, or whoever claims it."""
    said, quote = draft.said, draft.weakest
    if own and context.owner.kind is SpaceKind.USER:
        if draft.verbatim:
            draft.said = replace(said, subject=USER)
        return
    names = {name.casefold() for name in (context.owner.name, *context.own_names)}
    claimant = quote.claimant or UNKNOWN
    text = " ".join(one.passage.text for one in draft.quotes)
    about_money = quote.authority is Authority.UNENDORSED and has("claim", text, quote.language)
    if said.subject == claimant:
        return
    if about_money or said.relation in _IDENTITY:
        draft.drop_triple()
        draft.said = replace(draft.said, subject=claimant)
    elif said.subject == USER and not _speaks_of_user(draft, text, names):
        draft.said = replace(said, subject=claimant)


def _speaks_of_user(draft: Draft, text: str, names: set[str]) -> bool:
    """Whether somebody else's words are about the user rather than about himself."""
    language = draft.weakest.language
    if has("first", text, language):
        return False
    second = has("addressed", text, language)
    return second or has("user", text, language) or any(name in text for name in names)


def is_apart(draft: Draft, context: Context) -> bool:
    """Whether it is kept and listed, and never rendered to a model."""
    for quote in draft.quotes:
        row = quote.told.row
        if row.status == Status.QUARANTINED or row.source_id in context.revoked:
            return True
    foreign = [one for one in draft.quotes if not one.is_own]
    if not foreign:
        return False
    return draft.said.kind is Kind.INSTRUCTION or any(
        has("order", one.passage.text, one.language) for one in foreign
    )


def admitted(draft: Draft, context: Context, told: Sequence[Told]) -> Admitted:
    """What passed, in the words in which it may be stored."""
    if draft.verbatim or draft.weakest.authority is not Authority.AUTHORIZED:
        draft.quotes = [_widened(quote) for quote in draft.quotes]
    parts = [quote.authority for quote in draft.quotes]
    text = draft.said.text
    if draft.verbatim or min(parts) is not Authority.AUTHORIZED:
        text = " ".join(_attributed(quote) for quote in draft.quotes)
    for quote in draft.quotes:
        values = [quote.text[one.start : one.end] for one in slots_of(quote.text)]
        parts.extend(supplied(quote, value, told)[0] for value in values)
    found = slots(draft, text if text == draft.said.text else draft.evidence, told)
    authority = authority_of_support([*parts, *(slot.authority for slot in found)])
    weakest = draft.weakest
    return Admitted(
        candidate=replace(_as_stored(draft), text=text),
        text=text,
        parts=tuple(quote.part for quote in draft.quotes),
        authority=authority,
        said_at=max(quote.told.said_at for quote in draft.quotes),
        claimant=weakest.claimant,
        status=MemoryStatus.QUARANTINED if is_apart(draft, context) else MemoryStatus.ACTIVE,
        actor=weakest.told.row.actor,
        slots=found,
    )


def _as_stored(draft: Draft) -> Candidate:
    return replace(draft.said, parts=tuple(quote.part for quote in draft.quotes))


def _attributed(quote: Quote) -> str:
    words = " ".join(quote.text.split())
    return attributed(quote.voice, quote.claimant or "", words, quote.language)


def _widened(quote: Quote) -> Quote:
    """A quote with its sentence, so that it is not cut out of it; of a very long one to the end of its clause.

    Never into words that stand otherwise: another's, our own, secrets.
    """
    told, text = quote.told, quote.told.row.text
    start, end = quote.around
    widest = LONGEST_TEXT if quote.is_own else _WIDEST
    if end - start > widest:
        end = clause_end(text, quote.end)
    end = max(quote.end, start + len(text[start:end].rstrip(" .。")))
    if end - start > widest:
        return quote
    wide = Quote(told, start, end)
    unlike = told.marked(start, end, SpanKind.ECHO, SpanKind.MASKED) or wide.is_foreign != quote.is_foreign
    return quote if unlike else wide
