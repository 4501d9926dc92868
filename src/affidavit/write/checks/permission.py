"""Check `permission`: what lets something happen in the world is never a memory, whoever says it.

An instruction says how to speak or to work. A permission lets pay, send, delete, sign, share, or skip a check; there
is an explicit call for it. So are credentials and roles: a memory is no place for either.
"""

from typing import Final

from affidavit.core.candidates import Check
from affidavit.core.memories import Kind
from affidavit.text.evidence.passages import plain, segments
from affidavit.text.evidence.signs import denials, has, joints, signs, without
from affidavit.text.spans import SpanKind
from affidavit.write.checks.draft import Draft, Refusal, refuse

_HINT: Final = (
    "no memory lets an agent act; give a permission with `access.permit(user_id, tool, limit, until)`"
)
_LOGINS: Final = "secrets and logins are never remembered; keep them where your program keeps its keys"
_NEAR: Final = 60  # characters between a word that permits and what it permits
_BARE: Final = frozenset({"can", "may", "puede", "pueden", "可以", "darf", "peut", "pode", "può"})


def check_permission(draft: Draft) -> Refusal | None:
    """Refuse permissions and credentials in a candidate's text, its quotes and their sentences."""
    language = draft.quotes[0].language
    for quote in draft.quotes:
        if quote.told.marked(quote.start, quote.end, SpanKind.MASKED):
            return refuse(Check.PERMISSION, "credential", _LOGINS, quote)
    said = draft.said
    own = " ".join(filter(None, (said.text, said.object, said.qualifier)))
    texts = [plain(own), *(quote.passage.text for quote in draft.quotes)]
    if "[secret:" in own:
        return refuse(Check.PERMISSION, "credential", _LOGINS, draft.quotes[0])
    instructs = said.kind is Kind.INSTRUCTION
    if any(permits(text, language, instructs=instructs) for text in texts):
        return refuse(Check.PERMISSION, "permission", _HINT, draft.quotes[0])
    return None


def permits(text: str, language: str = "en", *, instructs: bool = False) -> bool:
    """Whether a plain text lets something happen in the world.

    `instructs`: whether it is meant as an instruction, so that "forward all mails" is one.

    >>> permits("you may pay invoices under 500"), permits("you may call me sam")
    (True, False)
    """
    if has("permission", text, language):
        return True
    standing = instructs or has("standing", text, language)
    for start, end in segments(text, joints(language)):
        part = text[start:end]
        if _grants(part, language) or _bypasses(part, language) or _approves(part, language):
            return True
        if standing and (_orders(part, language) or _obeys(part, language)):
            return True
    return False


def _grants(part: str, language: str) -> bool:
    """A word that permits, and behind it what happens in the world: "you may pay"."""
    acts = without(signs("act", part, language), signs("speech", part, language))
    if not acts:
        return False
    first = [end for _, end in signs("first", part, language)]
    for start, end in signs("grant", part, language):
        mine = part[start:end] in _BARE and any(0 <= start - one <= 2 for one in first)
        anywhere = "behalf" in part[start:end] or "name" in part[start:end] or "nombre" in part[start:end]
        if mine or _is_denied(part, start, language):
            continue
        for act, _ in acts:
            if (
                (anywhere or act >= end)
                and abs(act - end) <= _NEAR
                and not _denied_between(part, end, act, language)
            ):
                return True
    return False


def _approves(part: str, language: str) -> bool:
    """Says of payments and the like, of all or of somebody's, that they are fine: "payments to Ben are ok"."""
    deals = signs("deal", part, language)
    if not deals:
        return False
    against = denials(part, language)
    return any(
        not any(last <= start for _, last in against) and any(abs(start - deal) <= _NEAR for deal, _ in deals)
        for start, _ in signs("approved", part, language)
    )


def _obeys(part: str, language: str) -> bool:
    """A standing order to do what somebody else says: "always do what Ben says"; not "do as I say"."""
    for _, end in signs("obey", part, language):
        for start, _ in signs("bidding", part, language):
            between = part[end:start]
            if start >= end and not has("first", between, language) and not has("mine", between, language):
                return not denials(part, language)
    return has("obedience", part, language) and not denials(part, language)


def _is_denied(part: str, place: int, language: str) -> bool:
    """Whether a denial stands right before a place, or right behind the word there ("you can't")."""
    return any(0 <= place - end <= 2 for _, end in denials(part, language))


def _denied_between(part: str, start: int, end: int, language: str) -> bool:
    return any(start <= first and last <= end for first, last in denials(part, language))


def _bypasses(part: str, language: str) -> bool:
    """Leave out a check: "skip the approval", "without asking me first"; not "never pay without asking"."""
    guards = signs("guard", part, language)
    if not guards:
        return False
    against = denials(part, language)
    for start, end in signs("bypass", part, language):
        word = part[start:end]
        turned = any(last <= start for _, last in against) and not word.startswith(("no ", "don't", "do not"))
        if turned:
            continue
        if any(0 <= guard - end <= _NEAR or start <= guard < end for guard, _ in guards):
            return True
    return False


def _orders(part: str, language: str) -> bool:
    """An order, by nobody about himself, and no prohibition: "always approve refunds"."""
    acts = without(signs("order_act", part, language), signs("speech", part, language))
    if not acts:
        return False
    first = acts[0][0]
    who = signs("first", part, language) + signs("person", part, language)
    if any(start < first for start, _ in who):
        return False
    return not any(start < first for start, _ in denials(part, language))
