"""What becomes of a statement by what was chosen of it: the rules of `affidavit.core.choices`, applied. Pure.

Runs under the lock, on the versions that are there by then: what was chosen of a version that has gone meanwhile is
judged again on the one that took its place, and refused where the rules don't permit it of that one.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from affidavit.core.authority import Authority
from affidavit.core.book import Book, Held
from affidavit.core.candidates import Admitted
from affidavit.core.chains import Chain, covers, may_touch, settle
from affidavit.core.choices import Choice, Op, overruled
from affidavit.core.memories import ItemRow, Kind, MemoryStatus, Part, Reason
from affidavit.core.outcome import Pen
from affidavit.text.evidence.bearings import Bearing, bearing
from affidavit.text.evidence.passages import sentence_around
from affidavit.text.evidence.signs import unattributed
from affidavit.text.frames.statement import Certainty

_ENDING = {Bearing.CONTRARY, Bearing.INSTEAD, Bearing.PARTLY}
_SORTS = {Kind.INSTRUCTION: 1, Kind.EVENT: 2}


class Deed(StrEnum):
    """What the rules permit of a statement and a version."""

    SUPPORT = "support"
    REPLACE = "replace"
    CONTEST = "contest"


class Ruling(NamedTuple):
    """What is permitted of a statement that bears so on a version; or, where nothing is, why, if not for its words."""

    deed: Deed | None
    bears: Bearing = Bearing.OTHER
    code: str = ""


def is_open(one: Admitted, chain: Chain) -> bool:
    """Whether structure leaves a statement open: nothing that is believed is in its chain, and many may be."""
    said = one.candidate
    if one.status is not MemoryStatus.ACTIVE or said.certainty is not Certainty.ASSERTED:
        return False
    timeless = said.tense == "now" and said.begins is None and (said.negated or not said.ended)
    many = chain.relation is None or (not chain.relation.functional and bool(said.object))
    planned = said.relation is not None and said.kind is Kind.EVENT
    return timeless and many and not planned and not any(held.live for held in chain.members)


def ruling(one: Admitted, row: ItemRow, held: Held, book: Book) -> Ruling:
    """What may become of a statement (`row`: as it would be added) and a version."""
    its, code = held.row, _out_of_reach(one, row, held, book)
    if code:
        return Ruling(None, code=code)
    words = _words(its, [p for s in held.supports for p in s.parts])
    bears = bearing(_words(row, one.parts), words)
    if bears in _ENDING:
        bears = _as_said(bears, one, words, book)
    deed: Deed | None = None
    if bears is Bearing.SAME:
        deed = Deed.SUPPORT if _may_support(row, held) else None
    elif bears is Bearing.MORE:
        if not may_touch(row, its):
            code = "lower_authority"
        deed = None if code or its.kind == Kind.EVENT else Deed.REPLACE
    elif bears is not Bearing.OTHER:
        apart = bears is Bearing.PARTLY or its.kind == Kind.EVENT or not may_touch(row, its)
        deed = Deed.CONTEST if apart else Deed.REPLACE
    return Ruling(deed, bears, code)


def _as_said(bears: Bearing, one: Admitted, words: str, book: Book) -> Bearing:
    """How the whole sentence bears that a quote stands in: a text may leave out the "on Mondays" behind it."""
    if len(one.parts) != 1:
        return Bearing.OTHER
    (part,) = one.parts
    stored = book.known.episodes(book.known.space_id, [part.source]).get(part.source)
    if stored is None or part.start is None or part.end is None:
        return Bearing.OTHER
    start, end = sentence_around(stored.row.text, part.start, part.end)
    said = bearing(stored.row.text[start:end], words)
    return said if said in {bears, Bearing.PARTLY} else Bearing.OTHER


def _out_of_reach(one: Admitted, row: ItemRow, held: Held, book: Book) -> str:
    """Why a statement can't bear on a version, whatever both say; empty if it can."""
    its = held.row
    if not held.live or its.certainty != Certainty.ASSERTED or not covers(its, one.said_at):
        return "not_current"
    mine = (row.subject, _SORTS.get(Kind(row.kind)), row.occurred_start, row.occurred_end)
    if mine != (its.subject, _SORTS.get(Kind(its.kind)), its.occurred_start, its.occurred_end):
        return "another_subject"
    return "said_since" if any(said > one.said_at for said, _ in book.said(held)) else ""


def _may_support(row: ItemRow, held: Held) -> bool:
    """Whether nothing rises or is lost if it is a support: not even the relation that the statement shows."""
    its = held.row
    shown = row.relation is None or (row.relation, row.qualifier) == (its.relation, its.qualifier)
    return shown and its.claimant == row.claimant and Authority(row.authority) <= held.authority


def _words(row: ItemRow, parts: Sequence[Part]) -> str:
    return unattributed(row.text, row.claimant or "", [part.quote for part in parts if part.quote])


def follow(made: Sequence[Choice], pen: Pen, row: ItemRow, chain: Chain) -> bool:
    """Do what was chosen of an open statement, as far as it is permitted. False where nothing is: it is to be added.

    `row` is the statement's as it would be added, `chain` the one it belongs to.
    """
    found: dict[Deed, dict[str, tuple[Held, Bearing]]] = {deed: {} for deed in Deed}
    for choice in made:
        held = _present(pen.book, choice.version)
        ruled = Ruling(None, code="not_current") if held is None else ruling(pen.one, row, held, pen.book)
        code = _refusal(choice.op, ruled)
        if code or held is None or ruled.deed is None:
            pen.outcome.overruled.append(overruled(choice.op, code, pen.one, choice.version))
        else:
            found[ruled.deed][held.id] = held, ruled.bears
    supported, replaced = list(found[Deed.SUPPORT].values()), list(found[Deed.REPLACE].values())
    rivals = [*found[Deed.CONTEST].values(), *replaced]
    if not supported and not rivals:
        return False
    for held, _ in supported:
        pen.support(held)
    if supported:
        by = supported[0][0]
    else:
        first = max(replaced, key=_standing, default=None)
        by = _added(pen, row, chain, first)
        rivals = [one for one in rivals if one is not first]
    for held, bears in rivals:
        if held.live and held is not by and bears is not Bearing.MORE:
            pen.contest(held, by)
    return True


def _standing(one: tuple[Held, Bearing]) -> tuple[int, int, int]:
    held, _ = one
    return held.authority.rank, held.row.valid_start or 0, held.order


def _added(pen: Pen, row: ItemRow, chain: Chain, replaced: tuple[Held, Bearing] | None) -> Held:
    """The statement as a memory of its own, or as the next version of the one it takes the place of."""
    added = pen.add(row, None if replaced is None else replaced[0].row.memory_id)
    chain.members.append(added)
    if replaced is not None:
        held, bears = replaced
        pen.end(held, row.valid_start, added, Reason.SUPERSEDED)
        if bears is Bearing.CONTRARY:
            pen.outcome.retracted.append(held.id)
    settle(pen.book, chain)
    return added


def _present(book: Book, version: str) -> Held | None:
    """The version that was chosen, or the believed one that took its place in its memory."""
    found = book.items([version])
    if found and found[0].live:
        return found[0]
    later = [held for held in book.versions(version.partition("@")[0]) if held.live]
    return later[-1] if later else None


def _refusal(op: Op, ruled: Ruling) -> str:
    """Why a choice is refused, empty if it is not."""
    refused = {Op.NOOP: "says_something_else", Op.UPDATE: "does_not_replace", Op.DELETE: "does_not_end"}
    fits = {
        Op.NOOP: ruled.deed is Deed.SUPPORT,
        Op.UPDATE: ruled.deed is not None,
        Op.DELETE: ruled.deed in {Deed.REPLACE, Deed.CONTEST} and ruled.bears is not Bearing.MORE,
    }
    return "" if fits[op] else ruled.code or refused[op]
