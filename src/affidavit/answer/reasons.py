"""Why the action gate asks or denies, in words that hold nothing of what was stored or given; and what to do."""

from typing import Any, Final, NamedTuple

from affidavit.core.decision import DecisionReason, Verdict
from affidavit.core.standing import Why


class Because(NamedTuple):
    """What a reason leads to, how it is said, and what to do about it."""

    verdict: Verdict
    text: str
    action: str


_SAY = "have the user say it himself, and remember that"
REASONS: Final = {
    "no_memories": Because(
        Verdict.DENY, "no memory is named that it rests on", "name the memories it rests on"
    ),
    "unknown_memory": Because(
        Verdict.DENY, "there is no such memory", "look it up with search or recall, and name one that is there"
    ),
    Why.QUARANTINED: Because(
        Verdict.DENY, "it rests on what is in quarantine", "have the user endorse that, if it is true"
    ),
    Why.RETRACTED: Because(Verdict.DENY, "it rests on what was retracted", _SAY),
    "revoked": Because(Verdict.DENY, "it rests on a source that was revoked", _SAY),
    Why.SUPERSEDED: Because(
        Verdict.DENY, "it rests on what was true before, and another value holds now", "use the current value"
    ),
    Why.CORRECTED: Because(Verdict.DENY, "it rests on what was corrected", "use the corrected value"),
    "expired": Because(Verdict.DENY, "it rests on what holds no more", f"{_SAY}, if it still holds"),
    Why.ARCHIVED: Because(Verdict.DENY, "it rests on what is archived", _SAY),
    Why.NOT_YET: Because(Verdict.DENY, "it rests on what does not hold yet", "wait until it does"),
    "unregistered_tool": Because(
        Verdict.ASK, "the tool is not registered", "ask the user; register the tool with `tools`"
    ),
    "no_values": Because(
        Verdict.ASK, "none of the arguments is given that would have to be traced", "give the arguments of the call"
    ),
    "unknown_value": Because(Verdict.ASK, "the value stands in no memory", "ask the user whether it is right"),
    "too_common": Because(
        Verdict.ASK, "the value stands in so many memories that it names nothing", "ask the user whether it is right"
    ),
    "other_role": Because(
        Verdict.ASK, "it stands in a memory that says something else of it than what the argument holds",
        "ask the user whether it is right",
    ),
    "low_authority": Because(
        Verdict.ASK, "it rests on less than the user's own word", "ask the user; he may endorse it"
    ),
    "not_asserted": Because(Verdict.ASK, "it was said with a doubt, or denied", "ask the user"),
    "stale": Because(Verdict.ASK, "it may have changed since it was said", "ask the user; he may confirm it"),
    "conflict": Because(
        Verdict.ASK, "something that counts as much contradicts it", "ask the user; he may resolve it"
    ),
    "contested": Because(
        Verdict.ASK, "it still stands in one memory, and another with it holds no more", "ask the user"
    ),
    "doubted": Because(
        Verdict.ASK, "something that was said later speaks against it", "ask the user; have him say what holds now"
    ),
    "confirmation_unknown": Because(Verdict.ASK, "the confirmation is none of this user's", "ask again"),
    "confirmation_used": Because(Verdict.ASK, "the confirmation was used before", "ask again"),
    "confirmation_expired": Because(Verdict.ASK, "the confirmation has expired", "ask again"),
    "confirmation_other": Because(
        Verdict.ASK, "the confirmation is for another tool, other arguments or another caller", "ask again"
    ),
    "confirmation_outdated": Because(
        Verdict.ASK, "what speaks against it has changed since it was confirmed", "ask again"
    ),
    "confirmed": Because(Verdict.ALLOW, "it was confirmed", ""),
    "permitted": Because(Verdict.ALLOW, "a permit covers it", ""),
}  # fmt: skip
"""Every reason by its code."""

_CODES: Final = {Why.INVALIDATED: "revoked", Why.ENDED: "expired", Why.LAPSED: "expired"}


def code_of(why: Why) -> str:
    """The code for what does not hold."""
    return _CODES.get(why, why.value)


def reason(code: str, **about: Any) -> DecisionReason:
    """A reason with our words for it."""
    return DecisionReason(code=code, text=REASONS[code].text, **about)
