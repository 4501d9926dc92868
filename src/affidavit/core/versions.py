"""Which version of a memory counts now, whether it may be acted upon, and what a user makes of it. Pure."""

from collections.abc import Collection, Mapping, Sequence

from affidavit.core.chains import covers
from affidavit.core.memories import CHECKS, USER, ItemRow, MemoryStatus
from affidavit.core.rows import mark_of
from affidavit.core.when import Basis
from affidavit.errors import InputError, NotBelievedError
from affidavit.text.evidence.likeness import match_key, same_form
from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import RELATIONS, Relation
from affidavit.text.lexicon.terms import stored_terms
from affidavit.text.whose.worded import worded

UPDATED = "update-1"
"""The extractor of a version that a user wrote himself."""

ENDORSED = "endorse-1"
"""The extractor of a version by which a user makes others' words about himself his own."""

_ANEW = "say it anew with `add`"
_WHY = {
    MemoryStatus.SUPERSEDED: ("holds no more", _ANEW),
    MemoryStatus.RETRACTED: ("was retracted", _ANEW),
    MemoryStatus.INVALIDATED: ("lost all that it stood on", _ANEW),
    MemoryStatus.LAPSED: ("has lapsed", _ANEW),
    MemoryStatus.ARCHIVED: ("is archived", _ANEW),
    MemoryStatus.QUARANTINED: ("is in quarantine", "`endorse` it first, if it is true"),
}
_ACTIVE = frozenset({MemoryStatus.ACTIVE})


def current(versions: Sequence[ItemRow], now: int) -> ItemRow:
    """The version that `mem_…` means: what holds now, else what will first, else the last one there is."""
    live = [row for row in versions if row.status == MemoryStatus.ACTIVE]
    holding = [row for row in live if covers(row, now)]
    if holding:
        return max(holding, key=lambda row: row.version)
    if live:
        return min(live, key=lambda row: (row.valid_start or 0, -row.version))
    return max(versions, key=lambda row: row.version)


def check_believed(
    row: ItemRow, versions: Sequence[ItemRow], now: int, statuses: Collection[MemoryStatus] = _ACTIVE
) -> None:
    """Raise `NotBelievedError` unless a version has one of these statuses."""
    status = MemoryStatus(row.status)
    if status in statuses:
        return
    what, hint = _WHY[status]
    instead = current(versions, now)
    if status is MemoryStatus.SUPERSEDED and instead.status == MemoryStatus.ACTIVE:
        hint = f"its current version is {instead.id}"
    raise NotBelievedError(f"{row.id} {what}", hint=hint)


def updated_row(
    old: ItemRow, text: str, start: int, relations: Mapping[str, Relation] = RELATIONS
) -> ItemRow:
    """The version that takes the place of `old` from `start` on, in the user's own words; its number is still the old.

    Of the old one only what those words say themselves is taken over, and what tells nothing: so the new version
    rests on nothing but them. Raises `InputError` where they don't name whom the memory is about.
    """
    if old.subject != USER and not stands_in(old.subject, text):
        raise InputError(
            f"the text does not say whom it is about: {old.id} is about {old.subject!r}",
            hint="write it with that name",
        )
    relation, object_, qualifier, negated = _said(old, text, start, relations)
    return old._replace(
        text=text,
        relation=relation,
        object=object_,
        qualifier=qualifier,
        status=MemoryStatus.ACTIVE,
        certainty=Certainty.ASSERTED,
        negated=negated,
        claimant=None,
        occurred_start=None,
        occurred_end=None,
        valid_start=start,
        valid_end=old.ends,
        closed_end=None,
        closed_at=None,
        closed_by=None,
        closed_seq=None,
        time_text=None,
        time_basis=Basis.INFERRED,
        time_offset=None,
        policy=CHECKS,
        extractor=UPDATED,
        model=None,
        prompt=None,
        language=None,
        slots="[]",
        metadata=mark_of(old),
        terms=stored_terms(text),
        match_key=match_key(text),
    )


def endorsed_row(old: ItemRow, words: str) -> ItemRow:
    """What a user says of himself by standing behind `old`, which others wrote of him or in his name.

    `words` are those that it quotes: as far as the frames read them they are told as the user's own are. When it holds
    is what he stands behind, too, but not the words for that. The number is still the old.
    """
    anchor = old.recorded_at if old.valid_start is None else old.valid_start
    read = statements_in(words, anchor=anchor, offset=old.time_offset)
    row = old._replace(
        subject=USER, claimant=None, status=MemoryStatus.ACTIVE, closed_end=None, closed_at=None, closed_by=None,
        closed_seq=None, time_text=None, time_basis=Basis.INFERRED, time_offset=None, policy=CHECKS,
        extractor=ENDORSED, model=None, prompt=None, slots="[]", metadata="{}",
    )  # fmt: skip
    sure = len(read) == 1 and not read[0].ended and read[0].certainty is Certainty.ASSERTED
    if sure and old.relation in {None, read[0].relation}:
        said = read[0]
        row = row._replace(
            text=said.text, relation=said.relation, object=said.object, qualifier=said.qualifier or None,
            negated=int(said.negated), language=said.language,
        )  # fmt: skip
    return row._replace(terms=stored_terms(row.text), match_key=match_key(row.text))


def _said(
    old: ItemRow, text: str, start: int, relations: Mapping[str, Relation]
) -> tuple[str | None, str | None, str | None, int]:
    """Relation, object, qualifier and polarity, where the new words state the relation of the old; else none."""
    read = statements_in(text, anchor=start, offset=None) if old.subject == USER else []
    if len(read) == 1 and (read[0].relation, read[0].tense, read[0].ended) == (old.relation, "now", False):
        return old.relation, read[0].object, read[0].qualifier or None, int(read[0].negated)
    told = worded(text, old.relation, None if old.subject == USER else old.subject) if old.relation else None
    if told is None:
        # Of a relation of one's own no frame knows how it is said: a value of the only one there is stays that.
        own = relations.get(old.relation or "") if old.relation not in RELATIONS else None
        kept = old.relation if own is not None and own.functional and not read else None
        return kept, None, None, 0
    return old.relation, told.object, told.qualifier or None, int(told.negated)


def stands_in(value: str | None, text: str) -> bool:
    """Whether a value stands in a text as whole words, letter case and spaces aside; None stands everywhere.

    >>> stands_in("São  Paulo", "she moved to são paulo"), stands_in("Ana", "bananas")
    (True, False)
    """
    if value is None:
        return True
    wanted, given = same_form(value), same_form(text)
    at = given.find(wanted) if wanted else -1
    while at >= 0:
        before, after = given[at - 1 : at], given[at + len(wanted) : at + len(wanted) + 1]
        if not _joined(before, wanted[:1]) and not _joined(wanted[-1:], after):
            return True
        at = given.find(wanted, at + 1)
    return False


def _joined(one: str, other: str) -> bool:
    """Whether two characters belong to one word; scripts without spaces have no such bounds."""
    return one.isalnum() and other.isalnum() and one < "\u2e80" and other < "\u2e80"
