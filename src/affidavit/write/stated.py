"""The text that a memory is to have from now on goes through the checks of a memory. Pure.

Whoever acts, no text makes a permission a memory, nor a question, a doubt, somebody else's words or a secret.
"""

from collections.abc import Mapping

from affidavit.core.access import Caller
from affidavit.core.candidates import Candidate
from affidavit.core.memories import USER, ItemRow, Kind
from affidavit.core.values import EpisodeRow
from affidavit.errors import RefusedError
from affidavit.store.protocol import Stored
from affidavit.text.lang.relations import Relation
from affidavit.text.whose.worded import in_first_person
from affidavit.write.act import whole
from affidavit.write.checks import Context, check

_KINDS = frozenset({Kind.FACT, Kind.PREFERENCE, Kind.EVENT, Kind.INSTRUCTION})


def check_stated(
    said: EpisodeRow, old: ItemRow, caller: Caller, actor: str, relations: Mapping[str, Relation]
) -> None:
    """Raise `RefusedError` unless what was said states something that a memory may hold. `actor`: who said it."""
    kind = Kind(old.kind)
    if old.subject == USER:
        said = said._replace(text=in_first_person(said.text))
    candidate = Candidate(
        text=said.text,
        kind=kind if kind in _KINDS else Kind.FACT,
        parts=whole(said),
        subject=old.subject or USER,
    )
    context = Context(
        episodes={said.id: Stored(0, said)},
        actors={said.actor: actor},
        owner=caller.owner,
        relations=relations,
    )
    for refused in check([candidate], context).rejected:
        raise RefusedError(f"that is not remembered ({refused.check}: {refused.code})", hint=refused.hint)
