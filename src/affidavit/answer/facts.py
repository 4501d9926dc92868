"""What memories of one subject and one relation say to a question. Pure.

Rules:

1. Only what is grounded at the time asked about is said of that time. Of what held before, what held is said.
2. The highest authority speaks. Two of the same that disagree about the one value there can be are a conflict.
3. Yes or no is said where a statement says exactly that, or where the value asked about is known to have ended; else
   what is known is quoted, and no more. Whether it ever was so is answered yes from what held, and never no.
4. "Before X" is what held last before X began. What ended, with nothing in its place, is answered as ended.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from affidavit.answer.counts import counted
from affidavit.answer.findings import Finding, Says, distinct
from affidavit.core.authority import Authority
from affidavit.core.memories import Kind
from affidavit.core.standing import Holds, Why
from affidavit.read.memories import MemoryItem
from affidavit.text.evidence.likeness import same_form
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import Relation, family
from affidavit.text.questions.asking import Asking
from affidavit.text.questions.covering import holds_all
from affidavit.text.questions.question_words import Wanted, kindred


class Facts(NamedTuple):
    """What may be said, if anything; what others claim about the same."""

    finding: Finding | None
    claims: tuple[MemoryItem, ...]


def look_up(asking: Asking, items: Sequence[MemoryItem], relations: Mapping[str, Relation]) -> Facts:
    """What these versions, all of the asked relation or its opposite, say."""
    about = [one for one in items if _is_asked(asking, one)]
    claims = tuple(
        one
        for one in about
        if one.authority is Authority.UNENDORSED and one.holds is Holds.CURRENT and not one.grounded
    )
    said = [one for one in about if one.authority > Authority.UNENDORSED and one.evidence]
    said = [one for one in said if one.certainty is Certainty.ASSERTED and one.holds is not Holds.FENCED]
    relation = relations.get(asking.relation or "")
    functional = relation is not None and relation.functional
    if asking.before is not None:
        return Facts(_before(asking, said), claims)
    if asking.wanted is Wanted.TRUTH:
        return Facts(_truth(asking, said, functional=functional), claims)
    return Facts(_values(asking, said, functional=functional), claims)


def _is_asked(asking: Asking, item: MemoryItem) -> bool:
    if asking.qualifier and not _same_kind(asking, item.qualifier or ""):
        return False
    told = " ".join([item.text, *(quote.text for quote in item.evidence)])
    if asking.about and not holds_all(told, asking.about, exact=asking.language == "es"):
        return False
    return not asking.cue or any(holds_all(told, cue) for cue in asking.cue)


def _same_kind(asking: Asking, qualifier: str) -> bool:
    """Whether two words for what a value is of mean the same: "brother", "brothers"; "mum", "mother"."""
    mine, its = same_form(asking.qualifier), same_form(qualifier)
    if mine == its or any({mine, its} <= group for group in kindred(asking.language)):
        return True
    return bool(its) and (holds_all(its, mine) or holds_all(mine, its))


def _current(asking: Asking, said: Iterable[MemoryItem]) -> list[MemoryItem]:
    """What holds at the time asked about; of what happens, also what is over."""
    return [
        one
        for one in said
        if (one.grounded and not is_some_day(one))
        or (one.kind is Kind.EVENT and one.holds is Holds.HISTORY and one.why in {Why.LAPSED, Why.ENDED})
    ]


def is_some_day(item: MemoryItem) -> bool:
    """A plan without a time: it holds at no instant."""
    return item.kind is not Kind.EVENT and item.valid.start is None and item.valid.end is None


def says_no_value(asking: Asking, item: MemoryItem, relations: Mapping[str, Relation]) -> bool:
    """Whether it denies the one value there can be, where no relation is asked for: "my number is not 555"."""
    relation = relations.get(item.relation or "")
    one = relation is not None and relation.functional and asking.relation is None
    return one and item.negated and asking.wanted is not Wanted.TRUTH


def _agrees(asking: Asking, item: MemoryItem) -> bool:
    """Whether it says that the asked relation holds: "I don't like X" says that X is disliked."""
    return (item.relation == asking.relation) != item.negated


def _values(asking: Asking, said: Sequence[MemoryItem], *, functional: bool) -> Finding | None:
    current = _current(asking, said)
    positive = _highest([one for one in current if _agrees(asking, one)])
    if not positive:
        ended = [one for one in current if one.relation == asking.relation and one.negated]
        return Finding(Says.QUOTE, (_latest(ended),)) if ended else None
    if asking.wanted is Wanted.NUMBER and asking.object:
        return counted(asking, positive)
    if asking.wanted is Wanted.DATE and not functional:
        ahead = distinct(one for one in positive if one.kind is Kind.EVENT and one.holds is Holds.CURRENT)
        several = sorted(ahead, key=_when)
        if len(several) > 1:
            # Which of them is meant nobody can tell: each is told as it was said.
            return Finding(Says.QUOTE, tuple(several))
    if functional or asking.relation == "instruction" or asking.wanted is Wanted.DATE:
        return _one_value(positive, functional=functional)
    return Finding(Says.VALUES, tuple(distinct(positive)))


def _one_value(positive: Sequence[MemoryItem], *, functional: bool) -> Finding:
    latest = _latest(positive)
    rivals = [
        one
        for one in positive
        if functional
        and not _alike(one.object or "", latest.object or "")
        and set(one.conflicts) & set(latest.conflicts)
    ]
    return Finding(Says.CONFLICT, (latest, *rivals)) if rivals else Finding(Says.VALUES, (latest,))


def _truth(asking: Asking, said: Sequence[MemoryItem], *, functional: bool) -> Finding | None:
    current = _current(asking, said)
    if not asking.object:
        return _anything(asking, current)
    same = _highest([one for one in current if _alike(asking.object, one.object or "")])
    yes = [one for one in same if _agrees(asking, one)]
    past = [one for one in said if one.holds is Holds.HISTORY and _alike(asking.object, one.object or "")]
    past = [one for one in past if _agrees(asking, one)]
    if (asking.ever or asking.past) and not yes:
        return _of_any_time(past, same)
    if same:
        return Finding(Says.YES, (_latest(yes),)) if yes else Finding(Says.NO, (_latest(same),))
    others = _highest([one for one in current if _agrees(asking, one) and functional])
    if others:
        return Finding(Says.NO if past else Says.QUOTE, (_latest(others),))
    near = [
        one for one in current if holds_all(one.object or "", asking.object) or _same_kind_of(asking, one)
    ]
    return Finding(Says.QUOTE, tuple(near)) if near else None


def _of_any_time(past: Sequence[MemoryItem], denied: Sequence[MemoryItem]) -> Finding | None:
    """Whether it ever was so. What is so today says nothing of what was: there is no "no" to that."""
    if past:
        return Finding(Says.YES, (_latest(past),))
    return Finding(Says.QUOTE, (_latest(denied),)) if denied else None


def _same_kind_of(asking: Asking, item: MemoryItem) -> bool:
    """A dog with a name is one: "do I have a dog?"."""
    return bool(item.qualifier) and holds_all(item.qualifier or "", asking.object)


def _anything(asking: Asking, current: Sequence[MemoryItem]) -> Finding | None:
    positive = _highest([one for one in current if _agrees(asking, one)])
    if positive:
        return Finding(Says.YES, tuple(distinct(positive)))
    return Finding(Says.QUOTE, tuple(distinct(current))) if current else None


def _before(asking: Asking, said: Sequence[MemoryItem]) -> Finding | None:
    """What held last before the value that is named, or before the one that holds."""
    held = [one for one in said if one.relation == asking.relation and not one.negated]
    held = [one for one in held if one.holds is not Holds.FUTURE]
    if asking.before:
        named = [one for one in held if _alike(asking.before, one.object or "")]
    else:
        named = [one for one in held if one.holds is Holds.CURRENT]
        if not named:
            return Finding(Says.VALUES, (max(held, key=_when),)) if held else None
    if not named:
        return None
    after = min(named, key=_when) if asking.before and len(named) == 1 else max(named, key=_when)
    earlier = [
        one for one in held if _when(one) < _when(after) and not _alike(one.object or "", after.object or "")
    ]
    return Finding(Says.VALUES, (max(earlier, key=_when), after)) if earlier else None


def _when(item: MemoryItem) -> tuple[int, int]:
    """From when it held; where nobody knows, until when."""
    bounds = [one for one in (item.valid.start, item.valid.end) if one is not None]
    start = item.valid.start
    return (start if start is not None else min(bounds, default=0) - 1, item.seq)


def _latest(items: Sequence[MemoryItem]) -> MemoryItem:
    return max(items, key=_when)


def _highest(items: Sequence[MemoryItem]) -> list[MemoryItem]:
    top = max((one.authority.rank for one in items), default=0)
    return [one for one in items if one.authority.rank == top]


def _alike(one: str, other: str) -> bool:
    """Whether two words for a value mean the same value, as far as their forms show it."""
    if same_form(one) == same_form(other):
        return True
    return holds_all(one, other) and holds_all(other, one)


def relations_of(asking: Asking, relations: Mapping[str, Relation]) -> tuple[str, ...]:
    """The relation that is asked for, with its opposite."""
    return () if asking.relation is None else family(asking.relation, relations)
