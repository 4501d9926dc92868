"""Which words of a sentence show a relation, and of which value they say it.

Rules:
1. A value says more than grammar and the words that show its relation.
2. Words that show many relations ("I have", "I'm") show none by themselves.
3. A value belongs to what stands next to it: between it and what shows its relation nothing shows another.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from affidavit.core.memories import USER
from affidavit.text.evidence.passages import segments
from affidavit.text.evidence.signs import UNSPACED, has, joints, relation_words, signs, without
from affidavit.write.checks.draft import Draft
from affidavit.write.checks.words import DIGIT, blotted, content_words

ATTITUDES: Final = {"like": 1, "dislike": -1, "favorite": 1}
"""Relations that say whether something is liked."""
_FEW: Final = 3
"""How many relations a word may show and still tell one from another."""


def shows_at(relation: str, subject: str, sentence: str, language: str) -> list[tuple[int, int]]:
    """Where words stand that show a relation."""
    found = [one.span() for one in relation_words(relation, "shown", language).finditer(sentence)]
    if subject != USER:
        found += [one.span() for one in relation_words(relation, "third", language).finditer(sentence)]
        if not found and relation in ATTITUDES:
            found += signs("like", sentence, language) + signs("dislike", sentence, language)
    return found


def shown_in(draft: Draft, sentence: str) -> list[tuple[int, int]]:
    """Where words stand that show the draft's relation, in the forms in which its subject is spoken of."""
    said = draft.said
    subject = "" if tells_of_user(draft, sentence) else said.subject
    return shows_at(said.relation or "", subject, sentence, draft.quotes[0].language)


def tells_of_user(draft: Draft, text: str) -> bool:
    """Whether somebody else tells it of the user by that word: "the user lives in Oslo"."""
    return not any(one.is_own for one in draft.quotes) and has("user", text, draft.quotes[0].language)


def tells_value(relation: str, value: str, language: str) -> bool:
    """Whether a value says something: more than grammar, endings and the words that show its relation ("live")."""
    aside = signs("ended", value, language)
    if relation != "diet":  # of a diet the value itself shows it
        aside += shows_at(relation, "", value, language)
    return bool(content_words(blotted(value, aside), language)) or DIGIT.search(value) is not None


def tells_apart(relation: str, among: tuple[str, ...], sentence: str, language: str) -> bool:
    """Whether a word shows this relation that doesn't show many others of those there are, as "I have" and "I'm" do."""
    return bool(
        set(_telling(among, sentence, language)).intersection(shows_at(relation, "", sentence, language))
    )


def belongs(
    relation: str, among: tuple[str, ...], sentence: str, language: str, *, value: tuple[int, int], aside: str
) -> bool:
    """Whether a value is said by the words that show its relation, and not by those of another one.

    "I live in Oslo, I work at Acme" shows both, and only "live" is said of Oslo: between a value and what shows its
    relation stands nothing that shows another. Words that show many relations ("have") tell none apart, nor do those
    of the qualifier (`aside`), and those that a text about this relation may use.
    """
    start, end = value
    mine = shows_at(relation, "", sentence, language)
    ahead = [one for one in mine if one[0] < end]
    said = relation_words(relation, "said", language)
    others = [
        one
        for one in without(list(_telling(among, sentence, language)), [*mine, value])
        if sentence[one[0] : one[1]] not in aside and not said.match(sentence, one[0])
    ]
    if not ahead:
        first = min((one[0] for one in mine), default=len(sentence))
        return not any(one[0] < first for one in others) and not _apart(end, first, sentence, language)
    between = [one for one in others if max(ahead)[1] <= one[0] and one[1] <= start]
    if relation in ATTITUDES:  # "I like to eat pasta": another doing may be what is liked
        between = [one for one in between if _apart(max(ahead)[1], one[0], sentence, language)]
    return not between


def _apart(start: int, end: int, sentence: str, language: str) -> bool:
    """Whether another segment begins between two places."""
    return len(segments(f"x{sentence[start:end]}x", joints(language))) > 1


@lru_cache(maxsize=256)
def _telling(among: tuple[str, ...], sentence: str, language: str) -> Sequence[tuple[int, int]]:
    """Where words stand that show a relation, but for those that show many."""
    shown = Counter(
        span
        for name in among
        for span in set(shows_at(name, "", sentence, language))
        if name != "instruction"
    )
    # Where words aren't parted, "I" is a word of its own; elsewhere it may be the verb itself ("vivo").
    speaker = signs("first", sentence, language) if UNSPACED.search(sentence) else []
    return without([span for span, relations in shown.items() if relations <= _FEW], speaker)
