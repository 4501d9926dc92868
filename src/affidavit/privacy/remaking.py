"""A version whose first support is erased and that others still carry, made anew from what is left.

A version's row was made of its first support: its wording, its time, its slots, who said it. Rules:

1. If that support stays, the row stays as it is.
2. If it goes, the version goes, and a new one is made of the strongest support that is left, and of nothing else:
   of the old row it takes over what stands in that support's quotes, and what tells nothing (kind, relation, polarity).
3. The text stays where those quotes give it again: by the frames, or as each of its search terms stands in them.
   Else the quote itself is the text.
4. Where object or qualifier don't stand there, it is a text without them. Where it does not name whom the statement
   is about, there is no new version.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from affidavit.core.memories import USER, ItemRow, Support
from affidavit.core.rows import mark_of
from affidavit.core.values import EpisodeRow, json_text
from affidavit.core.versions import stands_in
from affidavit.core.when import Basis
from affidavit.text.evidence.likeness import match_key
from affidavit.text.frames.engine import statements_in
from affidavit.text.lexicon.terms import stored_terms, terms


class Carrier(NamedTuple):
    """What a support still says: its words, when they were said, whose they are, and by which contributor."""

    support: Support
    words: tuple[str, ...]
    said_at: int
    names: tuple[str, ...]
    actor: str

    @property
    def text(self) -> str:
        """The words as one text."""
        return " ".join(self.words)


def carrier_of(
    support: Support,
    episodes: Mapping[str, EpisodeRow],
    parents: Mapping[str, ItemRow],
    actors: Mapping[str, str],
) -> Carrier:
    """What a support says, by the rows of all that it rests on."""
    quoted = [episodes[source] for source in support.sources if source in episodes]
    rows = [parents[source] for source in support.sources if source in parents]
    times = [row.recorded_at if row.occurred_start is None else row.occurred_start for row in quoted]
    times += [row.recorded_at if row.valid_start is None else row.valid_start for row in rows]
    words = [
        part.quote if part.quote is not None else parents[part.source].text
        for part in support.parts
        if part.quote is not None or part.source in parents
    ]
    names = [name for row in quoted for name in (row.speaker, actors[row.actor].partition(":")[2]) if name]
    actor = quoted[0].actor if quoted else rows[0].actor
    return Carrier(support, tuple(words), max(times), tuple(dict.fromkeys(names)), actor)


def strongest(supports: Sequence[Support]) -> Support:
    """The one with the most authority; of several the first."""
    return max(supports, key=lambda support: (support.authority, -support.number))


def made_anew(old: ItemRow, carrier: Carrier) -> ItemRow | None:
    """The row that the carrier alone makes of a version, still under the old number; None where it makes none."""
    text = carrier.text
    if old.subject != USER and old.subject not in carrier.names and not stands_in(old.subject, text):
        return None
    whole = stands_in(old.object, text) and stands_in(old.qualifier, text)
    timed = old.time_text is not None and stands_in(old.time_text, text)
    wording = old.text if whole and (_carried(old, text) or _read_again(old, carrier)) else text
    start, end = (old.valid_start, old.valid_end) if timed else _times(old, carrier.said_at)
    return old._replace(
        text=wording,
        terms=stored_terms(wording),
        match_key=match_key(wording),
        relation=old.relation if whole else None,
        object=old.object if whole else None,
        qualifier=old.qualifier if whole else None,
        claimant=_claimant(old, carrier),
        valid_start=start,
        valid_end=end,
        occurred_start=old.occurred_start if timed else None,
        occurred_end=old.occurred_end if timed else None,
        time_text=old.time_text if timed else None,
        time_basis=old.time_basis if timed else Basis.INFERRED,
        time_offset=old.time_offset if timed else None,
        prompt=None,
        slots=_slots(old, carrier),
        metadata=mark_of(old),
        actor=carrier.actor,
        closed_end=None,
        closed_at=None,
        closed_by=None,
        closed_seq=None,
    )


def _carried(old: ItemRow, text: str) -> bool:
    """Whether all that the old wording can be found by is in this text, or only says "the user"."""
    given = {*terms(text).ids, *terms("The user's").ids, *terms(old.subject).ids}
    return given.issuperset(terms(old.text).ids)


def _read_again(old: ItemRow, carrier: Carrier) -> bool:
    """Whether the frames make the old wording of one of the quotes."""
    read = (statements_in(words, anchor=carrier.said_at, offset=None) for words in carrier.words)
    return any(said.text == old.text for found in read for said in found)


def _times(old: ItemRow, said_at: int) -> tuple[int | None, int | None]:
    """From when it was said; what is said to have ended had ended by then."""
    return (None, said_at) if old.valid_start is None else (said_at, old.valid_end)


def _claimant(old: ItemRow, carrier: Carrier) -> str | None:
    if old.claimant is None or old.claimant in carrier.names or stands_in(old.claimant, carrier.text):
        return old.claimant
    return carrier.names[0] if carrier.names else None


def _slots(old: ItemRow, carrier: Carrier) -> str:
    """The values that stand in what is left, which supplies them now."""
    supplied = [carrier.support.sources[0], str(carrier.support.authority)]
    kept = [slot[:2] for slot in json.loads(old.slots) if stands_in(slot[1], carrier.text)]
    return json_text([[*slot, *supplied] for slot in kept])
