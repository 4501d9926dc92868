"""The action gate: whether a tool may be called with these arguments, on the evidence there is.

Rules:

1. Every value in a protected argument is traced to memories, and so to who said it; `affidavit.answer.weighing` says
   what follows. What is named in `memory_ids` must be readable, hold now, and be authorized.
2. One reason to deny denies. One to ask asks, unless a permit covers the call, or a person confirmed exactly it.
3. A permit or a confirmation changes no label and never turns a denial.
4. A confirmation counts once, for a while, for the same tool, arguments, memories and caller, and only while nothing
   else speaks against it than when it was asked for.
5. What may not be read looks as if it were not there.
6. It is decided and written under the lock of the caller's space: of many who use one confirmation one is allowed.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from affidavit.answer.asked import Asked, Value
from affidavit.answer.reasons import REASONS, reason
from affidavit.answer.spoken import forbidden_beside, spoken_against
from affidavit.answer.tracing import Place, Sighting, Tracer, Wanted, find_places
from affidavit.answer.weighing import Weighed, weigh, weigh_memory
from affidavit.core.access import Caller, readable_owners
from affidavit.core.arguments import ArgumentKind, Tool
from affidavit.core.changes import Change
from affidavit.core.decision import ArgumentSlot, Decision, DecisionReason, Verdict
from affidavit.core.gate_changes import Confirmed, Decided
from affidavit.core.gates import ACTION_GATE, DecisionRow
from affidavit.core.ids import DECISION
from affidavit.core.permits import covers
from affidavit.core.roles import is_of_another
from affidavit.core.standing import Holds, Why
from affidavit.core.values import json_text
from affidavit.core.when import MINUTE, rfc3339
from affidavit.store.protocol import Entropy, Reads, Store, View
from affidavit.text.lang.relations import Relation
from affidavit.text.questions.sought import Sought

CONFIRM_WITHIN: Final = 10 * MINUTE
"""How long an `ask` can be confirmed, in microseconds."""
MOST_PLACES: Final = 1_000
"""Versions that a value may stand in; what stands in more of them tells nothing apart."""
_KEY_BYTES: Final = 32


class _Found(NamedTuple):
    """Where the values stand, as far as the logs of the spaces were read."""

    places: dict[str, set[Place]]
    read: dict[str, int]


class _Reason(NamedTuple):
    """A reason as it is told, and what of it is stored: its code, the kind of the value, the version."""

    told: DecisionReason
    stored: tuple[str, str, str]


class _Judged(NamedTuple):
    """What speaks for and against it, and the versions that decided."""

    reasons: list[_Reason]
    slots: list[ArgumentSlot]
    versions: set[str]

    def add(self, code: str, by: Sighting | None = None, value: Value | None = None, **about: str) -> None:
        """A further reason, about a value, resting on a version."""
        if value is not None:
            about |= {"argument": value.argument, "value": value.text}
        version = "" if by is None else by.place.version
        kind = "" if value is None else value.kind
        self.reasons.append(_Reason(reason(code, **(about | _evidence(by))), (code, kind, version)))

    def of(self, verdict: Verdict) -> list[_Reason]:
        """The reasons that lead there."""
        return [one for one in self.reasons if REASONS[one.told.code].verdict is verdict]


class ActionGate:
    """Decides about actions, and writes down what it decided."""

    def __init__(
        self,
        store: Store,
        tools: Mapping[str, Tool],
        *,
        entropy: Entropy,
        relations: Mapping[str, Relation],
    ) -> None:
        self._store = store
        self._tools = tools
        self._entropy = entropy
        self._relations = relations

    def check(self, caller: Caller, **what: object) -> Decision:
        """The decision, which stands in the ledger when this returns. `what`: see `Asked.of`; raises as that does."""
        asked = Asked.of(caller, self._tools, **what)
        space_id = self._store.open_space(asked.caller.owner).space_id
        sought = asked.sought()
        with self._store.snapshot() as reads:
            found = self._find(reads, asked, sought, _Found({name: set() for name in sought}, {}))
        key = self._entropy(_KEY_BYTES)
        made: list[Decision] = []

        def prepared(view: View) -> Sequence[Change]:
            known = self._find(view, asked, sought, found)
            judged = self._judge(view, asked, sought, known)
            decision, changes = self._decide(view, asked, judged, key)
            made[:] = [decision]
            return changes

        self._store.commit(space_id, prepared)
        return made[0]

    def _find(self, reads: Reads, asked: Asked, sought: Mapping[str, Sought], found: _Found) -> _Found:
        """Look for the values in what was recorded since `found`, so that little is left to do under the lock."""
        places = {name: set(known) for name, known in found.places.items()}
        read = dict(found.read)
        for owner in readable_owners(asked.caller):
            head = reads.find_space(owner)
            if head is not None and head.size != read.get(head.space_id):
                after = read.get(head.space_id, 0) - 1
                for name, new in find_places(reads, head.space_id, sought, after=after).items():
                    places[name] |= new
                read[head.space_id] = head.size
        return _Found(places, read)

    # -- judging

    def _judge(self, view: View, asked: Asked, sought: Mapping[str, Sought], found: _Found) -> _Judged:
        tracer, judged = Tracer(view, self._relations, view.now), _Judged([], [], set())
        if asked.tool is not None and not asked.registered:
            judged.add("unregistered_tool")
        if asked.protects and asked.is_bare:
            judged.add("no_values")
        if asked.memory_ids is not None:
            _judge_memories(tracer, asked.memory_ids, list(found.read), judged)
        receivers = [one.text for one in asked.values if one.kind is ArgumentKind.RECIPIENT]
        weighed: dict[tuple[str, ArgumentKind], Weighed] = {}
        for value in asked.values:
            known = value.key, value.kind
            if known not in weighed:
                wanted = Wanted(sought[value.key], value.kind)
                weighed[known] = _weigh(view, tracer, found.places[value.key], wanted)
            code, by = weighed[known]
            judged.slots.append(_slot(value, by))
            if by is not None:
                judged.versions.add(by.place.version)
            if code is not None:
                judged.add(code, by, value)
            elif by is not None and is_of_another(value.kind, by.row.relation, by.row.qualifier, receivers):
                judged.add("other_role", by, value)
        return judged

    # -- deciding

    def _decide(self, view: View, asked: Asked, judged: _Judged, key: bytes) -> tuple[Decision, list[Change]]:
        changes: list[Change] = []
        confirmed, trouble = _confirmation(view, asked, judged.of(Verdict.ASK))
        if trouble is not None:
            judged.add(trouble)
        verdict = Verdict.DENY if judged.of(Verdict.DENY) else Verdict.ALLOW
        if verdict is Verdict.ALLOW and confirmed is not None:
            changes.append(Confirmed(id=confirmed))
            judged.add("confirmed", source=confirmed)
        elif verdict is Verdict.ALLOW and judged.of(Verdict.ASK):
            permit = _permit(view, asked, judged.of(Verdict.ASK))
            verdict = Verdict.ASK if permit is None else Verdict.ALLOW
            if permit is not None:
                judged.add("permitted", source=permit)
        row = DecisionRow(
            id=view.new_id(DECISION),
            outcome=verdict,
            gate=ACTION_GATE,
            tool=asked.tool,
            request=asked.hash(key),
            reasons=json_text(sorted({one.stored for one in judged.reasons})),
            rests_on=json_text(sorted(judged.versions)),
            expires=view.now + CONFIRM_WITHIN if verdict is Verdict.ASK else None,
            token=hashlib.sha256(key).digest(),
            decided_at=view.now,
        )
        return _decision(row, judged, key), [*changes, Decided(row=row)]


def _weigh(reads: Reads, tracer: Tracer, places: set[Place], wanted: Wanted) -> Weighed:
    """Judge one value by the versions it stands in."""
    if len(places) > MOST_PLACES:
        return Weighed("too_common", None)
    seen = tracer.look(places, wanted)
    weighed = weigh(seen, tracer.fell_at)
    if weighed.code is None and weighed.by is not None:
        # What puts one version in doubt does so for all that were made of the same words.
        alike = [weighed.by, *(one for one in seen if one.current and _same_words(one, weighed.by))]
        if any(spoken_against(reads, one, wanted) for one in alike):
            return Weighed("doubted", weighed.by)
    if (
        weighed.code == "other_role"
        and weighed.by is not None
        and forbidden_beside(reads, weighed.by, wanted)
    ):
        return Weighed("doubted", weighed.by)
    return weighed


def _same_words(one: Sighting, other: Sighting) -> bool:
    """Whether another version was made of the message that this one rests on."""
    if one is other or one.word is None or other.word is None:
        return False
    return one.word.source == other.word.source


def _judge_memories(
    tracer: Tracer, memory_ids: Sequence[str], spaces: Sequence[str], judged: _Judged
) -> None:
    """Judge the memories that were named."""
    if not memory_ids:
        judged.add("no_memories")
    for memory_id in dict.fromkeys(memory_ids):
        places = [Place(space, one) for space in spaces for one in tracer.versions(space, memory_id)]
        if not places:
            judged.add("unknown_memory", memory_id=memory_id)
        for seen in tracer.look(places):
            judged.versions.add(seen.place.version)
            code = weigh_memory(seen).code
            if code is not None:
                judged.add(code, seen)


def _confirmation(view: View, asked: Asked, asking: Sequence[_Reason]) -> tuple[str | None, str | None]:
    """The decision that was confirmed for exactly this; or the code of what is wrong with the confirmation."""
    if asked.confirmation is None:
        return None, None
    decision_id, _, digits = asked.confirmation.partition(".")
    row = view.decisions(view.space_id, [decision_id]).get(decision_id)
    try:
        key = bytes.fromhex(digits)
    except ValueError:
        key = b""
    known = row is not None and (row.gate, row.outcome) == (ACTION_GATE, Verdict.ASK)
    if row is None or not known or not hmac.compare_digest(hashlib.sha256(key).digest(), row.token or b""):
        return None, "confirmation_unknown"
    if row.confirmed_at is not None:
        return None, "confirmation_used"
    if row.expires is None or row.expires <= view.now:
        return None, "confirmation_expired"
    if not hmac.compare_digest(asked.hash(key), row.request or b""):
        return None, "confirmation_other"
    before = {tuple(one) for one in json.loads(row.reasons)}
    if not {one.stored for one in asking} <= before:
        return None, "confirmation_outdated"
    return row.id, None


def _permit(view: View, asked: Asked, asking: Sequence[_Reason]) -> str | None:
    """The permit that covers it, if one does."""
    permits = view.permits(view.space_id, tool=asked.tool) if asked.tool is not None else []
    unproven = {one.told.argument for one in asking if one.told.argument is not None}
    call = asked.tool, asked.arguments, asked.leaves, view.now
    return next((one.id for one in permits if covers(one, *call, unproven=unproven)), None)


def _decision(row: DecisionRow, judged: _Judged, key: bytes) -> Decision:
    """The decision as it is told."""
    against = [one.told for one in judged.of(Verdict.DENY) or judged.of(Verdict.ASK)]
    told = [one.told for one in judged.reasons]
    first = {Verdict.ALLOW: judged.of(Verdict.ALLOW), Verdict.DENY: judged.of(Verdict.DENY)}
    reasons = [one.told for one in first.get(Verdict(row.outcome), [])]
    open_now = against if row.outcome != Verdict.ALLOW else []
    return Decision(
        id=row.id,
        outcome=Verdict(row.outcome),
        reasons=(*reasons, *(one for one in told if one not in reasons)),
        missing=tuple(dict.fromkeys(one.argument or one.memory_id or one.code for one in open_now)),
        suggested_action=REASONS[open_now[0].code].action if open_now else None,
        slots=tuple(judged.slots),
        expires_at=None if row.expires is None else rfc3339(row.expires),
        key=key.hex(),
    )


def _slot(value: Value, by: Sighting | None) -> ArgumentSlot:
    return ArgumentSlot(
        argument=value.argument,
        kind=value.kind,
        value=value.text,
        memory_id=None if by is None else by.place.version,
        source=None if by is None or by.word is None else by.word.source,
        authority=None if by is None or by.word is None else by.word.authority,
    )


def _evidence(by: Sighting | None) -> dict[str, Any]:
    """What a reason shows of a version; what is kept apart is never shown to a model."""
    if by is None:
        return {}
    word = by.word
    hidden = by.standing.holds is Holds.FENCED and by.why is Why.QUARANTINED
    return {
        "memory_id": by.place.version,
        "source": None if word is None else word.source,
        "quote": None if word is None or hidden else word.quote,
        "authority": None if word is None else word.authority,
    }
