"""What candidates are checked against, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from affidavit.core.candidates import Admitted, Rejection
from affidavit.core.values import Owner
from affidavit.store.protocol import Stored
from affidavit.text.lang.relations import Relation
from affidavit.text.spans import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a check may look at.

    `episodes`: those that may be cited, by id. `actors`: who stands behind a reference, as the space's actors name
    him ("user:priya", "person:Bob", "agent:…", "tool:…"); an unknown one is nobody's own. `owner`: whose space it is.
    `own_names`: further names of that user. `revoked`: ids of sources that count no more. `echoes`: what of an
    episode, by its id, repeats what was remembered before it (`affidavit.write.retold`). `handed`: how far the text
    of an episode, by its id, is what the message before it gave out (`affidavit.store.handing`).
    """

    episodes: Mapping[str, Stored]
    actors: Mapping[str, str]
    owner: Owner
    own_names: tuple[str, ...] = ()
    revoked: frozenset[str] = frozenset()
    relations: Mapping[str, Relation]
    echoes: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    handed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checked:
    """What passed, in the order of the candidates, and what was refused."""

    admitted: tuple[Admitted, ...]
    rejected: tuple[Rejection, ...]
