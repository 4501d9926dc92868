"""How much of what a question says stands in a sentence, word by word. Pure.

Words count the same in every form (by their stems); in a language that says by the form of a verb who does it, only in
the same form; and what is written without spaces only as it stands.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from math import log1p
from typing import Final, NamedTuple

from affidavit.text.lexicon.terms import query_terms, term_id
from affidavit.text.lexicon.words import Script, fold, script_of, stem, tokens
from affidavit.text.view import folded

_UNSPACED: Final = frozenset({Script.CJK, Script.UNSPACED})
_KNOWN: Final = 500
"""A space with fewer episodes says nothing about how rare a word is: it is taken for one with as many."""


class Word(NamedTuple):
    """A word of a question that carries it: as it stands, and the ids of its terms; without ids it has to stand so."""

    text: str
    ids: frozenset[int]


class Text(NamedTuple):
    """A text that may cover a question's words."""

    ids: frozenset[int]
    words: frozenset[str]
    folded: str

    def holds(self, word: Word) -> bool:
        """Whether the word stands in it."""
        if word.ids:
            return not word.ids.isdisjoint(self.ids)
        if script_of(word.text) in _UNSPACED:
            return word.text in self.folded
        return word.text in self.words


def text_of(text: str) -> Text:
    """A text to look for words in."""
    words = frozenset(fold(token) for token in tokens(text))
    ids = {term.id for term in query_terms(text)}
    # "She lives" is no plural of a life.
    ids |= {term_id(stem("english", word)) for word in words if word.isalpha() and word.isascii()}
    return Text(frozenset(ids), words, folded(text))


def content_words(text: str, *, without: Collection[str] = (), exact: bool = False) -> tuple[Word, ...]:
    """The words of a question that carry it; `without` these (folded); `exact`: to be found in the same form only.

    >>> [word.text for word in content_words("When is the deadline for the report?")]
    ['deadline', 'report']
    """
    return tuple(_words(text, frozenset(without), exact=exact))


def _words(text: str, without: Collection[str], *, exact: bool) -> Iterator[Word]:
    found: dict[str, set[int]] = {}
    for term in query_terms(text):
        plain = fold(term.word)
        if plain and not term.stop and plain not in without:
            found.setdefault(plain, set()).add(term.id)
    for plain, ids in found.items():
        whole = exact or script_of(plain) in _UNSPACED
        yield Word(plain, frozenset() if whole else frozenset(ids))


def holds_all(text: str, words: str, *, exact: bool = False) -> bool:
    """Whether every word that carries `words` stands in a text."""
    wanted, where = content_words(words, exact=exact), text_of(text)
    return bool(wanted) and all(where.holds(word) for word in wanted)


class Cover(NamedTuple):
    """How much a text covers: the share of the words' weight, and how unlikely it is to do so by chance (in nats)."""

    share: float
    weight: float


class Weights:
    """How much each word of a question weighs: the rarer among the episodes of a space, the more."""

    def __init__(self, words: Sequence[Word], holders: Callable[[int], int], episodes: int) -> None:
        self.words = words
        self._episodes = max(episodes, _KNOWN)
        self._weights = [self._weight(word, holders) for word in words]
        self._whole = sum(self._weights)

    def _weight(self, word: Word, holders: Callable[[int], int]) -> float:
        many = max(map(holders, word.ids), default=1)
        # Two characters written without spaces say about as much as a word.
        words = len(word.text) / 2 if script_of(word.text) in _UNSPACED else 1.0
        return words * log1p((self._episodes - many + 0.5) / (many + 0.5))

    @property
    def chance(self) -> float:
        """The weight at which one text of the space would be expected to be covered by chance."""
        return log1p(self._episodes)

    def cover(self, text: Text) -> Cover:
        """What of it a text covers."""
        held = sum(weight for word, weight in zip(self.words, self._weights, strict=True) if text.holds(word))
        return Cover(held / self._whole if self._whole else 0.0, held)
