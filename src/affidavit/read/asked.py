"""The memories of the relation that a question asks for: homes for "Where do I live?", whatever their words are."""

from collections.abc import Iterator

from affidavit.core.memories import USER, ItemRow
from affidavit.read.masks import Allowed
from affidavit.read.memories import View
from affidavit.store.protocol import Reads
from affidavit.text.evidence.likeness import same_form
from affidavit.text.questions.asking import Asking
from affidavit.text.questions.covering import holds_all


def asked_for(reads: Reads, view: View, allowed: Allowed, asking: Asking | None) -> Iterator[int]:
    """The places in the log of those that may be found."""
    if asking is None or asking.relation is None or not (asking.who or asking.first):
        return
    for stored in reads.related(view.space_id, asking.who or USER, [asking.relation]):
        if stored.row.id in allowed.terms.places and allowed.may(stored.seq) and _fits(asking, stored.row):
            yield stored.seq


def _fits(asking: Asking, row: ItemRow) -> bool:
    """Whether a memory is about what the question names beside the relation."""
    if asking.qualifier and same_form(asking.qualifier) != same_form(row.qualifier or ""):
        return False
    if asking.about and not holds_all(row.text, asking.about):
        return False
    return not asking.cue or any(holds_all(row.text, cue) for cue in asking.cue)
