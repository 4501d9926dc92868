"""What a question shows before any row is looked at: whom it asks about, and which words carry it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from affidavit.index.ranking import Ranking
from affidavit.text.lexicon.terms import QueryTerm, query_terms
from affidavit.text.lexicon.words import fold, tokens

# "What did you recommend", "remind me what you said": the assistant's own words are wanted.
_SAID: Final = (
    "recommended|suggested|mentioned|said|told|gave|given|provided|listed|wrote|written|explained|advised|described"
    "|proposed|offered|named|shared|answered|showed|shown|made|helped|came up"
)
_ASKS_ASSISTANT: Final = re.compile(
    rf"\byou(?:['\u2019]d| had| have|['\u2019]ve)?(?: \w+)? (?:{_SAID})\b|\bdid you\b|\bremind me\b"
    r"|\bhast du\b|\bhaben sie\b|\b(?:has|hab\u00edas) (?:dicho|recomendado|sugerido|mencionado)\b"
    r"|\b(?:as-tu|avez-vous|tu as|vous avez) (?:dit|recommand\u00e9|sugg\u00e9r\u00e9|mentionn\u00e9)"
    "|\u4f60(?:\u8bf4|\u63a8\u8350|\u5efa\u8bae|\u63d0\u5230|\u544a\u8bc9)",
    re.IGNORECASE,
)


class Word(NamedTuple):
    """One term to look for: its id, its weight, and the word to guess from for a space that does not know the id."""

    id: int
    weight: float
    guess: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart: the words to look for, codes of the speakers named, whether the assistant is asked."""

    words: tuple[Word, ...]
    speakers: frozenset[int]
    assistant: bool


def take_apart(text: str, names: frozenset[str], speakers: Sequence[str | None], ranking: Ranking) -> Asked:
    """Read a question put to a space with these speakers (by code). `names` are speakers meant beyond its words."""
    terms = query_terms(text)
    plain = {term.folded for term in terms if not term.stop}
    found: set[int] = set()
    named: set[str] = set()
    for code, speaker in enumerate(speakers):
        if speaker is None:
            continue
        own = plain.intersection(map(fold, tokens(speaker)))
        if own or speaker in names:
            found.add(code)
            named |= own
    return Asked(_weighed(terms, named, ranking), frozenset(found), _ASKS_ASSISTANT.search(text) is not None)


def _weighed(terms: Sequence[QueryTerm], named: set[str], ranking: Ranking) -> tuple[Word, ...]:
    only_grammar = all(term.stop for term in terms)
    words = []
    for id_, weight, word, folded, stop, guess in terms:
        counting = 1.0
        if stop and not only_grammar:
            counting = ranking.stop
        elif folded in named:
            counting = ranking.name
        words.append(Word(id_, weight * counting, word if guess and not stop else None))
    return tuple(words)


def dense_text(text: str, names: Iterable[str]) -> str:
    """A question for the embedder: speakers' names out, so that they don't outweigh what is asked."""
    named = {fold(token) for name in names for token in tokens(name)}
    kept = [part for part in text.split() if not _is_name(part, named)]
    return " ".join(kept) or text


def _is_name(part: str, named: set[str]) -> bool:
    bare = part.strip("'\"\u2018\u2019\u201c\u201d.,;:!?()")
    return fold(bare.removesuffix("'s").removesuffix("\u2019s")) in named
