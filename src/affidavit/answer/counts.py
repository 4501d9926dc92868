"""How many of a kind somebody has, as far as memories say it. Pure.

Rules:

1. Only what is of the kind that is asked for counts: a cat is no dog, a niece no daughter.
2. A number that was said is given; two that differ are a conflict. Nothing is added up: where the kind is wider than
   what was said ("children" of "two sons and a daughter"), the words are quoted.
"""

import re
from collections.abc import Sequence
from typing import Final

from affidavit.answer.findings import Finding, Says, distinct
from affidavit.read.memories import MemoryItem
from affidavit.text.evidence.likeness import same_form
from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import number_words
from affidavit.text.questions.asking import Asking
from affidavit.text.questions.covering import holds_all
from affidavit.text.questions.question_words import kindred, narrower

_ONE: Final = frozenset({"a", "an", "un", "una"})
_DIGITS: Final = re.compile(r"\d+")


def counted(asking: Asking, said: Sequence[MemoryItem]) -> Finding | None:
    """What these memories, all of the asked relation, say about how many there are."""
    kinds, parts = _kinds(asking), narrower(asking.object, asking.language)
    partly = [one for one in said if any(_tells(one, part) for part in parts)]
    own = [one for one in said if any(_is_one(one, kind) for kind in kinds)]
    if partly or not own:
        near = partly or [one for one in said if any(_tells(one, kind) for kind in kinds)]
        told = distinct([*own, *(one for one in near if one not in own)])
        return Finding(Says.QUOTE, tuple(told)) if near else None
    numbered = [one for one in own if _number(one)]
    if len({_number(one) for one in numbered}) > 1:
        return Finding(Says.CONFLICT, tuple(distinct(numbered)))
    return Finding(Says.VALUES, tuple(distinct(numbered[-1:] or own)))


def _kinds(asking: Asking) -> list[str]:
    mine = same_form(asking.object)
    return [mine, *sorted({word for group in kindred(asking.language) if mine in group for word in group})]


def _is_one(item: MemoryItem, kind: str) -> bool:
    """Whether a value is of a kind: "two dogs", or a dog with a name."""
    return holds_all(item.object or "", kind) or holds_all(item.qualifier or "", kind)


def _tells(item: MemoryItem, kind: str) -> bool:
    told = " ".join([item.text, *(quote.text for quote in item.evidence)])
    return holds_all(told, kind)


def _number(item: MemoryItem) -> frozenset[str]:
    said = plain(item.object or "")
    found = frozenset(_DIGITS.findall(said)) | number_words(said)
    first = said.split(maxsplit=1)[0] if said.strip() else ""
    return found or (frozenset({"1"}) if first in _ONE else frozenset())
