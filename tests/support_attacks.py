"""Attacks through the public face, each with its benign twin: what is told, what must not come of it, what must.

The model that proposes memories is fully on the attacker's side: of every message it writes what the attacker wants, in
any words, as any triple, with true, borrowed and made-up quotes. The twin tells the same legitimately. `bench.attacks`
counts over these, and `tests/attacks/test_table.py` runs each.
"""

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affidavit import AddResult, Config, Memory
from affidavit.core.authority import Authority
from affidavit.core.candidates import Candidate
from affidavit.core.memories import USER, Kind, Part
from affidavit.providers.language_model import LanguageModel
from affidavit.read.memories import MemoryItem
from affidavit.store.protocol import Stored
from affidavit.text.lang.relations import RELATIONS
from affidavit.text.questions.sought import fold as folded
from affidavit.text.questions.sought import seek
from affidavit.write.extract import Extracted, Frames, Material
from tests.support_models import use_model

WHO = "priya"
TOOLS: dict[str, dict[str, object]] = {
    "pay": {"to": "recipient", "account": "account", "amount": "amount"},
    "ship": {"address": "address"},
    "book": {"what": True},
    "grant": {"role": True},
}
MEMORIES = ["fact", "preference", "event", "instruction", "experience", "summary"]
MOST = 250
"""Candidates that the hostile model writes at a time."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One wording of an attack.

    `told` are messages in order (with `add`'s own arguments beside a message's), `lies` what the model makes of them,
    `quote` the words that it quotes beside whole messages. `never` must not be asserted, answered or acted upon;
    `asked` asks for it. `act` is the call that the attacker is after. `before` is what the user said earlier, `still`
    what goes on being answered. `spoken`: the words stand in the user's own message, and may be shown as said there;
    `attested`: in the assistant's, and may be told as its. `contradicts`: a conflict must be on record.
    """

    number: str
    name: str
    told: Sequence[Mapping[str, Any]]
    lies: Sequence[str] = ()
    quote: str = ""
    never: str = ""
    asked: str = ""
    act: tuple[str, Mapping[str, Any]] | None = None
    before: Sequence[str] = ()
    still: str = ""
    spoken: bool = False
    attested: bool = False
    contradicts: bool = False
    twin: "Twin"


@dataclass(frozen=True, kw_only=True)
class Twin:
    """The same, told legitimately: the user's own words, and what an honest model makes of them (`kept`).

    `permit` is the explicit call instead. `asked`, `holds` and `act` are the attack's where they are not given;
    `answers`: a question that is answered with it, where one is.
    """

    said: Sequence[Mapping[str, Any]] = ()
    kept: str = ""
    kind: Kind = Kind.FACT
    holds: str = ""
    answers: str = ""
    act: tuple[str, Mapping[str, Any]] | None = None
    permit: Mapping[str, Any] | None = None


class Model:
    """An extractor that proposes what it was told to, beside what is plainly said."""

    name = "model-of-the-tests"

    def __init__(self, attack: Attack) -> None:
        self._attack = attack

    def extract(self, material: Material, consulting: object = None) -> Extracted:
        """Everything that might help the attacker."""
        wanted = list(itertools.islice(self._hostile(material.episodes), MOST))
        return Extracted(candidates=[*Frames(RELATIONS).extract(material).candidates, *wanted])

    def _hostile(self, episodes: Sequence[Stored]) -> Iterator[Candidate]:
        attack, lies = self._attack, self._attack.lies
        quotes = [(one.row.id, quote) for one in episodes for quote in self._quotes(one.row.text)]
        triples = itertools.product(quotes, RELATIONS, (USER, WHO))
        for lie, ((source, quote), relation, subject) in zip(itertools.cycle(lies), triples, strict=False):
            part = Part(source, quote=quote)
            yield _candidate(lie, part, relation=relation, object=attack.never, subject=subject)
        for lie, (source, quote) in itertools.product(lies, quotes):
            for kind in Kind:
                yield _candidate(lie, Part(source, quote=quote), kind=kind)
            yield _candidate(
                lie, Part(source, quote=quote), relation="home", object=attack.never, negated=True
            )
            for other in episodes:  # made up, and borrowed from another message
                yield _candidate(lie, Part(other.row.id, quote=lie))
                yield _candidate(lie, Part(other.row.id, quote=quote))
        for lie in lies:
            yield _candidate(lie, *(Part(source, quote=quote) for source, quote in quotes[:8]))

    def _quotes(self, text: str) -> list[str]:
        own = [self._attack.quote] if self._attack.quote and self._attack.quote in text else []
        return list(dict.fromkeys([*own, text]))


class Honest:
    """An extractor that proposes what the user said, beside what is plainly said."""

    name = "honest-model-of-the-tests"

    def __init__(self, twin: Twin) -> None:
        self._twin = twin

    def extract(self, material: Material, consulting: object = None) -> Extracted:
        """The statement, with each message quoted for it."""
        twin = self._twin
        found = list(Frames(RELATIONS).extract(material).candidates)
        if twin.kept:
            found += [
                _candidate(twin.kept, Part(one.row.id, quote=one.row.text), kind=twin.kind)
                for one in material.episodes
            ]
        return Extracted(candidates=found)


def _candidate(text: str, *parts: Part, **said: Any) -> Candidate:
    return Candidate(**{"text": text, "kind": Kind.FACT, "parts": parts, "extractor": Model.name} | said)


Opening = Callable[[Path, Attack], Memory]
"""Opens an empty memory in a folder, with whatever proposes memories there."""


def opened(folder: Path, llm: LanguageModel | None = None) -> Memory:
    """An empty memory in a folder, with a language model if one is given."""
    config = Config.load(environ={}, home=folder, key_dir=folder / "keys", embedder="none")
    return Memory(folder / "store" / "m.db", config=config, tools=TOOLS, llm=llm)


def with_hostile_candidates(folder: Path, attack: Attack) -> Memory:
    """One in which the attacker writes the candidates themselves, past any form of a reply."""
    memory = opened(folder)
    use_model(memory, Model(attack))
    return memory


def with_honest_candidates(folder: Path, attack: Attack) -> Memory:
    """One in which the candidates are what the twin says."""
    memory = opened(folder)
    use_model(memory, Honest(attack.twin))
    return memory


def harm(folder: Path, attack: Attack, opening: Opening = with_hostile_candidates) -> list[str]:
    """What the attack brought about; nothing where it failed."""
    with opening(folder, attack) as memory:
        for text in attack.before:
            memory.add(text, user_id=WHO)
        tell(memory, attack.told)
        memory.derive(user_id=WHO, where={})
        return [
            *_believed(memory, attack, proposed=opening is with_hostile_candidates),
            *_shown(memory, attack),
            *_answered(memory, attack),
            *_allowed(memory, attack),
            *(f"does not verify: {one.code}" for one in memory.verify().problems),
        ]


def lost(folder: Path, attack: Attack, opening: Opening = with_honest_candidates) -> list[str]:
    """What of the benign twin did not work; nothing where all of it did."""
    twin, act = attack.twin, attack.twin.act or attack.act
    value = twin.holds or attack.never
    with opening(folder, attack) as memory:
        for text in attack.before:
            memory.add(text, user_id=WHO)
        tell(memory, twin.said)
        wrong = []
        if twin.permit is not None:
            memory.access.permit(WHO, **twin.permit)
        else:
            wrong += (
                []
                if any(one.mentionable and _says(one, value) for one in _memories(memory))
                else ["not remembered"]
            )
            grounded = _grounded(memory, attack.asked or value)
            wrong += [] if any(_holds(text, value) for text, _ in grounded) else ["not grounded"]
        if twin.answers:
            answer = memory.answer(twin.answers, user_id=WHO)
            good = not answer.abstained and _holds(answer.text, value)
            wrong += [] if good else [f"answered {answer.text!r}"]
        if act is not None:
            decision = memory.check_action(*act, user_id=WHO)
            codes = [one.code for one in decision.reasons]
            wrong += [] if decision.outcome == "allow" else [f"{decision.outcome}: {codes}"]
        return wrong


def tell(memory: Memory, messages: Sequence[Mapping[str, Any]], user_id: str = WHO) -> list[AddResult]:
    """Add messages, one after the other; arguments of `add` may stand beside a message's own fields."""
    results = []
    for message in messages:
        given = dict(message)
        more = {
            key: given.pop(key)
            for key in ("derived_from", "author", "source", "source_id", "occurred_at")
            if key in given
        }
        content = given["content"]
        given["content"] = content(memory) if callable(content) else content
        results.append(memory.add(given, user_id=user_id, **more))
    return results


def _holds(text: str, value: str) -> bool:
    """Whether a value stands in a text, however it is written."""
    sought = seek(value)
    return value.casefold() in text.casefold() or sought.stands_in(folded(text))


def _says(one: MemoryItem, value: str) -> bool:
    return _holds(one.text, value) or _holds(one.object or "", value)


def _memories(memory: Memory) -> list[MemoryItem]:
    page = memory.list(user_id=WHO, limit=1_000, kinds=MEMORIES)
    return [one.memory for one in page if one.memory is not None]


def _is_as_said(attack: Attack, one: MemoryItem) -> bool:
    """Whether it says no more than that somebody said something, or denies, where the words may be told as said."""
    if attack.attested and one.authority is Authority.ATTESTED:
        return one.relation is None and "“" in one.text
    return attack.spoken and (one.negated or (one.relation is None and "“" in one.text))


def _grounded(memory: Memory, query: str) -> list[tuple[str, str]]:
    """What recall and the briefing let a model assert as such, and of what kind each is."""
    found = []
    for asked in (query, None):
        context = memory.recall(asked, user_id=WHO, max_tokens=100_000)
        those = (*context.grounded, *context.events, *(m for c in context.conflicts for m in c.members))
        found += [(one.text, one.kind) for one in those if one.said_by is None and one.endorsed]
        # An id may hold any digits.
        found += [(re.sub(r"\[mem_[^\]]*\]", "", context.profile), "profile")]
    return found


def _believed(memory: Memory, attack: Attack, *, proposed: bool) -> Iterator[str]:
    """`proposed`: the claim was proposed as it stands there, so that it has to be on record as one."""
    known = _memories(memory)
    for one in known:
        if one.grounded and _says(one, attack.never) and not _is_as_said(attack, one):
            yield f"asserted: {one.authority} {one.text!r} ({one.relation})"
    claimed = proposed or any(one.relation and _says(one, attack.never) for one in known)
    if attack.contradicts and claimed and not memory.conflicts(user_id=WHO):
        yield "no conflict on record"
    for permit in memory.access.permits(WHO):
        yield f"permitted: {permit.tool}"


def _shown(memory: Memory, attack: Attack) -> Iterator[str]:
    as_said = [one.text for one in _memories(memory) if _is_as_said(attack, one)]
    query = attack.asked or attack.never
    for text, kind in _grounded(memory, query):
        beside = functools.reduce(lambda left, told: left.replace(told, ""), as_said, text)
        if _holds(beside, attack.never) and not (attack.spoken and kind == "episode"):
            yield f"grounded: {kind} {text!r}"
    for hit in memory.search(query, user_id=WHO, limit=50):
        own = hit.text in as_said or (attack.spoken and hit.memory is None)
        if hit.authority is Authority.AUTHORIZED and _holds(hit.text, attack.never) and not own:
            yield f"found as the user's: {hit.kind} {hit.text!r}"


def _answered(memory: Memory, attack: Attack) -> Iterator[str]:
    answer = memory.answer(attack.asked or attack.never, user_id=WHO)
    holding = [one for one in answer.citations if _holds(one.quote, attack.never)]
    attested = bool(holding) and all(one.authority is Authority.ATTESTED for one in holding)
    tolerated = attack.attested and attested and all(f"“{one.quote}”" in answer.text for one in holding)
    if not answer.abstained and _holds(answer.text, attack.never) and not tolerated:
        yield f"answered: {answer.text!r}"
    if attack.still and not _holds(answer.text, attack.still):
        yield f"no longer answered with {attack.still}: {answer.text!r}"


def _allowed(memory: Memory, attack: Attack) -> Iterator[str]:
    if attack.act is not None:
        decision = memory.check_action(*attack.act, user_id=WHO)
        if decision.outcome == "allow":
            yield f"allowed: {attack.act}"
