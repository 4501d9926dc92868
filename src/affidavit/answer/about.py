"""About whom a question is: the asker, by "I" or by one of his own names; somebody else; or a thing."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from affidavit.core.access import Caller
from affidavit.core.authority import Authority, SpaceKind
from affidavit.core.memories import USER
from affidavit.core.standing import Holds
from affidavit.core.values import Head
from affidavit.read.memories import View, memory_items
from affidavit.store.protocol import Reads
from affidavit.text.evidence.likeness import same_form
from affidavit.text.frames.owners import MINE, is_of
from affidavit.text.lexicon.words import fold, tokens
from affidavit.text.questions.asking import Asking
from affidavit.text.questions.covering import Word, content_words
from affidavit.text.questions.doing import is_turned

_LONGEST: Final = 2_000
"""Characters of a sentence of which it can be told whose things are in it."""


class About(NamedTuple):
    """Whom a question is about.

    `asker`: the user who asks. `subjects`: the subjects of memories about him, or about the other who is named. `must`:
    the words by which others are named, which have to stand in what answers. `own`: the words of the asker's own names.
    """

    asker: bool
    subjects: tuple[str, ...]
    must: tuple[Word, ...]
    own: frozenset[str]


def own_names(reads: Reads, view: View, caller: Caller, configured: Sequence[str]) -> tuple[str, ...]:
    """The asker's names: his id, those the host set, those he gave as his own; never a sender's display name."""
    if caller.user_id is None:
        return ()
    given: list[str] = []
    if view.head.kind is SpaceKind.USER:
        named = memory_items(reads, view, reads.related(view.space_id, USER, ["name"])).values()
        given = [
            one.object
            for one in named
            if one.object and not one.negated and one.holds is not Holds.FENCED
            if one.authority is Authority.AUTHORIZED
        ]
    return (caller.user_id, *configured, *given)


def about_whom(asking: Asking, names: Iterable[str], caller: Caller, head: Head) -> About:
    """Whom it is about, given the asker's own names (compared without letter case)."""
    forms = {same_form(name) for name in names}
    own = frozenset(fold(token) for name in names for token in tokens(name))
    mine = (USER,) if head.kind is SpaceKind.USER else (caller.user_id,) if caller.user_id else ()
    if asking.who:
        if same_form(asking.who) in forms:
            return About(True, mine, (), own)
        return About(False, (asking.who,), content_words(asking.who), own)
    others = [name for name in asking.names if fold(name) not in own]
    if asking.relation is not None:
        return About(True, mine, (), own)
    asker = asking.first or len(others) < len(asking.names)
    must = tuple(word for name in others for word in content_words(name))
    return About(asker, mine if asker else (), must, own)


def is_whose(asking: Asking, about: About, text: str, speaker: str | None = None) -> bool:
    """Whether what is asked about is, in a sentence, not somebody else's, and not the other way round.

    `speaker`: who says it, by name.
    """
    if len(text) > _LONGEST:
        return asking.owned.owner is None and not about.must
    names = [word.text for word in about.must]
    if about.asker and names and is_turned(asking.text, text, names, asking.language):
        return False
    asked = asking.owned
    if asked.owner in about.own:
        asked = asked._replace(owner=MINE)
    if asked.owner is None or asked.owner in {fold(token) for token in tokens(speaker or "")}:
        return True
    # A sentence is told whole; a value that is taken out of it has to be of what is asked about.
    return is_of(text, asked, asking.language, exact=asking.relation is not None)
