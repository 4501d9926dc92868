"""`Decision`: what a gate answers. One type for actions, facts, tasks and shares."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from affidavit.core.access import Caller
from affidavit.core.arguments import ArgumentKind
from affidavit.core.authority import Authority
from affidavit.core.jsonable import Result
from affidavit.core.values import json_text


class Verdict(StrEnum):
    """What a gate answers: go ahead, ask a person first, or don't."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionReason(Result):
    """One reason of a decision.

    `code` is stable and listed in `docs/python.md`; `text` says it in our words, without any of the caller's. Where the
    reason is about a value: the argument it stands in, the value, the version of a memory it rests on, the episode
    that this goes back to, the quote there and how far that may be relied on.
    """

    code: str
    text: str
    argument: str | None = None
    value: str | None = None
    memory_id: str | None = None
    source: str | None = None
    quote: str | None = None
    authority: Authority | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentSlot(Result):
    """A value in a protected argument, and what it rests on: a version, an episode, an authority; None: nothing."""

    argument: str
    kind: ArgumentKind
    value: str
    memory_id: str | None = None
    source: str | None = None
    authority: Authority | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Result):
    """What a gate decided; an entry of the ledger has the same id.

    `missing` names what would have to be there, `suggested_action` the next thing to do. `key` is the secret under
    which the ledger holds what was asked; it is kept nowhere else. An `ask` can be confirmed until `expires_at`.
    """

    id: str
    outcome: Verdict
    reasons: tuple[DecisionReason, ...] = ()
    missing: tuple[str, ...] = ()
    suggested_action: str | None = None
    slots: tuple[ArgumentSlot, ...] = ()
    expires_at: str | None = None
    key: str = field(repr=False)

    @property
    def accepted(self) -> bool:
        """Whether it may happen."""
        return self.outcome is Verdict.ALLOW

    @property
    def confirmation(self) -> str | None:
        """The token with which a person's yes is given, once, for exactly this; None unless the outcome is `ask`."""
        return f"{self.id}.{self.key}" if self.outcome is Verdict.ASK else None

    def to_dict(self) -> dict[str, Any]:
        """The decision as JSON-ready values, with `accepted` and `confirmation`."""
        return {**Result.to_dict(self), "accepted": self.accepted, "confirmation": self.confirmation}


def request_hash(
    key: bytes,
    caller: Caller,
    tool: str | None,
    arguments: Mapping[str, Any],
    memory_ids: Sequence[str] | None,
) -> bytes:
    """The keyed hash of what was asked: another tool, argument, memory or caller gives another one."""
    asked = [tool, arguments, memory_ids, caller.user_id, caller.agent_id, caller.team_id]
    return hmac.digest(key, json_text(asked).encode("utf-8", "surrogatepass"), hashlib.sha256)
