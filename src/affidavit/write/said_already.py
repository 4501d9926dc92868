"""What is said already: what two extractors find in the same words, or one finds again, is one statement. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from affidavit.core.candidates import Admitted
from affidavit.core.memories import ItemRow, MemoryStatus, Part, Reason, Support
from affidavit.core.values import Status
from affidavit.store.protocol import View
from affidavit.text.evidence.likeness import same_form
from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import language_of
from affidavit.text.evidence.slots import values_of
from affidavit.write.checks.words import content_words
from affidavit.write.retold import without_retold


class Said(NamedTuple):
    """A statement, and the words it rests on."""

    parts: tuple[Part, ...]
    text: str
    triple: tuple[str, str, str, str, bool] | None

    @classmethod
    def admitted(cls, one: Admitted) -> Self:
        """Of what passed the checks."""
        said = one.candidate
        return cls(
            one.parts,
            one.text,
            _triple(said.subject, said.relation, said.object, said.qualifier, denied=said.negated),
        )

    @classmethod
    def stored(cls, row: ItemRow, parts: tuple[Part, ...]) -> Self:
        """Of a version, by one of its supports."""
        return cls(
            parts,
            row.text,
            _triple(row.subject, row.relation, row.object, row.qualifier, denied=bool(row.negated)),
        )


def without_doubles(admitted: Sequence[Admitted], standing: Iterable[Said]) -> list[Admitted]:
    """The statements without those of a model that say what another one says of the same words."""
    known, kept = list(standing), list[Admitted]()
    for one in admitted:
        said = Said.admitted(one)
        if one.candidate.model is None or not any(says_again(said, other) for other in known):
            kept.append(one)
            known.append(said)
    return kept


def _triple(
    subject: str, relation: str | None, value: str | None, qualifier: str | None, *, denied: bool
) -> tuple[str, str, str, str, bool] | None:
    if relation is None:
        return None
    return same_form(subject), relation, same_form(value or ""), same_form(qualifier or ""), denied


def says_again(one: Said, other: Said) -> bool:
    """Whether `one` says no more than `other`, of the same words."""
    if not all(any(_overlap(part, its) for its in other.parts) for part in one.parts):
        return False
    if one.triple is not None:
        return one.triple == other.triple
    if values_of(one.text) - values_of(other.text):
        return False
    known = _stems(other.text)
    evidence = " ".join(part.quote or "" for part in one.parts)
    return any(
        all(word.stems & known for word in content_words(plain(text), language_of(plain(text))))
        for text in (one.text, evidence)
    )


def _overlap(one: Part, other: Part) -> bool:
    if one.source != other.source or None in (one.start, one.end, other.start, other.end):
        return False
    return (one.start or 0) < (other.end or 0) and (other.start or 0) < (one.end or 0)


def _stems(text: str) -> frozenset[str]:
    words = content_words(plain(text), language_of(plain(text)))
    return frozenset().union(*(word.stems for word in words))


def new_ones(
    admitted: Sequence[Admitted], view: View, gone: Collection[tuple[str, int]] = ()
) -> list[Admitted]:
    """Those whose episodes still live and count, and that no version says yet in the same words.

    A source may have been revoked while they were checked; what is kept apart anyway may rest on one. `gone` are
    supports (version, number) that are about to be withdrawn.
    """
    sources = list(dict.fromkeys(part.source for one in admitted for part in one.parts))
    living = view.episodes(view.space_id, sources)
    supports = view.supports(view.space_id, view.resting(view.space_id, sources))
    standing = {support.parts for held in supports.values() for support in held}
    apart = {one for one, stored in living.items() if stored.row.status == Status.QUARANTINED}
    new = [
        one
        for one in admitted
        # A model may say something else of the same words: whether it does is looked at below.
        if (one.candidate.model is not None or one.parts not in standing)
        and all(part.source in living for part in one.parts)
        and (one.status is MemoryStatus.QUARANTINED or apart.isdisjoint(part.source for part in one.parts))
    ]
    return without_doubles(without_retold(new, view, living), _standing(view, supports, gone))


def _standing(
    view: View, supports: Mapping[str, Sequence[Support]], gone: Collection[tuple[str, int]]
) -> Iterator[Said]:
    """What versions already say of these words; what deriving had withdrawn may be found again, unless retracted."""
    for id_, stored in view.items(view.space_id, list(supports)).items():
        for support in supports[id_]:
            withdrawn = support.removed == Reason.REDERIVED or (id_, support.number) in gone
            if not withdrawn or stored.row.status == MemoryStatus.RETRACTED:
                yield Said.stored(stored.row, support.parts)
