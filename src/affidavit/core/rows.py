"""From an admitted statement to the row of a version."""

import json
from typing import Final

from affidavit.core.candidates import Admitted
from affidavit.core.memories import CHECKS, ItemRow
from affidavit.core.values import json_text
from affidavit.core.when import Basis
from affidavit.text.evidence.likeness import match_key
from affidavit.text.lexicon.terms import stored_terms

BESIDE: Final = "beside"
"""What a version's metadata says of one more value beside others."""


def row_of(one: Admitted) -> ItemRow:
    """A version's row as it is born, but for its id, its number and when it holds."""
    said = one.candidate
    occurred, begins = said.occurred, said.begins
    words = occurred or begins
    return ItemRow(
        memory_id="",
        version=0,
        kind=said.kind,
        authority=one.authority,
        status=one.status,
        occurred_start=None if occurred is None else occurred.start,
        occurred_end=None if occurred is None else occurred.end,
        recorded_at=0,
        valid_start=None,
        valid_end=None,
        closed_end=None,
        closed_at=None,
        terms=stored_terms(one.text),
        subject=said.subject,
        relation=said.relation,
        object=said.object,
        qualifier=said.qualifier,
        certainty=said.certainty,
        negated=int(said.negated),
        claimant=one.claimant,
        time_text=None if words is None else words.text,
        time_basis=Basis.INFERRED if words is None else words.basis,
        time_offset=None if words is None else words.offset,
        policy=CHECKS,
        extractor=said.extractor,
        model=said.model,
        prompt=said.prompt,
        language=said.language,
        slots=_slots(one),
        metadata=_metadata(one),
        actor=one.actor,
        closed_by=None,
        closed_seq=None,
        match_key=match_key(one.text),
        text=one.text,
    )


def is_beside(row: ItemRow) -> bool:
    """Whether it was said as one more value: nothing ends by it, and it by no other value."""
    return row.metadata != "{}" and json.loads(row.metadata).get(BESIDE) is True


def mark_of(row: ItemRow) -> str:
    """What a version's metadata says of how it stands to others, and nothing else."""
    return json_text({BESIDE: True}) if is_beside(row) else "{}"


def _metadata(one: Admitted) -> str:
    if not one.candidate.beside:
        return one.metadata
    return json_text({**json.loads(one.metadata), BESIDE: True})


def _slots(one: Admitted) -> str:
    return json_text([[slot.name, slot.value, slot.source, str(slot.authority)] for slot in one.slots])
