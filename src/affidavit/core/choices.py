"""What a language model may choose where structure leaves a statement open. Pure; it holds whatever the model says.

A model is asked how a new statement stands to memories near it: ADD, UPDATE, DELETE or NOOP, by short aliases. It only
points: what may become of a statement and a memory follows from these rules, and nothing happens without both keys, the
model's choice and the rule. `affidavit.core.following` applies them under the lock, to what is there by then.

1. What structure decides (the same text; a relation with one value; the same subject, relation and object) is not
   asked, and no choice changes it. Without a choice, and where one is refused, the statement is added.
2. A statement bears on a memory as its words do (`affidavit.text.evidence.bearings`), and only on one that is
   believed and holds, of the same subject and sort, asserted like it, and not said again since. Else nothing is
   permitted. What ends something does so in the whole sentence that it quotes: a text may have left out "on Mondays".
3. NOOP: only where both say the same word for word, the speaker is the same, and nothing would rise. It is a support.
4. UPDATE: where the statement says the memory's words and more of them, denies or turns them, or names it as what it
   takes the place of. It becomes the next version, if it may touch (`affidavit.core.chains.may_touch`).
5. DELETE: where the statement denies, turns or takes the place of it. Then it is an UPDATE: the statement stays, as the
   next version. A DELETE that names no statement is tried with those that are added beside it.
6. What may not touch, what is of an event, and what denies and goes on ("not on Mondays") closes nothing: both stay,
   with a conflict.
7. One statement closes one memory. What it contradicts besides stays beside it, with a conflict.
8. An alias that was not given, an operation that is none, or two that exclude each other are refused by themselves; the
   others go on. Their order, and saying them twice, makes no difference. What is beyond the bounds is not looked at.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from affidavit.core.candidates import Admitted
from affidavit.core.jsonable import Result

MOST_OPERATIONS: Final = 200
"""Operations of one reply that are looked at."""
_MOST_TOLD: Final = 50


class Op(StrEnum):
    """What a model may choose of a statement."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    NOOP = "NOOP"


class Operation(NamedTuple):
    """One operation as a model put it: nothing about it is believed."""

    op: str
    candidate: str
    memory: str


class Choice(NamedTuple):
    """A choice whose aliases are known: what to do of a statement and a version."""

    op: Op
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overruled(Result):
    """A choice of a model that the rules did not permit: the statement was added as if it had not been made.

    `op` is what was chosen, `text` the statement it was about and `version` the memory, each where it is known. `code`
    is stable and in `docs/concepts.md`; `hint` says what would have been permitted.
    """

    op: str
    code: str
    hint: str
    text: str | None = None
    version: str | None = None


HINTS: Final[Mapping[str, str]] = {
    "unknown_alias": "a choice names a statement and a memory by the aliases that were given",
    "unknown_operation": "a choice is ADD, UPDATE, DELETE or NOOP",
    "contradictory": "one choice at a time is made of a statement and a memory",
    "too_many": f"at most {MOST_OPERATIONS} operations are looked at",
    "decided": "what structure decides is not asked",
    "not_current": "a choice is about a memory that is believed and holds; this one changed meanwhile",
    "said_since": "only a later word takes the place of a memory",
    "another_subject": "a statement touches only memories of the same subject and sort",
    "says_something_else": "only what says the same, by the same speaker, counts as known",
    "does_not_replace": "a statement takes a memory's place if it denies it, names it as replaced, or says all of it",
    "does_not_end": "a memory ends by a statement that denies it or names it as replaced",
    "lower_authority": "only a word of as much authority takes the place of a memory",
}
"""Why a choice may be refused, by code."""


def overruled(op: str, code: str, one: Admitted | None = None, version: str | None = None) -> Overruled:
    """A refusal in words."""
    return Overruled(
        op=op, code=code, hint=HINTS[code], text=None if one is None else one.text, version=version
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model was asked about: statements and versions by their aliases, each once, and what is near what."""

    statements: Mapping[str, Admitted] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    near: Mapping[str, Collection[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen of each statement, and what of it is refused before anything is looked up."""

    made: Mapping[Admitted, tuple[Choice, ...]] = field(default_factory=dict)
    refused: tuple[Overruled, ...] = ()

    def of(self, one: Admitted) -> tuple[Choice, ...]:
        """What was chosen of a statement."""
        return self.made.get(one, ())


NO_CHOICES: Final = Choices()
"""Nothing was asked: structure alone decides."""


def choices(operations: Sequence[Operation], asked: Asked) -> Choices:
    """What these operations choose. Takes anything; see rule 8."""
    refused: dict[Overruled, None] = {}
    pairs: dict[tuple[str, str], set[Op]] = {}
    for operation in operations[:MOST_OPERATIONS]:
        op, code = _op(operation, asked)
        if op is None:
            refused[overruled(op or _named(operation.op), code)] = None
        elif op is not Op.ADD:
            pairs.setdefault((operation.candidate, operation.memory), set()).add(op)
    if len(operations) > MOST_OPERATIONS:
        refused[overruled("", "too_many")] = None
    made: dict[Admitted, set[Choice]] = {}
    for (alias, memory), ops in pairs.items():
        version = asked.versions[memory]
        statements = [asked.statements[alias]] if alias else _added(asked, pairs, memory)
        for one in statements:
            if Op.NOOP in ops and len(ops) > 1:
                refused.update(dict.fromkeys(overruled(op, "contradictory", one, version) for op in ops))
            else:
                # DELETE of what is added beside it is an UPDATE.
                made.setdefault(one, set()).add(Choice(min(ops, key=_strictest), version))
        if not statements:
            refused[overruled(Op.DELETE, "does_not_end", None, version)] = None
    ordered = {one: tuple(sorted(made[one])) for one in asked.statements.values() if one in made}
    told = sorted(refused, key=lambda one: (one.code, one.op, one.version or "", one.text or ""))
    return Choices(ordered, tuple(told[:_MOST_TOLD]))


def _op(operation: Operation, asked: Asked) -> tuple[Op | None, str]:
    """The operation, or why it is none."""
    op = next((one for one in Op if one == operation.op), None)
    if op is None:
        return None, "unknown_operation"
    known = operation.candidate in asked.statements or (op is Op.DELETE and not operation.candidate)
    if not known or (op is not Op.ADD and operation.memory not in asked.versions):
        return None, "unknown_alias"
    return op, ""


def _named(op: str) -> str:
    """The operation's name, where it is one of ours: a model's own words are shown to nobody."""
    return op if op in set(Op) else ""


def _added(asked: Asked, pairs: Iterable[tuple[str, str]], memory: str) -> list[Admitted]:
    """The statements near a memory of which nothing but ADD was chosen."""
    chosen = {alias for alias, _ in pairs}
    near = {alias for alias, memories in asked.near.items() if memory in memories}
    return [one for alias, one in asked.statements.items() if alias in near - chosen]


def _strictest(op: Op) -> int:
    return [Op.DELETE, Op.UPDATE, Op.NOOP, Op.ADD].index(op)
